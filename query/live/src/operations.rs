//! The requests of the protocol that are asked, with plain answers. Lines and columns are those of the protocol: from 0,
//! in the server's units. Must not know indexes.

use std::path::PathBuf;
use std::time::Instant;

use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyItem, DocumentSymbol, DocumentSymbolResponse, Location, Range, SymbolKind,
};
use serde_json::{Value, json};
use sextant_checkout::{path_of_uri, uri_of_path};

use crate::Failure;
use crate::session::Session;

/// Places that are taken from one answer.
const MAX_PLACES: usize = 10_000;
/// Symbols that are taken from one file.
const MAX_SYMBOLS: usize = 20_000;

/// A place in a file that is asked about.
#[derive(Clone, Debug)]
pub(crate) struct At {
    pub(crate) file: PathBuf,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// A place in an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) file: PathBuf,
    pub(crate) range: Range,
}

/// A symbol of a document, with the names of the symbols around it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DocumentItem {
    pub(crate) owners: Vec<String>,
    pub(crate) name: String,
    pub(crate) kind: SymbolKind,
    pub(crate) range: Range,
    pub(crate) name_range: Range,
}

fn place_of(at: &At) -> Value {
    let uri = uri_of_path(&at.file).unwrap_or_default();
    json!({"textDocument": {"uri": uri}, "position": {"line": at.line, "character": at.column}})
}

/// The references to the symbols at some places, their definitions among them: a server that names not even the
/// definition does not know the symbol, and that is no answer.
pub(crate) fn references(session: &Session, places: &[At], deadline: Instant) -> Vec<Result<Vec<Place>, Failure>> {
    if !session.can("referencesProvider") {
        return places.iter().map(|_| Err(Failure::Unsupported("references"))).collect();
    }
    let request = |at: &At| {
        let mut params = place_of(at);
        params["context"] = json!({"includeDeclaration": true});
        ("textDocument/references", params)
    };
    let requests: Vec<(&'static str, Value)> = places.iter().map(request).collect();
    let answers = session.ask_all::<Option<Vec<Location>>>(&requests, deadline);
    let known = |answer: Result<Option<Vec<Location>>, Failure>| match places_of(answer?.unwrap_or_default()) {
        places if places.is_empty() => Err(Failure::Unknown),
        places => Ok(places),
    };
    answers.into_iter().map(known).collect()
}

fn places_of(locations: Vec<Location>) -> Vec<Place> {
    let place = |location: Location| Some(Place { file: path_of_uri(location.uri.as_str())?, range: location.range });
    locations.into_iter().take(MAX_PLACES).filter_map(place).collect()
}

/// The places of the names of what calls the symbols at some places. None for what is not a function, or if the server
/// has no call hierarchies: the references say the same.
pub(crate) fn callers(session: &Session, places: &[At], deadline: Instant) -> Vec<Result<Vec<Place>, Failure>> {
    if !session.can("callHierarchyProvider") {
        return places.iter().map(|_| Ok(Vec::new())).collect();
    }
    let requests: Vec<(&'static str, Value)> =
        places.iter().map(|at| ("textDocument/prepareCallHierarchy", place_of(at))).collect();
    let prepared = session.ask_all::<Option<Vec<CallHierarchyItem>>>(&requests, deadline);
    let items: Vec<Result<Option<CallHierarchyItem>, Failure>> =
        prepared.into_iter().map(|answer| Ok(answer?.unwrap_or_default().into_iter().next())).collect();
    let asked = items.iter().filter_map(|item| item.as_ref().ok()?.as_ref());
    let requests: Vec<(&'static str, Value)> =
        asked.map(|item| ("callHierarchy/incomingCalls", json!({ "item": item }))).collect();
    let mut answers = session.ask_all::<Option<Vec<CallHierarchyIncomingCall>>>(&requests, deadline).into_iter();
    let place = |call: CallHierarchyIncomingCall| {
        Some(Place { file: path_of_uri(call.from.uri.as_str())?, range: call.from.selection_range })
    };
    items
        .into_iter()
        .map(|item| match item? {
            None => Ok(Vec::new()),
            Some(_) => {
                let calls = answers.next().unwrap_or(Err(Failure::TimedOut))?.unwrap_or_default();
                Ok(calls.into_iter().take(MAX_PLACES).filter_map(place).collect())
            }
        })
        .collect()
}

/// The symbols of a file, outer ones before those in them.
pub(crate) fn document_symbols(
    session: &Session,
    file: &std::path::Path,
    deadline: Instant,
) -> Result<Vec<DocumentItem>, Failure> {
    if !session.can("documentSymbolProvider") {
        return Err(Failure::Unsupported("symbols of documents"));
    }
    let params = json!({"textDocument": {"uri": uri_of_path(file).unwrap_or_default()}});
    let answer: Option<DocumentSymbolResponse> = session.ask("textDocument/documentSymbol", &params, deadline)?;
    let mut items = Vec::new();
    match answer {
        None => {}
        Some(DocumentSymbolResponse::Nested(symbols)) => flatten(symbols, &[], &mut items),
        Some(DocumentSymbolResponse::Flat(symbols)) => items.extend(symbols.into_iter().map(|symbol| DocumentItem {
            owners: symbol.container_name.into_iter().collect(),
            name: symbol.name,
            kind: symbol.kind,
            range: symbol.location.range,
            name_range: symbol.location.range,
        })),
    }
    items.truncate(MAX_SYMBOLS);
    Ok(items)
}

/// Writes nested symbols as a list. The parser of JSON bounds how deep they are.
fn flatten(symbols: Vec<DocumentSymbol>, owners: &[String], items: &mut Vec<DocumentItem>) {
    for symbol in symbols {
        let DocumentSymbol { name, kind, range, selection_range, children, .. } = symbol;
        let mut inner = owners.to_vec();
        inner.push(name.clone());
        items.push(DocumentItem { owners: owners.to_vec(), name, kind, range, name_range: selection_range });
        flatten(children.unwrap_or_default(), &inner, items);
    }
}

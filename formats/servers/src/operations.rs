//! The requests of the protocol that are asked, with plain answers. Lines and columns are those of the protocol: from 0,
//! in the server's units. Must not know indexes.

use std::path::PathBuf;
use std::time::Instant;

use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyItem, DocumentSymbol, DocumentSymbolResponse, GotoDefinitionResponse,
    Hover, HoverContents, Location, MarkedString, OneOf, Range, SymbolKind, WorkspaceSymbolResponse,
};
use serde_json::{Value, json};
use sextant_protocol::{path_of_uri, uri_of_path};

use crate::Failure;
use crate::session::Session;

/// Places that are taken from one answer.
const MAX_PLACES: usize = 10_000;
/// Characters that are taken from one description.
const MAX_HOVER: usize = 4_000;
/// Symbols that are taken from one file.
const MAX_SYMBOLS: usize = 20_000;

/// A place in a file that is asked about.
#[derive(Clone, Debug)]
pub struct At {
    /// The file.
    pub file: PathBuf,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// A place in an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: PathBuf,
    /// Where in it.
    pub range: Range,
}

/// A symbol of a document, with the names of the symbols around it.
#[derive(Clone, Debug, PartialEq)]
pub struct DocumentItem {
    /// The names of the symbols around it, outer ones first.
    pub owners: Vec<String>,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// The whole of it.
    pub range: Range,
    /// Its name; the whole of it if the server names only that.
    pub name_range: Range,
}

/// A symbol of the workspace.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkspaceItem {
    /// Its name.
    pub name: String,
    /// What contains it, in the server's words.
    pub owner: Option<String>,
    /// Its kind.
    pub kind: SymbolKind,
    /// Where it is.
    pub place: Place,
}

fn place_of(at: &At) -> Value {
    let uri = uri_of_path(&at.file).unwrap_or_default();
    json!({"textDocument": {"uri": uri}, "position": {"line": at.line, "character": at.column}})
}

/// The references to the symbols at some places, their definitions among them: a server that names not even the
/// definition does not know the symbol, and that is no answer.
pub fn references(session: &Session, places: &[At], deadline: Instant) -> Vec<Result<Vec<Place>, Failure>> {
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

/// The places where what is at some places is defined; empty if the server knows none.
pub fn definitions(session: &Session, places: &[At], deadline: Instant) -> Vec<Result<Vec<Place>, Failure>> {
    if !session.can("definitionProvider") {
        return places.iter().map(|_| Err(Failure::Unsupported("definitions"))).collect();
    }
    let requests: Vec<(&'static str, Value)> =
        places.iter().map(|at| ("textDocument/definition", place_of(at))).collect();
    let answers = session.ask_all::<Option<GotoDefinitionResponse>>(&requests, deadline);
    let places = |answer: Option<GotoDefinitionResponse>| match answer {
        None => Vec::new(),
        Some(GotoDefinitionResponse::Scalar(location)) => places_of(vec![location]),
        Some(GotoDefinitionResponse::Array(locations)) => places_of(locations),
        Some(GotoDefinitionResponse::Link(links)) => {
            let location = |link: lsp_types::LocationLink| Location::new(link.target_uri, link.target_selection_range);
            places_of(links.into_iter().map(location).collect())
        }
    };
    answers.into_iter().map(|answer| answer.map(places)).collect()
}

/// Descriptions of what is at some places, as text; none if the server has nothing to say.
pub fn hovers(session: &Session, places: &[At], deadline: Instant) -> Vec<Result<Option<String>, Failure>> {
    if !session.can("hoverProvider") {
        return places.iter().map(|_| Err(Failure::Unsupported("descriptions"))).collect();
    }
    let requests: Vec<(&'static str, Value)> = places.iter().map(|at| ("textDocument/hover", place_of(at))).collect();
    let answers = session.ask_all::<Option<Hover>>(&requests, deadline);
    answers.into_iter().map(|answer| Ok(answer?.and_then(hover_text))).collect()
}

/// The text of a description, without the marks around code.
fn hover_text(hover: Hover) -> Option<String> {
    let marked = |text: MarkedString| match text {
        MarkedString::String(text) => text,
        MarkedString::LanguageString(code) => code.value,
    };
    let text = match hover.contents {
        HoverContents::Scalar(text) => marked(text),
        HoverContents::Array(texts) => texts.into_iter().map(marked).collect::<Vec<_>>().join("\n"),
        HoverContents::Markup(markup) => markup.value,
    };
    let is_mark = |line: &&str| line.trim_start().starts_with("```") || line.trim() == "---";
    let lines: Vec<&str> = text.lines().filter(|line| !is_mark(line)).collect();
    let text: String = lines.join("\n").trim().chars().take(MAX_HOVER).collect();
    (!text.is_empty()).then_some(text)
}

/// The symbols of the workspace that match a name, in the server's sense of the word.
///
/// # Errors
/// The server does not answer, or it answers with an error.
pub fn workspace_symbols(session: &Session, name: &str, deadline: Instant) -> Result<Vec<WorkspaceItem>, Failure> {
    if !session.can("workspaceSymbolProvider") {
        return Err(Failure::Unsupported("symbols of the workspace"));
    }
    let answer: Option<WorkspaceSymbolResponse> =
        session.ask("workspace/symbol", &json!({ "query": name }), deadline)?;
    let item = |name: String, owner: Option<String>, kind: SymbolKind, location: Location| {
        let owner = owner.filter(|owner| !owner.is_empty());
        let place = Place { file: path_of_uri(location.uri.as_str())?, range: location.range };
        Some(WorkspaceItem { name, owner, kind, place })
    };
    let items: Vec<WorkspaceItem> = match answer {
        None => Vec::new(),
        Some(WorkspaceSymbolResponse::Flat(symbols)) => symbols
            .into_iter()
            .filter_map(|symbol| item(symbol.name, symbol.container_name, symbol.kind, symbol.location))
            .take(MAX_PLACES)
            .collect(),
        Some(WorkspaceSymbolResponse::Nested(symbols)) => symbols
            .into_iter()
            .filter_map(|symbol| match symbol.location {
                OneOf::Left(location) => item(symbol.name, symbol.container_name, symbol.kind, location),
                OneOf::Right(_) => None,
            })
            .take(MAX_PLACES)
            .collect(),
    };
    Ok(items)
}

/// A place in each function that calls the symbols at some places: that of its first call. None for what is not a function, or if the server
/// has no call hierarchies: the references say the same.
pub fn callers(session: &Session, places: &[At], deadline: Instant) -> Vec<Result<Vec<Place>, Failure>> {
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
        // The name of a caller that is a module is at its beginning, where another symbol may be.
        let range = call.from_ranges.first().copied().unwrap_or(call.from.selection_range);
        Some(Place { file: path_of_uri(call.from.uri.as_str())?, range })
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
///
/// # Errors
/// The server does not answer, or it answers with an error.
pub fn document_symbols(
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

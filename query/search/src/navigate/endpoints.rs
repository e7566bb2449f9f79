//! Endpoints of an index: who serves them and who asks them, from the edges of kinds `serve` and `request`. Must not know
//! other indexes.

use std::collections::{BTreeMap, BTreeSet};

use sextant_format::endpoints::{self, fits};
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind, Tier};
use sextant_format::tables::{EdgeRow, ExternalRow, FileRow};

use super::definition::{Definition, read_definitions};
use super::navigator::Navigator;
use crate::{Index, Result};

/// An endpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Endpoint {
    /// Its name, see [`sextant_format::endpoints`].
    pub name: String,
    /// The code that handles it.
    pub handlers: Vec<EndpointUse>,
    /// The code that asks it.
    pub requests: Vec<EndpointUse>,
}

/// A place that serves or asks an endpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct EndpointUse {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// The line, from 1: of the handler, or of the request.
    pub line: u32,
    /// The function with its owners; the path of the file outside of functions.
    pub symbol: String,
    /// Whether it is test code.
    pub is_test: bool,
    /// How sure it is that a request means this endpoint; that of a handler says nothing.
    pub confidence: f32,
}

/// Whether code of an index serves or asks an endpoint.
///
/// # Errors
/// The index is damaged.
pub fn has_endpoints(index: &Index) -> Result<bool> {
    Ok(index.externals()?.iter().any(|row| endpoints::is_family(&row.family)))
}

impl Navigator<'_> {
    /// Returns the endpoints that code of the index serves or asks, in the order of families, paths and methods.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn endpoints(&self) -> Result<Vec<Endpoint>> {
        if !has_endpoints(self.index)? {
            return Ok(Vec::new());
        }
        let table = self.index.edge_rows()?;
        let is_endpoint = |kind: &EdgeKind| matches!(kind, EdgeKind::Serve | EdgeKind::Request);
        let rows = table.rows(&table.find::<EdgeKind>("kind", is_endpoint)?)?;
        let places = Places::new(self, &rows)?;
        let mut found: BTreeMap<(&str, String), Endpoint> = BTreeMap::new();
        let mut served: BTreeMap<SymbolId, Vec<String>> = BTreeMap::new();
        for row in rows.iter().filter(|row| row.kind == EdgeKind::Serve && row.target_id.is_none()) {
            served.entry(row.source_id).or_default().push(row.target_name.to_string());
            let endpoint = entry(&mut found, &row.target_name);
            endpoint.handlers.extend(places.handler(row));
        }
        // Who implements what Protocol Buffers declare serves it, too.
        for row in rows.iter().filter(|row| row.kind == EdgeKind::Serve && row.target_id.is_some()) {
            if row.tier != Tier::Ambiguous {
                entry(&mut found, &row.target_name).handlers.extend(places.handler(row));
            }
        }
        for row in rows.iter().filter(|row| row.kind == EdgeKind::Request && row.tier != Tier::Ambiguous) {
            let of_target = row.target_id.and_then(|target| served.get(&target)).map_or(&[][..], Vec::as_slice);
            let fitting = of_target.iter().filter_map(|name| Some((fits(&row.target_name, name)?, name)));
            let name = fitting.max_by_key(|(same, _)| *same).map_or(&*row.target_name, |(_, name)| name.as_str());
            entry(&mut found, name).requests.extend(places.request(row));
        }
        for endpoint in found.values_mut() {
            for uses in [&mut endpoint.handlers, &mut endpoint.requests] {
                uses.sort_by(|a, b| (a.is_test, &a.repo, &a.path, a.line).cmp(&(b.is_test, &b.repo, &b.path, b.line)));
                uses.dedup();
            }
        }
        Ok(found.into_values().collect())
    }

    /// The code that handles an endpoint, given as people write it: `GET /users/{id}`, `/users/:id`, `Greeter/SayHello`,
    /// `topic orders`; ascending.
    pub(super) fn handlers(&self, text: &str) -> Result<Vec<SymbolId>> {
        let Some(name) = endpoint_name(text) else { return Ok(Vec::new()) };
        handlers_of(self.index, &name)
    }
}

/// The name of the endpoint that a text means.
pub(super) fn endpoint_name(text: &str) -> Option<String> {
    let text = text.trim();
    let is_method = || text.split_once('/').is_some_and(|(service, method)| is_word(service) && is_word(method));
    endpoints::from_query(text)
        .or_else(|| (text.starts_with(endpoints::TOPIC_PREFIX) || is_method()).then(|| text.to_owned()))
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase()) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The functions of an index that handle the endpoint of a request, ascending: those whose route writes most of it.
pub(crate) fn handlers_of(index: &Index, request: &str) -> Result<Vec<SymbolId>> {
    let fitting = |row: &ExternalRow| {
        // What takes everything is asked for nothing in particular.
        let is_general = row.name.ends_with(endpoints::REST) || endpoints::written_segments(&row.name) == 0;
        let same = fits(request, &row.name).filter(|_| !is_general || request == row.name)?;
        Some((row.external_id, same))
    };
    let of_family = index.externals()?.iter().filter(|row| row.family == endpoints::family(request));
    let fitting: BTreeMap<u32, usize> = of_family.filter_map(fitting).collect();
    if fitting.is_empty() {
        return Ok(Vec::new());
    }
    let ids: BTreeSet<u32> = fitting.keys().copied().collect();
    let mut rows = Navigator::new(index).external_uses(&ids)?;
    rows.retain(|row| row.kind == EdgeKind::Serve);
    let written = |row: &EdgeRow| row.external_id.and_then(|id| fitting.get(&id)).copied();
    let most = rows.iter().filter_map(written).max();
    let mut found: Vec<SymbolId> = rows.iter().filter(|row| written(row) == most).map(|row| row.source_id).collect();
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

fn entry<'m>(found: &'m mut BTreeMap<(&'static str, String), Endpoint>, name: &str) -> &'m mut Endpoint {
    // Methods of one path stand together.
    let order = name.split_once(' ').map_or_else(|| name.to_owned(), |(method, path)| format!("{path} {method}"));
    let new = || Endpoint { name: name.to_owned(), handlers: Vec::new(), requests: Vec::new() };
    found.entry((endpoints::family(name), order)).or_insert_with(new)
}

/// The files and symbols of some edges.
struct Places {
    files: BTreeMap<FileId, FileRow>,
    symbols: BTreeMap<SymbolId, Definition>,
}

impl Places {
    fn new(navigator: &Navigator<'_>, rows: &[EdgeRow]) -> Result<Self> {
        let files: BTreeSet<FileId> = rows.iter().map(|row| row.file_id).collect();
        let sources: BTreeSet<SymbolId> = rows.iter().map(|row| row.source_id).collect();
        let files = navigator.file_rows(&files.into_iter().collect::<Vec<_>>())?;
        let symbols = read_definitions(navigator.index, &sources.into_iter().collect::<Vec<_>>())?;
        Ok(Self {
            files: files.into_iter().map(|row| (row.file_id, row)).collect(),
            symbols: symbols.into_iter().map(|definition| (definition.symbol_id, definition)).collect(),
        })
    }

    /// The place of a request: that of the edge.
    fn request(&self, row: &EdgeRow) -> Option<EndpointUse> {
        let (file, symbol) = (self.files.get(&row.file_id)?, self.symbols.get(&row.source_id)?);
        Some(EndpointUse {
            repo: file.repo.clone(),
            path: file.path.clone(),
            line: row.line,
            symbol: symbol.qualified_name.clone(),
            is_test: file.is_test,
            confidence: row.confidence,
        })
    }

    /// The place of a handler: its definition, or the place of the edge where that is inside of it.
    fn handler(&self, row: &EdgeRow) -> Option<EndpointUse> {
        let symbol = self.symbols.get(&row.source_id)?;
        let file = self.files.get(&row.file_id)?;
        let is_inside = (&file.repo, &file.path) == (&symbol.repo, &symbol.path)
            && (symbol.kind == Kind::File || (symbol.start_line..=symbol.end_line).contains(&row.line));
        Some(EndpointUse {
            repo: symbol.repo.clone(),
            path: symbol.path.clone(),
            line: if is_inside { row.line } else { symbol.start_line },
            symbol: symbol.qualified_name.clone(),
            is_test: symbol.is_test,
            confidence: row.confidence,
        })
    }
}

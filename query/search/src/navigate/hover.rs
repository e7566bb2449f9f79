//! Summaries of symbols.

use sextant_format::graph::Graph;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;

use super::definition::{Definition, read_definitions};
use super::navigator::Navigator;
use super::reach::Relation;
use crate::Result;
use crate::summaries::ChunkSummary;

/// The summary of a symbol.
#[derive(Clone, Debug, PartialEq)]
pub struct Hover {
    /// The symbol, with its signature.
    pub definition: Definition,
    /// The language.
    pub language: String,
    /// Its documentation, without comment marks.
    pub doc: Option<String>,
    /// Summary by a language model, if the index was enriched.
    pub summary: Option<ChunkSummary>,
    /// The qualified name of the symbol around it.
    pub container: Option<String>,
    /// Whether it is visible outside its file or package.
    pub exported: bool,
    /// The number of symbols that call or instantiate it.
    pub callers: usize,
    /// The number of symbols that it calls.
    pub callees: usize,
    /// The number of symbols that use it in any way.
    pub users: usize,
    /// Its members, if it is a type: fields and methods.
    pub members: Vec<Definition>,
}

/// Members that are listed.
const MAX_MEMBERS: usize = 50;

impl Navigator<'_> {
    /// Returns the summaries of definitions, in their order.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn hover(&self, definitions: &[Definition]) -> Result<Vec<Hover>> {
        let graph = self.index.graph()?;
        definitions.iter().map(|definition| self.hover_definition(graph, definition)).collect()
    }

    fn hover_definition(&self, graph: &Graph, definition: &Definition) -> Result<Hover> {
        let id = definition.symbol_id;
        let mut row = self.index.symbol_rows()?.rows(&[id])?;
        let row = row.pop();
        let language: Vec<String> = match &row {
            Some(row) => self.index.file_rows()?.column("language", &[row.file_id])?,
            None => Vec::new(),
        };
        let container: Vec<String> = match graph.owner(id) {
            Some(owner) => self.index.symbol_rows()?.column("qualified_name", &[owner])?,
            None => Vec::new(),
        };
        let distinct = |ids: Vec<SymbolId>| {
            let mut ids = ids;
            ids.sort_unstable();
            ids.dedup();
            ids.len()
        };
        let is_call = |kind: EdgeKind| Relation::Callers.follows(kind);
        let users = || graph.in_edges(id).filter(|edge| edge.kind != EdgeKind::Contains);
        let mut members: Vec<SymbolId> = if definition.kind.is_type() {
            graph.out_edges(id).filter(|edge| edge.kind == EdgeKind::Contains).map(|edge| edge.node).collect()
        } else {
            Vec::new()
        };
        members.sort_unstable();
        members.truncate(MAX_MEMBERS);
        // A symbol without a chunk of its own is part of another one, whose summary is not about it.
        let summary = match row.as_ref().and_then(|row| row.chunk_id) {
            Some(chunk) if self.index.chunks()?.catalog.info(chunk)?.symbol_id == Some(id) => {
                self.index.summaries(&[chunk])?.remove(&chunk)
            }
            _ => None,
        };
        Ok(Hover {
            summary,
            definition: definition.clone(),
            language: language.into_iter().next().unwrap_or_default(),
            container: container.into_iter().next(),
            exported: row.as_ref().is_some_and(|row| row.exported),
            doc: row.and_then(|row| row.doc),
            callers: distinct(users().filter(|edge| is_call(edge.kind)).map(|edge| edge.node).collect()),
            callees: distinct(graph.out_edges(id).filter(|edge| is_call(edge.kind)).map(|edge| edge.node).collect()),
            users: distinct(users().map(|edge| edge.node).collect()),
            members: read_definitions(self.index, &members)?,
        })
    }
}

//! Summaries of symbols.

use sextant_format::graph::Graph;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;

use super::definition::{Definition, read_definitions};
use super::navigator::Navigator;
use super::relation::Relation;
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
    /// The types of the index that its head names.
    pub types: Vec<Definition>,
    /// Its members, if it is a type: fields and methods.
    pub members: Vec<Definition>,
    /// The types that extend or implement it, the nearest first.
    pub subtypes: Vec<Definition>,
    /// Whether there are more of these.
    pub more_subtypes: bool,
}

/// Members that are listed.
const MAX_MEMBERS: usize = 50;
/// Types by edges of lower confidence are guesses.
const MIN_TYPE_CONFIDENCE: f32 = 0.5;

impl Navigator<'_> {
    /// Returns the summaries of definitions, in their order.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn hover(&self, definitions: &[Definition]) -> Result<Vec<Hover>> {
        let graph = self.index.graph()?;
        definitions.iter().map(|definition| self.hover_definition(graph, definition)).collect()
    }

    /// The qualified names of what contains each definition; none of a file.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn containers(&self, definitions: &[Definition]) -> Result<Vec<Option<String>>> {
        let graph = self.index.graph()?;
        let owners: Vec<Option<SymbolId>> = definitions.iter().map(|d| graph.owner(d.symbol_id)).collect();
        let mut ids: Vec<SymbolId> = owners.iter().copied().flatten().collect();
        ids.sort_unstable();
        ids.dedup();
        let names: Vec<String> = self.index.symbol_rows()?.column("qualified_name", &ids)?;
        let name = |owner: SymbolId| ids.binary_search(&owner).ok().and_then(|at| names.get(at).cloned());
        Ok(owners.into_iter().map(|owner| owner.and_then(name)).collect())
    }

    /// The types that a definition's signature names, those of other code left out.
    fn types_in_head(&self, definition: &Definition) -> Result<Vec<Definition>> {
        let Some(signature) = definition.signature.as_deref() else { return Ok(Vec::new()) };
        let edges = self.index.graph()?.out_edges(definition.symbol_id).filter(|edge| {
            matches!(edge.kind, EdgeKind::Type | EdgeKind::Inherit | EdgeKind::Implement)
                && edge.confidence >= MIN_TYPE_CONFIDENCE
        });
        let mut ids: Vec<SymbolId> = edges.map(|edge| edge.node).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.truncate(MAX_MEMBERS);
        let words: Vec<&str> = signature.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
        let mut types = read_definitions(self.index, &ids)?;
        types.retain(|found| words.contains(&found.name.as_str()));
        types.sort_by_key(|found| words.iter().position(|word| *word == found.name));
        Ok(types)
    }

    fn hover_definition(&self, graph: &Graph, definition: &Definition) -> Result<Hover> {
        let id = definition.symbol_id;
        let mut row = self.index.symbol_rows()?.rows(&[id])?;
        let row = row.pop();
        let language: Vec<String> = match &row {
            Some(row) => self.index.file_rows()?.column("language", &[row.file_id])?,
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
        let (subtypes, more_subtypes) =
            if definition.kind.is_type() { self.subtypes(id)? } else { (Vec::new(), false) };
        Ok(Hover {
            subtypes,
            more_subtypes,
            summary,
            definition: definition.clone(),
            language: language.into_iter().next().unwrap_or_default(),
            container: self.containers(std::slice::from_ref(definition))?.pop().flatten(),
            types: self.types_in_head(definition)?,
            exported: row.as_ref().is_some_and(|row| row.exported),
            doc: row.and_then(|row| row.doc),
            callers: distinct(users().filter(|edge| is_call(edge.kind)).map(|edge| edge.node).collect()),
            callees: distinct(graph.out_edges(id).filter(|edge| is_call(edge.kind)).map(|edge| edge.node).collect()),
            users: distinct(users().map(|edge| edge.node).collect()),
            members: read_definitions(self.index, &members)?,
        })
    }
}

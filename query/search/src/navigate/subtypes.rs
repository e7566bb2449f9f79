//! The types below a type: those that say so, and, where a type need not say what it implements, those whose methods do.

use rustc_hash::FxHashSet;
use sextant_format::graph::Neighbour;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;
use sextant_format::names::segments;

use super::definition::{Definition, read_definitions};
use super::navigator::Navigator;
use crate::Result;

/// Types that are returned.
const MAX_SUBTYPES: usize = 50;
/// Methods that implement one of the type, of which the types are looked up: more are of more types than are returned.
const MAX_METHODS: usize = 256;
/// Edges of lower confidence are guesses.
const MIN_CONFIDENCE: f32 = 0.5;

impl Navigator<'_> {
    /// Returns the types that extend or implement a type, directly or not: those nearer to it first, of these tests last.
    /// Whether there are more than the first fifty, is returned, too.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn subtypes(&self, of: SymbolId) -> Result<(Vec<Definition>, bool)> {
        let mut seen = FxHashSet::from_iter([of]);
        let (mut level, mut found) = (vec![of], Vec::new());
        while !level.is_empty() && found.len() <= MAX_SUBTYPES {
            let mut below = Vec::new();
            for &above in &level {
                below.extend(self.types_below(above)?);
            }
            below.retain(|&id| seen.insert(id));
            below.sort_unstable();
            let mut definitions = read_definitions(self.index, &below)?;
            definitions.retain(|definition| definition.kind.is_type());
            definitions.sort_by_key(|definition| definition.is_test);
            level = definitions.iter().map(|definition| definition.symbol_id).collect();
            found.extend(definitions);
        }
        let is_cut = found.len() > MAX_SUBTYPES;
        found.truncate(MAX_SUBTYPES);
        Ok((found, is_cut))
    }

    /// The types directly below one, in no order, and some twice.
    fn types_below(&self, of: SymbolId) -> Result<Vec<SymbolId>> {
        let graph = self.index.graph()?;
        let is_sure = |edge: &Neighbour| edge.confidence >= MIN_CONFIDENCE;
        let is_below = |edge: &Neighbour| matches!(edge.kind, EdgeKind::Inherit | EdgeKind::Implement) && is_sure(edge);
        let mut below: Vec<SymbolId> = graph.in_edges(of).filter(is_below).map(|edge| edge.node).collect();
        let members = graph.out_edges(of).filter(|edge| edge.kind == EdgeKind::Contains).map(|edge| edge.node);
        let is_override = |edge: &Neighbour| edge.kind == EdgeKind::Override && is_sure(edge);
        let methods = members.flat_map(|member| graph.in_edges(member).filter(is_override)).map(|edge| edge.node);
        let mut methods: Vec<SymbolId> = methods.take(MAX_METHODS).collect();
        methods.sort_unstable();
        methods.dedup();
        for method in read_definitions(self.index, &methods)?.iter().filter(|method| method.kind.is_callable()) {
            below.extend(self.owner_of(method)?);
        }
        Ok(below)
    }

    /// The type of a method, which may be defined outside of it.
    fn owner_of(&self, method: &Definition) -> Result<Option<SymbolId>> {
        let graph = self.index.graph()?;
        let is_type = |id: &SymbolId| {
            self.index.symbols().is_ok_and(|symbols| symbols.catalog.kind(*id).is_some_and(|k| k.is_type()))
        };
        if let Some(around) = graph.owner(method.symbol_id).filter(|around| is_type(around)) {
            return Ok(Some(around));
        }
        let names = segments(&method.qualified_name);
        let Some(&owner) = names.len().checked_sub(2).and_then(|at| names.get(at)) else { return Ok(None) };
        let mut types: Vec<SymbolId> = graph
            .out_edges(method.symbol_id)
            .filter(|edge| edge.kind == EdgeKind::Type)
            .map(|edge| edge.node)
            .collect();
        types.sort_unstable();
        types.dedup();
        types.retain(is_type);
        let names: Vec<String> = self.index.symbol_rows()?.column("name", &types)?;
        Ok(types.into_iter().zip(names).find(|(_, name)| name == owner).map(|(id, _)| id))
    }
}

//! Calls that a method may get, or that it may make, by dispatch: through a method that it overrides or implements.
//!
//! An edge of the graph leads to the method that is written: a call of an interface's method has no edge to what implements
//! it. What runs depends on the receiver, so these calls are possible ones, and are kept apart from calls that are known.

use rustc_hash::FxHashSet;
use sextant_format::graph::Neighbour;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;

use super::definition::{Definition, read_definitions};
use super::navigator::Navigator;
use super::reach::{ReachedSymbol, TraversalOptions};
use super::relation::Relation;
use crate::Result;

/// Methods above one that are looked at: no hierarchy has more, unless the index is damaged.
const MAX_METHODS: usize = 64;

/// Possible calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dispatch {
    /// The methods through which calls lead: for callers, those that the start overrides or implements; for callees, those
    /// that it calls and others override or implement.
    pub through: Vec<Definition>,
    /// What may call the start, or what it may call; `via` is one of `through`.
    pub reached: Vec<ReachedSymbol>,
    /// Whether there are more than the limit.
    pub is_cut: bool,
}

impl Navigator<'_> {
    /// Returns what may call some methods, or what they may call, through methods that are overridden or implemented; nothing
    /// for [`Relation::Impact`], which follows these edges itself.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn dispatch(&self, start: &[SymbolId], relation: Relation, walk: TraversalOptions) -> Result<Dispatch> {
        match relation {
            Relation::Callers => self.callers_through(start, walk),
            Relation::Callees => self.callees_through(start, walk),
            Relation::Impact => Ok(Dispatch::default()),
        }
    }

    /// Returns the methods that override or implement some methods, and how many calls they have: these are no calls of the
    /// methods themselves.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn called_below(&self, start: &[SymbolId], min_confidence: f32) -> Result<(Vec<Definition>, usize)> {
        let graph = self.index.graph()?;
        let is_below = |edge: &Neighbour| edge.kind.leads_to_declaration() && edge.confidence >= min_confidence;
        let calls = |id: SymbolId| {
            let is_call = |edge: &Neighbour| edge.kind == EdgeKind::Call && edge.confidence >= min_confidence;
            graph.in_edges(id).filter(is_call).count()
        };
        let below = start.iter().flat_map(|&id| graph.in_edges(id)).filter(is_below).map(|edge| edge.node);
        let mut called: Vec<(SymbolId, usize)> =
            below.map(|id| (id, calls(id))).filter(|(id, calls)| *calls > 0 && !start.contains(id)).collect();
        called.sort_unstable();
        called.dedup();
        let total = called.iter().map(|(_, calls)| calls).sum();
        called.sort_by_key(|&(id, calls)| (std::cmp::Reverse(calls), id));
        called.truncate(MAX_METHODS);
        let ids: Vec<SymbolId> = called.iter().map(|(id, _)| *id).collect();
        let mut definitions = read_definitions(self.index, &ids)?;
        definitions.sort_by_key(|definition| ids.iter().position(|&id| id == definition.symbol_id));
        Ok((definitions, total))
    }

    fn callers_through(&self, start: &[SymbolId], walk: TraversalOptions) -> Result<Dispatch> {
        let mut through = self.overridden(start, walk.min_confidence)?;
        if through.is_empty() {
            return Ok(Dispatch::default());
        }
        let all = TraversalOptions { depth: 1, limit: usize::MAX, ..walk };
        let (mut reached, is_cut) = self.reach(&through, Relation::Callers, all)?;
        // What calls the method itself is known, and what it overrides may call it as `super`.
        let graph = self.index.graph()?;
        let is_known =
            |edge: &Neighbour| Relation::Callers.follows(edge.kind) && edge.confidence >= walk.min_confidence;
        let known: FxHashSet<SymbolId> =
            start.iter().flat_map(|&id| graph.in_edges(id)).filter(is_known).map(|edge| edge.node).collect();
        reached.retain(|one| !known.contains(&one.definition.symbol_id) && !start.contains(&one.definition.symbol_id));
        let used: FxHashSet<SymbolId> = reached.iter().map(|one| one.via).collect();
        through.retain(|id| used.contains(id));
        self.dispatch_of(through, reached, is_cut, walk.limit)
    }

    fn callees_through(&self, start: &[SymbolId], walk: TraversalOptions) -> Result<Dispatch> {
        let graph = self.index.graph()?;
        let is_call = |edge: &Neighbour| {
            matches!(edge.kind, EdgeKind::Call | EdgeKind::Request) && edge.confidence >= walk.min_confidence
        };
        let mut callees: Vec<SymbolId> =
            start.iter().flat_map(|&id| graph.out_edges(id)).filter(is_call).map(|edge| edge.node).collect();
        callees.sort_unstable();
        callees.dedup();
        let known: FxHashSet<SymbolId> = callees.iter().chain(start).copied().collect();
        let (mut through, mut edges, mut is_cut) = (Vec::new(), Vec::new(), false);
        for callee in callees {
            let is_below =
                |edge: &Neighbour| edge.kind.leads_to_declaration() && edge.confidence >= walk.min_confidence;
            let new = graph.in_edges(callee).filter(is_below).filter(|edge| !known.contains(&edge.node));
            let mut new: Vec<(SymbolId, Neighbour)> =
                new.take(walk.limit.saturating_add(1)).map(|edge| (callee, edge)).collect();
            is_cut |= new.len() > walk.limit;
            new.truncate(walk.limit);
            if !new.is_empty() {
                through.push(callee);
                edges.extend(new);
            }
        }
        let mut ids: Vec<SymbolId> = edges.iter().map(|(_, edge)| edge.node).collect();
        ids.sort_unstable();
        ids.dedup();
        let definitions = read_definitions(self.index, &ids)?;
        let mut reached = Vec::with_capacity(edges.len());
        for (via, edge) in edges {
            let Some(definition) = definitions.iter().find(|d| d.symbol_id == edge.node) else { continue };
            reached.push(ReachedSymbol {
                definition: definition.clone(),
                depth: 2,
                via,
                via_key: String::new(),
                kind: EdgeKind::Override,
                resolution: edge.tier,
                confidence: edge.confidence,
                lines: Vec::new(),
                context: Vec::new(),
            });
        }
        reached.sort_by_key(|one| (one.via, one.definition.is_test));
        self.dispatch_of(through, reached, is_cut, walk.limit)
    }

    fn dispatch_of(
        &self,
        through: Vec<SymbolId>,
        mut reached: Vec<ReachedSymbol>,
        is_cut: bool,
        limit: usize,
    ) -> Result<Dispatch> {
        let is_cut = is_cut || reached.len() > limit;
        reached.truncate(limit);
        let through = self.definitions(&through)?;
        for one in &mut reached {
            let via = through.iter().find(|via| via.symbol_id == one.via);
            one.via_key = via.map_or_else(String::new, |via| via.key.clone());
        }
        Ok(Dispatch { through, reached, is_cut })
    }

    /// The methods that some methods override or implement, at any distance, ascending.
    fn overridden(&self, start: &[SymbolId], min_confidence: f32) -> Result<Vec<SymbolId>> {
        let graph = self.index.graph()?;
        let mut seen: FxHashSet<SymbolId> = start.iter().copied().collect();
        let (mut next, mut above) = (start.to_vec(), Vec::new());
        while let Some(method) = next.pop() {
            let is_above = |edge: &Neighbour| edge.kind.leads_to_declaration() && edge.confidence >= min_confidence;
            for edge in graph.out_edges(method).filter(is_above) {
                if above.len() < MAX_METHODS && seen.insert(edge.node) {
                    above.push(edge.node);
                    next.push(edge.node);
                }
            }
        }
        above.sort_unstable();
        Ok(above)
    }
}

//! Traversals and uses across the indexes of a set: from a definition in one to the code of others that uses it under
//! the name of its package, and back.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use sextant_format::ids::SymbolId;
use sextant_format::kinds::{EdgeKind, Tier};
use sextant_format::tables::{EdgeRow, ExternalRow};
use sextant_search::Index;
use sextant_search::links::{LinkedExternal, Linker};
use sextant_search::navigate::{Navigator, ReachedSymbol, Relation, Step, TraversalOptions, has_endpoints};
use sextant_search::overview::EntryPoint;

use crate::{IndexSet, Result};

/// Uses of another index at most from which a path is continued.
const MAX_CROSSINGS: usize = 64;

/// Callers, and callees, of other indexes that are added to an entry point of `explore`, and how sure they are at least.
const MAX_NEIGHBOURS: usize = 3;
const MIN_NEIGHBOUR_CONFIDENCE: f32 = 0.5;

/// The links between the indexes of a set.
pub(crate) struct Links<'a> {
    navigators: Vec<Navigator<'a>>,
    linker: Linker<'a>,
}

/// What one index contributes to a question about definitions of others.
#[derive(Clone, Debug, Default)]
pub(crate) struct Linked {
    /// Its external symbols that are such definitions, each with the key of the definition.
    pub(crate) externals: Vec<(ExternalRow, String)>,
    /// Its symbols that were reached through them; for callees, symbols of other indexes that it reaches.
    pub(crate) reached: Vec<ReachedSymbol>,
}

/// A symbol from which a traversal goes on in other indexes.
#[derive(Clone, Copy)]
struct Frontier {
    at: usize,
    symbol: SymbolId,
    depth: u32,
    confidence: f32,
}

impl<'a> Links<'a> {
    /// None for a single index.
    pub(crate) fn new(indexes: &'a IndexSet) -> Option<Self> {
        let all = || indexes.indexes.iter().map(|named| &*named.index);
        let navigators = all().map(Navigator::new).collect();
        (indexes.indexes.len() > 1).then(|| Self { navigators, linker: Linker::new(all()) })
    }

    /// What an answer must say if the definitions of an index cannot be found by others.
    pub(crate) fn unpublished_note(index: &Index) -> Option<String> {
        let is_empty =
            index.generation().manifest().repositories.iter().all(|repository| repository.packages.is_empty());
        let note = "this index names no package that others import and serves no endpoint, so the other indexes were not searched for its uses";
        let is_known = !is_empty || has_endpoints(index).unwrap_or(false);
        (!is_known).then(|| note.to_owned())
    }

    /// Whether another index defines an external symbol of the one at `from`.
    pub(crate) fn is_defined(&self, from: usize, external: &ExternalRow) -> Result<bool> {
        Ok(!self.linker.definitions(from, external)?.is_empty())
    }

    /// For each index, its external symbols that are definitions of another one, given by index.
    pub(crate) fn externals(&self, definitions: &[Vec<SymbolId>]) -> Result<Vec<Linked>> {
        let mut linked = vec![Linked::default(); self.navigators.len()];
        for (at, definitions) in definitions.iter().enumerate() {
            for (linked, uses) in linked.iter_mut().zip(self.linker.uses(at, definitions)?) {
                for (target, uses) in by_target(uses) {
                    linked.add_externals(&uses, &self.key(at, target)?);
                }
            }
        }
        Ok(linked)
    }

    /// What each index contributes to a traversal that begins at symbols of the indexes.
    pub(crate) fn reached(
        &self,
        relation: Relation,
        start: &[Vec<SymbolId>],
        walk: TraversalOptions,
    ) -> Result<Vec<Linked>> {
        let mut linked = match relation {
            Relation::Callees => self.used(start, walk)?,
            Relation::Callers | Relation::Impact => self.users(relation, start, walk)?,
        };
        for Linked { reached, .. } in &mut linked {
            let order = |r: &ReachedSymbol| (r.depth, r.definition.is_test);
            reached.sort_by(|a, b| order(a).cmp(&order(b)).then(b.confidence.total_cmp(&a.confidence)));
            reached.truncate(walk.limit);
        }
        Ok(linked)
    }

    /// Adds what calls an entry point of an index, and what it calls, in other indexes.
    pub(crate) fn add_neighbours(&self, at: usize, entry: &mut EntryPoint) -> Result<()> {
        let Some(symbol) = entry.symbol else { return Ok(()) };
        let walk = TraversalOptions { depth: 1, min_confidence: MIN_NEIGHBOUR_CONFIDENCE, limit: MAX_NEIGHBOURS };
        let mut start = vec![Vec::new(); self.navigators.len()];
        start[at].push(symbol);
        for linked in self.reached(Relation::Callers, &start, walk)? {
            entry.callers.extend(linked.reached.into_iter().filter(|reached| !reached.definition.is_test));
        }
        for linked in self.reached(Relation::Callees, &start, walk)? {
            entry.callees.extend(linked.reached);
        }
        Ok(())
    }

    /// The symbols of an index from which a traversal may leave it: the start, and what is reached inside of the index.
    fn frontier(
        &self,
        at: usize,
        start: &[SymbolId],
        relation: Relation,
        walk: TraversalOptions,
    ) -> Result<Vec<Frontier>> {
        let navigator = self.navigators[at];
        let own = if relation == Relation::Impact { navigator.with_members(start)? } else { start.to_vec() };
        let mut frontier: Vec<Frontier> =
            own.into_iter().map(|symbol| Frontier { at, symbol, depth: 0, confidence: 1.0 }).collect();
        if walk.depth > 1 && !start.is_empty() {
            let inside = TraversalOptions { depth: walk.depth - 1, ..walk };
            let (reached, _) = navigator.reach(start, relation, inside)?;
            frontier.extend(reached.iter().map(|reached| Frontier::of(at, reached)));
        }
        Ok(frontier)
    }

    /// The users of symbols in other indexes.
    fn users(&self, relation: Relation, start: &[Vec<SymbolId>], walk: TraversalOptions) -> Result<Vec<Linked>> {
        let mut linked = vec![Linked::default(); self.navigators.len()];
        let mut seen: Vec<BTreeSet<SymbolId>> = start.iter().map(|ids| ids.iter().copied().collect()).collect();
        let mut frontier = Vec::new();
        for (at, start) in start.iter().enumerate() {
            frontier.extend(self.frontier(at, start, relation, walk)?);
        }
        while !frontier.is_empty() {
            let mut by_index: BTreeMap<usize, BTreeMap<SymbolId, Frontier>> = BTreeMap::new();
            for entry in frontier.drain(..) {
                by_index.entry(entry.at).or_default().entry(entry.symbol).or_insert(entry);
            }
            for (at, entries) in by_index {
                let symbols: Vec<SymbolId> = entries.keys().copied().collect();
                for (other, uses) in self.linker.uses(at, &symbols)?.into_iter().enumerate() {
                    let edges = self.external_uses(other, &uses)?;
                    for (target, uses) in by_target(uses) {
                        let Some(&from) = entries.get(&target) else { continue };
                        let key = self.key(at, target)?;
                        let edges = edges_of(&edges, &uses);
                        let reached = self.users_of(other, edges, certainty(&uses), (relation, walk), from, &key)?;
                        let new: Vec<ReachedSymbol> =
                            reached.into_iter().filter(|r| seen[other].insert(r.definition.symbol_id)).collect();
                        if from.depth == 0 {
                            linked[other].add_externals(&uses, &key);
                        }
                        let goes_on = new.iter().filter(|reached| reached.depth < walk.depth);
                        frontier.extend(goes_on.map(|reached| Frontier::of(other, reached)));
                        linked[other].reached.extend(new);
                    }
                }
            }
        }
        Ok(linked)
    }

    /// The uses of external symbols of an index.
    fn external_uses(&self, index: usize, uses: &[LinkedExternal]) -> Result<Vec<EdgeRow>> {
        let externals: BTreeSet<u32> = uses.iter().map(|linked| linked.external.external_id).collect();
        if externals.is_empty() {
            return Ok(Vec::new());
        }
        let mut rows = self.navigators[index].external_uses(&externals)?;
        // Who serves the same endpoint does not use it.
        rows.retain(|row| row.kind != EdgeKind::Serve);
        Ok(rows)
    }

    /// The symbols of an index that are reached through its uses of one definition of another index.
    fn users_of(
        &self,
        index: usize,
        uses: Vec<EdgeRow>,
        certainty: f32,
        (relation, walk): (Relation, TraversalOptions),
        from: Frontier,
        key: &str,
    ) -> Result<Vec<ReachedSymbol>> {
        let inside = TraversalOptions { depth: walk.depth - from.depth, ..walk };
        let (mut reached, _) = self.navigators[index].reach_from_uses(uses, relation, inside)?;
        for symbol in &mut reached {
            if symbol.depth == 1 {
                key.clone_into(&mut symbol.via_key);
            }
            symbol.depth += from.depth;
            symbol.confidence *= certainty;
        }
        reached.retain(|symbol| symbol.confidence >= walk.min_confidence || certainty >= 1.0);
        for symbol in &mut reached {
            symbol.confidence *= from.confidence;
        }
        Ok(reached)
    }

    /// The symbols of other indexes that symbols use.
    fn used(&self, start: &[Vec<SymbolId>], walk: TraversalOptions) -> Result<Vec<Linked>> {
        let mut linked = vec![Linked::default(); self.navigators.len()];
        for (at, start) in start.iter().enumerate().filter(|(_, start)| !start.is_empty()) {
            let frontier = self.frontier(at, start, Relation::Callees, walk)?;
            let entries: BTreeMap<SymbolId, Frontier> = frontier.iter().map(|entry| (entry.symbol, *entry)).collect();
            let sources: Vec<SymbolId> = entries.keys().copied().collect();
            let keys = self.keys(at, &sources)?;
            let mut definitions: BTreeMap<u32, Vec<(usize, Vec<SymbolId>)>> = BTreeMap::new();
            let mut found: BTreeMap<(SymbolId, usize, SymbolId), ReachedSymbol> = BTreeMap::new();
            for (external, edge) in self.navigators[at].used_externals(&sources)? {
                if !Relation::Callees.follows(edge.kind) || edge.confidence < walk.min_confidence {
                    continue;
                }
                if let Entry::Vacant(entry) = definitions.entry(external.external_id) {
                    entry.insert(self.linker.definitions(at, &external)?);
                }
                let (Some(owners), Some(from)) = (definitions.get(&external.external_id), entries.get(&edge.source_id))
                else {
                    continue;
                };
                let certainty = share(owners.len());
                for (other, symbols) in owners {
                    if edge.confidence * certainty < walk.min_confidence {
                        continue;
                    }
                    for definition in self.navigators[*other].definitions(symbols)? {
                        let target = definition.symbol_id;
                        let reached = found.entry((edge.source_id, *other, target)).or_insert_with(|| ReachedSymbol {
                            definition,
                            depth: from.depth + 1,
                            via: edge.source_id,
                            via_key: keys.get(&edge.source_id).cloned().unwrap_or_default(),
                            kind: edge.kind,
                            resolution: Tier::External,
                            confidence: from.confidence * edge.confidence * certainty,
                            lines: Vec::new(),
                            context: Vec::new(),
                        });
                        reached.lines.push(edge.line);
                    }
                }
            }
            for ((_, other, target), mut reached) in found {
                reached.lines.dedup();
                let left = walk.depth.saturating_sub(reached.depth);
                if left > 0 {
                    let inside = TraversalOptions { depth: left, ..walk };
                    let (far, _) = self.navigators[other].reach(&[target], Relation::Callees, inside)?;
                    let (depth, confidence) = (reached.depth, reached.confidence);
                    linked[at].reached.extend(far.into_iter().map(|far| ReachedSymbol {
                        depth: far.depth + depth,
                        confidence: far.confidence * confidence,
                        ..far
                    }));
                }
                linked[at].reached.push(reached);
            }
            let mut keys = BTreeSet::new();
            linked[at].reached.sort_by_key(|reached| reached.depth);
            linked[at].reached.retain(|reached| keys.insert((reached.via_key.clone(), reached.definition.key.clone())));
        }
        Ok(linked)
    }

    /// The strongest of the paths from symbols of one index to symbols of another that cross once.
    pub(crate) fn path(
        &self,
        from: &[Vec<SymbolId>],
        to: &[Vec<SymbolId>],
        min_confidence: f32,
    ) -> Result<Option<Vec<Step>>> {
        let mut best: Option<(f32, Vec<Step>)> = None;
        for (there, to) in to.iter().enumerate().filter(|(_, to)| !to.is_empty()) {
            let walk = TraversalOptions { depth: u32::MAX, min_confidence, limit: usize::MAX };
            let (before, _) = self.navigators[there].reach(to, Relation::Callers, walk)?;
            let entries: Vec<SymbolId> =
                to.iter().copied().chain(before.iter().map(|reached| reached.definition.symbol_id)).collect();
            for (here, uses) in self.linker.uses(there, &entries)?.into_iter().enumerate() {
                if from[here].is_empty() || uses.is_empty() {
                    continue;
                }
                let edges = self.external_uses(here, &uses)?;
                for (target, uses) in by_target(uses).into_iter().take(MAX_CROSSINGS) {
                    let (certainty, uses) = (certainty(&uses), edges_of(&edges, &uses));
                    let crossing = Crossing { here, there, target, uses: &uses, certainty };
                    let Some(steps) = self.path_through(&crossing, &from[here], to, min_confidence)? else { continue };
                    let strength: f32 = steps.iter().filter_map(|step| step.edge).map(|(.., edge)| edge).product();
                    let is_better = best.as_ref().is_none_or(|(known, other)| {
                        strength > *known || (strength >= *known && steps.len() < other.len())
                    });
                    if is_better {
                        best = Some((strength, steps));
                    }
                }
            }
        }
        Ok(best.map(|(_, steps)| steps))
    }

    fn path_through(
        &self,
        crossing: &Crossing<'_>,
        from: &[SymbolId],
        to: &[SymbolId],
        min_confidence: f32,
    ) -> Result<Option<Vec<Step>>> {
        let Crossing { here, there, target, uses, certainty } = *crossing;
        let walk = TraversalOptions { depth: 1, min_confidence, limit: usize::MAX };
        let (users, _) = self.navigators[here].reach_from_uses(uses.to_vec(), Relation::Callers, walk)?;
        let ids: Vec<SymbolId> = users.iter().map(|user| user.definition.symbol_id).collect();
        let Some(mut steps) = self.navigators[here].strongest_path(from, &ids, min_confidence)? else {
            return Ok(None);
        };
        let last = steps.last().map(|step| step.definition.symbol_id);
        let Some(user) = users.iter().find(|user| Some(user.definition.symbol_id) == last) else { return Ok(None) };
        let confidence = user.confidence * certainty;
        if confidence < min_confidence {
            return Ok(None);
        }
        let Some(rest) = self.navigators[there].strongest_path(&[target], to, min_confidence)? else {
            return Ok(None);
        };
        let mut rest = rest.into_iter();
        steps.extend(rest.next().map(|step| Step { edge: Some((user.kind, user.resolution, confidence)), ..step }));
        steps.extend(rest);
        Ok(Some(steps))
    }

    fn key(&self, at: usize, symbol: SymbolId) -> Result<String> {
        Ok(self.keys(at, &[symbol])?.remove(&symbol).unwrap_or_default())
    }

    fn keys(&self, at: usize, symbols: &[SymbolId]) -> Result<BTreeMap<SymbolId, String>> {
        let definitions = self.navigators[at].definitions(symbols)?;
        Ok(definitions.into_iter().map(|definition| (definition.symbol_id, definition.key)).collect())
    }
}

/// Where a path goes from one index to another.
struct Crossing<'u> {
    here: usize,
    there: usize,
    target: SymbolId,
    uses: &'u [EdgeRow],
    certainty: f32,
}

impl Linked {
    pub(crate) fn is_empty(&self) -> bool {
        self.externals.is_empty() && self.reached.is_empty()
    }

    fn add_externals(&mut self, uses: &[LinkedExternal], key: &str) {
        for LinkedExternal { external, .. } in uses {
            if self.externals.iter().all(|(known, _)| known.external_id != external.external_id) {
                self.externals.push((external.clone(), key.to_owned()));
            }
        }
    }
}

impl Frontier {
    const fn of(at: usize, reached: &ReachedSymbol) -> Self {
        let ReachedSymbol { definition, depth, confidence, .. } = reached;
        Self { at, symbol: definition.symbol_id, depth: *depth, confidence: *confidence }
    }
}

/// The uses of some external symbols, among those of more.
fn edges_of(edges: &[EdgeRow], uses: &[LinkedExternal]) -> Vec<EdgeRow> {
    let is_of = |edge: &&EdgeRow| uses.iter().any(|linked| Some(linked.external.external_id) == edge.external_id);
    edges.iter().filter(is_of).cloned().collect()
}

fn by_target(uses: Vec<LinkedExternal>) -> BTreeMap<SymbolId, Vec<LinkedExternal>> {
    let mut by_target: BTreeMap<SymbolId, Vec<LinkedExternal>> = BTreeMap::new();
    for linked in uses {
        by_target.entry(linked.target).or_default().push(linked);
    }
    by_target
}

/// How certain it is that one of several indexes that define a name is meant.
fn certainty(uses: &[LinkedExternal]) -> f32 {
    share(uses.iter().map(|linked| linked.owners).max().unwrap_or(1))
}

#[expect(clippy::cast_precision_loss, reason = "a handful of indexes")]
fn share(owners: usize) -> f32 {
    1.0 / owners.max(1) as f32
}

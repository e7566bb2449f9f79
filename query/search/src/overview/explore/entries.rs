//! Candidates into entry points: source as far as the budget reaches, with callers, callees and members.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;
use sextant_format::names;

use super::answer::EntryPoint;
use super::asked::AskedWords;
use super::candidates::Candidate;
use super::excerpt::Wanted;
use super::expand::is_tool;
use super::plan::{self, Budget};
use super::size::{self, MAX_MEMBERS};
use super::sources::Sources;
use crate::navigate::{Definition, Navigator, ReachedSymbol, Relation, TraversalOptions};
use crate::overview::limits::MIN_EDGE_CONFIDENCE;
use crate::query_analysis::AnalyzedQuery;
use crate::{Index, Result};

/// Callers, and callees, that are listed for one entry point.
const MAX_NEIGHBOURS: usize = 8;
/// Of how many their names are compared with the question.
const MAX_RANKED_NEIGHBOURS: usize = 48;
/// Implementations of a method at most, so that a call of it is followed to them.
const MAX_IMPLEMENTATIONS: usize = 4;
/// Entry points whose neighbours are listed.
const MAX_ENTRY_POINTS_WITH_NEIGHBOURS: usize = 4;

/// Candidates whose calls are shown where another one is cut.
const MAX_CALLED: usize = 12;
/// Bytes of their names at least: a short name is that of others too.
const MIN_CALLED_BYTES: usize = 5;

/// The entry points of an answer.
pub(super) struct Entries<'a> {
    index: &'a Index,
    query: &'a AnalyzedQuery,
    /// The words of the question.
    pub(super) asked: AskedWords,
    sources: Sources,
    /// What is left for source.
    pub(super) budget: Budget,
    /// What is left for callers, callees and members.
    pub(super) for_neighbours: Budget,
    /// The entry points so far: the best first, those of a file together.
    pub(super) entries: Vec<EntryPoint>,
    /// Their symbols.
    pub(super) shown: Vec<SymbolId>,
    /// Names of the best candidates that are functions, most of which are called by others of them, with how well they fit.
    called: Vec<(String, f32)>,
}

impl<'a> Entries<'a> {
    pub(super) fn new(
        index: &'a Index,
        query: &'a AnalyzedQuery,
        sources: Sources,
        budget: Budget,
        for_neighbours: Budget,
    ) -> Self {
        let (entries, shown, called) = (Vec::new(), Vec::new(), Vec::new());
        let asked = AskedWords::new(query);
        Self { index, query, asked, sources, budget, for_neighbours, entries, shown, called }
    }

    /// Adds the candidates that are worth it and fit, in order; returns the others.
    pub(super) fn add(
        &mut self,
        candidates: Vec<Candidate>,
        is_worth_it: impl Fn(&Candidate) -> bool,
    ) -> Result<Vec<Candidate>> {
        let mut rest = Vec::new();
        if self.called.is_empty() {
            self.called = called_names(&candidates);
        }
        for candidate in candidates {
            let is_first = self.entries.is_empty();
            let is_chosen = is_first || plan::has_room(&self.budget) && is_worth_it(&candidate);
            if !(is_chosen && self.add_one(&candidate)?) {
                rest.push(candidate);
            }
        }
        Ok(rest)
    }

    /// Adds a candidate if it fits.
    fn add_one(&mut self, candidate: &Candidate) -> Result<bool> {
        let nth = self.entries.len();
        self.sources.read(self.index, candidate.file_id, candidate.place.chunk_id)?;
        let lines = self.sources.lines(candidate);
        let (words, literals) = (self.query.words.as_slice(), self.query.literals.as_slice());
        let wanted = Wanted { words, literals, called: &self.called };
        let Some(mut entry) = plan::entry(candidate, &lines, nth, wanted, &self.budget) else {
            return Ok(false);
        };
        let is_same_file =
            |known: &EntryPoint| known.place.repo == entry.place.repo && known.place.path == entry.place.path;
        let last_of_file = self.entries.iter().rposition(is_same_file);
        let repeated = last_of_file.map_or(0, |_| size::repeated_path(&entry.place));
        self.budget.take(size::entry(&entry).saturating_sub(repeated));
        if let Some(id) = candidate.symbol_id {
            self.shown.push(id);
            if nth < MAX_ENTRY_POINTS_WITH_NEIGHBOURS && candidate.place.kind.is_callable() {
                entry.symbol = Some(id);
                (entry.callers, entry.more_callers) = self.neighbours(id, Relation::Callers)?;
                if entry.callers.is_empty() && !entry.more_callers {
                    (entry.callers, entry.more_callers) = self.possible_callers(id)?;
                    entry.is_called_through_base = !entry.callers.is_empty();
                }
                (entry.callees, entry.more_callees) = self.neighbours(id, Relation::Callees)?;
                entry.possible_callees = self.possible_callees(id)?;
            }
        }
        let mut members = self.sources.members(self.index, candidate)?;
        let count = members.len();
        members.truncate(MAX_MEMBERS);
        while !members.is_empty() && !self.for_neighbours.take(size::members(&members)) {
            members.pop();
        }
        entry.more_members = count - members.len();
        entry.members = members;
        self.entries.insert(last_of_file.map_or(nth, |at| at + 1), entry);
        Ok(true)
    }

    /// The neighbours that fit, those whose names have words of the question first, and whether there are more.
    fn neighbours(&mut self, id: SymbolId, relation: Relation) -> Result<(Vec<ReachedSymbol>, bool)> {
        let walk = TraversalOptions { depth: 1, min_confidence: MIN_EDGE_CONFIDENCE, limit: MAX_RANKED_NEIGHBOURS };
        let navigator = Navigator::new(self.index);
        let (mut reached, mut has_more) = navigator.reach(&[id], relation, walk)?;
        if relation == Relation::Callees {
            // Annotations and decorators are in the lines of the source.
            reached
                .retain(|reached| matches!(reached.kind, EdgeKind::Call | EdgeKind::Instantiate | EdgeKind::Request));
            let graph = self.index.graph()?;
            let is_asked = |one: &ReachedSymbol| self.asked.count_in(&one.definition.qualified_name) > 0;
            let count = reached.len();
            reached.retain(|one| is_asked(one) || !is_tool(graph, one.definition.symbol_id));
            has_more |= reached.len() < count;
        }
        reached.sort_by_key(|reached| {
            let of_callee = relation == Relation::Callees;
            let is_instance = of_callee && reached.kind == EdgeKind::Instantiate;
            let Definition { qualified_name, start_line, end_line, .. } = &reached.definition;
            // A long function does the work, a short one helps.
            let lines = if of_callee { end_line.saturating_sub(*start_line) } else { 0 };
            (is_instance, Reverse(self.asked.count_in(qualified_name)), Reverse(lines))
        });
        if !self.query.wants_tests {
            let count = reached.len();
            reached.retain(|reached| !reached.definition.is_test);
            has_more |= reached.len() < count;
        }
        has_more |= self.cut(&mut reached);
        if relation == Relation::Callers {
            navigator.add_lines(relation, &mut reached)?;
        }
        Ok((reached, has_more))
    }

    /// What calls a method that this one overrides or implements, as far as it fits, and whether there is more.
    fn possible_callers(&mut self, id: SymbolId) -> Result<(Vec<ReachedSymbol>, bool)> {
        let walk = TraversalOptions { depth: 1, min_confidence: MIN_EDGE_CONFIDENCE, limit: MAX_RANKED_NEIGHBOURS };
        let navigator = Navigator::new(self.index);
        let mut possible = navigator.dispatch(&[id], Relation::Callers, walk)?;
        let asked = |one: &ReachedSymbol| Reverse(self.asked.count_in(&one.definition.qualified_name));
        possible.reached.sort_by_key(asked);
        if !self.query.wants_tests {
            possible.reached.retain(|one| !one.definition.is_test);
        }
        let has_more = self.cut(&mut possible.reached) || possible.is_cut;
        navigator.add_lines(Relation::Callers, &mut possible.reached)?;
        Ok((possible.reached, has_more))
    }

    /// What implements or overrides methods that a function calls, as far as it fits. Where a method has many
    /// implementations, none of them explains the function.
    fn possible_callees(&mut self, id: SymbolId) -> Result<Vec<ReachedSymbol>> {
        let walk = TraversalOptions { depth: 1, min_confidence: MIN_EDGE_CONFIDENCE, limit: MAX_RANKED_NEIGHBOURS };
        let mut possible = Navigator::new(self.index).dispatch(&[id], Relation::Callees, walk)?.reached;
        if !self.query.wants_tests {
            possible.retain(|one| !one.definition.is_test);
        }
        let mut counts: FxHashMap<SymbolId, usize> = FxHashMap::default();
        possible.iter().for_each(|one| *counts.entry(one.via).or_default() += 1);
        possible.retain(|one| counts[&one.via] <= MAX_IMPLEMENTATIONS);
        possible.sort_by_key(|one| Reverse(self.asked.count_in(&one.definition.qualified_name)));
        self.cut(&mut possible);
        Ok(possible)
    }

    /// Keeps the neighbours that fit; returns whether some do not.
    fn cut(&mut self, reached: &mut Vec<ReachedSymbol>) -> bool {
        let count = reached.len();
        reached.truncate(MAX_NEIGHBOURS);
        while !reached.is_empty() && !self.for_neighbours.take(size::neighbours(reached)) {
            reached.pop();
        }
        reached.len() < count
    }
}

/// The names of the best functions among candidates, each with its share of the best score.
fn called_names(candidates: &[Candidate]) -> Vec<(String, f32)> {
    let best = candidates.iter().map(|candidate| candidate.place.score).fold(f32::MIN_POSITIVE, f32::max);
    let mut called: Vec<(String, f32)> = Vec::new();
    for candidate in candidates.iter().filter(|candidate| candidate.place.kind.is_callable()).take(MAX_CALLED) {
        let name = candidate.place.qualified_name.as_deref().and_then(|name| names::segments(name).pop());
        let is_new = |name: &&str| name.len() >= MIN_CALLED_BYTES && called.iter().all(|(known, _)| known != name);
        if let Some(name) = name.filter(is_new) {
            called.push((name.to_owned(), candidate.place.score / best));
        }
    }
    called
}

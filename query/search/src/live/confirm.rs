//! Answers of an index beside those of language servers: which results a server names, too, and which it names alone.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::Kind;

use super::node::{Node, nodes};
use super::servers::{Asked, LanguageServers, LivePlace};
use crate::navigate::{
    Definition, Hover, MatchKind, NameMatches, Navigator, ReachedSymbol, References, Relation, TraversalOptions,
    UseFilter,
};
use crate::{Index, Result};

/// Symbols about which servers are asked at most.
const MAX_ASKED: usize = 10;
/// Languages in which servers look for a name that the index does not define.
const MAX_LANGUAGES: usize = 3;

/// Asks servers about the results of one request, within one time.
pub struct Confirmation<'a> {
    index: &'a Index,
    servers: &'a dyn LanguageServers,
    deadline: Instant,
    /// Questions: symbols, or languages in which a name was looked for.
    pub asked: usize,
    /// Questions that a server answered.
    pub answered: usize,
    /// Why the others have no answer, for people.
    pub failures: BTreeSet<String>,
}

/// A name that is looked for.
#[derive(Clone, Copy, Debug)]
pub struct NameQuery<'a> {
    /// The name, perhaps with owners.
    pub name: &'a str,
    /// The kinds that are wanted; empty for all.
    pub kinds: &'a [Kind],
    /// Definitions at most.
    pub limit: usize,
}

/// What servers say about the uses of one definition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveUses {
    /// For each use of the index its line in the checkout, if a server names it.
    pub confirmed: Vec<Option<u32>>,
    /// Uses that a server names and the index does not, or only as a guess below the confidence that was asked for.
    pub only_live: Vec<LivePlace>,
}

/// What servers say about the callers of definitions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveCallers {
    /// For each reached symbol whether a server names it.
    pub confirmed: Vec<bool>,
    /// Callers that a server names and the index does not, or only as a guess.
    pub only_live: Vec<Node>,
}

/// What servers say about the definitions of a name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveDefinitions {
    /// For each definition its line in the checkout, if a server names it.
    pub confirmed: Vec<Option<u32>>,
    /// Definitions that a server names and the index does not.
    pub only_live: Vec<LivePlace>,
}

impl<'a> Confirmation<'a> {
    /// Asks `servers` until `deadline`.
    #[must_use]
    pub const fn new(index: &'a Index, servers: &'a dyn LanguageServers, deadline: Instant) -> Self {
        Self { index, servers, deadline, asked: 0, answered: 0, failures: BTreeSet::new() }
    }

    /// The first definitions as nodes, each with its position among them.
    fn nodes_of<'d>(
        &self,
        definitions: impl Iterator<Item = &'d Definition>,
    ) -> Result<(Vec<Node>, FxHashMap<SymbolId, usize>)> {
        let ids: Vec<SymbolId> = definitions.take(MAX_ASKED).map(|definition| definition.symbol_id).collect();
        let found = nodes(self.index, &ids)?;
        let positions = found.iter().enumerate().filter_map(|(at, node)| Some((node.symbol?, at))).collect();
        Ok((found, positions))
    }

    /// The answer to a question, if there is one.
    fn take<T>(&mut self, answer: Asked<T>) -> Option<T> {
        self.asked += 1;
        match answer {
            Ok(answer) => {
                self.answered += 1;
                Some(answer)
            }
            Err(why) => {
                self.failures.insert(why);
                None
            }
        }
    }

    /// Asks about the uses of the first definitions. The answer is in the order of the groups.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn references(&mut self, groups: &[References], filter: &UseFilter) -> Result<Vec<LiveUses>> {
        let (nodes, positions) = self.nodes_of(groups.iter().map(|group| &group.definition))?;
        let answers = self.servers.references(self.index, &nodes, self.deadline)?;
        let answers: Vec<Option<Vec<LivePlace>>> = answers.into_iter().map(|answer| self.take(answer)).collect();
        let mut live = Vec::with_capacity(groups.len());
        for group in groups {
            let places = positions.get(&group.definition.symbol_id).and_then(|&at| answers.get(at)?.as_ref());
            live.push(match places {
                Some(places) => self.uses(group, places, filter)?,
                None => LiveUses { confirmed: vec![None; group.uses.len()], only_live: Vec::new() },
            });
        }
        Ok(live)
    }

    fn uses(&self, group: &References, places: &[LivePlace], filter: &UseFilter) -> Result<LiveUses> {
        let line_now: FxHashMap<(&str, &str, u32, u32), u32> = places
            .iter()
            .filter_map(|place| {
                let LivePlace { repo, path, line, column, line_now, .. } = place;
                Some(((repo.as_str(), path.as_str(), (*line)?, *column), *line_now))
            })
            .collect();
        let confirmed = group.uses.iter().map(|found| {
            let source = &found.source;
            line_now.get(&(source.repo.as_str(), source.path.as_str(), found.line, found.column)).copied()
        });
        let confirmed: Vec<Option<u32>> = confirmed.collect();
        // A server does not say of which kind a use is.
        if !filter.kinds.is_empty() {
            return Ok(LiveUses { confirmed, only_live: Vec::new() });
        }
        let known = Navigator::new(self.index).use_sites(group.definition.symbol_id, filter)?;
        // On a line that was edited since, a use of the index has no mark. It is not another one.
        let unconfirmed = group.uses.iter().zip(&confirmed).filter(|(_, line): &(_, &Option<u32>)| line.is_none());
        let unconfirmed: FxHashSet<(&str, &str, &str)> = unconfirmed
            .map(|(found, _)| (found.source.repo.as_str(), found.source.path.as_str(), found.source.name.as_str()))
            .collect();
        let is_edited = |place: &LivePlace| {
            let around = place.symbol.as_ref().map_or("", |symbol| symbol.name.as_str());
            place.line.is_none() && unconfirmed.contains(&(place.repo.as_str(), place.path.as_str(), around))
        };
        let is_known = |place: &LivePlace| {
            let site = place.file.zip(place.line).map(|(file, line)| (file, line, place.column));
            place.is_name || site.is_some_and(|site| known.contains(&site)) || is_edited(place)
        };
        let only_live = places.iter().filter(|place| !is_known(place)).take(filter.limit).cloned().collect();
        Ok(LiveUses { confirmed, only_live })
    }

    /// Asks about the direct callers of the first definitions. Those of greater depth are not asked about. Where a server
    /// knows no callers, its references confirm those of the index and add none: a reference need not be a call.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn callers(
        &mut self,
        definitions: &[Definition],
        reached: &[ReachedSymbol],
        traversal: TraversalOptions,
    ) -> Result<LiveCallers> {
        let (nodes, _) = self.nodes_of(definitions.iter())?;
        let relations = self.servers.relations(self.index, &nodes, self.deadline)?;
        let (mut named, mut callers) = (FxHashSet::default(), Vec::new());
        for relation in relations {
            let known_callers = relation.callers.clone().unwrap_or_default();
            // A server without hierarchies of calls names no callers: then its references are the answer.
            let answer = if known_callers.is_empty() { relation.references } else { relation.callers };
            let Some(answer) = self.take(answer) else { continue };
            named.extend(answer.iter().filter_map(|node| node.symbol));
            callers.extend(known_callers);
        }
        let confirmed =
            reached.iter().map(|found| found.depth == 1 && named.contains(&found.definition.symbol_id)).collect();
        let start: Vec<SymbolId> = definitions.iter().map(|definition| definition.symbol_id).collect();
        let all = TraversalOptions { depth: 1, limit: usize::MAX, ..traversal };
        let (known, _) = Navigator::new(self.index).reach(&start, Relation::Callers, all)?;
        // A function that calls itself is the start, not one of its callers.
        let known: FxHashSet<SymbolId> = known.iter().map(|found| found.definition.symbol_id).chain(start).collect();
        let mut only_live: Vec<Node> = Vec::new();
        for node in callers {
            let is_known = node.symbol.is_some_and(|symbol| known.contains(&symbol));
            if !is_known && !only_live.contains(&node) && only_live.len() < traversal.limit {
                only_live.push(node);
            }
        }
        Ok(LiveCallers { confirmed, only_live })
    }

    /// Asks whether the first definitions are where the index has them, and for others of exactly this name: in their
    /// languages, or in the most common ones of the index if it has no definition of this name.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn definitions(&mut self, query: &NameQuery<'_>, matches: &NameMatches) -> Result<LiveDefinitions> {
        let is_exact = matches.match_kind == MatchKind::Exact;
        let definitions = if is_exact { matches.definitions.as_slice() } else { &[] };
        let (nodes, positions) = self.nodes_of(definitions.iter())?;
        let answers = self.servers.definitions(self.index, &nodes, self.deadline)?;
        let answers: Vec<Option<Vec<LivePlace>>> = answers.into_iter().map(|answer| self.take(answer)).collect();
        let line_now = |definition: &Definition| {
            let places = answers.get(*positions.get(&definition.symbol_id)?)?.as_ref()?;
            let is_it =
                |place: &&LivePlace| place.symbol.as_ref().and_then(|node| node.symbol) == Some(definition.symbol_id);
            places.iter().find(is_it).map(|place| place.line_now)
        };
        let confirmed = matches.definitions.iter().map(line_now).collect();

        let mut languages: Vec<String> = nodes.iter().map(|node| node.language.clone()).collect();
        languages.sort_unstable();
        languages.dedup();
        if languages.is_empty() {
            languages = self.common_languages()?;
        }
        let wanted = sextant_format::names::segments(query.name);
        let last = wanted.last().map_or(query.name, |last| *last).to_owned();
        let mut only_live: Vec<LivePlace> = Vec::new();
        let found = self.servers.symbols(self.index, &last, &languages, self.deadline)?;
        let found = found.into_iter().filter_map(|answer| self.take(answer)).flatten();
        let mut seen = FxHashSet::default();
        for place in answers.into_iter().flatten().flatten().chain(found) {
            let is_wanted = place.symbol.as_ref().is_some_and(|node| {
                let has_kind = query.kinds.is_empty() || query.kinds.contains(&node.kind);
                let own = sextant_format::names::segments(&node.qualified_name);
                node.symbol.is_none() && has_kind && own.ends_with(&wanted)
            });
            let site = (place.repo.clone(), place.path.clone(), place.line_now);
            if only_live.len() < query.limit && !place.is_name && is_wanted && seen.insert(site) {
                only_live.push(place);
            }
        }
        Ok(LiveDefinitions { confirmed, only_live })
    }

    /// The languages of most files.
    fn common_languages(&self) -> Result<Vec<String>> {
        let files: Vec<FileId> =
            (0..self.index.generation().manifest().rows("files")).map(|at| FileId::at(at as usize)).collect();
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for language in self.index.file_rows()?.column::<String>("language", &files)? {
            *counts.entry(language).or_default() += 1;
        }
        let mut languages: Vec<(String, usize)> = counts.into_iter().collect();
        languages.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        languages.truncate(MAX_LANGUAGES);
        Ok(languages.into_iter().map(|(language, _)| language).collect())
    }

    /// Asks what servers tell about the first symbols. The answer is in the order of the symbols.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn hovers(&mut self, hovers: &[Hover]) -> Result<Vec<Option<String>>> {
        let (nodes, positions) = self.nodes_of(hovers.iter().map(|hover| &hover.definition))?;
        let answers = self.servers.hovers(self.index, &nodes, self.deadline)?;
        let answers: Vec<Option<String>> = answers.into_iter().map(|answer| self.take(answer).flatten()).collect();
        let text = |hover: &Hover| answers.get(*positions.get(&hover.definition.symbol_id)?)?.clone();
        Ok(hovers.iter().map(text).collect())
    }
}

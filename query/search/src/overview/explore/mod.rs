//! `explore`: one response to a question that usually suffices: the source of what fits best, the heads of what fits
//! too, the constants in use, the paths between entry points, and the relevant files.
//!
//! The budget is spent on what is printed. Paths and relevant files are small and say where to look, so they are
//! chosen first.

mod answer;
mod asked;
mod candidates;
mod copies;
mod entries;
mod excerpt;
mod expand;
mod facets;
mod found;
mod keys;
mod plan;
mod size;
mod sources;

use rustc_hash::FxHashSet;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::Kind;

pub use answer::{AskedKey, Copied, EntryPoint, Explore, KeyUse, Member, Place, RelevantFile, SourcePart};
pub use size::{MAX_COPIES, MAX_FILE_NAMES, MAX_HEAD_BYTES, common_indent};

use super::limits::{MIN_EDGE_CONFIDENCE, TOKEN_BYTES};
use super::overviews::Overviews;
use crate::Result;
use crate::navigate::{Constant, Navigator, Step};
use crate::retrieve::{ChunkFilter, find_literals};
use crate::search::{Ranking, SearchRequest, Searcher, fits};
use candidates::{Candidate, candidates};
use entries::Entries;
use keys::asked_keys;
use plan::{Budget, fitting};
use sources::Sources;

/// Entry points between which paths are searched.
const MAX_PATH_ENDPOINTS: usize = 5;
/// Paths that are listed.
const MAX_PATHS: usize = 4;
/// Symbols on a path: of a shorter one the lists of callers and callees tell, a longer one explains little.
const MAX_PATH_LEN: usize = 5;
/// Relevant files that are listed.
const MAX_FILES: usize = 8;
/// Files without source whose best heads come before those of other files.
const MAX_FILES_FIRST: usize = 3;
/// Candidates that are listed if nothing fits.
const MAX_NEAREST: usize = 3;
/// Constants whose names are compared with the question.
const MAX_RANKED_CONSTANTS: usize = 32;
/// Words of the question in a constant's name that count.
const MAX_ASKED_WORDS: usize = 2;
/// What each is worth, where a constant of the nth entry point is worth 1 / n: what the best function compares with comes
/// before what only sounds like the question.
const ASKED_WORD: f32 = 0.4;
/// More symbols than this use a constant that is part of the whole: it is listed only if its name is asked for.
const MAX_USERS_OF_CONSTANT: usize = 12;
/// Constants that are listed.
const MAX_CONSTANTS: usize = 8;
/// Shares of the budget. A list keeps its first line if that takes less than twice the list's share.
const FILES_SHARE: f32 = 0.08;
const PATHS_SHARE: f32 = 0.05;
const NOT_SHOWN_SHARE: f32 = 0.12;
const CONSTANTS_SHARE: f32 = 0.05;
const KEYS_SHARE: f32 = 0.15;
const NEIGHBOURS_SHARE: f32 = 0.06;

/// A question to one index, with its candidates.
pub struct Question<'a> {
    overviews: Overviews<'a>,
    request: &'a SearchRequest,
    ranking: Ranking,
}

impl Question<'_> {
    /// The probability that the question is about the index, 0 to 1, to compare it with that of others.
    #[must_use]
    pub fn fit(&self) -> f32 {
        self.ranking.fit.comparable()
    }

    /// Whether that is enough for an answer.
    #[must_use]
    pub fn fits(&self) -> bool {
        fits(self.request, self.ranking.fit.index)
    }

    /// Returns what fits best within `max_tokens` of the text form.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn answer(self, max_tokens: usize) -> Result<Explore> {
        self.overviews.explore_ranked(self.request, self.ranking, max_tokens)
    }
}

impl<'a> Overviews<'a> {
    /// Ranks the candidates of a question: several indexes can be compared before one of them answers.
    ///
    /// # Errors
    /// See [`Searcher::search`].
    pub fn question(&self, request: &'a SearchRequest) -> Result<Question<'a>> {
        let ranking = Searcher::new(self.index).rank(request)?;
        Ok(Question { overviews: *self, request, ranking })
    }

    /// Searches, and returns what fits best within `max_tokens` of the text form.
    ///
    /// # Errors
    /// See [`Searcher::search`].
    pub fn explore(&self, request: &SearchRequest, max_tokens: usize) -> Result<Explore> {
        Overviews::new(self.index).question(request)?.answer(max_tokens)
    }

    fn explore_ranked(&self, request: &SearchRequest, ranking: Ranking, max_tokens: usize) -> Result<Explore> {
        let allowed = ChunkFilter::new(self.index, &request.filters)?;
        let mut sources = Sources::default();
        let literals = find_literals(self.index, &ranking.query.literals, &allowed)?;
        let candidates = candidates(self.index, &ranking, &literals, &allowed)?;
        let mut candidates = copies::without_copies(self.index, &mut sources, candidates)?;
        let (fit, fits) = (ranking.fit.index, fits(request, ranking.fit.index));
        if !fits {
            return Ok(nearest(request, ranking, candidates, max_tokens));
        }
        candidates.retain(|candidate| request.min_score.is_none_or(|min_score| candidate.place.score >= min_score));
        let candidates = facets::in_turn(self.index, &ranking.query, candidates)?;
        let total = max_tokens.saturating_mul(TOKEN_BYTES);
        let mut budget = Budget::new(total);
        let tested = |candidate: &&Candidate| !candidate.is_test || ranking.query.wants_tests;
        let symbols: Vec<SymbolId> =
            candidates.iter().filter(tested).filter_map(|candidate| candidate.symbol_id).collect();
        let file_size = |file: &RelevantFile| size::file(&file.repo, &file.path) + size::names(&file.symbols);
        let files = list(relevant_files(&candidates), &mut budget, total, FILES_SHARE, file_size);
        let paths = list(self.paths_between(&symbols)?, &mut budget, total, PATHS_SHARE, |path| size::path(path));
        let keys = asked_keys(self.index, &ranking.query, &literals, &allowed)?;
        // What is not used of these comes back to the source.
        let share = |share: f32| (total as f32 * share) as usize;
        let mut for_keys = budget.share(share(KEYS_SHARE));
        let keys = keys_in(keys, &mut for_keys);
        budget.give_back(for_keys);
        let mut heads = budget.share(share(NOT_SHOWN_SHARE));
        let mut for_constants = budget.share(share(CONSTANTS_SHARE));
        let for_neighbours = budget.share(share(NEIGHBOURS_SHARE));
        let mut entries = Entries::new(self.index, &ranking.query, sources, budget, for_neighbours);
        let best_score = candidates.iter().map(|candidate| candidate.place.score).fold(0.0, f32::max);
        let mut rest = entries.add(candidates, |candidate| plan::is_worth_reading(candidate, best_score))?;
        // A reader chooses from the heads of what fits less well; only if they are all there, its source is read too.
        let all_heads: usize = rest.iter().map(|candidate| size::head_in_file(&candidate.place)).sum();
        let reserved = entries.budget.share(all_heads.saturating_sub(heads.left()).min(heads.left()));
        rest = entries.add(rest, |candidate| plan::is_worth_filling(candidate, best_score))?;
        heads.give_back(reserved);
        let mut explore = Explore { query: request.query.clone(), fit, fits, keys, files, paths, ..Explore::default() };
        explore.entries = entries.entries;
        let mut constants = Navigator::new(self.index).constants(&entries.shown, MAX_RANKED_CONSTANTS)?;
        let mut lines: FxHashSet<(String, String, u32)> = FxHashSet::default();
        constants.retain(|constant| {
            let Constant { definition, users, .. } = constant;
            let is_key = explore.keys.iter().any(|key| key.definition.symbol_id == definition.symbol_id);
            let line = (definition.repo.clone(), definition.path.clone(), definition.start_line);
            // Several constants may be defined in one line, which is what is listed.
            let is_asked = !definition.is_test || ranking.query.wants_tests;
            let is_named = entries.asked.count_in(&definition.name) > 0;
            // A reader wants the values of what is printed.
            let is_of_few = is_named || *users <= MAX_USERS_OF_CONSTANT && explore.has_word(&definition.name);
            let has_value = constant.has_value();
            !is_key && is_asked && is_of_few && has_value && !explore.has_line(definition) && lines.insert(line)
        });
        let rank = |constant: &Constant| {
            let asked = entries.asked.count_in(&constant.definition.name).min(MAX_ASKED_WORDS);
            asked as f32 * ASKED_WORD + 1.0 / (1.0 + constant.nth_user as f32)
        };
        constants.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
        constants.truncate(MAX_CONSTANTS);
        let names: FxHashSet<&str> =
            explore.entries.iter().filter_map(|entry| entry.place.qualified_name.as_deref()).collect();
        explore.files.iter_mut().for_each(|file| file.symbols.retain(|name| !names.contains(name.as_str())));
        explore.constants = list_in(constants, &mut for_constants, size::constant);
        // What is only lines between symbols says nothing without them.
        let count = rest.len();
        rest.retain(|candidate| candidate.place.kind != Kind::Code && candidate.place.qualified_name.is_some());
        rest.retain(|candidate| plan::is_worth_listing(candidate, best_score));
        for unused in [for_constants, entries.for_neighbours, entries.budget] {
            heads.give_back(unused);
        }
        let rest = rest.into_iter().map(|candidate| candidate.place).collect();
        let rest = files_first(rest, &explore.entries);
        explore.not_shown = heads_by_file(rest, &explore.files, &mut heads);
        explore.not_listed = count - explore.not_shown.len();
        explore.degraded = ranking.degraded;
        Ok(explore)
    }

    /// The paths from one of some symbols to another, shortest first.
    fn paths_between(&self, symbols: &[SymbolId]) -> Result<Vec<Vec<Step>>> {
        let mut distinct: Vec<SymbolId> = Vec::new();
        for &id in symbols {
            if !distinct.contains(&id) && distinct.len() < MAX_PATH_ENDPOINTS {
                distinct.push(id);
            }
        }
        let mut paths: Vec<Vec<Step>> = Vec::new();
        for &from in &distinct {
            let others: Vec<SymbolId> = distinct.iter().copied().filter(|&to| to != from).collect();
            let found = Navigator::new(self.index).short_paths(from, &others, MAX_PATH_LEN, MIN_EDGE_CONFIDENCE)?;
            paths.extend(found.into_iter().filter(|path| path.len() > 2));
        }
        paths.sort_by_key(Vec::len);
        // A path that is part of a longer one is left out.
        let ids = |path: &[Step]| path.iter().map(|step| step.definition.symbol_id).collect::<Vec<_>>();
        let all: Vec<Vec<SymbolId>> = paths.iter().map(|path| ids(path)).collect();
        let is_part = |n: usize| {
            all[n + 1..]
                .iter()
                .any(|longer| longer.len() > all[n].len() && longer.windows(all[n].len()).any(|w| w == all[n]))
        };
        let parts: Vec<bool> = (0..all.len()).map(is_part).collect();
        let mut maximal: Vec<Vec<Step>> =
            paths.into_iter().zip(parts).filter(|(_, is_part)| !is_part).map(|(path, _)| path).collect();
        maximal.truncate(MAX_PATHS);
        Ok(maximal)
    }
}

/// The answer to a question that nothing fits: the heads of the nearest candidates.
fn nearest(request: &SearchRequest, ranking: Ranking, candidates: Vec<Candidate>, max_tokens: usize) -> Explore {
    let count = candidates.len();
    let places = candidates.into_iter().take(MAX_NEAREST).map(|candidate| candidate.place).collect();
    let mut budget = Budget::new(max_tokens.saturating_mul(TOKEN_BYTES));
    let not_shown = heads_by_file(places, &[], &mut budget);
    let not_listed = count - not_shown.len();
    let (query, fit, degraded) = (request.query.clone(), ranking.fit.index, ranking.degraded);
    Explore { query, fit, not_shown, not_listed, degraded, ..Explore::default() }
}

/// Takes the items that fit into a share of the budget, and the first one in any case that permits it.
fn list<T>(items: Vec<T>, budget: &mut Budget, total: usize, share: f32, size: impl Fn(&T) -> usize) -> Vec<T> {
    let share = (total as f32 * share) as usize;
    let first = items.first().map_or(0, |item| size(item) + size::HEADING_BYTES);
    let mut part = budget.share(if first <= 2 * share { share.max(first) } else { share });
    let listed = list_in(items, &mut part, size);
    budget.give_back(part);
    listed
}

/// Takes the items that fit, with a heading.
fn list_in<T>(items: Vec<T>, budget: &mut Budget, size: impl Fn(&T) -> usize) -> Vec<T> {
    if items.is_empty() || !budget.take(size::HEADING_BYTES) {
        return Vec::new();
    }
    fitting(items, budget, size)
}

/// The keys with as many of their uses as fit, in order.
fn keys_in(keys: Vec<AskedKey>, budget: &mut Budget) -> Vec<AskedKey> {
    let mut kept = list_in(keys, budget, size::key);
    for key in &mut kept {
        key.uses = fitting(std::mem::take(&mut key.uses), budget, size::key_use);
    }
    kept.retain(|key| !key.uses.is_empty());
    kept
}

/// The same places, first the best ones of the best files of which no source is shown: a file without lines cannot be read.
fn files_first(places: Vec<Place>, entries: &[EntryPoint]) -> Vec<Place> {
    let mut seen: FxHashSet<(String, String)> =
        entries.iter().map(|entry| (entry.place.repo.clone(), entry.place.path.clone())).collect();
    let most = seen.len() + MAX_FILES_FIRST;
    let is_first = |place: &Place| seen.len() < most && seen.insert((place.repo.clone(), place.path.clone()));
    let (mut first, further): (Vec<Place>, Vec<Place>) = places.into_iter().partition(is_first);
    first.extend(further);
    first
}

/// Takes the heads that fit, in order. A file's path is printed once; `files` have theirs already.
fn heads_by_file(places: Vec<Place>, files: &[RelevantFile], budget: &mut Budget) -> Vec<Place> {
    if places.is_empty() || files.is_empty() && !budget.take(size::HEADING_BYTES) {
        return Vec::new();
    }
    let mut printed: FxHashSet<(String, String)> =
        files.iter().map(|file| (file.repo.clone(), file.path.clone())).collect();
    let mut heads = Vec::new();
    for place in places {
        let is_new = printed.insert((place.repo.clone(), place.path.clone()));
        if !budget.take(size::head_in_file(&place) + if is_new { size::file(&place.repo, &place.path) } else { 0 }) {
            break;
        }
        heads.push(place);
    }
    heads
}

/// The files of candidates, in the order of their best ones.
fn relevant_files(candidates: &[Candidate]) -> Vec<RelevantFile> {
    let mut files: Vec<RelevantFile> = Vec::new();
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    for candidate in candidates {
        let place = &candidate.place;
        let at = match files.iter().position(|file| file.repo == place.repo && file.path == place.path) {
            Some(at) => at,
            None if files.len() == MAX_FILES => continue,
            None => {
                files.push(RelevantFile { repo: place.repo.clone(), path: place.path.clone(), symbols: Vec::new() });
                files.len() - 1
            }
        };
        if let Some(name) = place.qualified_name.as_deref().filter(|name| seen.insert(name)) {
            files[at].symbols.push(name.to_owned());
        }
    }
    files
}

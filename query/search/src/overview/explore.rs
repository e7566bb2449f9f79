//! `explore`: one response with the entry points of a question, their source, the paths between them, and the relevant
//! files.

use std::collections::BTreeMap;

use sextant_format::ids::{ChunkId, SymbolId};
use sextant_format::kinds::Kind;

use super::limits::{MIN_EDGE_CONFIDENCE, tokens};
use super::overviews::Overviews;
use crate::Result;
use crate::navigate::{Navigator, ReachedSymbol, Relation, Step, TraversalOptions};
use crate::read::SourceReader;
use crate::search::{Hit, SearchRequest, Searcher};

/// Entry points at most.
const MAX_ENTRY_POINTS: usize = 14;
/// Further hits of the best result's file that are entry points, too; one less of each result after it, and at least one.
const MAX_RELATED_ENTRY_POINTS: usize = 3;
/// Entry points whose neighbours are listed.
const MAX_ENTRY_POINTS_WITH_NEIGHBOURS: usize = 4;
/// Callers, and callees, that are listed for one entry point.
const MAX_NEIGHBOURS: usize = 6;
/// Entry points between which paths are searched.
const MAX_PATH_ENDPOINTS: usize = 5;
/// Paths that are listed.
const MAX_PATHS: usize = 4;
/// Symbols on a path at most: a longer one explains little.
const MAX_PATH_LEN: usize = 5;
/// The share of the token budget for source.
const SOURCE_SHARE: f32 = 0.75;
/// Source that does not fit whole is shown if at least this many lines do.
const MIN_SOURCE_LINES: usize = 6;
/// Every entry point but the first takes at most this share of the remaining budget for source.
const MAX_ENTRY_SHARE: f32 = 0.5;

/// The entry points of a question with their surroundings.
#[derive(Clone, Debug)]
pub struct Explore {
    /// The question.
    pub query: String,
    /// The entry points, best first.
    pub entries: Vec<EntryPoint>,
    /// Paths along calls between entry points.
    pub paths: Vec<Vec<Step>>,
    /// The relevant files, the most important first.
    pub files: Vec<RelevantFile>,
    /// What was missing, as notes for the reader.
    pub degraded: Vec<String>,
}

/// An entry point.
#[derive(Clone, Debug)]
pub struct EntryPoint {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Its kind.
    pub kind: Kind,
    /// The symbol's qualified name; `None` for left-over text.
    pub qualified_name: Option<String>,
    /// The chunk.
    pub chunk_id: ChunkId,
    /// The score of the result that it comes from; only the order of scores is meaningful.
    pub score: f32,
    /// As much of its source as fits; `None` if the budget is spent.
    pub source: Option<String>,
    /// The first line of the source.
    pub source_line: u32,
    /// Lines that did not fit.
    pub omitted_lines: usize,
    /// Its direct callers.
    pub callers: Vec<ReachedSymbol>,
    /// Its direct callees.
    pub callees: Vec<ReachedSymbol>,
}

/// A relevant file.
#[derive(Clone, Debug, PartialEq)]
pub struct RelevantFile {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// The qualified names of its hits.
    pub symbols: Vec<String>,
}

impl Overviews<'_> {
    /// Searches, and returns the entry points with as much source as `max_tokens` permit.
    ///
    /// # Errors
    /// See [`Searcher::search`].
    pub fn explore(&self, request: &SearchRequest, max_tokens: usize) -> Result<Explore> {
        let response = Searcher::new(self.index).search(request)?;
        let files = files(&response.results);
        let mut entries = entries(&response.results);
        let mut source_budget = (max_tokens as f32 * SOURCE_SHARE) as usize;
        let catalog = &self.index.chunks()?.catalog;
        let mut symbols = Vec::new();
        for (n, entry) in entries.iter_mut().enumerate() {
            let symbol = catalog.info(entry.chunk_id)?.symbol_id;
            symbols.extend(symbol);
            if let Some(id) = symbol.filter(|_| n < MAX_ENTRY_POINTS_WITH_NEIGHBOURS) {
                entry.callers = self.neighbours(id, Relation::Callers)?;
                entry.callees = self.neighbours(id, Relation::Callees)?;
            }
            let shown = SourceReader::new(self.index).show_chunk(entry.chunk_id, 0)?;
            let share = if n == 0 { source_budget } else { (source_budget as f32 * MAX_ENTRY_SHARE) as usize };
            (entry.source, entry.omitted_lines) = fit_to_budget(&shown.text, share);
            entry.source_line = shown.start_line;
            source_budget = source_budget.saturating_sub(entry.source.as_deref().map_or(0, tokens));
        }
        let paths = self.paths_between(&symbols)?;
        Ok(Explore { query: request.query.clone(), entries, paths, files, degraded: response.degraded })
    }

    fn neighbours(&self, id: SymbolId, relation: Relation) -> Result<Vec<ReachedSymbol>> {
        let walk = TraversalOptions { depth: 1, min_confidence: MIN_EDGE_CONFIDENCE, limit: MAX_NEIGHBOURS };
        Ok(Navigator::new(self.index).reach(&[id], relation, walk)?.0)
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
            for &to in distinct.iter().filter(|&&to| to != from) {
                let path = Navigator::new(self.index).strongest_path(&[from], &[to], MIN_EDGE_CONFIDENCE)?;
                paths.extend(path.filter(|path| (2..=MAX_PATH_LEN).contains(&path.len())));
            }
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

/// The results, each followed by further hits of its file that can be called: a question often finds a type, and its
/// answer is in a method.
fn entries(hits: &[Hit]) -> Vec<EntryPoint> {
    let entry = |hit: &Hit| EntryPoint {
        repo: hit.repo.clone(),
        path: hit.path.clone(),
        start_line: hit.start_line,
        end_line: hit.end_line,
        kind: hit.kind,
        qualified_name: hit.qualified_name.clone(),
        chunk_id: hit.chunk_id,
        score: hit.score,
        source: None,
        source_line: hit.start_line,
        omitted_lines: 0,
        callers: Vec::new(),
        callees: Vec::new(),
    };
    let mut entries = Vec::new();
    for (n, hit) in hits.iter().enumerate() {
        entries.push(entry(hit));
        let further = hit.related_hits.iter().filter(|related| related.kind.is_callable());
        for related in further.take(MAX_RELATED_ENTRY_POINTS.saturating_sub(n).max(1)) {
            entries.push(EntryPoint {
                start_line: related.start_line,
                end_line: related.end_line,
                kind: related.kind,
                qualified_name: related.qualified_name.clone(),
                chunk_id: related.chunk_id,
                source_line: related.start_line,
                ..entry(hit)
            });
        }
    }
    entries.truncate(MAX_ENTRY_POINTS);
    entries
}

/// Returns the leading lines of a text that fit the budget, and the number of lines that do not; `None` if too few fit.
fn fit_to_budget(text: &str, budget: usize) -> (Option<String>, usize) {
    let count = text.lines().count();
    if tokens(text) <= budget {
        return ((!text.is_empty()).then(|| text.to_owned()), 0);
    }
    let (mut fits, mut fitted_lines) = (String::new(), 0);
    for line in text.lines() {
        if tokens(&fits) + tokens(line) + 1 > budget {
            break;
        }
        if fitted_lines > 0 {
            fits.push('\n');
        }
        fits.push_str(line);
        fitted_lines += 1;
    }
    if fitted_lines < MIN_SOURCE_LINES { (None, count) } else { (Some(fits), count - fitted_lines) }
}

fn files(hits: &[Hit]) -> Vec<RelevantFile> {
    let mut order: Vec<RelevantFile> = Vec::new();
    let mut known: BTreeMap<(String, String), usize> = BTreeMap::new();
    for hit in hits {
        let at = *known.entry((hit.repo.clone(), hit.path.clone())).or_insert_with(|| {
            order.push(RelevantFile { repo: hit.repo.clone(), path: hit.path.clone(), symbols: Vec::new() });
            order.len() - 1
        });
        let names = hit
            .qualified_name
            .iter()
            .chain(hit.related_hits.iter().filter_map(|related| related.qualified_name.as_ref()));
        for name in names {
            if !order[at].symbols.contains(name) {
                order[at].symbols.push(name.clone());
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::fit_to_budget;

    #[test]
    fn source_is_cut_at_a_line() {
        let text: String = (0..40).map(|n| format!("line number {n}\n")).collect();
        let (source, left) = fit_to_budget(&text, 40);
        let source = source.unwrap();
        assert!(source.len() <= 160 && source.starts_with("line number 0\nline number 1\n") && !source.ends_with('\n'));
        assert_eq!(source.lines().count() + left, 40);
        assert_eq!(fit_to_budget(&text, 3), (None, 40));
        assert_eq!(fit_to_budget("a\nb", 100), (Some("a\nb".to_owned()), 0));
        assert_eq!(fit_to_budget("", 100), (None, 0));
    }
}

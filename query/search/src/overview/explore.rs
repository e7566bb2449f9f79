//! `explore`: one answer with the entry points of a question, their source, the ways between them, and the files
//! that matter.

use std::collections::BTreeMap;

use sextant_format::kinds::Kind;

use crate::navigate::{Reached, Relation, Step, Walk};
use crate::search::{Hit, SearchRequest};
use crate::{Index, Result};

use super::tokens;

/// Entry points at most.
const MOST_ENTRIES: usize = 14;
/// Further hits of the best result's file that are entry points, too; one less of each result after it, and at least one.
const FURTHER: usize = 3;
/// Entry points whose neighbours are told.
const NEIGHBOURS_OF: usize = 4;
/// Neighbours of one that are told, of each sort.
const MOST_NEIGHBOURS: usize = 6;
/// Entry points between which ways are looked for.
const WAYS_BETWEEN: usize = 5;
/// Ways that are told.
const MOST_WAYS: usize = 4;
/// A longer way says little.
const LONGEST_WAY: usize = 5;
/// Less sure edges are no way.
const SURE: f32 = 0.5;
/// The share of the budget that is for source.
const FOR_SOURCE: f32 = 0.75;
/// A piece of source is shown if so many lines of it fit.
const LEAST_LINES: usize = 6;
/// No entry point takes more than this share of what is for source, while others wait.
const LARGEST_SHARE: f32 = 0.5;

/// Where to begin with a question.
#[derive(Clone, Debug)]
pub struct Explore {
    /// The question.
    pub query: String,
    /// The entry points, best first.
    pub entries: Vec<Entry>,
    /// Ways along calls between entry points.
    pub ways: Vec<Vec<Step>>,
    /// The files that matter, the most important first.
    pub files: Vec<Matters>,
    /// What could not take part.
    pub degraded: Vec<String>,
}

/// An entry point.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// What it is.
    pub kind: Kind,
    /// The symbol's qualified name; none for left-over text.
    pub qualified_name: Option<String>,
    /// The chunk.
    pub chunk_id: u32,
    /// The score of its file's result; only the order means something.
    pub score: f32,
    /// Its source, as much as fits; nothing where the budget was spent.
    pub source: Option<String>,
    /// The first line of the source.
    pub source_line: u32,
    /// Lines that did not fit.
    pub lines_left: usize,
    /// What calls it.
    pub callers: Vec<Reached>,
    /// What it calls.
    pub callees: Vec<Reached>,
}

/// A file that matters.
#[derive(Clone, Debug, PartialEq)]
pub struct Matters {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// What of it was found, by name.
    pub symbols: Vec<String>,
}

impl Index {
    /// Where to begin with a question: as much as `max_tokens` hold.
    pub fn explore(&self, request: &SearchRequest, max_tokens: usize) -> Result<Explore> {
        let response = self.search(request)?;
        let files = files(&response.results);
        let mut entries = entries(&response.results);
        let mut for_source = (max_tokens as f32 * FOR_SOURCE) as usize;
        let catalog = &self.chunks()?.catalog;
        let mut symbols = Vec::new();
        for (n, entry) in entries.iter_mut().enumerate() {
            let symbol = catalog.info(entry.chunk_id)?.symbol_id;
            symbols.extend(symbol);
            if let Some(id) = symbol.filter(|_| n < NEIGHBOURS_OF) {
                entry.callers = self.neighbours(id, Relation::Callers)?;
                entry.callees = self.neighbours(id, Relation::Callees)?;
            }
            let shown = self.show_chunk(entry.chunk_id, 0)?;
            let share = if n == 0 { for_source } else { (for_source as f32 * LARGEST_SHARE) as usize };
            (entry.source, entry.lines_left) = cut(&shown.text, share);
            entry.source_line = shown.start_line;
            for_source = for_source.saturating_sub(entry.source.as_deref().map_or(0, tokens));
        }
        let ways = self.ways_between(&symbols)?;
        Ok(Explore { query: request.query.clone(), entries, ways, files, degraded: response.degraded })
    }

    fn neighbours(&self, id: u32, relation: Relation) -> Result<Vec<Reached>> {
        let walk = Walk { depth: 1, min_confidence: SURE, limit: MOST_NEIGHBOURS };
        Ok(self.reach(&[id], relation, walk)?.0)
    }

    /// The ways from one of some symbols to another, shortest first.
    fn ways_between(&self, symbols: &[u32]) -> Result<Vec<Vec<Step>>> {
        let mut distinct: Vec<u32> = Vec::new();
        for &id in symbols {
            if !distinct.contains(&id) && distinct.len() < WAYS_BETWEEN {
                distinct.push(id);
            }
        }
        let mut ways: Vec<Vec<Step>> = Vec::new();
        for &from in &distinct {
            for &to in distinct.iter().filter(|&&to| to != from) {
                let way = self.strongest_path(&[from], &[to], SURE)?;
                ways.extend(way.filter(|way| (2..=LONGEST_WAY).contains(&way.len())));
            }
        }
        ways.sort_by_key(Vec::len);
        // A way that is part of a longer one is told by that.
        let ids = |way: &[Step]| way.iter().map(|step| step.definition.symbol_id).collect::<Vec<_>>();
        let all: Vec<Vec<u32>> = ways.iter().map(|way| ids(way)).collect();
        let is_part = |n: usize| {
            all[n + 1..]
                .iter()
                .any(|longer| longer.len() > all[n].len() && longer.windows(all[n].len()).any(|w| w == all[n]))
        };
        let parts: Vec<bool> = (0..all.len()).map(is_part).collect();
        let mut whole: Vec<Vec<Step>> =
            ways.into_iter().zip(parts).filter(|(_, is_part)| !is_part).map(|(way, _)| way).collect();
        whole.truncate(MOST_WAYS);
        Ok(whole)
    }
}

/// The results, each followed by further hits of its file that can be called: a question often leads to a type, and
/// its answer is in what the type does.
fn entries(hits: &[Hit]) -> Vec<Entry> {
    let entry = |hit: &Hit| Entry {
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
        lines_left: 0,
        callers: Vec::new(),
        callees: Vec::new(),
    };
    let mut entries = Vec::new();
    for (n, hit) in hits.iter().enumerate() {
        entries.push(entry(hit));
        let further = hit.also.iter().filter(|also| also.kind.is_callable());
        for also in further.take(FURTHER.saturating_sub(n).max(1)) {
            entries.push(Entry {
                start_line: also.start_line,
                end_line: also.end_line,
                kind: also.kind,
                qualified_name: also.qualified_name.clone(),
                chunk_id: also.chunk_id,
                source_line: also.start_line,
                ..entry(hit)
            });
        }
    }
    entries.truncate(MOST_ENTRIES);
    entries
}

/// As many lines of a text as fit, and how many do not.
fn cut(text: &str, budget: usize) -> (Option<String>, usize) {
    let count = text.lines().count();
    if tokens(text) <= budget {
        return ((!text.is_empty()).then(|| text.to_owned()), 0);
    }
    let (mut fits, mut taken) = (String::new(), 0);
    for line in text.lines() {
        if tokens(&fits) + tokens(line) + 1 > budget {
            break;
        }
        if taken > 0 {
            fits.push('\n');
        }
        fits.push_str(line);
        taken += 1;
    }
    if taken < LEAST_LINES { (None, count) } else { (Some(fits), count - taken) }
}

fn files(hits: &[Hit]) -> Vec<Matters> {
    let mut order: Vec<Matters> = Vec::new();
    let mut known: BTreeMap<(String, String), usize> = BTreeMap::new();
    for hit in hits {
        let at = *known.entry((hit.repo.clone(), hit.path.clone())).or_insert_with(|| {
            order.push(Matters { repo: hit.repo.clone(), path: hit.path.clone(), symbols: Vec::new() });
            order.len() - 1
        });
        let names = hit.qualified_name.iter().chain(hit.also.iter().filter_map(|also| also.qualified_name.as_ref()));
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
    use super::cut;

    #[test]
    fn source_is_cut_at_a_line() {
        let text: String = (0..40).map(|n| format!("line number {n}\n")).collect();
        let (source, left) = cut(&text, 40);
        let source = source.unwrap();
        assert!(source.len() <= 160 && source.starts_with("line number 0\nline number 1\n") && !source.ends_with('\n'));
        assert_eq!(source.lines().count() + left, 40);
        assert_eq!(cut(&text, 3), (None, 40));
        assert_eq!(cut("a\nb", 100), (Some("a\nb".to_owned()), 0));
        assert_eq!(cut("", 100), (None, 0));
    }
}

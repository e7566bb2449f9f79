//! Tests that an index asks about itself: its names must be found, first sentences of documentation must lead to what
//! they document, and a symbol should bring along what other files use of it. Must not know how a search works.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use sextant_format::ids::{RowId as _, SymbolId};
use sextant_format::kinds::EdgeKind;
use sextant_format::tables::{FileRow, SymbolRow};

use super::fixtures::{Expansion, ExpectedLocation, Fixtures, Needle, Ranking};
use crate::{Index, Result};

/// Symbols that are looked at, spread evenly over the index.
const SAMPLE: u32 = 4000;
/// Tests of each kind.
const TESTS: usize = 100;
/// Words of a sentence that is asked: fewer say little, more are a paragraph.
const SENTENCE_WORDS: std::ops::RangeInclusive<usize> = 5..=20;
/// Names below this length say nothing.
const MIN_NAME: usize = 4;
/// Edges below this confidence are not tested.
const MIN_CONFIDENCE: f32 = 0.9;
/// Neighbours that an expansion expects at most: as many as fit well among its results.
const MAX_EXPECTED: usize = 5;
/// Results of an expansion.
const EXPANSION_LIMIT: usize = 20;

/// Returns the tests of an index, the same ones each time: up to 100 needles, rankings and expansions.
///
/// # Errors
/// The index is damaged.
pub fn built_in(index: &Index) -> Result<Fixtures> {
    let sample = Sample::take(index)?;
    Ok(Fixtures::new(sample.needles(), sample.rankings(), sample.expansions(index)?))
}

/// Symbols of product code whose qualified names are unique in the index.
struct Sample {
    symbols: Vec<(SymbolRow, FileRow)>,
}

impl Sample {
    fn take(index: &Index) -> Result<Self> {
        let rows = index.symbol_rows()?;
        let count = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        let step = usize::try_from(count.div_ceil(SAMPLE).max(1)).unwrap_or(1);
        let ids: Vec<SymbolId> = (0..count).step_by(step).map(SymbolId::from_row).collect();
        let symbols = rows.rows(&ids)?;
        let mut uses_of_names: FxHashMap<&str, u32> =
            symbols.iter().map(|symbol| (symbol.qualified_name.as_str(), 0)).collect();
        for block in rows.blocks() {
            rows.scan_text("qualified_name", block, |_, name| {
                if let Some(count) = uses_of_names.get_mut(name) {
                    *count += 1;
                }
            })?;
        }
        let mut files: Vec<_> = symbols.iter().map(|symbol| symbol.file_id).collect();
        files.sort_unstable();
        files.dedup();
        let files: BTreeMap<_, FileRow> =
            index.file_rows()?.rows(&files)?.into_iter().map(|f| (f.file_id, f)).collect();
        let is_wanted = |symbol: &SymbolRow, file: &FileRow| {
            (symbol.kind.is_callable() || symbol.kind.is_type())
                && !file.is_test
                && symbol.name.chars().count() >= MIN_NAME
                && symbol.name.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && uses_of_names.get(symbol.qualified_name.as_str()) == Some(&1)
        };
        let with_file = |symbol: &SymbolRow| Some((symbol.clone(), files.get(&symbol.file_id)?.clone()));
        let symbols = symbols.iter().filter_map(with_file).filter(|(symbol, file)| is_wanted(symbol, file)).collect();
        Ok(Self { symbols })
    }

    fn needles(&self) -> Vec<Needle> {
        let needle = |(symbol, file): &(SymbolRow, FileRow)| Needle {
            query: symbol.qualified_name.clone(),
            path: Some(file.path.clone()),
            symbol: Some(symbol.qualified_name.clone()),
            within: 1,
            languages: Vec::new(),
            or: Vec::new(),
        };
        spread(self.symbols.iter().map(needle).collect())
    }

    /// Sentences that several symbols have are no questions.
    fn rankings(&self) -> Vec<Ranking> {
        let mut by_sentence: BTreeMap<String, Vec<&(SymbolRow, FileRow)>> = BTreeMap::new();
        for pair in &self.symbols {
            let sentence = pair.0.doc.as_deref().and_then(first_sentence);
            // A name in the question makes it a question about a name.
            if let Some(sentence) = sentence.filter(|s| !s.to_lowercase().contains(&pair.0.name.to_lowercase())) {
                by_sentence.entry(sentence).or_default().push(pair);
            }
        }
        let ranking = |(query, symbols): (String, Vec<&(SymbolRow, FileRow)>)| match symbols.as_slice() {
            [(_, file)] => Some(Ranking {
                query,
                relevant: vec![ExpectedLocation { path: Some(file.path.clone()), ..ExpectedLocation::default() }],
                category: Some(file.language.clone()),
                languages: Vec::new(),
            }),
            _ => None,
        };
        spread(by_sentence.into_iter().filter_map(ranking).collect())
    }

    /// What a symbol calls, extends or creates in other files.
    fn expansions(&self, index: &Index) -> Result<Vec<Expansion>> {
        let graph = index.graph()?;
        let rows = index.symbol_rows()?;
        let mut expansions = Vec::new();
        for (symbol, _) in &self.symbols {
            let is_wanted =
                |kind| matches!(kind, EdgeKind::Call | EdgeKind::Instantiate | EdgeKind::Inherit | EdgeKind::Implement);
            let mut targets: Vec<SymbolId> = graph
                .out_edges(symbol.symbol_id)
                .filter(|edge| is_wanted(edge.kind) && edge.confidence >= MIN_CONFIDENCE)
                .map(|edge| edge.node)
                .collect();
            targets.sort_unstable();
            targets.dedup();
            let targets = rows.rows(&targets)?.into_iter().filter(|target| target.file_id != symbol.file_id);
            let expects: Vec<String> = targets.map(|target| target.qualified_name).collect();
            if (1..=MAX_EXPECTED).contains(&expects.len()) {
                let query = symbol.qualified_name.clone();
                expansions.push(Expansion { query, expects, limit: EXPANSION_LIMIT, languages: Vec::new() });
            }
            // Each costs a read; enough to spread over.
            if expansions.len() >= TESTS * 4 {
                break;
            }
        }
        Ok(spread(expansions))
    }
}

/// Every n-th test, so that those that remain are at most [`TESTS`] from all parts of the index.
fn spread<T>(tests: Vec<T>) -> Vec<T> {
    let step = tests.len().div_ceil(TESTS).max(1);
    tests.into_iter().step_by(step).collect()
}

/// The first sentence of a documentation, on one line, if it is long enough to be a question.
fn first_sentence(doc: &str) -> Option<String> {
    let paragraph = doc.split("\n\n").next()?.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = paragraph.find(". ").unwrap_or(paragraph.len());
    let sentence = paragraph[..end].trim_end_matches('.').to_owned();
    let is_prose = !sentence.contains(['{', '}', '<', '>', '@', '=', '|', '`']);
    (is_prose && SENTENCE_WORDS.contains(&sentence.split(' ').count())).then_some(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_is_a_question_if_it_is_prose() {
        let long = "Takes a connection\nout of the pool. Then more.\n\nAnd a paragraph.";
        assert_eq!(first_sentence(long).as_deref(), Some("Takes a connection out of the pool"));
        assert_eq!(first_sentence("Closes it."), None);
        assert_eq!(first_sentence("Returns {a: 1} for each of the given names."), None);
    }

    #[test]
    fn at_most_a_hundred_tests_remain_from_everywhere() {
        let tests = spread((0..250).collect::<Vec<_>>());
        assert_eq!((tests.len(), tests.first(), tests.last()), (84, Some(&0), Some(&249)));
        assert_eq!(spread(vec![1, 2]), [1, 2]);
    }
}

//! Texts that a query repeats word for word: a message, a line of code, a setting. The chunks that have them come first.

use rustc_hash::FxHashSet;
use sextant_format::ids::ChunkId;

use super::ranked::{Ranked, sort_by_score};
use super::scoring::not_retrieved;
use crate::query_analysis::{AnalyzedQuery, QueryClass, is_interrogative, is_stop_word};
use crate::retrieve::{ChunkFilter, find_literals};
use crate::threads::map_ranges_parallel;
use crate::weights::FusionWeights;
use crate::{Index, Result};

/// Chunks that have most of a query's words, whose texts are compared with it.
const MAX_READ: usize = 32;
/// The share of its words that such a chunk has.
const MIN_COVERAGE: f32 = 0.7;
/// Chunks with the best full text that are compared, whatever share they have.
const MAX_BY_TEXT: usize = 8;
/// A thread is worth its start for this many texts.
const MIN_READ_PER_THREAD: usize = 4;
/// Words in a row that are compared.
const RUN: usize = 3;
/// Runs of a query that have a word that is not a stop word: a query with fewer is too short to be a message.
const MIN_RUNS: usize = 3;
/// The share of a query's runs that a chunk must have to have its text.
const MIN_SHARE: f32 = 0.6;
/// Chunks with a setting that are raised: one that is in more says little about each.
const MAX_CHUNKS: usize = 20;

/// Raises the chunks that have the text of a query: those of a literal, and those with most of its runs of words.
pub(super) fn raise_verbatim(
    index: &Index,
    ranked: &mut Vec<Ranked>,
    query: &AnalyzedQuery,
    allowed: &ChunkFilter,
    weights: &FusionWeights,
) -> Result<()> {
    let mut shares = chunks_with_words(index, ranked, query)?;
    if query.literals.first().is_some_and(|literal| literal == query.text.trim()) {
        shares.extend(chunks_with_literal(index, query, allowed)?);
    }
    let catalog = &index.chunks()?.catalog;
    for (chunk, share) in shares.iter().copied() {
        let r = match ranked.iter_mut().find(|r| r.info.chunk_id == chunk) {
            Some(r) => r,
            None => {
                ranked.push(not_retrieved(catalog.info(chunk)?, query, weights));
                let Some(r) = ranked.last_mut() else { continue };
                r
            }
        };
        let boost = weights.verbatim * share * r.signals.demotion;
        r.signals.verbatim = boost;
        r.score += boost;
    }
    if !shares.is_empty() {
        sort_by_score(ranked);
    }
    Ok(())
}

/// The chunks in which the literal that a query is stands, those with it in quotes before others.
fn chunks_with_literal(index: &Index, query: &AnalyzedQuery, allowed: &ChunkFilter) -> Result<Vec<(ChunkId, f32)>> {
    let found = find_literals(index, &query.literals[..1], allowed)?;
    let chunks = found.into_iter().flat_map(|literal| literal.chunks);
    let chunks: Vec<ChunkId> = chunks.map(|info| info.chunk_id).collect();
    Ok(if chunks.len() > MAX_CHUNKS { Vec::new() } else { chunks.into_iter().map(|chunk| (chunk, 1.0)).collect() })
}

/// Of the chunks with most of a query's words, those that have most runs of a query's words, with the share that they have.
/// A question repeats no text.
fn chunks_with_words(index: &Index, ranked: &[Ranked], query: &AnalyzedQuery) -> Result<Vec<(ChunkId, f32)>> {
    if query.class != QueryClass::Natural || is_question(&query.text) {
        return Ok(Vec::new());
    }
    let wanted = runs(&query.text);
    if wanted.len() < MIN_RUNS {
        return Ok(Vec::new());
    }
    let evidence = |r: &Ranked| {
        let coverage = r.signals.chunk_features.map_or(0.0, |(features, _)| features.coverage);
        (if coverage >= MIN_COVERAGE { coverage } else { 0.0 }, r.signals.bm25.unwrap_or(0.0))
    };
    let mut by_text: Vec<((f32, f32), ChunkId)> = ranked.iter().map(|r| (evidence(r), r.info.chunk_id)).collect();
    by_text.sort_by(|(a, id), (b, other)| b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(id.cmp(other)));
    let covering = by_text.iter().take_while(|((coverage, _), _)| *coverage > 0.0).count().min(MAX_READ);
    let mut ids: Vec<ChunkId> = by_text.into_iter().take(covering + MAX_BY_TEXT).map(|(_, id)| id).collect();
    ids.sort_unstable();
    let rows = index.chunk_rows()?;
    let share = |content: &String| {
        let own = runs(content);
        wanted.iter().filter(|run| own.contains(*run)).count() as f32 / wanted.len() as f32
    };
    let parts = map_ranges_parallel(ids.len(), MIN_READ_PER_THREAD, |part| {
        let contents: Vec<String> = rows.column("content", &ids[part])?;
        Ok(contents.iter().map(share).collect::<Vec<f32>>())
    });
    let shares = parts.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten();
    Ok(ids.into_iter().zip(shares).filter(|(_, share)| *share >= MIN_SHARE).collect())
}

/// Whether a query asks something: messages of programs do not.
fn is_question(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default().to_lowercase();
    is_interrogative(&first)
}

/// The runs of words of a text, in lower case. Words of one letter do not count: they begin strings, or stand for values.
fn runs(text: &str) -> FxHashSet<Vec<String>> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().nth(1).is_some());
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let says_something = |run: &&[String]| run.iter().any(|word| !is_stop_word(word));
    words.windows(RUN).filter(says_something).map(<[String]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_do_not_depend_on_punctuation() {
        let message = runs("Never call result.get() within a task!");
        let code = runs("E_BLOCK = \"\"\"\nNever call result.get() \" f\"within a task!");
        assert_eq!(message.len(), 4);
        assert!(message.is_subset(&code));
        assert!(runs("what is it").is_empty());
    }
}

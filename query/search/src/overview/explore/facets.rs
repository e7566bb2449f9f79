//! Orders candidates so that they cover a question of two parts: what has words that those before it do not have comes
//! earlier. Else the best candidates may all be about one of the parts.

use sextant_format::ids::ChunkId;

use super::asked::AskedWords;
use super::candidates::Candidate;
use crate::query_analysis::{AnalyzedQuery, is_interrogative};
use crate::search::Searcher;
use crate::{Index, Result};

/// How much new words raise a score, if they are all words of the question.
const NEW_WORDS: f32 = 1.0;
/// Candidates that are ordered.
const MAX_ORDERED: usize = 24;

/// The candidates; for a question of two parts, those that add words first.
pub(super) fn in_turn(index: &Index, query: &AnalyzedQuery, mut candidates: Vec<Candidate>) -> Result<Vec<Candidate>> {
    if !has_two_parts(&query.text) {
        return Ok(candidates);
    }
    let (chunks, counts) = Searcher::new(index).word_counts(&query.words)?;
    let rarity = |count: u64| ((chunks as f32 + 1.0) / (count as f32 + 1.0)).ln();
    let weights: Vec<f32> = counts.iter().map(|&count| if count == 0 { 0.0 } else { rarity(count) }).collect();
    let total: f32 = weights.iter().sum();
    let rest = candidates.split_off(candidates.len().min(MAX_ORDERED));
    let ids: Vec<ChunkId> = {
        let mut ids: Vec<ChunkId> = candidates.iter().map(|candidate| candidate.place.chunk_id).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    };
    let contents: Vec<String> = index.chunk_rows()?.column("content", &ids)?;
    let has = |candidate: &Candidate| -> Vec<bool> {
        let content = ids.binary_search(&candidate.place.chunk_id).ok().map_or("", |at| contents[at].as_str());
        let content = content.to_lowercase();
        query.words.iter().map(|word| AskedWords::forms(word).iter().any(|form| content.contains(form))).collect()
    };
    let mut left: Vec<(Vec<bool>, Candidate)> =
        candidates.into_iter().map(|candidate| (has(&candidate), candidate)).collect();
    let mut covered = vec![false; query.words.len()];
    let mut ordered = Vec::with_capacity(left.len() + rest.len());
    while !left.is_empty() {
        let gain = |words: &[bool]| -> f32 {
            let new = words.iter().zip(&covered).zip(&weights).filter(|((has, covered), _)| **has && !**covered);
            new.map(|(_, weight)| weight).sum::<f32>() / total.max(f32::MIN_POSITIVE)
        };
        let value =
            |(words, candidate): &(Vec<bool>, Candidate)| candidate.place.score * (1.0 + NEW_WORDS * gain(words));
        let best = (0..left.len()).max_by(|&a, &b| value(&left[a]).total_cmp(&value(&left[b])).then(b.cmp(&a)));
        let Some(best) = best else { break };
        let (words, candidate) = left.remove(best);
        covered.iter_mut().zip(words).for_each(|(covered, has)| *covered |= has);
        ordered.push(candidate);
    }
    ordered.extend(rest);
    Ok(ordered)
}

/// Words that begin a question, besides interrogatives.
const QUESTION_WORDS: &[&str] = &["when", "does", "is", "are"];

/// Whether a text asks two things: `..., and what ...`, `...; where ...`, `... and how ...`.
fn has_two_parts(text: &str) -> bool {
    let text = text.to_lowercase();
    let mut words = text.split_whitespace().peekable();
    let mut is_first = true;
    while let Some(word) = words.next() {
        let joins = word == "and" || word.ends_with([',', ';', '?']);
        let next = words.peek().map(|next| if *next == "and" { "" } else { *next });
        if joins && !is_first && next.is_some_and(|next| is_interrogative(next) || QUESTION_WORDS.contains(&next)) {
            return true;
        }
        is_first = false;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_two_parts;

    #[test]
    fn questions_of_two_parts() {
        assert!(has_two_parts("Where is the token compared, and what is answered when it is wrong?"));
        assert!(has_two_parts("how is it raised and where is it lowered"));
        assert!(has_two_parts("who reads it? where is it written"));
        assert!(!has_two_parts("how errors are handled and converted to responses"));
        assert!(!has_two_parts("and what"));
    }
}

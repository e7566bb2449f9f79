//! Spelling correction: replaces words of a question that the index does not contain.
//!
//! Many words differ from another one in a letter or two without being mistyped (nesting, testing). So a word is
//! replaced only if the encoder does not know it either. Without an encoder that has a vocabulary, none is replaced.

use std::collections::BTreeMap;

use tantivy::Term;
use tantivy::query::FuzzyTermQuery;

use super::response::Correction;
use crate::query_analysis::{AnalyzedQuery, QueryClass, variants};
use crate::{Index, Result};

/// Shorter words are similar to too many others.
const MIN_WORD_CHARS: usize = 5;
/// Words of at least this length may differ in two letters, shorter ones in one. Swapped neighbours are one difference.
const MIN_CHARS_FOR_TWO_EDITS: usize = 9;
/// Longer tokens are not words.
const MAX_WORD_CHARS: usize = 40;

/// Replaces the words of a question that the index contains in no form by the most frequent words that differ in
/// a letter or two.
pub(super) fn correct_spelling(index: &Index, query: &mut AnalyzedQuery) -> Result<Vec<Correction>> {
    let mut corrections = Vec::new();
    if query.class != QueryClass::Natural {
        return Ok(corrections);
    }
    for n in 0..query.words.len() {
        let original = query.words[n].clone();
        if !(MIN_WORD_CHARS..=MAX_WORD_CHARS).contains(&original.chars().count()) || has_word(index, &original)? {
            continue;
        }
        // A word that the encoder knows is spelled correctly, even if the index does not contain it.
        if index.encoder().ok().flatten().and_then(|encoder| encoder.is_known_word(&original)) != Some(false) {
            continue;
        }
        if let Some(corrected) = best_correction(index, &original)? {
            query.embedding_text = query.embedding_text.replace(&original, &corrected);
            query.words[n].clone_from(&corrected);
            corrections.push(Correction { original, corrected });
        }
    }
    Ok(corrections)
}

fn has_word(index: &Index, word: &str) -> Result<bool> {
    let text = index.chunks()?;
    for form in std::iter::once(word.to_owned()).chain(variants(word)) {
        for field in [text.fields.body, text.fields.path] {
            if text.doc_freq(&Term::from_field_text(field, &form))? > 0 {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn best_correction(index: &Index, word: &str) -> Result<Option<String>> {
    let text = index.chunks()?;
    let distance = if word.chars().count() >= MIN_CHARS_FOR_TWO_EDITS { 2 } else { 1 };
    let query = FuzzyTermQuery::new(Term::from_field_text(text.fields.body, word), distance, true);
    let mut frequencies: BTreeMap<String, u64> = BTreeMap::new();
    for reader in text.searcher.segment_readers() {
        let inverted = reader.inverted_index(text.fields.body)?;
        let mut found =
            inverted.terms().search(query.automaton()?).into_stream().map_err(tantivy::TantivyError::from)?;
        while found.advance() {
            if let Ok(term) = std::str::from_utf8(found.key()) {
                *frequencies.entry(term.to_owned()).or_default() += u64::from(found.value().doc_freq);
            }
        }
    }
    if text.removed.is_some() {
        for (term, frequency) in &mut frequencies {
            *frequency = text.live_doc_freq(&Term::from_field_text(text.fields.body, term), *frequency)?;
        }
        frequencies.retain(|_, frequency| *frequency > 0);
    }
    // Most mistakes keep the first letter.
    let first = word.chars().next();
    let key = |(term, frequency): &(&String, &u64)| (term.chars().next() == first, **frequency);
    let best = frequencies.iter().max_by(|a, b| key(a).cmp(&key(b)).then(b.0.cmp(a.0)));
    Ok(best.map(|(term, _)| term.clone()))
}

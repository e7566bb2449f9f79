//! The words of a question in names.

use rustc_hash::FxHashSet;
use sextant_format::names;
use sextant_text::tokens::split_identifier;

use crate::query_analysis::{AnalyzedQuery, is_stop_word, stems};

/// The stems of a question's words.
pub(super) struct AskedWords(FxHashSet<String>);

impl AskedWords {
    pub(super) fn new(query: &AnalyzedQuery) -> Self {
        Self(query.words.iter().flat_map(|word| stems(word)).collect())
    }

    /// Whether the question has all words of a name but stop words, in any form.
    pub(super) fn has_all_of(&self, name: &str) -> bool {
        let (mut words, mut found, mut buffer) = (0, 0, String::new());
        split_identifier(name, &mut buffer, |word| {
            words += usize::from(!is_stop_word(word));
            found += usize::from(!is_stop_word(word) && self.has(word));
        });
        words > 0 && found == words
    }

    /// The forms of a word.
    pub(super) fn forms(word: &str) -> Vec<String> {
        stems(word)
    }

    /// How many words of a name with owners the question has, in any form.
    pub(super) fn count_in(&self, name: &str) -> usize {
        let (mut found, mut buffer) = (0, String::new());
        for segment in names::segments(name) {
            split_identifier(segment, &mut buffer, |word| {
                found += usize::from(stems(word).iter().any(|stem| self.0.contains(stem)));
            });
        }
        found
    }

    /// Whether the question has a word, in any form.
    pub(super) fn has(&self, word: &str) -> bool {
        stems(word).iter().any(|stem| self.0.contains(stem))
    }
}

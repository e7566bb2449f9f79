//! The features of a chunk among the chunks of its file for one query, and the linear model that scores it from them.
//!
//! Which file answers a question and which part of it does are two questions: a file is about a subject, and its longest
//! function with the rarest words is where the reader must look. `scripts/ranker` trains the weights on lines that
//! answer questions; docs/lab/lines.md describes the training data and what each feature gains.

use super::linear_model::linear_model;
use crate::weights::{ChunkWeights, ReportChunkWeights};

linear_model! {
    /// The features of a chunk for one query. A word's rarity is counted among the chunks of its file.
    ChunkFeatures;
    /// A linear model of chunks: a weight for each feature.
    ChunkModel(ChunkWeights, ReportChunkWeights);
    /// The score of the fused lists, divided by the best of its file, 0 to 1; 0 if no retriever found it.
    fused: chunk_fused, report_chunk_fused,
    /// The share of the query's words that it contains, weighted by their rarity, 0 to 1.
    coverage: chunk_coverage, report_chunk_words,
    /// BM25 of its text, divided by the sum of the words' rarities, 0 to 2.2.
    bm25: chunk_bm25, report_chunk_bm25,
    /// The share of the query's words in its qualified name, 0 to 1.
    name: chunk_name, report_chunk_name,
    /// The share of the query's words in its documentation, 0 to 1. They are part of its text, too: what only the
    /// documentation says is worth less.
    doc: chunk_doc, report_chunk_doc,
    /// The cosines of the single words of the query, averaged by their rarity, -1 to 1. Words that the file does not
    /// contain are the rarest.
    word_vectors: chunk_word_vectors, report_chunk_word_vectors,
    /// 1 for a type.
    is_type: chunk_is_type, report_chunk_is_type,
    /// 1 for what can be called.
    is_callable: chunk_is_callable, report_chunk_is_callable,
    /// 1 for a constant, a variable or a property.
    is_value: chunk_is_value, report_chunk_is_value,
    /// ln(1 + n) / 10 for its n lines: short functions do little by themselves.
    lines: chunk_lines, report_chunk_lines,
    /// ln(n / 50) / 10 for its n lines if there are more than 50: the answer is a part of it.
    excess: chunk_excess, report_chunk_excess,
}

impl ChunkFeatures {
    /// Returns the features `lines` and `excess` of a number of lines.
    #[must_use]
    pub fn of_lines(lines: u32) -> (f32, f32) {
        const LONG: f32 = 50.0;
        let lines = lines as f32;
        ((1.0 + lines).ln() / 10.0, (lines.max(LONG) / LONG).ln() / 10.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_of_fifty_lines_is_not_too_long() {
        assert_eq!(ChunkFeatures::of_lines(50).1, 0.0);
        let (short, long) = (ChunkFeatures::of_lines(3), ChunkFeatures::of_lines(500));
        assert!(short.0 < long.0 && short.1 < long.1);
    }
}

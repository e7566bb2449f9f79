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
    fused: part_fused, report_part_fused,
    /// The share of the query's words that it contains, weighted by their rarity, 0 to 1.
    coverage: part_coverage, report_part_coverage,
    /// BM25 of its text, divided by the sum of the words' rarities, 0 to 2.2.
    bm25: part_bm25, report_part_bm25,
    /// The share of the query's words in its qualified name, 0 to 1.
    name: part_name, report_part_name,
    /// The share of the query's words in its documentation, 0 to 1. They are part of its text, too: what only the
    /// documentation says is worth less.
    doc: part_doc, report_part_doc,
    /// The cosines of the single words of the query, averaged by their rarity, -1 to 1. Words that the file does not
    /// contain are the rarest.
    word_vectors: part_word_vectors, report_part_word_vectors,
    /// 1 for a type.
    is_type: part_is_type, report_part_is_type,
    /// 1 for what can be called.
    is_callable: part_is_callable, report_part_is_callable,
    /// 1 for a constant, a variable or a property.
    is_value: part_is_value, report_part_is_value,
    /// ln(1 + n) / 10 for its n lines: short functions do little by themselves.
    lines: part_lines, report_part_lines,
    /// ln(n / 50) / 10 for its n lines if there are more than 50: the answer is a part of it.
    excess: part_excess, report_part_excess,
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

//! What speaks for a file, from what its chunks have: a linear model over a few features that everybody can read.
//!
//! A question is more often about a file's matter than about the words of one chunk. `scripts/ranker` trains
//! the weights; docs/benchmarks.md has on what, and what each feature brings.

use super::FileWeights;

/// The features of a file for one query.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FileFeatures {
    /// The best chunk's score by itself, beside the best of all, 0 to 1.
    pub chunk: f32,
    /// The sum of the chunks' BM25, of at most eight, beside the largest of all files, 0 to 1.
    pub text: f32,
    /// The best chunk's cosine beside the best of all, 0 to 1.
    pub vector: f32,
    /// How much of stem and folders the query says: the factor of a chunk's score, less one.
    pub path: f32,
    /// What PageRank gave the best chunk, beside the best of all, 0 to 1.
    pub graph: f32,
    /// The least demotion of its chunks: below 1 where all of them are tests or prose.
    pub demotion: f32,
    /// Which share of the query's words the file holds, the rare ones counting more, 0 to 1.
    pub coverage: f32,
    /// ln(1 + n) / 10 of the edges that lead out of its symbols: files that put others together use much.
    pub out_degree: f32,
    /// ln(1 + n) / 10 of its lines: a long file holds many words by chance.
    pub lines: f32,
}

impl FileFeatures {
    /// What each feature gives, in the order of the fields.
    #[must_use]
    pub fn contributions(&self, weights: &FileWeights) -> [f32; 9] {
        [
            self.chunk * weights.file_chunk,
            self.text * weights.file_text,
            self.vector * weights.file_vector,
            self.path * weights.file_path,
            self.graph * weights.file_graph,
            self.demotion * weights.file_demotion,
            self.coverage * weights.file_coverage,
            self.out_degree * weights.file_out_degree,
            self.lines * weights.file_lines,
        ]
    }

    /// Their sum: the logarithm of how much more likely this file is meant than another.
    #[must_use]
    pub fn score(&self, weights: &FileWeights) -> f32 {
        self.contributions(weights).iter().sum()
    }
}

/// The share of a query's words that each file holds. `has` says for each word which files hold it, `weights` what
/// it counts in the query; a word weighs the more the fewer do (the inverse document frequency of BM25, Robertson and Sparck Jones 1976).
#[must_use]
pub fn term_coverage(has: &[Vec<bool>], weights: &[f32], files: usize) -> Vec<f32> {
    let idf = |(word, weight): (&Vec<bool>, &f32)| {
        let (n, df) = (files as f32, word.iter().filter(|has| **has).count() as f32);
        weight * (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
    };
    let idfs: Vec<f32> = has.iter().zip(weights).map(idf).collect();
    let all: f32 = idfs.iter().sum();
    let covered_idf = |file: usize| -> f32 {
        let covered_idf = has.iter().zip(&idfs).filter(|(word, _)| word.get(file) == Some(&true));
        covered_idf.fold(0.0, |sum, (_, idf)| sum + idf)
    };
    (0..files).map(|file| if all > 0.0 { covered_idf(file) / all } else { 0.0 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::Weights;

    #[test]
    fn rare_words_cover_more() {
        let rare = vec![true, false, false, false];
        let common = vec![true, true, true, false];
        let covered = term_coverage(&[rare.clone(), common.clone()], &[1.0, 1.0], 4);
        assert_eq!((covered[0], covered[3]), (1.0, 0.0));
        assert!(covered[1] > 0.0 && covered[1] < 0.4, "{covered:?}");
        assert!((term_coverage(&[rare.clone(), rare], &[0.5, 0.2], 4)[0] - 1.0).abs() < 1e-6);
        assert_eq!(term_coverage(&[], &[], 2), [0.0, 0.0]);
        assert_eq!(term_coverage(&[common], &[1.0], 0), [0.0; 0]);
    }

    #[test]
    fn a_score_is_the_sum_of_its_contributions() {
        let features = FileFeatures { chunk: 1.0, coverage: 0.5, ..FileFeatures::default() };
        let weights = FileWeights { file_chunk: 2.0, file_coverage: 3.0, ..Weights::STANDARD.file };
        assert!((features.score(&weights) - 3.5).abs() < 1e-6);
        assert!((features.contributions(&weights)[6] - 1.5).abs() < 1e-6);
    }
}

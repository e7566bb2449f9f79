//! The features of a file for one query, and the linear model that scores it from them.
//!
//! A question is more often about the subject of a file than about the words of one chunk. `scripts/ranker` trains
//! the weights; docs/lab/search-quality.md describes the training data and what each feature gains.

use crate::weights::FileWeights;

/// The features of a file for one query.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FileFeatures {
    /// The best chunk's score, divided by the best of all files, 0 to 1.
    pub chunk: f32,
    /// The summed BM25 of its best chunks, divided by the largest sum of all files, 0 to 1.
    pub text: f32,
    /// The best cosine of its chunks, divided by the best of all files, 0 to 1.
    pub vector: f32,
    /// How well stem and folders match the query: the path factor of its chunks, minus 1.
    pub path: f32,
    /// The largest PageRank share of its chunks, divided by the largest of all files, 0 to 1.
    pub graph: f32,
    /// The mildest demotion factor of its chunks: below 1 if all of them are tests or prose.
    pub demotion: f32,
    /// The share of the query's words that the file contains, weighted by their rarity, 0 to 1.
    pub coverage: f32,
    /// ln(1 + n) / 10 for the n edges out of its symbols: files that compose others use many symbols.
    pub out_degree: f32,
    /// ln(1 + n) / 10 for its n lines: a long file contains many words by chance.
    pub lines: f32,
}

impl FileFeatures {
    /// The product of each feature and its weight, in the order of the fields.
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

    /// The sum of the contributions. The difference of two scores is the log-odds that the first file is the relevant one.
    #[must_use]
    pub fn score(&self, weights: &FileWeights) -> f32 {
        self.contributions(weights).iter().sum()
    }
}

/// Returns the share of a query's words that each file contains, 0 to 1. `has[word][file]` says whether the file
/// contains the word, `weights[word]` is the word's weight in the query. Rare words count more, by the inverse
/// document frequency of BM25 (Robertson and Sparck Jones 1976).
#[must_use]
pub fn term_coverage(has: &[Vec<bool>], weights: &[f32], files: usize) -> Vec<f32> {
    let idf = |(word, weight): (&Vec<bool>, &f32)| {
        let (n, df) = (files as f32, word.iter().filter(|has| **has).count() as f32);
        weight * (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
    };
    let idfs: Vec<f32> = has.iter().zip(weights).map(idf).collect();
    let total: f32 = idfs.iter().sum();
    let covered_idf = |file: usize| -> f32 {
        let covered_idf = has.iter().zip(&idfs).filter(|(word, _)| word.get(file) == Some(&true));
        covered_idf.fold(0.0, |sum, (_, idf)| sum + idf)
    };
    (0..files).map(|file| if total > 0.0 { covered_idf(file) / total } else { 0.0 }).collect()
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

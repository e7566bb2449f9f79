//! The features of a file for one query, and the linear model that scores it from them.
//!
//! A question is more often about the subject of a file than about the words of one chunk. `scripts/ranker` trains
//! the weights; docs/lab/ranking.md describes the training data and what each feature gains.

use crate::weights::{FileWeights, ReportWeights};

/// Defines the features with the weights of each. Their order is that of `values` and of the contributions.
macro_rules! features {
    ($($(#[doc = $doc:literal])* $name:ident: $of_question:ident, $of_report:ident,)*) => {
        /// The features of a file for one query.
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct FileFeatures {
            $($(#[doc = $doc])* pub $name: f32,)*
        }

        impl FileFeatures {
            /// The names of the features.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// The values in the order of the names.
            #[must_use]
            pub const fn values(&self) -> [f32; Self::NAMES.len()] {
                [$(self.$name,)*]
            }
        }

        impl From<&FileWeights> for FileModel {
            fn from(weights: &FileWeights) -> Self {
                Self { weights: [$(weights.$of_question,)*] }
            }
        }

        impl From<&ReportWeights> for FileModel {
            fn from(weights: &ReportWeights) -> Self {
                Self { weights: [$(weights.$of_report,)*] }
            }
        }
    };
}

features! {
    /// The best chunk's score, divided by the best of all files, 0 to 1.
    chunk: file_chunk, report_chunk,
    /// The summed BM25 of its best chunks, divided by the largest sum of all files, 0 to 1.
    text: file_text, report_text,
    /// BM25 with the file as the document, its length normalised, divided by the largest of all files, 0 to 1.
    file_text: file_bm25, report_bm25,
    /// The best cosine of its chunks, divided by the best of all files, 0 to 1.
    vector: file_vector, report_vector,
    /// The mean cosine of its chunks, -1 to 1: what the file as a whole is about.
    vector_mean: file_vector_mean, report_vector_mean,
    /// The best cosine of each word of the query with its chunks, averaged by the words' rarity, -1 to 1.
    word_vectors: file_word_vectors, report_word_vectors,
    /// The same average of one chunk, the best.
    rare_vector: file_rare_vector, report_rare_vector,
    /// How well stem and folders match the query: the path factor of its chunks, minus 1.
    path: file_path, report_path,
    /// How certainly the query names the file as a location, 0 to 1.
    frame: file_frame, report_frame,
    /// The largest PageRank share of its chunks, divided by the largest of all files, 0 to 1.
    graph: file_graph, report_graph,
    /// The mildest demotion factor of its chunks: below 1 if all of them are tests or prose.
    demotion: file_demotion, report_demotion,
    /// The share of the query's words that the file contains, weighted by their rarity, 0 to 1.
    coverage: file_coverage, report_coverage,
    /// The largest share that one of its chunks contains: words that stand together belong together.
    chunk_coverage: file_chunk_coverage, report_chunk_coverage,
    /// The share that the names of its chunks contain.
    name_coverage: file_name_coverage, report_name_coverage,
    /// The share of the query's names and compounds that it defines, of those that the index defines, by their rarity.
    defined_names: file_defined_names, report_defined_names,
    /// ln(1 + n) / 10 for the n edges out of its symbols: files that compose others use many symbols.
    out_degree: file_out_degree, report_out_degree,
    /// ln(1 + n) / 10 for the n edges to its symbols: what much code uses.
    in_degree: file_in_degree, report_in_degree,
    /// ln(1 + n) / 10 for its n lines: a long file contains many words by chance.
    lines: file_lines, report_lines,
    /// ln(1 + n) / 10 for its n chunks: a file that holds everything is about nothing in particular.
    chunks: file_chunks, report_chunks,
    /// A tenth of the number of its folders.
    depth: file_depth, report_depth,
}

/// A linear model of files: a weight for each feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FileModel {
    weights: [f32; FileFeatures::NAMES.len()],
}

impl FileModel {
    /// What each feature adds to the score, in the order of the names.
    #[must_use]
    pub fn contributions(&self, features: &FileFeatures) -> [f32; FileFeatures::NAMES.len()] {
        let mut contributions = features.values();
        contributions.iter_mut().zip(self.weights).for_each(|(value, weight)| *value *= weight);
        contributions
    }

    /// The sum of the contributions. The difference of two scores is the log-odds that the first file is the relevant one.
    #[must_use]
    pub fn score(&self, features: &FileFeatures) -> f32 {
        self.contributions(features).iter().sum()
    }
}

/// Returns the share of a query's words that each file contains, 0 to 1. `has[word][file]` says whether the file
/// contains the word, `weights[word]` is the word's weight in the query. Rare words count more, by their
/// [`rarities`].
#[must_use]
pub fn term_coverage(has: &[Vec<bool>], weights: &[f32], files: usize) -> Vec<f32> {
    weighted_coverage(has, &rarities(has, weights, files), files)
}

/// Returns the weight of each word times the inverse document frequency of BM25 (Robertson and Sparck Jones 1976) among
/// `files` files.
#[must_use]
pub fn rarities(has: &[Vec<bool>], weights: &[f32], files: usize) -> Vec<f32> {
    let rarity = |(word, weight): (&Vec<bool>, &f32)| {
        let (n, df) = (files as f32, word.iter().filter(|has| **has).count() as f32);
        weight * (1.0 + (n - df + 0.5) / (df + 0.5)).ln()
    };
    has.iter().zip(weights).map(rarity).collect()
}

/// The same as [`term_coverage`] for given rarities.
#[must_use]
pub fn weighted_coverage(has: &[Vec<bool>], rarities: &[f32], files: usize) -> Vec<f32> {
    let total: f32 = rarities.iter().sum();
    let covered = |file: usize| -> f32 {
        let covered = has.iter().zip(rarities).filter(|(word, _)| word.get(file) == Some(&true));
        covered.fold(0.0, |sum, (_, rarity)| sum + rarity)
    };
    (0..files).map(|file| if total > 0.0 { covered(file) / total } else { 0.0 }).collect()
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
        let at = |name| FileFeatures::NAMES.iter().position(|known| *known == name).unwrap();
        let features = FileFeatures { chunk: 1.0, lines: 0.5, ..FileFeatures::default() };
        let weights = FileWeights { file_chunk: 2.0, file_lines: -3.0, ..Weights::STANDARD.file };
        let model = FileModel::from(&weights);
        assert!((model.score(&features) - 0.5).abs() < 1e-6);
        assert!((model.contributions(&features)[at("lines")] + 1.5).abs() < 1e-6);
        assert!((features.values()[at("chunk")] - 1.0).abs() < 1e-6);
    }
}

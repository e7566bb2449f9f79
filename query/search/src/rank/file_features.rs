//! The features of a file for one query, and the linear model that scores it from them.
//!
//! A question is more often about the subject of a file than about the words of one chunk. `scripts/ranker` trains
//! the weights; docs/lab/ranking.md describes the training data and what each feature gains.

use super::bm25::rarities;
use super::linear_model::linear_model;
use crate::weights::{FileWeights, ReportWeights};

linear_model! {
    /// The features of a file for one query.
    FileFeatures;
    /// A linear model of files: a weight for each feature.
    FileModel(FileWeights, ReportWeights);
    /// The best chunk's score, divided by the best of all files, 0 to 1.
    chunk: file_chunk, report_chunk,
    /// The mean score of its three best chunks by the model of chunks.
    best_chunks: file_best_chunks, report_best_chunks,
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
    /// How well the messages of the commits that changed it match the query, 0 to 1.
    history: file_history, report_history,
    /// How much it changed together with the files that are best without this feature, 0 to 1.
    co_change: file_co_change, report_co_change,
}

/// Returns the share of a query's words that each file contains, 0 to 1. `has[word][file]` says whether the file
/// contains the word, `weights[word]` is the word's weight in the query. Rare words count more, by their
/// [`rarities`].
#[must_use]
pub fn term_coverage(has: &[Vec<bool>], weights: &[f32], files: usize) -> Vec<f32> {
    weighted_coverage(has, &rarities(has, weights, files), files)
}

/// Returns what share a part is of a whole; 0 if there is no whole.
#[must_use]
pub fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// The same as [`term_coverage`] for given rarities.
#[must_use]
pub fn weighted_coverage(has: &[Vec<bool>], rarities: &[f32], files: usize) -> Vec<f32> {
    let total: f32 = rarities.iter().sum();
    let covered = |file: usize| -> f32 {
        let covered = has.iter().zip(rarities).filter(|(word, _)| word.get(file) == Some(&true));
        covered.fold(0.0, |sum, (_, rarity)| sum + rarity)
    };
    (0..files).map(|file| share(covered(file), total)).collect()
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

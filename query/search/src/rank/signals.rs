//! Signals of a candidate in addition to its ranks: further hits of its file, its path, and locations that the query
//! names.

use std::collections::BTreeMap;

use sextant_format::ids::{ChunkId, FileId};
use sextant_text::tokens::words;

use crate::query_analysis::{AnalyzedQuery, stems};
use crate::weights::{FusionWeights, count};

/// A chunk with its file and its score.
#[derive(Clone, Debug)]
pub struct ScoredCandidate {
    /// The chunk.
    pub chunk_id: ChunkId,
    /// Its file.
    pub file_id: FileId,
    /// Its score so far.
    pub score: f32,
}

/// The combined evidence of one file's hits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FileEvidence {
    /// The best hit's score.
    pub best: f32,
    /// The sum of the next hits' scores, each with a smaller factor.
    pub further: f32,
}

/// Sums the hits of each file: a file with several hits is more likely relevant than a file with one.
#[must_use]
pub fn file_evidence(candidates: &[ScoredCandidate], weights: &FusionWeights) -> BTreeMap<FileId, FileEvidence> {
    let hits = count(weights.file_evidence_hits, 100);
    let factors: Vec<f32> =
        std::iter::successors(Some(weights.file_evidence_decay), |factor| Some(factor * weights.file_evidence_decay))
            .take(hits)
            .collect();
    let mut scores: BTreeMap<FileId, Vec<f32>> = BTreeMap::new();
    for candidate in candidates {
        scores.entry(candidate.file_id).or_default().push(candidate.score);
    }
    scores
        .into_iter()
        .map(|(file, mut scores)| {
            scores.sort_by(|a, b| b.total_cmp(a));
            let further = scores.iter().skip(1).zip(&factors).fold(0.0, |sum, (score, factor)| sum + score * factor);
            (file, FileEvidence { best: scores[0], further })
        })
        .collect()
}

/// Returns how much of a path's stem, and of the best of its nearest folders, the query contains; each 0 to 1.
///
/// The share counts words: if the query has two of a stem's three words, it is two thirds. For a stem that stands for
/// its folder, such as `mod` or `index`, the folder's name is used.
#[must_use]
pub fn path_match(query: &AnalyzedQuery, path: &str, weights: &FusionWeights) -> (f32, f32) {
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or(path);
    // Only the last extension is cut, so that `SqlMapper.Async.cs` ranks behind `SqlMapper.cs`.
    let mut stem = name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem });
    if sextant_format::names::is_folder_stem(stem)
        && let Some(folder) = parts.pop()
    {
        stem = folder;
    }
    let folders: Vec<&str> = parts.into_iter().rev().take(count(weights.directories, 100)).collect();
    let word_match = |text: &str| {
        let parts = words(text);
        let hits: f32 = parts.iter().map(|part| term_weight(query, part)).sum();
        if parts.is_empty() { 0.0 } else { hits / parts.len() as f32 }
    };
    let compound = query.compounds.iter().any(|compound| compound.eq_ignore_ascii_case(stem));
    let full_identifiers = query.full_identifiers.iter().zip(&query.full_identifier_weights);
    let identifier_match =
        full_identifiers.filter(|(identifier, _)| identifier.eq_ignore_ascii_case(stem)).map(|(_, &weight)| weight);
    let stem = if compound { 1.0 } else { identifier_match.fold(word_match(stem), f32::max) };
    let folder = folders.into_iter().map(word_match).fold(0.0, f32::max);
    (stem, folder)
}

/// The weight of a word, or of another form of it, in the query; 0 if the query does not contain it.
fn term_weight(query: &AnalyzedQuery, word: &str) -> f32 {
    let forms = stems(word);
    let weighted_words = query.words.iter().zip(&query.weights);
    weighted_words
        .filter(|(query_word, _)| stems(query_word).iter().any(|stem| forms.contains(stem)))
        .map(|(_, &weight)| weight)
        .fold(0.0, f32::max)
}

/// How certainly the query names a file as a location, 0 to 1. The two paths must end with the same two parts, so that
/// paths of installed copies match. If one of them is only a file name, that must agree, and the result is lower, because
/// many files may have the name.
#[must_use]
pub fn frame_match(query: &AnalyzedQuery, path: &str, weights: &FusionWeights) -> f32 {
    let path_parts: Vec<&str> = path.split('/').collect();
    let overlap = |frame: &crate::query_analysis::StackFrame| {
        let frame_parts: Vec<&str> =
            frame.path.split(['/', '\\']).filter(|part| !matches!(*part, "" | "." | "..")).collect();
        let common = path_parts.iter().rev().zip(frame_parts.iter().rev()).take_while(|(a, b)| a == b).count();
        if common >= 2 {
            frame.weight
        } else if common == 1 && (path_parts.len() == 1 || frame_parts.len() == 1) {
            frame.weight * weights.frame_name_only
        } else {
            0.0
        }
    };
    query.frames.iter().map(overlap).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query_analysis;
    use crate::rank::Weights;

    const WEIGHTS: &FusionWeights = &Weights::STANDARD.fusion;

    fn analyze_query(text: &str) -> AnalyzedQuery {
        query_analysis::analyze_query(text, &Weights::STANDARD.query)
    }

    #[test]
    fn several_hits_of_a_file_add_up() {
        let candidate = |file, score| {
            let (chunk_id, file_id) = (ChunkId::default(), FileId::new(file));
            ScoredCandidate { chunk_id, file_id, score }
        };
        let evidence =
            file_evidence(&[candidate(1, 1.0), candidate(2, 0.8), candidate(1, 0.4), candidate(1, 0.4)], WEIGHTS);
        assert!((evidence[&FileId::new(1)].further - 0.3).abs() < 1e-6);
        assert_eq!(evidence[&FileId::new(2)], FileEvidence { best: 0.8, further: 0.0 });
    }

    #[test]
    fn paths_match_by_words_forms_and_compounds() {
        let query = analyze_query("how are request headers parsed");
        assert_eq!(path_match(&query, "src/http/header_parser.rs", WEIGHTS).0, 1.0);
        assert_eq!(path_match(&query, "src/request/mod.rs", WEIGHTS).0, 1.0);
        assert_eq!(path_match(&query, "src/request/body.rs", WEIGHTS), (0.0, 1.0));
        assert_eq!(path_match(&analyze_query("url search params"), "lib/urlsearchparams.js", WEIGHTS).0, 1.0);
        assert_eq!(path_match(&analyze_query("url search"), "lib/urlsearch.js", WEIGHTS).0, 1.0);
    }

    #[test]
    fn frames_match_from_the_right() {
        let query = analyze_query("it fails\nat take (/usr/lib/app/pool/take.js:3:4)\nat run (run.js:1:1)\n");
        assert_eq!(frame_match(&query, "lib/pool/take.js", WEIGHTS), 1.0);
        assert_eq!(frame_match(&query, "take.js", WEIGHTS), 0.5);
        assert_eq!(frame_match(&query, "src/other/take.js", WEIGHTS), 0.0);
        assert!(frame_match(&query, "src/run.js", WEIGHTS) > 0.3);
    }
}

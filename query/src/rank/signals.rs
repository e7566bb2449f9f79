//! What else speaks for or against a candidate, beside the ranks it has in the lists.

use std::collections::BTreeMap;

use sextant_formats::tokens::words;

use crate::understand::{Query, stems};

/// A chunk with what ranking knows of it.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The chunk.
    pub chunk_id: u32,
    /// Its file.
    pub file_id: u32,
    /// Its score so far.
    pub score: f32,
}

/// What the hits of one file say together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FileEvidence {
    /// The best hit's score.
    pub best: f32,
    /// The next two hits' scores, halved each time.
    pub further: f32,
}

/// Sums the hits by file: a file with several hits is more likely meant than one with a single hit.
#[must_use]
pub fn file_evidence(candidates: &[Candidate]) -> BTreeMap<u32, FileEvidence> {
    let mut scores: BTreeMap<u32, Vec<f32>> = BTreeMap::new();
    for candidate in candidates {
        scores.entry(candidate.file_id).or_default().push(candidate.score);
    }
    scores
        .into_iter()
        .map(|(file, mut scores)| {
            scores.sort_by(|a, b| b.total_cmp(a));
            let further =
                scores.iter().skip(1).take(2).zip([0.5, 0.25]).fold(0.0, |sum, (score, share)| sum + score * share);
            (file, FileEvidence { best: scores[0], further })
        })
        .collect()
}

/// How much of a path's stem and of its nearest folders the query says, each 0 to 1.
///
/// Counted over the stem's words: of a stem of three words of which the query says two, two thirds.
/// A stem that only says "this folder" gives way to its folder.
#[must_use]
pub fn path_match(query: &Query, path: &str) -> (f32, f32) {
    let mut parts: Vec<&str> = path.split('/').collect();
    let name = parts.pop().unwrap_or(path);
    // Only the last ending is none of the name: `router.d.ts` and `SqlMapper.Async.cs` are beside the centre.
    let mut stem = name.rsplit_once('.').map_or(name, |(stem, _)| if stem.is_empty() { name } else { stem });
    if matches!(stem, "mod" | "index" | "__init__")
        && let Some(folder) = parts.pop()
    {
        stem = folder;
    }
    let folders: Vec<&str> = parts.into_iter().rev().take(2).collect();
    let said = |text: &str| {
        let parts = words(text);
        if parts.is_empty() {
            return 0.0;
        }
        let hits = parts.iter().filter(|part| says(query, part)).count();
        hits as f32 / parts.len() as f32
    };
    let whole = query.compounds.iter().chain(&query.wholes).any(|compound| compound.eq_ignore_ascii_case(stem));
    let stem = if whole { 1.0 } else { said(stem) };
    let folder = folders.into_iter().map(said).fold(0.0, f32::max);
    (stem, folder)
}

/// Whether the query says a word or another form of it.
fn says(query: &Query, word: &str) -> bool {
    let forms = stems(word);
    query.words.iter().any(|said| stems(said).iter().any(|stem| forms.contains(stem)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::understand::understand;

    #[test]
    fn several_hits_of_a_file_add_up() {
        let candidate = |file_id, score| Candidate { chunk_id: 0, file_id, score };
        let evidence = file_evidence(&[candidate(1, 1.0), candidate(2, 0.8), candidate(1, 0.4), candidate(1, 0.4)]);
        assert!((evidence[&1].further - 0.3).abs() < 1e-6);
        assert_eq!(evidence[&2], FileEvidence { best: 0.8, further: 0.0 });
    }

    #[test]
    fn paths_match_by_words_forms_and_compounds() {
        let query = understand("how are request headers parsed");
        assert_eq!(path_match(&query, "src/http/header_parser.rs").0, 1.0);
        assert_eq!(path_match(&query, "src/request/mod.rs").0, 1.0);
        assert_eq!(path_match(&query, "src/request/body.rs"), (0.0, 1.0));
        assert_eq!(path_match(&understand("url search params"), "lib/urlsearchparams.js").0, 1.0);
        assert_eq!(path_match(&understand("url search"), "lib/urlsearch.js").0, 1.0);
    }
}

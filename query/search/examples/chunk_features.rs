//! Prints the features of the chunks of files for questions, for `scripts/ranker/lines.py`.
//!
//! usage: `chunk_features INDEX < QUESTIONS`. A line of input is a JSON object with `question` and `files` (paths), a line of
//! output a JSON list of the chunks of these files, as far as they are ranked: `path`, `start_line`, `end_line`, and
//! `features` by name. Blocks in symbols have no features and are left out.

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead as _, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sextant_search::Index;
use sextant_search::rank::ChunkFeatures;
use sextant_search::search::{SearchRequest, Searcher};

#[derive(Deserialize)]
struct Question {
    question: String,
    files: Vec<String>,
}

#[derive(Serialize)]
struct Chunk {
    path: String,
    start_line: u32,
    end_line: u32,
    features: BTreeMap<&'static str, f32>,
}

/// Whether two paths are of the same file, if one of them begins in a folder of the other's.
fn are_same(path: &str, other: &str) -> bool {
    let ends_with = |long: &str, short: &str| long.strip_suffix(short).is_some_and(|rest| rest.ends_with('/'));
    path == other || ends_with(path, other) || ends_with(other, path)
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: chunk_features INDEX < QUESTIONS")?;
    let index = Index::open(Path::new(&path))?;
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let Question { question, files } = serde_json::from_str(&line?)?;
        let mut request = SearchRequest::new(&question);
        request.weights.set("part_candidates=1000")?;
        let mut chunks = Vec::new();
        for candidate in Searcher::new(&index).candidates(&request)? {
            let Some((features, _)) = candidate.signals.chunk_features else { continue };
            if !files.iter().any(|file| are_same(file, &candidate.path)) {
                continue;
            }
            let features = ChunkFeatures::NAMES.iter().copied().zip(features.values()).collect();
            let (start_line, end_line) = (candidate.start_line, candidate.end_line);
            chunks.push(Chunk { path: candidate.path, start_line, end_line, features });
        }
        writeln!(out, "{}", serde_json::to_string(&chunks)?)?;
    }
    Ok(())
}

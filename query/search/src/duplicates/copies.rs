//! Functions of the index that a text repeats: those whose fingerprints are mostly in it. Candidates are the functions
//! whose vectors are nearest to parts of the text.

use rustc_hash::FxHashSet;
use sextant_encoder::Passage;
use sextant_format::ids::ChunkId;

use super::fingerprints::{Fingerprints, MIN_TOKENS};
use super::function::{Duplicate, describe};
use crate::retrieve::{Scan, nearest};
use crate::weights::Weights;
use crate::{Index, Result};

/// Lines of a text that are embedded together, and after how many the next part begins.
const PART: (usize, usize) = (30, 15);
/// Functions that are compared with each part.
const CANDIDATES: usize = 20;
/// A function is repeated if this share of its fingerprints is in the text.
const REPEATED: f32 = 0.7;

/// A function that a text repeats.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeated {
    /// The function.
    pub function: Duplicate,
    /// The share of its fingerprints that are in the text, 0 to 1.
    pub share: f32,
}

/// Returns the functions of the index that a text repeats, the most similar first; those of the files in `except` do not
/// count. Empty for an index without vectors.
///
/// # Errors
/// There is no encoder, or the index is damaged.
pub fn repeated_functions(index: &Index, text: &str, except: &[(String, String)]) -> Result<Vec<Repeated>> {
    let own: FxHashSet<u32> = Fingerprints::of(text).prints.into_iter().collect();
    let (Some(matrix), Some(mut encoder)) = (index.vectors()?, index.encoder()?) else { return Ok(Vec::new()) };
    let weights = &Weights::STANDARD.retrieval;
    let lines: Vec<&str> = text.lines().collect();
    let mut candidates: Vec<ChunkId> = Vec::new();
    for start in (0..lines.len()).step_by(PART.1) {
        let part = lines[start..(start + PART.0).min(lines.len())].join("\n");
        let vector = encoder.encode_passage(&Passage { code: &part, ..Passage::default() })?;
        let scan = Scan::for_matrix(matrix.rows(), CANDIDATES);
        let near = nearest(matrix, &vector, CANDIDATES, scan, weights, None);
        candidates.extend(near.into_iter().map(|near| near.chunk_id));
    }
    candidates.sort_unstable();
    candidates.dedup();
    let catalog = &index.chunks()?.catalog;
    let contents: Vec<String> = index.chunk_rows()?.column("content", &candidates)?;
    let mut found = Vec::new();
    for (chunk, content) in candidates.into_iter().zip(contents) {
        let info = catalog.info(chunk)?;
        let prints = Fingerprints::of(&content);
        if info.level != 1 || !info.kind.is_callable() || prints.tokens < MIN_TOKENS {
            continue;
        }
        let shared = prints.prints.iter().filter(|print| own.contains(print)).count();
        let share = shared as f32 / prints.prints.len().max(1) as f32;
        if share >= REPEATED {
            for function in describe(index, &[info])? {
                let is_excepted = except.iter().any(|(repo, path)| *repo == function.repo && *path == function.path);
                if !is_excepted {
                    found.push(Repeated { function, share });
                }
            }
        }
    }
    found.sort_by(|a, b| b.share.total_cmp(&a.share));
    Ok(found)
}

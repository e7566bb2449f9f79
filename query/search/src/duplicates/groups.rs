//! Groups of functions that are copies or near copies of each other.

use petgraph::unionfind::UnionFind;
use rustc_hash::{FxHashMap, FxHashSet};

use super::fingerprints::{Fingerprints, MIN_TOKENS, NEAR, jaccard};
use super::function::{Duplicate, describe};
use crate::catalog::ChunkInfo;
use crate::filters::Filters;
use crate::retrieve::ChunkFilter;
use crate::threads::map_ranges_parallel;
use crate::{Index, Result};

/// A fingerprint of more different functions than this says nothing.
const MAX_SHARING: usize = 40;
/// Two functions with less in common than [`NEAR`] are near copies from this share of their fingerprints on,
const NEAR_WITH_VECTORS: f32 = 0.5;
/// if their vectors have this cosine.
const NEAR_COSINE: f32 = 0.95;

/// What is compared.
#[derive(Clone, Debug, Default)]
pub struct DuplicatesRequest {
    /// Which chunks.
    pub filters: Filters,
    /// Lines that a function must have.
    pub min_lines: u32,
    /// Whether functions of generated files count.
    pub generated: bool,
    /// Groups at most.
    pub limit: usize,
}

/// Functions that are copies of each other.
#[derive(Clone, Debug, PartialEq)]
pub struct DuplicateGroup {
    /// Whether all have the same tokens.
    pub identical: bool,
    /// The smallest share of fingerprints by which two of them were joined, 0 to 1.
    pub similarity: f32,
    /// The lines that would be gone if only the longest one were kept.
    pub lines: u32,
    /// The functions, in the order of the index.
    pub members: Vec<Duplicate>,
}

/// Groups of copies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Duplicates {
    /// The groups, those with the most lines first.
    pub groups: Vec<DuplicateGroup>,
    /// The number of all groups.
    pub total: usize,
    /// The number of functions that were compared.
    pub compared: usize,
    /// Whether vectors helped.
    pub with_vectors: bool,
}

/// A function while functions are compared.
struct Function {
    info: ChunkInfo,
    prints: Fingerprints,
}

/// Returns groups of functions and methods that are copies or near copies of each other.
///
/// # Errors
/// A filter is invalid, or the index is damaged.
pub fn duplicates(index: &Index, request: &DuplicatesRequest) -> Result<Duplicates> {
    let functions = functions(index, request)?;
    // The first of those with equal tokens stands for all of them.
    let mut of_tokens: FxHashMap<u64, usize> = FxHashMap::default();
    let mut sets = UnionFind::<usize>::new(functions.len());
    let mut first: Vec<usize> = Vec::new();
    for (n, function) in functions.iter().enumerate() {
        let of = *of_tokens.entry(function.prints.whole).or_insert(n);
        if of == n {
            first.push(n);
        } else {
            sets.union(of, n);
        }
    }
    let matrix = index.vectors()?;
    let cosine = |a: usize, b: usize| {
        let matrix = matrix?;
        let row = |n: usize| matrix.row_of(functions[n].info.chunk_id);
        Some(cosine_of_rows(matrix.row(row(a)?), matrix.row(row(b)?)))
    };
    let mut near_pairs: Vec<(usize, f32)> = Vec::new();
    for (a, b, shared) in sharing_pairs(&functions, &first) {
        let near = jaccard(shared, functions[a].prints.prints.len(), functions[b].prints.prints.len());
        if near >= NEAR || near >= NEAR_WITH_VECTORS && cosine(a, b).is_some_and(|cosine| cosine >= NEAR_COSINE) {
            sets.union(a, b);
            near_pairs.push((a, near));
        }
    }
    let mut similarity: FxHashMap<usize, f32> = FxHashMap::default();
    for (function, near) in near_pairs {
        let least = similarity.entry(sets.find(function)).or_insert(near);
        *least = least.min(near);
    }
    let mut members: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for n in 0..functions.len() {
        members.entry(sets.find(n)).or_default().push(n);
    }
    let mut groups: Vec<(u32, usize, Vec<usize>)> = members
        .into_values()
        .filter(|members| members.len() > 1)
        .map(|members| {
            let lines = members.iter().map(|&n| functions[n].info.end_line - functions[n].info.start_line + 1);
            (lines.clone().sum::<u32>() - lines.max().unwrap_or(0), members[0], members)
        })
        .collect();
    groups.sort_by_key(|(lines, first, _)| (std::cmp::Reverse(*lines), *first));
    let total = groups.len();
    groups.truncate(request.limit);
    let mut described = Vec::with_capacity(groups.len());
    for (lines, first, members) in groups {
        let whole: FxHashSet<u64> = members.iter().map(|&n| functions[n].prints.whole).collect();
        described.push(DuplicateGroup {
            identical: whole.len() == 1,
            similarity: similarity.get(&sets.find(first)).copied().unwrap_or(1.0),
            lines,
            members: describe(index, &members.iter().map(|&n| functions[n].info).collect::<Vec<_>>())?,
        });
    }
    Ok(Duplicates { groups: described, total, compared: functions.len(), with_vectors: matrix.is_some() })
}

/// The functions that are compared, in the order of the index.
fn functions(index: &Index, request: &DuplicatesRequest) -> Result<Vec<Function>> {
    let allowed = ChunkFilter::new(index, &request.filters)?;
    let rows = index.chunk_rows()?;
    let catalog = &index.chunks()?.catalog;
    let left_out =
        if request.generated { Vec::new() } else { index.file_rows()?.find::<bool>("is_generated", |&is| is)? };
    let blocks = rows.blocks();
    let parts = map_ranges_parallel(blocks.len(), 1, |range| -> Result<Vec<Function>> {
        let mut found = Vec::new();
        for &block in &blocks[range] {
            rows.scan_text("content", block, |chunk, content| {
                if content.len() < MIN_TOKENS || !allowed.allows(chunk) {
                    return;
                }
                let Ok(info) = catalog.info(chunk) else { return };
                let lines = info.end_line - info.start_line + 1;
                let is_left_out = left_out.binary_search(&info.file_id).is_ok();
                if info.level != 1 || !info.kind.is_callable() || lines < request.min_lines || is_left_out {
                    return;
                }
                let prints = Fingerprints::of(content);
                if prints.tokens >= MIN_TOKENS {
                    found.push(Function { info, prints });
                }
            })?;
        }
        Ok(found)
    });
    let mut functions = Vec::new();
    for part in parts {
        functions.extend(part?);
    }
    functions.sort_by_key(|function| function.info.chunk_id);
    Ok(functions)
}

/// Pairs of functions with the number of fingerprints that they share; only fingerprints of few functions count.
fn sharing_pairs(functions: &[Function], first: &[usize]) -> Vec<(usize, usize, usize)> {
    let prints = first.iter().flat_map(|&n| functions[n].prints.prints.iter().map(move |&print| (print, n)));
    let mut postings: Vec<(u32, usize)> = prints.collect();
    postings.sort_unstable();
    let mut common: FxHashSet<u32> = FxHashSet::default();
    let mut candidates: FxHashMap<(usize, usize), usize> = FxHashMap::default();
    for run in postings.chunk_by(|a, b| a.0 == b.0) {
        if run.len() > MAX_SHARING {
            common.extend(run.first().map(|(print, _)| *print));
            continue;
        }
        for (n, &(_, a)) in run.iter().enumerate() {
            for &(_, b) in &run[n + 1..] {
                *candidates.entry((a, b)).or_default() += 1;
            }
        }
    }
    // What two functions share of the common ones is counted for those that share others.
    let common_of = |n: usize| functions[n].prints.prints.iter().filter(|print| common.contains(print));
    let mut pairs: Vec<(usize, usize, usize)> = candidates
        .into_iter()
        .map(|((a, b), shared)| {
            let other = &functions[b].prints.prints;
            let common = common_of(a).filter(|print| other.binary_search(print).is_ok()).count();
            (a, b, shared + common)
        })
        .collect();
    pairs.sort_unstable();
    pairs
}

/// The cosine of two rows of the int8 matrix.
fn cosine_of_rows(a: &[i8], b: &[i8]) -> f32 {
    let dot = |a: &[i8], b: &[i8]| a.iter().zip(b).map(|(&a, &b)| i32::from(a) * i32::from(b)).sum::<i32>() as f32;
    let lengths = (dot(a, a) * dot(b, b)).sqrt();
    if lengths > 0.0 { dot(a, b) / lengths } else { 0.0 }
}

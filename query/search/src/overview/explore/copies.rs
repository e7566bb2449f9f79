//! Candidates without their copies: of definitions that several modules repeat, the best is kept and names the others.
//!
//! A project that serves two versions of a framework has a copy of most classes for each, and a reader needs one of them.

use std::collections::{BTreeMap, BTreeSet};

use sextant_format::ids::FileId;
use sextant_format::kinds::Kind;

use super::answer::Copied;
use super::candidates::Candidate;
use super::sources::Sources;
use crate::duplicates::Fingerprints;
use crate::{Index, Result};

/// Leaves out candidates that repeat one before them: definitions of the same kind and name in other files, with nearly
/// the same tokens, members included. What is left names them in `copies`. Lines between the symbols of a file with
/// copies go with them.
pub(super) fn without_copies(
    index: &Index,
    sources: &mut Sources,
    candidates: Vec<Candidate>,
) -> Result<Vec<Candidate>> {
    let mut same_name: BTreeMap<(Kind, &str), Vec<usize>> = BTreeMap::new();
    for (n, candidate) in candidates.iter().enumerate() {
        if let Some(name) = &candidate.place.qualified_name {
            same_name.entry((candidate.place.kind, name)).or_default().push(n);
        }
    }
    let mut original: Vec<Option<usize>> = vec![None; candidates.len()];
    for group in same_name.into_values().filter(|group| group.len() > 1) {
        let mut kept: Vec<(usize, Fingerprints)> = Vec::new();
        for n in group {
            let candidate = &candidates[n];
            sources.read(index, candidate.file_id, candidate.place.chunk_id)?;
            let prints = Fingerprints::of(&sources.text(candidate));
            let is_other_file = |known: usize| candidates[known].file_id != candidate.file_id;
            let of = kept.iter().find(|(known, of)| is_other_file(*known) && of.is_near(&prints));
            original[n] = of.map(|(known, _)| *known);
            if original[n].is_none() {
                kept.push((n, prints));
            }
        }
    }
    let mut copies: Vec<Vec<Copied>> = vec![Vec::new(); candidates.len()];
    let mut copied_files: BTreeSet<FileId> = BTreeSet::new();
    for (n, original) in original.iter().enumerate() {
        if let Some(original) = *original {
            copies[original].push(Copied::of(&candidates[n].place));
            copied_files.insert(candidates[n].file_id);
        }
    }
    let is_left_out = |(candidate, original): (&Candidate, &Option<usize>)| {
        original.is_some() || candidate.place.kind == Kind::Code && copied_files.contains(&candidate.file_id)
    };
    let left_out: Vec<bool> = candidates.iter().zip(&original).map(is_left_out).collect();
    let with_copies = candidates.into_iter().zip(copies).zip(left_out).filter(|(_, is_left_out)| !is_left_out);
    let with_copies = with_copies.map(|((mut candidate, copies), _)| {
        candidate.place.copies = copies;
        candidate
    });
    Ok(with_copies.collect())
}

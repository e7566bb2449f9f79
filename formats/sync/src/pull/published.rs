//! Places that packs are published to: what is there, and which pack a branch means.

use std::path::Path;

use crate::published::{Branch, Branches, Entry, INDEX, branch_file};
use crate::remote::{Bucket, is_remote};
use serde::de::DeserializeOwned;

use crate::{Error, Result};

/// What is published at a place: its branches, each with its packs, the latest first.
pub fn list(place: &str, branch: Option<&str>) -> Result<Vec<Branch>> {
    let bucket = Bucket::open(place)?;
    let names = match branch {
        Some(branch) => vec![branch.to_owned()],
        None => branches(&bucket, place)?.branches,
    };
    names.iter().map(|name| read_branch(&bucket, name)).collect()
}

/// The pack that a source means: itself, or the latest of a branch where the source is a place that packs are published
/// to. `commit` is the beginning of a commit that the pack must be of.
pub(super) fn resolve(source: &str, branch: Option<&str>, commit: Option<&str>) -> Result<String> {
    let is_place = if is_remote(source) { !source.ends_with(".sxt") } else { Path::new(source).is_dir() };
    if !is_place {
        return Ok(source.to_owned());
    }
    let bucket = Bucket::open(source)?;
    let branch = match branch {
        Some(branch) => branch.to_owned(),
        None => match branches(&bucket, source) {
            Ok(branches) => branches.default,
            // An address may name a pack by any name.
            Err(Error::Remote(crate::remote::Error::NotFound { .. })) if is_remote(source) => {
                return Ok(source.to_owned());
            }
            Err(error) => return Err(error),
        },
    };
    let found = read_branch(&bucket, &branch)?;
    let is_wanted = |entry: &&Entry| {
        let is_of = |commit: &str| {
            entry.repositories.iter().any(|r| r.commit.as_ref().is_some_and(|found| found.starts_with(commit)))
        };
        commit.is_none_or(is_of)
    };
    let entry = found.entries.iter().find(is_wanted).ok_or_else(|| {
        let of = commit.map_or_else(String::new, |commit| format!(" of the commit {commit}"));
        Error::NotPublished(format!("{source} holds no pack{of} for the branch '{branch}'"))
    })?;
    if !entry.is_inside() {
        return Err(Error::NotPublished(format!("{source} names '{}', which is no pack of it", entry.pack)));
    }
    Ok(bucket.place_of(&entry.pack))
}

fn branches(bucket: &Bucket, place: &str) -> Result<Branches> {
    if !is_remote(place) && Path::new(place).join("CURRENT").exists() {
        return Err(Error::NotPublished(format!(
            "{place} is an index itself, and no place that packs are published to"
        )));
    }
    read(bucket, INDEX)
}

fn read_branch(bucket: &Bucket, branch: &str) -> Result<Branch> {
    read(bucket, &branch_file(branch))
}

fn read<T: DeserializeOwned>(bucket: &Bucket, name: &str) -> Result<T> {
    let place = bucket.place_of(name);
    let Some((bytes, _)) = bucket.get(name)? else {
        return Err(crate::remote::Error::NotFound { place }.into());
    };
    serde_json::from_slice(&bytes).map_err(|error| Error::Unreadable { name: place, what: error.to_string() })
}

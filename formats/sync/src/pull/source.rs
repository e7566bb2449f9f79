//! Locations that packs are published to: lists their packs, and resolves a branch to a pack.

use std::path::Path;

use crate::collection::Collection;
use crate::registry::{BranchIndex, INDEX_FILE, PublishedBranch, PublishedPack, branch_file};
use crate::remote::{Bucket, is_remote};
use serde::de::DeserializeOwned;

use crate::{Error, Result};

/// Lists the branches of a location with their packs, latest first; only `branch` if it is given.
///
/// # Errors
/// The location cannot be read, or contains no published packs.
pub fn list(location: &str, branch: Option<&str>) -> Result<Vec<PublishedBranch>> {
    let bucket = Bucket::open(location)?;
    let names = match branch {
        Some(branch) => vec![branch.to_owned()],
        None => branches(&bucket, location)?.branches,
    };
    names.iter().map(|name| read_branch(&bucket, name)).collect()
}

/// The collection at a location; none if the source is a pack, or a location without a collection. A store may refuse to
/// say whether there is one: that is an error only if it `is_expected`.
///
/// # Errors
/// The location cannot be read although a collection is expected, or the list is invalid.
pub fn collection(source: &str, is_expected: bool) -> Result<Option<Collection>> {
    if !is_registry(source) {
        return Ok(None);
    }
    match Collection::read(&Bucket::open(source)?) {
        Err(Error::Remote(_)) if !is_expected => Ok(None),
        found => found,
    }
}

/// The location of one of a location's packs.
///
/// # Errors
/// The text is not a valid location.
pub fn location_of(location: &str, pack: &str) -> Result<String> {
    Ok(Bucket::open(location)?.location_of(pack))
}

fn is_registry(source: &str) -> bool {
    if is_remote(source) { !source.ends_with(".sxt") } else { Path::new(source).is_dir() }
}

/// Resolves a source to a pack: the source itself or, if packs are published there, the latest pack of a branch.
/// `commit` is the prefix of a commit that the pack must contain.
pub(super) fn resolve(source: &str, branch: Option<&str>, commit: Option<&str>) -> Result<String> {
    if !is_registry(source) {
        return Ok(source.to_owned());
    }
    let bucket = Bucket::open(source)?;
    let branch = match branch {
        Some(branch) => branch.to_owned(),
        None => match branches(&bucket, source) {
            Ok(branches) => branches.default,
            // The last part of a URL may be any name, so it may be a pack.
            Err(Error::Remote(crate::remote::Error::NotFound { .. })) if is_remote(source) => {
                return Ok(source.to_owned());
            }
            Err(error) => return Err(error),
        },
    };
    let found = read_branch(&bucket, &branch)?;
    let is_wanted = |entry: &&PublishedPack| {
        let has_commit = |commit: &str| {
            entry.repositories.iter().any(|r| r.commit.as_ref().is_some_and(|found| found.starts_with(commit)))
        };
        commit.is_none_or(has_commit)
    };
    let entry = found.entries.iter().find(is_wanted).ok_or_else(|| {
        let of_commit = commit.map_or_else(String::new, |commit| format!(" of the commit {commit}"));
        Error::NotPublished(format!("{source} has no pack{of_commit} for the branch '{branch}'"))
    })?;
    if !entry.has_safe_path() {
        return Err(Error::NotPublished(format!("{source} names '{}', which is not one of its packs", entry.pack)));
    }
    Ok(bucket.location_of(&entry.pack))
}

fn branches(bucket: &Bucket, location: &str) -> Result<BranchIndex> {
    if !is_remote(location) && Path::new(location).join("CURRENT").exists() {
        return Err(Error::NotPublished(format!("{location} is an index, not a location that packs are published to")));
    }
    read(bucket, INDEX_FILE)
}

fn read_branch(bucket: &Bucket, branch: &str) -> Result<PublishedBranch> {
    read(bucket, &branch_file(branch))
}

fn read<T: DeserializeOwned>(bucket: &Bucket, name: &str) -> Result<T> {
    let location = bucket.location_of(name);
    let Some((bytes, _)) = bucket.get(name)? else {
        return Err(crate::remote::Error::NotFound { location }.into());
    };
    serde_json::from_slice(&bytes).map_err(|error| Error::Unreadable { name: location, what: error.to_string() })
}

//! Publishes packs to a location from which others pull: uploads the pack, updates the pointer of its branch, then
//! removes old packs.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::pack::{Profile, read_index};
use crate::registry::{
    BranchIndex, INDEX_FILE, PublishedBranch, PublishedPack, SCHEMA_VERSION, branch_file, escape_branch,
};
use crate::remote::{self, Bucket, PutCondition};
use crate::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Maximum attempts to update a pointer that other writers update as well.
const MAX_ATTEMPTS: u32 = 20;
/// Age in seconds after which a pack that no branch names counts as left over from an interrupted publication.
const MIN_ORPHAN_AGE_SECONDS: u64 = 24 * 3600;

/// The result of a publication.
#[derive(Debug)]
pub struct Published {
    /// The pack's entry in its branch.
    pub entry: PublishedPack,
    /// Names of the packs that were removed.
    pub removed: Vec<String>,
    /// Whether the branch's latest pack has the same content, so that nothing was published.
    pub already_latest: bool,
}

/// Publishes a pack for a branch, and keeps the latest `keep` packs of the branch, at least one. `step` is called with
/// the number of bytes sent.
///
/// # Errors
/// The pack cannot be read, or the location cannot be read or written.
pub fn publish(pack: &Path, location: &str, branch: &str, keep: usize, step: impl FnMut(u64)) -> Result<Published> {
    let index = read_index(pack)?;
    let manifest = index.manifest().map_err(|error| Error::damaged(pack, error))?;
    let bucket = Bucket::open(location)?;
    let file = branch_file(branch);
    if let Some(latest) =
        read_json::<PublishedBranch>(&bucket, &file)?.and_then(|(found, _)| found.entries.into_iter().next())
        && is_same(&latest, &manifest, index.profile())
    {
        // An interrupted publication may have updated the branch but not the list of branches.
        list_branch(&bucket, branch)?;
        return Ok(Published { entry: latest, removed: Vec::new(), already_latest: true });
    }
    let now = now();
    let unique = blake3::hash(format!("{now} {} {:?}", std::process::id(), pack).as_bytes()).to_hex();
    // Names are unique, so removing an old pack never affects a new one.
    let name = format!("packs/{}/{now}-{}-{}.sxt", escape_branch(branch), &manifest.content_id[..12], &unique[..8]);
    let bytes = fs_err::metadata(pack)?.len();
    bucket.upload(&name, pack, step)?;
    let entry = PublishedPack::new(name, bytes, index.profile(), &manifest, now);

    let mut removed = Vec::new();
    update_json::<PublishedBranch>(&bucket, &file, |found| {
        let mut found = found.unwrap_or_default();
        found.schema_version = SCHEMA_VERSION;
        branch.clone_into(&mut found.branch);
        found.entries.insert(0, entry.clone());
        removed = found.entries.split_off(keep.max(1).min(found.entries.len()));
        Some(found)
    })?;
    list_branch(&bucket, branch)?;

    // From here on the pointers are correct; the next publication removes what this one cannot.
    let mut removed: Vec<String> =
        removed.into_iter().filter(PublishedPack::has_safe_path).map(|entry| entry.pack).collect();
    removed.extend(orphans(&bucket, branch, now)?);
    for name in &removed {
        bucket.remove(name)?;
    }
    Ok(Published { entry, removed, already_latest: false })
}

/// Adds the branch to the list of branches if it is missing; the first branch is the default.
fn list_branch(bucket: &Bucket, branch: &str) -> Result<()> {
    update_json::<BranchIndex>(bucket, INDEX_FILE, |found| {
        let mut found = found.unwrap_or_default();
        if found.branches.iter().any(|known| known == branch) {
            return None;
        }
        found.schema_version = SCHEMA_VERSION;
        found.branches.push(branch.to_owned());
        found.branches.sort();
        if found.default.is_empty() {
            branch.clone_into(&mut found.default);
        }
        Some(found)
    })
}

fn is_same(latest: &PublishedPack, manifest: &sextant_format::manifest::Manifest, profile: Profile) -> bool {
    let candidate =
        PublishedPack::new(latest.pack.clone(), latest.bytes, profile, manifest, latest.published_unix_seconds);
    candidate == *latest
}

#[expect(clippy::disallowed_methods, reason = "a publication records its time")]
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Packs of a branch that it does not name, and that are too old to belong to a publication in progress.
fn orphans(bucket: &Bucket, branch: &str, now: u64) -> Result<Vec<String>> {
    let named =
        read_json::<PublishedBranch>(bucket, &branch_file(branch))?.map(|(found, _)| found.entries).unwrap_or_default();
    let is_old = |name: &str| {
        let time = name.rsplit('/').next().and_then(|name| name.split_once('-')?.0.parse::<u64>().ok());
        time.is_some_and(|time| time + MIN_ORPHAN_AGE_SECONDS < now)
    };
    let found = bucket.list(&format!("packs/{}", escape_branch(branch)))?.into_iter().map(|listed| listed.name);
    Ok(found.filter(|name| is_old(name) && named.iter().all(|entry| entry.pack != *name)).collect())
}

pub(crate) fn read_json<T: DeserializeOwned>(
    bucket: &Bucket,
    name: &str,
) -> Result<Option<(T, crate::remote::ObjectVersion)>> {
    let Some((bytes, version)) = bucket.get(name)? else { return Ok(None) };
    let value = serde_json::from_slice(&bytes)
        .map_err(|error| Error::Unreadable { name: bucket.location_of(name), what: error.to_string() })?;
    Ok(Some((value, version)))
}

/// Replaces a small file by the result of `change`, and retries if another writer changed it meanwhile. If `change`
/// returns none, the file stays unchanged.
pub(crate) fn update_json<T: DeserializeOwned + Serialize>(
    bucket: &Bucket,
    name: &str,
    mut change: impl FnMut(Option<T>) -> Option<T>,
) -> Result<()> {
    for _ in 0..MAX_ATTEMPTS {
        let (found, condition) = match read_json(bucket, name)? {
            Some((found, version)) => (Some(found), PutCondition::IfUnchanged(version)),
            None => (None, PutCondition::IfAbsent),
        };
        let Some(changed) = change(found) else { return Ok(()) };
        let bytes = serde_json::to_vec_pretty(&changed).map_err(std::io::Error::from)?;
        match bucket.put(name, &bytes, &condition) {
            Err(remote::Error::Changed { .. }) => {}
            done => return Ok(done?),
        }
    }
    Err(remote::Error::Changed { location: bucket.location_of(name) }.into())
}

//! A collection: packs of many repositories at one location, listed in one file.
//!
//! ```text
//! LOCATION/
//!   collection.json                the members; replaced by one conditional write
//!   shards/<plan>/<number>.json    what a shard of a plan has built
//!   packs/<plan>/<member>.sxt
//!   packs/<plan>/<member>.words    its vocabulary
//!   parts/<plan>/<member>.<number>.facts    analyses of a part of its files, until it is merged
//! ```
//!
//! A member is named after its repository, such as `team/server`; `team/server@1.x` is another state of it.
//!
//! Names follow from the plan, so a shard that runs twice, or on two machines at once, writes the same files. A pack is
//! uploaded before a report names it, and listed only by `collection.json`. So readers see the old collection or the
//! new one. In names of members, characters other than letters, digits and `-_.` are escaped as `%XX`.

pub mod vocabulary;

use std::path::Path;

use serde::{Deserialize, Serialize};
use sextant_format::manifest::{Manifest, is_safe_relative_path};

use crate::pack::Profile;
use crate::publish::{read_json, update_json};
use crate::registry::{SCHEMA_VERSION, escape_branch};
use crate::remote::{Bucket, PutCondition};
use crate::{Error, Result};
use vocabulary::VocabularyFile;

/// The file that lists the members.
pub const COLLECTION_FILE: &str = "collection.json";

/// The list of members, `collection.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collection {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The id of the plan that it was merged from.
    pub plan: String,
    /// The members, by name.
    pub members: Vec<Member>,
    /// Sources of the plan without a member of this plan: the member, if there is one, is that of an earlier plan.
    pub missing: Vec<String>,
    /// Packs and vocabularies of the list before that this one does not have. They are kept for readers that have begun.
    pub replaced: Vec<String>,
}

/// A member: the pack of a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Its name in the collection, such as `team/server`.
    pub name: String,
    /// Path of the pack, relative to the location.
    pub pack: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// `query` or `full`.
    pub profile: String,
    /// The content id of its index.
    pub content_id: String,
    /// The format version of its index.
    pub format_version: u32,
    /// The feature version of its index; 0 of members that were built before it was listed.
    #[serde(default)]
    pub feature_version: u32,
    /// The commit, if the source was a git repository.
    pub commit: Option<String>,
    /// Its languages, those with the most files first.
    #[serde(default)]
    pub languages: Vec<String>,
    /// Its vocabulary; none of members that were built without.
    #[serde(default)]
    pub vocabulary: Option<VocabularyFile>,
    /// Numbers of rows of its index.
    pub files: u64,
    /// Chunks.
    pub chunks: u64,
    /// Symbols.
    pub symbols: u64,
}

/// What a shard has built, `shards/<plan>/<number>.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardReport {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The id of the plan.
    pub plan: String,
    /// The number of the shard.
    pub shard: usize,
    /// What was built, by name.
    pub members: Vec<Member>,
    /// Which parts of sources were analysed, by name and number.
    #[serde(default)]
    pub parts: Vec<AnalyzedPart>,
    /// What could not be built.
    pub failed: Vec<Failure>,
}

/// A part of a source of which the analyses are at the location, or need not be there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnalyzedPart {
    /// The member's name.
    pub name: String,
    /// The number of the part, from 0.
    pub part: u32,
    /// Path of the analyses, relative to the location; none if an older index of the member has most of them.
    pub path: Option<String>,
    /// Their size in bytes.
    pub bytes: u64,
    /// The number of files.
    pub files: u64,
}

/// A source that could not be built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// The member's name.
    pub name: String,
    /// Why.
    pub reason: String,
}

impl Member {
    /// Describes the pack of an index.
    #[must_use]
    pub fn new(name: &str, pack: String, bytes: u64, profile: Profile, manifest: &Manifest) -> Self {
        Self {
            name: name.to_owned(),
            pack,
            bytes,
            profile: profile.to_string(),
            content_id: manifest.content_id.clone(),
            format_version: manifest.format_version,
            feature_version: manifest.feature_version,
            commit: manifest.repositories.first().and_then(|repository| repository.commit.clone()),
            languages: Vec::new(),
            vocabulary: None,
            files: manifest.rows("files"),
            chunks: manifest.rows("chunks"),
            symbols: manifest.rows("symbols"),
        }
    }

    /// The name of the folder in which a pull puts its index.
    #[must_use]
    pub fn folder(&self) -> String {
        escape_branch(&self.name)
    }

    /// The paths of its files, relative to the location.
    fn files(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.pack).chain(self.vocabulary.as_ref().map(|vocabulary| &vocabulary.path))
    }
}

impl Collection {
    /// Reads the list of a location; none if there is none.
    ///
    /// # Errors
    /// The location cannot be read, or the list is invalid.
    pub fn read(bucket: &Bucket) -> Result<Option<Self>> {
        let Some((found, _)) = read_json::<Self>(bucket, COLLECTION_FILE)? else { return Ok(None) };
        let unreadable = |what: String| Error::Unreadable { name: bucket.location_of(COLLECTION_FILE), what };
        if let Some(path) = found.members.iter().flat_map(Member::files).find(|path| !is_safe(path)) {
            return Err(unreadable(format!("it names '{path}', which is not one of its files")));
        }
        let mut names: Vec<&str> = found.members.iter().map(|member| member.name.as_str()).collect();
        names.sort_unstable();
        if names.first().is_some_and(|name| name.is_empty()) || names.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(unreadable("two members have the same name, or one has none".to_owned()));
        }
        Ok(Some(found))
    }

    /// The members that were pulled into `folder`; none if it is not a pulled collection.
    ///
    /// # Errors
    /// The list is invalid.
    pub fn pulled(folder: &Path) -> Result<Option<Self>> {
        let path = folder.join(COLLECTION_FILE);
        if !path.is_file() {
            return Ok(None);
        }
        let unreadable = |what: String| Error::Unreadable { name: path.display().to_string(), what };
        let found: Self =
            serde_json::from_slice(&fs_err::read(&path)?).map_err(|error| unreadable(error.to_string()))?;
        if found.members.is_empty() {
            return Err(unreadable("it has no member".to_owned()));
        }
        Ok(Some(found))
    }
}

/// The path of a shard's report.
#[must_use]
pub fn report_file(plan: &str, shard: usize) -> String {
    format!("shards/{}/{shard:05}.json", escape_branch(plan))
}

/// The path of a member's pack.
#[must_use]
pub fn pack_file(plan: &str, member: &str) -> String {
    format!("packs/{}/{}.sxt", escape_branch(plan), escape_branch(member))
}

/// The path of a member's vocabulary.
#[must_use]
pub fn vocabulary_file(plan: &str, member: &str) -> String {
    format!("packs/{}/{}.words", escape_branch(plan), escape_branch(member))
}

/// The path of the analyses of a part of a member's files.
#[must_use]
pub fn part_file(plan: &str, member: &str, part: u32) -> String {
    format!("parts/{}/{}.{part}.facts", escape_branch(plan), escape_branch(member))
}

/// The repository that a member is a state of: its name up to an `@`.
#[must_use]
pub fn repository_of(member: &str) -> &str {
    member.split_once('@').map_or(member, |(repository, _)| repository)
}

/// Whether a path of a list leads to one of its own files.
fn is_safe(path: &str) -> bool {
    path.starts_with("packs/") && is_safe_relative_path(path)
}

/// Reads a shard's report; none if the shard has not written one.
///
/// # Errors
/// The location cannot be read, or the report is invalid.
pub fn read_report(bucket: &Bucket, plan: &str, shard: usize) -> Result<Option<ShardReport>> {
    Ok(read_json(bucket, &report_file(plan, shard))?.map(|(report, _)| report))
}

/// Adds to a shard's report. What another machine has reported meanwhile stays: a member that either has built is built.
///
/// # Errors
/// The location cannot be written.
pub fn add_to_report(bucket: &Bucket, new: &ShardReport) -> Result<()> {
    update_json::<ShardReport>(bucket, &report_file(&new.plan, new.shard), |found| {
        let mut merged = ShardReport { schema_version: SCHEMA_VERSION, failed: Vec::new(), ..new.clone() };
        let (members, parts, failed) =
            found.map_or_else(Default::default, |found| (found.members, found.parts, found.failed));
        merged.parts.extend(parts);
        merged.parts.sort_by(|a, b| (&a.name, a.part).cmp(&(&b.name, b.part)));
        merged.parts.dedup_by(|a, b| (&a.name, a.part) == (&b.name, b.part));
        merged.members.extend(members);
        merged.members.sort_by(|a, b| a.name.cmp(&b.name));
        merged.members.dedup_by(|a, b| a.name == b.name);
        let is_built = |name: &str| {
            merged.members.iter().any(|member| member.name == name) || merged.parts.iter().any(|part| part.name == name)
        };
        let failed: Vec<Failure> =
            new.failed.iter().chain(&failed).filter(|failure| !is_built(&failure.name)).cloned().collect();
        merged.failed = failed;
        merged.failed.sort_by(|a, b| a.name.cmp(&b.name));
        merged.failed.dedup_by(|a, b| a.name == b.name);
        Some(merged)
    })
}

/// Replaces the list of a location, and removes the packs that the list before had replaced. `make` gets the list that
/// is there.
///
/// # Errors
/// The location cannot be read or written.
pub fn replace(bucket: &Bucket, mut make: impl FnMut(Option<&Collection>) -> Collection) -> Result<Collection> {
    let mut surplus = Vec::new();
    let mut made = Collection::default();
    update_json::<Collection>(bucket, COLLECTION_FILE, |found| {
        made = Collection { schema_version: SCHEMA_VERSION, ..make(found.as_ref()) };
        let is_listed = |path: &String| made.members.iter().flat_map(Member::files).any(|file| file == path);
        let found = found.unwrap_or_default();
        if made.plan == found.plan && made.members == found.members && made.missing == found.missing {
            return None;
        }
        let before = found.members.iter().flat_map(Member::files).filter(|path| is_safe(path));
        let replaced: Vec<String> = before.filter(|path| !is_listed(path)).cloned().collect();
        let is_kept = |path: &String| is_listed(path) || replaced.contains(path);
        surplus = found.replaced.into_iter().filter(|path| !is_kept(path) && is_safe(path)).collect();
        made.replaced = replaced;
        Some(made.clone())
    })?;
    // From here on the list is correct; what cannot be removed only takes space.
    for pack in &surplus {
        bucket.remove(pack)?;
    }
    Ok(made)
}

/// Writes the list of the members that were pulled into a folder.
///
/// # Errors
/// The file cannot be written.
pub fn write_pulled(folder: &Path, pulled: &Collection) -> Result<()> {
    let bucket = Bucket::open(&folder.to_string_lossy())?;
    let bytes = serde_json::to_vec_pretty(pulled).map_err(std::io::Error::from)?;
    Ok(bucket.put(COLLECTION_FILE, &bytes, &PutCondition::Always)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, content: &str) -> Member {
        let manifest = Manifest { content_id: content.to_owned(), ..Manifest::default() };
        Member::new(name, pack_file(content, name), 1, Profile::Query, &manifest)
    }

    #[test]
    fn reports_of_two_machines_are_one() {
        let dir = tempfile::tempdir().unwrap();
        let bucket = Bucket::open(&dir.path().to_string_lossy()).unwrap();
        let report = |members: &[&str], failed: &[&str]| ShardReport {
            plan: "p".to_owned(),
            shard: 3,
            members: members.iter().map(|name| member(name, "c")).collect(),
            failed: failed.iter().map(|name| Failure { name: (*name).to_owned(), reason: "no".to_owned() }).collect(),
            ..ShardReport::default()
        };
        add_to_report(&bucket, &report(&["a"], &["b", "c"])).unwrap();
        add_to_report(&bucket, &report(&["b", "a"], &["d"])).unwrap();
        let found = read_report(&bucket, "p", 3).unwrap().unwrap();
        let names: Vec<&str> = found.members.iter().map(|member| member.name.as_str()).collect();
        let failed: Vec<&str> = found.failed.iter().map(|failure| failure.name.as_str()).collect();
        assert_eq!((names, failed), (vec!["a", "b"], vec!["c", "d"]));
        assert_eq!(read_report(&bucket, "p", 4).unwrap(), None);
    }

    #[test]
    fn packs_stay_for_one_more_list() {
        let dir = tempfile::tempdir().unwrap();
        let bucket = Bucket::open(&dir.path().to_string_lossy()).unwrap();
        let file = dir.path().join("x");
        fs_err::write(&file, "pack").unwrap();
        let list = |content: &str| {
            let members = vec![member("team/a", content)];
            bucket.upload(&members[0].pack, &file, |_| {}).unwrap();
            replace(&bucket, |_| Collection {
                plan: content.to_owned(),
                members: members.clone(),
                ..Collection::default()
            })
            .unwrap()
        };
        let exists = |content: &str| dir.path().join(pack_file(content, "team/a")).exists();
        list("1");
        list("2");
        assert!(exists("1") && exists("2"));
        // The same again changes nothing.
        assert_eq!(list("2").plan, "2");
        assert_eq!(Collection::read(&bucket).unwrap().unwrap().replaced, [pack_file("1", "team/a")]);
        list("3");
        assert!(!exists("1") && exists("2") && exists("3"));
    }

    #[test]
    fn a_list_leads_nowhere_else() {
        let dir = tempfile::tempdir().unwrap();
        let bucket = Bucket::open(&dir.path().to_string_lossy()).unwrap();
        for pack in ["../other.sxt", "packs/../../x.sxt", "/etc/passwd", "index.json"] {
            let list = Collection {
                members: vec![Member { pack: pack.to_owned(), ..member("a", "1") }],
                ..Collection::default()
            };
            bucket.put(COLLECTION_FILE, &serde_json::to_vec(&list).unwrap(), &PutCondition::Always).unwrap();
            assert!(Collection::read(&bucket).is_err(), "{pack}");
            let vocabulary = VocabularyFile { path: pack.to_owned(), bytes: 0, blake3: String::new() };
            let list = Collection {
                members: vec![Member { vocabulary: Some(vocabulary), ..member("a", "1") }],
                ..Collection::default()
            };
            bucket.put(COLLECTION_FILE, &serde_json::to_vec(&list).unwrap(), &PutCondition::Always).unwrap();
            assert!(Collection::read(&bucket).is_err(), "{pack}");
        }
        assert_eq!(member("../../x", "1").folder(), "=2E.=2F..=2Fx");
    }
}

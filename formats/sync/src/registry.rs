//! What a place holds that packs are published to: which packs, for which branches, and which is the latest.
//!
//! ```text
//! PLACE/
//!   index.json               the branches, and the one that is meant where none is named
//!   branches/<branch>.json   what is published for a branch, the latest first
//!   packs/<branch>/<name>.sxt
//! ```
//!
//! A pack is there before a branch names it and is never changed; a branch's file is replaced by a conditional write.
//! So whoever reads finds the old state or the new one. In names of branches, what is neither a letter or digit nor one
//! of `-_.` is written as `%XX`.

use serde::{Deserialize, Serialize};

use crate::pack::Profile;
use sextant_format::manifest::Manifest;

/// The file that lists the branches.
pub const INDEX_FILE: &str = "index.json";
/// The version of these files.
pub const SCHEMA_VERSION: u32 = 1;

/// The branches of a place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchIndex {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The branch that is meant where none is named.
    pub default: String,
    /// All of them, sorted.
    pub branches: Vec<String>,
}

/// What is published for a branch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedBranch {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Its name.
    pub branch: String,
    /// The latest first.
    pub entries: Vec<PublishedPack>,
}

/// A published pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedPack {
    /// The pack, relative to the place.
    pub pack: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// `query` or `full`.
    pub profile: String,
    /// The content id of its index.
    pub content_id: String,
    /// The layout of its index.
    pub format_version: u32,
    /// Files in its index.
    pub files: u64,
    /// What was indexed.
    pub repositories: Vec<PublishedRepository>,
    /// When it was published, in seconds since 1970.
    pub published_unix_seconds: u64,
}

/// A repository of a published index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedRepository {
    /// Its name.
    pub name: String,
    /// Its commit, where it was a git checkout.
    pub commit: Option<String>,
}

impl PublishedPack {
    /// The entry of a pack.
    #[must_use]
    pub fn new(pack: String, bytes: u64, profile: Profile, manifest: &Manifest, published: u64) -> Self {
        let repositories = manifest.repositories.iter();
        Self {
            pack,
            bytes,
            profile: profile.to_string(),
            content_id: manifest.content_id.clone(),
            format_version: manifest.format_version,
            files: manifest.rows("files"),
            repositories: repositories
                .map(|r| PublishedRepository { name: r.name.clone(), commit: r.commit.clone() })
                .collect(),
            published_unix_seconds: published,
        }
    }

    /// Whether the pack's name is one that a place may hold: below `packs`, and nowhere else.
    #[must_use]
    pub fn has_safe_path(&self) -> bool {
        self.pack.starts_with("packs/") && sextant_format::manifest::is_safe_relative_path(&self.pack)
    }
}

/// A branch's name as a part of a path.
#[must_use]
pub fn escape_branch(branch: &str) -> String {
    let mut name = String::with_capacity(branch.len());
    for byte in branch.bytes() {
        // A name that begins with a point is hidden, or leads elsewhere.
        let is_plain = byte.is_ascii_alphanumeric() || b"-_".contains(&byte) || byte == b'.' && !name.is_empty();
        if is_plain {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("%{byte:02X}"));
        }
    }
    name
}

/// The file of a branch.
#[must_use]
pub fn branch_file(branch: &str) -> String {
    format!("branches/{}.json", escape_branch(branch))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branch_names_are_escaped_for_paths() {
        for (branch, name) in [("main", "main"), ("feature/a b", "feature%2Fa%20b"), ("..", "%2E."), ("ä", "%C3%A4")] {
            assert_eq!(escape_branch(branch), name);
        }
    }
}

//! The files of a location that packs are published to: its branches, their packs, and the latest of each.
//!
//! ```text
//! LOCATION/
//!   index.json               the branches, and the default branch
//!   branches/<branch>.json   the packs of a branch, latest first
//!   packs/<branch>/<name>.sxt
//! ```
//!
//! A pack is uploaded before a branch names it, and never changes; a branch's file is replaced by a conditional write.
//! So readers see the old state or the new one. In names of branches, characters other than letters, digits and `-_.`
//! are escaped as `%XX`.

use serde::{Deserialize, Serialize};

use crate::pack::Profile;
use sextant_format::manifest::Manifest;

/// The file that lists the branches.
pub const INDEX_FILE: &str = "index.json";
/// The schema version of these files.
pub const SCHEMA_VERSION: u32 = 1;

/// The list of branches, `index.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchIndex {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The branch that is used if none is named.
    pub default: String,
    /// All branches, sorted.
    pub branches: Vec<String>,
}

/// The packs of a branch, `branches/<branch>.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedBranch {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Its name.
    pub branch: String,
    /// The packs, latest first.
    pub entries: Vec<PublishedPack>,
}

/// A published pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedPack {
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
    /// Number of files in its index.
    pub files: u64,
    /// The indexed repositories.
    pub repositories: Vec<PublishedRepository>,
    /// Time of publication, in seconds since 1970.
    pub published_unix_seconds: u64,
}

/// A repository of a published index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedRepository {
    /// Its name.
    pub name: String,
    /// Its commit, if it was a git checkout.
    pub commit: Option<String>,
}

impl PublishedPack {
    /// Creates the entry of a pack.
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

    /// Whether the pack's path is below `packs`.
    #[must_use]
    pub fn has_safe_path(&self) -> bool {
        self.pack.starts_with("packs/") && sextant_format::manifest::is_safe_relative_path(&self.pack)
    }
}

/// Escapes a branch's name for use in a path.
#[must_use]
pub fn escape_branch(branch: &str) -> String {
    let mut name = String::with_capacity(branch.len());
    for byte in branch.bytes() {
        // A leading dot would hide the file or lead to another folder.
        let is_plain = byte.is_ascii_alphanumeric() || b"-_".contains(&byte) || byte == b'.' && !name.is_empty();
        if is_plain {
            name.push(char::from(byte));
        } else {
            name.push_str(&format!("={byte:02X}"));
        }
    }
    name
}

/// The path of a branch's file.
#[must_use]
pub fn branch_file(branch: &str) -> String {
    format!("branches/{}.json", escape_branch(branch))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branch_names_are_escaped_for_paths() {
        for (branch, name) in
            [("main", "main"), ("feature/a b", "feature=2Fa=20b"), ("..", "=2E."), ("a=b", "a=3Db"), ("ä", "=C3=A4")]
        {
            assert_eq!(escape_branch(branch), name);
        }
    }
}

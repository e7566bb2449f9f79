//! The answer of `duplicates`.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_search::{DirtyFiles, duplicates};

use super::SCHEMA_VERSION;
use crate::location::Location;

/// Groups of functions that are copies or near copies of each other.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DuplicatesAnswer {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The groups, those with the most lines first.
    pub groups: Vec<DuplicateGroup>,
    /// The number of all groups, listed or not.
    pub total: usize,
    /// The number of functions that were compared.
    pub compared: usize,
    /// Whether vectors helped to compare them.
    pub with_vectors: bool,
}

/// Functions that are copies of each other.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct DuplicateGroup {
    /// Whether all have the same tokens.
    pub identical: bool,
    /// The smallest share of fingerprints by which two of them were joined, 0 to 1.
    pub similarity: f32,
    /// The lines that would be gone if only the longest one were kept.
    pub lines: u32,
    /// The functions.
    pub members: Vec<Duplicate>,
}

/// A function that has copies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Duplicate {
    /// Its location.
    #[serde(flatten)]
    pub location: Location,
    /// Its name with its owners.
    pub qualified_name: String,
    /// Whether it is test code.
    pub is_test: bool,
}

impl Duplicate {
    pub(crate) fn new(found: duplicates::Duplicate, dirty_files: &DirtyFiles) -> Self {
        Self {
            location: Location::new(dirty_files, &found.repo, &found.path, found.start_line, found.end_line),
            qualified_name: found.qualified_name,
            is_test: found.is_test,
        }
    }
}

impl DuplicatesAnswer {
    pub(crate) fn new(found: duplicates::Duplicates, dirty_files: &DirtyFiles) -> Self {
        let member = |member| Duplicate::new(member, dirty_files);
        let group = |group: duplicates::DuplicateGroup| DuplicateGroup {
            identical: group.identical,
            similarity: group.similarity,
            lines: group.lines,
            members: group.members.into_iter().map(member).collect(),
        };
        Self {
            schema_version: SCHEMA_VERSION,
            command: "duplicates",
            groups: found.groups.into_iter().map(group).collect(),
            total: found.total,
            compared: found.compared,
            with_vectors: found.with_vectors,
        }
    }
}

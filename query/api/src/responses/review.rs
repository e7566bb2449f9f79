//! The answer of `review`.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_search::duplicates::Repeated;
use sextant_search::history::UsualCompanion;
use sextant_search::similarity::{NearFile, Novelty};
use sextant_search::{DirtyFiles, navigate};

use super::duplicates::Duplicate;
use super::graph::ReachedSymbol;
use super::vectors::NoveltyAnswer;
use super::{Definition, SCHEMA_VERSION, ScoredFile};
use crate::location::FileLocation;

/// What to look at in a change.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReviewAnswer {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The innermost symbols that the diff changes.
    pub changed: Vec<Definition>,
    /// The files at whose changed lines the index has no symbol.
    pub unknown: Vec<String>,
    /// What calls the changed symbols and is neither changed nor a test.
    pub callers: Vec<ReachedSymbol>,
    /// Whether there are more callers than listed.
    pub more_callers: bool,
    /// The tests that the change can affect.
    pub tests: Vec<ReachedSymbol>,
    /// Whether there are more tests than listed.
    pub more_tests: bool,
    /// Test files whose vectors are near to those of the changed files, and in which the graph found no test: guesses.
    pub near_tests: Vec<ScoredFile>,
    /// Files that the diff does not change, although at least five commits and 70 percent of those that changed one of its
    /// files changed them, too. Empty without a git history.
    pub usually_changed_too: Vec<UsuallyChanged>,
    /// How new the added lines of each file are, compared with all files that the diff does not change.
    pub novelty: NoveltyAnswer,
    /// Functions that added lines repeat.
    pub repeated: Vec<RepeatedFunction>,
    /// What was unavailable.
    pub degraded: Vec<String>,
}

/// A file that usually changes with one of a diff.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct UsuallyChanged {
    /// The file.
    #[serde(flatten)]
    pub file: FileLocation,
    /// The path of the file of the diff.
    pub with: String,
    /// The number of commits that changed both.
    pub commits: usize,
    /// The number of commits that changed the file of the diff.
    pub of_commits: usize,
}

/// A function that added lines repeat.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RepeatedFunction {
    /// The path of the file with the added lines.
    pub by: String,
    /// The share of the function's fingerprints that are in the added lines, 0 to 1.
    pub share: f32,
    /// The function.
    #[serde(flatten)]
    pub function: Duplicate,
}

/// What a review found, before it is an answer.
pub(crate) struct ReviewParts {
    pub(crate) start: Vec<navigate::Definition>,
    pub(crate) unknown: Vec<String>,
    pub(crate) tests: Vec<navigate::ReachedSymbol>,
    pub(crate) more_tests: bool,
    pub(crate) near: Vec<NearFile>,
    pub(crate) callers: Vec<navigate::ReachedSymbol>,
    pub(crate) more_callers: bool,
    pub(crate) missed: Vec<UsualCompanion>,
    pub(crate) novelty: Novelty,
    pub(crate) copies: Vec<(String, Repeated)>,
}

impl ReviewAnswer {
    pub(crate) fn new(parts: ReviewParts, degraded: Vec<String>, dirty_files: &DirtyFiles) -> Self {
        let repeated = |(by, repeated): (String, Repeated)| RepeatedFunction {
            by,
            share: repeated.share,
            function: Duplicate::new(repeated.function, dirty_files),
        };
        let missed = |missed: UsualCompanion| UsuallyChanged {
            file: FileLocation::new(dirty_files, &missed.repo, &missed.path),
            with: missed.with,
            commits: missed.commits,
            of_commits: missed.of,
        };
        Self {
            schema_version: SCHEMA_VERSION,
            command: "review",
            changed: Definition::list(parts.start, dirty_files),
            unknown: parts.unknown,
            callers: ReachedSymbol::list(parts.callers, dirty_files),
            more_callers: parts.more_callers,
            tests: ReachedSymbol::list(parts.tests, dirty_files),
            more_tests: parts.more_tests,
            near_tests: parts.near.into_iter().map(|near| ScoredFile::new(near, dirty_files)).collect(),
            usually_changed_too: parts.missed.into_iter().map(missed).collect(),
            novelty: NoveltyAnswer::new(parts.novelty, dirty_files),
            repeated: parts.copies.into_iter().map(repeated).collect(),
            degraded,
        }
    }
}

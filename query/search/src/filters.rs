//! Which chunks a request asks for. [`crate::retrieve`] turns this into the set of chunks.

use sextant_format::kinds::Kind;

/// Restricts results. An empty list allows everything; the words of one list are alternatives.
#[derive(Clone, Debug, Default)]
pub struct Filters {
    /// Kinds of chunks.
    pub kinds: Vec<Kind>,
    /// Languages.
    pub languages: Vec<String>,
    /// Globs over paths.
    pub paths: Vec<String>,
    /// Repositories.
    pub repos: Vec<String>,
}

impl Filters {
    /// Whether everything is allowed.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.languages.is_empty() && self.paths.is_empty() && self.repos.is_empty()
    }
}

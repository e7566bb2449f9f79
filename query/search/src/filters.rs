//! Which chunks a request asks for. [`crate::retrieve`] turns this into the set of chunks.

use globset::{GlobBuilder, GlobMatcher};
use sextant_format::kinds::Kind;

use crate::{Error, Result};

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

/// Globs over paths. A glob without `/` matches names in any folder; a glob that matches a folder matches everything in it.
#[derive(Clone, Debug, Default)]
pub struct PathGlobs(Vec<GlobMatcher>);

impl PathGlobs {
    /// # Errors
    /// A glob cannot be understood.
    pub fn new(globs: &[String]) -> Result<Self> {
        let mut matchers = Vec::with_capacity(2 * globs.len());
        for glob in globs {
            let wrong = |error: globset::Error| {
                Error::Argument(format!("the glob '{glob}' cannot be understood: {}", error.kind()))
            };
            let anywhere =
                if glob.contains('/') { glob.trim_start_matches("./").to_owned() } else { format!("**/{glob}") };
            for pattern in [anywhere.clone(), format!("{}/**", anywhere.trim_end_matches('/'))] {
                // As in ignore files, `*` stays within a folder and `**` does not.
                let glob = GlobBuilder::new(&pattern).literal_separator(true).build();
                matchers.push(glob.map_err(wrong)?.compile_matcher());
            }
        }
        Ok(Self(matchers))
    }

    /// Whether there are no globs, so that everything is allowed.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a path is allowed: one of the globs matches it, or there are none.
    #[must_use]
    pub fn allows(&self, path: &str) -> bool {
        self.is_empty() || self.0.iter().any(|glob| glob.is_match(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(glob: &str, path: &str) -> bool {
        PathGlobs::new(&[glob.to_owned()]).unwrap().allows(path)
    }

    #[test]
    fn globs_match_names_and_folders() {
        assert!(allows("*.rs", "a/b/c.rs"));
        assert!(allows("src", "a/src/c.rs"));
        assert!(allows("./a/b", "a/b/c/d.rs"));
        assert!(allows("a/**/d.rs", "a/b/c/d.rs"));
        assert!(!allows("b/c", "a/b/c/d.rs"));
        assert!(allows("a/*.rs", "a/d.rs") && !allows("a/*.rs", "a/b/d.rs"));
        assert!(allows("a/b*", "a/bc/d.rs") && allows("**/d*", "a/b/d.rs"));
        assert!(PathGlobs::default().allows("a"));
        assert!(PathGlobs::new(&["a[".to_owned()]).is_err());
    }
}

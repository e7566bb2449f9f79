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
/// One that begins with `!` excludes what it matches.
#[derive(Clone, Debug, Default)]
pub struct PathGlobs {
    /// What is allowed; empty for everything.
    included: Vec<GlobMatcher>,
    excluded: Vec<GlobMatcher>,
}

impl PathGlobs {
    /// # Errors
    /// A glob cannot be understood.
    pub fn new(globs: &[String]) -> Result<Self> {
        let (mut included, mut excluded) = (Vec::with_capacity(2 * globs.len()), Vec::new());
        for glob in globs {
            let (glob, matchers) = match glob.strip_prefix('!') {
                Some(glob) => (glob, &mut excluded),
                None => (glob.as_str(), &mut included),
            };
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
        Ok(Self { included, excluded })
    }

    /// Whether there are no globs, so that everything is allowed.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.included.is_empty() && self.excluded.is_empty()
    }

    /// Whether a path is allowed: one of the globs matches it, or there are none, and none excludes it.
    #[must_use]
    pub fn allows(&self, path: &str) -> bool {
        let is_in = |globs: &[GlobMatcher]| globs.iter().any(|glob| glob.is_match(path));
        (self.included.is_empty() || is_in(&self.included)) && !is_in(&self.excluded)
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
        assert!(allows("!*_test.go", "a/b.go") && !allows("!*_test.go", "a/b_test.go") && !allows("!a", "a/b.go"));
        let both = PathGlobs::new(&["a".to_owned(), "!b".to_owned()]).unwrap();
        assert!(both.allows("a/c.rs") && !both.allows("a/b/c.rs") && !both.allows("c.rs"));
        assert!(PathGlobs::new(&["a[".to_owned()]).is_err());
    }
}

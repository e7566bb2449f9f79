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
    included: Vec<Glob>,
    excluded: Vec<Glob>,
}

#[derive(Clone, Debug)]
struct Glob {
    /// The only repository in which it matches anything.
    repository: Option<String>,
    matchers: [GlobMatcher; 2],
}

impl Glob {
    fn new(glob: &str, repository: Option<String>) -> Result<Self> {
        let wrong = |error: globset::Error| {
            Error::Argument(format!("the glob '{glob}' cannot be understood: {}", error.kind()))
        };
        let is_at_root = repository.is_some() || glob.contains('/');
        let pattern = if is_at_root { glob.trim_start_matches("./").to_owned() } else { format!("**/{glob}") };
        // As in ignore files, `*` stays within a folder and `**` does not.
        let matcher = |pattern: &str| {
            GlobBuilder::new(pattern).literal_separator(true).build().map(|glob| glob.compile_matcher()).map_err(wrong)
        };
        let inside = format!("{}/**", pattern.trim_end_matches('/'));
        Ok(Self { repository, matchers: [matcher(&pattern)?, matcher(&inside)?] })
    }

    fn matches(&self, path: &str) -> bool {
        self.matchers.iter().any(|matcher| matcher.is_match(path))
    }

    fn matches_in(&self, repo: &str, path: &str) -> bool {
        self.repository.as_deref().is_none_or(|repository| repository == repo) && self.matches(path)
    }
}

impl PathGlobs {
    /// Globs over the paths inside of repositories.
    ///
    /// # Errors
    /// A glob cannot be understood.
    pub fn new(globs: &[String]) -> Result<Self> {
        Self::with_repositories(globs, |_| Ok(None))
    }

    /// Globs of which some begin with a repository's name, as answers print paths if there are several: `repository_of` says
    /// which.
    ///
    /// # Errors
    /// A glob cannot be understood, or `repository_of` fails.
    pub(crate) fn with_repositories<'g>(
        globs: &'g [String],
        repository_of: impl Fn(&'g str) -> Result<Option<(&'g str, &'g str)>>,
    ) -> Result<Self> {
        let mut all = Self::default();
        for glob in globs {
            let (glob, list) = match glob.strip_prefix('!') {
                Some(glob) => (glob, &mut all.excluded),
                None => (glob.as_str(), &mut all.included),
            };
            list.push(match repository_of(glob)? {
                Some((repository, inside)) => Glob::new(inside, Some(repository.to_owned()))?,
                None => Glob::new(glob, None)?,
            });
        }
        Ok(all)
    }

    /// Whether there are no globs, so that everything is allowed.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.included.is_empty() && self.excluded.is_empty()
    }

    /// Whether a path is allowed: one of the globs matches it, or there are none, and none excludes it.
    #[must_use]
    pub fn allows(&self, repo: &str, path: &str) -> bool {
        let is_in = |globs: &[Glob]| globs.iter().any(|glob| glob.matches_in(repo, path));
        (self.included.is_empty() || is_in(&self.included)) && !is_in(&self.excluded)
    }

    /// Whether all globs match in all repositories.
    pub(crate) fn are_of_all_repositories(&self) -> bool {
        self.included.iter().chain(&self.excluded).all(|glob| glob.repository.is_none())
    }

    /// Whether a glob matches a path in some repository.
    pub(crate) fn may_match(&self, path: &str) -> bool {
        self.included.iter().chain(&self.excluded).any(|glob| glob.matches(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(glob: &str, path: &str) -> bool {
        PathGlobs::new(&[glob.to_owned()]).unwrap().allows("r", path)
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
        assert!(PathGlobs::default().allows("r", "a"));
        assert!(allows("!*_test.go", "a/b.go") && !allows("!*_test.go", "a/b_test.go") && !allows("!a", "a/b.go"));
        let both = PathGlobs::new(&["a".to_owned(), "!b".to_owned()]).unwrap();
        assert!(both.allows("r", "a/c.rs") && !both.allows("r", "a/b/c.rs") && !both.allows("r", "c.rs"));
        assert!(PathGlobs::new(&["a[".to_owned()]).is_err());
    }

    #[test]
    fn a_glob_may_be_of_one_repository() {
        let globs = ["server/src/*.rs".to_owned(), "*.md".to_owned()];
        let globs = PathGlobs::with_repositories(&globs, |glob| Ok(glob.split_once('/').filter(|_| glob.len() > 4)));
        let globs = globs.unwrap();
        assert!(globs.allows("server", "src/a.rs") && !globs.allows("ui", "src/a.rs"));
        assert!(!globs.allows("server", "server/src/a.rs") && globs.allows("ui", "docs/a.md"));
        assert!(!globs.are_of_all_repositories() && globs.may_match("src/a.rs"));
    }
}

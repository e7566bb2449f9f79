//! Files by their names: paths, folders and globs.

use globset::{GlobBuilder, GlobMatcher};
use sextant_format::ids::FileId;

use super::matrix::{FileName, Similarity};
use crate::{Error, Result};

/// The files that names and globs select.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The rows of those with a vector, ascending.
    pub(super) rows: Vec<usize>,
    /// The number of those without one.
    pub without_vector: usize,
    /// What selects no file of the index.
    pub unknown: Vec<String>,
}

impl Selection {
    /// The number of files with a vector.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no file with a vector.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// What a word selects.
enum Pattern {
    /// A glob: over the path if it contains `/`, else over the file's name.
    Glob { matcher: GlobMatcher, of_path: bool },
    /// A file, the end of its path, or a folder.
    Path(String),
}

impl Pattern {
    fn parse(word: &str) -> Result<Self> {
        if word.contains(['*', '?', '[', '{']) {
            let wrong = |error: globset::Error| Error::Argument(format!("'{word}' is not a glob: {error}"));
            let glob = GlobBuilder::new(word).literal_separator(true).build().map_err(wrong)?;
            return Ok(Self::Glob { matcher: glob.compile_matcher(), of_path: word.contains('/') });
        }
        let path = word.trim_start_matches("./").trim_end_matches('/');
        Ok(Self::Path(if path == "." { String::new() } else { path.to_owned() }))
    }

    /// How well a file fits: 4 for the file of this path, 3 for a file below this folder, 2 for a file of this repository,
    /// 1 for a file whose path ends with it, 0 for no other. Only the files that fit best are meant.
    fn fits(&self, file: &FileName) -> u8 {
        match self {
            Self::Glob { matcher, of_path: false } => {
                u8::from(matcher.is_match(file.path.rsplit('/').next().unwrap_or(&file.path)))
            }
            Self::Glob { matcher, of_path: true } => {
                u8::from(matcher.is_match(&file.path) || matcher.is_match(format!("{}/{}", file.repo, file.path)))
            }
            Self::Path(path) => {
                let in_repo = path.strip_prefix(&file.repo).and_then(|rest| rest.strip_prefix('/'));
                let is_below = |folder: &str| file.path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
                if file.path == *path || in_repo == Some(file.path.as_str()) {
                    4
                } else if path.is_empty() || is_below(path) || in_repo.is_some_and(is_below) {
                    3
                } else if *path == file.repo {
                    2
                } else {
                    u8::from(file.path.strip_suffix(path.as_str()).is_some_and(|rest| rest.ends_with('/')))
                }
            }
        }
    }
}

impl Similarity<'_> {
    /// Returns the files that paths, the ends of paths, folders or globs select; all files for an empty list.
    ///
    /// # Errors
    /// A glob is malformed.
    pub fn select(&self, words: &[String]) -> Result<Selection> {
        let mut files: Vec<FileId> = Vec::new();
        let mut unknown = Vec::new();
        if words.is_empty() {
            files.extend((0..usize::try_from(self.index.file_rows()?.len()).unwrap_or(0)).map(FileId::at));
        }
        for word in words {
            let pattern = Pattern::parse(word)?;
            let fits: Vec<u8> = self.names()?.iter().map(|name| pattern.fits(name)).collect();
            let best = fits.iter().copied().max().unwrap_or(0);
            if best == 0 {
                unknown.push(word.clone());
                continue;
            }
            files.extend((0..fits.len()).filter(|&n| fits[n] == best).map(FileId::at));
        }
        files.sort_unstable();
        files.dedup();
        let rows: Vec<usize> = files.iter().filter_map(|&file| self.row_of(file)).collect();
        Ok(Selection { without_vector: files.len() - rows.len(), rows, unknown })
    }

    /// The selection of files of the index.
    pub(crate) fn select_files(&self, files: &[FileId]) -> Selection {
        let mut rows: Vec<usize> = files.iter().filter_map(|&file| self.row_of(file)).collect();
        rows.sort_unstable();
        rows.dedup();
        Selection { without_vector: files.len() - rows.len(), rows, unknown: Vec::new() }
    }

    /// Whether each row may be in an answer: its file fits the glob or path, or there is none.
    pub(super) fn allowed(&self, filter: Option<&str>) -> Result<Vec<bool>> {
        let Some(filter) = filter.filter(|filter| !filter.is_empty()) else { return Ok(vec![true; self.rows()]) };
        let selection = self.select(&[filter.to_owned()])?;
        let mut allowed = vec![false; self.rows()];
        selection.rows.iter().for_each(|&row| allowed[row] = true);
        Ok(allowed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_select_files_folders_and_ends_of_paths() {
        let file = |path: &str| FileName { repo: "r".to_owned(), path: path.to_owned() };
        let fits = |word: &str, path: &str| Pattern::parse(word).unwrap().fits(&file(path));
        for (word, path, expected) in [
            ("src/a.rs", "src/a.rs", 4),
            ("./src/a.rs", "src/a.rs", 4),
            ("r/src/a.rs", "src/a.rs", 4),
            ("src/", "src/a.rs", 3),
            ("r/src", "src/a.rs", 3),
            ("r", "src/a.rs", 2),
            (".", "src/a.rs", 3),
            ("a.rs", "src/a.rs", 1),
            ("sr", "src/a.rs", 0),
            ("b.rs", "src/ab.rs", 0),
            ("*.rs", "src/a.rs", 1),
            ("*_test.go", "x/y_test.go", 1),
            ("src/*.rs", "src/deep/a.rs", 0),
            ("src/**", "src/deep/a.rs", 1),
            ("r/src/*.rs", "src/a.rs", 1),
        ] {
            assert_eq!(fits(word, path), expected, "{word} {path}");
        }
        assert!(Pattern::parse("a[").is_err());
    }
}

//! The set of files that one file includes. Must not know how an include is resolved.

use std::ops::Range;

use sextant_format::ids::FileId;

/// The files that the file which is resolved includes, directly or not.
#[derive(Default)]
pub(crate) struct IncludedFiles {
    root: FileId,
    pub(crate) is_known: bool,
    files: Vec<FileId>,
    /// For each file of the index, whether it is one of `files`.
    is_included: Vec<bool>,
    /// What each file includes itself, as a range of `includes`; `None` if it was not asked for. Side by side, because
    /// every file follows hundreds of them.
    rows: Vec<Option<Range<usize>>>,
    includes: Vec<FileId>,
}

impl IncludedFiles {
    /// Begins the resolution of a file.
    pub(crate) fn begin(&mut self, file: FileId) {
        for file in self.files.drain(..) {
            self.is_included[file.index()] = false;
        }
        self.root = file;
        self.is_known = false;
    }

    /// Follows the includes of the file. `count` is the number of all files.
    pub(crate) fn compute<'i>(&mut self, count: usize, includes: impl Fn(FileId) -> &'i [FileId]) {
        self.is_included.resize(count, false);
        self.rows.resize(count, None);
        self.files.push(self.root);
        self.is_included[self.root.index()] = true;
        let mut next = 0;
        while let Some(&from) = self.files.get(next) {
            let row = self.rows[from.index()].get_or_insert_with(|| {
                let start = self.includes.len();
                self.includes.extend_from_slice(includes(from));
                start..self.includes.len()
            });
            for &included in &self.includes[row.clone()] {
                if !self.is_included[included.index()] {
                    self.is_included[included.index()] = true;
                    self.files.push(included);
                }
            }
            next += 1;
        }
        self.is_known = true;
    }

    /// Whether the file is another one, or includes it.
    pub(crate) fn contains(&self, other: FileId) -> bool {
        self.is_included.get(other.index()).copied().unwrap_or(false)
    }
}

//! The macros of a repository by name, as a file sees them. Must not know what a macro means.

use rustc_hash::{FxHashMap, FxHashSet};

use super::defines::{Define, FileMacros};

/// The macros of a repository, by name.
pub(super) struct Defines<'a> {
    pub(super) by_name: FxHashMap<&'a str, Vec<(&'a FileMacros, &'a Define)>>,
    /// Hashes of the names of macros that are values.
    pub(super) values: FxHashSet<u64>,
}

impl<'a> Defines<'a> {
    pub(super) fn new(files: &'a [FileMacros]) -> Self {
        let mut by_name: FxHashMap<&str, Vec<_>> = FxHashMap::default();
        let mut values = FxHashSet::default();
        for file in files {
            values.extend(&file.values);
            for define in &file.defines {
                by_name.entry(define.name.as_str()).or_default().push((file, define));
            }
        }
        Self { by_name, values }
    }

    /// The definitions of a macro that the file at `path` may see: its own, or those of files that are included.
    pub(super) fn visible(&self, name: &str, path: &str) -> impl Iterator<Item = (&'a FileMacros, &'a Define)> {
        let all = self.by_name.get(name).map_or(&[][..], Vec::as_slice);
        let has_own = all.iter().any(|(file, _)| file.path == path);
        let path = path.to_owned();
        all.iter().copied().filter(move |(file, define)| if has_own { file.path == path } else { !define.is_own })
    }

    /// The definition that a use in the file at `path` most likely means: the nearest, and one that is not empty.
    pub(super) fn nearest(&self, name: &str, path: &str) -> Option<(&'a FileMacros, &'a Define)> {
        let distance = |file: &FileMacros| {
            let common = file.path.split('/').zip(path.split('/')).take_while(|(a, b)| a == b).count();
            (file.path != path, usize::MAX - common)
        };
        self.visible(name, path).min_by_key(|(file, define)| (define.body.is_empty(), distance(file)))
    }
}

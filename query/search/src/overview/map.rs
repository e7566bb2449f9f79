//! `map`: the modules of an index, what each exports, and how they use each other.
//!
//! A module is a folder. Folders are divided, the one with the most symbols first, until there are as many as
//! requested. The importance of a symbol is the number of files that use it.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use rustc_hash::FxHashMap;
use sextant_format::file_uses::FileUses;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::Kind;
use sextant_format::tables::FileRow;

use super::overviews::Overviews;
use crate::navigate::{Definition, read_definitions};
use crate::{Error, Result};

/// The modules of an index.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// The modules, the one with the most symbols first.
    pub modules: Vec<Module>,
    /// How they use each other, the strongest first.
    pub connections: Vec<Connection>,
    /// The most important symbols of all.
    pub important: Vec<Export>,
}

/// A folder with the files in it that are in no other module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    /// The repository.
    pub repo: String,
    /// The folder, relative to the repository's root; `.` for the root itself.
    pub path: String,
    /// The number of its files.
    pub files: u64,
    /// The number of their lines.
    pub lines: u64,
    /// The number of symbols that they define.
    pub symbols: u64,
    /// Files by language, the most frequent first.
    pub languages: Vec<(String, u64)>,
    /// Whether most of its files are tests.
    pub is_test: bool,
    /// Its symbols that other files use, the most used first.
    pub exports: Vec<Export>,
    /// Its files, ascending.
    pub file_ids: Vec<FileId>,
}

/// A symbol that other files use.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// The symbol.
    pub definition: Definition,
    /// The number of files that use it, without its own.
    pub used_by: u64,
}

/// How one module uses another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// The position of the using module in [`Map::modules`].
    pub from: usize,
    /// The position of the used module.
    pub to: usize,
    /// The number of edges from symbols of the one to symbols of the other.
    pub uses: u64,
}

/// Limits of a map.
#[derive(Clone, Copy, Debug)]
pub struct MapLimits {
    /// Modules at most. Repositories are not merged, so there is at least one for each.
    pub modules: usize,
    /// Exports that are listed for each module.
    pub exports: usize,
    /// Symbols that are listed as the most important of all.
    pub important: usize,
    /// Connections that are listed.
    pub connections: usize,
}

/// A folder, without those in it that are in the list themselves.
struct Folder {
    /// The positions of its files, ascending.
    files: Vec<usize>,
    symbols: u64,
}

/// What maps of any number of modules have in common.
pub struct Mapped<'a> {
    overviews: Overviews<'a>,
    files: Vec<FileRow>,
    /// The positions of the files of the map.
    selected: Vec<usize>,
    /// The folder, without the repository; empty for the root.
    folder: String,
    /// The definitions that were read. What a map lists is mostly in one of more modules, too.
    known: RefCell<BTreeMap<SymbolId, Definition>>,
}

impl<'a> Overviews<'a> {
    /// Prepares maps of the index, or only of the folder `path`; `tests` is whether files of tests are counted.
    ///
    /// # Errors
    /// There are no files in the folder, or the index is damaged.
    pub fn mapped(&self, path: Option<&str>, tests: bool) -> Result<Mapped<'a>> {
        let files = self.index.generation().files()?;
        let folder = path.map(|path| path.trim_start_matches("./").trim_end_matches('/').to_owned());
        let mut folder = folder.filter(|folder| !folder.is_empty() && folder != ".");
        // Responses put the repository in front of paths if there are several.
        let mut repo = None;
        if let Some(named) = folder.clone().filter(|named| !files.iter().any(|file| is_in_folder(&file.path, named))) {
            let (first, rest) = named.split_once('/').unwrap_or((&named, ""));
            if files.iter().any(|file| file.repo == first) {
                repo = Some(first.to_owned());
                folder = (!rest.is_empty()).then(|| rest.to_owned());
            }
        }
        let is_selected = |file: &FileRow| {
            repo.as_ref().is_none_or(|repo| file.repo == *repo)
                && folder.as_ref().is_none_or(|folder| is_in_folder(&file.path, folder))
                && (tests || !file.is_test)
        };
        let selected: Vec<usize> = (0..files.len()).filter(|&n| is_selected(&files[n])).collect();
        if selected.is_empty() {
            let what = path
                .map_or_else(|| "the index has no files".to_owned(), |p| format!("the index has no file below '{p}'"));
            return Err(Error::Argument(what));
        }
        Ok(Mapped { overviews: *self, files, selected, folder: folder.unwrap_or_default(), known: RefCell::default() })
    }
}

impl Mapped<'_> {
    /// Returns the modules.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn map(&self, size: &MapLimits) -> Result<Map> {
        let Self { overviews, files, selected, folder, known } = self;
        let uses = overviews.index.file_uses()?;
        let folders = split_folders(files, selected, uses.symbols(), folder, size.modules.max(1));
        let mut modules: Vec<Module> = folders.iter().map(|(path, of)| module(path, of, files)).collect();
        // Ties are in the order of the names, which is that of the folders.
        let mut order: Vec<usize> = (0..modules.len()).collect();
        order.sort_by_key(|&n| (Reverse(modules[n].symbols), n));
        let mut module_of: Vec<Option<usize>> = vec![None; files.len()];
        for (at, &n) in order.iter().enumerate() {
            folders[n].1.files.iter().for_each(|&file| module_of[file] = Some(at));
        }
        modules = order.iter().map(|&n| std::mem::take(&mut modules[n])).collect();
        let uses = overviews.count_uses(uses, &module_of, modules.len(), size)?;
        let important = uses.important.sorted();
        let exports: Vec<Vec<Used>> = uses.exports.iter().map(MostUsed::sorted).collect();
        let mut ids: Vec<SymbolId> = exports.iter().flatten().chain(&important).map(|used| used.symbol_id()).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut known = known.borrow_mut();
        ids.retain(|id| !known.contains_key(id));
        known.extend(ids.iter().copied().zip(read_definitions(overviews.index, &ids)?));
        let export = |used: &Used| {
            let definition = known.get(&used.symbol_id())?.clone();
            Some(Export { definition, used_by: used.files })
        };
        for (module, exports) in modules.iter_mut().zip(&exports) {
            module.exports = exports.iter().filter_map(export).collect();
        }
        let mut connections: Vec<Connection> =
            uses.between.into_iter().map(|((from, to), uses)| Connection { from, to, uses }).collect();
        connections.sort_by_key(|c| (Reverse(c.uses), c.from, c.to));
        connections.truncate(size.connections);
        let important = important.iter().filter_map(export).collect();
        Ok(Map { modules, connections, important })
    }
}

impl Overviews<'_> {
    /// Which symbols are used from other files, and how `modules` modules use each other.
    fn count_uses(
        &self,
        uses: &FileUses,
        module_of: &[Option<usize>],
        modules: usize,
        size: &MapLimits,
    ) -> Result<UseCounts> {
        let catalog = &self.index.symbols()?.catalog;
        let mut counts = UseCounts {
            exports: vec![MostUsed::new(size.exports); modules],
            important: MostUsed::new(size.important),
            between: FxHashMap::default(),
        };
        let of = |file: FileId| module_of.get(file.index()).copied().flatten();
        for file in (0..module_of.len()).map(FileId::at) {
            let Some(own) = of(file) else { continue };
            for (user, uses) in uses.users(file) {
                if let Some(other) = of(user).filter(|&other| other != own) {
                    *counts.between.entry((other, own)).or_default() += u64::from(uses);
                }
            }
            for (id, files) in uses.used(file) {
                let used = Used { files: u64::from(files), symbol: Reverse(id) };
                if !counts.important.has_room_for(used) && !counts.exports[own].has_room_for(used) {
                    break;
                }
                let kind = catalog.kind(id);
                if kind.is_some_and(|kind| !matches!(kind, Kind::File | Kind::Section | Kind::Module)) {
                    counts.important.add(used);
                    counts.exports[own].add(used);
                }
            }
        }
        Ok(counts)
    }
}

/// How many other files use a symbol; the greatest is used most, and comes first among equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Used {
    files: u64,
    symbol: Reverse<SymbolId>,
}

impl Used {
    const fn symbol_id(&self) -> SymbolId {
        self.symbol.0
    }
}

/// The symbols that are used most, up to a limit.
#[derive(Clone, Debug)]
struct MostUsed {
    limit: usize,
    heap: BinaryHeap<Reverse<Used>>,
}

impl MostUsed {
    const fn new(limit: usize) -> Self {
        Self { limit, heap: BinaryHeap::new() }
    }

    /// Whether a symbol would be among them. One that no other file uses is not.
    fn has_room_for(&self, used: Used) -> bool {
        let is_more = || self.heap.peek().is_none_or(|least| least.0 < used);
        used.files > 0 && self.limit > 0 && (self.heap.len() < self.limit || is_more())
    }

    fn add(&mut self, used: Used) {
        if self.has_room_for(used) {
            self.heap.push(Reverse(used));
            if self.heap.len() > self.limit {
                self.heap.pop();
            }
        }
    }

    /// The most used first.
    fn sorted(&self) -> Vec<Used> {
        let mut all: Vec<Used> = self.heap.iter().map(|used| used.0).collect();
        all.sort_unstable_by_key(|used| Reverse(*used));
        all
    }
}

struct UseCounts {
    /// The symbols of each module that other files use.
    exports: Vec<MostUsed>,
    /// Those of all modules.
    important: MostUsed,
    between: FxHashMap<(usize, usize), u64>,
}

/// Whether a path is in a folder.
fn is_in_folder(path: &str, folder: &str) -> bool {
    path == folder || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Returns folders with their files, by repository and path. The largest one is divided until there are `max_modules`:
/// the largest folder in it becomes a folder of its own, and the rest stays.
fn split_folders(
    files: &[FileRow],
    selected: &[usize],
    symbols_of: &[u32],
    root: &str,
    max_modules: usize,
) -> Vec<((String, String), Folder)> {
    let leaves = leaves(files, selected, symbols_of);
    let mut open: BTreeMap<(&str, &str), Group> = BTreeMap::new();
    for (n, leaf) in leaves.iter().enumerate() {
        open.entry((leaf.repo, root)).or_default().add(&[n], &leaves);
    }
    // Folders that contain no other folder.
    let mut undivided: BTreeSet<(&str, &str)> = BTreeSet::new();
    loop {
        let largest = open.iter().filter(|(key, _)| !undivided.contains(*key));
        let Some((&key, group)) = largest.max_by_key(|(key, of)| (of.symbols, Reverse(**key))) else { break };
        let mut parts: BTreeMap<&str, Group> = BTreeMap::new();
        let child = |n: usize| child_folder(leaves[n].path, key.1);
        for run in group.leaves.chunk_by(|&a, &b| child(a) == child(b)) {
            let path = run.first().map_or(key.1, |&n| child(n));
            parts.entry(path).or_default().add(run, &leaves);
        }
        let within = parts.iter().filter(|(path, _)| **path != key.1);
        let largest = within.max_by_key(|(path, of)| (of.symbols, Reverse(**path)));
        let Some(path) = largest.map(|(path, _)| *path) else {
            undivided.insert(key);
            continue;
        };
        // A folder that contains nothing but one folder is replaced by it.
        if parts.len() > 1 && open.len() >= max_modules {
            break;
        }
        open.remove(&key);
        if let Some(largest) = parts.remove(path) {
            open.insert((key.0, path), largest);
        }
        let mut rest = Group::default();
        parts.values().for_each(|part| rest.add(&part.leaves, &leaves));
        if !rest.leaves.is_empty() {
            rest.leaves.sort_unstable();
            open.insert(key, rest);
        }
    }
    let folder = |group: Group| {
        let mut files: Vec<usize> = group.leaves.iter().flat_map(|&n| leaves[n].files.iter().copied()).collect();
        files.sort_unstable();
        Folder { files, symbols: group.symbols }
    };
    open.into_iter().map(|((repo, path), group)| ((repo.to_owned(), path.to_owned()), folder(group))).collect()
}

/// Files that are next to each other in the order of files and in one folder.
struct Leaf<'f> {
    repo: &'f str,
    /// The folder; empty for the root.
    path: &'f str,
    files: &'f [usize],
    symbols: u64,
}

/// The selected files by folder, so that dividing folders does not visit each file.
fn leaves<'f>(files: &'f [FileRow], selected: &'f [usize], symbols_of: &[u32]) -> Vec<Leaf<'f>> {
    let folder = |n: usize| files[n].path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let is_together = |&a: &usize, &b: &usize| folder(a) == folder(b) && files[a].repo == files[b].repo;
    let leaf = |together: &'f [usize]| {
        let first = together.first().copied()?;
        let symbols = together.iter().map(|&n| symbols_of.get(n).map_or(0, |&count| u64::from(count))).sum();
        Some(Leaf { repo: &files[first].repo, path: folder(first), files: together, symbols })
    };
    selected.chunk_by(is_together).filter_map(leaf).collect()
}

/// A folder while folders are divided: positions of leaves.
#[derive(Default)]
struct Group {
    leaves: Vec<usize>,
    symbols: u64,
}

impl Group {
    fn add(&mut self, positions: &[usize], leaves: &[Leaf<'_>]) {
        self.leaves.extend_from_slice(positions);
        self.symbols += positions.iter().map(|&n| leaves[n].symbols).sum::<u64>();
    }
}

/// The child of a folder that a folder in it is or is in; the folder itself if they are the same.
fn child_folder<'p>(path: &'p str, folder: &'p str) -> &'p str {
    let start = if folder.is_empty() { 0 } else { folder.len() + 1 };
    match path.get(start..).filter(|rest| !rest.is_empty()) {
        Some(rest) => rest.find('/').map_or(path, |next| &path[..start + next]),
        None => folder,
    }
}

fn module((repo, path): &(String, String), of: &Folder, files: &[FileRow]) -> Module {
    let mut languages: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut lines, mut tests) = (0, 0);
    for file in of.files.iter().map(|&n| &files[n]) {
        lines += u64::from(file.lines);
        tests += u64::from(file.is_test);
    }
    // Files next to each other mostly have one language.
    for run in of.files.chunk_by(|&a, &b| files[a].language == files[b].language) {
        let language = run.first().map_or("", |&n| &files[n].language);
        *languages.entry(language).or_default() += run.len() as u64;
    }
    let mut languages: Vec<(String, u64)> = languages.into_iter().map(|(l, n)| (l.to_owned(), n)).collect();
    languages.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let path = if path.is_empty() { ".".to_owned() } else { path.clone() };
    let count = of.files.len() as u64;
    Module {
        repo: repo.clone(),
        path,
        files: count,
        lines,
        symbols: of.symbols,
        languages,
        is_test: tests * 2 > count,
        exports: Vec::new(),
        file_ids: of.files.iter().map(|&n| FileId::at(n)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sextant_format::digest::Digest;
    use sextant_format::kinds::ParseStatus;

    fn file(path: &str) -> FileRow {
        FileRow {
            file_id: FileId::default(),
            repo: "r".to_owned(),
            path: path.to_owned(),
            language: "rust".to_owned(),
            content_hash: Digest::hash_bytes(b""),
            bytes: 1,
            lines: 1,
            encoding: "utf-8".to_owned(),
            parse_status: ParseStatus::Parsed,
            error_lines: 0,
            is_test: false,
            is_generated: false,
        }
    }

    #[test]
    fn the_largest_folder_is_divided_first() {
        let files = ["a/b/c/1", "a/b/c/2", "a/b/d/3", "a/e/4", "f/5", "6"].map(file);
        let selected: Vec<usize> = (0..files.len()).collect();
        let paths = |max_modules: usize| -> Vec<String> {
            split_folders(&files, &selected, &[1; 6], "", max_modules).into_iter().map(|((_, path), _)| path).collect()
        };
        assert_eq!(paths(1), [""]);
        assert_eq!(paths(2), ["", "a"]);
        assert_eq!(paths(3), ["", "a", "a/b"]);
        assert_eq!(paths(4), ["", "a", "a/b", "a/b/c"]);
        assert_eq!(paths(99), ["", "a/b/c", "a/b/d", "a/e", "f"]);
    }

    #[test]
    fn a_chain_of_single_folders_collapses() {
        let files = ["src/main/java/x/1", "src/main/java/y/2"].map(file);
        let paths: Vec<String> =
            split_folders(&files, &[0, 1], &[1; 2], "", 2).into_iter().map(|((_, path), _)| path).collect();
        assert_eq!(paths, ["src/main/java/x", "src/main/java/y"]);
    }
}

//! Walks repositories and returns a sorted list of files. The order of this list defines every id.
//!
//! Respects `.gitignore` (also outside git checkouts; not for files that git tracks nevertheless) and `.sextantignore`,
//! and skips `.git`, the folders in which package managers install dependencies, and indexes. Symbolic links are not followed.

use std::path::{Path, PathBuf};

use globset::{Glob, GlobSet, GlobSetBuilder};
use ignore::{DirEntry, WalkBuilder, WalkState};
use rustc_hash::FxHashSet;
use sextant_format::kinds::SkipReason;
use sextant_format::publish::is_index_folder;

use crate::git;
use crate::model::Source;

/// Folders of version control and package managers. Only `--include` can select them; a `!` line of an ignore file
/// cannot.
const VENDOR_FOLDERS: &[&str] = &[
    ".bzr",
    ".git",
    ".hg",
    ".jj",
    ".svn",
    ".tox",
    ".venv",
    "__pycache__",
    "bower_components",
    "node_modules",
    "vendor",
];

/// The name of Sextant's own ignore files; they have the syntax of `.gitignore`.
pub const IGNORE_FILE: &str = ".sextantignore";

/// A repository to walk.
#[derive(Clone, Debug)]
pub struct Repository {
    /// Its name in results.
    pub name: String,
    /// Its root folder.
    pub root: PathBuf,
}

/// Selects the files to index.
#[derive(Clone, Debug)]
pub struct Selection {
    include: Option<GlobSet>,
    exclude: GlobSet,
    respect_gitignore: bool,
}

impl Selection {
    /// Compiles globs over repository-relative paths; an empty `include` selects all files. A glob without `/` matches
    /// names in any folder. With `respect_gitignore`, files that `.gitignore` or `.ignore` exclude are not selected;
    /// `.sextantignore` always applies.
    ///
    /// # Errors
    /// A glob is invalid.
    pub fn new(include: &[String], exclude: &[String], respect_gitignore: bool) -> Result<Self, globset::Error> {
        let set = |globs: &[String]| {
            let mut builder = GlobSetBuilder::new();
            for glob in globs {
                let anywhere = !glob.contains('/');
                builder.add(Glob::new(&if anywhere { format!("**/{glob}") } else { glob.clone() })?);
                // A glob that matches a folder selects everything in it.
                builder.add(Glob::new(&format!(
                    "{}{}/**",
                    if anywhere { "**/" } else { "" },
                    glob.trim_end_matches('/')
                ))?);
            }
            builder.build()
        };
        let include = (!include.is_empty()).then(|| set(include)).transpose()?;
        Ok(Self { include, exclude: set(exclude)?, respect_gitignore })
    }

    /// Whether a repository-relative path is selected.
    pub(crate) fn selects(&self, path: &str) -> bool {
        !self.exclude.is_match(path) && self.include.as_ref().is_none_or(|include| include.is_match(path))
    }

    fn includes_vendor_folder(&self, folder: &str) -> bool {
        self.include.as_ref().is_some_and(|include| include.is_match(folder))
    }
}

/// A path that the walk found but that cannot be indexed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SkippedPath {
    /// Index of the repository in the list that was walked.
    pub repo: u32,
    /// Path relative to the repository's root, with `/`; empty if it is unknown, approximate if it is not UTF-8.
    pub path: String,
    /// Why it is skipped.
    pub reason: SkipReason,
    /// Details of the reason, without absolute paths.
    pub detail: String,
}

/// Walks all repositories on `threads` threads. Returns the files, sorted by repository and path, and the paths that
/// cannot be indexed, sorted. If `stop` returns true, both lists are incomplete.
pub fn walk(
    repositories: &[Repository],
    selection: &Selection,
    threads: usize,
    stop: &(impl Fn() -> bool + Sync),
) -> (Vec<Source>, Vec<SkippedPath>) {
    let mut sources = Vec::new();
    let mut skipped_paths = Vec::new();
    for (repo, repository) in repositories.iter().enumerate() {
        let repo = u32::try_from(repo).unwrap_or(u32::MAX);
        walk_one(repo, &repository.root, selection, threads, stop, &mut sources, &mut skipped_paths);
    }
    sources.sort_unstable_by(|a, b| (a.repo, &a.path).cmp(&(b.repo, &b.path)));
    skipped_paths.sort_unstable();
    (sources, skipped_paths)
}

fn walk_one(
    repo: u32,
    root: &Path,
    selection: &Selection,
    threads: usize,
    stop: &(impl Fn() -> bool + Sync),
    sources: &mut Vec<Source>,
    skipped_paths: &mut Vec<SkippedPath>,
) {
    let walked_from = sources.len();
    let mut visit = |entry: Result<DirEntry, ignore::Error>| match entry {
        Ok(entry) => classify(repo, root, selection, entry.path(), entry.file_type(), sources, skipped_paths),
        Err(error) => skipped_paths.push(walk_error(repo, root, &error)),
    };
    let no_vendor_folders = vendor_filter(root, selection);
    entries(&walker(root, selection, selection.respect_gitignore, threads, no_vendor_folders), stop, &mut visit);
    if !selection.respect_gitignore {
        return;
    }
    match git::tracked_files(root) {
        Ok(mut tracked) => {
            // git follows files that were added before a `.gitignore` named them, or in spite of it.
            let found: FxHashSet<&str> = sources[walked_from..].iter().map(|source| source.path.as_str()).collect();
            tracked.retain(|path| selection.selects(path) && !found.contains(path.as_str()));
            walk_tracked(repo, root, selection, &tracked, stop, sources, skipped_paths);
        }
        Err(detail) => skipped_paths.push(SkippedPath {
            repo,
            path: ".git/index".to_owned(),
            reason: SkipReason::Unreadable,
            detail,
        }),
    }
}

/// Walks to those of the `wanted` files that only `.gitignore` hides; `.ignore` and `.sextantignore` still count.
fn walk_tracked(
    repo: u32,
    root: &Path,
    selection: &Selection,
    wanted: &[String],
    stop: &(impl Fn() -> bool + Sync),
    sources: &mut Vec<Source>,
    skipped_paths: &mut Vec<SkippedPath>,
) {
    if wanted.is_empty() {
        return;
    }
    let folders = wanted.iter().flat_map(|path| path.match_indices('/').map(|(at, _)| &path[..at]));
    let leads_to: FxHashSet<String> = folders.chain(wanted.iter().map(String::as_str)).map(str::to_owned).collect();
    let no_vendor_folders = vendor_filter(root, selection);
    let from = root.to_owned();
    let filter = move |entry: &DirEntry| {
        no_vendor_folders(entry)
            && (entry.depth() == 0 || relative(&from, entry.path()).is_ok_and(|path| leads_to.contains(&path)))
    };
    entries(&walker(root, selection, false, 1, filter), stop, &mut |entry| {
        // The first walk told what cannot be read.
        if let Ok(entry) = entry {
            classify(repo, root, selection, entry.path(), entry.file_type(), sources, skipped_paths);
        }
    });
}

/// Returns whether the walk enters a folder: none of version control, of dependencies or of an index, unless it is included.
fn vendor_filter(root: &Path, selection: &Selection) -> impl Fn(&DirEntry) -> bool + Send + Sync + 'static {
    let (root, selection) = (root.to_owned(), selection.clone());
    move |entry| {
        let name = entry.file_name().to_str().unwrap_or("");
        // Worktrees and submodules have a file of this name, which contains a path of the machine.
        let is_dir = name == ".git" || entry.file_type().is_some_and(|kind| kind.is_dir());
        !is_dir
            || entry.depth() == 0
            || !VENDOR_FOLDERS.contains(&name) && !is_index_folder(entry.path())
            || relative(&root, entry.path()).is_ok_and(|path| selection.includes_vendor_folder(&path))
    }
}

fn walker(
    root: &Path,
    selection: &Selection,
    git_ignore: bool,
    threads: usize,
    filter: impl Fn(&DirEntry) -> bool + Send + Sync + 'static,
) -> WalkBuilder {
    let mut builder = WalkBuilder::new(root);
    builder
        .hidden(false)
        // Nothing outside the folder may decide what the index contains: neither ignore files above it nor the
        // user's own.
        .parents(false)
        .git_global(false)
        .git_exclude(false)
        .git_ignore(git_ignore)
        .ignore(selection.respect_gitignore)
        .require_git(false)
        .add_custom_ignore_filename(IGNORE_FILE)
        .threads(threads)
        .filter_entry(filter);
    builder
}

/// Gives everything that the walk finds to `visit`, in any order.
fn entries(
    walker: &WalkBuilder,
    stop: &(impl Fn() -> bool + Sync),
    visit: &mut impl FnMut(Result<DirEntry, ignore::Error>),
) {
    let walker = walker.build_parallel();
    // Results are many and small; they are sorted later, so their order of arrival does not matter.
    let (sender, receiver) = crossbeam_channel::bounded(4096);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            walker.run(|| {
                let sender = sender.clone();
                Box::new(
                    move |entry| {
                        if stop() || sender.send(entry).is_err() { WalkState::Quit } else { WalkState::Continue }
                    },
                )
            });
        });
        receiver.into_iter().for_each(visit);
    });
}

fn classify(
    repo: u32,
    root: &Path,
    selection: &Selection,
    absolute: &Path,
    file_type: Option<std::fs::FileType>,
    sources: &mut Vec<Source>,
    skipped_paths: &mut Vec<SkippedPath>,
) {
    let Some(file_type) = file_type.filter(|kind| !kind.is_dir()) else { return };
    let path = match relative(root, absolute) {
        Ok(path) => path,
        Err(path) => {
            let detail = "the path is not UTF-8".to_owned();
            skipped_paths.push(SkippedPath { repo, path, reason: SkipReason::PathNotUtf8, detail });
            return;
        }
    };
    if !selection.selects(&path) {
        return;
    }
    if file_type.is_file() {
        sources.push(Source { repo, path, absolute: absolute.to_owned() });
    } else {
        let detail = if file_type.is_symlink() { "a symbolic link" } else { "no regular file" }.to_owned();
        skipped_paths.push(SkippedPath { repo, path, reason: SkipReason::NotAFile, detail });
    }
}

/// Returns the path relative to the root, with `/`. If it is not UTF-8, the error is an approximation of the path.
fn relative(root: &Path, path: &Path) -> Result<String, String> {
    let below = path.strip_prefix(root).unwrap_or(path);
    let mut out = String::new();
    let mut exact = true;
    for part in below.components() {
        if !out.is_empty() {
            out.push('/');
        }
        let part = part.as_os_str();
        exact &= part.to_str().is_some();
        out.push_str(&part.to_string_lossy());
    }
    if exact { Ok(out) } else { Err(out) }
}

fn walk_error(repo: u32, root: &Path, error: &ignore::Error) -> SkippedPath {
    let mut reason = SkipReason::Unreadable;
    let mut path = None;
    let mut at = error;
    loop {
        match at {
            ignore::Error::WithPath { path: found, err } => {
                path = Some(found.clone());
                at = err;
            }
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => at = err,
            ignore::Error::Loop { child, .. } => {
                reason = SkipReason::SymlinkLoop;
                path = Some(child.clone());
                break;
            }
            _ => break,
        }
    }
    let path = path.map_or_else(String::new, |path| relative(root, &path).unwrap_or_else(|path| path));
    // Only the kind of the system's error: details count for the content id, so they contain no absolute path.
    let detail = at.io_error().map_or_else(|| "it cannot be walked".to_owned(), |io| io.kind().to_string());
    SkippedPath { repo, path, reason, detail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(root: &Path, include: &[&str], exclude: &[&str]) -> Vec<String> {
        let owned = |globs: &[&str]| globs.iter().map(|glob| (*glob).to_owned()).collect::<Vec<_>>();
        selected(root, &Selection::new(&owned(include), &owned(exclude), true).unwrap())
    }

    fn selected(root: &Path, selection: &Selection) -> Vec<String> {
        let repository = Repository { name: "r".to_owned(), root: root.to_owned() };
        walk(&[repository], selection, 2, &|| false).0.into_iter().map(|source| source.path).collect()
    }

    #[test]
    fn ignore_files_vendor_folders_and_globs() {
        let dir = tempfile::tempdir().unwrap();
        for path in ["b.rs", "a/x.py", "a/y.log", "a/gen/z.rs", "node_modules/m/i.js", ".git/config", ".hidden/h.rs"] {
            let path = dir.path().join(path);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, "x").unwrap();
        }
        fs_err::write(dir.path().join(".gitignore"), "*.log\n").unwrap();
        fs_err::write(dir.path().join(".hidden/.git"), "gitdir: /elsewhere\n").unwrap();
        fs_err::write(dir.path().join("a/.sextantignore"), "gen/\n").unwrap();
        let all = [".gitignore", ".hidden/h.rs", "a/.sextantignore", "a/x.py", "b.rs"];
        assert_eq!(paths(dir.path(), &[], &[]), all);
        assert_eq!(paths(dir.path(), &["*.rs"], &[]), [".hidden/h.rs", "b.rs"]);
        assert_eq!(paths(dir.path(), &["a"], &[".sextantignore"]), ["a/x.py"]);
        assert_eq!(paths(dir.path(), &["node_modules"], &[]), ["node_modules/m/i.js"]);
        let without_git = Selection::new(&[], &["*.rs".to_owned()], false).unwrap();
        assert_eq!(selected(dir.path(), &without_git), [".gitignore", "a/.sextantignore", "a/x.py", "a/y.log"]);
    }

    fn git(root: &Path, args: &[&str]) {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@example.org"];
        let output = std::process::Command::new("git").args(identity).arg("-C").arg(root).args(args).output().unwrap();
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    #[test]
    fn files_that_git_tracks_in_spite_of_gitignore() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("main");
        for path in ["lib/tracked.js", "lib/new.js", "lib/gone.js", "private.js", "vendor/v.js", "a/package.json"] {
            fs_err::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs_err::write(root.join(path), "x").unwrap();
        }
        fs_err::write(root.join(".gitignore"), "lib/\n").unwrap();
        fs_err::write(root.join("a/.gitignore"), "package.json\n").unwrap();
        fs_err::write(root.join(".ignore"), "private.js\n").unwrap();
        git(&root, &["init", "--quiet"]);
        git(&root, &["add", "--force", "--all"]);
        git(&root, &["rm", "--quiet", "--cached", "lib/new.js"]);
        git(&root, &["commit", "--quiet", "--message", "c"]);
        fs_err::remove_file(root.join("lib/gone.js")).unwrap();
        let all = [".gitignore", ".ignore", "a/.gitignore", "a/package.json", "lib/tracked.js"];
        assert_eq!(paths(&root, &[], &[]), all);
        assert_eq!(paths(&root, &["*.js"], &[]), ["lib/tracked.js"]);
        assert_eq!(paths(&root, &[], &["lib"]), all[..4]);

        let worktree = dir.path().join("worktree");
        git(&root, &["worktree", "add", "--quiet", worktree.to_str().unwrap()]);
        assert_eq!(paths(&worktree, &["*.js*"], &[]), ["a/package.json", "lib/gone.js", "lib/tracked.js"]);

        fs_err::write(root.join(".git/index"), "DIRC\0\0\0\u{2}\0\0\u{7f}\u{7f}").unwrap();
        let repository = Repository { name: "r".to_owned(), root };
        let (sources, skipped) = walk(&[repository], &Selection::new(&[], &[], true).unwrap(), 2, &|| false);
        assert_eq!(sources.len(), 3);
        assert_eq!(skipped.iter().map(|skipped| skipped.path.as_str()).collect::<Vec<_>>(), [".git/index"]);
        assert_eq!(skipped[0].detail, "it is damaged or of an unknown version");
    }
}

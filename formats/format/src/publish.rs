//! Turns a finished staging folder into the index's current generation, atomically.
//!
//! Order: sync files and folders to disk, write the manifest, rename the staging folder, replace `CURRENT`. Killed at
//! any moment, the index is the old one or the new one. Only this module and `remote` of `sextant-sync`, for folders
//! that packs are published to, give files their final names.

use std::io::Write;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::digest;
use crate::generation::{CURRENT, Generation, generation_number, is_generation_name, part};
use crate::manifest::{FileEntry, MANIFEST, Manifest};
use crate::tables::{ChunkRow, EdgeRow, Row as _, SymbolRow};
use crate::{Error, Result};

/// Name of the writer's lock file in an index folder.
const LOCK_FILE: &str = "LOCK";
/// Prefix of folders in which a generation is built.
const STAGING_PREFIX: &str = "staging-";
/// Prefix of folders in which an interrupted download resumes.
const SCRATCH_PREFIX: &str = "pull-";
/// Folder of an index with what outlives its generations: the answers of language models.
const ENRICHMENT: &str = "enrichment";
/// The answers of language models, in an index folder.
pub const ANSWERS: &str = "enrichment/answers.jsonl";
/// Folder of an index with what language servers answered, one file for each language.
pub const SERVER_ANSWERS: &str = "servers";
/// File of an index with the sizes and times of files at an earlier build.
pub const STAMPS: &str = "stamps";
/// Number of generations that are kept: the current one and the previous one, for readers that still use it.
const KEPT_GENERATIONS: usize = 2;

/// Age after which a temporary file that nobody has written to counts as abandoned.
const ABANDONED_AFTER: std::time::Duration = std::time::Duration::from_secs(24 * 3600);

/// An index folder whose writer lock this process holds.
pub struct LockedIndex {
    index: PathBuf,
    _lock: std::fs::File,
}

impl LockedIndex {
    /// Creates the folder if it is missing, takes its lock, and removes what killed builds left behind.
    ///
    /// # Errors
    /// The folder contains other files, another process has the lock, or a file operation fails.
    pub fn open(index: &Path) -> Result<Self> {
        fs_err::create_dir_all(index)?;
        refuse_foreign(index)?;
        let lock = open_no_follow(&index.join(LOCK_FILE))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => {
                return Err(Error::Busy { path: index.to_owned() });
            }
            Err(std::fs::TryLockError::Error(error)) => {
                return Err(with_context(error, format!("{} cannot be locked", index.display())));
            }
        }
        for name in sorted_names(index)? {
            if name.starts_with(STAGING_PREFIX) {
                fs_err::remove_dir_all(index.join(name))?;
            }
        }
        Ok(Self { index: index.to_owned(), _lock: lock })
    }

    /// A folder for data that outlives the process but is not part of the index; created if it is missing.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub fn scratch(&self) -> Result<PathBuf> {
        let path = self.index.join(format!("{SCRATCH_PREFIX}parts"));
        fs_err::create_dir_all(&path)?;
        if !fs_err::symlink_metadata(&path)?.is_dir() {
            return Err(Error::Io(std::io::Error::other(format!("{} is not a folder", path.display()))));
        }
        Ok(path)
    }

    /// Removes the folder of [`Self::scratch`].
    ///
    /// # Errors
    /// The folder cannot be removed.
    pub fn remove_scratch(&self) -> Result<()> {
        Ok(fs_err::remove_dir_all(self.index.join(format!("{SCRATCH_PREFIX}parts")))?)
    }

    /// Creates an empty folder to build in. It is removed if it is dropped before it is published.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub fn stage(&self) -> Result<tempfile::TempDir> {
        let prefix = format!("{STAGING_PREFIX}{}-", std::process::id());
        Ok(tempfile::Builder::new().prefix(&prefix).tempdir_in(&self.index)?)
    }

    /// Publishes a staging folder; `manifest` must be complete except for its list of files. Returns the name of the
    /// new generation.
    ///
    /// # Errors
    /// A file operation fails; the index is then the old one or the new one.
    pub fn publish(&self, staging: tempfile::TempDir, mut manifest: Manifest) -> Result<String> {
        let root = staging.path().to_owned();
        manifest.files = digest_files(&root, &manifest, &[])?;
        self.publish_files(staging, &manifest)
    }

    /// The same for files some of which are linked from earlier generations: rows, vectors and text there have been checked
    /// already, and keep their digests.
    ///
    /// # Errors
    /// As of [`Self::publish`].
    pub fn publish_onto(
        &self,
        staging: tempfile::TempDir,
        mut manifest: Manifest,
        earlier: &[&Generation],
    ) -> Result<String> {
        let root = staging.path().to_owned();
        manifest.files = digest_files(&root, &manifest, earlier)?;
        self.publish_files(staging, &manifest)
    }

    fn publish_files(&self, staging: tempfile::TempDir, manifest: &Manifest) -> Result<String> {
        let root = staging.path().to_owned();
        write_synced(&root.join(MANIFEST), &serde_json::to_vec_pretty(manifest).map_err(std::io::Error::from)?)?;
        sync_dir(&root)?;

        let last = sorted_names(&self.index)?.iter().filter_map(|name| generation_number(name)).max().unwrap_or(0);
        let name = format!("gen-{:06}-{}", last + 1, &manifest.content_id[..12]);
        let target = self.index.join(&name);
        rename(&root, &target)?;
        // The folder has its final name now, so its guard must not remove it.
        let _ = staging.keep();
        sync_dir(&self.index)?;

        let next = self.index.join(format!("{CURRENT}.tmp"));
        write_synced(&next, format!("{name}\n").as_bytes())?;
        rename(&next, &self.index.join(CURRENT))?;
        sync_dir(&self.index)?;
        self.remove_old_generations(&name)?;
        Ok(name)
    }

    /// The generation that `CURRENT` names; none if there is none. If it cannot be opened, appends the reason to `why`.
    pub fn current(&self, why: &mut Vec<String>) -> Option<Generation> {
        if !self.index.join(CURRENT).exists() {
            return None;
        }
        Generation::open(&self.index).map_err(|error| why.push(error.to_string())).ok()
    }

    /// Publishes the files of an existing generation under another manifest, which must list the same files, except that
    /// those in `replaced` are what the staging folder has instead.
    ///
    /// # Errors
    /// A file operation fails; the index is then the old one or the new one.
    pub fn republish(
        &self,
        staging: tempfile::TempDir,
        generation: &Generation,
        mut manifest: Manifest,
        replaced: &[&str],
    ) -> Result<String> {
        let root = staging.path();
        manifest.files.retain(|entry| !replaced.contains(&entry.path.as_str()));
        for path in replaced.iter().filter(|path| root.join(path).exists()) {
            manifest.files.push(digest_file(root, (*path).to_owned(), &manifest)?);
        }
        manifest.files.sort_by(|a, b| a.path.cmp(&b.path));
        for entry in generation.manifest().files.iter().filter(|entry| !replaced.contains(&entry.path.as_str())) {
            let to = root.join(&entry.path);
            to.parent().map_or(Ok(()), fs_err::create_dir_all)?;
            link_or_copy_file(generation.root(), root, &entry.path)?;
            sync_file(&to)?;
        }
        self.publish_files(staging, &manifest)
    }

    /// Removes all generations except the current one and the previous one.
    ///
    /// # Errors
    /// A folder cannot be removed.
    pub fn remove_old_generations(&self, current: &str) -> Result<()> {
        let mut generations: Vec<String> =
            sorted_names(&self.index)?.into_iter().filter(|name| is_generation_name(name) && name != current).collect();
        generations.sort_by_key(|name| generation_number(name));
        let surplus = generations.len().saturating_sub(KEPT_GENERATIONS - 1);
        for name in &generations[..surplus] {
            fs_err::remove_dir_all(self.index.join(name))?;
        }
        Ok(())
    }
}

/// Opens an existing or new file for reading and writing. A symbolic link of that name is removed, not followed: an
/// index folder may come from somebody else's checkout.
///
/// # Errors
/// The file cannot be opened.
pub fn open_no_follow(path: &Path) -> Result<std::fs::File> {
    if fs_err::symlink_metadata(path).is_ok_and(|found| found.is_symlink()) {
        fs_err::remove_file(path)?;
    }
    let file = fs_err::OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path)?;
    Ok(file.into_parts().0)
}

/// Creates a file, replacing any file of that name; a symbolic link is removed, not followed.
///
/// # Errors
/// The old file cannot be removed, or the new one cannot be created.
pub fn create_no_follow(path: &Path) -> Result<fs_err::File> {
    match fs_err::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    Ok(fs_err::OpenOptions::new().write(true).create_new(true).open(path)?)
}

/// Reuses a file of one generation in another, of the same index or of another one; `below` is its path relative to
/// both. Generations share files by hard links, because these are never written to. Where there can be no link, as
/// between two file systems, the file is copied.
///
/// # Errors
/// The file cannot be read, or the new one exists already or cannot be written.
pub fn link_or_copy_file(from: &Path, to: &Path, below: &str) -> Result<()> {
    share_file(&from.join(below), &to.join(below))
}

/// The same for a file at any path.
///
/// # Errors
/// As of [`link_or_copy_file`].
pub fn share_file(old: &Path, new: &Path) -> Result<()> {
    // A link to a symbolic link would be one, too.
    let is_file = fs_err::symlink_metadata(old)?.is_file();
    if !is_file || fs_err::hard_link(old, new).is_err() {
        // Copies neither permissions nor onto an existing file, which could be the source itself.
        let mut copy = fs_err::OpenOptions::new().write(true).create_new(true).open(new)?;
        std::io::copy(&mut fs_err::File::open(old)?, &mut copy)?;
    }
    Ok(())
}

/// Syncs a finished file and renames it to its final name, atomically.
///
/// # Errors
/// The file cannot be synced or renamed.
pub fn persist(file: tempfile::TempPath, name: &Path) -> Result<()> {
    fs_err::OpenOptions::new().read(true).write(true).open(&file)?.sync_all()?;
    file.persist(name).map_err(|error| with_context(error.error, format!("{} cannot be placed", name.display())))?;
    sync_dir(name.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")))
}

/// Removes the files of a folder whose names begin with `prefix` and that nobody has written to for a day: killed
/// writers left them behind.
pub fn remove_abandoned(folder: &Path, prefix: &str) {
    let is_abandoned = |path: &Path| {
        let written = fs_err::symlink_metadata(path).and_then(|found| found.modified());
        written.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > ABANDONED_AFTER))
    };
    for name in sorted_names(folder).unwrap_or_default() {
        let path = folder.join(&name);
        if name.starts_with(prefix) && is_abandoned(&path) {
            // Another process may have removed it already.
            drop(fs_err::remove_file(path));
        }
    }
}

/// Whether a name in an index folder is one of ours.
fn is_of_index(name: &str) -> bool {
    name == CURRENT
        || name == LOCK_FILE
        || name == ENRICHMENT
        || name == SERVER_ANSWERS
        || name == STAMPS
        || name == format!("{CURRENT}.tmp")
        || name.starts_with(STAGING_PREFIX)
        || name.starts_with(SCRATCH_PREFIX)
        || is_generation_name(name)
}

/// Whether a folder is an index, or what a stopped build left of one: it has no other files.
#[must_use]
pub fn is_index_folder(folder: &Path) -> bool {
    [CURRENT, LOCK_FILE].iter().any(|name| folder.join(name).is_file())
        && sorted_names(folder).is_ok_and(|names| names.iter().all(|name| is_of_index(name)))
}

/// Refuses a folder that contains other files than those of an index: naming it is most likely a mistake.
fn refuse_foreign(index: &Path) -> Result<()> {
    if let Some(other) = sorted_names(index)?.iter().find(|name| !is_of_index(name)) {
        return Err(Error::NotAnIndex { path: index.to_owned(), other: other.clone() });
    }
    Ok(())
}

/// The names in a folder, sorted.
fn sorted_names(folder: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs_err::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// Folders whose files are checked before they are linked.
const CHECKED_FOLDERS: [&str; 3] = [part::SEGMENTS, part::TEXT, part::LANCE];

/// Syncs and hashes all files below a folder, in the order of their paths. Those that are links to checked files of
/// `earlier` generations have the digests that are known.
fn digest_files(root: &Path, manifest: &Manifest, earlier: &[&Generation]) -> Result<Vec<FileEntry>> {
    let paths = files_below(root)?;
    #[cfg(unix)]
    share_with_readers(root, &paths)?;
    let known: Vec<(&Generation, FxHashMap<&str, &FileEntry>)> = earlier
        .iter()
        .map(|generation| (*generation, generation.manifest().files.iter().map(|entry| (entry.path.as_str(), entry))))
        .map(|(generation, entries)| (generation, entries.collect()))
        .collect();
    let mut entries = Vec::with_capacity(paths.len());
    for path in paths {
        let absolute = root.join(&path);
        let is_checked = path.split_once('/').is_some_and(|(folder, _)| CHECKED_FOLDERS.contains(&folder));
        let linked = known.iter().find_map(|(generation, entries)| {
            let entry = entries.get(path.as_str()).filter(|_| is_checked)?;
            is_same_file(&absolute, &generation.path(&path)).then_some(entry)
        });
        entries.push(match linked {
            Some(&entry) => FileEntry { rows: rows_of(&path, manifest), ..entry.clone() },
            None => digest_file(root, path, manifest)?,
        });
    }
    Ok(entries)
}

/// Gives files that only their writer may read the permissions of any new file: the full-text library writes some so.
#[cfg(unix)]
fn share_with_readers(root: &Path, paths: &[String]) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let probe = root.join(".permissions");
    drop(fs_err::File::create(&probe)?);
    let usual = fs_err::metadata(&probe)?.permissions();
    fs_err::remove_file(&probe)?;
    for path in paths {
        let path = root.join(path);
        if fs_err::metadata(&path)?.permissions().mode() & 0o777 == 0o600 {
            fs_err::set_permissions(&path, usual.clone())?;
        }
    }
    Ok(())
}

/// Syncs and hashes a file.
fn digest_file(root: &Path, path: String, manifest: &Manifest) -> Result<FileEntry> {
    let absolute = root.join(&path);
    let (digest, bytes) = digest::hash_file(&absolute)?;
    sync_file(&absolute)?;
    let rows = rows_of(&path, manifest);
    Ok(FileEntry { kind: file_kind(&path).to_owned(), path, bytes, rows, blake3: digest.to_hex() })
}

/// Whether two paths are links to one file.
#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let place = |path: &Path| {
        let found = fs_err::symlink_metadata(path).ok().filter(std::fs::Metadata::is_file)?;
        Some((found.dev(), found.ino()))
    };
    place(one).is_some_and(|place_of_one| place(other) == Some(place_of_one))
}

/// Whether two paths are links to one file, which is not known on this system.
#[cfg(not(unix))]
const fn is_same_file(_: &Path, _: &Path) -> bool {
    false
}

/// The number of rows of a file; none for one without rows.
fn rows_of(path: &str, manifest: &Manifest) -> Option<u64> {
    if path == part::HISTORY {
        return Some(
            manifest.repositories.iter().filter_map(|repository| repository.history.as_ref()).map(|h| h.rows).sum(),
        );
    }
    let Some((folder, name)) = path.rsplit_once('/') else {
        return manifest.tables.get(path.strip_suffix(".parquet")?).copied();
    };
    let segment = folder.strip_prefix(part::SEGMENTS)?.strip_prefix('/')?;
    let segment = manifest.segments.iter().find(|known| known.name == segment)?;
    match name.strip_suffix(".parquet") {
        Some(ChunkRow::TABLE) => Some(segment.chunks.into()),
        Some(SymbolRow::TABLE) => Some(segment.symbols.into()),
        Some(EdgeRow::TABLE) => Some(segment.edges.into()),
        _ => (name == part::VECTORS).then_some(segment.vectors),
    }
}

/// The files below a folder, by their paths relative to it, in order.
///
/// # Errors
/// A folder cannot be read.
pub fn files_below(root: &Path) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    list_files(root, String::new(), &mut paths)?;
    paths.sort();
    Ok(paths)
}

fn list_files(root: &Path, below: String, paths: &mut Vec<String>) -> Result<()> {
    for name in sorted_names(&root.join(&below))? {
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        if root.join(&path).is_dir() {
            list_files(root, path.clone(), paths)?;
            sync_dir(&root.join(&path))?;
        } else {
            paths.push(path);
        }
    }
    Ok(())
}

/// The manifest's `kind` of a file of a generation.
fn file_kind(path: &str) -> &'static str {
    match path.split('/').next().unwrap_or(path) {
        part::SEGMENTS if path.ends_with(part::VECTORS) => "vectors",
        part::LANCE => "lance",
        part::GRAPH | part::FILE_USES => "graph",
        part::MODEL => "model",
        part::ANALYSIS_CACHE => "facts",
        part::BUILD_INFO => "info",
        part::TEXT => "text",
        _ => "table",
    }
}

#[expect(clippy::disallowed_methods, reason = "publication requires renaming")]
fn rename(from: &Path, to: &Path) -> Result<()> {
    std::fs::rename(from, to)
        .map_err(|error| with_context(error, format!("{} cannot be renamed to {}", from.display(), to.display())))
}

/// A system error, prefixed with the operation that failed.
fn with_context(error: std::io::Error, what: String) -> Error {
    Error::Io(std::io::Error::new(error.kind(), format!("{what}: {error}")))
}

fn write_synced(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = create_no_follow(path)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    Ok(())
}

/// Makes a file durable. Some systems require write access for that; elsewhere the file may be read-only.
fn sync_file(path: &Path) -> Result<()> {
    Ok(fs_err::OpenOptions::new().read(true).write(cfg!(not(unix))).open(path)?.sync_all()?)
}

/// Makes a folder's entries durable, on systems that support it.
fn sync_dir(path: &Path) -> Result<()> {
    if cfg!(unix) {
        fs_err::File::open(path)?.sync_all()?;
    }
    Ok(())
}

//! Caches the state of files in checkouts: a file whose size and times are unchanged is not read again.
//!
//! A file may be written twice within one tick of the clock. If it is read between the two writes, its size and times
//! may be equal afterwards. A file that was written just before it was read is therefore not cached (git calls such a
//! file racily clean).

use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use sextant_format::digest::Digest;
use sextant_format::kinds::SkipReason;
use sextant_format::version::FEATURE_VERSION;

use crate::changes::{PathState, Paths, path_state, skipped_path_states};
use crate::model::Source;
use crate::walk::{Repository, SkippedPath};

/// Files that were written more recently than this before they were read are not cached. The coarsest clocks of file
/// systems tick every two seconds.
const RACY_WINDOW: Duration = Duration::from_secs(2);

/// Version of the file's layout.
const VERSION: u32 = 2;

/// A cache is written again if more than one file in so many is not in it as it is now.
const MAX_UNKNOWN_ONE_IN: usize = 64;

/// Metadata of a file. If it is unchanged, the file is taken as unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    bytes: u64,
    /// Time of the last change of the content, in nanoseconds since 1970.
    modified: u128,
    /// Time of the last change of the file's inode (`ctime`), in nanoseconds since 1970. Programs cannot set it. 0 on
    /// systems without it.
    changed: i128,
}

impl Stamp {
    fn read(path: &Path) -> Option<Self> {
        let found = fs_err::symlink_metadata(path).ok()?;
        let modified = found.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        #[cfg(unix)]
        let changed = {
            use std::os::unix::fs::MetadataExt as _;
            i128::from(found.ctime()) * 1_000_000_000 + i128::from(found.ctime_nsec())
        };
        #[cfg(not(unix))]
        let changed = 0;
        Some(Self { bytes: found.len(), modified, changed })
    }

    /// Whether the file was written at least [`RACY_WINDOW`] before `now`.
    fn is_settled(&self, now: SystemTime) -> bool {
        let now = now.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        let last = self.modified.max(u128::try_from(self.changed).unwrap_or(0));
        last + RACY_WINDOW.as_nanos() < now
    }
}

/// Metadata and state of each file, by repository and path.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StatCache {
    version: u32,
    /// What else must be the same: see [`key`].
    key: Digest,
    max_bytes: u64,
    files: FxHashMap<(String, String), (Stamp, PathState)>,
}

/// Metadata of files before they were read, and when it was taken.
pub(crate) struct Stamps {
    now: SystemTime,
    files: Vec<((String, String), Stamp)>,
}

impl Stamps {
    /// Takes the metadata of every file that a walk found.
    #[expect(clippy::disallowed_methods, reason = "a file that was written just now is not cached")]
    pub(crate) fn take(names: &[String], sources: &[Source]) -> Self {
        let now = SystemTime::now();
        let stamp = |source: &Source| Some((key_of(names, source), Stamp::read(&source.absolute)?));
        Self { now, files: sources.par_iter().filter_map(stamp).collect() }
    }
}

/// The repository and path of a file.
fn key_of(names: &[String], source: &Source) -> (String, String) {
    (names[source.repo as usize].clone(), source.path.clone())
}

/// What a cache is of: repositories, in order, and the feature version, on which it depends what is skipped.
fn key(repositories: &[Repository]) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&FEATURE_VERSION.to_le_bytes());
    for Repository { name, root } in repositories {
        for part in [name.as_bytes(), root.as_os_str().as_encoded_bytes()] {
            hasher.update(&part.len().to_le_bytes()).update(part);
        }
    }
    Digest(*hasher.finalize().as_bytes())
}

impl StatCache {
    /// A cache that contains nothing.
    pub(crate) fn empty(repositories: &[Repository], max_bytes: u64) -> Self {
        Self { version: VERSION, key: key(repositories), max_bytes, files: FxHashMap::default() }
    }

    /// Reads the cache of an earlier run. It is empty if the file is missing, damaged, of another version, or written
    /// for other repositories or another limit of file size.
    pub(crate) fn read(path: &Path, repositories: &[Repository], max_bytes: u64) -> Self {
        let empty = Self::empty(repositories, max_bytes);
        let bytes = fs_err::read(path).unwrap_or_default();
        let Some((check, bytes)) = bytes.split_at_checked(32) else { return empty };
        if blake3::hash(bytes) != *check {
            return empty;
        }
        let read: Option<Self> = postcard::from_bytes(bytes).ok();
        read.filter(|seen| (seen.version, seen.key, seen.max_bytes) == (VERSION, empty.key, max_bytes)).unwrap_or(empty)
    }

    /// The cache of files that were read and have this state in an index. A file whose worker panicked is not cached, so the
    /// next build tries it again.
    pub(crate) fn of_index(repositories: &[Repository], max_bytes: u64, stamps: Stamps, paths: &Paths) -> Self {
        let is_retried = |state: &PathState| matches!(state, PathState::Skipped(SkipReason::Panic, _));
        let files =
            stamps.files.into_iter().filter(|(_, stamp)| stamp.is_settled(stamps.now)).filter_map(|(key, stamp)| {
                let state = paths.get(&key).filter(|state| !is_retried(state))?.clone();
                Some((key, (stamp, state)))
            });
        Self { files: files.collect(), ..Self::empty(repositories, max_bytes) }
    }

    /// Returns the content of a file that [`Self::read`] can read: a blake3 hash, then the cache in postcard.
    pub(crate) fn to_bytes(&self) -> anyhow::Result<Vec<u8>> {
        let bytes = postcard::to_stdvec(self)?;
        Ok([blake3::hash(&bytes).as_bytes(), bytes.as_slice()].concat())
    }

    /// Returns the state of every path that a walk found, equal to that of
    /// [`paths_in_checkouts`](crate::changes::paths_in_checkouts), and the cache for the next run.
    #[expect(clippy::disallowed_methods, reason = "a file that was written just now is not cached")]
    pub(crate) fn scan(
        &self,
        names: &[String],
        sources: &[Source],
        skipped_paths: &[SkippedPath],
        stop: impl Fn() -> bool + Sync,
    ) -> (Paths, Self) {
        let now = SystemTime::now();
        let inspect = |source: &Source| {
            let key = key_of(names, source);
            let stamp = Stamp::read(&source.absolute);
            let known = self.files.get(&key).filter(|(known, _)| Some(known) == stamp.as_ref());
            let state = known.map_or_else(|| path_state(source, self.max_bytes), |(_, state)| state.clone());
            (key, stamp, state)
        };
        let found: Vec<_> = sources.par_iter().filter(|_| !stop()).map(inspect).collect();
        let mut next = Self { files: FxHashMap::default(), ..*self };
        next.files.reserve(found.len());
        let mut paths = Vec::with_capacity(found.len() + skipped_paths.len());
        for (key, stamp, state) in found {
            if let Some(stamp) = stamp.filter(|stamp| stamp.is_settled(now)) {
                next.files.insert(key.clone(), (stamp, state.clone()));
            }
            paths.push((key, state));
        }
        paths.extend(skipped_path_states(names, skipped_paths));
        (paths.into_iter().collect(), next)
    }

    /// Whether an earlier cache lacks so much of this one that this one is worth writing.
    pub(crate) fn is_worth_writing(&self, earlier: &Self) -> bool {
        let unknown = self.files.iter().filter(|(path, state)| earlier.files.get(*path) != Some(state)).count();
        unknown * MAX_UNKNOWN_ONE_IN > self.files.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_that_may_have_changed_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let absolute = dir.path().join("a.rs");
        let write = |text: &str, seconds: u64| {
            fs_err::write(&absolute, text).unwrap();
            let file = std::fs::File::options().write(true).open(&absolute).unwrap();
            file.set_modified(UNIX_EPOCH + Duration::from_secs(1_700_000_000 + seconds)).unwrap();
        };
        let sources = [Source { repo: 0, path: "a.rs".to_owned(), absolute: absolute.clone() }];
        let names = ["r".to_owned()];
        let inspect = |seen: &StatCache| seen.scan(&names, &sources, &[], || false);
        let text = |paths: &Paths| paths.values().next().cloned().unwrap();
        let repositories = [Repository { name: "r".to_owned(), root: dir.path().to_owned() }];
        let read = StatCache::read(&dir.path().join("none"), &repositories, 100);

        write("one", 0);
        let (first, mut seen) = inspect(&read);
        // The inode changed just now, so the file is not cached where the system has `ctime`.
        assert_eq!(seen.files.is_empty(), cfg!(unix));
        let stamp = Stamp::read(&absolute).unwrap();
        seen.files.insert(
            ("r".to_owned(), "a.rs".to_owned()),
            (stamp, PathState::Skipped(SkipReason::Binary, "as remembered".to_owned())),
        );
        let (remembered, _) = inspect(&seen);
        assert_ne!(remembered, first, "a cached state is used");
        write("two", 0);
        let (second, _) = inspect(&seen);
        assert!(
            second != first && second != remembered,
            "the size and time are the same, but the file is read: {:?}",
            text(&second)
        );

        let stamps = Stamps::take(&names, &sources);
        let later = Stamps { now: stamps.now + 2 * RACY_WINDOW, files: stamps.files.clone() };
        let of_index = |stamps, paths: &Paths| StatCache::of_index(&repositories, 100, stamps, paths).files;
        assert_eq!(of_index(stamps, &second).is_empty(), cfg!(unix));
        let mut panicked = second.clone();
        let panic = PathState::Skipped(SkipReason::Panic, String::new());
        panicked.values_mut().for_each(|state| *state = panic.clone());
        let again = Stamps { now: later.now, files: later.files.clone() };
        assert_eq!(of_index(later, &second).len(), 1);
        assert!(of_index(again, &panicked).is_empty(), "it is read again");

        let file = dir.path().join("seen");
        fs_err::write(&file, seen.to_bytes().unwrap()).unwrap();
        assert_eq!(StatCache::read(&file, &repositories, 100).files, seen.files);
        assert!(StatCache::read(&file, &repositories, 99).files.is_empty());
        assert!(StatCache::read(&file, &[], 100).files.is_empty());
        assert!(!seen.is_worth_writing(&seen) && seen.is_worth_writing(&StatCache::empty(&repositories, 100)));
        let mut bytes = fs_err::read(&file).unwrap();
        bytes[40] ^= 1;
        fs_err::write(&file, bytes).unwrap();
        assert!(StatCache::read(&file, &repositories, 100).files.is_empty());
    }
}

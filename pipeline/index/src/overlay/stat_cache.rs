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

use crate::changes::{PathState, Paths, path_state, skipped_path_states};
use crate::model::Source;
use crate::walk::SkippedPath;

/// Files that were written more recently than this before they were read are not cached. The coarsest clocks of file
/// systems tick every two seconds.
const RACY_WINDOW: Duration = Duration::from_secs(2);

/// Version of the file's layout.
const VERSION: u32 = 1;

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
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct StatCache {
    version: u32,
    max_bytes: u64,
    files: FxHashMap<(String, String), (Stamp, PathState)>,
}

impl StatCache {
    /// Reads the cache of an earlier run. It is empty if the file is missing, damaged, of another version, or written
    /// for another limit of file size.
    pub(super) fn read(path: &Path, max_bytes: u64) -> Self {
        let nothing = || Self { version: VERSION, max_bytes, files: FxHashMap::default() };
        let bytes = fs_err::read(path).unwrap_or_default();
        let Some((check, bytes)) = bytes.split_at_checked(32) else { return nothing() };
        if blake3::hash(bytes) != *check {
            return nothing();
        }
        let read: Option<Self> = postcard::from_bytes(bytes).ok();
        read.filter(|seen| (seen.version, seen.max_bytes) == (VERSION, max_bytes)).unwrap_or_else(nothing)
    }

    /// Returns the content of a file that [`Self::read`] can read: a blake3 hash, then the cache in postcard.
    pub(super) fn to_bytes(&self) -> anyhow::Result<Vec<u8>> {
        let bytes = postcard::to_stdvec(self)?;
        Ok([blake3::hash(&bytes).as_bytes(), bytes.as_slice()].concat())
    }

    /// Returns the state of every path that a walk found, equal to that of
    /// [`paths_in_checkouts`](crate::changes::paths_in_checkouts), and the cache for the next run.
    #[expect(clippy::disallowed_methods, reason = "a file that was written just now is not cached")]
    pub(super) fn scan(
        &self,
        names: &[String],
        sources: &[Source],
        skipped_paths: &[SkippedPath],
        stop: impl Fn() -> bool + Sync,
    ) -> (Paths, Self) {
        let now = SystemTime::now();
        let inspect = |source: &Source| {
            let key = (names[source.repo as usize].clone(), source.path.clone());
            let stamp = Stamp::read(&source.absolute);
            let known = self.files.get(&key).filter(|(known, _)| Some(known) == stamp.as_ref());
            let state = known.map_or_else(|| path_state(source, self.max_bytes), |(_, state)| state.clone());
            (key, stamp, state)
        };
        let found: Vec<_> = sources.par_iter().filter(|_| !stop()).map(inspect).collect();
        let mut next = Self { version: VERSION, max_bytes: self.max_bytes, files: FxHashMap::default() };
        let mut paths = Paths::new();
        for (key, stamp, state) in found {
            if let Some(stamp) = stamp.filter(|stamp| stamp.is_settled(now)) {
                next.files.insert(key.clone(), (stamp, state.clone()));
            }
            paths.insert(key, state);
        }
        paths.extend(skipped_path_states(names, skipped_paths));
        (paths, next)
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
        let read = StatCache::read(&dir.path().join("none"), 100);

        write("one", 0);
        let (first, mut seen) = inspect(&read);
        // The inode changed just now, so the file is not cached where the system has `ctime`.
        assert_eq!(seen.files.is_empty(), cfg!(unix));
        let stamp = Stamp::read(&absolute).unwrap();
        seen.files.insert(
            ("r".to_owned(), "a.rs".to_owned()),
            (stamp, PathState::Skipped(sextant_format::kinds::SkipReason::Binary, "as remembered".to_owned())),
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

        let file = dir.path().join("seen");
        fs_err::write(&file, seen.to_bytes().unwrap()).unwrap();
        assert_eq!(StatCache::read(&file, 100).files, seen.files);
        assert!(StatCache::read(&file, 99).files.is_empty());
        let mut bytes = fs_err::read(&file).unwrap();
        bytes[40] ^= 1;
        fs_err::write(&file, bytes).unwrap();
        assert!(StatCache::read(&file, 100).files.is_empty());
    }
}

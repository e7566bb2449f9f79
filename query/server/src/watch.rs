//! Tells when files of a checkout are saved. Must not know indexes.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::{Duration, Instant};

use notify::event::EventKind;
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::{Error, Result};

/// Files that are saved together, as by a formatter or `git checkout`, are one change: it ends when nothing is saved for
/// this long,
const QUIET: Duration = Duration::from_millis(100);
/// or after this long.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// Watches folders.
pub struct Watcher {
    /// Watches as long as it exists.
    _watcher: RecommendedWatcher,
    changes: Receiver<()>,
}

/// Makes a [`Watcher`] return, from another thread.
#[derive(Clone)]
pub struct Waker(SyncSender<()>);

impl Waker {
    /// Counts as a change.
    pub fn wake(&self) {
        // A change that is waiting already is enough.
        if let Err(TrySendError::Full(()) | TrySendError::Disconnected(())) = self.0.try_send(()) {}
    }
}

impl Watcher {
    /// Watches everything below the folders `below` and directly in the folders `inside`, except what is below the
    /// folders in `ignored`. `on_event` is called at each event, on a thread of the watcher.
    ///
    /// # Errors
    /// The system cannot watch a folder, such as because there are more folders below it than the system's limit.
    pub fn new(
        below: &[PathBuf],
        inside: &[PathBuf],
        ignored: Vec<PathBuf>,
        on_event: impl Fn() + Send + 'static,
    ) -> Result<(Self, Waker)> {
        // One waiting change stands for all that follow.
        let (sender, changes) = sync_channel(1);
        let waker = Waker(sender);
        let own = waker.clone();
        let handler = move |event: notify::Result<Event>| {
            // An error says that events were lost.
            if event.as_ref().map_or(true, |event| is_change(event, &ignored)) {
                on_event();
                own.wake();
            }
        };
        let failed =
            |path: &Path, error: notify::Error| Error::Watch { path: path.to_owned(), what: error.to_string() };
        let first = below.first().map_or(Path::new("."), PathBuf::as_path);
        let mut watcher = notify::recommended_watcher(handler).map_err(|error| failed(first, error))?;
        let below = below.iter().map(|folder| (folder, RecursiveMode::Recursive));
        for (folder, mode) in below.chain(inside.iter().map(|folder| (folder, RecursiveMode::NonRecursive))) {
            watcher.watch(folder, mode).map_err(|error| failed(folder, error))?;
        }
        Ok((Self { _watcher: watcher, changes }, waker))
    }

    /// Waits for a change and for its end. Returns false if there was none for `timeout`.
    pub fn wait(&self, timeout: Duration) -> bool {
        if self.changes.recv_timeout(timeout).is_err() {
            return false;
        }
        let began = Instant::now();
        while began.elapsed() < MAX_WAIT {
            match self.changes.recv_timeout(QUIET) {
                Ok(()) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
        }
        true
    }
}

/// Whether an event may change what is indexed: not one of git's own files, or of the ignored folders.
fn is_change(event: &Event, ignored: &[PathBuf]) -> bool {
    let is_own = |path: &PathBuf| {
        path.components().any(|part| part.as_os_str() == ".git")
            || ignored.iter().any(|folder| path.starts_with(folder))
    };
    !matches!(event.kind, EventKind::Access(_)) && (event.paths.is_empty() || !event.paths.iter().all(is_own))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use super::*;

    #[test]
    fn saved_files_are_one_change_and_git_and_caches_are_none() {
        let dir = tempfile::tempdir().unwrap();
        let root = fs_err::canonicalize(dir.path()).unwrap();
        for folder in [".git", "src", "cache"] {
            fs_err::create_dir(root.join(folder)).unwrap();
        }
        let events = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&events);
        let on_event = move || {
            counted.fetch_add(1, Relaxed);
        };
        let (watcher, waker) =
            Watcher::new(std::slice::from_ref(&root), &[], vec![root.join("cache")], on_event).unwrap();
        fs_err::write(root.join(".git/index"), "1").unwrap();
        fs_err::write(root.join("cache/x"), "1").unwrap();
        assert!(!watcher.wait(Duration::from_millis(300)));
        assert_eq!(events.load(Relaxed), 0);
        for n in 0..20 {
            fs_err::write(root.join(format!("src/{n}.rs")), "fn a() {}").unwrap();
        }
        assert!(watcher.wait(Duration::from_secs(20)));
        assert!(events.load(Relaxed) > 0);
        // A folder that is created later is watched, too.
        fs_err::create_dir(root.join("src/new")).unwrap();
        assert!(watcher.wait(Duration::from_secs(20)));
        fs_err::write(root.join("src/new/x.rs"), "fn b() {}").unwrap();
        assert!(watcher.wait(Duration::from_secs(20)));
        waker.wake();
        assert!(watcher.wait(Duration::from_secs(20)));
    }
}

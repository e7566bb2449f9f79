//! The memory limit of a build: it sizes the buffers, and ends a build with an error if the tables of symbols and
//! references, which grow with the indexed files, exceed it.

use sextant_writer::TEXT_MEMORY;

/// The least memory of the larger text index writer, in bytes. The smaller writer has half of it, and tantivy requires
/// 15 MB for each.
const MIN_TEXT_BYTES: u64 = 32 << 20;
/// The larger text index writer may use one part in so many of the limit before it closes a segment. While a segment
/// is being closed, it needs as much again.
const TEXT_SHARE_ONE_IN: u64 = 10;
/// Files in flight per thread. Together with the largest file, this bounds memory.
const FILES_IN_FLIGHT: usize = 16;
/// Files in flight per thread if the limit is below [`SMALL_LIMIT_BYTES`].
const SMALL_FILES_IN_FLIGHT: usize = 4;
const SMALL_LIMIT_BYTES: u64 = 1 << 30;

/// The memory that a build may use.
#[derive(Clone, Copy, Debug, Default)]
pub struct MemoryBudget {
    /// The limit in bytes; `None` is no limit.
    pub limit: Option<u64>,
}

/// A build exceeded its memory limit; nothing was published.
#[derive(Debug, thiserror::Error)]
#[error("the build takes {} MB of memory, the limit is {} MB", .used / 1_000_000, .limit / 1_000_000)]
pub struct MemoryLimitExceeded {
    used: u64,
    limit: u64,
}

impl MemoryLimitExceeded {
    /// How to avoid the error.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        "symbols and references of all files stay in memory until the end of the build: raise --memory-limit, \
         exclude files with --exclude, or use fewer --threads"
    }
}

impl MemoryBudget {
    /// Bytes that the larger text index writer may use before it closes a segment.
    pub(crate) fn text_writer_bytes(self) -> usize {
        let max = TEXT_MEMORY as u64;
        let bytes = self.limit.map_or(max, |limit| (limit / TEXT_SHARE_ONE_IN).clamp(MIN_TEXT_BYTES, max));
        usize::try_from(bytes).unwrap_or(TEXT_MEMORY)
    }

    /// Files in flight per thread.
    pub(crate) fn files_in_flight(self) -> usize {
        if self.limit.is_some_and(|limit| limit < SMALL_LIMIT_BYTES) { SMALL_FILES_IN_FLIGHT } else { FILES_IN_FLIGHT }
    }

    /// Fails if the process uses more memory than the limit. Without a limit, or where the system does not report the
    /// memory of a process, this always succeeds.
    pub(crate) fn check(self) -> Result<(), MemoryLimitExceeded> {
        match (self.limit, anonymous_bytes()) {
            (Some(limit), Some(used)) if used > limit => Err(MemoryLimitExceeded { used, limit }),
            _ => Ok(()),
        }
    }
}

/// Returns the bytes of the process's private memory. Mapped files do not count, because the system can reclaim their
/// pages at any time.
fn anonymous_bytes() -> Option<u64> {
    proc_status_bytes("RssAnon:")
}

/// Returns the peak resident memory of the process in bytes, including mapped files; `None` except on Linux.
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    proc_status_bytes("VmHWM:")
}

/// Returns the bytes in a line of `/proc/self/status`; `None` except on Linux.
fn proc_status_bytes(name: &str) -> Option<u64> {
    if cfg!(not(target_os = "linux")) {
        return None;
    }
    let status = fs_err::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_follow_the_limit() {
        let budget = |limit| MemoryBudget { limit };
        assert_eq!((budget(None).text_writer_bytes(), budget(None).files_in_flight()), (TEXT_MEMORY, FILES_IN_FLIGHT));
        assert_eq!(
            (budget(Some(500 << 20)).text_writer_bytes(), budget(Some(500 << 20)).files_in_flight()),
            (50 << 20, SMALL_FILES_IN_FLIGHT)
        );
        assert_eq!(budget(Some(1)).text_writer_bytes() as u64, MIN_TEXT_BYTES);
        assert_eq!(budget(Some(1 << 40)).text_writer_bytes(), TEXT_MEMORY);
        assert!(budget(None).check().is_ok() && budget(Some(1 << 40)).check().is_ok());
        #[cfg(target_os = "linux")]
        assert!(budget(Some(1)).check().unwrap_err().to_string().contains("limit is 0 MB"));
    }
}

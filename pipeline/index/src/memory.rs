//! How much memory a build may take: buffers by a limit, and an orderly end where the tables of symbols and
//! references, which grow with what is indexed, go beyond it.

use sextant_writer::TEXT_MEMORY;

/// What the writers of the text indexes need at least, in bytes: the smaller takes half as much, and none less than
/// 15 MB.
const MIN_TEXT_BYTES: u64 = 32 << 20;
/// The part of a limit that the larger writer of a text index may take before it closes a segment; a segment that is
/// being closed takes as much again.
const TEXT_SHARE_ONE_IN: u64 = 10;
/// Files in flight for each thread: what bounds memory, together with the largest file.
const FILES_IN_FLIGHT: usize = 16;
/// The same under a limit below [`SMALL_LIMIT_BYTES`].
const SMALL_FILES_IN_FLIGHT: usize = 4;
const SMALL_LIMIT_BYTES: u64 = 1 << 30;

/// The memory of a build.
#[derive(Clone, Copy, Debug, Default)]
pub struct MemoryBudget {
    /// Bytes that it may take; any number where there is none.
    pub limit: Option<u64>,
}

/// A build took more than it may; nothing was published.
#[derive(Debug, thiserror::Error)]
#[error("the build takes {} MB of memory, the limit is {} MB", .used / 1_000_000, .limit / 1_000_000)]
pub struct MemoryLimitExceeded {
    used: u64,
    limit: u64,
}

impl MemoryLimitExceeded {
    /// The way out.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        "symbols and references of all files are held until the end: raise --memory-limit, leave files out with \
         --exclude, or take fewer --threads"
    }
}

impl MemoryBudget {
    /// Bytes that a writer of full text may take before it closes a segment.
    pub(crate) fn text_writer_bytes(self) -> usize {
        let max = TEXT_MEMORY as u64;
        let bytes = self.limit.map_or(max, |limit| (limit / TEXT_SHARE_ONE_IN).clamp(MIN_TEXT_BYTES, max));
        usize::try_from(bytes).unwrap_or(TEXT_MEMORY)
    }

    /// Files in flight for each thread.
    pub(crate) fn files_in_flight(self) -> usize {
        if self.limit.is_some_and(|limit| limit < SMALL_LIMIT_BYTES) { SMALL_FILES_IN_FLIGHT } else { FILES_IN_FLIGHT }
    }

    /// Whether the limit holds, where the system says what the process takes.
    pub(crate) fn check(self) -> Result<(), MemoryLimitExceeded> {
        match (self.limit, anonymous_bytes()) {
            (Some(limit), Some(used)) if used > limit => Err(MemoryLimitExceeded { used, limit }),
            _ => Ok(()),
        }
    }
}

/// Bytes that the process has to itself. Mapped files are left out: the system takes their pages back when it needs
/// them.
fn anonymous_bytes() -> Option<u64> {
    proc_status_bytes("RssAnon:")
}

/// The most bytes that the process has had in memory, mapped files with it; none where the system does not say.
#[must_use]
pub fn peak_bytes() -> Option<u64> {
    proc_status_bytes("VmHWM:")
}

/// A line of what Linux says of the process.
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

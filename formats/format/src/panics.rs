//! Panic isolation for libraries that may panic on damaged input: Arrow's and Parquet's readers check most of their
//! input and assert the rest. Such a panic is reported as damage.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use crate::{Error, Result};

/// Runs a reader; a panic in it becomes [`Error::Damaged`] for the file.
pub fn catch_panic<T>(path: &Path, read: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("its reader stopped");
        Err(Error::damaged(path, text))
    })
}

//! Panic isolation for libraries that may panic on damaged input: Arrow's and Parquet's readers check most of their
//! input and assert the rest. Such a panic is reported as damage.

use std::path::Path;

use crate::{Error, Result};

/// Runs a reader; a panic in it becomes [`Error::Damaged`] for the file.
pub fn catch_panic<T>(path: &Path, read: impl FnOnce() -> Result<T>) -> Result<T> {
    sextant_diagnostics::catch(read).unwrap_or_else(|panic| Err(Error::damaged(path, panic)))
}

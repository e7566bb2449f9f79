//! How a pull reports its progress. This module must not know the stages of a pull.

/// Receives the progress of a pull.
pub trait Reporter {
    /// A stage begins; `steps` is its length if known, in bytes for fetching and in files for the other stages.
    fn stage(&self, name: &'static str, steps: Option<u64>);
    /// `steps` more steps are done.
    fn step(&self, steps: u64);
}

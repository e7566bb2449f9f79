//! What a verification found.

/// The result of a verification.
#[derive(Debug, Default)]
pub struct VerifyReport {
    /// Number of files that were read.
    pub files: usize,
    /// Number of bytes that were read.
    pub bytes: u64,
    /// Number of rows that were checked.
    pub rows: u64,
    /// Descriptions of all problems; empty for an intact index.
    pub problems: Vec<String>,
}

/// Maximum number of wrong rows of a table that are listed one by one.
pub(crate) const MAX_EXAMPLES: usize = 20;

impl VerifyReport {
    /// Adds a problem.
    pub(crate) fn problem(&mut self, text: String) {
        if self.problems.len() < MAX_EXAMPLES * 10 {
            self.problems.push(text);
        }
    }
}

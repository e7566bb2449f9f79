//! Why a query does not compile, and where. Must not know what queries consist of.

/// A query that does not compile: the reason and the line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}, in line {line}")]
pub struct QueryError {
    pub(crate) message: String,
    /// From 1.
    pub(crate) line: usize,
}

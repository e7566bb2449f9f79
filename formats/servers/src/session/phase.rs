//! How far a server is.

/// How far a server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It has not answered `initialize` yet.
    Starting,
    /// It reads its workspace: what it reports as its work.
    Indexing(String),
    /// It answers.
    Ready,
    /// It has ended: why.
    Ended(String),
}

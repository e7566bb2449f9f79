//! What language servers can be asked. The servers themselves are beyond this crate.

use std::time::Instant;

use super::node::Node;
use crate::{Index, Result};

/// Running language servers, as this crate sees them. Every call returns by its deadline.
pub trait LanguageServers: Send + Sync {
    /// The symbols that refer to each of some symbols, and those that call it.
    ///
    /// # Errors
    /// The index is damaged. What servers do wrong is a part of the answer.
    fn relations(&self, index: &Index, nodes: &[Node], deadline: Instant) -> Result<Vec<LiveRelations>>;

    /// The servers that were started, and how far each is.
    fn report(&self) -> Vec<ServerReport>;
}

/// An answer, or the reason why there is none, for people.
pub type Asked<T> = std::result::Result<T, String>;

/// What is related to one symbol.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveRelations {
    /// The symbols whose text refers to it.
    pub references: Asked<Vec<Node>>,
    /// The symbols that call it.
    pub callers: Asked<Vec<Node>>,
}

/// How far a server is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServerReport {
    /// The server's name, or the language for which there is none.
    pub server: String,
    /// Its state, for people: ready, starting, indexing, not installed ...
    pub state: String,
}

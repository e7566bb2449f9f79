//! What language servers can be asked. The servers themselves are beyond this crate.

use std::time::Instant;

use super::node::{Node, Position};
use crate::{Index, Result};

/// Running language servers, as this crate sees them. Every call returns by its deadline.
pub trait LanguageServers: Send + Sync {
    /// The symbols that refer to each of some symbols, and those that call it.
    ///
    /// # Errors
    /// The index is damaged. What servers do wrong is a part of the answer.
    fn relations(&self, index: &Index, nodes: &[Node], deadline: Instant) -> Result<Vec<LiveRelations>>;

    /// The uses of a symbol.
    ///
    /// # Errors
    /// As for [`Self::relations`].
    fn uses(&self, index: &Index, node: &Node, deadline: Instant) -> Result<Asked<Vec<LiveUse>>>;

    /// What a server says about a symbol.
    ///
    /// # Errors
    /// As for [`Self::relations`].
    fn hover(&self, index: &Index, node: &Node, deadline: Instant) -> Result<Asked<LiveHover>>;

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

/// A use that a server knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveUse {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// Where it is in the checkout.
    pub at: Position,
    /// Its line in the index; `None` if the line was edited since, or the file is new.
    pub indexed_line: Option<u32>,
    /// The text of its line.
    pub text: String,
}

/// What a server says about a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveHover {
    /// The server's text, in Markdown.
    pub text: String,
    /// The server.
    pub server: String,
}

/// How far a server is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServerReport {
    /// The server's name, or the language for which there is none.
    pub server: String,
    /// Its state, for people: ready, starting, indexing, not installed ...
    pub state: String,
}

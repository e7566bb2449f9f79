//! What language servers can be asked. The servers themselves are beyond this crate.

use std::time::Instant;

use sextant_format::ids::FileId;

use super::node::Node;
use crate::{Index, Result};

/// Running language servers, as this crate sees them. Every call returns by its deadline.
pub trait LanguageServers: Send + Sync {
    /// The symbols that refer to each of some symbols, and those that call it.
    ///
    /// # Errors
    /// The index is damaged. What servers do wrong is a part of the answer.
    fn relations(&self, index: &Index, nodes: &[Node], deadline: Instant) -> Result<Vec<LiveRelations>>;

    /// The places that refer to each of some symbols.
    ///
    /// # Errors
    /// The index is damaged.
    fn references(&self, index: &Index, nodes: &[Node], deadline: Instant) -> Result<Vec<Asked<Vec<LivePlace>>>>;

    /// The places where each of some symbols is defined, as a server sees it from the symbol's own name.
    ///
    /// # Errors
    /// The index is damaged.
    fn definitions(&self, index: &Index, nodes: &[Node], deadline: Instant) -> Result<Vec<Asked<Vec<LivePlace>>>>;

    /// What servers tell about each of some symbols.
    ///
    /// # Errors
    /// The index is damaged.
    fn hovers(&self, index: &Index, nodes: &[Node], deadline: Instant) -> Result<Vec<Asked<Option<String>>>>;

    /// The symbols of exactly this name, in each of some languages.
    ///
    /// # Errors
    /// The index is damaged.
    fn symbols(
        &self,
        index: &Index,
        name: &str,
        languages: &[String],
        deadline: Instant,
    ) -> Result<Vec<Asked<Vec<LivePlace>>>>;

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

/// A place in a checkout, as it is now.
#[derive(Clone, Debug, PartialEq)]
pub struct LivePlace {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// Its file in the index, if it has it.
    pub file: Option<FileId>,
    /// The line of the index, from 1; `None` if it was edited, or the index lacks the file.
    pub line: Option<u32>,
    /// The line in the checkout, from 1.
    pub line_now: u32,
    /// The column in bytes, from 0.
    pub column: u32,
    /// The line's text, without leading and trailing white space.
    pub text: String,
    /// Whether a symbol of the index has its name here.
    pub is_name: bool,
    /// The symbol that it is about: for a use the innermost one around it, for a definition the defined one.
    pub symbol: Option<Node>,
}

/// How far a server is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ServerReport {
    /// The server's name, or the language for which there is none.
    pub server: String,
    /// Its state, for people: ready, starting, indexing, not installed ...
    pub state: String,
}

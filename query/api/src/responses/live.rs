//! What language servers add to answers of an index.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_search::DirtyFiles;
use sextant_search::live::{self, Node};

use crate::location::Location;

/// How far a language server is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ServerState {
    /// Its name, or a language for which there is none.
    pub server: String,
    /// Its state: ready, starting, indexing, not installed and so on.
    pub state: String,
}

/// How language servers were asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LiveReport {
    /// The number of questions: one for each definition, at most ten, and one for each language in which a name was looked
    /// for.
    pub asked: usize,
    /// The number of questions that a server answered.
    pub answered: usize,
    /// Why the others have no answer, or why none was asked.
    pub unanswered: Vec<String>,
    /// The time that it took.
    pub milliseconds: u64,
    /// The language servers, and how far each is.
    pub servers: Vec<ServerState>,
}

/// A place that a language server names and the index does not, or only as a guess.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct LivePlace {
    /// Its lines in the checkout; those in the index for a symbol that the index has.
    #[serde(flatten)]
    pub location: Location,
    /// The column in bytes, from 0; `null` for a symbol.
    pub column: Option<u32>,
    /// The text of the line; `null` for a symbol.
    pub text: Option<String>,
    /// The key of the symbol that is there, or around it; `null` if the index does not have it.
    pub key: Option<String>,
    /// The qualified name of this symbol; `null` if there is none.
    pub qualified_name: Option<String>,
    /// Its kind.
    pub kind: Option<&'static str>,
}

impl From<live::ServerReport> for ServerState {
    fn from(report: live::ServerReport) -> Self {
        Self { server: report.server, state: report.state }
    }
}

impl LivePlace {
    pub(crate) fn list(places: Vec<live::LivePlace>, dirty_files: &DirtyFiles) -> Vec<Self> {
        let place = |place: live::LivePlace| {
            let live::LivePlace { repo, path, line_now, column, text, symbol, .. } = place;
            Self {
                location: Location::new(dirty_files, &repo, &path, line_now, line_now),
                column: Some(column),
                text: Some(text),
                key: symbol.as_ref().and_then(|node| node.key.clone()),
                kind: symbol.as_ref().map(|node| node.kind.as_str()),
                qualified_name: symbol.map(|node| node.qualified_name),
            }
        };
        places.into_iter().map(place).collect()
    }

    pub(crate) fn of_symbols(symbols: Vec<Node>, dirty_files: &DirtyFiles) -> Vec<Self> {
        let place = |node: Node| Self {
            location: Location::new(dirty_files, &node.repo, &node.path, node.start.line, node.end.line),
            column: None,
            text: None,
            key: node.key,
            kind: Some(node.kind.as_str()),
            qualified_name: Some(node.qualified_name),
        };
        symbols.into_iter().map(place).collect()
    }
}

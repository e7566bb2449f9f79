//! Requests: structs whose fields are the options of the command line, the parameters of the tools and of HTTP, and the
//! schemas of all of them.

mod defaults;
mod graph;
mod names;
mod overview;
mod search;
mod source;

use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use sextant_format::kinds::{EdgeKind, Kind};

use crate::responses::{
    self, ContextAnswer, GrepAnswer, Hovers, MapAnswer, OutlineAnswer, PathAnswer, ReachAnswer, ReferencesAnswer,
    RelatedAnswer, Response, SearchAnswer, ShowAnswer, StatsAnswer,
};
use crate::{Error, IndexSet, Result};

pub use graph::{Affected, Callees, Callers, Impact, Path, Reach};
pub use names::{Definition, Hover, References, Related, Symbols};
pub use overview::{Context, Detail, Explore, Map, MapFormat, Stats};
pub use search::{FilterArgs, Search, SearchOptions};
pub use source::{Grep, Outline, Show};

/// A question with its parameters.
pub trait Request: Send + Sync {
    /// Answers it from one index or several.
    ///
    /// # Errors
    /// A parameter is wrong, or an index cannot be used.
    fn run(&self, indexes: &IndexSet) -> Result<Response>;
}

/// What is known of a request without sending it.
pub struct RequestInfo {
    /// Its name: the command, the tool, the last part of the address.
    pub name: &'static str,
    /// What it does, in a line or a few.
    pub about: &'static str,
    /// Its parameters, as JSON Schema.
    pub parameters: fn() -> Schema,
    /// Its answer, as JSON Schema.
    pub answer: fn() -> Schema,
    /// A request with these parameters.
    pub parse: fn(serde_json::Value) -> Result<Box<dyn Request>>,
}

/// A request out of JSON; an error names the parameter that is wrong.
fn parse<T: Request + DeserializeOwned + 'static>(parameters: serde_json::Value) -> Result<Box<dyn Request>> {
    let request: T =
        serde_json::from_value(parameters).map_err(|error| Error::Parameter(format!("the parameters: {error}")))?;
    Ok(Box::new(request))
}

fn schema<T: JsonSchema>() -> Schema {
    schemars::schema_for!(T)
}

macro_rules! requests {
    ($($request:ty, $answer:ty, $name:literal, $about:literal;)*) => {
        /// Every request, in the order in which a reader meets them.
        pub const REQUESTS: &[RequestInfo] = &[$(RequestInfo {
            name: $name,
            about: $about,
            parameters: schema::<$request>,
            answer: schema::<$answer>,
            parse: parse::<$request>,
        },)*];
    };
}

requests! {
    Search, SearchAnswer, "search", "Find code by words, names or meaning. A query is a question (\"where is retry handled\"), a name (\"Session\", \"Session.close\"), a path, or a long text such as an issue or a stack trace. Each result is a chunk: a symbol, a block of a large one, or code between symbols, with the lines that fit best.";
    Explore, responses::Explore, "explore", "Begin with a question about the code: the entry points with their source, what requests them and what they call, the ways between them, and the files that matter, cut to a number of tokens. Ask this first.";
    Definition, responses::Definitions, "definition", "Where a name is defined. Without a definition of just that name, those whose names begin with it, then those that differ in a letter or two.";
    References, ReferencesAnswer, "references", "Where a symbol is used: every place with its line, and whether it is a call, an import, a type or another use; by definition, where several have the name.";
    Symbols, responses::Symbols, "symbols", "The symbols whose names begin with a text, hold it, or nearly do.";
    Hover, Hovers, "hover", "What there is to know of a symbol at a glance: signature, documentation, place, members, and how much it is used.";
    Callers, ReachAnswer, "callers", "What requests a function or a method, or makes one of a type; with a depth, also what requests those.";
    Callees, ReachAnswer, "callees", "What a function or a method requests; with a depth, also what those call.";
    Impact, ReachAnswer, "impact", "Everything that a change of a symbol can reach: callers, users of a type, what inherits, and so on.";
    Affected, ReachAnswer, "affected", "The tests that a change of symbols or files reaches.";
    Path, PathAnswer, "path", "The surest way along requests from one symbol to another.";
    Related, RelatedAnswer, "related", "What belongs to a symbol: what it is joined to in the graph more than to anything else.";
    Outline, OutlineAnswer, "outline", "What a file defines, as a tree.";
    Show, ShowAnswer, "show", "The source of a symbol, a file, some lines of a file (path:12-40) or a chunk, from inside of the index.";
    Grep, GrepAnswer, "grep", "The lines of the source that a regular expression or a text matches.";
    Context, ContextAnswer, "context", "A file with everything that one must know to change it: its symbols, what each requests and what requests it, its imports, and what could not be resolved.";
    Map, MapAnswer, "map", "What the index holds as modules: files, symbols, what others use of each, how they hang together, and the most important symbols, cut to a number of tokens.";
    Stats, StatsAnswer, "stats", "What the index holds: repositories and their commits, languages, edges by how they were found, what was skipped and why, sizes.";
}

/// A kind of symbols or chunks.
fn kind(word: &str) -> Result<Kind, String> {
    word.parse().map_err(|_| {
        let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
        format!("kinds are {}", kinds.join(", "))
    })
}

/// A kind of edges.
fn edge_kind(word: &str) -> Result<EdgeKind, String> {
    word.parse().map_err(|_| {
        let kinds: Vec<&str> = EdgeKind::ALL.iter().map(|kind| kind.as_str()).collect();
        format!("kinds of uses are {}", kinds.join(", "))
    })
}

/// The request of a name.
#[must_use]
pub fn request(name: &str) -> Option<&'static RequestInfo> {
    REQUESTS.iter().find(|request| request.name == name)
}

/// Words of a vocabulary, out of a list of texts or of one.
fn words<'de, D: Deserializer<'de>, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    let texts = texts(deserializer)?;
    texts.iter().map(|text| text.parse().map_err(serde::de::Error::custom)).collect()
}

/// A list of texts, or one text.
fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMore {
        One(String),
        More(Vec<String>),
    }
    Ok(match OneOrMore::deserialize(deserializer)? {
        OneOrMore::One(text) => vec![text],
        OneOrMore::More(texts) => texts,
    })
}

/// A word of a vocabulary, or none.
fn word<'de, D: Deserializer<'de>, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| text.parse().map_err(serde::de::Error::custom)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_has_a_schema_and_refuses_what_it_does_not_know() {
        for request in REQUESTS {
            let schema = (request.parameters)();
            let properties = schema.get("properties").and_then(|p| p.as_object()).map_or(0, serde_json::Map::len);
            assert!(properties > 0 || request.name == "stats", "{}", request.name);
            for (name, property) in schema.get("properties").and_then(|p| p.as_object()).into_iter().flatten() {
                assert!(property.get("description").is_some(), "{}.{name} says nothing of itself", request.name);
            }
            assert!((request.answer)().get("properties").is_some(), "{}", request.name);
            let unknown = serde_json::json!({ "no_such_parameter": 1 });
            assert!((request.parse)(unknown).is_err(), "{}", request.name);
        }
    }
}

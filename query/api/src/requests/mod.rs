//! Requests: structs whose fields define the options of the command line, the parameters of MCP tools and of HTTP, and
//! their schemas.

mod affected;
mod call_notes;
mod defaults;
mod duplicates;
mod endpoints;
mod excerpts;
mod graph;
mod hybrid;
mod live;
mod names;
mod overview;
mod parameter;
mod request;
mod review;
mod search;
mod source;
mod subject;
mod unmatched;
mod vectors;
mod walk;

use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;

use crate::responses::{
    self, ContextAnswer, DuplicatesAnswer, EndpointsAnswer, GrepAnswer, Hovers, HybridAnswer, MapAnswer, OutlineAnswer,
    PathAnswer, ReachAnswer, ReferencesAnswer, RelatedAnswer, ReviewAnswer, SearchAnswer, ShowAnswer, StatsAnswer,
    VectorsAnswer,
};
use crate::{Error, Result};

pub use affected::Affected;
pub use duplicates::Duplicates;
pub use endpoints::Endpoints;
pub use graph::{Callees, Callers, Impact, Path, Reach};
pub use hybrid::{ConfigOverrides, HybridSearch, RankingWeights};
pub use live::LiveRequest;
pub use names::{Definition, Hover, References, Related, Symbols};
pub use overview::{Context, Explore, Map, Stats};
pub use request::Request;
pub use review::Review;
pub use search::{FilterArgs, Search, SearchOptions};
pub use source::{Grep, Outline, Show};
pub use subject::Subject;
pub use vectors::Vectors;

pub use crate::text_form::{Connected, Detail, DrawFormat, VectorFunction, VectorsFormat};

/// The description of a request.
pub struct RequestInfo {
    /// Its name: the command, the MCP tool, the last segment of the HTTP path.
    pub name: &'static str,
    /// What it does, in one to three sentences.
    pub about: &'static str,
    /// The JSON Schema of its parameters.
    pub parameters: fn() -> Schema,
    /// The JSON Schema of its answer.
    pub answer: fn() -> Schema,
    /// Parses parameters into a request.
    pub parse: fn(serde_json::Value) -> Result<Box<dyn Request>>,
}

/// Parses a request from JSON; an error names the invalid parameter.
fn parse<T: Request + DeserializeOwned + 'static>(parameters: serde_json::Value) -> Result<Box<dyn Request>> {
    let request: T =
        serde_json::from_value(parameters).map_err(|error| Error::Parameter(format!("invalid parameters: {error}")))?;
    Ok(Box::new(request))
}

fn schema<T: JsonSchema>() -> Schema {
    schemars::schema_for!(T)
}

/// The schema of what is written: fields that are always present are required, null or not.
fn answer_schema<T: JsonSchema>() -> Schema {
    schemars::generate::SchemaSettings::default().for_serialize().into_generator().into_root_schema_for::<T>()
}

macro_rules! requests {
    ($($request:ty, $answer:ty, $name:literal, $about:literal;)*) => {
        /// Every request, in the order in which documentation lists them.
        pub const REQUESTS: &[RequestInfo] = &[$(RequestInfo {
            name: $name,
            about: $about,
            parameters: schema::<$request>,
            answer: answer_schema::<$answer>,
            parse: parse::<$request>,
        },)*];
    };
}

requests! {
    Search, SearchAnswer, "search", "Find code by a question, name, path, or long text such as an issue: symbols, and code between them, with the best lines, a score of 0 to 1, and the reason.";
    Explore, responses::Explore, "explore", "Start here with a question about the code: the source that answers it, with callers, callees, constants, call paths, relevant files, and what else fits.";
    HybridSearch, HybridAnswer, "hybrid-search", "Groups of related symbols: what vectors find, with callers and references.";
    Definition, responses::Definitions, "definition", "Where a name is defined; if nowhere, similar names.";
    References, ReferencesAnswer, "references", "Where a symbol is used: each use with its line, kind, and how it was resolved.";
    Symbols, responses::Symbols, "symbols", "Find symbols by a part of their names.";
    Hover, Hovers, "hover", "Symbols at a glance: signature, documentation, location, members, number of uses.";
    Callers, ReachAnswer, "callers", "What calls a function or makes a type; with `depth` also their callers.";
    Callees, ReachAnswer, "callees", "What a function calls; with `depth` also what those call.";
    Impact, ReachAnswer, "impact", "What a change to a symbol can affect: callers, users, subtypes.";
    Affected, ReachAnswer, "affected", "The tests that a change of symbols or files, or a diff, affects.";
    Review, ReviewAnswer, "review", "What to look at in a diff: callers to change, tests to run, repeated and novel code.";
    Path, PathAnswer, "path", "The surest path along calls from one symbol to another.";
    Related, RelatedAnswer, "related", "The symbols most closely connected to one in the graph.";
    Outline, OutlineAnswer, "outline", "What a file defines, as a tree.";
    Show, ShowAnswer, "show", "The source of symbols, files or ranges of lines. A name with several meanings gives their places.";
    Grep, GrepAnswer, "grep", "The lines of the source that match a pattern or a fixed string.";
    Context, ContextAnswer, "context", "A file before a change: symbols with callers and callees, imports, and what imports it.";
    Map, MapAnswer, "map", "The modules, what others use of them, their dependencies, and the most used symbols.";
    Endpoints, EndpointsAnswer, "endpoints", "HTTP routes, gRPC methods and topics: who serves, who asks.";
    Duplicates, DuplicatesAnswer, "duplicates", "Functions that are copies or near copies of each other.";
    Vectors, VectorsAnswer, "vectors", "What vectors of files know: near files, lines that match, changes of subject, novelty, clusters, outliers, terms.";
    Stats, StatsAnswer, "stats", "What the index contains: repositories, languages, edges, skipped files.";
}

/// Returns the description of the request with this name.
#[must_use]
pub fn request(name: &str) -> Option<&'static RequestInfo> {
    REQUESTS.iter().find(|request| request.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_has_a_schema_and_rejects_unknown_parameters() {
        for request in REQUESTS {
            let schema = (request.parameters)();
            let properties = schema.get("properties").and_then(|p| p.as_object()).map_or(0, serde_json::Map::len);
            assert!(properties > 0 || request.name == "stats", "{}", request.name);
            for (name, property) in schema.get("properties").and_then(|p| p.as_object()).into_iter().flatten() {
                assert!(property.get("description").is_some(), "{}.{name} has no description", request.name);
            }
            assert!((request.answer)().get("properties").is_some(), "{}", request.name);
            let unknown = serde_json::json!({ "no_such_parameter": 1 });
            assert!((request.parse)(unknown).is_err(), "{}", request.name);
        }
    }
}

//! What is answered: types that are a contract. They are apart from the types of the search, so that a change inside of
//! it cannot change an answer by accident. docs/json.md, which is generated from them, says what each field means.

mod graph;
mod names;
mod overview;
mod search;
mod source;
mod stats;

use schemars::JsonSchema;
use serde::Serialize;

pub use graph::{External, PathAnswer, PathStep, ReachAnswer, ReachedSymbol};
pub use names::{
    Definition, Definitions, Hover, Hovers, NotFound, Reference, ReferencesAnswer, ReferencesOf, Related,
    RelatedAnswer, Symbols,
};
pub use overview::{
    Connection, Context, ContextAnswer, ContextSymbol, Entry, Explore, Export, LanguageCount, MapAnswer, Module,
    Neighbour, RelevantFile,
};
pub use search::{Correction, FileFeatures, GraphStep, Hit, ParentChunk, RelatedHit, SearchAnswer, Signals};
pub use source::{Excerpt, FileMatches, GrepAnswer, LineMatch, Outline, OutlineAnswer, OutlineSymbol, ShowAnswer};
pub use stats::{Model, Part, Repository, StatsAnswer};

/// The version of every shape.
pub const SCHEMA_VERSION: u32 = 1;

/// The answer of one index, or of all of them together.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "each variant is the answer of the request of its name")]
pub enum Body {
    Search(SearchAnswer),
    Explore(Explore),
    Definitions(Definitions),
    References(ReferencesAnswer),
    Symbols(Symbols),
    Hovers(Hovers),
    Reach(ReachAnswer),
    Path(PathAnswer),
    Related(RelatedAnswer),
    Outline(OutlineAnswer),
    Show(ShowAnswer),
    Grep(GrepAnswer),
    Context(ContextAnswer),
    Map(MapAnswer),
    Stats(StatsAnswer),
    NotFound(NotFound),
}

/// The answer of one of several indexes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct IndexBody {
    /// The index.
    pub index: String,
    /// Its answer.
    #[schemars(with = "serde_json::Value")]
    pub answer: Body,
}

/// What a request gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The answers: one, or one of each index.
    pub bodies: Bodies,
    /// What the reader should know and is no result. JSON says it in the bodies.
    pub notes: Vec<String>,
    /// Whether there are results.
    pub found: bool,
    /// Whether all results are of one repository, so that their locations need not name it.
    pub one_repo: bool,
}

/// The answers of a response.
#[derive(Clone, Debug, PartialEq)]
pub enum Bodies {
    /// One answer.
    One(Box<Body>),
    /// The answers of several indexes, in the order in which they were named.
    Several(Vec<IndexBody>),
}

impl Bodies {
    /// The answers, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Body> {
        let (one, several) = match self {
            Self::One(body) => (Some(body.as_ref()), &[][..]),
            Self::Several(bodies) => (None, bodies.as_slice()),
        };
        one.into_iter().chain(several.iter().map(|of| &of.answer))
    }
}

impl Serialize for Bodies {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Several<'a> {
            schema_version: u32,
            indexes: &'a [IndexBody],
        }
        match self {
            Self::One(body) => body.serialize(serializer),
            Self::Several(indexes) => Several { schema_version: SCHEMA_VERSION, indexes }.serialize(serializer),
        }
    }
}

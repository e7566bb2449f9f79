//! Responses: the JSON that the command line, MCP and HTTP return. These types are a contract. They are separate from
//! the types of `sextant-search`, so that an internal change cannot alter an answer by accident. docs/json.md is generated
//! from the comments of their fields.

mod communities;
mod drawn;
mod duplicates;
mod graph;
mod hybrid;
mod live;
mod names;
mod overview;
mod review;
mod search;
mod source;
mod stats;
mod vectors;
mod version;

use schemars::JsonSchema;
use serde::Serialize;

pub use communities::{Communities, Community, CommunityFolder, Coupling};
pub use duplicates::{Duplicate, DuplicateGroup, DuplicatesAnswer};
pub use graph::{PathAnswer, PathStep, ReachAnswer, ReachedSymbol};
pub use hybrid::{
    HybridAnswer, HybridCluster, HybridEdge, HybridStages, HybridSymbol, LiveShare, SymbolPosition, SymbolRange,
};
pub use live::{LivePlace, LiveReport, ServerState};
pub use names::{
    Definition, Definitions, External, ExternalUses, Hover, Hovers, Mention, Mentions, NotFound, Reference,
    ReferencesAnswer, ReferencesOf, Related, RelatedAnswer, SourceLine, Symbols,
};
pub use overview::{
    Candidate, ChangesWith, Commit, Connection, Constant, Context, ContextAnswer, ContextSymbol, Entry, Explore,
    Export, FileHistory, LanguageCount, MapAnswer, Member, Module, Neighbour, RelevantFile, SourcePart,
};
pub(crate) use review::ReviewParts;
pub use review::{RepeatedFunction, ReviewAnswer, UsuallyChanged};
pub use search::{Correction, Feature, GraphStep, Hit, ParentChunk, RelatedHit, SearchAnswer, Signals};
pub use source::{
    Ambiguous, Connections, Excerpt, FileMatches, GrepAnswer, LineMatch, Outline, OutlineAnswer, OutlineSymbol,
    ShowAnswer, Span,
};
pub use stats::{Model, Part, Repository, RepositoryHistory, StatsAnswer};
pub use vectors::{
    CentroidAnswer, FileClusters, FolderVectors, Matrix, Near, NovelFile, NoveltyAnswer, OutlierFile, Part as FilePart,
    PlotAnswer, Point, ScoredFile, Stale, TermOfFiles, VectorCoverage, VectorsAnswer, Window,
};
pub use version::SCHEMA_VERSION;

/// One answer: of one index, or of all indexes together.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "each variant is the answer to the request of its name")]
pub enum Body {
    Search(SearchAnswer),
    Explore(Explore),
    Hybrid(HybridAnswer),
    Definitions(Definitions),
    References(ReferencesAnswer),
    Symbols(Symbols),
    Hovers(Hovers),
    Reach(ReachAnswer),
    Review(Box<ReviewAnswer>),
    Path(PathAnswer),
    Related(RelatedAnswer),
    Outline(OutlineAnswer),
    Show(ShowAnswer),
    Grep(GrepAnswer),
    Context(ContextAnswer),
    Map(MapAnswer),
    Duplicates(DuplicatesAnswer),
    Vectors(Box<VectorsAnswer>),
    Stats(StatsAnswer),
    NotFound(NotFound),
}

/// The answer of one of several indexes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct IndexBody {
    /// The name of the index.
    pub index: String,
    /// Its answer.
    #[schemars(with = "serde_json::Value")]
    pub answer: Body,
}

/// The response to a request.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The answers: one, or one for each index.
    pub bodies: Bodies,
    /// Messages for the reader that are not results. JSON answers contain the same information in their fields.
    pub notes: Vec<String>,
    /// Whether there are any results.
    pub found: bool,
    /// Whether all results are from one repository, so that locations need not name it.
    pub one_repo: bool,
    /// How the files that it names compare with the checkouts at hand, see [`Self::compare`].
    pub checkouts: Vec<CheckoutState>,
}

/// The files of an answer, compared with the checkout of their repository in which the program runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CheckoutState {
    /// The repository's name.
    pub repo: String,
    /// The commit that was indexed; null if it was not a git checkout.
    pub indexed_commit: Option<String>,
    /// The number of files that were compared, by digest.
    pub compared: usize,
    /// The files whose text is another one now: lines of the answer may have moved.
    pub changed: Vec<String>,
    /// The files that are not in the checkout.
    pub missing: Vec<String>,
}

/// The answers of a response.
#[derive(Clone, Debug, PartialEq)]
pub enum Bodies {
    /// One answer.
    One(Box<Body>),
    /// One answer for each of several indexes, in the order in which the caller named them.
    Several(Vec<IndexBody>),
}

impl Bodies {
    /// Returns the answers, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Body> {
        let (one, several) = match self {
            Self::One(body) => (Some(body.as_ref()), &[][..]),
            Self::Several(bodies) => (None, bodies.as_slice()),
        };
        one.into_iter().chain(several.iter().map(|body| &body.answer))
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

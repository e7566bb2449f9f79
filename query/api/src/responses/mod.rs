//! Responses: the JSON that the command line, MCP and HTTP return. These types are a contract. They are separate from
//! the types of `sextant-search`, so that an internal change cannot alter an answer by accident. docs/json.md is generated
//! from the comments of their fields.

mod communities;
mod coverage;
mod drawn;
mod duplicates;
mod endpoints;
mod explore;
mod graph;
mod hover;
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
use sextant_search::read::in_turn;

use crate::requests::Subject;

pub use communities::{Communities, Community, CommunityFolder, Coupling};
pub(crate) use coverage::some_names;
pub use coverage::{Coverage, FailedIndex, HowToAsk};
pub use duplicates::{Duplicate, DuplicateGroup, DuplicatesAnswer};
pub use endpoints::{Endpoint, EndpointUse, EndpointsAnswer};
pub use explore::{AskedKey, Candidate, Constant, Entry, Explore, KeyUse, LineRange, Member, RelevantFile, SourcePart};
pub use graph::{PathAnswer, PathStep, ReachAnswer, ReachedSymbol, Through};
pub use hover::{Hover, Hovers};
pub use hybrid::{
    HybridAnswer, HybridCluster, HybridEdge, HybridStages, HybridSymbol, LiveShare, SymbolPosition, SymbolRange,
};
pub use live::{LivePlace, LiveReport, ServerState};
pub use names::{
    Definition, Definitions, External, ExternalUses, Mention, Mentions, NotFound, Reference, ReferencesAnswer,
    ReferencesOf, Related, RelatedAnswer, SourceLine, Symbols,
};
pub use overview::{
    ChangesWith, Commit, Connection, Context, ContextAnswer, ContextSymbol, Export, FileHistory, LanguageCount,
    MapAnswer, Module, Neighbour,
};
pub(crate) use review::ReviewParts;
pub use review::{RepeatedFunction, ReviewAnswer, UsuallyChanged};
pub use search::{Correction, Feature, GraphStep, Hit, ParentChunk, RelatedHit, SearchAnswer, Signals};
pub use source::{
    Ambiguous, Connections, Excerpt, FileMatches, GoesOn, GrepAnswer, LineMatch, Outline, OutlineAnswer, OutlineSymbol,
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
    /// `endpoints`
    Endpoints(EndpointsAnswer),
    Vectors(Box<VectorsAnswer>),
    Stats(StatsAnswer),
    NotFound(NotFound),
}

/// How much an answer says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Says {
    /// That there is nothing.
    Nothing,
    /// That there is something of a similar name.
    Similar,
    /// That there is something of the name in another case.
    OtherCase,
    /// Something. A definition without uses is something.
    Something,
}

impl Body {
    /// How much it says.
    pub(crate) fn says(&self) -> Says {
        let is_empty = match self {
            Self::NotFound(_) => true,
            Self::Search(answer) => answer.results.is_empty(),
            Self::Explore(answer) => answer.entries.is_empty() && answer.not_shown.is_empty() && answer.not_listed == 0,
            Self::Hybrid(answer) => answer.results.is_empty(),
            Self::Definitions(answer) if answer.is_similar() => return Says::Similar,
            Self::Definitions(answer) if answer.is_other_case() => return Says::OtherCase,
            Self::Definitions(answer) => answer.results.is_empty() && answer.live_only.is_empty(),
            Self::References(answer) => answer.results.is_empty() && answer.externals.is_empty(),
            Self::Symbols(answer) => answer.results.is_empty(),
            Self::Hovers(answer) => answer.results.is_empty(),
            Self::Reach(answer) => {
                answer.definitions.is_empty()
                    && answer.externals.is_empty()
                    && answer.results.is_empty()
                    && answer.near_tests.is_empty()
                    && answer.live_only.is_empty()
            }
            Self::Path(answer) => answer.steps.is_empty(),
            Self::Related(answer) => answer.definitions.is_empty(),
            Self::Outline(answer) => answer.results.is_empty(),
            Self::Show(answer) => answer.results.is_empty() && answer.ambiguous.is_empty(),
            Self::Grep(answer) => answer.results.is_empty(),
            Self::Context(answer) => answer.file.is_none(),
            Self::Map(answer) => answer.modules.is_empty(),
            Self::Duplicates(answer) => answer.groups.is_empty(),
            Self::Endpoints(answer) => answer.endpoints.is_empty(),
            Self::Review(_) | Self::Vectors(_) | Self::Stats(_) => false,
        };
        if is_empty { Says::Nothing } else { Says::Something }
    }

    /// The number of its results, if a limit for all indexes together counts them.
    fn counted(&self) -> usize {
        match self {
            Self::Definitions(answer) => answer.results.len(),
            Self::Symbols(answer) => answer.results.len(),
            Self::Hovers(answer) => answer.results.len(),
            Self::Grep(answer) => answer.results.iter().map(|file| file.lines.len()).sum(),
            _ => 0,
        }
    }

    /// Keeps the first `count` of these results.
    fn keep_first(&mut self, count: usize) {
        match self {
            Self::Definitions(answer) => {
                answer.truncated |= count < answer.results.len();
                answer.results.truncate(count);
            }
            Self::Symbols(answer) => {
                answer.truncated |= count < answer.results.len();
                answer.results.truncate(count);
            }
            Self::Hovers(answer) => {
                answer.truncated |= count < answer.results.len();
                answer.results.truncate(count);
            }
            Self::Grep(answer) => {
                answer.keep_first(count);
            }
            _ => {}
        }
    }
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
    /// Which indexes were asked, if there are more than a request asks.
    pub coverage: Option<Coverage>,
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

impl Response {
    /// The response if no index has what a request names.
    #[must_use]
    pub fn nothing(subject: &Subject) -> Self {
        let names = match subject {
            Subject::Names(names) | Subject::Files(names) => names.join(" "),
            Subject::Text(text) | Subject::PartOfName(text) | Subject::Pattern(text) => text.clone(),
            Subject::Everything | Subject::Endpoints => String::new(),
        };
        let note = match subject {
            Subject::Files(_) => format!("none of the indexes that could be asked has the file '{names}'"),
            Subject::Endpoints => "no index that could be asked is known to serve or ask an endpoint; those built before feature version 19 know none".to_owned(),
            _ => format!("none of the indexes that could be asked defines '{names}' or uses it from outside"),
        };
        Self {
            bodies: Bodies::One(Box::new(Body::NotFound(NotFound::new(&names, Vec::new())))),
            notes: vec![note],
            found: false,
            one_repo: false,
            checkouts: Vec::new(),
            coverage: None,
        }
    }

    /// The same response with what it covers, in notes too.
    #[must_use]
    pub fn covering(mut self, coverage: Coverage) -> Self {
        self.notes.extend(coverage.notes(self.found));
        // The next answer may be from another one.
        self.one_repo &= coverage.indexes < 2;
        self.coverage = Some(coverage);
        self
    }
}

/// The answers of a response.
#[derive(Clone, Debug, PartialEq)]
pub enum Bodies {
    /// One answer.
    One(Box<Body>),
    /// Answers of several indexes, in the order in which the caller named them.
    Several {
        /// How many were asked. Those that have nothing to say are left out if another one has.
        asked: usize,
        /// One answer for each of the others.
        bodies: Vec<IndexBody>,
    },
}

impl Bodies {
    /// Returns the answers, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Body> {
        let (one, several) = match self {
            Self::One(body) => (Some(body.as_ref()), &[][..]),
            Self::Several { bodies, .. } => (None, bodies.as_slice()),
        };
        one.into_iter().chain(several.iter().map(|body| &body.answer))
    }
}

impl Bodies {
    /// Keeps at most `limit` definitions, symbols, hovers or lines of all indexes together, taken from them in turn.
    /// Returns whether there were more.
    pub(crate) fn keep_in_turn(&mut self, limit: usize) -> bool {
        let Self::Several { bodies, .. } = self else { return false };
        let counts: Vec<usize> = bodies.iter().map(|body| body.answer.counted()).collect();
        if counts.iter().sum::<usize>() <= limit {
            return false;
        }
        for (body, kept) in bodies.iter_mut().zip(in_turn(&counts, limit)) {
            body.answer.keep_first(kept);
        }
        bodies.retain(|body| body.answer.counted() > 0);
        true
    }
}

impl Serialize for Bodies {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Several<'a> {
            schema_version: u32,
            asked: usize,
            indexes: &'a [IndexBody],
        }
        match self {
            Self::One(body) => body.serialize(serializer),
            Self::Several { asked, bodies } => {
                Several { schema_version: SCHEMA_VERSION, asked: *asked, indexes: bodies }.serialize(serializer)
            }
        }
    }
}

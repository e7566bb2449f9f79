//! Turns a request into ranked chunks with what is shown of them. `searcher` has the order of the steps; each step is a
//! function of the index in a file of its own.

mod bare_name;
mod centroid;
mod chunk_features;
mod expand;
mod federate;
mod file_edges;
mod file_features;
mod file_names;
mod file_ranking;
mod fit;
mod graph_ranking;
mod hydrate;
mod places;
mod ranked;
mod reason;
mod request;
mod rerank;
mod response;
mod retrieval;
mod scoring;
mod searcher;
mod select;
mod spelling;
mod verbatim;

pub use federate::merge_responses;
pub(crate) use ranked::Ranked;
pub use request::{CommonCounts, Mode, SearchRequest, Strategy, UnknownName};
pub use response::{Candidate, Correction, Hit, ParentChunk, RelatedHit, SearchResponse, Signals};
pub use searcher::Searcher;
pub(crate) use searcher::{Ranking, fits};

pub use crate::filters::Filters;

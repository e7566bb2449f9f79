//! Search: one request in, ranked chunks with what is shown of them out. `searcher` has the order of the steps.

mod centroid;
mod expand;
mod federate;
mod file_ranking;
mod graph_ranking;
mod hydrate;
mod ranked;
mod request;
mod response;
mod retrieval;
mod scoring;
mod searcher;
mod select;
mod spelling;

pub use federate::merge_responses;
pub use request::{Mode, SearchRequest, Strategy, UnknownName};
pub use response::{Correction, Hit, ParentChunk, RelatedHit, SearchResponse, Signals};

pub use crate::filters::Filters;

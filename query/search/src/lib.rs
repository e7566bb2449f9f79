//! Opens a generation of a Sextant index and answers requests from it: search, navigation, reading, overviews.
//!
//! ```no_run
//! use sextant_search::{Index, SearchRequest, Searcher};
//!
//! let index = Index::open("index".as_ref())?;
//! let response = Searcher::new(&index).search(&SearchRequest::new("where is retry handled"))?;
//! for hit in &response.results {
//!     println!("{}:{} {}", hit.path, hit.start_line, hit.qualified_name.as_deref().unwrap_or(""));
//! }
//! # Ok::<(), sextant_search::Error>(())
//! ```
//!
//! A query opens no socket and writes nothing into the index. This crate must not know how an index is built, how
//! responses are printed, or who sends requests.

mod blocks;
mod catalog;
pub mod communities;
mod dirty_files;
pub mod duplicates;
mod error;
pub mod eval;
mod filters;
pub mod history;
pub mod hybrid;
mod index;
mod lines;
pub mod links;
pub mod live;
pub mod navigate;
pub mod overview;
mod paths;
pub mod query_analysis;
pub mod rank;
pub mod read;
pub mod retrieve;
pub mod search;
pub mod similarity;
mod snippet;
pub mod stats;
mod summaries;
mod threads;
mod weights;

pub use dirty_files::DirtyFiles;
pub use error::{Error, Result};
pub use filters::PathGlobs;
pub use index::Index;
pub use navigate::Navigator;
pub use overview::Overviews;
pub use read::SourceReader;
pub use search::{
    Correction, Filters, Hit, Mode, ParentChunk, RelatedHit, SearchRequest, SearchResponse, Searcher, Signals,
    Strategy, UnknownName,
};
pub use sextant_encoder::SharedModels;
pub use stats::{PartStats, Stats};
pub use summaries::{ChunkSummary, first_sentence};
pub use threads::map_ranges_parallel;

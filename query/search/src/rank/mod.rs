//! Ranked lists into one order. Everything here is a pure function over lists and facts about
//! chunks: no index, no file, no clock.

mod files;
mod fuse;
mod graph;
mod signals;
mod weights;

pub use files::{FileSigns, coverage};
pub use fuse::{Fused, make_up, reciprocal_rank_fusion, weighted_scores};
pub(crate) use graph::weight as edge_weight;
pub use graph::{Push, Reached, personalised_pagerank, power_iteration};
pub use signals::{Candidate, FileEvidence, file_evidence, frame_match, path_match};
pub use weights::{UnknownWeight, Weights};

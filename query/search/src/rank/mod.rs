//! Turns ranked lists into one order. Everything here is a pure function of lists and facts about chunks: no index, no
//! file, no clock.

mod file_features;
mod fuse;
mod pagerank;
mod signals;
mod weights;

pub use file_features::{FileFeatures, term_coverage};
pub use fuse::{FusedChunk, impute_missing_list, reciprocal_rank_fusion, weighted_score_fusion};
pub(crate) use pagerank::edge_weight;
pub use pagerank::{PushLimits, RankedNode, personalised_pagerank, power_iteration};
pub use signals::{FileEvidence, ScoredCandidate, file_evidence, frame_match, path_match};
pub(crate) use weights::count;
pub use weights::{
    FileWeights, FusionWeights, GraphWeights, NearnessWeights, QueryWeights, RetrievalWeights, UnknownWeight, Weights,
};

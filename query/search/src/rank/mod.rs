//! Turns ranked lists into one order. Everything here is a pure function of lists and facts about chunks: no index, no
//! file, no clock.

mod bm25;
mod chunk_features;
mod file_features;
mod fit;
mod fuse;
mod linear_model;
mod pagerank;
mod scored_chunk;
mod signals;

pub use crate::weights::{
    ChunkWeights, FileWeights, FitWeights, FusionWeights, GraphWeights, NearnessWeights, QueryWeights,
    ReportChunkWeights, ReportWeights, RetrievalWeights, UnknownWeight, Weights,
};
pub use bm25::{MAX_SATURATED, rarities, rarity, saturated};
pub use chunk_features::{ChunkFeatures, ChunkModel};
pub use file_features::{FileFeatures, FileModel, share, term_coverage, weighted_coverage};
pub use fit::{FitEvidence, NameEvidence, fit};
pub use fuse::{FusedChunk, impute_missing_list, reciprocal_rank_fusion, weighted_score_fusion};
pub(crate) use pagerank::edge_weight;
pub use pagerank::{PushLimits, RankedNode, personalised_pagerank, power_iteration};
pub use scored_chunk::ScoredChunk;
pub(crate) use scored_chunk::retain_top_k;
pub use signals::{FileEvidence, ScoredCandidate, file_evidence, frame_match, path_match};

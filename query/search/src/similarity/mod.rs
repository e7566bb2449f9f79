//! What vectors know about files: which are near to a text or to each other, where a file changes its subject, what a
//! set of files is about.
//!
//! Vectors of files are rows of `file_vectors.parquet`; those of texts come from the encoder. Every similarity is a
//! cosine. This module must not know requests or how answers are printed.

mod coverage;
mod file_matrix;
mod groups;
mod matrix;
mod near;
mod plot;
mod select;
mod terms;
mod windows;

pub use coverage::{Coverage, FolderCoverage, StaleFiles, stale_files};
pub use groups::{Centroid, Cluster, Outlier, SimilarityMatrix};
pub use matrix::{FileName, Similarity};
pub use near::{Difference, NearFile, NearOptions, NovelFile, Novelty};
pub use plot::Plot;
pub use select::Selection;
pub use terms::Term;
pub use windows::{Boundary, BoundaryOptions, MatchingWindow};

pub(crate) use file_matrix::FileMatrix;

//! Near-identical functions, by their tokens and their vectors.
//!
//! Functions with the same tokens are copies. Of the others, pairs that share fingerprints are compared: they are near
//! copies if they share most of them, or many and their vectors are almost the same. Pairs that have a function in common
//! form a group.

mod copies;
mod fingerprints;
mod function;
mod groups;

pub use copies::{Repeated, repeated_functions};
pub(crate) use fingerprints::Fingerprints;
pub use function::Duplicate;
pub use groups::{DuplicateGroup, Duplicates, DuplicatesRequest, duplicates};

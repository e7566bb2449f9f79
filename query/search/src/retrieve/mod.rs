//! The three retrievers. Each turns a query into a ranked list of chunks, best first, and does not know the others;
//! [`crate::rank`] fuses their lists.

mod chunk_hits;
mod file_words;
mod filter;
mod literals;
mod symbol;
mod text;
mod vector;

pub(crate) use file_words::{ChunkWords, FileWords, Words, range_coverage, shared_words};
pub(crate) use filter::ChunkFilter;
pub use filter::{languages, path_globs, unmatched};
pub(crate) use literals::{Literal, find_literals};
pub(crate) use symbol::{NamedSymbol, fuzzy_name_query, qualified_name_matches, search_symbols};
pub(crate) use text::search_text;
pub(crate) use vector::{QueryVectors, WordCosines, mean_cosines, search_vectors, word_cosines};
pub use vector::{Scan, nearest};

pub use crate::rank::ScoredChunk;

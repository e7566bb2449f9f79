//! The files of an index where they are on this machine: which folder is a checkout of which repository, and where
//! the lines of the index are in a file's text of now.
//!
//! Must not know language servers, and writes nothing.

mod current_text;
mod freshness;
mod line_map;
mod roots;

pub use current_text::CurrentText;
pub use freshness::{Freshness, freshness};
pub use line_map::LineMap;
pub use roots::{Root, find_roots};

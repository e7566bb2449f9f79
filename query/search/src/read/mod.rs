//! Reads the source in an index: files and excerpts, outlines, and `grep`.
//!
//! Every line that is not blank is in exactly one chunk of level 1, so the chunks of a file contain the whole file.

mod file;
mod grep;
mod outline;

pub use file::{FileText, SourceExcerpt};
pub(crate) use file::{is_path_suffix, line_numbers};
pub use grep::{GrepFile, GrepLine, GrepMatches, GrepQuery};
pub use outline::{Outline, OutlineSymbol};

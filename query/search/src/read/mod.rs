//! The source that an index carries: files by their lines, what a file defines, and what its text matches.
//!
//! Every line that is not blank is in exactly one chunk of level 1, so that the chunks of a file are the file.

mod file;
mod grep;
mod outline;

pub use file::{FileText, SourceExcerpt};
pub(crate) use file::{is_path_suffix, line_numbers};
pub use grep::{GrepFile, GrepLine, GrepMatches, GrepQuery};
pub use outline::{Outline, OutlineSymbol};

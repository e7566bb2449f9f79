//! Reads the source in an index: files and excerpts, outlines, and `grep`.
//!
//! Every line that is not blank is in exactly one chunk of level 1, so the chunks of a file contain the whole file.

mod file;
mod grep;

pub use file::{FileText, SourceExcerpt};
pub use grep::{GrepFile, GrepLine, GrepMatches, GrepQuery};

pub use crate::navigate::{Outline, OutlineSymbol};

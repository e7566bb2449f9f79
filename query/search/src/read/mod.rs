//! Reads the source in an index: files, excerpts, and `grep`. Outlines need no source; [`crate::navigate`] makes them.
//!
//! Every line that is not blank is in exactly one chunk of level 1, so the chunks of a file contain the whole file.

mod file;
mod grep;
mod grep_choice;
mod show;
mod source_reader;

pub use file::{FileText, SourceExcerpt};
pub use grep::{GrepCount, GrepFile, GrepLine, GrepMatches, GrepQuery, MatchRole};
pub use grep_choice::in_turn;
pub use show::Shown;
pub use source_reader::SourceReader;

pub use crate::lines::{line_range, normal_place};

pub use crate::navigate::{Outline, OutlineSymbol};

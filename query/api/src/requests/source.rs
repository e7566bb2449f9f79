//! Requests that read the source text in the index.

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_search::{Navigator, SourceReader, read};

use super::defaults::{hundred, ten};
use super::names::{more, not_found};
use super::{FilterArgs, Request};
use crate::index_set::Answer;
use crate::responses::{Body, GrepAnswer, OutlineAnswer, Response, ShowAnswer};
use crate::{IndexSet, Result};

/// Parameters of `outline`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Outline {
    /// The file, or the end of its path
    #[arg(value_name = "FILE")]
    pub file: String,
}

impl Request for Outline {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        indexes.answer_each(|index, dirty_files| {
            let outlines = Navigator::new(index).outline(&self.file)?;
            let found = !outlines.is_empty();
            let notes = if found { Vec::new() } else { vec![format!("the index has no file '{}'", self.file)] };
            Ok(Answer { body: Body::Outline(OutlineAnswer::new(outlines, dirty_files)), notes, found })
        })
    }
}

/// Parameters of `show`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Show {
    /// A symbol (`name`, `Owner.name`, `path:name`), a file, lines of a file (`path:12`, `path:12-40`), or a chunk id
    /// from a search result
    #[arg(value_name = "WHAT")]
    pub what: String,
    /// Number of lines to show before and after
    #[arg(short = 'C', long, default_value_t = 0, value_name = "N")]
    #[serde(default)]
    pub context: u32,
    /// Maximum number of definitions of a name
    #[arg(short = 'n', long, default_value_t = ten(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "ten")]
    pub limit: u16,
}

impl Request for Show {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        indexes.answer_each(|index, dirty_files| {
            let shown = SourceReader::new(index).show(&self.what, self.context, usize::from(self.limit))?;
            if shown.is_empty() {
                return Ok(not_found(&self.what, Navigator::new(index).resolve(&self.what)?));
            }
            Ok(Answer { body: Body::Show(ShowAnswer::new(shown, dirty_files)), notes: Vec::new(), found: true })
        })
    }
}

/// Parameters of `grep`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Grep {
    /// A regular expression in the syntax of Rust's `regex` crate, or a plain string with `fixed`
    #[arg(value_name = "PATTERN")]
    pub pattern: String,
    /// Treat the pattern as a plain string
    #[arg(short = 'F', long)]
    #[serde(default)]
    pub fixed: bool,
    /// Ignore case
    #[arg(short = 'i', long)]
    #[serde(default)]
    pub ignore_case: bool,
    /// Match whole words only
    #[arg(short = 'w', long)]
    #[serde(default)]
    pub word: bool,
    /// Filters.
    #[command(flatten)]
    #[serde(flatten)]
    pub filter: FilterArgs,
    /// Maximum number of lines to show; all are counted
    #[arg(short = 'n', long, default_value_t = hundred(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "hundred")]
    pub limit: u16,
}

impl Request for Grep {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        indexes.answer_each(|index, dirty_files| {
            let matches = SourceReader::new(index).grep(&read::GrepQuery {
                pattern: self.pattern.clone(),
                fixed: self.fixed,
                ignore_case: self.ignore_case,
                word: self.word,
                filters: self.filter.filters(),
                limit: usize::from(self.limit),
            })?;
            let shown: usize = matches.results.iter().map(|file| file.lines.len()).sum();
            let mut notes = Vec::new();
            let found = matches.lines > 0;
            if !found {
                notes.push("nothing found".to_owned());
            } else if (shown as u64) < matches.lines {
                notes.push(format!(
                    "showing {shown} of {} lines in {} files; {}",
                    matches.lines,
                    matches.files,
                    more()
                ));
            }
            Ok(Answer { body: Body::Grep(GrepAnswer::new(&self.pattern, matches, dirty_files)), notes, found })
        })
    }
}

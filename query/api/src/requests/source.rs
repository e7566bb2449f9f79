//! Requests that read the source that the index carries.

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_search::read;

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
        indexes.from_each(|index, edited| {
            let outlines = index.outline(&self.file)?;
            let found = !outlines.is_empty();
            let notes = if found { Vec::new() } else { vec![format!("the index has no file '{}'", self.file)] };
            Ok(Answer { body: Body::Outline(OutlineAnswer::new(outlines, edited)), notes, found })
        })
    }
}

/// Parameters of `show`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Show {
    /// A symbol (`name`, `Owner.name`, `path:name`), a file, lines of a file (`path:12`, `path:12-40`), or the number
    /// of a chunk
    #[arg(value_name = "WHAT")]
    pub what: String,
    /// Lines to show before and after
    #[arg(short = 'C', long, default_value_t = 0, value_name = "N")]
    #[serde(default)]
    pub around: u32,
    /// How many definitions of a name at most
    #[arg(short = 'n', long, default_value_t = ten(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "ten")]
    pub limit: u16,
}

impl Request for Show {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        indexes.from_each(|index, edited| {
            let shown = index.show(&self.what, self.around, usize::from(self.limit))?;
            if shown.is_empty() {
                return Ok(not_found(&self.what, index.resolve(&self.what)?));
            }
            Ok(Answer { body: Body::Show(ShowAnswer::new(shown, edited)), notes: Vec::new(), found: true })
        })
    }
}

/// Parameters of `grep`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Grep {
    /// A regular expression, as the crate `regex` of Rust reads it; with `fixed` a text
    #[arg(value_name = "PATTERN")]
    pub pattern: String,
    /// The pattern is a text and no expression
    #[arg(short = 'F', long)]
    #[serde(default)]
    pub fixed: bool,
    /// Upper and lower case are the same
    #[arg(short = 'i', long)]
    #[serde(default)]
    pub ignore_case: bool,
    /// Only whole words match
    #[arg(short = 'w', long)]
    #[serde(default)]
    pub word: bool,
    /// Where to search.
    #[command(flatten)]
    #[serde(flatten)]
    pub filter: FilterArgs,
    /// How many lines at most; all are counted
    #[arg(short = 'n', long, default_value_t = hundred(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "hundred")]
    pub limit: u16,
}

impl Request for Grep {
    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        indexes.from_each(|index, edited| {
            let matches = index.grep(&read::GrepQuery {
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
                notes.push(format!("{shown} of {} lines in {} files; {}", matches.lines, matches.files, more()));
            }
            Ok(Answer { body: Body::Grep(GrepAnswer::new(&self.pattern, matches, edited)), notes, found })
        })
    }
}

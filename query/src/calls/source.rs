//! The calls that read the source that the index carries.

use schemars::JsonSchema;
use serde::Deserialize;

use super::defaults::{hundred, ten};
use super::names::{more, nothing};
use super::{Answer, Call, Form, Sources, Where, from_each};
use crate::{Result, read, render};

/// Parameters of `outline`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Outline {
    /// The file, or the end of its path
    #[arg(value_name = "FILE")]
    pub file: String,
}

impl Call for Outline {
    fn answer(&self, sources: &Sources, form: Form) -> Result<Answer> {
        from_each(sources, form, |index| {
            let outlines = index.outline(&self.file)?;
            let mut notes = Vec::new();
            if outlines.is_empty() {
                notes.push(format!("the index has no file '{}'", self.file));
            }
            let body = match form {
                Form::Json => render::outline_json(&outlines),
                Form::Text => render::outline_text(&outlines, sources.one_repo()),
            };
            Ok(Answer { body, notes, found: !outlines.is_empty() })
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

impl Call for Show {
    fn answer(&self, sources: &Sources, form: Form) -> Result<Answer> {
        from_each(sources, form, |index| {
            let shown = index.show(&self.what, self.around, usize::from(self.limit))?;
            if shown.is_empty() {
                return Ok(nothing(&self.what, &index.resolve(&self.what)?, form));
            }
            let body = match form {
                Form::Json => render::show_json(&shown),
                Form::Text => render::show_text(&shown, sources.one_repo()),
            };
            Ok(Answer { body, notes: Vec::new(), found: true })
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
    /// Where is searched.
    #[command(flatten)]
    #[serde(flatten)]
    pub within: Where,
    /// How many lines at most; all are counted
    #[arg(short = 'n', long, default_value_t = hundred(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "hundred")]
    pub limit: u16,
}

impl Call for Grep {
    fn answer(&self, sources: &Sources, form: Form) -> Result<Answer> {
        from_each(sources, form, |index| {
            let matches = index.grep(&read::Grep {
                pattern: self.pattern.clone(),
                fixed: self.fixed,
                ignore_case: self.ignore_case,
                word: self.word,
                filters: self.within.filters(),
                limit: usize::from(self.limit),
            })?;
            let shown: usize = matches.results.iter().map(|file| file.lines.len()).sum();
            let mut notes = Vec::new();
            if matches.lines == 0 {
                notes.push("nothing found".to_owned());
            } else if (shown as u64) < matches.lines {
                notes.push(format!("{shown} of {} lines in {} files; {}", matches.lines, matches.files, more()));
            }
            let body = match form {
                Form::Json => render::grep_json(&self.pattern, &matches),
                Form::Text => render::grep_text(&matches, sources.one_repo()),
            };
            Ok(Answer { body, notes, found: matches.lines > 0 })
        })
    }
}

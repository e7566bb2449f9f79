//! `duplicates`.

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_search::Filters;
use sextant_search::duplicates::{DuplicatesRequest, duplicates};

use super::defaults::{six, twenty};
use super::parameter::texts;
use super::{Request, Subject};
use crate::index_set::Answer;
use crate::responses::{Body, DuplicatesAnswer, Response};
use crate::{IndexSet, Result};

/// Parameters of `duplicates`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Duplicates {
    /// Lines that a function must have
    #[arg(long, default_value_t = six(), value_name = "N")]
    #[serde(default = "six")]
    pub min_lines: u32,
    /// Include generated files
    #[arg(long)]
    #[serde(default)]
    pub generated: bool,
    /// Maximum number of groups
    #[arg(short = 'n', long, default_value_t = twenty(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "twenty")]
    pub limit: u16,
    /// Only files that match this glob (repeatable); a glob without `/` matches names in any folder
    #[arg(long, value_name = "GLOB")]
    #[serde(default, deserialize_with = "texts")]
    pub path: Vec<String>,
}

impl Request for Duplicates {
    fn subject(&self) -> Subject {
        Subject::Everything
    }

    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        let request = DuplicatesRequest {
            filters: Filters { paths: self.path.clone(), ..Filters::default() },
            min_lines: self.min_lines,
            generated: self.generated,
            limit: usize::from(self.limit),
        };
        indexes.answer_each(|index, dirty_files| {
            let found = duplicates(index, &request)?;
            let mut notes = Vec::new();
            if found.groups.is_empty() {
                notes.push(format!(
                    "no duplicates among {} functions of at least {} lines",
                    found.compared, self.min_lines
                ));
            }
            if !found.with_vectors {
                notes.push("the index has no vectors: only tokens were compared".to_owned());
            }
            let is_found = !found.groups.is_empty();
            Ok(Answer { body: Body::Duplicates(DuplicatesAnswer::new(found, dirty_files)), notes, found: is_found })
        })
    }
}

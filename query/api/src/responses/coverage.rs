//! Which of many indexes an answer is from.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Bodies, Body, NotFound, Response};
use crate::index_set::some_names;
use crate::requests::Subject;

/// Which of the indexes of a collection were asked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Coverage {
    /// The number of indexes that may be asked.
    pub indexes: usize,
    /// The names of those that were asked, the likeliest first.
    pub asked: Vec<String>,
    /// Those that were not asked although they may have an answer: a request asks a limited number.
    pub not_asked: Vec<String>,
    /// Whether those are only less likely to have an answer, by their words. If not, they have what the request names.
    pub not_asked_are_less_likely: bool,
    /// Those that could not be asked, or only in an older state.
    pub failed: Vec<FailedIndex>,
}

/// An index that could not be asked as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FailedIndex {
    /// Its name.
    pub index: String,
    /// What is wrong.
    pub reason: String,
}

impl Response {
    /// The response if no index has what a request names.
    #[must_use]
    pub fn nothing(subject: &Subject) -> Self {
        let names = match subject {
            Subject::Names(names) | Subject::Files(names) => names.join(" "),
            Subject::Text(text) | Subject::PartOfName(text) | Subject::Pattern(text) => text.clone(),
            Subject::Everything => String::new(),
        };
        let note = match subject {
            Subject::Files(_) => format!("no index has the file '{names}'"),
            _ => format!("no index defines or uses '{names}'"),
        };
        Self {
            bodies: Bodies::One(Box::new(Body::NotFound(NotFound::new(&names, Vec::new())))),
            notes: vec![note],
            found: false,
            one_repo: false,
            checkouts: Vec::new(),
            coverage: None,
        }
    }

    /// The same response with what it covers, in notes too.
    #[must_use]
    pub fn covering(mut self, coverage: Coverage) -> Self {
        let names: Vec<&str> = coverage.not_asked.iter().map(String::as_str).collect();
        let (asked, indexes) = (coverage.asked.len(), coverage.indexes);
        if !names.is_empty() && coverage.not_asked_are_less_likely {
            let which = "those whose words fit best";
            self.notes.push(format!("asked {asked} of {indexes} indexes, {which}; the parameter 'index' names others"));
        } else if !names.is_empty() {
            let names = some_names(&names);
            self.notes.push(format!("not asked: {names}; the parameter 'index' names indexes"));
        }
        self.notes.extend(coverage.failed.iter().map(|failed| format!("{} {}", failed.index, failed.reason)));
        self.coverage = Some(coverage);
        self
    }
}

//! Which of many indexes an answer is from.

use schemars::JsonSchema;
use serde::Serialize;

/// Names of indexes that a note lists.
const MAX_NAMES: usize = 5;

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
    /// States that are not asked because another state of the same repository may be, such as `server@1.x` beside `server`.
    /// A request that names one of them alone asks it.
    pub other_states: Vec<String>,
    /// Those that could not be asked, or only in an older state.
    pub failed: Vec<FailedIndex>,
    /// How a reader asks others, for notes.
    #[serde(skip)]
    pub how: HowToAsk,
}

/// How others than those that were asked are asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HowToAsk {
    /// By a parameter of the request.
    #[default]
    Parameter,
    /// By options of the command line.
    Options,
}

impl HowToAsk {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Parameter => "the parameter 'index' names others",
            Self::Options => "--only names others, --max-indexes asks more",
        }
    }
}

/// An index that could not be asked as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FailedIndex {
    /// Its name.
    pub index: String,
    /// What is wrong.
    pub reason: String,
}

impl Coverage {
    /// Adds what another request for the same answer covers.
    pub fn add(&mut self, other: Self) {
        let Self { indexes, asked, not_asked, not_asked_are_less_likely, other_states, failed, how } = other;
        self.indexes += indexes;
        self.asked.extend(asked);
        self.not_asked.extend(not_asked);
        self.not_asked_are_less_likely |= not_asked_are_less_likely;
        self.other_states.extend(other_states);
        self.failed.extend(failed);
        self.how = how;
    }

    /// What a reader of text must know of it; `found` is whether there is an answer.
    pub(crate) fn notes(&self, found: bool) -> Vec<String> {
        let names: Vec<&str> = self.not_asked.iter().map(String::as_str).collect();
        let (asked, indexes) = (self.asked.len(), self.indexes);
        let mut notes = Vec::new();
        if !names.is_empty() && self.not_asked_are_less_likely {
            let which = "the likeliest by their names and words";
            notes.push(format!("asked {asked} of {indexes} indexes, {which}; {}", self.how.as_str()));
        } else if !names.is_empty() {
            let names = some_names(&names);
            notes.push(format!("not asked: {names}; {}", self.how.as_str()));
        }
        if !found && !self.other_states.is_empty() {
            let names: Vec<&str> = self.other_states.iter().map(String::as_str).collect();
            notes.push(format!(
                "not asked, other states of repositories: {}; {}",
                some_names(&names),
                self.how.as_str()
            ));
        }
        notes.extend(self.failed.iter().map(|failed| format!("{} {}", failed.index, failed.reason)));
        notes
    }
}

/// The first of some names, and how many more there are.
pub(crate) fn some_names(names: &[&str]) -> String {
    let listed = names.iter().take(MAX_NAMES).copied().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MAX_NAMES) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}

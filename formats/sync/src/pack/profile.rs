//! The profiles of a pack, and their names.

use std::cmp::Ordering;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sextant_format::generation::{Generation, part};

/// How much of an index a pack contains. Each profile contains those below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Profile {
    /// What queries need.
    Query,
    /// Also the LanceDB table, and the cached analyses that later builds reuse.
    Full,
    /// What queries need, and what the resolution of an overlay compares with. Between the two.
    Overlay,
}

impl Profile {
    /// The smallest profile that includes a file of a generation that is stored as it is; none if its rows are stored
    /// instead.
    pub(super) fn of_file(path: &str) -> Option<Self> {
        match path {
            part::READERS
            | part::READERS_UPDATE
            | part::QUESTIONS
            | part::QUESTIONS_UPDATE
            | part::SYMBOL_TABLE
            | part::SYMBOL_TABLE_UPDATE
            | part::MACROS
            | part::FILE_KEYS => Some(Self::Overlay),
            _ => match path.split('/').next().unwrap_or("") {
                part::MODEL | part::HISTORY => Some(Self::Query),
                part::LANCE | part::ANALYSIS_CACHE | part::BUILD_INFO => Some(Self::Full),
                _ => None,
            },
        }
    }

    /// The largest profile whose files a generation has.
    #[must_use]
    pub fn of(generation: &Generation) -> Self {
        let has_analyses = |path: &str| {
            Path::new(path).starts_with(part::ANALYSIS_CACHE)
                && Path::new(path).extension().is_some_and(|e| e == "arrow")
        };
        if generation.manifest().files.iter().any(|entry| has_analyses(&entry.path)) {
            Self::Full
        } else if generation.path(part::FILE_KEYS).exists() {
            Self::Overlay
        } else {
            Self::Query
        }
    }

    const fn size(self) -> u8 {
        match self {
            Self::Query => 0,
            Self::Overlay => 1,
            Self::Full => 2,
        }
    }
}

impl Ord for Profile {
    fn cmp(&self, other: &Self) -> Ordering {
        self.size().cmp(&other.size())
    }
}

impl PartialOrd for Profile {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl std::str::FromStr for Profile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "query" => Ok(Self::Query),
            "overlay" => Ok(Self::Overlay),
            "full" => Ok(Self::Full),
            _ => Err(format!("'{text}' is not a profile: use query, overlay or full")),
        }
    }
}

impl std::fmt::Display for Profile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Query => "query",
            Self::Overlay => "overlay",
            Self::Full => "full",
        })
    }
}

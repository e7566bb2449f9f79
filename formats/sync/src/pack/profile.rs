//! The two profiles of a pack, and their names.

use serde::{Deserialize, Serialize};

/// How much of an index a pack contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Profile {
    /// What queries need.
    Query,
    /// Also the LanceDB table, and the cached analyses that later builds reuse.
    Full,
}

impl std::str::FromStr for Profile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "query" => Ok(Self::Query),
            "full" => Ok(Self::Full),
            _ => Err(format!("'{text}' is not a profile: use query or full")),
        }
    }
}

impl std::fmt::Display for Profile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            Self::Query => "query",
            Self::Full => "full",
        })
    }
}

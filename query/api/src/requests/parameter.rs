//! Parses parameters that several requests share: words of the command line, and JSON values. It must not know the
//! requests.

use serde::{Deserialize, Deserializer};
use sextant_format::kinds::{EdgeKind, Kind};

/// Parses a kind of symbol or chunk.
pub(super) fn kind(word: &str) -> Result<Kind, String> {
    word.parse().map_err(|_| {
        let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
        format!("the kinds are {}", kinds.join(", "))
    })
}

/// Parses a kind of edge.
pub(super) fn edge_kind(word: &str) -> Result<EdgeKind, String> {
    word.parse().map_err(|_| {
        let kinds: Vec<&str> = EdgeKind::ALL.iter().map(|kind| kind.as_str()).collect();
        format!("the kinds of uses are {}", kinds.join(", "))
    })
}

/// Deserialises a list of values that are written as words, or a single one.
pub(super) fn words<'de, D: Deserializer<'de>, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    let texts = texts(deserializer)?;
    texts.iter().map(|text| text.parse().map_err(serde::de::Error::custom)).collect()
}

/// Deserialises a list of strings, or a single string.
pub(super) fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMore {
        One(String),
        More(Vec<String>),
    }
    Ok(match OneOrMore::deserialize(deserializer)? {
        OneOrMore::One(text) => vec![text],
        OneOrMore::More(texts) => texts,
    })
}

/// Deserialises a value that is written as a word, or null.
pub(super) fn word<'de, D: Deserializer<'de>, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| text.parse().map_err(serde::de::Error::custom)).transpose()
}

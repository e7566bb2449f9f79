//! What can be asked: one set of calls with one name, one set of parameters and one JSON each.
//!
//! The command line, the MCP server and the HTTP server are faces of these calls and know nothing of what is behind
//! them. The documentation of a parameter here is its help on the command line and its description in the schemas.

mod defaults;
mod graph;
mod names;
mod overview;
mod search;
mod source;

use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use sextant_formats::kinds::{EdgeKind, Kind};

use crate::config::Config;
use crate::overlay::Edited;
use crate::{Error, Index, Result, render};

pub use graph::{Affected, Callees, Callers, Impact, Path as PathCall, Reach};
pub use names::{Definition, Hover, References, Related, Symbols};
pub use overview::{Context, Detail, Explore, Map, MapFormat, Stats};
pub use search::{How, Search, Where};
pub use source::{Grep, Outline, Show};

/// In which form an answer is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// For people and models, with colours that `anstream` strips where they are not wanted.
    #[default]
    Text,
    /// For programs: one object, described in docs/json.md.
    Json,
}

/// What a call gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The results in the form that was asked for; text ends with a line break, JSON is one line without one.
    pub body: String,
    /// What the reader should know and is no result: for a terminal's standard error. JSON says it in the body.
    pub notes: Vec<String>,
    /// Whether there are results.
    pub found: bool,
}

/// An index and what it is called among several.
#[derive(Clone)]
pub struct Named {
    /// What it is called: the folder's name.
    pub name: String,
    /// The index.
    pub index: Arc<Index>,
}

/// What calls are answered from: one index or several, and what holds where a call says nothing.
#[derive(Clone)]
pub struct Sources {
    /// The indexes, in the order in which they were named.
    pub indexes: Vec<Named>,
    /// Settings.
    pub config: Arc<Config>,
}

impl Sources {
    /// Opens the current generations of some index folders.
    pub fn open<P: AsRef<Path>>(folders: &[P], config: Config) -> Result<Self> {
        Self::with(folders, config, |folder| Index::open(folder.as_ref()))
    }

    /// The indexes of some folders, each opened as is said.
    pub fn with<P: AsRef<Path>>(folders: &[P], config: Config, open: impl Fn(&P) -> Result<Index>) -> Result<Self> {
        let mut indexes: Vec<Named> = Vec::new();
        for folder in folders {
            let index = Arc::new(open(folder)?);
            indexes.push(Named { name: name_of(folder.as_ref(), &indexes), index });
        }
        if indexes.is_empty() {
            return Err(Error::Filter("no index is named".to_owned()));
        }
        Ok(Self { indexes, config: Arc::new(config) })
    }

    /// One index.
    #[must_use]
    pub fn of(index: Index, config: Config) -> Self {
        let named = Named { name: "index".to_owned(), index: Arc::new(index) };
        Self { indexes: vec![named], config: Arc::new(config) }
    }

    /// Answers a call, with the places of files marked that differ from the index under an overlay.
    pub fn answer(&self, call: &(impl Call + ?Sized), form: Form) -> Result<Answer> {
        let mut answer = call.answer(self, form)?;
        let edited: Vec<&Edited> = self.indexes.iter().map(|named| named.index.edited()).collect();
        if edited.iter().all(|edited| edited.files().next().is_none()) {
            return Ok(answer);
        }
        answer.body = match form {
            Form::Json => {
                render::mark_json(&answer.body, |repo, path| edited.iter().any(|edited| edited.has(repo, path)))
            }
            Form::Text => {
                let one_repo = self.one_repo();
                let files = edited.iter().flat_map(|edited| edited.files());
                let places: FxHashSet<String> = files
                    .map(|(repo, path)| if one_repo { path.to_owned() } else { format!("{repo}/{path}") })
                    .collect();
                render::mark_text(&answer.body, |path| places.contains(path))
            }
        };
        Ok(answer)
    }

    /// Whether results need not name their repository.
    #[must_use]
    pub fn one_repo(&self) -> bool {
        let repositories: usize =
            self.indexes.iter().map(|named| named.index.generation().manifest().repositories.len()).sum();
        repositories < 2
    }
}

/// What a folder is called: its own name, or that of the folder around it where that says more.
fn name_of(folder: &Path, others: &[Named]) -> String {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let own = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = match own(&folder) {
        name if name == "index" || name.is_empty() => {
            folder.parent().map(own).filter(|n| !n.is_empty()).unwrap_or(name)
        }
        name => name,
    };
    let mut unique = name.clone();
    let mut n = 2;
    while others.iter().any(|other| other.name == unique) {
        unique = format!("{name}-{n}");
        n += 1;
    }
    unique
}

/// A question with its parameters.
pub trait Call: Send + Sync {
    /// Answers it from one index or several.
    fn answer(&self, sources: &Sources, form: Form) -> Result<Answer>;
}

/// Answers a question from every index by itself, and puts the answers one behind the other.
fn from_each(sources: &Sources, form: Form, one: impl Fn(&Index) -> Result<Answer>) -> Result<Answer> {
    if let [only] = sources.indexes.as_slice() {
        return one(&only.index);
    }
    let mut all = Answer::default();
    let mut parts = Vec::new();
    for named in &sources.indexes {
        let answer = one(&named.index)?;
        all.found |= answer.found;
        match form {
            Form::Json => parts.push(format!("{{\"index\":{},\"answer\":{}}}", json_text(&named.name), answer.body)),
            Form::Text => all.body.push_str(&answer.body),
        }
        // What one index lacks, another one may have.
        if answer.found {
            all.notes.extend(answer.notes);
        } else {
            all.notes.extend(answer.notes.into_iter().map(|note| format!("{}: {note}", named.name)));
        }
    }
    if form == Form::Json {
        all.body = format!("{{\"schema_version\":1,\"indexes\":[{}]}}", parts.join(","));
    }
    Ok(all)
}

fn json_text(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// What is known of a call without asking it.
pub struct CallInfo {
    /// Its name: the command, the tool, the last part of the address.
    pub name: &'static str,
    /// What it does, in a line or a few.
    pub about: &'static str,
    /// Its parameters, as JSON Schema.
    pub parameters: fn() -> Schema,
    /// Its answer, as JSON Schema.
    pub answer: fn() -> Schema,
    /// A call with these parameters.
    pub parse: fn(serde_json::Value) -> Result<Box<dyn Call>>,
}

/// A call's parameters out of JSON; what is wrong with them names the parameter.
fn parse<T: Call + DeserializeOwned + 'static>(parameters: serde_json::Value) -> Result<Box<dyn Call>> {
    let call: T =
        serde_json::from_value(parameters).map_err(|error| Error::Filter(format!("the parameters: {error}")))?;
    Ok(Box::new(call))
}

fn schema<T: JsonSchema>() -> Schema {
    schemars::schema_for!(T)
}

macro_rules! calls {
    ($($call:ty, $answer:ty, $name:literal, $about:literal;)*) => {
        /// Every call, in the order in which a reader meets them.
        pub const CALLS: &[CallInfo] = &[$(CallInfo {
            name: $name,
            about: $about,
            parameters: schema::<$call>,
            answer: schema::<$answer>,
            parse: parse::<$call>,
        },)*];
    };
}

use crate::render::shapes;

calls! {
    Search, shapes::Search, "search", "Find code by words, names or meaning. A query is a question (\"where is retry handled\"), a name (\"Session\", \"Session.close\"), a path, or a long text such as an issue or a stack trace. Each result is a chunk: a symbol, a block of a large one, or code between symbols, with the lines that fit best.";
    Explore, shapes::Explore, "explore", "Begin with a question about the code: the entry points with their source, what calls them and what they call, the ways between them, and the files that matter, cut to a number of tokens. Ask this first.";
    Definition, shapes::Definitions, "definition", "Where a name is defined. Without a definition of just that name, those whose names begin with it, then those that differ in a letter or two.";
    References, shapes::References, "references", "Where a symbol is used: every place with its line, and whether it is a call, an import, a type or another use; by definition, where several have the name.";
    Symbols, shapes::Symbols, "symbols", "The symbols whose names begin with a text, hold it, or nearly do.";
    Hover, shapes::Hovers, "hover", "What there is to know of a symbol at a glance: signature, documentation, place, members, and how much it is used.";
    Callers, shapes::Reach, "callers", "What calls a function or a method, or makes one of a type; with a depth, also what calls those.";
    Callees, shapes::Reach, "callees", "What a function or a method calls; with a depth, also what those call.";
    Impact, shapes::Reach, "impact", "Everything that a change of a symbol can reach: callers, users of a type, what inherits, and so on.";
    Affected, shapes::Reach, "affected", "The tests that a change of symbols or files reaches.";
    PathCall, shapes::Path, "path", "The surest way along calls from one symbol to another.";
    Related, shapes::RelatedAnswer, "related", "What belongs to a symbol: what it is joined to in the graph more than to anything else.";
    Outline, shapes::Outlines, "outline", "What a file defines, as a tree.";
    Show, shapes::ShownAnswer, "show", "The source of a symbol, a file, some lines of a file (path:12-40) or a chunk, from inside of the index.";
    Grep, shapes::Matches, "grep", "The lines of the source that a regular expression or a text matches.";
    Context, shapes::ContextAnswer, "context", "A file with everything that one must know to change it: its symbols, what each calls and what calls it, its imports, and what could not be resolved.";
    Map, shapes::MapAnswer, "map", "What the index holds as modules: files, symbols, what others use of each, how they hang together, and the most important symbols, cut to a number of tokens.";
    Stats, shapes::Stats, "stats", "What the index holds: repositories and their commits, languages, edges by how they were found, what was skipped and why, sizes.";
}

/// A kind of symbols or chunks.
fn kind(word: &str) -> Result<Kind, String> {
    word.parse().map_err(|_| {
        let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.as_str()).collect();
        format!("kinds are {}", kinds.join(", "))
    })
}

/// A kind of edges.
fn edge_kind(word: &str) -> Result<EdgeKind, String> {
    word.parse().map_err(|_| {
        let kinds: Vec<&str> = EdgeKind::ALL.iter().map(|kind| kind.as_str()).collect();
        format!("kinds of uses are {}", kinds.join(", "))
    })
}

/// The call of a name.
#[must_use]
pub fn call(name: &str) -> Option<&'static CallInfo> {
    CALLS.iter().find(|call| call.name == name)
}

/// Words of a vocabulary, out of a list of texts or of one.
fn words<'de, D: Deserializer<'de>, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    let texts = texts(deserializer)?;
    texts.iter().map(|text| text.parse().map_err(serde::de::Error::custom)).collect()
}

/// A list of texts, or one text.
fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
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

/// A word of a vocabulary, or none.
fn word<'de, D: Deserializer<'de>, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| text.parse().map_err(serde::de::Error::custom)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_has_a_schema_and_refuses_what_it_does_not_know() {
        for call in CALLS {
            let schema = (call.parameters)();
            let properties = schema.get("properties").and_then(|p| p.as_object()).map_or(0, serde_json::Map::len);
            assert!(properties > 0 || call.name == "stats", "{}", call.name);
            for (name, property) in schema.get("properties").and_then(|p| p.as_object()).into_iter().flatten() {
                assert!(property.get("description").is_some(), "{}.{name} says nothing of itself", call.name);
            }
            assert!((call.answer)().get("properties").is_some(), "{}", call.name);
            let unknown = serde_json::json!({ "no_such_parameter": 1 });
            assert!((call.parse)(unknown).is_err(), "{}", call.name);
        }
    }

    #[test]
    fn indexes_are_called_by_their_folders() {
        assert_eq!(name_of(Path::new("/a/server/index"), &[]), "server");
        assert_eq!(name_of(Path::new("/a/server-index"), &[]), "server-index");
    }
}

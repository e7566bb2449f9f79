//! The indexes that answer requests, one or several, and the settings for what a request leaves open.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use sextant_search::live::LanguageServers;
use sextant_search::{DirtyFiles, Index};

use crate::config::Config;
use crate::highlight::Highlighter;
use crate::responses::{Bodies, Body, IndexBody, Response};
use crate::{Error, Result};

/// An index with a name that distinguishes it from the others of its set.
#[derive(Clone)]
pub struct NamedIndex {
    /// The name: by default that of the folder.
    pub name: String,
    /// The index.
    pub index: Arc<Index>,
}

/// The indexes that answer requests.
#[derive(Clone)]
pub struct IndexSet {
    /// The indexes, in the order in which the caller named them.
    pub indexes: Vec<NamedIndex>,
    /// Settings for what a request leaves open.
    pub config: Arc<Config>,
    /// The language servers that may be asked, if any.
    servers: Option<Arc<dyn LanguageServers>>,
    /// Colours what is shown.
    highlighter: Arc<Highlighter>,
}

/// The answer of one index, before it is combined with those of the others.
pub(crate) struct Answer {
    pub(crate) body: Body,
    pub(crate) notes: Vec<String>,
    pub(crate) found: bool,
}

impl IndexSet {
    /// Opens the current generation of each index folder.
    ///
    /// # Errors
    /// `folders` is empty, or a folder does not contain a usable index.
    pub fn open<P: AsRef<Path>>(folders: &[P], config: Config) -> Result<Self> {
        Self::open_with(folders, config, |folder| Ok(Index::open(folder.as_ref())?))
    }

    /// Opens the index of each folder with `open`.
    ///
    /// # Errors
    /// `folders` is empty, or `open` fails.
    pub fn open_with<P: AsRef<Path>>(
        folders: &[P],
        config: Config,
        open: impl Fn(&P) -> Result<Index>,
    ) -> Result<Self> {
        let mut indexes: Vec<NamedIndex> = Vec::new();
        for folder in folders {
            let index = Arc::new(open(folder)?);
            indexes.push(NamedIndex { name: unique_name(folder.as_ref(), &indexes), index });
        }
        if indexes.is_empty() {
            return Err(Error::Parameter("no index given".to_owned()));
        }
        Ok(Self { indexes, config: Arc::new(config), servers: None, highlighter: Arc::new(Highlighter::new()) })
    }

    /// Returns a set of one index, named `index`.
    #[must_use]
    pub fn from_index(index: Index, config: Config) -> Self {
        let named = NamedIndex { name: "index".to_owned(), index: Arc::new(index) };
        let highlighter = Arc::new(Highlighter::new());
        Self { indexes: vec![named], config: Arc::new(config), servers: None, highlighter }
    }

    /// Sets the language servers that may be asked.
    #[must_use]
    pub fn with_servers(mut self, servers: Option<Arc<dyn LanguageServers>>) -> Self {
        self.servers = servers;
        self
    }

    /// The language servers that may be asked, if any.
    pub(crate) fn servers(&self) -> Option<&dyn LanguageServers> {
        self.servers.as_deref()
    }

    /// What colours texts.
    pub(crate) fn highlighter(&self) -> &Highlighter {
        &self.highlighter
    }

    /// Returns whether all results are from one repository, so that locations need not name it.
    #[must_use]
    pub fn one_repo(&self) -> bool {
        let repositories: usize =
            self.indexes.iter().map(|named| named.index.generation().manifest().repositories.len()).sum();
        repositories < 2
    }

    /// Wraps an answer that covers all indexes.
    pub(crate) fn respond(&self, Answer { body, notes, found }: Answer) -> Response {
        Response { bodies: Bodies::One(Box::new(body)), notes, found, one_repo: self.one_repo(), checkouts: Vec::new() }
    }

    /// Asks each index separately and combines the answers.
    pub(crate) fn answer_each(&self, answer: impl Fn(&Index, &DirtyFiles) -> Result<Answer>) -> Result<Response> {
        self.answer_numbered(|_, index, dirty_files| answer(index, dirty_files))
    }

    /// The same; `answer` gets the position of the index, too.
    pub(crate) fn answer_numbered(
        &self,
        answer: impl Fn(usize, &Index, &DirtyFiles) -> Result<Answer>,
    ) -> Result<Response> {
        if let [only] = self.indexes.as_slice() {
            return Ok(self.respond(answer(0, &only.index, only.index.dirty_files())?));
        }
        let (mut bodies, mut all_notes, mut any_found) = (Vec::new(), Vec::new(), false);
        for (at, NamedIndex { name, index }) in self.indexes.iter().enumerate() {
            let Answer { body, notes, found } = answer(at, index, index.dirty_files())?;
            any_found |= found;
            bodies.push(IndexBody { index: name.clone(), answer: body });
            // A note about missing results applies to one index; others may have results.
            if found {
                all_notes.extend(notes);
            } else {
                all_notes.extend(notes.into_iter().map(|note| format!("{name}: {note}")));
            }
        }
        let (bodies, one_repo) = (Bodies::Several(bodies), self.one_repo());
        Ok(Response { bodies, notes: all_notes, found: any_found, one_repo, checkouts: Vec::new() })
    }
}

/// Returns a name for an index folder that no other index has: the folder's own name, or its parent's if the folder
/// is called `index`; a number is appended to a name in use. The folder of a member of a pulled collection is its name,
/// percent-encoded.
fn unique_name(folder: &Path, others: &[NamedIndex]) -> String {
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let last_component =
        |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = match last_component(&folder) {
        name if name == "index" || name.is_empty() => {
            folder.parent().map(last_component).filter(|n| !n.is_empty()).unwrap_or(name)
        }
        name => name,
    };
    let name = percent_decode_str(&name).decode_utf8().map_or_else(|_| name.clone(), Cow::into_owned);
    let mut unique = name.clone();
    let mut n = 2;
    while others.iter().any(|other| other.name == unique) {
        unique = format!("{name}-{n}");
        n += 1;
    }
    unique
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_are_named_after_their_folders() {
        assert_eq!(unique_name(Path::new("/a/server/index"), &[]), "server");
        assert_eq!(unique_name(Path::new("/a/server-index"), &[]), "server-index");
        assert_eq!(unique_name(Path::new("/a/team%2Fserver"), &[]), "team/server");
        assert_eq!(unique_name(Path::new("/a/100%"), &[]), "100%");
    }
}

//! The indexes that requests are answered from: one or several, and the settings that apply where a request says nothing.

use std::path::Path;
use std::sync::Arc;

use sextant_search::{Edited, Index};

use crate::config::Config;
use crate::responses::{Bodies, Body, IndexBody, Response};
use crate::{Error, Result};

/// An index and what it is called among several.
#[derive(Clone)]
pub struct NamedIndex {
    /// What it is called: the folder's name.
    pub name: String,
    /// The index.
    pub index: Arc<Index>,
}

/// The indexes that requests are answered from.
#[derive(Clone)]
pub struct IndexSet {
    /// The indexes, in the order in which they were named.
    pub indexes: Vec<NamedIndex>,
    /// Settings.
    pub config: Arc<Config>,
}

/// The answer of one index.
pub(crate) struct Answer {
    pub(crate) body: Body,
    pub(crate) notes: Vec<String>,
    pub(crate) found: bool,
}

impl IndexSet {
    /// Opens the current generations of some index folders.
    ///
    /// # Errors
    /// No folder is named, or one holds no index that can be used.
    pub fn open<P: AsRef<Path>>(folders: &[P], config: Config) -> Result<Self> {
        Self::open_with(folders, config, |folder| Ok(Index::open(folder.as_ref())?))
    }

    /// The indexes of some folders, each opened by `open`.
    ///
    /// # Errors
    /// No folder is named, or `open` fails.
    pub fn open_with<P: AsRef<Path>>(
        folders: &[P],
        config: Config,
        open: impl Fn(&P) -> Result<Index>,
    ) -> Result<Self> {
        let mut indexes: Vec<NamedIndex> = Vec::new();
        for folder in folders {
            let index = Arc::new(open(folder)?);
            indexes.push(NamedIndex { name: name_of(folder.as_ref(), &indexes), index });
        }
        if indexes.is_empty() {
            return Err(Error::Parameter("no index is named".to_owned()));
        }
        Ok(Self { indexes, config: Arc::new(config) })
    }

    /// One index.
    #[must_use]
    pub fn from_index(index: Index, config: Config) -> Self {
        let named = NamedIndex { name: "index".to_owned(), index: Arc::new(index) };
        Self { indexes: vec![named], config: Arc::new(config) }
    }

    /// Whether results need not name their repository.
    #[must_use]
    pub fn one_repo(&self) -> bool {
        let repositories: usize =
            self.indexes.iter().map(|named| named.index.generation().manifest().repositories.len()).sum();
        repositories < 2
    }

    /// The answer of all indexes together.
    pub(crate) fn respond(&self, Answer { body, notes, found }: Answer) -> Response {
        Response { bodies: Bodies::One(Box::new(body)), notes, found, one_repo: self.one_repo() }
    }

    /// The answer of each index by itself.
    pub(crate) fn from_each(&self, answer: impl Fn(&Index, &Edited) -> Result<Answer>) -> Result<Response> {
        if let [only] = self.indexes.as_slice() {
            return Ok(self.respond(answer(&only.index, only.index.edited())?));
        }
        let (mut bodies, mut all_notes, mut any) = (Vec::new(), Vec::new(), false);
        for NamedIndex { name, index } in &self.indexes {
            let Answer { body, notes, found } = answer(index, index.edited())?;
            any |= found;
            bodies.push(IndexBody { index: name.clone(), answer: body });
            // What one index lacks, another one may have.
            if found {
                all_notes.extend(notes);
            } else {
                all_notes.extend(notes.into_iter().map(|note| format!("{name}: {note}")));
            }
        }
        Ok(Response { bodies: Bodies::Several(bodies), notes: all_notes, found: any, one_repo: self.one_repo() })
    }
}

/// What a folder is called: its own name, or that of the folder around it where that says more.
fn name_of(folder: &Path, others: &[NamedIndex]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_are_called_by_their_folders() {
        assert_eq!(name_of(Path::new("/a/server/index"), &[]), "server");
        assert_eq!(name_of(Path::new("/a/server-index"), &[]), "server-index");
    }
}

//! The indexes that answer requests, one or several, and the settings for what a request leaves open.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use percent_encoding::percent_decode_str;
use sextant_search::live::LanguageServers;
use sextant_search::query_analysis::analyze_query;
use sextant_search::search::{CommonCounts, SearchRequest, Searcher};
use sextant_search::{DirtyFiles, Index, PathGlobs, SharedModels, map_ranges_parallel, retrieve};

use crate::config::Config;
use crate::highlight::Highlighter;
use crate::responses::{Bodies, Body, IndexBody, Response, Says, some_names};
use crate::{Error, Result};

/// Notes of single indexes that are listed.
const MAX_NOTES: usize = 8;

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
        let models = (folders.len() > 1).then(|| Arc::new(SharedModels::default()));
        for folder in folders {
            let index = open(folder)?;
            let index = Arc::new(match &models {
                Some(models) => index.with_models(Arc::clone(models)),
                None => index,
            });
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

    /// Returns a set of open indexes.
    #[must_use]
    pub fn of(indexes: Vec<NamedIndex>, config: Arc<Config>) -> Self {
        Self { indexes, config, servers: None, highlighter: Arc::new(Highlighter::new()) }
    }

    /// Returns the indexes whose names `is_kept` accepts; there may be none.
    #[must_use]
    pub fn only(&self, is_kept: impl Fn(&str) -> bool) -> Self {
        let indexes = self.indexes.iter().filter(|named| is_kept(&named.name)).cloned().collect();
        Self { indexes, ..self.clone() }
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
        Response {
            bodies: Bodies::One(Box::new(body)),
            notes,
            found,
            one_repo: self.one_repo(),
            checkouts: Vec::new(),
            coverage: None,
        }
    }

    /// Globs over the paths of the indexes, with or without a repository's name in front.
    ///
    /// # Errors
    /// A glob cannot be understood, or an index is damaged.
    pub(crate) fn path_globs(&self, globs: &[String]) -> Result<PathGlobs> {
        let indexes: Vec<&Index> = self.indexes.iter().map(|named| &*named.index).collect();
        Ok(retrieve::path_globs(&indexes, globs)?)
    }

    /// Asks each index separately, in parallel, and combines the answers.
    pub(crate) fn answer_each(
        &self,
        answer: impl Fn(&Index, &DirtyFiles) -> Result<Answer> + Sync,
    ) -> Result<Response> {
        let answers = self.in_parallel(|index| answer(index, index.dirty_files()))?;
        Ok(self.combine(answers.into_iter().enumerate().collect()))
    }

    /// The same, one after the other; `answer` gets the position of the index, too.
    pub(crate) fn answer_numbered(
        &self,
        answer: impl Fn(usize, &Index, &DirtyFiles) -> Result<Answer>,
    ) -> Result<Response> {
        let ask = |(at, named): (usize, &NamedIndex)| Ok((at, answer(at, &named.index, named.index.dirty_files())?));
        Ok(self.combine(self.indexes.iter().enumerate().map(ask).collect::<Result<_>>()?))
    }

    /// The results of `ask` for each index, in their order.
    pub(crate) fn in_parallel<'a, T: Send>(&'a self, ask: impl Fn(&'a Index) -> Result<T> + Sync) -> Result<Vec<T>> {
        let ask_range = |range: Range<usize>| -> Result<Vec<T>> {
            self.indexes[range].iter().map(|named| ask(&named.index)).collect()
        };
        let parts = map_ranges_parallel(self.indexes.len(), 1, ask_range);
        Ok(parts.into_iter().collect::<Result<Vec<Vec<T>>>>()?.into_iter().flatten().collect())
    }

    /// The same request with counts of its words in all indexes; unchanged for a single one.
    pub(crate) fn with_common_counts(&self, request: SearchRequest) -> Result<SearchRequest> {
        if self.indexes.len() < 2 {
            return Ok(request);
        }
        let words = analyze_query(&request.query, &request.weights.query).words;
        let mut common = CommonCounts::default();
        for (chunks, counts) in self.in_parallel(|index| Ok(Searcher::new(index).word_counts(&words)?))? {
            common.chunks += chunks;
            for (word, count) in words.iter().zip(counts) {
                *common.with.entry(word.clone()).or_default() += count;
            }
        }
        Ok(SearchRequest { common: Some(Arc::new(common)), ..request })
    }

    /// Combines the answers of some indexes, given by their positions. An index that says less than another one is left out.
    pub(crate) fn combine(&self, mut answers: Vec<(usize, Answer)>) -> Response {
        if self.indexes.len() == 1
            && let Some((_, only)) = answers.pop()
        {
            return self.respond(only);
        }
        // A name that another index has in full is not one of the similar names of this one.
        let most = answers.iter().map(|(_, answer)| answer.body.says()).max().unwrap_or(Says::Nothing);
        answers.retain(|(_, answer)| answer.body.says() == most);
        let found = answers.iter().any(|(_, answer)| answer.found);
        let name = |at: usize| self.indexes[at].name.as_str();
        let notes = answers.iter().flat_map(|(at, answer)| answer.notes.iter().map(|note| (name(*at), note.as_str())));
        let notes = notes_of_several(notes, answers.len());
        let body = |(at, answer): (usize, Answer)| IndexBody { index: name(at).to_owned(), answer: answer.body };
        let bodies = Bodies::Several { asked: self.indexes.len(), bodies: answers.into_iter().map(body).collect() };
        Response { bodies, notes, found, one_repo: self.one_repo(), checkouts: Vec::new(), coverage: None }
    }
}

/// Notes of several indexes, each note once, with the names of its indexes if it is not of all `answered`.
fn notes_of_several<'a>(notes: impl Iterator<Item = (&'a str, &'a str)>, answered: usize) -> Vec<String> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for (index, note) in notes {
        match groups.iter_mut().find(|(known, _)| *known == note) {
            Some((_, indexes)) => indexes.push(index),
            None => groups.push((note, vec![index])),
        }
    }
    let more = groups.len().saturating_sub(MAX_NOTES);
    let mut listed: Vec<String> = groups
        .into_iter()
        .take(MAX_NOTES)
        .map(
            |(note, indexes)| {
                if indexes.len() == answered { note.to_owned() } else { format!("{}: {note}", some_names(&indexes)) }
            },
        )
        .collect();
    if more > 0 {
        listed.push(format!("{more} more notes of single indexes are left out"));
    }
    listed
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
    fn a_note_of_several_indexes_is_one_line() {
        let names = ["a", "b", "c", "d", "e", "f", "g"];
        let notes = names.iter().map(|name| (*name, "nothing found"));
        assert_eq!(notes_of_several(notes.clone(), 7), ["nothing found"]);
        assert_eq!(
            notes_of_several(notes.chain([("b", "similar: x")]), 9),
            ["a, b, c, d, e and 2 more: nothing found", "b: similar: x"]
        );
        let many: Vec<String> = (0..20).map(|n| format!("note {n}")).collect();
        let listed = notes_of_several(many.iter().map(|note| ("a", note.as_str())), 2);
        assert_eq!(listed.len(), MAX_NOTES + 1);
        assert_eq!(listed[MAX_NOTES], "12 more notes of single indexes are left out");
    }

    #[test]
    fn indexes_are_named_after_their_folders() {
        assert_eq!(unique_name(Path::new("/a/server/index"), &[]), "server");
        assert_eq!(unique_name(Path::new("/a/server-index"), &[]), "server-index");
        assert_eq!(unique_name(Path::new("/a/team%2Fserver"), &[]), "team/server");
        assert_eq!(unique_name(Path::new("/a/100%"), &[]), "100%");
    }
}

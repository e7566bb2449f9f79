//! Filters as the set of chunks that may be found. They apply before ranking.

use sextant_format::ids::ChunkId;
use sextant_format::kinds::Kind;
use sextant_text::index::ChunkFields;
use tantivy::query::{BooleanQuery, Query, TermQuery, TermSetQuery};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, Term};

use crate::filters::Filters;
use crate::{Index, PathGlobs, Result};

/// Which chunks may be found.
pub(crate) struct ChunkFilter {
    /// Sorted chunk ids; `None` if everything may be found.
    chunks: Option<Vec<ChunkId>>,
}

impl ChunkFilter {
    /// Evaluates the filters of a request.
    pub(crate) fn new(index: &Index, filters: &Filters) -> Result<Self> {
        if filters.is_empty() {
            return Ok(Self { chunks: None });
        }
        let text = index.chunks()?;
        let fields = &text.fields;
        let mut all: Vec<Box<dyn Query>> = Vec::new();
        for (field, words) in [(fields.language, &filters.languages), (fields.repo, &filters.repos)] {
            if !words.is_empty() {
                all.push(Box::new(TermSetQuery::new(words.iter().map(|word| Term::from_field_text(field, word)))));
            }
        }
        if !filters.kinds.is_empty() {
            all.push(Box::new(kinds(fields, &filters.kinds)));
        }
        if !filters.paths.is_empty() {
            all.push(paths(index, &path_globs(&[index], &filters.paths)?)?);
        }
        let query = BooleanQuery::intersection(all);
        Ok(Self { chunks: Some(text.rows(&query)?) })
    }

    #[cfg(test)]
    pub(crate) const fn unrestricted() -> Self {
        Self { chunks: None }
    }

    #[cfg(test)]
    pub(crate) const fn only(chunks: Vec<ChunkId>) -> Self {
        Self { chunks: Some(chunks) }
    }

    /// Whether a chunk may be found.
    pub(crate) fn allows(&self, chunk_id: ChunkId) -> bool {
        self.chunks.as_ref().is_none_or(|chunks| chunks.binary_search(&chunk_id).is_ok())
    }

    /// The chunks that may be found, sorted; `None` if all may.
    pub(crate) fn chunks(&self) -> Option<&[ChunkId]> {
        self.chunks.as_deref()
    }
}

/// Returns the languages, repositories and globs of filters that no file of an index has or fits.
///
/// # Errors
/// A glob cannot be understood, or the index is damaged.
pub fn unmatched(index: &Index, filters: &Filters) -> Result<Filters> {
    let text = index.chunks()?;
    let fields = &text.fields;
    let unknown = |field: Field, words: &[String]| -> Result<Vec<String>> {
        let mut unknown = Vec::new();
        for word in words {
            if text.doc_freq(&Term::from_field_text(field, word))? == 0 {
                unknown.push(word.clone());
            }
        }
        Ok(unknown)
    };
    let mut paths = Vec::new();
    for glob in filters.paths.iter().filter(|glob| !glob.starts_with('!')) {
        let globs = path_globs(&[index], std::slice::from_ref(glob))?;
        if !matches_any(&[index], &globs)? {
            paths.push(glob.clone());
        }
    }
    let (languages, repos) = (unknown(fields.language, &filters.languages)?, unknown(fields.repo, &filters.repos)?);
    Ok(Filters { languages, repos, paths, kinds: Vec::new() })
}

/// Returns the languages of an index, in order.
///
/// # Errors
/// The index is damaged.
pub fn languages(index: &Index) -> Result<Vec<String>> {
    let text = index.chunks()?;
    let mut languages = Vec::new();
    visit_terms(&text.searcher, text.fields.language, |language| languages.push(language.to_owned()))?;
    languages.sort_unstable();
    languages.dedup();
    Ok(languages)
}

/// Visits the terms of a field in each segment.
fn visit_terms(searcher: &Searcher, field: Field, mut visit: impl FnMut(&str)) -> Result<()> {
    for reader in searcher.segment_readers() {
        let inverted = reader.inverted_index(field)?;
        let mut stream = inverted.terms().stream().map_err(tantivy::TantivyError::from)?;
        while stream.advance() {
            if let Ok(term) = std::str::from_utf8(stream.key()) {
                visit(term);
            }
        }
    }
    Ok(())
}

fn kinds(fields: &ChunkFields, kinds: &[Kind]) -> BooleanQuery {
    BooleanQuery::union(
        kinds
            .iter()
            .map(|kind| {
                let term = Term::from_field_u64(fields.kind, u64::from(kind.code()));
                Box::new(TermQuery::new(term, IndexRecordOption::Basic)) as Box<dyn Query>
            })
            .collect(),
    )
}

/// Globs over the paths of indexes. One that matches no path may begin with the name of a repository, as paths in answers do
/// if there are several.
///
/// # Errors
/// A glob cannot be understood, or an index is damaged.
pub fn path_globs(indexes: &[&Index], globs: &[String]) -> Result<PathGlobs> {
    PathGlobs::with_repositories(globs, |glob| {
        let written = glob.trim_start_matches("./");
        let (first, inside) = written.split_once('/').unwrap_or((written, ""));
        let mut repositories = indexes.iter().flat_map(|index| &index.generation().manifest().repositories);
        let is_repository = repositories.any(|repository| repository.name == first);
        if !is_repository || matches_any(indexes, &PathGlobs::new(&[glob.to_owned()])?)? {
            return Ok(None);
        }
        Ok(Some((first, if inside.is_empty() { "**" } else { inside })))
    })
}

/// Whether globs match a path of some indexes.
fn matches_any(indexes: &[&Index], globs: &PathGlobs) -> Result<bool> {
    let mut is_matched = false;
    for index in indexes {
        let text = index.chunks()?;
        visit_terms(&text.searcher, text.fields.file, |path| is_matched |= globs.may_match(path))?;
    }
    Ok(is_matched)
}

/// A query for the files whose path the globs allow.
fn paths(index: &Index, globs: &PathGlobs) -> Result<Box<dyn Query>> {
    let text = index.chunks()?;
    let allowed = |repo: &str| -> Result<TermSetQuery> {
        let mut terms = Vec::new();
        visit_terms(&text.searcher, text.fields.file, |path| {
            if globs.allows(repo, path) {
                terms.push(Term::from_field_text(text.fields.file, path));
            }
        })?;
        terms.sort_unstable();
        terms.dedup();
        Ok(TermSetQuery::new(terms))
    };
    if globs.are_of_all_repositories() {
        return Ok(Box::new(allowed("")?));
    }
    let mut of_repositories: Vec<Box<dyn Query>> = Vec::new();
    for repository in &index.generation().manifest().repositories {
        let repo = TermSetQuery::new([Term::from_field_text(text.fields.repo, &repository.name)]);
        let both: Vec<Box<dyn Query>> = vec![Box::new(repo), Box::new(allowed(&repository.name)?)];
        of_repositories.push(Box::new(BooleanQuery::intersection(both)));
    }
    Ok(Box::new(BooleanQuery::union(of_repositories)))
}

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
            all.push(Box::new(paths(&text.searcher, fields.file, &filters.paths)?));
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

/// A query for the files whose path matches one of the globs.
fn paths(searcher: &Searcher, field: Field, globs: &[String]) -> Result<TermSetQuery> {
    let globs = PathGlobs::new(globs)?;
    let mut terms = Vec::new();
    for reader in searcher.segment_readers() {
        let inverted = reader.inverted_index(field)?;
        let mut stream = inverted.terms().stream().map_err(tantivy::TantivyError::from)?;
        while stream.advance() {
            if let Ok(path) = std::str::from_utf8(stream.key())
                && globs.allows(path)
            {
                terms.push(Term::from_field_text(field, path));
            }
        }
    }
    terms.sort_unstable();
    terms.dedup();
    Ok(TermSetQuery::new(terms))
}

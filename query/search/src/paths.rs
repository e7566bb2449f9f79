//! Finds files of the index by the ends of their paths, and their chunks.

use sextant_format::ids::ChunkId;
use tantivy::query::TermSetQuery;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, Term};

use crate::catalog::ChunkInfo;
use crate::{Index, Result};

/// Returns the chunks of files, in the order of the index.
pub(crate) fn chunks_of_files(index: &Index, files: &[String]) -> Result<Vec<ChunkInfo>> {
    let chunks = index.chunks()?;
    let terms = files.iter().map(|file| Term::from_field_text(chunks.fields.file, file));
    chunks.rows(&TermSetQuery::new(terms))?.into_iter().map(|id| chunks.catalog.info(id)).collect()
}

/// Returns the paths in the index that end with `path`, compared by whole parts; only `path` itself if it is one of them.
pub(crate) fn files_with_suffix(index: &Index, path: &str) -> Result<Vec<String>> {
    let path = path.trim_start_matches("./");
    if path.is_empty() {
        return Ok(Vec::new());
    }
    let mut found = match_path_suffix(index, path)?;
    if found.iter().any(|file| file == path) {
        found.retain(|file| file == path);
    }
    // Responses put the repository in front of paths if there are several.
    if !found.is_empty() {
        return Ok(found);
    }
    if let Some(path) = without_repository(index, path) {
        return match_path_suffix(index, path);
    }
    // An absolute path ends with the path in the repository.
    let is_absolute = path.starts_with('/') || path.as_bytes().get(1) == Some(&b':');
    let mut rest = path.split_once('/').map(|(_, rest)| rest).filter(|_| is_absolute);
    while let Some(end) = rest {
        found = match_path_suffix(index, end)?;
        found.retain(|file| file == end);
        if !found.is_empty() {
            break;
        }
        rest = end.split_once('/').map(|(_, rest)| rest).filter(|rest| rest.contains('/'));
    }
    Ok(found)
}

/// Returns the first chunk of each file whose path ends with `path`. The path may begin with the repository's name.
pub(crate) fn chunks_of_files_with_suffix(index: &Index, path: &str) -> Result<Vec<ChunkId>> {
    let mut chunks: Vec<ChunkInfo> = chunks_of_files(index, &files_with_suffix(index, path)?)?;
    chunks.dedup_by_key(|info| info.file_id);
    let path = path.trim_start_matches("./");
    let mut first: Vec<ChunkId> = chunks.iter().map(|info| info.chunk_id).collect();
    if let (Some((repo, _)), true) = (path.split_once('/'), first.len() > 1) {
        let catalog = &index.chunks()?.catalog;
        let mut named = Vec::new();
        for &chunk in &first {
            let (own, _) = catalog.repo_and_language(chunk)?;
            if own == repo && is_path_suffix(&format!("{own}/{}", catalog.path(chunk)?), path) {
                named.push(chunk);
            }
        }
        if !named.is_empty() {
            first = named;
        }
    }
    Ok(first)
}

/// Strips the repository's name from the front of a path; `None` if there is none.
pub(crate) fn without_repository<'a>(index: &Index, path: &'a str) -> Option<&'a str> {
    let (first, rest) = path.split_once('/')?;
    let repositories = &index.generation().manifest().repositories;
    repositories.iter().any(|repository| repository.name == first).then_some(rest)
}

fn match_path_suffix(index: &Index, path: &str) -> Result<Vec<String>> {
    let chunks = index.chunks()?;
    let mut found = Vec::new();
    for (segment_ord, reader) in (0..).zip(chunks.searcher.segment_readers()) {
        let inverted = reader.inverted_index(chunks.fields.file)?;
        let mut stream = inverted.terms().stream().map_err(tantivy::TantivyError::from)?;
        while stream.advance() {
            let Some(file) = std::str::from_utf8(stream.key()).ok().filter(|file| is_path_suffix(file, path)) else {
                continue;
            };
            let documents = inverted.read_block_postings_from_terminfo(stream.value(), IndexRecordOption::Basic);
            let mut documents = documents.map_err(tantivy::TantivyError::from)?;
            // The terms of removed documents stay in the dictionary.
            let mut is_live = false;
            while !is_live && documents.block_len() > 0 {
                let mut ids = documents.docs().iter();
                is_live = ids.any(|&doc_id| chunks.row(DocAddress { segment_ord, doc_id }).is_some());
                documents.advance();
            }
            if is_live {
                found.push(file.to_owned());
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Whether a path ends with another, compared by whole parts.
pub(crate) fn is_path_suffix(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

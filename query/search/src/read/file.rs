//! Reassembles files and excerpts of files from their chunks.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use tantivy::query::TermSetQuery;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, Term};

use crate::catalog::ChunkInfo;
use crate::navigate::Definition;
use crate::{Error, Index, Result};

/// Consecutive blank lines at most. No real file has more; a hostile index could demand a huge allocation.
const MAX_BLANK_LINES: usize = 1 << 24;

/// The lines of a file that are not blank.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileText {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// The language.
    pub language: String,
    /// The lines that are not blank, by their numbers from 1.
    pub lines: BTreeMap<u32, String>,
}

/// An excerpt of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceExcerpt {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// The language.
    pub language: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The lines, including blank ones, without a final line break.
    pub text: String,
    /// The symbol, if a symbol was requested.
    pub symbol: Option<Definition>,
}

impl FileText {
    /// The number of the last line that is not blank; 0 for an empty file.
    #[must_use]
    pub fn last_line(&self) -> u32 {
        self.lines.last_key_value().map_or(0, |(&line, _)| line)
    }

    /// Returns the lines `first` to `last`, including blank ones, without a final line break.
    #[must_use]
    pub fn text(&self, first: u32, last: u32) -> String {
        let mut text = String::new();
        let mut next = first;
        for (&line, content) in self.lines.range(first..=last.max(first)).filter(|_| first <= last) {
            let blank = usize::try_from(line - next).unwrap_or(usize::MAX).min(MAX_BLANK_LINES);
            text.extend(std::iter::repeat_n('\n', blank));
            text.push_str(content);
            text.push('\n');
            next = line.saturating_add(1);
        }
        // Blank lines at the end are shown if the file continues after them.
        let end = last.min(self.last_line());
        let blank = usize::try_from((u64::from(end) + 1).saturating_sub(u64::from(next))).unwrap_or(usize::MAX);
        text.extend(std::iter::repeat_n('\n', blank.min(MAX_BLANK_LINES)));
        text.pop();
        text
    }
}

impl Index {
    /// Returns the file whose path ends with `path`, the shortest path of several; `None` if there is none.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn file_text(&self, path: &str) -> Result<Option<FileText>> {
        let Some(file) = self.files_with_suffix(path)?.into_iter().min_by_key(|path| (path.len(), path.clone())) else {
            return Ok(None);
        };
        self.file_text_exact(&file).map(Some)
    }

    /// Returns the file with exactly this path; an empty one if there is none.
    pub(crate) fn file_text_exact(&self, path: &str) -> Result<FileText> {
        let chunks = self.chunks_of_files(std::slice::from_ref(&path.to_owned()))?;
        let Some(first) = chunks.first() else { return Ok(FileText { path: path.to_owned(), ..FileText::default() }) };
        // Several repositories may have the same path: the first one is shown.
        let (repo, language) = self.chunks()?.catalog.repo_and_language(first.chunk_id)?;
        let own: Vec<ChunkInfo> =
            chunks.iter().filter(|info| info.level == 1 && info.file_id == first.file_id).copied().collect();
        let ids: Vec<u32> = own.iter().map(|info| info.chunk_id).collect();
        let contents: Vec<String> = self.chunk_rows()?.column("content", &ids)?;
        let mut lines = BTreeMap::new();
        for (info, content) in own.iter().zip(&contents) {
            for (line, text) in line_numbers(info, &own, content).into_iter().zip(content.lines()) {
                if !text.trim().is_empty() {
                    lines.insert(line, text.to_owned());
                }
            }
        }
        Ok(FileText { repo, path: path.to_owned(), language, lines })
    }

    /// Returns the level 1 chunks of a chunk's file.
    pub(crate) fn file_chunks(&self, chunk_id: u32) -> Result<Vec<ChunkInfo>> {
        let catalog = &self.chunks()?.catalog;
        let (first, last) = catalog.file_range(chunk_id)?;
        let infos = (first..=last).map(|id| catalog.info(id)).filter(|info| info.as_ref().is_ok_and(|i| i.level == 1));
        infos.collect()
    }

    /// Returns the texts of lines, by file id and line number. Blank and missing lines are left out.
    pub(crate) fn line_texts(&self, wanted: &[(u32, u32)]) -> Result<FxHashMap<(u32, u32), String>> {
        // By the innermost chunk around a line: that chunk, the chunks of its file, and the lines.
        let mut by_chunk: BTreeMap<u32, (ChunkInfo, Vec<ChunkInfo>, Vec<u32>)> = BTreeMap::new();
        let mut files: FxHashMap<u32, Vec<ChunkInfo>> = FxHashMap::default();
        for &(file, line) in wanted {
            let chunks = match files.entry(file) {
                std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::hash_map::Entry::Vacant(free) => {
                    free.insert(match self.chunks()?.catalog.first_chunk_of_file(file) {
                        Some(chunk) => self.file_chunks(chunk)?,
                        None => Vec::new(),
                    })
                }
            };
            let around = chunks.iter().filter(|info| info.start_line <= line && line <= info.end_line);
            if let Some(&innermost) = around.min_by_key(|info| info.end_line - info.start_line) {
                let entry =
                    by_chunk.entry(innermost.chunk_id).or_insert_with(|| (innermost, chunks.clone(), Vec::new()));
                entry.2.push(line);
            }
        }
        let ids: Vec<u32> = by_chunk.keys().copied().collect();
        let contents: Vec<String> = self.chunk_rows()?.column("content", &ids)?;
        let mut found = FxHashMap::default();
        for ((info, file_chunks, lines), content) in by_chunk.values().zip(&contents) {
            for (number, text) in line_numbers(info, file_chunks, content).into_iter().zip(content.lines()) {
                if lines.contains(&number) {
                    found.insert((info.file_id, number), text.to_owned());
                }
            }
        }
        Ok(found)
    }

    /// Returns the source of a symbol, a file, `path:line`, `path:first-last` or a chunk id, with `around` more lines
    /// before and after; empty if nothing has this name. A name may resolve to several symbols, at most `limit`.
    ///
    /// # Errors
    /// There is no chunk of this id, or the index is damaged.
    pub fn show(&self, what: &str, around: u32, limit: usize) -> Result<Vec<SourceExcerpt>> {
        let what = what.trim();
        if let Ok(chunk) = what.parse::<u32>() {
            return Ok(vec![self.show_chunk(chunk, around)?]);
        }
        if let Some((path, lines)) = what.rsplit_once(':')
            && let Some((first, last)) = line_range(lines)
        {
            let Some(file) = self.file_text(path)? else { return Ok(Vec::new()) };
            return Ok(vec![excerpt_of(file, first, last, around, None)]);
        }
        if what.contains(['/', '.'])
            && let Some(file) = self.file_text(what)?
        {
            let last = file.last_line();
            return Ok(vec![excerpt_of(file, 1, last, 0, None)]);
        }
        let mut shown = Vec::new();
        for definition in self.resolve(what)?.definitions.into_iter().take(limit) {
            let (first, last) = self.lines_with_documentation(&definition)?;
            shown.push(self.excerpt(&definition.path.clone(), first, last, around, Some(definition))?);
        }
        Ok(shown)
    }

    /// Returns the source of a chunk including its members.
    ///
    /// # Errors
    /// There is no such chunk, or the index is damaged.
    pub fn show_chunk(&self, chunk: u32, around: u32) -> Result<SourceExcerpt> {
        let chunks = self.chunk_rows()?.len();
        if u64::from(chunk) >= chunks {
            return Err(Error::Argument(format!("the index has no chunk {chunk}: it has {chunks}")));
        }
        let catalog = &self.chunks()?.catalog;
        let info = catalog.info(chunk)?;
        self.excerpt(&catalog.path(chunk)?, info.start_line, info.end_line, around, None)
    }

    /// The lines of a symbol including its documentation, with which its chunk begins.
    fn lines_with_documentation(&self, definition: &Definition) -> Result<(u32, u32)> {
        let chunk = self.symbols()?.catalog.chunk(definition.symbol_id);
        let info = chunk.map(|chunk| self.chunks()?.catalog.info(chunk)).transpose()?;
        let own = info.filter(|info| info.symbol_id == Some(definition.symbol_id));
        Ok((own.map_or(definition.start_line, |info| info.start_line.min(definition.start_line)), definition.end_line))
    }

    fn excerpt(
        &self,
        path: &str,
        first: u32,
        last: u32,
        around: u32,
        symbol: Option<Definition>,
    ) -> Result<SourceExcerpt> {
        Ok(excerpt_of(self.file_text_exact(path)?, first, last, around, symbol))
    }
}

fn excerpt_of(file: FileText, first: u32, last: u32, around: u32, symbol: Option<Definition>) -> SourceExcerpt {
    let start_line = first.saturating_sub(around).max(1);
    let end_line = last.saturating_add(around).min(file.last_line()).max(start_line);
    let text = file.text(start_line, end_line);
    SourceExcerpt { repo: file.repo, path: file.path, language: file.language, start_line, end_line, text, symbol }
}

/// `12` or `12-40`.
fn line_range(text: &str) -> Option<(u32, u32)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
    (first > 0 && first <= last).then_some((first, last))
}

/// Returns the line numbers of a chunk's content: its range without the ranges of its members' chunks. `file_chunks` are
/// the level 1 chunks of its file.
pub(crate) fn line_numbers(info: &ChunkInfo, file_chunks: &[ChunkInfo], content: &str) -> Vec<u32> {
    let count = content.lines().count();
    let all = u64::from(info.start_line)..u64::from(info.end_line) + 1;
    if all.end.saturating_sub(all.start) == count as u64 {
        return (info.start_line..=info.end_line).collect();
    }
    let inner = file_chunks.iter().filter(|inner| inner.chunk_id != info.chunk_id && is_nested_in(inner, info));
    let mut inner: Vec<_> = inner.map(|inner| u64::from(inner.start_line)..u64::from(inner.end_line) + 1).collect();
    inner.sort_unstable_by_key(|lines| lines.start);
    // As many numbers as the content has lines, even if the chunk's range is damaged.
    let mut numbers = Vec::with_capacity(count);
    let mut next = all.start;
    for lines in inner.into_iter().chain(std::iter::once(all.end..all.end)) {
        let own = (next..lines.start).take(count - numbers.len());
        numbers.extend(own.filter_map(|line| u32::try_from(line).ok()));
        next = next.max(lines.end);
    }
    numbers
}

/// Whether a chunk is in another. Of two chunks with the same lines, the one with the larger id is the inner one.
fn is_nested_in(inner: &ChunkInfo, outer: &ChunkInfo) -> bool {
    inner.start_line >= outer.start_line && inner.end_line <= outer.end_line && inner.chunk_id > outer.chunk_id
}

impl Index {
    /// Returns the chunks of files, in the order of the index.
    pub(crate) fn chunks_of_files(&self, files: &[String]) -> Result<Vec<ChunkInfo>> {
        let chunks = self.chunks()?;
        let terms = files.iter().map(|file| Term::from_field_text(chunks.fields.file, file));
        chunks.rows(&TermSetQuery::new(terms))?.into_iter().map(|id| chunks.catalog.info(id)).collect()
    }

    /// Returns the paths in the index that end with `path`, compared by whole parts.
    pub(crate) fn files_with_suffix(&self, path: &str) -> Result<Vec<String>> {
        let path = path.trim_start_matches("./");
        if path.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.match_path_suffix(path)?;
        // Responses put the repository in front of paths if there are several.
        match self.without_repository(path) {
            Some(path) if found.is_empty() => self.match_path_suffix(path),
            _ => Ok(found),
        }
    }

    /// Strips the repository's name from the front of a path; `None` if there is none.
    pub(crate) fn without_repository<'a>(&self, path: &'a str) -> Option<&'a str> {
        let (first, rest) = path.split_once('/')?;
        let repositories = &self.generation().manifest().repositories;
        repositories.iter().any(|repository| repository.name == first).then_some(rest)
    }

    fn match_path_suffix(&self, path: &str) -> Result<Vec<String>> {
        let chunks = self.chunks()?;
        let mut found = Vec::new();
        for (segment_ord, reader) in (0..).zip(chunks.searcher.segment_readers()) {
            let inverted = reader.inverted_index(chunks.fields.file)?;
            let mut stream = inverted.terms().stream().map_err(tantivy::TantivyError::from)?;
            while stream.advance() {
                let Some(file) = std::str::from_utf8(stream.key()).ok().filter(|file| is_path_suffix(file, path))
                else {
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
}

/// Whether a path ends with another, compared by whole parts.
pub(crate) fn is_path_suffix(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use sextant_format::kinds::Kind;

    use super::*;

    #[test]
    fn lines_are_one_or_a_range() {
        assert_eq!(line_range("12"), Some((12, 12)));
        assert_eq!(line_range("12-40"), Some((12, 40)));
        for wrong in ["", "0", "9-3", "x", "1-", "-3", "99999999999"] {
            assert_eq!(line_range(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_chunk_has_as_many_lines_as_its_content() {
        let chunk = |chunk_id, start_line, end_line| ChunkInfo {
            chunk_id,
            file_id: 0,
            symbol_id: None,
            parent_id: None,
            level: 1,
            kind: Kind::Class,
            start_line,
            end_line,
            is_test: false,
        };
        let file_chunks = [chunk(0, 1, 10), chunk(1, 3, 4), chunk(2, 6, 9), chunk(3, 7, 8), chunk(4, 20, 30)];
        let numbers = |at: usize, content: &str| line_numbers(&file_chunks[at], &file_chunks, content);
        assert_eq!(numbers(0, "a\nb\nc\nd\n"), [1, 2, 5, 10]);
        assert_eq!(numbers(0, "a\nb\n"), [1, 2]);
        assert_eq!(numbers(0, &"x\n".repeat(10)), (1..=10).collect::<Vec<_>>());
        assert_eq!(numbers(2, "a\nb\n"), [6, 9]);
        assert_eq!(numbers(4, "\n".repeat(11).as_str()), (20..=30).collect::<Vec<_>>());
        // A damaged range must not cause an allocation.
        for (start, end) in [(1, u32::MAX), (u32::MAX, u32::MAX), (0, u32::MAX), (9, 3)] {
            let corrupt = [chunk(0, start, end), chunk(1, 2, u32::MAX)];
            assert!(line_numbers(&corrupt[0], &corrupt, "x").len() <= 1, "{start} to {end}");
        }
    }

    #[test]
    fn distant_line_numbers_allocate_nothing() {
        let lines = [(1, "a"), (u32::MAX, "b")].map(|(line, text)| (line, text.to_owned())).into();
        let file = FileText { lines, ..FileText::default() };
        assert!(file.text(1, u32::MAX).len() < 2 * MAX_BLANK_LINES);
    }

    #[test]
    fn blank_lines_are_restored() {
        let lines = [(2, "a"), (4, "b")].map(|(line, text)| (line, text.to_owned())).into();
        let file = FileText { lines, ..FileText::default() };
        assert_eq!(file.text(1, 9), "\na\n\nb");
        assert_eq!(file.text(3, 4), "\nb");
        assert_eq!(file.text(7, 9), "");
        assert_eq!(file.text(2, 3), "a\n");
        assert_eq!(file.text(4, 2), "");
    }
}

//! Reassembles files and excerpts of files from their chunks.

use std::collections::BTreeMap;

use sextant_format::ids::ChunkId;

use super::source_reader::SourceReader;
use crate::catalog::ChunkInfo;
use crate::lines::line_numbers;
use crate::navigate::{Definition, Navigator};
use crate::paths::{chunks_of_files, files_with_suffix};
use crate::{Error, Result};

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

impl SourceReader<'_> {
    /// Returns the file whose path ends with `path`, the shortest path of several; `None` if there is none.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn file_text(&self, path: &str) -> Result<Option<FileText>> {
        let Some(file) = files_with_suffix(self.index, path)?.into_iter().min_by_key(|path| (path.len(), path.clone()))
        else {
            return Ok(None);
        };
        self.file_text_exact(&file).map(Some)
    }

    /// Returns the file with exactly this path; an empty one if there is none.
    fn file_text_exact(&self, path: &str) -> Result<FileText> {
        let chunks = chunks_of_files(self.index, std::slice::from_ref(&path.to_owned()))?;
        let Some(first) = chunks.first() else { return Ok(FileText { path: path.to_owned(), ..FileText::default() }) };
        // Several repositories may have the same path: the first one is shown.
        let (repo, language) = self.index.chunks()?.catalog.repo_and_language(first.chunk_id)?;
        let own: Vec<ChunkInfo> =
            chunks.iter().filter(|info| info.level == 1 && info.file_id == first.file_id).copied().collect();
        let ids: Vec<ChunkId> = own.iter().map(|info| info.chunk_id).collect();
        let contents: Vec<String> = self.index.chunk_rows()?.column("content", &ids)?;
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

    /// Returns the source of a symbol, a file, `path:line`, `path:first-last` or a chunk id, with `around` more lines
    /// before and after; empty if nothing has this name. A name may resolve to several symbols, at most `limit`.
    ///
    /// # Errors
    /// There is no chunk of this id, or the index is damaged.
    pub fn show(&self, what: &str, around: u32, limit: usize) -> Result<Vec<SourceExcerpt>> {
        let what = what.trim();
        if let Ok(chunk) = what.parse::<u32>() {
            return Ok(vec![self.show_chunk(ChunkId::new(chunk), around)?]);
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
        for definition in Navigator::new(self.index).resolve(what)?.definitions.into_iter().take(limit) {
            let (first, last) = self.lines_with_documentation(&definition)?;
            shown.push(self.excerpt(&definition.path.clone(), first, last, around, Some(definition))?);
        }
        Ok(shown)
    }

    /// Returns the source of a chunk including its members.
    ///
    /// # Errors
    /// There is no such chunk, or the index is damaged.
    pub fn show_chunk(&self, chunk: ChunkId, around: u32) -> Result<SourceExcerpt> {
        let chunks = self.index.chunk_rows()?.len();
        if u64::from(chunk) >= chunks {
            return Err(Error::Argument(format!("the index has no chunk {chunk}: it has {chunks}")));
        }
        let catalog = &self.index.chunks()?.catalog;
        let info = catalog.info(chunk)?;
        self.excerpt(&catalog.path(chunk)?, info.start_line, info.end_line, around, None)
    }

    /// The lines of a symbol including its documentation, with which its chunk begins.
    fn lines_with_documentation(&self, definition: &Definition) -> Result<(u32, u32)> {
        let chunk = self.index.symbols()?.catalog.chunk(definition.symbol_id);
        let info = chunk.map(|chunk| self.index.chunks()?.catalog.info(chunk)).transpose()?;
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

#[cfg(test)]
mod tests {
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

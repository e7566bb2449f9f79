//! Reassembles files and excerpts of files from their chunks.

use std::collections::BTreeMap;

use sextant_format::ids::{ChunkId, FileId};

use super::source_reader::SourceReader;
use crate::Result;
use crate::catalog::ChunkInfo;
use crate::lines::{file_chunks, line_numbers};
use crate::navigate::Definition;
use crate::navigate::file_symbol;
use crate::paths::chunks_of_files_with_suffix;

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
    /// The last line of the file that is not blank; 0 for an empty file.
    pub last_line: u32,
    /// The lines, including blank ones, without a final line break.
    pub text: String,
    /// The symbol, if a symbol was requested.
    pub symbol: Option<Definition>,
    /// The qualified name of the innermost symbol around the first line that begins before it, if lines were requested; not
    /// of one that ends among them while others begin after it.
    pub within: Option<String>,
    /// The qualified name and last line of the function that ends after the lines and has the last one, if lines were
    /// requested.
    pub goes_on: Option<(String, u32)>,
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
        Ok(self.files(path)?.into_iter().min_by_key(|file| (file.path.len(), file.path.clone())))
    }

    /// Returns the text of a file; `None` if it has no chunks.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn text_of(&self, file: FileId) -> Result<Option<FileText>> {
        let chunk = self.index.chunks()?.catalog.first_chunk_of_file(file);
        chunk.map(|chunk| Ok(self.file_of_chunk(chunk)?.0)).transpose()
    }

    /// Returns the files whose path ends with `path`, compared by whole parts; only the one with exactly this path if
    /// there is one. The path may begin with the repository's name.
    pub(super) fn files(&self, path: &str) -> Result<Vec<FileText>> {
        let mut files = Vec::new();
        for chunk in chunks_of_files_with_suffix(self.index, path)? {
            files.push(self.file_of_chunk(chunk)?.0);
        }
        let path = path.trim_start_matches("./");
        let is_exact = |file: &FileText| file.path == path || format!("{}/{}", file.repo, file.path) == path;
        if files.iter().any(is_exact) {
            files.retain(is_exact);
        } else if let Some(file) = file_symbol(self.index, path)? {
            // A file without text has no chunks.
            let Definition { repo, path, .. } = file;
            return Ok(vec![FileText { repo, path, ..FileText::default() }]);
        }
        Ok(files)
    }

    /// Returns the file of a chunk, and the file's chunks of level 1.
    pub(crate) fn file_of_chunk(&self, chunk: ChunkId) -> Result<(FileText, Vec<ChunkInfo>)> {
        let catalog = &self.index.chunks()?.catalog;
        let (repo, language) = catalog.repo_and_language(chunk)?;
        let path = catalog.path(chunk)?;
        let own = file_chunks(self.index, chunk)?;
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
        Ok((FileText { repo, path, language, lines }, own))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

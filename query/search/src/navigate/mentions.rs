//! Mentions: lines of code that contain a name, and that no edge explains. They show what resolution may have missed.

use rustc_hash::FxHashSet;
use sextant_format::ids::{ChunkId, FileId};
use sextant_format::kinds::Kind;
use sextant_format::names::segments;
use sextant_text::tokens::identifiers;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, DocSet as _, TERMINATED, Term};

use super::navigator::Navigator;
use crate::catalog::HasRowDocMap as _;
use crate::lines::{file_chunks, is_comment, line_numbers};
use crate::{PathGlobs, Result};

/// Documents of the text index with a name, per chunk of level 1 that is examined: most symbols have few blocks.
const MAX_DOCUMENTS_PER_CHUNK: usize = 3;

/// What is counted and listed.
#[derive(Clone, Copy, Debug)]
pub struct MentionOptions<'a> {
    /// Only lines in files with these paths.
    pub paths: &'a PathGlobs,
    /// A line with an edge of at least this confidence is explained.
    pub min_confidence: f32,
    /// A name in more chunks than this is not examined: most of its lines mean something else.
    pub max_chunks: usize,
    /// Lines that are listed at most.
    pub limit: usize,
}

/// A line that contains a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// Its text, without leading and trailing white space.
    pub text: String,
}

/// The lines that contain a name without an edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// The number of lines.
    pub total: usize,
    /// The first of them, in the order of the index, those of tests last.
    pub lines: Vec<Mention>,
}

impl Navigator<'_> {
    /// Returns the lines of code that contain a name as a whole word outside of comments and of sentences in quotes, and
    /// are neither definitions of the name nor uses that have an edge, be it to something external. `None` if the name is
    /// not an identifier, or too common to be examined.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn mentions(&self, name: &str, options: MentionOptions<'_>) -> Result<Option<Mentions>> {
        let MentionOptions { paths, min_confidence, max_chunks, limit } = options;
        let (word, _) = word_and_mark(name);
        if identifiers(word).next() != Some((0, word)) {
            return Ok(None);
        }
        let Some(chunks) = self.chunks_with(word, max_chunks)? else { return Ok(None) };
        let catalog = &self.index.chunks()?.catalog;
        let contents: Vec<String> = self.index.chunk_rows()?.column("content", &chunks)?;
        let mut found: Vec<(FileId, u32, ChunkId, String)> = Vec::new();
        for (&chunk, content) in chunks.iter().zip(&contents) {
            if !content.lines().any(|line| is_mentioned(line, name)) {
                continue;
            }
            if !paths.is_empty() && !paths.allows(&catalog.repo_and_language(chunk)?.0, &catalog.path(chunk)?) {
                continue;
            }
            let info = catalog.info(chunk)?;
            let numbers = line_numbers(&info, &file_chunks(self.index, chunk)?, content);
            for (number, line) in numbers.into_iter().zip(content.lines()) {
                if is_mentioned(line, name) {
                    found.push((info.file_id, number, chunk, line.trim().to_owned()));
                }
            }
        }
        let mut files: Vec<FileId> = found.iter().map(|(file, ..)| *file).collect();
        files.sort_unstable();
        files.dedup();
        let mut data = FxHashSet::default();
        for &file in &files {
            if self.is_data(file)? {
                data.insert(file);
            }
        }
        found.retain(|(file, ..)| !data.contains(file));
        files.retain(|file| !data.contains(file));
        let explained = self.explained_lines(name, &files, min_confidence)?;
        found.retain(|&(file, line, ..)| !explained.contains(&(file, line)));
        found.sort_unstable_by_key(|&(file, line, ..)| (file, line));
        found.dedup_by_key(|&mut (file, line, ..)| (file, line));
        // Damage is reported above.
        found.sort_by_cached_key(|&(_, _, chunk, _)| catalog.info(chunk).is_ok_and(|info| info.is_test));
        let total = found.len();
        found.truncate(limit);
        let mention = |(_, line, chunk, text): (FileId, u32, ChunkId, String)| {
            let (repo, _) = catalog.repo_and_language(chunk)?;
            Ok(Mention { repo, path: catalog.path(chunk)?, line, text })
        };
        Ok(Some(Mentions { total, lines: found.into_iter().map(mention).collect::<Result<_>>()? }))
    }

    /// The chunks of code of level 1 that contain a word, ascending; `None` if there are more than `max_chunks`.
    fn chunks_with(&self, name: &str, max_chunks: usize) -> Result<Option<Vec<ChunkId>>> {
        let text = self.index.chunks()?;
        let term = Term::from_field_text(text.fields.body, &name.to_lowercase());
        // Blocks of a symbol have its words, too.
        let mut documents = 0;
        for reader in text.searcher.segment_readers() {
            documents +=
                reader.inverted_index(text.fields.body)?.doc_freq(&term).map_err(tantivy::TantivyError::from)?;
        }
        if documents as usize > max_chunks.saturating_mul(MAX_DOCUMENTS_PER_CHUNK) {
            return Ok(None);
        }
        let mut chunks = Vec::new();
        for (ordinal, reader) in (0..).zip(text.searcher.segment_readers()) {
            let found = reader.inverted_index(text.fields.body)?.read_postings(&term, IndexRecordOption::Basic);
            let Some(mut postings) = found.map_err(tantivy::TantivyError::from)? else { continue };
            let mut document = postings.doc();
            while document != TERMINATED {
                if let Some(chunk) = text.catalog.row_doc_map().row(DocAddress::new(ordinal, document)) {
                    let info = text.catalog.info(chunk)?;
                    if info.level == 1 && !matches!(info.kind, Kind::Section | Kind::Window | Kind::Key) {
                        chunks.push(chunk);
                    }
                }
                if chunks.len() > max_chunks {
                    return Ok(None);
                }
                document = postings.advance();
            }
        }
        chunks.sort_unstable();
        Ok(Some(chunks))
    }

    /// Whether a file defines nothing but keys of data: its other lines are no code either.
    fn is_data(&self, file: FileId) -> Result<bool> {
        let catalog = &self.index.symbols()?.catalog;
        let symbols = self.index.symbol_rows()?.rows_of_files(&[file])?;
        let mut kinds =
            symbols.into_iter().filter_map(|id| catalog.kind(id)).filter(|&kind| kind != Kind::File).peekable();
        Ok(kinds.peek().is_some() && kinds.all(|kind| kind == Kind::Key))
    }

    /// The lines of some files on which a name is defined, or used with an edge.
    fn explained_lines(&self, name: &str, files: &[FileId], min_confidence: f32) -> Result<FxHashSet<(FileId, u32)>> {
        let mut explained = FxHashSet::default();
        let edges = self.index.edge_rows()?;
        let rows = edges.rows_of_files(files)?;
        let names: Vec<String> = edges.column("target_name", &rows)?;
        // An import names a definition in full.
        let is_named = |of: &str| of == name || segments(of).last() == Some(&name);
        let named: Vec<u32> = rows.into_iter().zip(names).filter(|(_, of)| is_named(of)).map(|(row, _)| row).collect();
        for edge in edges.rows(&named)? {
            let is_resolved = edge.target_id.is_some() && edge.confidence >= min_confidence;
            if is_resolved || edge.external_id.is_some() {
                explained.insert((edge.file_id, edge.line));
            }
        }
        let symbols = self.symbols_named(name)?;
        let symbol_rows = self.index.symbol_rows()?;
        let lines: Vec<u32> = symbol_rows.column("name_line", &symbols)?;
        let of: Vec<FileId> = symbol_rows.column("file_id", &symbols)?;
        explained.extend(of.into_iter().zip(lines));
        Ok(explained)
    }
}

/// Whether a line contains a name outside of comments and of texts that are sentences: `"checked"` may be the name,
/// `"not checked yet"` is not.
fn is_mentioned(line: &str, name: &str) -> bool {
    let (word, mark) = word_and_mark(name);
    let is_name = |at: usize, found: &str| found == word && line[at + found.len()..].starts_with(mark);
    let is_code = |at: usize| !line[..at].contains("// ") && !is_in_sentence(line, at);
    !is_comment(line) && identifiers(line).any(|(at, found)| is_name(at, found) && is_code(at))
}

/// Whether a place of a line is in a text in quotes that has several words, and not in code inside of it (`"{name} x"`).
fn is_in_sentence(line: &str, place: usize) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let mut rest = 0;
    while let Some(from) = line[rest..place].find(['"', '\'', '`']).map(|at| rest + at) {
        let Some(quote) = line[from..].chars().next() else { return false };
        // An apostrophe in a word, or in front of a lifetime, begins no text.
        let is_end = |&(at, found): &(usize, &str)| {
            let at = from + 1 + at;
            let after = line[at + found.len()..].chars().next();
            !line[..at].ends_with('\\') && (quote != '\'' || !is_word(after))
        };
        let begins = quote != '\'' || !is_word(line[..from].chars().next_back());
        let end = line[from + 1..].match_indices(quote).find(is_end).map(|(at, _)| from + 1 + at);
        match end.filter(|_| begins) {
            Some(end) if end > place => {
                let before = &line[from..place];
                let is_inserted = before.rfind('{') > before.rfind('}');
                return line[from + 1..end].trim().contains(char::is_whitespace) && !is_inserted;
            }
            Some(end) => rest = end + 1,
            None => rest = from + 1,
        }
    }
    false
}

/// The identifier of a name, and the mark at its end that names of Ruby and Elixir may have: `save!`, `empty?`.
fn word_and_mark(name: &str) -> (&str, &str) {
    name.split_at(name.strip_suffix(['!', '?']).map_or(name.len(), str::len))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mention_is_a_whole_word_outside_of_comments() {
        for (line, expected) in [
            ("let a = LIMIT + 1;", true),
            ("    LIMITED + NO_LIMIT", false),
            ("limit", false),
            ("// LIMIT", false),
            ("  * LIMIT", false),
            ("f(); // LIMIT", false),
            ("#[cfg(LIMIT)]", true),
            ("on(\"LIMIT\")", true),
            ("f(\"the LIMIT is reached\")", false),
            ("f('the LIMIT is reached')", false),
            ("f(\"at {LIMIT} of {}\", 1)", true),
            ("f(\"at #{n} of LIMIT\")", false),
            ("f(\"a b\", LIMIT, \"c d\")", true),
            ("f<'a>(&'a b, LIMIT, &'a c)", true),
            ("it's 1 of LIMIT's", true),
        ] {
            assert_eq!(is_mentioned(line, "LIMIT"), expected, "{line}");
        }
        assert!(is_mentioned("  pool.trim!(1)", "trim!"));
        assert!(!is_mentioned("  pool.trim(1)", "trim!"));
    }
}

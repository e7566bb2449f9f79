//! `grep`: regular expressions and fixed strings over the source in the index.
//!
//! Row groups are read one after the other, on several threads. Each line is matched by itself, as by grep. Filters
//! apply before any text is read.

use std::collections::BTreeMap;
use std::ops::Range;

use regex::{Regex, RegexBuilder};
use regex_syntax::ast::Ast;
use regex_syntax::ast::parse::Parser;
use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::ids::{ChunkId, FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_format::tables::SymbolRow;

use super::grep_choice::{RawMatch, first_matching, steps_back};
use super::source_reader::SourceReader;
use crate::catalog::ChunkInfo;
use crate::lines::{Line, cut_line, file_chunks, is_comment, line_numbers, lines_with_conditions};
use crate::navigate::{Definition, Navigator, read_definitions};
use crate::retrieve::ChunkFilter;
use crate::threads::map_ranges_parallel;
use crate::{Error, Filters, Result};

/// Bytes that a compiled pattern may take.
const MAX_PATTERN_BYTES: usize = 16 << 20;
/// Files of which only the number of lines is returned.
const MAX_COUNTED_FILES: usize = 12;
/// Times as many matches a part of the text keeps in all as it keeps whole chunks of.
const LATE_FACTOR: usize = 4;
/// If at most so many lines match, and no others around them are asked for, each comes with what says when it is reached.
const MAX_WITH_CONDITIONS: u64 = 20;
/// Times the limit: matches that a part of the text keeps, because one file does not get all of an answer.
const KEPT_PER_PART: usize = 8;

/// A grep request.
#[derive(Clone, Debug, Default)]
pub struct GrepQuery {
    /// A regular expression in the syntax of the `regex` crate, or, if `fixed`, a fixed string.
    pub pattern: String,
    /// Whether the pattern is a fixed string.
    pub fixed: bool,
    /// Whether case is ignored.
    pub ignore_case: bool,
    /// Whether only whole words match.
    pub word: bool,
    /// Restricts files.
    pub filters: Filters,
    /// Whether tests are left out.
    pub without_tests: bool,
    /// Lines that are returned at most; all are counted.
    pub limit: usize,
    /// Lines before each line that are returned with it.
    pub before: u32,
    /// Lines after each line that are returned with it.
    pub after: u32,
}

/// The matching lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GrepMatches {
    /// The number of matching lines, including those beyond the limit.
    pub lines: u64,
    /// The number of files with matching lines, including those beyond the limit.
    pub files: u64,
    /// The lines, by files, in the order of the index: code before tests and text without a grammar.
    pub results: Vec<GrepFile>,
    /// Further files with matching lines, of which none is returned, in the same order; the first ones.
    pub more: Vec<GrepCount>,
    /// Whether the context of each file is what says when its lines are reached, because few lines match.
    pub has_conditions: bool,
    /// The alternatives of the pattern (`b` of `a|b`) that no line matches.
    pub unmatched: Vec<String>,
}

/// The number of matching lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrepCount {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// The number of matching lines.
    pub lines: u64,
}

/// The matching lines of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrepFile {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// The lines, ascending.
    pub lines: Vec<GrepLine>,
    /// The lines around these, ascending, with their numbers; or those that say when they are reached.
    pub context: Vec<(u32, String)>,
    /// The number of further matching lines of the file.
    pub more_lines: u64,
    /// Whether it is test code.
    pub is_test: bool,
}

/// A matching line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrepLine {
    /// Its number, from 1.
    pub line: u32,
    /// The first match's column in bytes, from 0.
    pub column: u32,
    /// Its text, cut if it is very long.
    pub text: String,
    /// The qualified name of the symbol around it.
    pub symbol: Option<String>,
    /// What the match is, as far as the index knows.
    pub role: Option<MatchRole>,
}

/// What a match is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchRole {
    /// The name of a definition.
    Definition,
    /// A use of a symbol, of this kind.
    Use(EdgeKind),
    /// Probably a part of a comment: the line begins like one, and the index knows nothing of the match.
    Comment,
}

impl MatchRole {
    /// The word in answers.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Definition => "definition",
            Self::Use(kind) => kind.as_str(),
            Self::Comment => "comment",
        }
    }
}

/// The matches in a part of the text.
#[derive(Default)]
struct PartialMatches {
    /// The number of matching lines of each chunk that has any.
    counts: Vec<(ChunkId, u64)>,
    code: Vec<RawMatch>,
    /// Those in files of tests, in documentation, and in text without a grammar, such as data.
    rest: Vec<RawMatch>,
    /// Whether each alternative of the pattern matches a line.
    matched: Vec<bool>,
}

impl SourceReader<'_> {
    /// Searches the source for a pattern.
    ///
    /// # Errors
    /// The pattern or a filter is invalid, or the index is damaged.
    pub fn grep(&self, grep: &GrepQuery) -> Result<GrepMatches> {
        let (texts, alternatives): (Vec<String>, Vec<Regex>) = alternatives(grep).into_iter().unzip();
        let pattern = pattern(grep)?;
        let allowed = ChunkFilter::new(self.index, &grep.filters)?;
        let rows = self.index.chunk_rows()?;
        let catalog = &self.index.chunks()?.catalog;
        let scan_chunk = |part: &mut PartialMatches, chunk: ChunkId, content: &str| {
            if !pattern.is_match(content) {
                return;
            }
            let is_asked = |info: &ChunkInfo| info.level == 1 && !(grep.without_tests && info.is_test);
            let Some(info) = catalog.info(chunk).ok().filter(is_asked) else { return };
            let raw = if steps_back(&info) { &mut part.rest } else { &mut part.code };
            let (most, mut count) = (grep.limit.saturating_mul(KEPT_PER_PART), 0);
            let mut counts = vec![0; alternatives.len().max(1)];
            part.matched.resize(alternatives.len(), false);
            for (at, line) in content.lines().enumerate() {
                let Some(found) = pattern.find(line) else { continue };
                for (matched, alternative) in part.matched.iter_mut().zip(&alternatives) {
                    *matched = *matched || alternative.is_match(line);
                }
                // Of what comes late, one line of each chunk: an answer has some of other files and folders, too.
                let of_alternative = &mut counts[first_matching(&alternatives, line)];
                let keeps = if raw.len() < most { *of_alternative < grep.limit } else { count == 0 };
                *of_alternative += 1;
                if keeps && raw.len() < most.saturating_mul(LATE_FACTOR) {
                    raw.push(RawMatch { chunk, at, matched: found.range(), text: cut_line(line) });
                }
                count += 1;
            }
            if count > 0 {
                part.counts.push((chunk, count));
            }
        };
        let blocks = rows.blocks();
        let parts: Vec<Result<Vec<PartialMatches>>> = match allowed.chunks() {
            // A few chunks are looked up; for many it is faster to read all.
            Some(chunks) if chunks.len() < rows.len() as usize / 4 => map_ranges_parallel(chunks.len(), 64, |range| {
                let mut part = PartialMatches::default();
                for ids in chunks[range].chunks(LOOKUP_BATCH) {
                    let contents: Vec<String> = rows.column("content", ids)?;
                    ids.iter().zip(&contents).for_each(|(&id, content)| scan_chunk(&mut part, id, content));
                }
                Ok(vec![part])
            }),
            _ => map_ranges_parallel(blocks.len(), 1, |range| {
                let mut parts = Vec::new();
                for &block in &blocks[range] {
                    let mut part = PartialMatches::default();
                    rows.scan_text("content", block, |chunk, content| {
                        if allowed.allows(chunk) {
                            scan_chunk(&mut part, chunk, content);
                        }
                    })?;
                    parts.push(part);
                }
                Ok(parts)
            }),
        };
        let mut all = Vec::new();
        for part in parts {
            all.extend(part?);
        }
        let is_matched = |nth: usize| all.iter().any(|part| part.matched.get(nth) == Some(&true));
        let unmatched =
            texts.into_iter().enumerate().filter(|(nth, _)| !is_matched(*nth)).map(|(_, text)| text).collect();
        Ok(GrepMatches { unmatched, ..self.matches(all, &alternatives, grep)? })
    }

    fn matches(&self, parts: Vec<PartialMatches>, alternatives: &[Regex], grep: &GrepQuery) -> Result<GrepMatches> {
        let limit = grep.limit;
        let has_context = grep.before > 0 || grep.after > 0;
        let catalog = &self.index.chunks()?.catalog;
        let mut counts: BTreeMap<FileId, (ChunkId, u64)> = BTreeMap::new();
        for &(chunk, lines) in parts.iter().flat_map(|part| &part.counts) {
            counts.entry(catalog.info(chunk)?.file_id).or_insert((chunk, 0)).1 += lines;
        }
        let (lines, files) = (counts.values().map(|(_, lines)| lines).sum(), counts.len() as u64);
        let mut matches = GrepMatches { lines, files, ..GrepMatches::default() };
        let (code, rest): (Vec<_>, Vec<_>) = parts.into_iter().map(|part| (part.code, part.rest)).unzip();
        // Blocks of a table are not in the order of the index.
        let [mut code, mut rest] = [code, rest].map(|parts| parts.into_iter().flatten().collect::<Vec<RawMatch>>());
        let is_cut = lines > limit as u64;
        // What is generated repeats something else: it comes after what was written, if not all of it is shown.
        let generated = if is_cut { self.generated_of(counts.keys().copied())? } else { FxHashSet::default() };
        let is_generated = |file: FileId| generated.contains(&file);
        for part in [&mut code, &mut rest] {
            part.sort_by_cached_key(|raw| {
                let is_generated = catalog.info(raw.chunk).is_ok_and(|info| is_generated(info.file_id));
                (is_generated, raw.chunk)
            });
        }
        let raw: Vec<RawMatch> = code.into_iter().chain(rest).collect();
        let raw = if is_cut { self.share(raw, limit, alternatives, is_generated)? } else { raw };
        let mut ids: Vec<ChunkId> = raw.iter().map(|raw| raw.chunk).collect();
        ids.sort_unstable();
        ids.dedup();
        let contents: FxHashMap<ChunkId, String> =
            ids.iter().copied().zip(self.index.chunk_rows()?.column("content", &ids)?).collect();
        let mut symbols: Vec<SymbolId> = ids.iter().filter_map(|&id| catalog.info(id).ok()?.symbol_id).collect();
        symbols.sort_unstable();
        symbols.dedup();
        let of_chunks: FxHashMap<SymbolId, Definition> =
            read_definitions(self.index, &symbols)?.into_iter().map(|d| (d.symbol_id, d)).collect();
        let mut numbers: FxHashMap<ChunkId, Vec<u32>> = FxHashMap::default();
        let mut symbols_of_files: FxHashMap<FileId, Vec<SymbolRow>> = FxHashMap::default();
        let mut by_file: Vec<(FileId, GrepFile)> = Vec::new();
        let mut places: Vec<Place> = Vec::new();
        for RawMatch { chunk, at, matched, text } in raw {
            let info = catalog.info(chunk)?;
            let numbers = match numbers.entry(chunk) {
                std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::hash_map::Entry::Vacant(free) => {
                    let content = contents.get(&chunk).map_or("", String::as_str);
                    free.insert(line_numbers(&info, &file_chunks(self.index, chunk)?, content))
                }
            };
            let number = numbers.get(at).copied().unwrap_or(info.start_line);
            let around = match info.symbol_id.and_then(|id| of_chunks.get(&id)) {
                Some(symbol) if number <= symbol.end_line => Some(symbol.qualified_name.clone()),
                // The chunk has small symbols after this one, or only such.
                _ => innermost(&mut symbols_of_files, &Navigator::new(self.index), info.file_id, number)?,
            };
            let line = GrepLine {
                line: number,
                column: u32::try_from(matched.start).unwrap_or(u32::MAX),
                role: is_comment(&text).then_some(MatchRole::Comment),
                text,
                symbol: around,
            };
            let end = u32::try_from(matched.end).unwrap_or(u32::MAX);
            places.push(Place { file: info.file_id, line: line.line, columns: line.column..end });
            if by_file.last().is_none_or(|(file, _)| *file != info.file_id) {
                let (repo, _) = catalog.repo_and_language(chunk)?;
                let (path, is_test) = (catalog.path(chunk)?, info.is_test);
                let file = GrepFile { repo, path, lines: Vec::new(), context: Vec::new(), more_lines: 0, is_test };
                by_file.push((info.file_id, file));
            }
            if let Some((_, file)) = by_file.last_mut() {
                if has_context {
                    let around = number.saturating_sub(grep.before)..=number.saturating_add(grep.after);
                    let content = contents.get(&chunk).map_or("", String::as_str);
                    let own = numbers.iter().zip(content.lines()).filter(|(line, _)| around.contains(line));
                    file.context.extend(own.map(|(&line, text)| (line, cut_line(text))));
                }
                file.lines.push(line);
            }
        }
        if !has_context && lines <= MAX_WITH_CONDITIONS {
            let of_file = |(id, file): &(FileId, GrepFile)| file.lines.iter().map(|line| (*id, line.line)).collect();
            let shown: Vec<Line> = by_file.iter().flat_map(|file| -> Vec<Line> { of_file(file) }).collect();
            let mut conditions = lines_with_conditions(self.index, &shown)?;
            for (id, file) in &mut by_file {
                let of_lines = file.lines.iter().filter_map(|line| conditions.remove(&(*id, line.line))).flatten();
                file.context.extend(of_lines);
            }
            matches.has_conditions = true;
        }
        let roles = self.roles(&places)?;
        for (id, mut file) in by_file {
            for line in &mut file.lines {
                // A line that begins like a comment may be code: `*p = f();`.
                line.role = roles.get(&(id, line.line)).copied().or(line.role);
            }
            file.lines.sort_by_key(|line| (line.line, line.column));
            file.context.retain(|(line, _)| !file.lines.iter().any(|matched| matched.line == *line));
            file.context.sort_unstable();
            file.context.dedup();
            let shown = file.lines.len() as u64;
            file.more_lines = counts.remove(&id).map_or(0, |(_, lines)| lines.saturating_sub(shown));
            matches.results.push(file);
        }
        let mut more: Vec<([bool; 2], FileId, ChunkId, u64)> = Vec::with_capacity(counts.len());
        for (file, (chunk, lines)) in counts {
            more.push(([steps_back(&catalog.info(chunk)?), is_generated(file)], file, chunk, lines));
        }
        more.sort_unstable();
        for (_, _, chunk, lines) in more.into_iter().take(MAX_COUNTED_FILES) {
            let (repo, _) = catalog.repo_and_language(chunk)?;
            matches.more.push(GrepCount { repo, path: catalog.path(chunk)?, lines });
        }
        Ok(matches)
    }

    /// Those of some files that are generated; the files ascend.
    fn generated_of(&self, files: impl Iterator<Item = FileId>) -> Result<FxHashSet<FileId>> {
        let files: Vec<FileId> = files.collect();
        let generated: Vec<bool> = self.index.file_rows()?.column("is_generated", &files)?;
        Ok(files.into_iter().zip(generated).filter(|(_, is_generated)| *is_generated).map(|(file, _)| file).collect())
    }

    /// What the index knows of places: definitions whose names overlap the match, else uses that do.
    fn roles(&self, places: &[Place]) -> Result<FxHashMap<(FileId, u32), MatchRole>> {
        let mut files: Vec<FileId> = places.iter().map(|place| place.file).collect();
        files.sort_unstable();
        files.dedup();
        let matched: FxHashMap<(FileId, u32), &Range<u32>> =
            places.iter().map(|place| ((place.file, place.line), &place.columns)).collect();
        let overlaps = |at: (FileId, u32), column: u32, name: &str| {
            let end = column.saturating_add(u32::try_from(name.len()).unwrap_or(u32::MAX));
            matched.get(&at).is_some_and(|columns| columns.start < end && column < columns.end)
        };
        let mut roles = FxHashMap::default();
        let edges = self.index.edge_rows()?;
        let rows = edges.rows_of_files(&files)?;
        let (of, lines): (Vec<FileId>, Vec<u32>) = (edges.column("file_id", &rows)?, edges.column("line", &rows)?);
        let near = rows.into_iter().zip(of.into_iter().zip(lines)).filter(|(_, at)| matched.contains_key(at));
        for edge in edges.rows(&near.map(|(row, _)| row).collect::<Vec<_>>())? {
            let at = (edge.file_id, edge.line);
            if edge.kind.is_use() && overlaps(at, edge.column, &edge.target_name) {
                roles.entry(at).or_insert(MatchRole::Use(edge.kind));
            }
        }
        let symbols = self.index.symbol_rows()?;
        let rows = symbols.rows_of_files(&files)?;
        let (of, lines): (Vec<FileId>, Vec<u32>) =
            (symbols.column("file_id", &rows)?, symbols.column("name_line", &rows)?);
        let near = rows.into_iter().zip(of.into_iter().zip(lines)).filter(|(_, at)| matched.contains_key(at));
        for symbol in symbols.rows(&near.map(|(row, _)| row).collect::<Vec<_>>())? {
            let at = (symbol.file_id, symbol.name_line);
            if symbol.kind != Kind::File && overlaps(at, symbol.name_column, &symbol.name) {
                roles.insert(at, MatchRole::Definition);
            }
        }
        Ok(roles)
    }
}

/// The qualified name of the innermost symbol of several lines around a line. `known` are the symbols of files that were read.
fn innermost(
    known: &mut FxHashMap<FileId, Vec<SymbolRow>>,
    navigator: &Navigator<'_>,
    file: FileId,
    line: u32,
) -> Result<Option<String>> {
    let symbols = match known.entry(file) {
        std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
        std::collections::hash_map::Entry::Vacant(free) => free.insert(navigator.symbols_of(file)?),
    };
    let is_around = |symbol: &&SymbolRow| {
        !matches!(symbol.kind, Kind::File | Kind::Section)
            && (symbol.start_line..=symbol.end_line).contains(&line)
            && symbol.start_line < symbol.end_line
    };
    let found = symbols.iter().filter(is_around).max_by_key(|symbol| symbol.start_line);
    Ok(found.map(|symbol| symbol.qualified_name.clone()))
}

/// Where a match is.
struct Place {
    file: FileId,
    line: u32,
    columns: Range<u32>,
}

/// Chunks whose contents are in memory at once.
const LOOKUP_BATCH: usize = 256;

fn pattern(grep: &GrepQuery) -> Result<Regex> {
    if grep.pattern.is_empty() {
        return Err(Error::Argument("the pattern is empty".to_owned()));
    }
    let text = if grep.fixed { regex::escape(&grep.pattern) } else { grep.pattern.clone() };
    let text = if grep.word { format!(r"\b(?:{text})\b") } else { text };
    RegexBuilder::new(&text)
        .case_insensitive(grep.ignore_case)
        .multi_line(true)
        .size_limit(MAX_PATTERN_BYTES)
        .build()
        .map_err(|error| Error::Argument(format!("the pattern '{}' cannot be understood: {error}", grep.pattern)))
}

/// The alternatives of a pattern like `a|b`, as written and each as a pattern; none if it has no such.
fn alternatives(grep: &GrepQuery) -> Vec<(String, Regex)> {
    let text = &grep.pattern;
    // Flags in one alternative count in those after it.
    if grep.fixed || text.contains("(?") {
        return Vec::new();
    }
    let parsed = Parser::new().parse(text);
    let Ok(Ast::Alternation(parts)) = &parsed else { return Vec::new() };
    let spans = parts.asts.iter().map(|part| part.span());
    let of_part = spans.filter_map(|span| text.get(span.start.offset..span.end.offset));
    let patterns = of_part.map(|part| {
        let alternative = pattern(&GrepQuery { pattern: part.to_owned(), ..grep.clone() })?;
        Ok((part.to_owned(), alternative))
    });
    patterns.collect::<Result<_>>().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_are_those_outside_of_groups() {
        let texts = |pattern: &str| -> Vec<String> {
            let grep = GrepQuery { pattern: pattern.to_owned(), ..GrepQuery::default() };
            alternatives(&grep).into_iter().map(|(text, _)| text).collect()
        };
        assert_eq!(texts(r"new A\(|catch \((B|C)|[|]d"), [r"new A\(", r"catch \((B|C)", "[|]d"]);
        for none in ["(a|b)", "a", "(?i)a|b", "a|("] {
            assert!(texts(none).is_empty(), "{none}");
        }
    }
}

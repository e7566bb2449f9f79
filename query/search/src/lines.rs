//! Maps lines of a file to its chunks, and chunks to lines.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use sextant_format::ids::{ChunkId, FileId};
use sextant_format::tables::SymbolRow;

use crate::blocks::Blocks;
use crate::catalog::ChunkInfo;
use crate::{Index, Result};

/// Beginnings of lines that are comments in most languages.
const COMMENT_STARTS: &[&str] = &["//", "/*", "*", "--", "<!--", "# "];

/// Longer lines are cut in answers.
const MAX_LINE_BYTES: usize = 240;

/// A line without white space at its end, cut if it is very long.
pub(crate) fn cut_line(line: &str) -> String {
    line[..line.floor_char_boundary(MAX_LINE_BYTES)].trim_end().to_owned()
}

/// Whether a line looks like a comment.
pub(crate) fn is_comment(line: &str) -> bool {
    let start = line.trim_start();
    COMMENT_STARTS.iter().any(|comment| start.starts_with(comment))
}

/// Returns the level 1 chunks of a chunk's file.
pub(crate) fn file_chunks(index: &Index, chunk_id: ChunkId) -> Result<Vec<ChunkInfo>> {
    let catalog = &index.chunks()?.catalog;
    let infos = ChunkId::range(catalog.file_range(chunk_id)?).map(|id| catalog.info(id));
    infos.filter(|info| info.as_ref().is_ok_and(|i| i.level == 1)).collect()
}

/// Further lines of a definition at most that are printed as one with its first line.
const MAX_FURTHER_LINES: u32 = 4;
/// Bytes of such a line at most: lists cut longer ones.
const MAX_DEFINITION_BYTES: usize = 140;

/// A line of a file.
pub(crate) type Line = (FileId, u32);

/// Returns the texts of lines, by file id and line number. Blank and missing lines are left out.
pub(crate) fn line_texts(index: &Index, wanted: &[Line]) -> Result<FxHashMap<Line, String>> {
    let mut found = FxHashMap::default();
    visit(index, wanted, |file, numbers, lines, wanted| {
        let all = numbers.iter().zip(lines).filter(|(number, _)| wanted.contains(number));
        found.extend(all.map(|(&number, &text)| ((file, number), text.to_owned())));
    })?;
    Ok(found)
}

/// Returns the texts of definitions, by file id and first line: all of one that is short and has few lines, as one line,
/// else its first line. Missing lines are left out.
pub(crate) fn definition_texts(index: &Index, definitions: &[SymbolRow]) -> Result<FxHashMap<Line, String>> {
    let lines_of = |row: &SymbolRow| {
        let is_short = row.end_line.saturating_sub(row.start_line) <= MAX_FURTHER_LINES;
        let (file, last) = (row.file_id, if is_short { row.end_line.max(row.start_line) } else { row.start_line });
        (row.start_line..=last).map(move |line| (file, line))
    };
    let wanted: Vec<Line> = definitions.iter().flat_map(lines_of).collect();
    let texts = line_texts(index, &wanted)?;
    let mut found = FxHashMap::default();
    for row in definitions {
        let mut lines = lines_of(row).filter_map(|line| texts.get(&line)).map(|text| text.trim());
        let Some(first) = lines.next() else { continue };
        let whole = std::iter::once(first).chain(lines).collect::<Vec<_>>().join(" ");
        let text = if whole.len() <= MAX_DEFINITION_BYTES { whole } else { first.to_owned() };
        found.insert((row.file_id, row.start_line), text);
    }
    Ok(found)
}

/// Returns the lines that say when lines are reached, with their numbers, by file id and line number, each with the line
/// itself as its last one. Missing lines are left out.
pub(crate) fn lines_with_conditions(index: &Index, wanted: &[Line]) -> Result<FxHashMap<Line, Vec<(u32, String)>>> {
    let mut found = FxHashMap::default();
    visit(index, wanted, |file, numbers, lines, wanted| {
        let blocks = Blocks::of(lines.iter().copied());
        for (at, &number) in numbers.iter().enumerate().filter(|(_, number)| wanted.contains(number)) {
            let shown = blocks.conditions(lines, at).into_iter().chain([at]);
            let shown = shown.filter_map(|at| Some((*numbers.get(at)?, cut_line(lines.get(at)?))));
            found.insert((file, number), shown.collect());
        }
    })?;
    Ok(found)
}

/// Visits the innermost chunks around lines: file, the numbers and the texts of the chunk's lines, and those that are
/// wanted of them.
fn visit(index: &Index, wanted: &[Line], mut visit: impl FnMut(FileId, &[u32], &[&str], &[u32])) -> Result<()> {
    // By the innermost chunk around a line: that chunk, the chunks of its file, and the lines.
    let mut by_chunk: BTreeMap<ChunkId, (ChunkInfo, Vec<ChunkInfo>, Vec<u32>)> = BTreeMap::new();
    let mut files: FxHashMap<FileId, Vec<ChunkInfo>> = FxHashMap::default();
    for &(file, line) in wanted {
        let chunks = match files.entry(file) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert(match index.chunks()?.catalog.first_chunk_of_file(file) {
                    Some(chunk) => file_chunks(index, chunk)?,
                    None => Vec::new(),
                })
            }
        };
        let around = chunks.iter().filter(|info| info.start_line <= line && line <= info.end_line);
        if let Some(&innermost) = around.min_by_key(|info| info.end_line - info.start_line) {
            let entry = by_chunk.entry(innermost.chunk_id).or_insert_with(|| (innermost, chunks.clone(), Vec::new()));
            entry.2.push(line);
        }
    }
    let ids: Vec<ChunkId> = by_chunk.keys().copied().collect();
    let contents: Vec<String> = index.chunk_rows()?.column("content", &ids)?;
    for ((info, file_chunks, wanted), content) in by_chunk.values().zip(&contents) {
        let lines: Vec<&str> = content.lines().collect();
        visit(info.file_id, &line_numbers(info, file_chunks, content), &lines, wanted);
    }
    Ok(())
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

/// Parses `12` or `12-40`, lines from 1. `40-12` means the same as `12-40`, and `0-3` the first three lines.
#[must_use]
pub fn line_range(text: &str) -> Option<(u32, u32)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
    (first.max(last) > 0).then(|| (first.min(last).max(1), first.max(last)))
}

/// A place as other programs write it, in the form of answers: without a column, with `:` before the lines, and with `/` in
/// the path. `a.rs:4:12` is `a.rs:4`, and `a.rs#L4-L9` is `a.rs:4-9`.
#[must_use]
pub fn normal_place(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    let windows = (text.contains('\\') && !text.contains('/') && text.contains('.')).then(|| text.replace('\\', "/"));
    let place = windows.as_deref().unwrap_or(text);
    let split = place.split_once("#L").or_else(|| place.split_once(":L"));
    let lines = split.and_then(|(path, lines)| Some((path, line_range(&lines.replace('L', ""))?)));
    let with_column = || {
        let (before, column) = place.rsplit_once(':')?;
        let (path, line) = before.rsplit_once(':')?;
        column.parse::<u32>().ok()?;
        Some((path, line_range(line)?))
    };
    match lines.or_else(with_column) {
        Some((path, (first, last))) if first == last => Cow::Owned(format!("{path}:{first}")),
        Some((path, (first, last))) => Cow::Owned(format!("{path}:{first}-{last}")),
        None => windows.map_or(Cow::Borrowed(text), Cow::Owned),
    }
}

#[cfg(test)]
mod tests {
    use sextant_format::kinds::Kind;

    use super::*;

    #[test]
    fn places_of_other_programs_are_understood() {
        for (written, place) in [
            ("a/b.rs:4:12", "a/b.rs:4"),
            ("a/b.rs#L4-L9", "a/b.rs:4-9"),
            ("a/b.rs:L4", "a/b.rs:4"),
            ("a\\b.rs:4", "a/b.rs:4"),
            (" a/b.rs ", "a/b.rs"),
            ("a/b.rs:4-9", "a/b.rs:4-9"),
            ("A::b", "A::b"),
            ("App\\Config", "App\\Config"),
            ("a:b:c", "a:b:c"),
        ] {
            assert_eq!(normal_place(written), place, "{written}");
        }
    }

    #[test]
    fn a_chunk_has_as_many_lines_as_its_content() {
        let chunk = |chunk_id, start_line, end_line| ChunkInfo {
            chunk_id: ChunkId::new(chunk_id),
            file_id: FileId::default(),
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
    fn lines_are_one_or_a_range() {
        assert_eq!(line_range("12"), Some((12, 12)));
        assert_eq!(line_range("12-40"), Some((12, 40)));
        assert_eq!((line_range("9-3"), line_range("0-3")), (Some((3, 9)), Some((1, 3))));
        for wrong in ["", "0", "0-0", "x", "1-", "-3", "99999999999"] {
            assert_eq!(line_range(wrong), None, "{wrong}");
        }
    }
}

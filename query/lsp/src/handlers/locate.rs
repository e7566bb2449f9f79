//! Places of the editor to symbols of an index, and back.

use std::sync::Arc;

use lsp_types::{Location, Position, Range, TextDocumentPositionParams, Uri};
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind, Tier};
use sextant_format::tables::{EdgeRow, SymbolRow};
use sextant_protocol::{identifier, uri_of_path};
use sextant_search::navigate::Definition;
use sextant_search::{Navigator, map_ranges_parallel};

use crate::Result;
use crate::workspace::{CurrentFile, Workspace, path_of, uses};

/// Files that are worth a thread of their own.
const MIN_FILES_PER_THREAD: usize = 16;

/// The symbols that a name in the text stands for.
pub(super) struct Named {
    /// The position of the index.
    pub(super) index: usize,
    /// Their ids, ascending.
    pub(super) symbols: Vec<SymbolId>,
    /// The name's place.
    pub(super) range: Range,
}

/// Returns what the name at a place stands for: the symbol that it defines, or the targets of the use with the highest
/// confidence. `None` if the index does not know, or if the line was edited.
pub(super) fn named_at(workspace: &mut Workspace, place: &TextDocumentPositionParams) -> Result<Option<Named>> {
    let Some(path) = path_of(&place.text_document.uri) else { return Ok(None) };
    let Some(current) = workspace.file_at(&path)? else { return Ok(None) };
    let Position { line, character } = place.position;
    let text = current.text.line(line);
    let Some(name) = identifier(text, workspace.encoding.byte(text, character)) else { return Ok(None) };
    let Some(indexed) = current.text.indexed_line(line).and_then(|line| line.checked_add(1)) else { return Ok(None) };
    let is_here = |column: u32| usize::try_from(column).is_ok_and(|column| name.contains(&column));
    let range = Range::new(
        Position::new(line, workspace.encoding.column(text, name.start)),
        Position::new(line, workspace.encoding.column(text, name.end)),
    );
    let file = &current.file;
    let own_symbols = workspace.symbols(file)?;
    let own =
        own_symbols.iter().filter(|s| s.name_line == indexed && is_here(s.name_column) && s.name == text[name.clone()]);
    let mut symbols: Vec<SymbolId> = own.map(|symbol| symbol.symbol_id).collect();
    if symbols.is_empty() {
        let uses = uses(workspace.index(file.index), file)?;
        let here: Vec<_> = uses.iter().filter(|edge| edge.line == indexed && is_here(edge.column)).collect();
        let best = here.iter().map(|edge| edge.confidence).fold(0.0, f32::max);
        symbols = here.iter().filter(|edge| edge.confidence >= best).filter_map(|edge| edge.target_id).collect();
        if here.is_empty() {
            let member = member_after(text, name.end);
            let is_member = |edge: &&EdgeRow| edge.line == indexed && Ok(edge.column) == member;
            let through_import = |edge: &&EdgeRow| is_member(edge) && edge.tier == Tier::Import;
            if let Some(member) = uses.iter().find(through_import).and_then(|edge| edge.target_id) {
                symbols.extend(imported_as(workspace, &current, &uses, &text[name], member)?);
            }
        }
        symbols.sort_unstable();
        symbols.dedup();
    }
    Ok((!symbols.is_empty()).then_some(Named { index: file.index, symbols, range }))
}

/// The column of the name after `.` or `::`, which follow at a byte of a line.
fn member_after(line: &str, end: usize) -> std::result::Result<u32, ()> {
    let rest = &line[end..];
    let after = rest.strip_prefix("::").or_else(|| rest.strip_prefix('.')).ok_or(())?;
    u32::try_from(line.len() - after.len()).map_err(|_| ())
}

/// The file that a file imports under a name, of which it uses a member that was found through this import. Of the files of
/// imports that are called so, or else of those whose lines contain the name (`import numpy as np`), it is the one with the
/// member, or the only one.
fn imported_as(
    workspace: &Workspace,
    current: &CurrentFile,
    uses: &[EdgeRow],
    name: &str,
    member: SymbolId,
) -> Result<Option<SymbolId>> {
    let imports = || uses.iter().filter(|edge| edge.kind == EdgeKind::Import);
    let is_called = |edge: &&EdgeRow| last_part(&edge.target_name) == name;
    let has_name = |edge: &&EdgeRow| {
        let line = current.text.line_now(edge.line.saturating_sub(1)).map_or("", |line| current.text.line(line));
        line.match_indices(name).any(|(at, _)| identifier(line, at) == Some(at..at + name.len()))
    };
    let mut ids: Vec<SymbolId> = imports().filter(is_called).filter_map(|edge| edge.target_id).collect();
    if ids.is_empty() {
        ids = imports().filter(has_name).filter_map(|edge| edge.target_id).collect();
    }
    ids.push(member);
    ids.sort_unstable();
    ids.dedup();
    let rows = Navigator::new(workspace.index(current.file.index)).symbol_rows(&ids)?;
    let home = rows.iter().find(|row| row.symbol_id == member).map(|row| row.file_id);
    let files: Vec<&SymbolRow> = rows.iter().filter(|row| row.kind == Kind::File).collect();
    let found = match files.as_slice() {
        [only] => Some(only),
        files => files.iter().find(|row| Some(row.file_id) == home),
    };
    Ok(found.map(|row| row.symbol_id))
}

/// The place of the bytes `column..column + length` of a line of an index, both from 0; that of the nearest line that
/// remains if it was edited.
pub(super) fn location(
    workspace: &Workspace,
    current: &CurrentFile,
    line: u32,
    column: u32,
    length: usize,
) -> Option<Location> {
    Some(Location::new(uri_of(current)?, range_of(workspace, current, line, column, length)?))
}

/// The range of the bytes `column..column + length` of a line of an index.
fn range_of(workspace: &Workspace, current: &CurrentFile, line: u32, column: u32, length: usize) -> Option<Range> {
    Some(match current.text.line_now(line) {
        Some(now) => {
            let text = current.text.line(now);
            let start = usize::try_from(column).unwrap_or(usize::MAX);
            Range::new(
                Position::new(now, workspace.encoding.column(text, start)),
                Position::new(now, workspace.encoding.column(text, start.saturating_add(length))),
            )
        }
        None => {
            let (_, last) = current.text.lines_now(line, line).or_else(|| current.text.lines_now(0, line))?;
            Range::new(Position::new(last, 0), Position::new(last, 0))
        }
    })
}

/// The places of uses, which are in the order of the index; `None` for those in files without a place on this machine.
/// The files are read by several threads: a common name has uses in thousands of them.
pub(super) fn locations(workspace: &mut Workspace, index: usize, uses: &[EdgeRow]) -> Result<Vec<Option<Location>>> {
    let by_file: Vec<&[EdgeRow]> = uses.chunk_by(|a, b| a.file_id == b.file_id).collect();
    let ids: Vec<FileId> = by_file.iter().map(|in_file| in_file[0].file_id).collect();
    let files = workspace.indexed_files(index, &ids)?;
    let workspace: &Workspace = workspace;
    let parts = map_ranges_parallel(by_file.len(), MIN_FILES_PER_THREAD, |range| -> Result<Vec<Option<Location>>> {
        let mut found = Vec::new();
        for (in_file, file) in by_file[range.clone()].iter().zip(&files[range]) {
            let current = file.as_ref().map(|file| workspace.with_text(Arc::clone(file))).transpose()?;
            let uri = current.as_ref().and_then(uri_of);
            found.extend(in_file.iter().map(|edge| {
                let (line, length) = (edge.line.saturating_sub(1), last_part(&edge.target_name).len());
                let range = range_of(workspace, current.as_ref()?, line, edge.column, length)?;
                Some(Location::new(uri.clone()?, range))
            }));
        }
        Ok(found)
    });
    let mut found = Vec::with_capacity(uses.len());
    for part in parts {
        found.extend(part?);
    }
    Ok(found)
}

/// The last part of a qualified name as written: what stands at the column of a use.
fn last_part(name: &str) -> &str {
    name.rsplit(['.', ':', '/', '#', '\\']).next().unwrap_or(name)
}

/// The place of a symbol's name, or of the file's beginning.
pub(super) fn location_of(workspace: &mut Workspace, index: usize, symbol: &SymbolRow) -> Result<Option<Location>> {
    let Some(current) = workspace.file(index, symbol.file_id)? else { return Ok(None) };
    Ok(match symbol.kind {
        Kind::File => location(workspace, &current, 0, 0, 0),
        _ => location(workspace, &current, symbol.name_line.saturating_sub(1), symbol.name_column, symbol.name.len()),
    })
}

/// The places of symbols that have one.
pub(super) fn locations_of(workspace: &mut Workspace, index: usize, symbols: &[SymbolId]) -> Result<Vec<Location>> {
    let mut locations = Vec::new();
    for row in Navigator::new(workspace.index(index)).symbol_rows(symbols)? {
        locations.extend(location_of(workspace, index, &row)?);
    }
    Ok(locations)
}

pub(super) fn uri_of(current: &CurrentFile) -> Option<Uri> {
    uri_of_path(&current.file.path)?.parse().ok()
}

/// The lines of a symbol now, as a range from its first column to its last line's end.
pub(super) fn lines_of(workspace: &Workspace, current: &CurrentFile, first: u32, last: u32) -> Option<Range> {
    let (first, last) = current.text.lines_now(first.saturating_sub(1), last.saturating_sub(1))?;
    let end = current.text.line(last);
    Some(Range::new(Position::new(first, 0), Position::new(last, workspace.encoding.column(end, end.len()))))
}

/// Definitions of symbols, in the order of their ids.
pub(super) fn definitions(workspace: &Workspace, named: &Named) -> Result<Vec<Definition>> {
    Ok(Navigator::new(workspace.index(named.index)).definitions(&named.symbols)?)
}

#[cfg(test)]
mod tests {
    use super::last_part;

    #[test]
    fn the_last_part_of_a_name_is_what_is_marked() {
        assert_eq!(["a", "a.b", "a::b", "A\\B", "x/y.H"].map(last_part), ["a", "b", "b", "B", "H"]);
    }
}

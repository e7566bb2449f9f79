//! Finds symbols by a query of the symbol index, by the path of their file, and by lines.

use rustc_hash::FxHashMap;
use sextant_format::ids::{ChunkId, SymbolId};
use sextant_format::kinds::Kind;
use tantivy::Term;
use tantivy::query::{Query, TermQuery};
use tantivy::schema::IndexRecordOption;

use super::definition::{Definition, read_definitions};
use crate::catalog::ChunkInfo;
use crate::paths::{chunks_of_files, is_path_suffix, without_repository};
use crate::{Index, Result};

/// The file symbols whose path ends with `path`; only those with exactly this path, alone or behind the repository's name,
/// if there are any.
pub(crate) fn file_symbols(index: &Index, path: &str) -> Result<Vec<Definition>> {
    let path = path.trim_start_matches("./");
    let mut found = file_symbols_with_suffix(index, path)?;
    if let Some(path) = without_repository(index, path).filter(|_| found.is_empty()) {
        found = file_symbols_with_suffix(index, path)?;
    }
    let is_exact = |file: &Definition| file.path == path || file.key == path;
    if found.iter().any(is_exact) {
        found.retain(is_exact);
    }
    Ok(found)
}

/// The file symbol with exactly this path, alone or behind the repository's name, if there is one. A file may be empty.
pub(crate) fn file_symbol(index: &Index, path: &str) -> Result<Option<Definition>> {
    let path = path.trim_start_matches("./");
    Ok(file_symbols(index, path)?.into_iter().find(|file| file.path == path || file.key == path))
}

fn file_symbols_with_suffix(index: &Index, path: &str) -> Result<Vec<Definition>> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let term = Term::from_field_text(index.symbols()?.fields.name, &name.to_lowercase());
    let ids = all_symbol_ids(index, &TermQuery::new(term, IndexRecordOption::Basic))?;
    let mut files = read_definitions(index, &ids)?;
    files.retain(|d| d.kind == Kind::File && is_path_suffix(&d.path, path));
    Ok(files)
}

/// The symbols that a query finds, without file symbols.
pub(super) fn symbol_ids(index: &Index, query: &dyn Query) -> Result<Vec<SymbolId>> {
    let catalog = &index.symbols()?.catalog;
    let mut ids = all_symbol_ids(index, query)?;
    ids.retain(|&id| catalog.kind(id) != Some(Kind::File));
    Ok(ids)
}

fn all_symbol_ids(index: &Index, query: &dyn Query) -> Result<Vec<SymbolId>> {
    index.symbols()?.rows(query)
}

/// The innermost symbols that have one of the lines `first` to `last`.
pub(super) fn symbols_at_lines(index: &Index, files: &[String], first: u32, last: u32) -> Result<Vec<SymbolId>> {
    let chunks = chunks_of_files(index, files)?;
    let touched: Vec<_> =
        chunks.iter().filter(|info| info.level == 1 && info.start_line <= last && first <= info.end_line).collect();
    let mut members: FxHashMap<ChunkId, Vec<(u32, u32)>> = FxHashMap::default();
    for inner in &touched {
        if let Some(outer) = inner.parent_id {
            members.entry(outer).or_default().push((inner.start_line, inner.end_line));
        }
    }
    // A type is not touched itself if one of its members contains all of the touched lines.
    let is_covered_by_member = |outer: &ChunkInfo| {
        let (first, last) = (first.max(outer.start_line), last.min(outer.end_line));
        let inner_ranges = members.get(&outer.chunk_id);
        inner_ranges.is_some_and(|members| members.iter().any(|&(start, end)| start <= first && end >= last))
    };
    let mut ids: Vec<SymbolId> =
        touched.iter().filter(|info| !is_covered_by_member(info)).filter_map(|info| info.symbol_id).collect();
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}

/// The order of kinds: types, functions, others.
pub(crate) const fn kind_order(kind: Kind) -> u8 {
    match kind {
        _ if kind.is_type() => 0,
        // A macro replaces a function as often as a value: what is used most decides.
        Kind::Macro => 2,
        _ if kind.is_callable() => 1,
        _ => 2,
    }
}

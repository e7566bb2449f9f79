//! Definitions: symbols with their files, looked up by their ids.

use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::Kind;
use sextant_format::names::symbol_key;
use sextant_format::tables::SymbolRow;

use crate::{Index, Result};

/// A definition with its location.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// The symbol.
    pub symbol_id: SymbolId,
    /// Its key, which is the same in other generations.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Its name with its owners.
    pub qualified_name: String,
    /// Its kind.
    pub kind: Kind,
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The text before the body, on one line.
    pub signature: Option<String>,
    /// Whether it is test code.
    pub is_test: bool,
}

/// The key of a symbol; that of a file is its path.
pub(crate) fn key_of(row: &SymbolRow, repo: &str, path: &str) -> String {
    match row.kind {
        Kind::File => format!("{repo}/{path}"),
        _ => symbol_key(repo, path, &row.qualified_name, row.ordinal),
    }
}

/// Returns the definitions of `ids`, which are ascending.
///
/// # Errors
/// The index is damaged.
pub(crate) fn read_definitions(index: &Index, ids: &[SymbolId]) -> Result<Vec<Definition>> {
    let rows = index.symbol_rows()?.rows(ids)?;
    let files: Vec<FileId> = rows.iter().map(|row| row.file_id).collect();
    let mut sorted = files.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let file_rows = index.file_rows()?.rows(&sorted)?;
    let definition = |(row, file): (SymbolRow, FileId)| {
        let file_row = sorted.binary_search(&file).ok().and_then(|at| file_rows.get(at));
        let (repo, path) = file_row.map_or(("", ""), |file| (file.repo.as_str(), file.path.as_str()));
        Definition {
            symbol_id: row.symbol_id,
            key: key_of(&row, repo, path),
            name: row.name,
            qualified_name: row.qualified_name,
            kind: row.kind,
            repo: repo.to_owned(),
            path: path.to_owned(),
            start_line: row.start_line,
            end_line: row.end_line,
            signature: row.signature,
            is_test: row.kind == Kind::Test || file_row.is_some_and(|file_row| file_row.is_test),
        }
    };
    Ok(rows.into_iter().zip(files).map(definition).collect())
}

//! Symbols: of the index, or of text that the index does not contain.

use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::Kind;
use sextant_format::tables::{FileRow, SymbolRow};

use crate::navigate::{Navigator, key_of};
use crate::{Index, Result};

/// A place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in bytes, from 0.
    pub column: u32,
}

/// A symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The symbol of the index; `None` if only a server knows it, because the text was edited.
    pub symbol: Option<SymbolId>,
    /// The key of that symbol.
    pub key: Option<String>,
    /// Its file in the index; `None` if only a server knows the symbol.
    pub file: Option<FileId>,
    /// Its text, if only a server knows it; else the index has it.
    pub code: Option<String>,
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
    /// The language.
    pub language: String,
    /// Where it starts: in the index, or in the checkout if the index does not have it.
    pub start: Position,
    /// Its last line and the end of it.
    pub end: Position,
    /// Where its name is.
    pub name_at: Position,
}

impl Node {
    /// Its id, which is unique within an index: `path:name:line`, after the repository if the index has several.
    #[must_use]
    pub fn id(&self, one_repo: bool) -> String {
        let Self { repo, path, name, start, .. } = self;
        if one_repo { format!("{path}:{name}:{}", start.line) } else { format!("{repo}/{path}:{name}:{}", start.line) }
    }

    /// A symbol of the index.
    #[must_use]
    pub fn of_row(row: SymbolRow, file: &FileRow) -> Self {
        Self {
            symbol: Some(row.symbol_id),
            key: Some(key_of(&row, &file.repo, &file.path)),
            file: Some(row.file_id),
            code: None,
            name: row.name,
            qualified_name: row.qualified_name,
            kind: row.kind,
            repo: file.repo.clone(),
            path: file.path.clone(),
            language: file.language.clone(),
            start: Position { line: row.start_line, column: 0 },
            end: Position { line: row.end_line, column: 0 },
            name_at: Position { line: row.name_line, column: row.name_column },
        }
    }
}

/// Returns symbols as nodes, in their order; files and what the index does not have are left out.
pub(crate) fn nodes(index: &Index, symbols: &[SymbolId]) -> Result<Vec<Node>> {
    let mut sorted = symbols.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let rows = Navigator::new(index).symbol_rows(&sorted)?;
    let mut files: Vec<_> = rows.iter().map(|row| row.file_id).collect();
    files.sort_unstable();
    files.dedup();
    let file_rows = index.file_rows()?.rows(&files)?;
    let nodes: Vec<Option<Node>> = rows
        .into_iter()
        .map(|row| {
            let file = files.binary_search(&row.file_id).ok().and_then(|at| file_rows.get(at))?;
            (row.kind != Kind::File).then(|| Node::of_row(row, file))
        })
        .collect();
    let node = |symbol: &SymbolId| sorted.binary_search(symbol).ok().and_then(|at| nodes.get(at)?.clone());
    Ok(symbols.iter().filter_map(node).collect())
}

//! A function as answers about copies describe it.

use crate::catalog::ChunkInfo;
use crate::{Index, Navigator, Result};

/// A function that has copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Its name with its owners.
    pub qualified_name: String,
    /// Whether it is test code.
    pub is_test: bool,
}

/// Describes functions, in their order.
pub(super) fn describe(index: &Index, members: &[ChunkInfo]) -> Result<Vec<Duplicate>> {
    let catalog = &index.chunks()?.catalog;
    let mut described = Vec::with_capacity(members.len());
    for info in members {
        let symbol = info.symbol_id.map(|id| Navigator::new(index).symbol_rows(&[id])).transpose()?;
        let symbol = symbol.and_then(|rows| rows.into_iter().next());
        described.push(Duplicate {
            repo: catalog.repo_and_language(info.chunk_id)?.0,
            path: catalog.path(info.chunk_id)?,
            start_line: info.start_line,
            end_line: info.end_line,
            qualified_name: symbol.map_or_else(String::new, |symbol| symbol.qualified_name),
            is_test: info.is_test,
        });
    }
    Ok(described)
}

//! The names in a file and what they lead to: its definitions and its uses, with their places.

use std::collections::BTreeMap;

use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Tier};

use super::definition::{Definition, read_definitions};
use super::navigator::Navigator;
use crate::Result;

/// The names in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileNames {
    /// What the names lead to, each once.
    pub targets: Vec<Definition>,
    /// The names, in the order of the text.
    pub names: Vec<NamedPlace>,
}

/// The kind of a use, how it was resolved, and with which confidence.
pub type UseEdge = (EdgeKind, Tier, f32);

/// A name in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedPlace {
    /// Its line, from 1.
    pub line: u32,
    /// Its column in bytes, from 0.
    pub column: u32,
    /// Its length in bytes.
    pub length: u32,
    /// Index of what it leads to, the likeliest if there are several.
    pub target: usize,
    /// The use; none where the target is defined.
    pub edge: Option<UseEdge>,
}

impl Navigator<'_> {
    /// Returns the names in the file of a file symbol, from the first line to the last.
    ///
    /// # Errors
    /// The index has no symbol with this id, or is damaged.
    pub fn names_in(&self, file: SymbolId, (first, last): (u32, u32)) -> Result<FileNames> {
        let Some(&file) = self.index.symbol_rows()?.column::<FileId>("file_id", &[file])?.first() else {
            return Ok(FileNames::default());
        };
        let length = |text: &str| u32::try_from(text.len()).unwrap_or(u32::MAX);
        // By place; a definition comes before uses, and the most probable of several candidates before others.
        let mut places: BTreeMap<(u32, u32), (u32, SymbolId, Option<UseEdge>)> = BTreeMap::new();
        for row in self.symbols_of(file)? {
            places.entry((row.name_line, row.name_column)).or_insert((length(&row.name), row.symbol_id, None));
        }
        for edge in self.uses_in(file)? {
            let Some(target) = edge.target_id else { continue };
            let found = (length(&edge.target_name), target, Some((edge.kind, edge.tier, edge.confidence)));
            let known = places.entry((edge.line, edge.column)).or_insert(found);
            if known.2.is_some_and(|(_, _, confidence)| confidence < edge.confidence) {
                *known = found;
            }
        }
        places.retain(|&(line, _), _| (first..=last).contains(&line));
        let mut ids: Vec<SymbolId> = places.values().map(|(_, target, _)| *target).collect();
        ids.sort_unstable();
        ids.dedup();
        let names = places.into_iter().filter_map(|((line, column), (length, target, edge))| {
            let target = ids.binary_search(&target).ok()?;
            Some(NamedPlace { line, column, length, target, edge })
        });
        Ok(FileNames { names: names.collect(), targets: read_definitions(self.index, &ids)? })
    }
}

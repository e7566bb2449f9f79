//! References: every use of a symbol, with its line.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Tier};
use sextant_format::tables::EdgeRow;

use super::definition::{Definition, read_definitions};
use super::navigator::Navigator;
use crate::Result;
use crate::lines::line_texts;

/// A use of a symbol.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The innermost symbol that contains the use.
    pub source: Definition,
    /// The kind of the use: a call, an import, a type ...
    pub kind: EdgeKind,
    /// The line of the use, from 1.
    pub line: u32,
    /// Its column in bytes, from 0.
    pub column: u32,
    /// The line's text, without leading and trailing white space.
    pub text: String,
    /// How the target was resolved.
    pub resolution: Tier,
    /// The confidence of the resolution, 0 to 1.
    pub confidence: f32,
}

/// The uses of one definition.
#[derive(Clone, Debug, PartialEq)]
pub struct References {
    /// The definition.
    pub definition: Definition,
    /// The number of uses, including those beyond the limit.
    pub total: usize,
    /// The uses: by file in the order of the index, within a file by line.
    pub uses: Vec<Reference>,
}

/// Restricts uses.
#[derive(Clone, Debug)]
pub struct UseFilter {
    /// Only these kinds; if empty, all kinds that are written in the source.
    pub kinds: Vec<EdgeKind>,
    /// Uses of lower confidence are left out, 0 to 1.
    pub min_confidence: f32,
    /// Uses of one definition at most; those of the highest confidence are returned.
    pub limit: usize,
}

impl Navigator<'_> {
    /// Returns the uses of each definition, in the order of the definitions.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn references(&self, definitions: &[Definition], filter: &UseFilter) -> Result<Vec<References>> {
        let rows = self.use_rows(definitions, filter)?;
        let mut by_target: BTreeMap<SymbolId, Vec<EdgeRow>> = BTreeMap::new();
        for row in rows {
            if let Some(target) = row.target_id {
                by_target.entry(target).or_default().push(row);
            }
        }
        let mut totals = FxHashMap::default();
        for (target, rows) in &mut by_target {
            totals.insert(*target, rows.len());
            rows.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then(use_site(a).cmp(&use_site(b))));
            rows.truncate(filter.limit);
            rows.sort_by_key(use_site);
        }
        let shown = || by_target.values().flatten();
        let lines = line_texts(self.index, &shown().map(|row| (row.file_id, row.line)).collect::<Vec<_>>())?;
        let mut ids: Vec<SymbolId> = shown().map(|row| row.source_id).collect();
        ids.sort_unstable();
        ids.dedup();
        let sources: BTreeMap<SymbolId, Definition> =
            ids.iter().copied().zip(read_definitions(self.index, &ids)?).collect();
        let reference = |row: &EdgeRow| {
            Some(Reference {
                source: sources.get(&row.source_id)?.clone(),
                kind: row.kind,
                line: row.line,
                column: row.column,
                text: lines.get(&(row.file_id, row.line)).map_or_else(String::new, |text| text.trim().to_owned()),
                resolution: row.tier,
                confidence: row.confidence,
            })
        };
        let references_to = |definition: &Definition| References {
            definition: definition.clone(),
            total: totals.get(&definition.symbol_id).copied().unwrap_or(0),
            uses: by_target.get(&definition.symbol_id).into_iter().flatten().filter_map(reference).collect(),
        };
        Ok(definitions.iter().map(references_to).collect())
    }

    /// Returns the rows of the edges to definitions. The graph lists the symbols that use them, so only the rows of
    /// their files are read.
    fn use_rows(&self, definitions: &[Definition], filter: &UseFilter) -> Result<Vec<EdgeRow>> {
        let graph = self.index.graph()?;
        let targets: FxHashSet<SymbolId> = definitions.iter().map(|d| d.symbol_id).collect();
        let is_wanted_kind =
            |kind: EdgeKind| if filter.kinds.is_empty() { kind.is_use() } else { filter.kinds.contains(&kind) };
        let mut sources: Vec<SymbolId> = targets
            .iter()
            .flat_map(|&target| graph.in_edges(target))
            .filter(|edge| is_wanted_kind(edge.kind) && edge.confidence >= filter.min_confidence)
            .map(|edge| edge.node)
            .collect();
        sources.sort_unstable();
        sources.dedup();
        let mut files: Vec<FileId> = self.index.symbol_rows()?.column("file_id", &sources)?;
        files.sort_unstable();
        files.dedup();
        let edges = self.index.edge_rows()?;
        let candidate_rows = edges.rows_with_values("file_id", &files)?;
        let found: Vec<Option<SymbolId>> = edges.column("target_id", &candidate_rows)?;
        let is_target = |target: &Option<SymbolId>| target.is_some_and(|target| targets.contains(&target));
        let wanted: Vec<u32> =
            candidate_rows.into_iter().zip(found).filter(|(_, target)| is_target(target)).map(|(row, _)| row).collect();
        let mut rows = edges.rows(&wanted)?;
        rows.retain(|row| is_wanted_kind(row.kind) && row.confidence >= filter.min_confidence);
        // An import may have rows for a name and for its parts; one location is one use.
        rows.sort_by_key(|row| (use_site(row), row.kind, row.target_id));
        rows.dedup_by_key(|row| (use_site(row), row.kind, row.target_id));
        Ok(rows)
    }
}

const fn use_site(row: &EdgeRow) -> (FileId, u32, u32) {
    (row.file_id, row.line, row.column)
}

//! Where a symbol is used: every place, with its line.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::kinds::{EdgeKind, Tier};
use sextant_format::tables::EdgeRow;

use super::Definition;
use crate::{Index, Result};

/// A place where a symbol is used.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// The innermost symbol that holds the use.
    pub source: Definition,
    /// What the use is: a call, an import, a type ...
    pub kind: EdgeKind,
    /// The line of the use, from 1.
    pub line: u32,
    /// Its column in bytes, from 0.
    pub column: u32,
    /// The line's text, without the blanks around it.
    pub text: String,
    /// How the target was found.
    pub resolution: Tier,
    /// How likely it is right, 0 to 1.
    pub confidence: f32,
}

/// The uses of one definition.
#[derive(Clone, Debug, PartialEq)]
pub struct References {
    /// The definition.
    pub definition: Definition,
    /// How many uses there are, also those that are not given.
    pub total: usize,
    /// The uses: by file in the order of the index, within a file by line.
    pub uses: Vec<Reference>,
}

/// Which uses are wanted.
#[derive(Clone, Debug)]
pub struct UseFilter {
    /// Only these kinds; all that stand in the text where there is none.
    pub kinds: Vec<EdgeKind>,
    /// Uses that are less sure are left out.
    pub min_confidence: f32,
    /// Uses of one definition at most; the surest are given.
    pub limit: usize,
}

impl Index {
    /// Where definitions are used, by definition, in their order.
    pub fn references(&self, definitions: &[Definition], filter: &UseFilter) -> Result<Vec<References>> {
        let rows = self.use_rows(definitions, filter)?;
        let mut by_target: BTreeMap<u32, Vec<EdgeRow>> = BTreeMap::new();
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
        let lines = self.line_texts(&shown().map(|row| (row.file_id, row.line)).collect::<Vec<_>>())?;
        let mut ids: Vec<u32> = shown().map(|row| row.source_id).collect();
        ids.sort_unstable();
        ids.dedup();
        let sources: BTreeMap<u32, Definition> = ids.iter().copied().zip(self.definitions(&ids)?).collect();
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

    /// The rows of the edges that lead to definitions. The graph says which symbols use them, so that only the rows
    /// of their files are looked through.
    fn use_rows(&self, definitions: &[Definition], filter: &UseFilter) -> Result<Vec<EdgeRow>> {
        let graph = self.graph()?;
        let targets: FxHashSet<u32> = definitions.iter().map(|d| d.symbol_id).collect();
        let is_wanted_kind =
            |kind: EdgeKind| if filter.kinds.is_empty() { kind.is_use() } else { filter.kinds.contains(&kind) };
        let mut sources: Vec<u32> = targets
            .iter()
            .flat_map(|&target| graph.in_edges(target))
            .filter(|edge| is_wanted_kind(edge.kind) && edge.confidence >= filter.min_confidence)
            .map(|edge| edge.node)
            .collect();
        sources.sort_unstable();
        sources.dedup();
        let mut files: Vec<u32> = self.symbol_rows()?.column("file_id", &sources)?;
        files.sort_unstable();
        files.dedup();
        let edges = self.edge_rows()?;
        let candidate_rows = edges.rows_with_values("file_id", &files)?;
        let found: Vec<Option<u32>> = edges.column("target_id", &candidate_rows)?;
        let is_target = |target: &Option<u32>| target.is_some_and(|target| targets.contains(&target));
        let wanted: Vec<u32> =
            candidate_rows.into_iter().zip(found).filter(|(_, target)| is_target(target)).map(|(row, _)| row).collect();
        let mut rows = edges.rows(&wanted)?;
        rows.retain(|row| is_wanted_kind(row.kind) && row.confidence >= filter.min_confidence);
        // An import may be written of a name and of its parts: one place is one use.
        rows.sort_by_key(|row| (use_site(row), row.kind, row.target_id));
        rows.dedup_by_key(|row| (use_site(row), row.kind, row.target_id));
        Ok(rows)
    }
}

const fn use_site(row: &EdgeRow) -> (u32, u32, u32) {
    (row.file_id, row.line, row.column)
}

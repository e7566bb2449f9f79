//! References: every use of a symbol, with its line.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind, Tier};
use sextant_format::tables::{EdgeRow, ExternalRow};

use super::definition::{Definition, read_definitions};
use super::navigator::Navigator;
use crate::lines::line_texts;
use crate::{PathGlobs, Result};

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
    /// The lines around it with their numbers, itself among them, if they were asked for.
    pub context: Vec<(u32, String)>,
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
    /// The types that implement it, if it is an interface; in some languages they do not name it.
    pub subtypes: Vec<Definition>,
    /// Whether there are more of these.
    pub more_subtypes: bool,
}

/// Restricts uses.
#[derive(Clone, Debug)]
pub struct UseFilter {
    /// Only these kinds; if empty, all kinds that are written in the source.
    pub kinds: Vec<EdgeKind>,
    /// Uses of lower confidence are left out, 0 to 1.
    pub min_confidence: f32,
    /// Only uses in files with these paths.
    pub paths: PathGlobs,
    /// Uses of one definition at most; those of the highest confidence are returned.
    pub limit: usize,
    /// Lines before and after each use that are returned with it, imports excepted.
    pub context: u32,
}

/// The uses of an external symbol.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalReferences {
    /// The symbol.
    pub external: ExternalRow,
    /// The number of uses, including those beyond the limit.
    pub total: usize,
    /// The uses: by file in the order of the index, within a file by line.
    pub uses: Vec<Reference>,
}

impl UseFilter {
    /// Whether uses of a kind are wanted.
    pub(super) fn accepts(&self, kind: EdgeKind) -> bool {
        if self.kinds.is_empty() { kind.is_use() } else { self.kinds.contains(&kind) }
    }
}

impl Navigator<'_> {
    /// Returns the uses of each definition, in the order of the definitions.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn references(&self, definitions: &[Definition], filter: &UseFilter) -> Result<Vec<References>> {
        let targets: Vec<SymbolId> = definitions.iter().map(|d| d.symbol_id).collect();
        let users = self.users(&targets, filter)?;
        let rows =
            self.rows_in_files(&self.files_of_listed(&users, filter.limit)?, &targets.iter().copied().collect())?;
        let mut by_target: BTreeMap<SymbolId, Vec<Use>> = BTreeMap::new();
        for found in self.uses(rows, filter)? {
            if let Some(target) = found.target_id {
                by_target.entry(target).or_default().push(found);
            }
        }
        let mut found = Vec::with_capacity(definitions.len());
        for (definition, users) in definitions.iter().zip(&users) {
            let own = by_target.get(&definition.symbol_id).cloned().unwrap_or_default();
            let uses = self.best_uses(own, filter)?.1;
            let total = users.iter().map(|user| user.uses).sum();
            let is_interface = matches!(definition.kind, Kind::Interface | Kind::Trait);
            let (subtypes, more_subtypes) = if is_interface && filter.kinds.is_empty() {
                self.subtypes(definition.symbol_id)?
            } else {
                (Vec::new(), false)
            };
            found.push(References { definition: definition.clone(), total, uses, subtypes, more_subtypes });
        }
        Ok(found)
    }

    /// Returns the uses of external symbols, in their order.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn external_references(
        &self,
        externals: &[ExternalRow],
        filter: &UseFilter,
    ) -> Result<Vec<ExternalReferences>> {
        let ids: Vec<Option<u32>> = externals.iter().map(|row| Some(row.external_id)).collect();
        let edges = self.index.edge_rows()?;
        let rows = edges.find::<Option<u32>>("external_id", |id| ids.contains(id))?;
        let external_ids: Vec<Option<u32>> = edges.column("external_id", &rows)?;
        let external_of: BTreeMap<u32, Option<u32>> = rows.iter().copied().zip(external_ids).collect();
        let uses = self.uses(rows, filter)?;
        let mut found = Vec::with_capacity(externals.len());
        for external in externals {
            let is_own = |of: &&Use| external_of.get(&of.row) == Some(&Some(external.external_id));
            let own = uses.iter().filter(is_own).copied().collect();
            let (total, uses) = self.best_uses(own, filter)?;
            found.push(ExternalReferences { external: external.clone(), total, uses });
        }
        Ok(found)
    }

    /// The places of the uses of a symbol: file, line from 1, column in bytes.
    pub(crate) fn use_sites(&self, target: SymbolId, filter: &UseFilter) -> Result<FxHashSet<(FileId, u32, u32)>> {
        Ok(self.use_rows(&[target], filter)?.iter().map(use_site).collect())
    }

    /// The number of uses, and those of the highest confidence with their lines, in the order of the index.
    fn best_uses(&self, mut uses: Vec<Use>, filter: &UseFilter) -> Result<(usize, Vec<Reference>)> {
        // An import may have rows for a name and for its parts; one location is one use.
        uses.sort_by_key(|of| (of.site, of.kind));
        uses.dedup_by_key(|of| (of.site, of.kind));
        self.keep_paths(&mut uses, &filter.paths)?;
        let total = uses.len();
        uses.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then(a.site.cmp(&b.site)));
        uses.truncate(filter.limit);
        let chosen: Vec<u32> = uses.iter().map(|of| of.row).collect();
        let mut rows = self.index.edge_rows()?.rows(&chosen)?;
        rows.sort_by_key(use_site);
        let around = |line: u32| line.saturating_sub(filter.context).max(1)..=line.saturating_add(filter.context);
        // What stands around an import says nothing about the use.
        let has_context = |row: &EdgeRow| filter.context > 0 && row.kind != EdgeKind::Import;
        let lines_of = |row: &EdgeRow| if has_context(row) { around(row.line) } else { row.line..=row.line };
        let wanted: Vec<(FileId, u32)> =
            rows.iter().flat_map(|row| lines_of(row).map(|line| (row.file_id, line))).collect();
        let lines = line_texts(self.index, &wanted)?;
        let mut ids: Vec<SymbolId> = rows.iter().map(|row| row.source_id).collect();
        ids.sort_unstable();
        ids.dedup();
        let sources: BTreeMap<SymbolId, Definition> =
            ids.iter().copied().zip(read_definitions(self.index, &ids)?).collect();
        let reference = |row: &EdgeRow| {
            let text_of = |line: u32| Some((line, lines.get(&(row.file_id, line))?.clone()));
            let context = if has_context(row) { around(row.line).filter_map(text_of).collect() } else { Vec::new() };
            Some(Reference {
                source: sources.get(&row.source_id)?.clone(),
                kind: row.kind,
                line: row.line,
                column: row.column,
                text: lines.get(&(row.file_id, row.line)).map_or_else(String::new, |text| text.trim().to_owned()),
                context,
                resolution: row.tier,
                confidence: row.confidence,
            })
        };
        Ok((total, rows.iter().filter_map(reference).collect()))
    }

    /// Keeps the rows in files with certain paths.
    fn keep_paths(&self, uses: &mut Vec<Use>, paths: &PathGlobs) -> Result<()> {
        if paths.is_empty() {
            return Ok(());
        }
        let allowed = self.allowed_files(uses.iter().map(|of| of.site.0).collect(), paths)?;
        uses.retain(|of| allowed.contains(&of.site.0));
        Ok(())
    }

    /// The files among some that have certain paths.
    pub(super) fn allowed_files(&self, mut files: Vec<FileId>, paths: &PathGlobs) -> Result<FxHashSet<FileId>> {
        files.sort_unstable();
        files.dedup();
        let rows = self.index.file_rows()?;
        let names: Vec<String> = rows.column("path", &files)?;
        let repos: Vec<String> = rows.column("repo", &files)?;
        let places = files.iter().zip(repos.iter().zip(&names));
        Ok(places.filter(|(_, (repo, path))| paths.allows(repo, path)).map(|(file, _)| *file).collect())
    }

    /// Returns the rows of the edges to symbols.
    pub(super) fn use_rows(&self, targets: &[SymbolId], filter: &UseFilter) -> Result<Vec<EdgeRow>> {
        let mut rows = self.index.edge_rows()?.rows(&self.rows_of_uses(targets, filter)?)?;
        rows.retain(|row| filter.accepts(row.kind) && row.confidence >= filter.min_confidence);
        Ok(rows)
    }

    /// Returns what uses are compared by, of those that the filter accepts; of thousands of uses few are listed.
    fn uses(&self, rows: Vec<u32>, filter: &UseFilter) -> Result<Vec<Use>> {
        let edges = self.index.edge_rows()?;
        let kinds: Vec<EdgeKind> = edges.column("kind", &rows)?;
        let confidences: Vec<f32> = edges.column("confidence", &rows)?;
        let files: Vec<FileId> = edges.column("file_id", &rows)?;
        let lines: Vec<u32> = edges.column("line", &rows)?;
        let columns: Vec<u32> = edges.column("column", &rows)?;
        let targets: Vec<Option<SymbolId>> = edges.column("target_id", &rows)?;
        let mut uses = Vec::with_capacity(rows.len());
        let sites = files.into_iter().zip(lines).zip(columns).map(|((file, line), column)| (file, line, column));
        for ((((row, kind), confidence), site), target_id) in
            rows.into_iter().zip(kinds).zip(confidences).zip(sites).zip(targets)
        {
            if filter.accepts(kind) && confidence >= filter.min_confidence {
                uses.push(Use { row, site, kind, confidence, target_id });
            }
        }
        Ok(uses)
    }

    /// Returns the numbers of the edges to symbols, ascending. The graph lists the symbols that use them, so only the rows of
    /// their files are read.
    fn rows_of_uses(&self, targets: &[SymbolId], filter: &UseFilter) -> Result<Vec<u32>> {
        let graph = self.index.graph()?;
        let targets: FxHashSet<SymbolId> = targets.iter().copied().collect();
        let mut sources: Vec<SymbolId> = targets
            .iter()
            .flat_map(|&target| graph.in_edges(target))
            .filter(|edge| filter.accepts(edge.kind) && edge.confidence >= filter.min_confidence)
            .map(|edge| edge.node)
            .collect();
        sources.sort_unstable();
        sources.dedup();
        self.rows_in_files(&self.files_of(&sources)?, &targets)
    }
}

/// What a use is compared by.
#[derive(Clone, Copy, Debug)]
struct Use {
    /// The number of the edge.
    row: u32,
    /// File, line and column.
    site: (FileId, u32, u32),
    kind: EdgeKind,
    confidence: f32,
    target_id: Option<SymbolId>,
}

const fn use_site(row: &EdgeRow) -> (FileId, u32, u32) {
    (row.file_id, row.line, row.column)
}

//! The users of symbols: which symbols use one, how often, and how sure that is. The graph knows this, so of thousands
//! of uses only those that are listed are read from the table of edges. Must not know how uses are listed.

use rustc_hash::FxHashSet;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::EdgeKind;

use super::navigator::Navigator;
use super::references::UseFilter;
use crate::Result;

/// Uses of a symbol in another one that are equally sure.
#[derive(Clone, Copy, Debug)]
pub(super) struct User {
    /// The symbol that contains the uses.
    pub source: SymbolId,
    pub confidence: f32,
    /// How many they are.
    pub uses: usize,
}

impl Navigator<'_> {
    /// The users of each of some symbols, as far as the filter accepts their uses.
    pub(super) fn users(&self, targets: &[SymbolId], filter: &UseFilter) -> Result<Vec<Vec<User>>> {
        let graph = self.index.graph()?;
        let mut uncounted: FxHashSet<(SymbolId, SymbolId, EdgeKind)> = FxHashSet::default();
        let mut users: Vec<Vec<User>> = Vec::with_capacity(targets.len());
        for &target in targets {
            let mut own = Vec::new();
            for (edge, uses) in graph.counted_in_edges(target).filter(|(edge, _)| filter.accepts(edge.kind)) {
                match uses {
                    Some(uses) if edge.confidence >= filter.min_confidence => {
                        let uses = usize::from(uses.get());
                        own.push(User { source: edge.node, confidence: edge.confidence, uses });
                    }
                    Some(_) => {}
                    None => _ = uncounted.insert((edge.node, target, edge.kind)),
                }
            }
            users.push(own);
        }
        if !uncounted.is_empty() {
            let mut sources: Vec<SymbolId> = uncounted.iter().map(|(source, ..)| *source).collect();
            sources.sort_unstable();
            sources.dedup();
            let rows = self.rows_in_files(&self.files_of(&sources)?, &targets.iter().copied().collect())?;
            for row in self.index.edge_rows()?.rows(&rows)? {
                let Some(target) = row.target_id else { continue };
                if row.confidence >= filter.min_confidence && uncounted.contains(&(row.source_id, target, row.kind)) {
                    let one = User { source: row.source_id, confidence: row.confidence, uses: 1 };
                    let of_target = targets.iter().zip(&mut users).filter(|(of, _)| **of == target);
                    of_target.for_each(|(_, users)| users.push(one));
                }
            }
        }
        if !filter.paths.is_empty() {
            for users in &mut users {
                self.keep_paths_of_users(users, filter)?;
            }
        }
        Ok(users)
    }

    /// The files of the surest uses, in the order of the index, that are as many as are listed.
    pub(super) fn files_of_listed(&self, users: &[Vec<User>], limit: usize) -> Result<Vec<FileId>> {
        let mut sources: Vec<SymbolId> = Vec::new();
        for users in users {
            let mut order: Vec<&User> = users.iter().collect();
            order.sort_by(|a, b| b.confidence.total_cmp(&a.confidence).then(a.source.cmp(&b.source)));
            let mut listed = 0;
            for user in order {
                if listed >= limit {
                    break;
                }
                listed += user.uses;
                sources.push(user.source);
            }
        }
        sources.sort_unstable();
        sources.dedup();
        self.files_of(&sources)
    }

    /// The numbers of the edges to some symbols in some files, ascending.
    pub(super) fn rows_in_files(&self, files: &[FileId], targets: &FxHashSet<SymbolId>) -> Result<Vec<u32>> {
        let edges = self.index.edge_rows()?;
        let rows = edges.rows_of_files(files)?;
        let found: Vec<Option<SymbolId>> = edges.column("target_id", &rows)?;
        let is_target = |target: &Option<SymbolId>| target.is_some_and(|target| targets.contains(&target));
        Ok(rows.into_iter().zip(found).filter(|(_, target)| is_target(target)).map(|(row, _)| row).collect())
    }

    /// The files of symbols, which are ascending; ascending.
    pub(super) fn files_of(&self, symbols: &[SymbolId]) -> Result<Vec<FileId>> {
        let mut files: Vec<FileId> = self.index.symbol_rows()?.column("file_id", symbols)?;
        files.sort_unstable();
        files.dedup();
        Ok(files)
    }

    /// Keeps the users in files with certain paths.
    fn keep_paths_of_users(&self, users: &mut Vec<User>, filter: &UseFilter) -> Result<()> {
        users.sort_by_key(|user| user.source);
        let mut sources: Vec<SymbolId> = users.iter().map(|user| user.source).collect();
        sources.dedup();
        let of: Vec<FileId> = self.index.symbol_rows()?.column("file_id", &sources)?;
        let allowed = self.allowed_files(of.clone(), &filter.paths)?;
        let is_allowed = sources.iter().zip(&of).filter(|(_, file)| allowed.contains(file));
        let allowed: FxHashSet<SymbolId> = is_allowed.map(|(source, _)| *source).collect();
        users.retain(|user| allowed.contains(&user.source));
        Ok(())
    }
}

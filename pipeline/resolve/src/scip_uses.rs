//! What compilers say, among our own symbols and references.

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::kinds::{EdgeKind, Tier};

use super::table::RawReference;
use super::{MAX_CANDIDATES, Resolution, confidence};
use crate::scip::Occurrence;
use sextant_syntax::model::Symbol;

/// A use that a compiler knows.
#[derive(Clone, Copy)]
pub(super) struct ScipUse {
    pub(super) file: u32,
    pub(super) line: u32,
    pub(super) column: u32,
    /// The innermost symbol enclosing it.
    pub(super) source: u32,
    /// The compiler's symbol.
    symbol: u32,
}

/// Uses in the order of files and places, and the definitions of what they use.
#[derive(Default)]
pub(super) struct ScipUses {
    uses: Vec<ScipUse>,
    definitions: FxHashMap<u32, Vec<u32>>,
}

impl ScipUses {
    pub(super) fn add(&mut self, file: u32, first_symbol: u32, symbols: &[Symbol], occurrences: &[Occurrence]) {
        let by_position: FxHashMap<(u32, u32), usize> = symbols
            .iter()
            .enumerate()
            .skip(1)
            .map(|(id, symbol)| ((symbol.name_line, symbol.name_column), id))
            .collect();
        let id = |n: usize| first_symbol + u32::try_from(n).unwrap_or(u32::MAX);
        for occurrence in occurrences {
            if occurrence.is_definition {
                if let Some(&symbol) = by_position.get(&(occurrence.line, occurrence.column)) {
                    self.definitions.entry(occurrence.symbol).or_default().push(id(symbol));
                }
            } else {
                let enclosing =
                    symbols.iter().rposition(|s| s.start_line <= occurrence.line && occurrence.line <= s.end_line);
                let (line, column, symbol) = (occurrence.line, occurrence.column, occurrence.symbol);
                self.uses.push(ScipUse { file, line, column, source: id(enclosing.unwrap_or(0)), symbol });
            }
        }
    }

    pub(super) fn sort(&mut self) {
        self.uses.sort_by_key(|scip_use| (scip_use.file, scip_use.line, scip_use.column));
    }

    /// What is used at a place; nothing where no compiler speaks of it.
    pub(super) fn resolution_at(&self, file: u32, line: u32, column: u32, kind: EdgeKind) -> Option<Resolution> {
        let found = self
            .uses
            .binary_search_by_key(&(file, line, column), |scip_use| (scip_use.file, scip_use.line, scip_use.column));
        match self.definitions.get(&self.uses[found.ok()?].symbol) {
            Some(targets) => Some(Resolution {
                tier: Tier::Scip,
                confidence: confidence::SCIP,
                targets: targets.iter().copied().take(MAX_CANDIDATES).collect(),
            }),
            // A module's own symbol stands nowhere in its text.
            None if kind == EdgeKind::Import => None,
            None => Some(Resolution::unresolved()),
        }
    }

    /// The uses of our definitions in a file that are none of these references.
    pub(super) fn unmatched(&self, file: u32, references: &[RawReference]) -> Vec<(ScipUse, u32)> {
        let start = self.uses.partition_point(|scip_use| scip_use.file < file);
        let end = self.uses.partition_point(|scip_use| scip_use.file <= file);
        if start == end {
            return Vec::new();
        }
        let known: FxHashSet<(u32, u32)> = references.iter().map(|r| (r.line, r.column)).collect();
        self.uses[start..end]
            .iter()
            .filter(|scip_use| !known.contains(&(scip_use.line, scip_use.column)))
            .filter_map(|scip_use| Some((*scip_use, *self.definitions.get(&scip_use.symbol)?.first()?)))
            .collect()
    }
}

//! SCIP occurrences matched with our own symbols and references.

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Tier};
use sextant_syntax::model::Symbol;

use crate::confidence;
use crate::raw_reference::RawReference;
use crate::resolution::{MAX_CANDIDATES, Resolution};
use crate::scip::Occurrence;

/// A use of a symbol in a SCIP index.
#[derive(Clone, Copy)]
pub(crate) struct ScipUse {
    pub(crate) file: FileId,
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// The innermost of our symbols around it.
    pub(crate) source: SymbolId,
    /// The number of the SCIP symbol.
    symbol: u32,
}

/// All uses, ordered by file and position after [`Self::sort`], and the definitions of the SCIP symbols.
#[derive(Default)]
pub(crate) struct ScipUses {
    uses: Vec<ScipUse>,
    definitions: FxHashMap<u32, Vec<SymbolId>>,
}

impl ScipUses {
    pub(crate) fn is_empty(&self) -> bool {
        self.uses.is_empty()
    }

    pub(crate) fn add(&mut self, file: FileId, first_symbol: SymbolId, symbols: &[Symbol], occurrences: &[Occurrence]) {
        let by_position: FxHashMap<(u32, u32), usize> = symbols
            .iter()
            .enumerate()
            .skip(1)
            .map(|(id, symbol)| ((symbol.name_line, symbol.name_column), id))
            .collect();
        let id = |n: usize| first_symbol.plus(u32::try_from(n).unwrap_or(u32::MAX));
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

    pub(crate) fn sort(&mut self) {
        self.uses.sort_by_key(|scip_use| (scip_use.file, scip_use.line, scip_use.column));
    }

    /// The resolution of the use at a position; `None` where no SCIP index has one.
    pub(crate) fn resolution_at(&self, file: FileId, line: u32, column: u32, kind: EdgeKind) -> Option<Resolution> {
        let found = self
            .uses
            .binary_search_by_key(&(file, line, column), |scip_use| (scip_use.file, scip_use.line, scip_use.column));
        match self.definitions.get(&self.uses[found.ok()?].symbol) {
            Some(targets) => Some(Resolution {
                tier: Tier::Scip,
                confidence: confidence::SCIP,
                targets: targets.iter().copied().take(MAX_CANDIDATES).collect(),
            }),
            // A module's symbol has no position in the module's text, so our own rules find it.
            None if kind == EdgeKind::Import => None,
            None => Some(Resolution::unresolved()),
        }
    }

    /// The uses in a file, with their definitions, whose positions none of these references has.
    pub(crate) fn unmatched(&self, file: FileId, references: &[RawReference]) -> Vec<(ScipUse, SymbolId)> {
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

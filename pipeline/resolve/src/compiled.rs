//! What compilers say, among our own symbols and references.

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::kinds::{EdgeKind, Tier};

use super::table::RawReference;
use super::{Found, MAX_CANDIDATES, confidence};
use crate::scip::Occurrence;
use sextant_syntax::model::Symbol;

/// A use that a compiler knows.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) file: u32,
    pub(super) line: u32,
    pub(super) column: u32,
    /// The innermost symbol around it.
    pub(super) source: u32,
    /// The compiler's symbol.
    symbol: u32,
}

/// Uses in the order of files and places, and the definitions of what they use.
#[derive(Default)]
pub(super) struct Compiled {
    uses: Vec<Place>,
    definitions: FxHashMap<u32, Vec<u32>>,
}

impl Compiled {
    pub(super) fn add(&mut self, file: u32, first_symbol: u32, symbols: &[Symbol], places: &[Occurrence]) {
        let at: FxHashMap<(u32, u32), usize> = symbols
            .iter()
            .enumerate()
            .skip(1)
            .map(|(id, symbol)| ((symbol.name_line, symbol.name_column), id))
            .collect();
        let id = |n: usize| first_symbol + u32::try_from(n).unwrap_or(u32::MAX);
        for place in places {
            if place.is_definition {
                if let Some(&symbol) = at.get(&(place.line, place.column)) {
                    self.definitions.entry(place.symbol).or_default().push(id(symbol));
                }
            } else {
                let around = symbols.iter().rposition(|s| s.start_line <= place.line && place.line <= s.end_line);
                let (line, column, symbol) = (place.line, place.column, place.symbol);
                self.uses.push(Place { file, line, column, source: id(around.unwrap_or(0)), symbol });
            }
        }
    }

    pub(super) fn sort(&mut self) {
        self.uses.sort_by_key(|place| (place.file, place.line, place.column));
    }

    /// What is used at a place; nothing where no compiler speaks of it.
    pub(super) fn at(&self, file: u32, line: u32, column: u32, kind: EdgeKind) -> Option<Found> {
        let place =
            self.uses.binary_search_by_key(&(file, line, column), |place| (place.file, place.line, place.column));
        match self.definitions.get(&self.uses[place.ok()?].symbol) {
            Some(targets) => Some(Found {
                tier: Tier::Scip,
                confidence: confidence::SCIP,
                targets: targets.iter().copied().take(MAX_CANDIDATES).collect(),
            }),
            // A module's own symbol stands nowhere in its text.
            None if kind == EdgeKind::Import => None,
            None => Some(Found::nothing()),
        }
    }

    /// The uses of our definitions in a file that are none of these references.
    pub(super) fn others(&self, file: u32, references: &[RawReference]) -> Vec<(Place, u32)> {
        let start = self.uses.partition_point(|place| place.file < file);
        let end = self.uses.partition_point(|place| place.file <= file);
        if start == end {
            return Vec::new();
        }
        let known: FxHashSet<(u32, u32)> = references.iter().map(|r| (r.line, r.column)).collect();
        self.uses[start..end]
            .iter()
            .filter(|place| !known.contains(&(place.line, place.column)))
            .filter_map(|place| Some((*place, *self.definitions.get(&place.symbol)?.first()?)))
            .collect()
    }
}

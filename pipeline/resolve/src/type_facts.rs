//! What files say of types, to be looked up by symbol and name.

use super::interner::NO_NAME;
use sextant_syntax::model::TypeFact;

/// One saying.
#[derive(Clone, Copy)]
pub(super) struct InternedTypeFact {
    /// The symbol that it is said of, or the one inside of which the name is.
    pub(super) symbol: u32,
    /// The name; [`NO_NAME`] where it is said of the symbol.
    pub(super) name: u32,
    /// The symbol whose names hold.
    pub(super) scope: u32,
    /// The text, as a number.
    pub(super) text: u32,
    /// Whether it is a written type.
    pub(super) is_declared: bool,
}

/// All of them, in the order of symbols and names once they are sorted.
#[derive(Default)]
pub(super) struct TypeFactTable {
    list: Vec<InternedTypeFact>,
    /// For each symbol where its hints begin, and one past the last of all.
    starts: Vec<u32>,
}

impl TypeFactTable {
    pub(super) fn add(&mut self, first_symbol: u32, hint: &TypeFact, mut intern: impl FnMut(&str) -> u32) {
        self.list.push(InternedTypeFact {
            symbol: first_symbol + hint.symbol,
            name: hint.name.as_deref().map_or(NO_NAME, &mut intern),
            scope: first_symbol + hint.scope,
            text: intern(&hint.text),
            is_declared: hint.is_declared,
        });
    }

    /// Everything is there, of so many symbols.
    pub(super) fn sort(&mut self, symbols: usize) {
        // Stable: what is said first stays first.
        self.list.sort_by_key(|fact| (fact.symbol, fact.name));
        let mut at = 0;
        self.starts = (0..=symbols)
            .map(|symbol| {
                at += self.list[at..].iter().take_while(|fact| (fact.symbol as usize) < symbol).count();
                u32::try_from(at).unwrap_or(u32::MAX)
            })
            .collect();
    }

    /// Every saying.
    pub(super) fn all(&self) -> &[InternedTypeFact] {
        &self.list
    }

    /// What is said of a name inside of a symbol, or of the symbol itself; written types alone where there
    /// are some. The number is that of the first, for a memory of what they come to.
    pub(super) fn facts_for(&self, symbol: u32, name: u32) -> (usize, &[InternedTypeFact]) {
        let start_of = |symbol: usize| self.starts.get(symbol).map_or(self.list.len(), |&start| start as usize);
        let (from, to) = (start_of(symbol as usize), start_of(symbol as usize + 1));
        let facts = &self.list[from..to];
        let start = facts.partition_point(|fact| fact.name < name);
        let count = facts[start..].iter().take_while(|fact| fact.name == name).count();
        (from + start, &facts[start..start + count])
    }
}

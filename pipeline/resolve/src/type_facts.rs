//! Declared and inferred types, looked up by symbol and name.

use sextant_format::ids::SymbolId;
use sextant_syntax::model::TypeFact;

use crate::interner::NameId;

/// A type fact with interned texts.
#[derive(Clone, Copy)]
pub(crate) struct InternedTypeFact {
    /// The symbol that the fact is about, or the one that contains the name.
    pub(crate) symbol: SymbolId,
    /// The name inside `symbol`; `None` if the fact is about the symbol itself.
    pub(crate) name: Option<NameId>,
    /// The scope in which the text is read.
    pub(crate) scope: SymbolId,
    /// The interned text: a type or an access path.
    pub(crate) text: NameId,
    /// Whether the text is a declared type, as opposed to the access path of a value.
    pub(crate) is_declared: bool,
}

/// All type facts, ordered by symbol and name after [`Self::sort`].
#[derive(Default)]
pub(crate) struct TypeFactTable {
    list: Vec<InternedTypeFact>,
    /// The index of each symbol's first fact, then the number of facts.
    starts: Vec<u32>,
}

impl TypeFactTable {
    pub(crate) fn add(&mut self, first_symbol: SymbolId, fact: &TypeFact, mut intern: impl FnMut(&str) -> NameId) {
        self.list.push(InternedTypeFact {
            symbol: first_symbol.plus(fact.symbol),
            name: fact.name.as_deref().map(&mut intern),
            scope: first_symbol.plus(fact.scope),
            text: intern(&fact.text),
            is_declared: fact.is_declared,
        });
    }

    /// Adds facts of the next file.
    pub(crate) fn extend(&mut self, facts: Vec<InternedTypeFact>) {
        self.list.extend(facts);
    }

    /// Makes room where there is memory.
    pub(crate) fn reserve(&mut self, facts: usize) {
        drop(self.list.try_reserve(facts));
    }

    /// Sorts the facts, after the last was added. `symbols` is the number of symbols.
    pub(crate) fn sort(&mut self, symbols: usize) {
        // A stable sort: facts of one name keep the order of the text.
        self.list.sort_by_key(|fact| (fact.symbol, fact.name));
        let mut at = 0;
        self.starts = (0..=symbols)
            .map(|symbol| {
                at += self.list[at..].iter().take_while(|fact| fact.symbol.index() < symbol).count();
                u32::try_from(at).unwrap_or(u32::MAX)
            })
            .collect();
    }

    /// All facts.
    pub(crate) fn all(&self) -> &[InternedTypeFact] {
        &self.list
    }

    /// The facts about some symbols, after [`Self::sort`].
    pub(crate) fn of_symbols(&self, first: SymbolId, end: SymbolId) -> &[InternedTypeFact] {
        let start_of =
            |symbol: SymbolId| self.starts.get(symbol.index()).map_or(self.list.len(), |&start| start as usize);
        &self.list[start_of(first)..start_of(end)]
    }

    /// The facts about a name inside a symbol, or about the symbol itself, and the index of the first, which identifies
    /// non-empty results in a cache.
    pub(crate) fn facts_for(&self, symbol: SymbolId, name: Option<NameId>) -> (usize, &[InternedTypeFact]) {
        let start_of = |symbol: usize| self.starts.get(symbol).map_or(self.list.len(), |&start| start as usize);
        let (from, to) = (start_of(symbol.index()), start_of(symbol.index() + 1));
        let facts = &self.list[from..to];
        let start = facts.partition_point(|fact| fact.name < name);
        let count = facts[start..].iter().take_while(|fact| fact.name == name).count();
        (from + start, &facts[start..start + count])
    }
}

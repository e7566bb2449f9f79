//! What files say of types, to be looked up by symbol and name.

use super::names::NO_NAME;
use crate::model::TypeHint;

/// One saying.
#[derive(Clone, Copy)]
pub(super) struct Hint {
    /// The symbol that it is said of, or the one inside of which the name is.
    pub(super) symbol: u32,
    /// The name; [`NO_NAME`] where it is said of the symbol.
    pub(super) name: u32,
    /// The symbol whose names hold.
    pub(super) scope: u32,
    /// The text, as a number.
    pub(super) text: u32,
    /// Whether it is a written type.
    pub(super) is_written: bool,
}

/// All of them, in the order of symbols and names once they are [`Hints::sorted`].
#[derive(Default)]
pub(super) struct Hints {
    list: Vec<Hint>,
}

impl Hints {
    pub(super) fn add(&mut self, first_symbol: u32, hint: &TypeHint, mut intern: impl FnMut(&str) -> u32) {
        self.list.push(Hint {
            symbol: first_symbol + hint.symbol,
            name: hint.name.as_deref().map_or(NO_NAME, &mut intern),
            scope: first_symbol + hint.scope,
            text: intern(&hint.text),
            is_written: hint.is_written,
        });
    }

    pub(super) fn sort(&mut self) {
        // Stable: what is said first stays first.
        self.list.sort_by_key(|hint| (hint.symbol, hint.name));
    }

    /// Every saying.
    pub(super) fn all(&self) -> &[Hint] {
        &self.list
    }

    /// What is said of a name inside of a symbol, or of the symbol itself; written types alone where there
    /// are some. The number is that of the first, for a memory of what they come to.
    pub(super) fn of(&self, symbol: u32, name: u32) -> (usize, &[Hint]) {
        let key = (symbol, name);
        let start = self.list.partition_point(|hint| (hint.symbol, hint.name) < key);
        let count = self.list[start..].iter().take_while(|hint| (hint.symbol, hint.name) == key).count();
        (start, &self.list[start..start + count])
    }
}

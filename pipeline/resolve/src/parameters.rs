//! The parameters of all functions, and the type parameters of all types.

use sextant_format::ids::SymbolId;
use sextant_syntax::extract::Parameter;

use crate::interner::NameId;

/// A parameter with interned texts.
#[derive(Clone, Copy)]
pub(crate) struct InternedParameter {
    /// The words by one of which a call may name it.
    pub(crate) label: NameId,
    /// Its type as written; of a type parameter, its bound.
    pub(crate) written: NameId,
    /// Whether it takes all further arguments.
    pub(crate) is_rest: bool,
    /// Whether a call may leave it out.
    pub(crate) is_optional: bool,
    /// Whether a call may write its argument as the receiver.
    pub(crate) is_receiver: bool,
}

/// The parameters of all symbols, as compressed sparse rows.
#[derive(Default)]
pub(crate) struct ParameterTable {
    /// Where the row of each symbol ends.
    ends: Vec<u32>,
    list: Vec<InternedParameter>,
}

impl ParameterTable {
    /// Adds the row of the next symbol.
    pub(crate) fn add(&mut self, parameters: &[Parameter<'_>], mut intern: impl FnMut(&str) -> NameId) {
        self.list.extend(parameters.iter().map(|parameter| InternedParameter {
            label: intern(parameter.label),
            written: intern(parameter.written),
            is_rest: parameter.is_rest,
            is_optional: parameter.is_optional,
            is_receiver: parameter.is_receiver,
        }));
        self.ends.push(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
    }

    /// Adds the rows of the next symbols, which have so many parameters each.
    pub(crate) fn extend(&mut self, counts: impl Iterator<Item = u32>, parameters: Vec<InternedParameter>) {
        let mut end = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.ends.extend(counts.map(|count| {
            end = end.saturating_add(count);
            end
        }));
        self.list.extend(parameters);
    }

    /// Makes room where there is memory.
    pub(crate) fn reserve(&mut self, symbols: usize, parameters: usize) {
        drop(self.ends.try_reserve(symbols));
        drop(self.list.try_reserve(parameters));
    }

    /// The number of all parameters.
    pub(crate) const fn len(&self) -> usize {
        self.list.len()
    }

    /// The parameters of a symbol; none where they are not known.
    pub(crate) fn of(&self, symbol: SymbolId) -> &[InternedParameter] {
        let end_of = |at: usize| self.ends.get(at).map_or(0, |&end| end as usize);
        let start = symbol.index().checked_sub(1).map_or(0, end_of);
        self.list.get(start..end_of(symbol.index())).unwrap_or(&[])
    }
}

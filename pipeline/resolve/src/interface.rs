//! What other files can see of a file, as one fingerprint for each key under which they ask: its interface.
//!
//! A fingerprint contains everything that resolution inspects of the symbols, facts and bases behind a key, in their
//! order: name, kind, owner, what contains them, whether they have a body, are exported, and how many arguments of
//! which types they accept. Lines and columns are not part of it. Keys are those of [`Reads`](crate::reads::Reads).

use rustc_hash::FxHashMap;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::EdgeKind;

use crate::fingerprint::{mix, of, of_text};
use crate::interner::NameId;
use crate::qualifier::type_name;
use crate::reads::Key;
use crate::symbol_lookup::implementor_name;
use crate::table::SymbolTable;

/// The fingerprint behind each key, in the order of keys.
pub(crate) type Interface = Vec<(u32, u32)>;

impl SymbolTable {
    /// The interface of a file.
    pub(crate) fn interface_of(&self, file: FileId) -> Interface {
        let info = &self.files[file.index()];
        let (first, end) = (info.first_symbol, self.end_of(file));
        let names = &self.names;
        let places = self.places(first, end);
        let place = |id: SymbolId| {
            let at = id.rows_after(first).and_then(|at| places.get(at as usize));
            at.copied().unwrap_or_else(|| u64::from(id.get()))
        };
        let mut behind: FxHashMap<Key, u64> = FxHashMap::default();
        let mut add = |key: Key, value: u64| {
            let state = behind.entry(key).or_insert(info.state.attributes);
            *state = mix(*state, value);
        };
        for id in SymbolId::range(first..end) {
            let symbol = &self.symbols[id.index()];
            let flags = u64::from(symbol.has_body) << 1 | u64::from(symbol.is_exported);
            let arity = u64::from(symbol.arity.0) << 8 | u64::from(symbol.arity.1);
            let values = of([place(id), flags, arity, self.parameters_state(id)]);
            add(Key::name(names.fingerprint(symbol.name)), values);
            // Which functions an interface leaves to others decides whether a function without a name implements it.
            if let Some(container) = symbol.container.map(|container| &self.symbols[container.index()])
                && container.kind.is_type()
                && !symbol.has_body
                && symbol.kind.is_callable()
            {
                add(Key::name(names.fingerprint(container.name)), values);
            }
        }
        for reference in &info.references {
            if reference.kind == EdgeKind::Serve {
                let name = names.fingerprint(reference.name);
                let handler = (names.fingerprint_or_none(reference.owner), names.fingerprint_or_none(reference.alias));
                add(Key::endpoints(), of([place(reference.source), name, handler.0, handler.1]));
            }
            if !matches!(reference.kind, EdgeKind::Inherit | EdgeKind::Implement) {
                continue;
            }
            let of_type = if reference.is_out_of_line_impl(&self.symbols) {
                of_text(implementor_name(names, reference))
            } else {
                names.fingerprint(self.symbols[reference.source.index()].name)
            };
            let (owner, name) = (names.fingerprint_or_none(reference.owner), names.fingerprint(reference.name));
            add(Key::name(of_type), of([place(reference.source), owner, name]));
        }
        for fact in self.type_facts.of_symbols(first, end) {
            let symbol = &self.symbols[fact.symbol.index()];
            let value = of([
                place(fact.symbol),
                names.fingerprint_or_none(fact.name),
                place(fact.scope),
                names.fingerprint(fact.text),
                fact.is_declared.into(),
            ]);
            let about = names.fingerprint(fact.name.unwrap_or(symbol.name));
            add(Key::fact(info.state.key, about), value);
            if fact.is_declared && fact.name.is_none() && symbol.kind.is_type() {
                add(Key::extensions(of_text(type_name(names.text(fact.text)))), value);
            }
        }
        let mut interface: Interface = behind.into_iter().map(|(key, state)| (key.0, (state >> 32) as u32)).collect();
        interface.sort_unstable();
        interface
    }

    /// The symbol after the last one of a file.
    pub(crate) fn end_of(&self, file: FileId) -> SymbolId {
        self.files.get(file.index() + 1).map_or(SymbolId::at(self.symbols.len()), |next| next.first_symbol)
    }

    /// For each symbol of a file, the fingerprint of its place among the others: name, kind, owner, number among those
    /// of its name, and the same of all symbols around it.
    fn places(&self, first: SymbolId, end: SymbolId) -> Vec<u64> {
        let symbols = &self.symbols[first.index()..end.index()];
        let mut namesakes: FxHashMap<NameId, u64> = FxHashMap::default();
        let own: Vec<u64> = symbols
            .iter()
            .map(|symbol| {
                let number = namesakes.entry(symbol.name).or_default();
                *number += 1;
                let (name, owner) = (self.names.fingerprint(symbol.name), self.names.fingerprint_or_none(symbol.owner));
                of([name, owner, symbol.kind.code().into(), *number])
            })
            .collect();
        let mut places: Vec<Option<u64>> = vec![None; symbols.len()];
        for at in 0..symbols.len() {
            let mut around = Vec::new();
            let mut next = Some(at);
            while let Some(at) = next.filter(|&at| places.get(at).is_some_and(Option::is_none) && !around.contains(&at))
            {
                around.push(at);
                let container = symbols[at].container.and_then(|container| container.rows_after(first));
                next = container.map(|container| container as usize);
            }
            let mut place = next.and_then(|at| places.get(at).copied().flatten()).unwrap_or_default();
            for &at in around.iter().rev() {
                place = mix(place, own[at]);
                places[at] = Some(place);
            }
        }
        places.into_iter().map(Option::unwrap_or_default).collect()
    }
}

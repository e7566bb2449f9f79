//! What other files can see of a file, as fingerprints: its interface. Where two interfaces differ, files that asked
//! under the keys of what differs see something else.
//!
//! A fingerprint contains everything that resolution inspects of symbols, facts and bases, in their order: name, kind,
//! owner, what contains them, whether they have a body, are exported, and how many arguments of which types they
//! accept. Lines and columns are not part of it. Keys are those of [`Reads`](crate::reads::Reads).

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind};

use crate::classes::Classes;
use crate::fingerprint::{mix, of, of_text};
use crate::interner::NameId;
use crate::model::{Place, SymbolInfo};
use crate::qualifier::type_name;
use crate::reads::{Key, NameHash};
use crate::resolution::MAX_CANDIDATES;
use crate::symbol_lookup::{implementor_name, is_extension};
use crate::table::SymbolTable;

/// The interface of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Interface {
    /// In ascending order.
    groups: Vec<SymbolGroup>,
    /// The fingerprint behind each key that is about something else than the symbols of a name, in the order of keys.
    others: Vec<(u32, u32)>,
}

/// The symbols of a file that the same questions are about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct SymbolGroup {
    name: NameHash,
    owner: NameHash,
    class: Classes,
    has_body: bool,
    /// Whether a type contains them.
    is_in_type: bool,
    /// Their fingerprint.
    state: u32,
}

/// What differs between two states of files.
#[derive(Debug, Default)]
pub(crate) struct Differences {
    /// The keys of questions whose answers may differ.
    pub(crate) keys: FxHashSet<u32>,
    /// The names of functions that differ, with the groups of their files.
    functions: FxHashSet<(NameHash, u64)>,
    /// The names of types that differ.
    types: FxHashSet<NameHash>,
}

impl Differences {
    /// Adds what differs between two states of a file, each with its place.
    pub(crate) fn add(&mut self, one: (&Interface, Place), other: (&Interface, Place)) {
        let none_moved = one.1 == other.1;
        for ((this, place), (that, _)) in [(one, other), (other, one)] {
            let is_known = |group: &SymbolGroup| none_moved && that.groups.binary_search(group).is_ok();
            for group in this.groups.iter().filter(|group| !is_known(group)) {
                self.keys.extend(group.keys(place).map(|key| key.0));
                match group.class {
                    Classes::FUNCTION => self.functions.insert((group.name, place.group)),
                    Classes::TYPE => self.types.insert(group.name),
                    _ => false,
                };
            }
            let others = this.others.iter().filter(|other| that.others.binary_search(other).is_err());
            self.keys.extend(others.map(|(key, _)| key));
        }
    }

    /// Adds everything about a file.
    pub(crate) fn add_all(&mut self, of: &Interface, place: Place) {
        self.add((of, place), (&Interface::default(), place));
    }

    /// Adds what follows from all files of the new state: the names that are not common any more, and the types whose
    /// bases elsewhere may be those of another one.
    pub(crate) fn complete(&mut self, table: &SymbolTable) {
        let hash = |name: NameId| NameHash::new(table.names.fingerprint(name));
        let mut counts: FxHashMap<(NameHash, u64), usize> = FxHashMap::default();
        for symbol in table.symbols.iter().filter(|symbol| symbol.makes_common(table)) {
            let function = (hash(symbol.name), table.files[symbol.file.index()].state.place.group);
            if self.functions.contains(&function) {
                *counts.entry(function).or_default() += 1;
            }
        }
        let is_rare = |function: &&(NameHash, u64)| counts.get(*function).is_none_or(|&count| count <= MAX_CANDIDATES);
        let rare = self.functions.iter().filter(is_rare);
        self.keys.extend(rare.map(|&(name, group)| Key::is_common(name, group).0));
        let references = table.files.iter().flat_map(|file| &file.links);
        for reference in references.filter(|reference| reference.is_out_of_line_impl(&table.symbols)) {
            let implementor = NameHash::new(of_text(implementor_name(&table.names, reference)));
            if self.types.contains(&implementor) {
                self.keys.insert(Key::bases_elsewhere(implementor).0);
            }
        }
    }
}

impl SymbolInfo {
    /// Whether it is a candidate for every call of its name after a receiver, whatever else has this name.
    pub(crate) fn makes_common(&self, table: &SymbolTable) -> bool {
        self.has_body && matches!(self.kind, Kind::Function | Kind::Method) && !table.files[self.file.index()].is_test
    }
}

impl SymbolGroup {
    /// The keys of the questions that are about them.
    fn keys(&self, place: Place) -> impl Iterator<Item = Key> {
        let Self { name, owner, class, has_body, is_in_type, .. } = *self;
        let always = [
            Key::in_file(name, place.key),
            Key::in_folder(name, place.folder),
            Key::in_module(name, place.module),
            Key::member(name, owner),
            Key::with_body(name, class, has_body),
        ];
        let outside = (!is_in_type).then(|| Key::outside_of_types(name, owner));
        let named = class.supersets().map(move |classes| Key::named(name, classes));
        named.chain(always).chain(outside)
    }
}

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
        let hash = |name: NameId| NameHash::new(names.fingerprint(name));
        let mut groups: FxHashMap<(NameHash, NameHash, Classes, bool, bool), u64> = FxHashMap::default();
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
            let around = symbol.container.map(|container| &self.symbols[container.index()]);
            let owner = symbol.owner.map(hash).unwrap_or_default();
            let is_in_type = around.is_some_and(|around| around.kind.is_type());
            let group = (hash(symbol.name), owner, Classes::of(symbol.kind), symbol.has_body, is_in_type);
            let state = groups.entry(group).or_insert(info.state.attributes);
            *state = mix(*state, values);
            // Which functions an interface leaves to others decides whether a function without a name implements it.
            if let Some(container) = around
                && is_in_type
                && !symbol.has_body
                && symbol.kind.is_callable()
            {
                add(Key::left_to_others(hash(container.name)), values);
            }
        }
        for reference in &info.links {
            if reference.kind == EdgeKind::Serve {
                let name = names.fingerprint(reference.name);
                let handler = (names.fingerprint_or_none(reference.owner), names.fingerprint_or_none(reference.alias));
                add(Key::endpoints(), of([place(reference.source), name, handler.0, handler.1]));
            }
            if !matches!(reference.kind, EdgeKind::Inherit | EdgeKind::Implement) {
                continue;
            }
            let (owner, name) = (names.fingerprint_or_none(reference.owner), names.fingerprint(reference.name));
            let value = of([place(reference.source), owner, name]);
            if reference.is_out_of_line_impl(&self.symbols) {
                add(Key::bases_elsewhere(NameHash::new(of_text(implementor_name(names, reference)))), value);
                continue;
            }
            let type_name = hash(self.symbols[reference.source.index()].name);
            add(Key::bases(type_name, info.state.place.key), value);
            // What one definition of a type names is a base of the others, too.
            if info.language.is_some_and(|language| language.reopened_types) {
                add(Key::bases_elsewhere(type_name), value);
            }
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
            add(Key::fact(info.state.place.key, about), value);
            if fact.is_declared && fact.name.is_none() && is_extension(symbol.kind) {
                add(Key::extensions(NameHash::new(of_text(type_name(names.text(fact.text))))), value);
            }
        }
        let mut groups: Vec<SymbolGroup> = groups
            .into_iter()
            .map(|((name, owner, class, has_body, is_in_type), state)| SymbolGroup {
                name,
                owner,
                class,
                has_body,
                is_in_type,
                state: (state >> 32) as u32,
            })
            .collect();
        groups.sort_unstable();
        let mut others: Vec<(u32, u32)> =
            behind.into_iter().map(|(key, state)| (key.0, (state >> 32) as u32)).collect();
        others.sort_unstable();
        Interface { groups, others }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn group(name: u64, class: Classes, state: u32) -> SymbolGroup {
        let (name, owner) = (NameHash::new(name), NameHash::default());
        SymbolGroup { name, owner, class, has_body: true, is_in_type: false, state }
    }

    fn differing(one: &[SymbolGroup], other: &[SymbolGroup]) -> FxHashSet<u32> {
        let interface = |groups: &[SymbolGroup]| Interface { groups: groups.to_vec(), others: Vec::new() };
        let mut differences = Differences::default();
        let place = Place { key: 1, group: 0, folder: 2, module: 3 };
        differences.add((&interface(one), place), (&interface(other), place));
        differences.keys
    }

    #[test]
    fn keys_differ_by_what_is_behind_them() {
        let (a, b, c) = (group(1, Classes::TYPE, 1), group(2, Classes::FIELD, 1), group(2, Classes::FIELD, 2));
        let mut sorted = [a, b.clone()];
        sorted.sort_unstable();
        assert!(differing(&sorted, &sorted).is_empty());
        let changed = differing(std::slice::from_ref(&b), std::slice::from_ref(&c));
        let name = NameHash::new(2);
        assert!(changed.contains(&Key::named(name, Classes::FIELD).0));
        assert!(changed.contains(&Key::in_file(name, 1).0));
        assert!(changed.contains(&Key::in_folder(name, 2).0));
        assert!(changed.contains(&Key::with_body(name, Classes::FIELD, true).0));
        assert!(!changed.contains(&Key::named(name, Classes::TYPE).0));
        assert!(!changed.contains(&Key::with_body(name, Classes::FIELD, false).0));
        let gone = differing(&sorted, &[b]);
        assert!(gone.contains(&Key::in_file(NameHash::new(1), 1).0) && gone.is_disjoint(&changed));
    }
}

//! Members of what a receiver is: a type's own, those that stand outside of it, and those of its bases.

use std::rc::Rc;

use sextant_format::kinds::{EdgeKind, Kind};

use super::names::NO_NAME;
use super::scope;
use super::table::NO_SYMBOL;
use super::typing::{MAX_DEPTH, Member, Value};
use super::{Ids, Resolver};

/// Base classes above base classes are followed so far.
const MAX_BASES: usize = 32;

/// The types that a type names as its bases, and whether one of them is not of this repository.
#[derive(Clone, Debug)]
pub(super) struct Bases {
    types: Rc<[u32]>,
    is_open: bool,
}

impl Bases {
    /// What holds while nothing is known.
    fn unknown() -> Self {
        Self { types: Rc::from([]), is_open: true }
    }
}

impl Resolver<'_, '_> {
    /// The definitions that a member's name means.
    pub(super) fn members(&self, value: &Value, name: u32, depth: u32) -> Member {
        let (id, from_itself) = match value {
            Value::External => return Member::External,
            Value::Module(files) => {
                return match self.exported(files, name, EdgeKind::Reference) {
                    ids if ids.is_empty() => Member::Unknown,
                    ids => Member::Found(ids),
                };
            }
            Value::Callable(_) | Value::Returns(..) => return Member::Unknown,
            Value::Instance(id) | Value::Type(id) => (*id, true),
            Value::Above(id) => (*id, false),
        };
        let own = if from_itself { self.own_members(id, name) } else { Ids::new() };
        if !own.is_empty() {
            return Member::Found(own);
        }
        let (bases, is_open) = self.bases_of(id, depth);
        for base in bases {
            let inherited = self.own_members(base, name);
            if !inherited.is_empty() {
                return Member::Found(inherited);
            }
        }
        let kind = self.symbol(id).kind;
        // Of an alias or of an object that is no literal, the members may stand anywhere.
        if !kind.is_type() || kind == Kind::Type {
            Member::Unknown
        } else if is_open {
            Member::External
        } else {
            Member::Missing
        }
    }

    /// The members of a name that a type has itself.
    pub(super) fn own_members(&self, of_type: u32, name: u32) -> Ids {
        let home = self.symbol(of_type);
        let named = self.index.named_in(name, home.file).iter().copied();
        let inside: Ids = named.filter(|&id| self.symbol(id).container == of_type).collect();
        if !inside.is_empty() || self.is_ecma_or_python() {
            return inside;
        }
        // Members that stand outside of their type, in another file: Go, C++, Rust, partial classes.
        let here = &self.table.files[home.file as usize];
        let is_kin = |id: u32| self.are_kin(self.symbol(id).file, home.file);
        let is_elsewhere = |id: u32| self.symbol(id).owner == home.name && self.symbol(id).file != home.file;
        let mut outside: Ids = if self.index.is_extended(home.name) {
            let is_outside = |id: u32| is_elsewhere(id) || self.extends(self.symbol(id).container, home.name);
            self.index.named(name).iter().copied().filter(|&id| is_outside(id) && is_kin(id)).collect()
        } else {
            let owned = self.index.owned(self.table, name, home.name).iter().copied();
            owned.filter(|&id| is_elsewhere(id) && is_kin(id)).collect()
        };
        super::prefer(&mut outside, |id| self.table.files[self.symbol(id).file as usize].folder == here.folder);
        outside
    }

    /// Whether a symbol is an extension, with a name of its own, of the type of this name.
    fn extends(&self, container: u32, name: u32) -> bool {
        if container == NO_SYMBOL || !self.symbol(container).kind.is_type() {
            return false;
        }
        let said = self.table.hints.of(container, NO_NAME).1;
        said.iter()
            .any(|hint| hint.is_written && scope::last_segment(self.names().text(hint.text)) == self.names().text(name))
    }

    /// The types above a type, nearest first, and whether one of them is not of this repository.
    pub(super) fn bases_of(&self, id: u32, depth: u32) -> (Vec<u32>, bool) {
        let mut open = vec![id];
        let mut is_open = false;
        let mut next = 0;
        while let Some(&of) = open.get(next) {
            next += 1;
            let bases = self.direct_bases(of, depth);
            is_open |= bases.is_open;
            for &base in bases.types.iter() {
                if open.len() <= MAX_BASES && !open.contains(&base) {
                    open.push(base);
                }
            }
        }
        open.remove(0);
        (open, is_open)
    }

    /// What a type names as its bases. A base may be looked up in what the types around it inherit, and so
    /// lead back here: while it is looked for, nothing is known.
    fn direct_bases(&self, of: u32, depth: u32) -> Bases {
        if let Some(known) = self.memory.bases.borrow().get(&of) {
            return known.clone();
        }
        let written = self.index.bases(of);
        if depth > MAX_DEPTH || !written.is_empty() && !self.step() {
            return Bases::unknown();
        }
        self.memory.bases.borrow_mut().insert(of, Bases::unknown());
        let there = self.at(self.symbol(of).file);
        let scope = self.symbol(of).container;
        let mut types = Vec::new();
        let mut is_open = false;
        for &(owner, name) in written {
            let name = self.names().text(name);
            let path = if owner == NO_NAME {
                name.to_owned()
            } else {
                format!("{}.{name}", self.names().text(owner).replace("::", "."))
            };
            let values = there.types(scope, &path, depth + 1);
            is_open |= values.is_empty() || values.contains(&Value::External);
            types.extend(values.into_iter().filter_map(|value| match value {
                Value::Instance(base) => Some(base),
                _ => None,
            }));
        }
        let bases = Bases { types: types.into(), is_open };
        if self.is_given_up() {
            self.memory.bases.borrow_mut().remove(&of);
        } else {
            self.memory.bases.borrow_mut().insert(of, bases.clone());
        }
        bases
    }
}

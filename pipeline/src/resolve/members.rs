//! Members of what a receiver is: a type's own, those that stand outside of it, and those of its bases.

use sextant_formats::kinds::{EdgeKind, Kind};

use super::Resolver;
use super::names::NO_NAME;
use super::typing::{Member, Value};

/// Base classes above base classes are followed so far.
const MAX_BASES: usize = 32;

impl Resolver<'_, '_> {
    /// The definitions that a member's name means.
    pub(super) fn members(&self, value: &Value, name: u32) -> Member {
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
        let own = if from_itself { self.own_members(id, name) } else { Vec::new() };
        if !own.is_empty() {
            return Member::Found(own);
        }
        let (bases, is_open) = self.bases_of(id);
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
    pub(super) fn own_members(&self, of_type: u32, name: u32) -> Vec<u32> {
        let named = self.index.named(name);
        let inside: Vec<u32> = named.iter().copied().filter(|&id| self.symbol(id).container == of_type).collect();
        if !inside.is_empty() {
            return inside;
        }
        // Members that stand outside of their type, in another file: Go, C++, Rust, partial classes.
        let home = self.symbol(of_type);
        let here = &self.table.files[home.file as usize];
        let mut outside: Vec<u32> = named
            .iter()
            .copied()
            .filter(|&id| {
                let symbol = self.symbol(id);
                let there = &self.table.files[symbol.file as usize];
                symbol.owner == home.name
                    && symbol.file != home.file
                    && there.repo == here.repo
                    && there.family == here.family
                    && !self.is_ecma_or_python()
            })
            .collect();
        super::prefer(&mut outside, |id| self.table.files[self.symbol(id).file as usize].folder == here.folder);
        outside
    }

    /// The types above a type, nearest first, and whether one of them is not of this repository.
    pub(super) fn bases_of(&self, id: u32) -> (Vec<u32>, bool) {
        let mut found = Vec::new();
        let mut is_open = false;
        let mut open = vec![id];
        let mut next = 0;
        while let Some(&of) = open.get(next) {
            next += 1;
            let there = self.at(self.symbol(of).file);
            let scope = self.symbol(of).container;
            for &(owner, name) in self.index.bases(of) {
                let name = self.names().text(name);
                let path = if owner == NO_NAME {
                    name.to_owned()
                } else {
                    format!("{}.{name}", self.names().text(owner).replace("::", "."))
                };
                let values = there.types(scope, &path, 1);
                is_open |= values.is_empty() || values.contains(&Value::External);
                for value in values {
                    if let Value::Instance(base) = value
                        && !open.contains(&base)
                        && open.len() < MAX_BASES
                    {
                        open.push(base);
                        found.push(base);
                    }
                }
            }
        }
        (found, is_open)
    }
}

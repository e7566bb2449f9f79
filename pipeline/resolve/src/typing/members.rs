//! Members of types: their own, those defined outside of the type, and inherited ones.

use crate::interner::NameId;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::{EdgeKind, Kind};

use crate::qualifier::type_name;
use crate::resolution::{SymbolIds, retain_preferred};
use crate::value::{BaseTypes, MAX_DEPTH, MemberLookup, Value};
use crate::view::Resolver;

/// Most bases of a type, direct and indirect.
const MAX_BASES: usize = 32;

impl Resolver<'_, '_> {
    /// Looks up a member of a value by name.
    pub(crate) fn lookup_member(&self, value: &Value, name: NameId, depth: u32) -> MemberLookup {
        let (id, includes_own) = match value {
            Value::External | Value::BuiltIn(_) | Value::Outside(_) => return MemberLookup::External,
            Value::Module(files) => {
                return match self.exported_definitions(files, name, EdgeKind::Reference) {
                    ids if ids.is_empty() => MemberLookup::Unknown,
                    ids => MemberLookup::Definitions(ids),
                };
            }
            Value::Callable(_) | Value::Returns(..) | Value::Elements(_) => return MemberLookup::Unknown,
            Value::Argument(_) => return MemberLookup::Missing,
            Value::Instance(id) | Value::Type(id) => (*id, true),
            Value::Super(id) => (*id, false),
        };
        let own = if includes_own { self.own_members(id, name) } else { SymbolIds::new() };
        if !own.is_empty() {
            return MemberLookup::Definitions(own);
        }
        let (bases, has_external_base) = self.bases_of(id, depth);
        for base in bases {
            let inherited = self.own_members(base, name);
            if !inherited.is_empty() {
                return MemberLookup::Definitions(inherited);
            }
        }
        let kind = self.symbol(id).kind;
        // The members of an alias, or of an object that is no literal, may be defined anywhere.
        if !kind.is_type() || kind == Kind::Type {
            MemberLookup::Unknown
        } else if has_external_base {
            MemberLookup::External
        } else {
            MemberLookup::Missing
        }
    }

    /// The members of this name that belong to a type itself.
    pub(crate) fn own_members(&self, type_id: SymbolId, name: NameId) -> SymbolIds {
        let home = self.symbol(type_id);
        let named = self.named_in(name, home.file).iter().copied();
        let is_inside = |id: SymbolId| {
            self.symbol(id).container == Some(type_id)
                || self.symbol(id).kind == Kind::EnumMember && self.visible_container(id) == Some(type_id)
        };
        let mut inside: SymbolIds = named.filter(|&id| is_inside(id)).collect();
        if inside.is_empty() && self.language().is_some_and(|language| language.reopened_types) {
            let members = self.members_named(name, home.name).iter().copied();
            let of_same_type = |id: SymbolId| {
                let container = self.symbol(id).container;
                container.is_some_and(|other| self.is_same_type(other, type_id))
            };
            let is_here = |id: SymbolId| self.share_linkage_group(self.symbol(id).file, home.file);
            inside.extend(members.filter(|&id| is_here(id) && of_same_type(id)));
        }
        if !inside.is_empty() || self.is_ecma_or_python() {
            return inside;
        }
        // Members defined outside of their type, in another file: Go, C++, Rust, partial classes.
        let here = &self.table.files[home.file.index()];
        let is_linkable = |id: SymbolId| self.share_linkage_group(self.symbol(id).file, home.file);
        let has_qualified_owner =
            |id: SymbolId| self.symbol(id).owner == Some(home.name) && self.symbol(id).file != home.file;
        let mut outside: SymbolIds = if self.is_extended(home.name) {
            let is_out_of_line =
                |id: SymbolId| has_qualified_owner(id) || self.extends(self.symbol(id).container, home.name);
            self.named(name).iter().copied().filter(|&id| is_out_of_line(id) && is_linkable(id)).collect()
        } else {
            let members = self.members_named(name, home.name).iter().copied();
            members.filter(|&id| has_qualified_owner(id) && is_linkable(id)).collect()
        };
        // Another type of the same name has members of its own.
        outside.retain(|id| self.named_type(self.symbol(*id).file, home.name).is_none_or(|named| named == type_id));
        retain_preferred(&mut outside, |id| self.table.files[self.symbol(id).file.index()].folder == here.folder);
        outside
    }

    /// The first of several definitions of one type, where they add up.
    pub(super) fn reopened_type(&self, candidates: &[SymbolId]) -> Option<SymbolId> {
        if !self.language().is_some_and(|language| language.reopened_types) {
            return None;
        }
        let mut types = candidates.iter().copied().filter(|&id| self.symbol(id).kind.is_type());
        let first = types.next()?;
        types.all(|id| self.is_same_type(id, first)).then_some(first)
    }

    /// The main one of several definitions of one type or module, where they add up: product before tests, then the one
    /// in the highest folder.
    pub(crate) fn reopened_definition(&self, candidates: &[SymbolId]) -> Option<SymbolId> {
        let (first, rest) = candidates.split_first()?;
        let is_scope = |id: SymbolId| self.symbol(id).kind.is_type() || self.symbol(id).kind == Kind::Module;
        let are_one = self.language().is_some_and(|language| language.reopened_types)
            && is_scope(*first)
            && rest.iter().all(|&id| is_scope(id) && self.is_same_type(id, *first));
        if !are_one {
            return None;
        }
        candidates.iter().copied().min_by_key(|&id| {
            let file = &self.table.files[self.symbol(id).file.index()];
            (file.is_test, file.path.matches('/').count(), file.path.as_str(), id)
        })
    }

    /// Whether two definitions are of one type: they have one name, and so have the types and namespaces around them.
    fn is_same_type(&self, one: SymbolId, other: SymbolId) -> bool {
        let (mut a, mut b) = (self.symbol(one), self.symbol(other));
        loop {
            if a.name != b.name || a.kind.is_type() != b.kind.is_type() {
                return false;
            }
            // Directly in a file, the owner is the namespace that the file declares.
            let (Some(above_a), Some(above_b)) = (a.container, b.container) else { return false };
            let (above_a, above_b) = (self.symbol(above_a), self.symbol(above_b));
            if above_a.kind == Kind::File || above_b.kind == Kind::File {
                return above_a.kind == above_b.kind && a.owner == b.owner;
            }
            (a, b) = (above_a, above_b);
        }
    }

    /// Whether a symbol is a named extension of the type of this name.
    fn extends(&self, container: Option<SymbolId>, name: NameId) -> bool {
        let Some(container) = container.filter(|&container| self.symbol(container).kind.is_type()) else {
            return false;
        };
        let facts = self.facts_for(container, None).1;
        facts.iter().any(|fact| fact.is_declared && type_name(self.names().text(fact.text)) == self.names().text(name))
    }

    /// The direct and indirect bases of a type, nearest first, and whether a base is defined outside of the repository.
    pub(crate) fn bases_of(&self, id: SymbolId, depth: u32) -> (Vec<SymbolId>, bool) {
        let mut worklist = vec![id];
        let mut has_external_base = false;
        let mut next = 0;
        while let Some(&type_id) = worklist.get(next) {
            next += 1;
            let bases = self.direct_bases(type_id, depth);
            has_external_base |= bases.has_external_base;
            for &base in bases.types.iter() {
                if worklist.len() <= MAX_BASES && !worklist.contains(&base) {
                    worklist.push(base);
                }
            }
        }
        worklist.remove(0);
        (worklist, has_external_base)
    }

    /// The bases that a type names. Looking up a base may search what the enclosing types inherit, and so lead back here:
    /// until the lookup ends, the bases are unknown.
    fn direct_bases(&self, type_id: SymbolId, depth: u32) -> BaseTypes {
        if let Some(known) = self.cache.bases.borrow().get(&type_id) {
            return known.clone();
        }
        let written = self.written_bases(type_id);
        if depth > MAX_DEPTH || !written.is_empty() && !self.cache.take_step() {
            return BaseTypes::unknown();
        }
        self.cache.bases.borrow_mut().insert(type_id, BaseTypes::unknown());
        let resolver = self.for_file(self.symbol(type_id).file);
        let scope = self.symbol(type_id).container.unwrap_or(type_id);
        let mut types = Vec::new();
        let mut has_external_base = false;
        for &(owner, name) in written {
            let name = self.names().text(name);
            let path = owner.map_or_else(
                || name.to_owned(),
                |owner| format!("{}.{name}", self.names().text(owner).replace("::", ".")),
            );
            let values = resolver.evaluate_type(scope, &path, depth + 1);
            has_external_base |= values.is_empty() || values.iter().any(Value::is_external);
            types.extend(values.into_iter().filter_map(|value| match value {
                Value::Instance(base) => Some(base),
                _ => None,
            }));
        }
        let bases = BaseTypes { types: types.into(), has_external_base };
        if self.cache.is_budget_exhausted() {
            self.cache.bases.borrow_mut().remove(&type_id);
        } else {
            self.cache.bases.borrow_mut().insert(type_id, bases.clone());
        }
        bases
    }
}

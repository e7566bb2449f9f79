//! Members of types: their own, those defined outside of the type, and inherited ones.

use smallvec::smallvec;

use crate::classes::Classes;
use crate::interner::NameId;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_syntax::extract::{PathNotation, access_path_with};
use sextant_syntax::language::Language;

use crate::qualifier::type_name;
use crate::raw_reference::RawReference;
use crate::resolution::{SymbolIds, retain_preferred};
use crate::symbol_lookup::is_extension;
use crate::value::{BaseTypes, Elements, MAX_DEPTH, MemberLookup, PossibleValues, Value};
use crate::view::Resolver;

use super::outside::last_name;

/// Functions of one name of which the type of the receiver is compared.
const MAX_EXTENSIONS: usize = 64;

/// Most bases of a type, direct and indirect.
pub(super) const MAX_BASES: usize = 128;

/// How a trait of Scala usually names itself in front of the type that it requires of itself. Other names are not followed.
const SELF_TYPE_NAMES: [&str; 2] = ["self", "this"];

impl Resolver<'_, '_> {
    /// Looks up a member of a value by name.
    pub(crate) fn lookup_member(&self, value: &Value, name: NameId, depth: u32) -> MemberLookup {
        let (id, includes_own) = match value {
            Value::BuiltIn(type_name) => {
                let is_same = |one: &Value| matches!(one, Value::BuiltIn(of) if of == type_name);
                let found = self.extension_by_parameter(name, depth, is_same);
                return found.map_or_else(|| self.extension_member(type_name, name), MemberLookup::Definitions);
            }
            Value::External | Value::Outside(_) => {
                if let Value::Outside(of) = value
                    && of.is_instance
                    && let Some(added) = self.members_added_to(&of.name, name)
                {
                    return MemberLookup::Definitions(added);
                }
                return self
                    .trait_member(name)
                    .map_or(MemberLookup::External, |id| MemberLookup::Definitions(smallvec![id]));
            }
            Value::Module(files) => {
                return match self.exported_definitions(files, name, EdgeKind::Reference) {
                    ids if ids.is_empty() => MemberLookup::Unknown,
                    ids => MemberLookup::Definitions(ids),
                };
            }
            Value::Elements(of) if self.is_rust() => return self.member_through_pointer(of, name, depth),
            Value::Callable(_) | Value::Applied(..) | Value::Returns(..) | Value::Tuple(..) | Value::Elements(_) => {
                return MemberLookup::Unknown;
            }
            Value::Argument(_) => return MemberLookup::Missing,
            Value::Instance(id) | Value::Type(id) => (*id, true),
            Value::Super(id) => (*id, false),
        };
        let own = if includes_own { self.own_members(id, name) } else { SymbolIds::new() };
        if !own.is_empty() {
            return MemberLookup::Definitions(own);
        }
        if let Value::Type(_) = value
            && let Some(found) = self.members_of_companions(id, name)
        {
            return MemberLookup::Definitions(found);
        }
        let (mut bases, has_external_base) = self.bases_of(id, depth);
        self.order_class_methods(&mut bases, matches!(value, Value::Type(_)));
        for &base in &bases {
            let inherited = self.own_members(base, name);
            if !inherited.is_empty() {
                return MemberLookup::Definitions(inherited);
            }
        }
        if let Value::Instance(_) = value
            && let Some(found) = self.member_of_value_types(id, name, depth)
        {
            return found;
        }
        if let Value::Instance(_) = value
            && let Some(found) = self.member_of_self_type(id, name, depth)
        {
            return found;
        }
        if has_external_base
            && let Value::Instance(_) = value
            && let Some(found) = self.member_added_to_bases(id, &bases, name)
        {
            return MemberLookup::Definitions(found);
        }
        if let Value::Instance(_) = value
            && let Some(found) = self.extension_by_parameter(
                name,
                depth,
                |one| matches!(one, Value::Instance(of) if *of == id || bases.contains(of)),
            )
        {
            return MemberLookup::Definitions(found);
        }
        let kind = self.symbol(id).kind;
        // The members of an alias, or of an object that is no literal, may be defined anywhere.
        let is_module = kind == Kind::Module && self.has_closed_members();
        if !kind.is_type() && !is_module || kind == Kind::Type {
            MemberLookup::Unknown
        } else if has_external_base {
            MemberLookup::External
        } else {
            MemberLookup::Missing
        }
    }

    /// The member that a type of Rust outside of the repository has because it is a pointer to its argument: a field, or a
    /// method that no type of the standard library has. `Guard<Config>` is one, and `Vec<Config>` has no such member.
    fn member_through_pointer(&self, of: &Elements, name: NameId, depth: u32) -> MemberLookup {
        let is_standard =
            |language: &Language| language.standard_members.binary_search(&self.names().text(name)).is_ok();
        if depth >= MAX_DEPTH || of.is_by_key || self.language().is_none_or(is_standard) || !self.cache.take_step() {
            return MemberLookup::Unknown;
        }
        let pointed_to = self.element_values(of.file, of.scope, &of.types, depth + 1);
        let mut found = pointed_to
            .iter()
            .filter(|value| matches!(value, Value::Instance(_)))
            .map(|value| self.lookup_member(value, name, depth + 1));
        found.find(|found| matches!(found, MemberLookup::Definitions(_))).unwrap_or(MemberLookup::Unknown)
    }

    /// The field of a variant of an enum of Rust, by the path of the variant: `trim` in `Composer::Wrapped { trim }`.
    pub(crate) fn variant_field(&self, reference: &RawReference, owner: &str) -> Option<SymbolId> {
        let (of, variant) = owner.rsplit_once("::").filter(|_| self.is_rust())?;
        if reference.kind != EdgeKind::Reference || !variant.starts_with(char::is_uppercase) {
            return None;
        }
        self.cache.reset_steps();
        let path = access_path_with(PathNotation::default(), of);
        let variant = self.name(variant);
        let variants =
            self.evaluate_access_path(reference.source, &path, 0).into_iter().flat_map(|value| match value {
                Value::Type(id) if self.symbol(id).kind == Kind::Enum => self.own_members(id, variant),
                _ => SymbolIds::new(),
            });
        let fields = variants.filter(|&id| self.symbol(id).kind == Kind::EnumMember).flat_map(|variant| {
            let named = self.named_in(reference.name, self.symbol(variant).file).iter().copied();
            named.filter(|&id| self.symbol(id).container == Some(variant)).collect::<SymbolIds>()
        });
        self.unique_definition(fields.collect::<SymbolIds>())
    }

    /// The method that a value of unknown type has by a trait in scope, if no type has another one of this name and the
    /// standard library has none: that of the only implementation, or of the trait if it has no other.
    pub(crate) fn trait_member(&self, name: NameId) -> Option<SymbolId> {
        let standard_members = self.language()?.standard_members;
        if standard_members.is_empty() || standard_members.binary_search(&self.names().text(name)).is_ok() {
            return None;
        }
        let is_method = |id: &SymbolId| {
            let symbol = self.symbol(*id);
            symbol.kind == Kind::Method && self.share_linkage_group(symbol.file, self.file)
        };
        let is_in_trait = |id: &SymbolId| {
            self.symbol(*id).container.is_some_and(|container| self.symbol(container).kind == Kind::Trait)
        };
        let methods = self.named(name, Classes::FUNCTION).iter().copied().filter(is_method);
        let (declared, implemented): (SymbolIds, SymbolIds) = methods.partition(is_in_trait);
        let [declared] = declared.as_slice() else { return None };
        let declared_in = self.symbol(*declared).container.filter(|&id| self.is_trait_in_scope(id))?;
        match implemented.as_slice() {
            [] => Some(*declared),
            [only] => Some(*only).filter(|_| self.may_implement(*only, declared_in)),
            _ => None,
        }
    }

    /// Whether a method can be one of an implementation of a trait: the owner of the method names the trait as a base, or
    /// is a type parameter.
    fn may_implement(&self, method: SymbolId, of: SymbolId) -> bool {
        let Some(owner) = self.symbol(method).owner else { return false };
        match self.named_type(self.symbol(method).file, owner) {
            Some(owner) => self.written_bases(owner).iter().any(|&(_, base)| base == self.symbol(of).name),
            None => true,
        }
    }

    /// Whether a trait is defined in the file, or imported by its name or all names of a module.
    fn is_trait_in_scope(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        symbol.file == self.file
            || self.imports.binding(symbol.name).iter().any(|import| {
                let exported = import.name.map(|name| self.exported_definitions(&import.files, name, EdgeKind::Type));
                exported.is_some_and(|found| found.contains(&id))
            })
            || self.exported_definitions(self.imports.glob_files(), symbol.name, EdgeKind::Type).contains(&id)
    }

    /// A member that the repository adds to a type of the language itself, or to one that accepts its values.
    fn extension_member(&self, type_name: &str, name: NameId) -> MemberLookup {
        let Some(language) = self.language().filter(|language| language.implicit_this) else {
            return MemberLookup::External;
        };
        let wider = language.conversions.iter().filter_map(|chain| {
            let mut types = chain.split(' ');
            types.by_ref().find(|one| *one == type_name).map(|_| types)
        });
        let owners = std::iter::once(type_name).chain(wider.flatten());
        for owner in owners {
            let members = self.members_named(name, self.name(owner)).iter().copied();
            let found: SymbolIds = members.filter(|&id| self.is_extension_in_scope(id)).collect();
            if !found.is_empty() {
                return MemberLookup::Definitions(found);
            }
        }
        MemberLookup::External
    }

    /// The functions of a name that take a value as their receiver, by the type of their first parameter.
    fn extension_by_parameter(
        &self,
        name: NameId,
        depth: u32,
        is_of_type: impl Fn(&Value) -> bool,
    ) -> Option<SymbolIds> {
        self.language().filter(|language| language.extends_by_parameter && depth < MAX_DEPTH)?;
        let functions = self.uses_of(name, EdgeKind::Call, true);
        let functions = functions.all().iter().copied().take(MAX_EXTENSIONS);
        let takes = |&id: &SymbolId| {
            let receiver = self.table.parameters.of(id).first().filter(|parameter| parameter.is_receiver);
            receiver.is_some_and(|receiver| self.parameter_values(id, receiver, depth + 1).iter().any(&is_of_type))
        };
        let found: SymbolIds = functions.filter(takes).collect();
        (!found.is_empty()).then_some(found)
    }

    /// The members that the repository adds to a type outside of it, which has this full name, as far as they can be called
    /// in the file. Where a type has several full names (aliases), its last name tells.
    fn members_added_to(&self, type_name: &str, name: NameId) -> Option<SymbolIds> {
        self.language().filter(|language| language.implicit_this)?;
        let added = self.members_outside_of_types(name, self.name(last_name(type_name)));
        let mut added: SymbolIds = added.filter(|&id| self.is_extension_in_scope(id)).collect();
        retain_preferred(&mut added, |id| {
            let symbol = self.symbol(id);
            symbol.owner.and_then(|owner| self.outside_name(symbol.file, owner)).is_some_and(|full| full == type_name)
        });
        (!added.is_empty()).then_some(added)
    }

    /// The members that the repository adds to bases outside of it, of a type with these bases inside.
    fn member_added_to_bases(&self, id: SymbolId, bases: &[SymbolId], name: NameId) -> Option<SymbolIds> {
        let types = std::iter::once(id).chain(bases.iter().copied());
        let mut written = types.flat_map(|of| self.written_bases(of).iter().map(move |&(_, base)| (of, base)));
        written.find_map(|(of, base)| {
            let full = self.outside_name(self.symbol(of).file, base)?;
            self.members_added_to(&full, name)
        })
    }

    /// The full name of what a file imports by a name from outside of the repository.
    fn outside_name(&self, file: FileId, name: NameId) -> Option<String> {
        let resolver = self.for_file(file);
        let separator = resolver.language()?.separator;
        let imports = resolver.imports.binding(name);
        imports.iter().find_map(|import| Some(resolver.external_path(import, separator)?.1))
    }

    /// Whether a member that is defined outside of its type can be called in the file. Where extensions are imported by
    /// their names, it is imported, of the same package, or of the file.
    fn is_extension_in_scope(&self, id: SymbolId) -> bool {
        let symbol = self.symbol(id);
        if !self.share_linkage_group(symbol.file, self.file) {
            return false;
        }
        let folder = |file: FileId| self.table.files[file.index()].folder;
        let is_imported = || {
            let imports = self.imports.binding(symbol.name);
            imports.iter().any(|import| import.files.contains(&symbol.file))
                || self.imports.glob_files().contains(&symbol.file)
        };
        !self.imports_extensions() || folder(symbol.file) == folder(self.file) || is_imported()
    }

    /// Members of the companion of a type, own or inherited.
    fn members_of_companions(&self, id: SymbolId, name: NameId) -> Option<SymbolIds> {
        self.language().filter(|language| language.has_companions)?;
        let (home, here) = (self.symbol(id).name, self.symbol(id).file);
        let mut companions = self.named_in(home, here).iter().copied().filter(|&other| self.are_companions(id, other));
        companions.find_map(|companion| {
            let bases = self.bases_of(companion, 0).0;
            let members = std::iter::once(companion).chain(bases).map(|id| self.own_members(id, name));
            members.into_iter().find(|found| !found.is_empty())
        })
    }

    /// What a definition means as a value: a trait is none, and its companion is.
    pub(crate) fn object_of(&self, reference: &RawReference, id: SymbolId) -> SymbolId {
        let symbol = self.symbol(id);
        if reference.kind != EdgeKind::Reference || symbol.kind != Kind::Trait {
            return id;
        }
        let mut namesakes = self.named_in(symbol.name, symbol.file).iter().copied();
        namesakes.find(|&other| self.symbol(other).kind == Kind::Class && self.are_companions(id, other)).unwrap_or(id)
    }

    /// Whether two definitions are a type and its companion: an object of the same name in the same scope.
    pub(super) fn are_companions(&self, one: SymbolId, other: SymbolId) -> bool {
        let (a, b) = (self.symbol(one), self.symbol(other));
        self.language().is_some_and(|language| language.has_companions)
            && one != other
            && (a.kind.is_type() && b.kind.is_type())
            && (a.name, a.file, a.container) == (b.name, b.file, b.container)
    }

    /// Members of the type that a trait of Scala requires of what it is mixed into: `self: A =>`.
    fn member_of_self_type(&self, id: SymbolId, name: NameId, depth: u32) -> Option<MemberLookup> {
        self.language().filter(|language| language.has_companions)?;
        if depth >= MAX_DEPTH || !self.cache.take_step() {
            return None;
        }
        let mut names = SELF_TYPE_NAMES.iter().flat_map(|own_name| {
            let (at, facts) = self.facts_for(id, Some(self.name(own_name)));
            self.evaluate_facts(at, facts, depth + 1).to_vec()
        });
        names.find_map(|value| match self.lookup_member(&value, name, depth + 1) {
            found @ MemberLookup::Definitions(_) if value != Value::Instance(id) => Some(found),
            _ => None,
        })
    }

    /// Members of the types that a type names as those of its values.
    fn member_of_value_types(&self, id: SymbolId, name: NameId, depth: u32) -> Option<MemberLookup> {
        let value_types = self.language()?.value_types;
        let mut values = value_types.iter().flat_map(|associated| self.associated_type(id, associated, depth));
        values.find_map(|value| match self.lookup_member(&value, name, depth + 1) {
            MemberLookup::Definitions(ids) if value != Value::Instance(id) => Some(MemberLookup::Definitions(ids)),
            _ => None,
        })
    }

    /// The objects of a type that another type names: `type Item = A`.
    pub(super) fn associated_type(&self, id: SymbolId, name: &str, depth: u32) -> PossibleValues {
        if depth >= MAX_DEPTH || !self.cache.take_step() {
            return PossibleValues::new();
        }
        let types = self.own_members(id, self.name(name));
        let types = types.into_iter().filter(|&id| self.symbol(id).kind == Kind::Type);
        types
            .flat_map(|id| {
                let (at, facts) = self.facts_for(id, None);
                PossibleValues::from(self.evaluate_facts(at, facts, depth + 1).as_ref())
            })
            .collect()
    }

    /// The members of this name that belong to a type itself.
    pub(crate) fn own_members(&self, type_id: SymbolId, name: NameId) -> SymbolIds {
        let home = self.symbol(type_id);
        let named = self.named_in(name, home.file).iter().copied();
        let is_table = matches!(home.kind, Kind::Variable | Kind::Constant);
        let is_inside = |id: SymbolId| {
            let symbol = self.symbol(id);
            symbol.container == Some(type_id)
                || is_table && symbol.owner == Some(home.name) && symbol.container == home.container
                || self.is_defined_by_macro_of(id, type_id)
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
        let has_all_inside = self.is_ecma_or_python() || self.names_are_paths();
        if !inside.is_empty() || has_all_inside {
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
            // Types that extend this one may have other names.
            self.named(name, Classes::MEMBERS)
                .iter()
                .copied()
                .filter(|&id| is_out_of_line(id) && is_linkable(id))
                .collect()
        } else {
            // What is inside of another type of this name is a member of that one.
            let members = self.members_outside_of_types(name, home.name);
            members.filter(|&id| has_qualified_owner(id) && is_linkable(id)).collect()
        };
        // Another type of the same name has members of its own.
        outside.retain(|id| self.named_type(self.symbol(*id).file, home.name).is_none_or(|named| named == type_id));
        // Every other module may have one of this name.
        if self.class_method_modules().contains(&home.name) {
            outside.retain(|id| !self.is_in_namesake(*id, type_id));
        }
        retain_preferred(&mut outside, |id| self.table.files[self.symbol(id).file.index()].folder == here.folder);
        outside
    }

    /// Whether a macro of a module defines a symbol in whatever uses the module.
    fn is_defined_by_macro_of(&self, id: SymbolId, module: SymbolId) -> bool {
        let container = self.symbol(id).container.map(|container| self.symbol(container));
        container.is_some_and(|container| container.kind == Kind::Macro && container.container == Some(module))
    }

    /// Whether a symbol is a named extension of the type of this name.
    fn extends(&self, container: Option<SymbolId>, name: NameId) -> bool {
        let Some(container) = container.filter(|&container| is_extension(self.symbol(container).kind)) else {
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
        // What a class or trait defines comes before what an interface declares, however far it is.
        worklist.sort_by_key(|&id| self.symbol(id).kind == Kind::Interface);
        (worklist, has_external_base)
    }

    /// The bases that a type names, in all of its definitions. Looking up a base may search what the enclosing types
    /// inherit, and so lead back here: until the lookup ends, the bases are unknown.
    fn direct_bases(&self, type_id: SymbolId, depth: u32) -> BaseTypes {
        if let Some(known) = self.cache.bases.borrow().get(&type_id) {
            return known.clone();
        }
        let written = self.bases_of_openings(type_id);
        if depth > MAX_DEPTH || !written.is_empty() && !self.cache.take_step() {
            return BaseTypes::unknown();
        }
        self.cache.bases.borrow_mut().insert(type_id, BaseTypes::unknown());
        let mut types = Vec::new();
        let mut has_external_base = false;
        for (opening, owner, name) in written {
            let resolver = self.for_file(self.symbol(opening).file);
            let scope = self.symbol(opening).container.unwrap_or(opening);
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
        if self.symbol(type_id).kind == Kind::Module {
            let resolver = self.for_file(self.symbol(type_id).file);
            for name in resolver.class_method_modules() {
                let inside = resolver.own_members(type_id, name);
                types.extend(inside.into_iter().filter(|&id| self.symbol(id).kind == Kind::Module));
            }
        }
        // A mixin comes before the class that it is mixed into.
        types.sort_by_key(|&id| self.symbol(id).kind != Kind::Trait);
        let bases = BaseTypes { types: types.into(), has_external_base };
        if self.cache.is_budget_exhausted() {
            self.cache.bases.borrow_mut().remove(&type_id);
        } else {
            self.cache.bases.borrow_mut().insert(type_id, bases.clone());
        }
        bases
    }
}

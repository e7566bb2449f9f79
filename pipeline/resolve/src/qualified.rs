//! Names with a receiver or a path in front of them.

use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind, Tier};
use sextant_syntax::extract::BINDING_MARK;
use sextant_syntax::language::{ModuleSystem, ReceiverKeyword};
use smallvec::SmallVec;

use crate::candidates::UseCandidates;
use crate::classes::Classes;
use crate::confidence;
use crate::imports::Import;
use crate::model::SymbolInfo;
use crate::qualifier::last_segment;
use crate::raw_reference::RawReference;
use crate::resolution::{Resolution, SymbolIds, ambiguous};
use crate::value::{MemberLookup, Value};
use crate::view::Resolver;

impl Resolver<'_, '_> {
    /// Resolves a name with a receiver or a path in front: by the receiver's type, as a keyword, through imports, then by
    /// the name of the last segment.
    pub(crate) fn resolve_qualified(
        &self,
        reference: &RawReference,
        candidates: &UseCandidates<'_, '_, '_>,
    ) -> Option<Resolution> {
        let resolved = |tier, confidence, target| Some(Resolution::single(tier, confidence, target));
        let unique_of = |found: SymbolIds, filter: &dyn Fn(&SymbolInfo) -> bool| {
            self.unique_definition(found.into_iter().filter(|&id| filter(self.symbol(id))))
        };
        let unique_in = |container: SymbolId| {
            let there = candidates.in_file(self.symbol(container).file);
            unique_of(there, &|symbol| symbol.container == Some(container))
        };
        let owner = self.names().text_or_empty(reference.owner);
        if let Some(target) = self.module_by_full_name(reference, owner) {
            return resolved(Tier::Import, confidence::IMPORT, target);
        }
        if let Some(field) = self.variant_field(reference, owner) {
            let is_here = self.symbol(field).file == self.file;
            let (tier, confidence) =
                if is_here { (Tier::Scope, confidence::SCOPE) } else { (Tier::Import, confidence::IMPORT) };
            return resolved(tier, confidence, field);
        }
        let relative = self.relative_path(reference, owner);
        if relative.is_none()
            && self.has_type_queries()
            && let Some(resolution) = self.resolve_by_receiver_type(reference)
        {
            return resolution;
        }
        if let Some(module) = self.nested_module(reference, owner) {
            // What a module of this name elsewhere defines is another function.
            let target = unique_in(module);
            let found = target.map(|target| Resolution::single(Tier::Scope, confidence::SCOPE, target));
            return Some(found.unwrap_or_else(Resolution::unresolved));
        }
        let last = last_segment(owner);
        if relative.is_none()
            && let Some((keyword, home)) = self.keyword_receiver(reference)
        {
            let home = home?;
            let starts_at_bases = keyword == ReceiverKeyword::Super;
            if !starts_at_bases && let Some(target) = unique_in(home) {
                return resolved(Tier::Scope, confidence::SCOPE, target);
            }
            let bases = self.written_bases(home);
            let mut members: SymbolIds = bases.iter().flat_map(|&(_, base)| candidates.owned_by(base)).collect();
            members.sort_unstable();
            members.dedup();
            let target = self.unique_definition(&members)?;
            return resolved(Tier::Receiver, confidence::RECEIVER, target);
        }
        if let Some(module) = relative.as_ref().and_then(|relative| relative.module)
            && let Some(target) = unique_in(module)
        {
            return resolved(Tier::Scope, confidence::SCOPE, target);
        }
        let path = relative.as_ref().map_or(owner, |relative| relative.path.as_ref());
        // What a call returns is no module: `api.make().name` is not `api.name`.
        let is_result = !reference.is_path_qualified && owner.contains(['(', '[']);
        let imported = if relative.is_some() || is_result { SmallVec::new() } else { self.imports.for_receiver(owner) };
        let imported = self.visible_imports(imported, reference.source);
        if let Some(nested) = self.nested_module_member(reference, owner) {
            return resolved(Tier::Import, confidence::IMPORT, nested);
        }
        let imported_files: SmallVec<[FileId; 8]> = imported.iter().flat_map(|import| &import.files).copied().collect();
        // In a path, what precedes the name is its owner, or the module.
        let is_strict = reference.is_path_qualified && self.requires_imports();
        let last_name = self.name(last);
        // `b.f()` and `a.b.f()` are members of `b`, where `b` is a name of a module or `a` the module.
        let is_below_module = !is_strict && !imported.is_empty() && self.is_below_import(owner, &imported);
        let has_owner = |symbol: &SymbolInfo| {
            let is_outermost = self.is_file_level(symbol.container);
            match is_strict {
                true => is_outermost && symbol.kind != Kind::Method || symbol.owner == Some(last_name),
                false => !is_below_module || !is_outermost || symbol.owner == Some(last_name),
            }
        };
        if reference.is_path_qualified
            && self.uses_includes()
            && let Some(resolution) = self.resolve_included_member(&candidates.owned_by(last_name))
        {
            return resolution;
        }
        if let Some(target) = unique_of(candidates.in_files(&imported_files), &has_owner) {
            return resolved(Tier::Import, confidence::IMPORT, target);
        }
        if imported.is_empty() {
            let named = self.module_files(self.file, path);
            // The path is the module itself: only its top-level definitions qualify.
            let is_root = relative.as_ref().is_some_and(|relative| relative.is_root);
            let there = if is_root { SymbolIds::new() } else { candidates.in_files(&named) };
            let target = unique_of(there, &has_owner)
                .or_else(|| self.unique_definition(self.exported_definitions(&named, reference.name, reference.kind)));
            let names_type = |&id: &SymbolId| self.symbol(id).kind.is_type() && self.is_top_level(id);
            // Only types: the look-up makes the file depend on all modules.
            let full = || {
                let is_type = matches!(reference.kind, EdgeKind::Type | EdgeKind::Inherit | EdgeKind::Implement)
                    || matches!(reference.kind, EdgeKind::Reference | EdgeKind::Instantiate)
                        && self.may_name_package(owner)
                        && candidates.of_classes(Classes::TYPE).iter().any(names_type);
                let name = is_type.then(|| self.names().text(reference.name))?;
                self.fully_named_type(owner, name).filter(|&id| self.fits(reference, id))
            };
            if let Some(target) = target.or_else(full) {
                return resolved(Tier::Import, confidence::IMPORT, target);
            }
        }
        let member = |import: &&Import| {
            if is_below_module {
                return None;
            }
            self.unique_definition(self.exported_definitions(&import.files, reference.name, reference.kind))
        };
        if let Some(target) = imported.iter().find_map(member) {
            return resolved(Tier::Import, confidence::IMPORT, target);
        }
        // A path begins with a name in scope: what an import or a package outside of the repository binds is not here.
        let is_external = !imported.is_empty() && imported.iter().all(|import| import.is_outside);
        if is_strict && (is_external || self.resolves_externally(reference)) {
            return Some(Resolution::unresolved());
        }
        let here = is_strict.then(|| self.crate_folder(self.file));
        let is_here = |symbol: &SymbolInfo| here.is_none_or(|here| self.crate_folder(symbol.file) == here);
        // `a` in `const x = f({ a: 1 })` is a member of what `f` gets; of x only if `f` makes it one.
        let (arguments, members): (SymbolIds, SymbolIds) =
            candidates.owned_by(last_name).into_iter().partition(|&id| self.is_in_call(id));
        if members.is_empty() && !arguments.is_empty() {
            return ambiguous(&arguments);
        }
        let file = &self.table.files[self.file.index()];
        let unique_member_where = |filter: &dyn Fn(FileId) -> bool| {
            self.unique_definition(members.iter().copied().filter(|&id| filter(self.symbol(id).file)))
        };
        if let Some(target) = unique_member_where(&|home| home == self.file) {
            return resolved(Tier::Scope, confidence::SCOPE, target);
        }
        let locals = self.imports.binding(last_name);
        if let Some(target) = unique_member_where(&|home| locals.iter().any(|import| import.files.contains(&home))) {
            return resolved(Tier::Import, confidence::IMPORT, target);
        }
        if let Some(target) = unique_member_where(&|home| self.table.files[home.index()].folder == file.folder) {
            return resolved(Tier::Package, confidence::PACKAGE, target);
        }
        if let Some(target) = unique_of(candidates.owned_by(last_name), &is_here) {
            return resolved(Tier::Unique, confidence::UNIQUE, target);
        }
        let in_module =
            unique_of(candidates.in_module(last), &|symbol| self.is_file_level(symbol.container) && is_here(symbol));
        if let Some(target) = in_module {
            return resolved(Tier::Unique, confidence::UNIQUE, target);
        }
        if !reference.is_path_qualified
            && reference.kind == EdgeKind::Call
            && let Some(target) = self.trait_member(reference.name)
        {
            // That the receiver's type has the trait is not known.
            return resolved(Tier::Unique, confidence::UNIQUE, target);
        }
        if let Some(target) = self.member_of_namesake(reference, owner) {
            return resolved(Tier::Unique, confidence::UNIQUE, target);
        }
        // A plain reference leads to no candidate.
        if reference.kind == EdgeKind::Reference {
            return None;
        }
        // The receiver's type is unknown. A member whose name is unique is a candidate, but so is something external.
        let [only] = candidates.if_few()? else { return None };
        let symbol = self.symbol(*only);
        if self.is_file_level(symbol.container) || !is_here(symbol) {
            return None;
        }
        ambiguous(&[*only])
    }

    /// Whether a receiver is a member of what these imports bind, or a name that they take from a module.
    fn is_below_import(&self, owner: &str, imports: &[&Import]) -> bool {
        let (_, end) = self.imports.longest_import_prefix(owner);
        let is_path = owner.get(end..).is_some_and(|rest| rest.starts_with('.'));
        let is_name = |import: &&Import| !import.is_module && import.name.is_some();
        is_path || self.is_ecma_or_python() && imports.iter().all(is_name)
    }

    /// The module that a full name of one token names.
    fn module_by_full_name(&self, reference: &RawReference, owner: &str) -> Option<SymbolId> {
        let is_possible = self.names_are_paths() && owner.starts_with(char::is_uppercase);
        let name = self.names().text(reference.name);
        let found = is_possible.then(|| self.module_of_path(&format!("{owner}.{name}"))).flatten()?;
        Some(found).filter(|&id| self.fits(reference, id))
    }

    /// The module of the file that a receiver of one name means, where modules are known by their full names.
    fn nested_module(&self, reference: &RawReference, owner: &str) -> Option<SymbolId> {
        let is_possible = self.names_are_paths() && owner.starts_with(char::is_uppercase);
        if !is_possible || owner.contains('.') {
            return None;
        }
        let imports = self.visible_imports(self.imports.for_receiver(owner), reference.source);
        let here = self.index.named_in(self.name(owner), self.file);
        if !imports.is_empty() || here.is_empty() {
            return None;
        }
        std::iter::successors(Some(reference.source), |&scope| self.symbol(scope).container).find_map(|scope| {
            let inside = here.iter().copied().filter(|&id| self.symbol(id).container == Some(scope));
            self.unique_definition(inside.filter(|&id| !self.needs_path(id)))
        })
    }

    /// The member of the only type that has the name of a variable whose type is unknown: `page.write()` is `Page.write`.
    fn member_of_namesake(&self, reference: &RawReference, owner: &str) -> Option<SymbolId> {
        if !self.language().is_some_and(|language| language.variables_name_types) || reference.is_path_qualified {
            return None;
        }
        let variable = last_segment(owner.strip_suffix("()").unwrap_or(owner)).trim_start_matches(['@', '$', '_']);
        let variable = variable.split(BINDING_MARK).next().unwrap_or(variable);
        if !variable.starts_with(char::is_lowercase) {
            return None;
        }
        let mut type_name = String::with_capacity(variable.len());
        for part in variable.split('_') {
            let mut letters = part.chars();
            type_name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
            type_name.push_str(letters.as_str());
        }
        let is_type = |id: &SymbolId| {
            let symbol = self.symbol(*id);
            (symbol.kind.is_type() || symbol.kind == Kind::Module) && self.share_linkage_group(symbol.file, self.file)
        };
        let types: SymbolIds = self
            .named(self.name(&type_name), Classes::TYPE.or(Classes::MODULE))
            .iter()
            .copied()
            .filter(is_type)
            .collect();
        let only =
            self.unique_definition(&types).filter(|_| types.len() == 1).or_else(|| self.reopened_definition(&types))?;
        self.cache.reset_steps();
        match self.lookup_member(&Value::Instance(only), reference.name, 0) {
            MemberLookup::Definitions(found) => {
                self.unique_definition(found.into_iter().filter(|&id| self.fits(reference, id)))
            }
            _ => None,
        }
    }

    /// Whether a definition is in the arguments of a call whose result a variable holds.
    fn is_in_call(&self, id: SymbolId) -> bool {
        let Some(container) = self.symbol(id).container else { return false };
        let is_variable = matches!(self.symbol(container).kind, Kind::Variable | Kind::Constant);
        is_variable && {
            let facts = self.facts_for(container, None).1;
            facts.iter().any(|fact| !fact.is_declared && self.names().text(fact.text).ends_with("()"))
        }
    }

    /// A member of a namespace or type that the file includes, directly or not: `fmt::format`. Overloads in several files
    /// are ambiguous.
    fn resolve_included_member(&self, members: &[SymbolId]) -> Option<Option<Resolution>> {
        let included: SymbolIds = members.iter().copied().filter(|&id| self.includes(self.symbol(id).file)).collect();
        if included.is_empty() {
            return None;
        }
        let target = self.unique_definition(&included);
        Some(target.map_or_else(
            || ambiguous(&included),
            |target| Some(Resolution::single(Tier::Import, confidence::IMPORT, target)),
        ))
    }

    /// A member of a module that is named below an imported one: `B.C.f()`, where `A.B` is imported.
    fn nested_module_member(&self, reference: &RawReference, owner: &str) -> Option<SymbolId> {
        if self.language()?.modules != ModuleSystem::Namespaces {
            return None;
        }
        let (imports, end) = self.imports.longest_import_prefix(owner);
        let rest = owner.get(end..).filter(|rest| !rest.is_empty())?;
        imports.iter().find_map(|import| {
            let files = self.module_files(self.file, &format!("{}{rest}", self.names().text(import.module)));
            self.unique_definition(self.exported_definitions(&files, reference.name, reference.kind))
        })
    }

    /// Whether type facts are extracted for the language of the file.
    fn has_type_queries(&self) -> bool {
        self.language().is_some_and(|language| !language.queries.types.is_empty())
    }

    /// Resolves a member by the type of its receiver. `None` where the type is unknown, `Some(None)` where it is known
    /// and has no such member.
    fn resolve_by_receiver_type(&self, reference: &RawReference) -> Option<Option<Resolution>> {
        let (member, is_path) = self.lookup_receiver_member(reference);
        match member {
            // None of them can be called like this.
            MemberLookup::Definitions(targets) if targets.is_empty() => Some(Some(Resolution::unresolved())),
            MemberLookup::Definitions(targets) => Some(match self.only_definition(&targets) {
                Some(target) => {
                    let is_own = self.enclosing_type(reference.source) == self.symbol(target).container;
                    let is_here = self.symbol(target).file == self.file;
                    let (tier, confidence) = if is_own || is_path && is_here {
                        (Tier::Scope, confidence::SCOPE)
                    } else if is_path {
                        (Tier::Import, confidence::IMPORT)
                    } else {
                        (Tier::Receiver, confidence::RECEIVER)
                    };
                    Some(Resolution::single(tier, confidence, target))
                }
                None if is_path && self.uses_includes() => {
                    self.resolve_included_member(&targets).unwrap_or_else(|| ambiguous(&targets))
                }
                None => ambiguous(&targets),
            }),
            // Members may be added from elsewhere, so a missing member proves nothing.
            _ if !self.has_closed_members() => None,
            MemberLookup::External => Some(Some(Resolution::unresolved())),
            MemberLookup::Missing => Some(None),
            MemberLookup::Unknown => None,
        }
    }
}

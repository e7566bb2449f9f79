//! Which definitions of a name a use can refer to, and which of them it most likely does.

use std::rc::Rc;

use sextant_format::ids::SymbolId;
use sextant_format::kinds::{EdgeKind, Kind};
use smallvec::SmallVec;

use crate::cache::UseKey;
use crate::classes::Classes;
use crate::interner::NameId;
use crate::raw_reference::{MemberForm, RawReference};
use crate::reads::Key;
use crate::resolution::{Candidates, retain_preferred};
use crate::target_class::can_target;
use crate::view::Resolver;

/// Candidates of names with at least this many definitions are cached.
const MIN_CACHED_DEFINITIONS: usize = 8;

impl Resolver<'_, '_> {
    /// The candidates for a use of a name, as `compute` returns them. Those of common names are cached.
    pub(crate) fn cached_candidates(
        &self,
        name: NameId,
        use_key: UseKey,
        compute: impl FnOnce() -> SmallVec<[SymbolId; 8]>,
    ) -> Candidates {
        if self.index.named(name).len() < MIN_CACHED_DEFINITIONS {
            return Candidates::Owned(compute());
        }
        let language = self.language().map(|language| language.name);
        let key = (self.table.files[self.file.index()].linkage_group, language, name, use_key);
        if let Some(known) = self.cache.candidates.borrow().get(&key) {
            return Candidates::Shared(Rc::clone(known));
        }
        let found: Rc<[SymbolId]> = compute().as_slice().into();
        self.cache.candidates.borrow_mut().insert(key, Rc::clone(&found));
        Candidates::Shared(found)
    }

    /// The definitions of a name in this linkage group that a use of this kind can refer to. The caller says what it asks
    /// for.
    fn compatible_definitions(&self, name: NameId, kind: EdgeKind) -> SmallVec<[SymbolId; 8]> {
        let named = self.index.named(name).iter().copied();
        let mut found: SmallVec<[SymbolId; 8]> = named.clone().filter(|&id| self.is_compatible(id, kind)).collect();
        if kind == EdgeKind::Type {
            // A module may have the name of the type that it is for.
            retain_preferred(&mut found, |id| self.symbol(id).kind.is_type());
        }
        if found.is_empty() && kind == EdgeKind::Type {
            found.extend(named.filter(|&id| self.may_stand_for_type(id)));
        }
        found
    }

    fn is_compatible(&self, id: SymbolId, kind: EdgeKind) -> bool {
        self.can_target(kind, self.symbol(id).kind) && self.share_linkage_group(self.symbol(id).file, self.file)
    }

    /// Whether a definition can be meant where a type is expected, and none is known: a macro may stand for one, or for
    /// the statement that the parser does not see. An argument of a template may be a value. A constant may hold a type.
    fn may_stand_for_type(&self, id: SymbolId) -> bool {
        let is_linked = self.uses_includes();
        let has_templates = self.language().is_some_and(|language| language.implicit_this);
        let is_possible = match self.symbol(id).kind {
            Kind::Macro => is_linked,
            Kind::Function | Kind::EnumMember => is_linked && has_templates,
            Kind::Variable | Kind::Constant => !is_linked || has_templates,
            _ => false,
        };
        is_possible && self.share_linkage_group(self.symbol(id).file, self.file)
    }

    /// Whether a use of a kind can refer to a definition if it is the only one.
    pub(crate) fn may_be_compatible(&self, id: SymbolId, kind: EdgeKind) -> bool {
        self.is_compatible(id, kind) || kind == EdgeKind::Type && self.may_stand_for_type(id)
    }

    /// Whether a use of this kind can refer to nothing.
    pub(crate) fn has_no_compatible_definition(&self, name: NameId, kind: EdgeKind) -> bool {
        let found = self.compatible_definitions(name, kind);
        self.ask_compatible(name, kind, MemberForm::Any, &found);
        found.is_empty()
    }

    /// Says that the definitions of a name to which a use of a kind and form can refer are asked for; these are `found`.
    pub(crate) fn ask_compatible(&self, name: NameId, kind: EdgeKind, form: MemberForm, found: &[SymbolId]) {
        let is_separate = self.language().is_some_and(|language| language.separate_member_namespaces);
        let classes = Classes::targets_of(kind).in_form(if is_separate { form } else { MemberForm::Any });
        self.ask(Key::named(self.hash(name), classes));
        if kind == EdgeKind::Type && found.first().is_none_or(|&id| !can_target(kind, self.symbol(id).kind)) {
            self.ask(Key::named(self.hash(name), Classes::STAND_FOR_TYPES));
        }
    }

    /// The same; with `is_value`, without a type where a value has the same name.
    pub(crate) fn candidates_named(&self, name: NameId, kind: EdgeKind, is_value: bool) -> Candidates {
        let use_key = if is_value { UseKey::PreferValue(kind) } else { UseKey::Any(kind) };
        let found = self.cached_candidates(name, use_key, || {
            let mut found = self.compatible_definitions(name, kind);
            if is_value {
                retain_preferred(&mut found, |id| !matches!(self.symbol(id).kind, Kind::Interface | Kind::Type));
            }
            found
        });
        self.ask_compatible(name, kind, MemberForm::Any, &found);
        found
    }

    /// Those definitions of its name that a reference most likely refers to.
    pub(crate) fn candidates_of(&self, reference: &RawReference) -> Candidates {
        let file = &self.table.files[self.file.index()];
        let (prefers_body, excludes_members) = (self.prefers_body(), self.excludes_members(reference));
        let form = self.form_of(reference);
        let kind = reference.kind;
        let use_key = UseKey::Reference { kind, prefers_body, is_test: file.is_test, excludes_members, form };
        let found = self.cached_candidates(reference.name, use_key, || {
            let mut found = self.compatible_definitions(reference.name, reference.kind);
            // First what counts for each by itself: what is left out decides nothing.
            found.retain(|id| self.fits_form(form, self.symbol(*id).kind));
            if excludes_members {
                found.retain(|id| !self.is_member(*id));
            }
            if prefers_body {
                // A variable has no body, and a function of its name elsewhere is another thing.
                let mut bodies: SmallVec<[Kind; 8]> = SmallVec::new();
                for symbol in found.iter().map(|&id| self.symbol(id)).filter(|symbol| symbol.has_body) {
                    if !bodies.contains(&symbol.kind) {
                        bodies.push(symbol.kind);
                    }
                }
                found.retain(|id| self.symbol(*id).has_body || !bodies.contains(&self.symbol(*id).kind));
            }
            if !file.is_test {
                retain_preferred(&mut found, |id| !self.table.files[self.symbol(id).file.index()].is_test);
            }
            if self.uses_includes() && reference.kind == EdgeKind::Reference {
                // A namespace may be opened anywhere: which of its places is meant says nothing.
                if found.iter().any(|&id| self.symbol(id).kind == Kind::Namespace) {
                    found.clear();
                }
                found.retain(|id| self.symbol(*id).kind != Kind::Constructor);
            }
            found
        });
        self.ask_compatible(reference.name, kind, form, &found);
        if self.has_exact_arity() && reference.argument_count.is_some() {
            return Candidates::Owned(
                found.iter().copied().filter(|&id| self.accepts_arguments(reference, id)).collect(),
            );
        }
        found
    }

    /// Whether a header's declaration and its definition are one function: the definition represents both.
    pub(crate) fn prefers_body(&self) -> bool {
        self.language().is_some_and(|language| language.links_definitions)
    }

    /// Whether a reference can refer to no member.
    pub(crate) fn excludes_members(&self, reference: &RawReference) -> bool {
        reference.owner.is_none() && self.members_need_receiver()
    }

    /// Whether a definition can be called with the arguments of a reference, where their number is part of the name.
    pub(crate) fn accepts_arguments(&self, reference: &RawReference, id: SymbolId) -> bool {
        !self.has_exact_arity() || reference.argument_count.is_none() || self.may_call(reference, id)
    }
}

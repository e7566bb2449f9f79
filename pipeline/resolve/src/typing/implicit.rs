//! Objects whose members are in scope without a receiver: `this` of the functions that the code around passes to calls,
//! objects of types without a name, and values whose members are imported.

use sextant_format::ids::SymbolId;
use sextant_format::kinds::Kind;
use sextant_syntax::extract::{LAMBDA_RECEIVER, OBJECT_BODY};
use smallvec::SmallVec;

use crate::classes::Classes;
use crate::imports::Import;
use crate::interner::NameId;
use crate::qualifier::last_segment;
use crate::raw_reference::RawReference;
use crate::resolution::SymbolIds;
use crate::value::{MemberLookup, PossibleValues, Value};
use crate::view::Resolver;

impl Resolver<'_, '_> {
    /// The member that a name without a receiver means in one of these objects.
    pub(crate) fn member_in_scope(&self, reference: &RawReference) -> Option<SymbolId> {
        self.cache.reset_steps();
        self.implicit_member_of(reference.source, reference.name, 0, |id| self.fits(reference, id))
    }

    /// The values of the member that the first name of a path means in one of these objects.
    pub(super) fn values_in_scope(&self, scope: SymbolId, name: NameId, depth: u32) -> PossibleValues {
        let found = self.implicit_member_of(scope, name, depth, |_| true);
        found.map_or_else(PossibleValues::new, |id| self.value_of(id, depth + 1))
    }

    fn implicit_member_of(
        &self,
        scope: SymbolId,
        name: NameId,
        depth: u32,
        fits: impl Fn(SymbolId) -> bool,
    ) -> Option<SymbolId> {
        let language = self.language()?;
        let kinds =
            [(!language.receiver_scopes.is_empty(), LAMBDA_RECEIVER), (language.has_object_bodies, OBJECT_BODY)];
        let kinds: SmallVec<[NameId; 2]> =
            kinds.into_iter().filter(|(is_there, _)| *is_there).map(|(_, name)| self.name(name)).collect();
        let member_of = |values: &[Value]| {
            let members = values.iter().flat_map(|value| match self.lookup_member(value, name, depth) {
                MemberLookup::Definitions(ids) => ids,
                _ => SymbolIds::new(),
            });
            let mut members: SymbolIds = members.filter(|&id| fits(id)).collect();
            members.sort_unstable();
            members.dedup();
            self.unique_definition(&members)
        };
        if kinds.is_empty() && !language.imports_from_values {
            return None;
        }
        std::iter::successors(Some(scope), |&id| self.symbol(id).container).find_map(|scope| {
            let objects = kinds.iter().find_map(|&kind| {
                let (at, facts) = self.facts_for(scope, Some(kind));
                let is_open = facts.is_empty() || self.cache.is_being_evaluated(at);
                if is_open { None } else { member_of(&self.evaluate_facts(at, facts, depth + 1)) }
            });
            let imported = || {
                let imports = language.imports_from_values.then(|| self.imports.globs_without_files(scope));
                imports
                    .into_iter()
                    .flatten()
                    .find_map(|(import, path)| member_of(&self.imported_objects(import, path, depth)))
            };
            objects.or_else(imported)
        })
    }

    /// Whether an import of all names is one of members of a value that is known.
    pub(crate) fn imports_members(&self, reference: &RawReference) -> bool {
        let is_possible = self.language().is_some_and(|language| language.imports_from_values);
        let import = self.imports.import_of(reference).filter(|import| is_possible && import.files.is_empty());
        self.cache.reset_steps();
        import
            .and_then(|import| Some((import, self.imports.glob_path(import)?)))
            .is_some_and(|(import, path)| !self.imported_objects(import, path, 0).is_empty())
    }

    /// Whether the path of an import in a symbol may lead to a value, or to an object of the repository. At the top of a file,
    /// most lead to packages elsewhere, and looking these up would make the file depend on all modules.
    pub(crate) fn may_have_members(&self, scope: SymbolId, path: &str) -> bool {
        let is_inside = self.symbol(scope).kind != Kind::File;
        is_inside || !self.named(self.name(last_segment(path)), Classes::TYPE).is_empty()
    }

    /// The objects that the path of an import leads to. A path that leads to itself leads nowhere.
    fn imported_objects(&self, import: &Import, path: &str, depth: u32) -> PossibleValues {
        let key = (import.scope, import.module);
        // What is recorded for other files must ask its own questions.
        let is_of_file = self.cache.reads.file() == self.file;
        if is_of_file && let Some(known) = self.cache.imported.borrow().get(&key) {
            return known.as_ref().into();
        }
        let is_possible = self.may_have_members(import.scope, path);
        let mut values = PossibleValues::new();
        if is_possible {
            if !self.cache.take_step() || self.cache.is_import_open.replace(true) {
                return values;
            }
            values = self.evaluate_access_path(import.scope, path, depth + 1);
            self.cache.is_import_open.set(false);
            values = self.called_without_parentheses(values, depth + 1);
        }
        let is_complete = !is_possible || depth == 0 && !self.cache.is_budget_exhausted();
        if is_of_file && is_complete {
            self.cache.imported.borrow_mut().insert(key, values.iter().cloned().collect());
        }
        values
    }
}

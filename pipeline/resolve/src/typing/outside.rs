//! What is outside of the repository, by the names under which it is imported.

use sextant_syntax::language::ModuleSystem;

use crate::imports::Import;
use crate::raw_reference::RawReference;
use crate::value::{Outside, Value};
use crate::view::Resolver;

impl Resolver<'_, '_> {
    /// What an import from outside of the repository binds.
    pub(super) fn outside_value(&self, import: &Import) -> Value {
        let separator = self.language().map_or(".", |language| language.separator);
        match self.external_path(import, separator) {
            Some((module, name)) => {
                Value::Outside(Outside { module: module.into(), name: name.into(), is_instance: false })
            }
            None => Value::External,
        }
    }

    /// A member of something outside. What a member of an object is, is not known.
    pub(super) fn outside_member(&self, outer: &Outside, name: &str) -> Value {
        let separator = self.language().map_or(".", |language| language.separator);
        if outer.is_instance || name.is_empty() {
            return Value::External;
        }
        let full = [&*outer.name, name].join(separator);
        Value::Outside(Outside { name: full.into(), ..outer.clone() })
    }

    /// What a call of something outside returns: an object, where types are called to make one and their names begin with
    /// a capital by convention, and where a constructor of such a type is called.
    pub(super) fn made_outside(&self, called: &Outside) -> Value {
        let language = self.language();
        let is_type = |name: &str| last_name(name).starts_with(char::is_uppercase);
        let separator = language.map_or(".", |language| language.separator);
        if let Some((owner, name)) = called.name.rsplit_once(separator)
            && self.is_constructor(name)
            && is_type(owner)
        {
            return Value::Outside(Outside { name: owner.into(), is_instance: true, ..called.clone() });
        }
        let calls_types = language.is_some_and(|language| {
            matches!(language.modules, ModuleSystem::Python | ModuleSystem::EcmaScript | ModuleSystem::Java)
        });
        if calls_types && !called.is_instance && is_type(&called.name) {
            return Value::Outside(Outside { is_instance: true, ..called.clone() });
        }
        Value::External
    }

    /// The type outside of the repository of which the receiver of a reference is an object.
    pub(crate) fn outside_receiver(&self, reference: &RawReference) -> Option<Outside> {
        self.cache.reset_steps();
        match &*self.receiver_values(reference) {
            [Value::Outside(found)] if found.is_instance => Some(found.clone()),
            _ => None,
        }
    }

    /// The module of an external import and the full name of the imported symbol; `None` for modules of the repository,
    /// found or not.
    pub(crate) fn external_path(&self, import: &Import, separator: &str) -> Option<(&str, String)> {
        if !import.is_outside {
            return None;
        }
        let module = self.names().text(import.module);
        let language = self.language()?;
        let is_relative = match language.modules {
            ModuleSystem::Rust => module.split("::").next().is_some_and(|first| language.path_roots.contains(&first)),
            // A missing header may be generated; it is still not in the index.
            ModuleSystem::Include => false,
            _ => module.starts_with(['.', '/', '#', '~']),
        };
        if is_relative || module.is_empty() {
            return None;
        }
        if import.is_namespace_import || import.is_default {
            return Some((module, module.to_owned()));
        }
        let name = import.name.map_or("*", |name| self.names().text(name));
        Some((module, format!("{module}{separator}{name}")))
    }
}

/// The last part of a full name.
pub(super) fn last_name(name: &str) -> &str {
    name.rsplit(['.', '/', ':']).next().unwrap_or(name)
}

//! Learns from the `#define`s of a repository which macros are attributes and which define something.
//!
//! [`FileMacros::read`] collects the macros of one file and the uses that may define something;
//! [`MacroTable::learn`] expands those uses with placeholders for their arguments and has the expansion parsed like any
//! other text: what it defines under a name with a placeholder, each use of the macro defines. No name of a macro is
//! known in advance. This module must not know how a table is applied.

mod attributes;
mod defines;
mod definitions;
mod expand;
mod lookup;
mod namespaces;

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::extract::Extractor;
use crate::language::Language;
use crate::macros::{AppliedMacros, MacroRole, MacroTable};

pub use defines::FileMacros;
use lookup::Defines;

/// What the macros that a text defines itself change in it.
pub(crate) fn own_macros(path: &str, text: &str, language: &'static Language) -> AppliedMacros {
    if !language.has_preprocessor {
        return AppliedMacros::default();
    }
    MacroTable::learn(&[FileMacros::read(path, text, language)]).apply(path, text)
}

impl MacroTable {
    /// Learns from the files of a repository, in the order of their paths.
    #[must_use]
    pub fn learn(files: &[FileMacros]) -> Self {
        let defines = Defines::new(files);
        let mut extractor = Extractor::new();
        let mut shared: FxHashMap<String, MacroRole> = FxHashMap::default();
        let mut own: BTreeMap<String, FxHashMap<String, MacroRole>> = BTreeMap::new();
        let mut used: FxHashMap<&str, Vec<&FileMacros>> = FxHashMap::default();
        for file in files {
            for name in file.uses.iter().filter(|name| defines.by_name.contains_key(name.as_str())) {
                used.entry(name).or_default().push(file);
            }
        }
        let mut attributes = attributes::Attributes::new(&defines);
        let mut names: Vec<_> = defines.by_name.iter().map(|(&name, found)| (name, found)).collect();
        names.sort_unstable_by_key(|&(name, _)| name);
        for (name, found) in names {
            let mut role = |path| namespaces::role(&defines, found, path).or_else(|| attributes.role(name, path));
            if found.iter().any(|(_, define)| !define.is_own)
                && let Some(role) = role(None)
            {
                shared.insert(name.to_owned(), role);
            }
            for (file, _) in found.iter().filter(|(_, define)| define.is_own) {
                if let Some(role) = role(Some(&file.path)) {
                    own.entry(file.path.clone()).or_default().insert(name.to_owned(), role);
                }
            }
        }
        let mut learned = |language, name: &str, path: Option<&str>| {
            let found = definitions::definitions(&mut extractor, &defines, language, name, path);
            if !found.is_empty() {
                return MacroRole::Definitions(found);
            }
            let members = definitions::members(&mut extractor, &defines, language, name, path);
            if members.is_empty() { MacroRole::Other } else { MacroRole::Members(members) }
        };
        let mut names: Vec<_> = used.into_iter().collect();
        names.sort_unstable_by_key(|&(name, _)| name);
        for (name, users) in names {
            if !shared.contains_key(name)
                && let Some((file, _)) = defines.by_name[name].iter().find(|(_, define)| !define.is_own)
            {
                shared.insert(name.to_owned(), learned(file.language, name, None));
            }
            for file in users {
                if file.defines.iter().any(|define| define.name == name && define.is_own) {
                    let own = own.entry(file.path.clone()).or_default();
                    own.entry(name.to_owned()).or_insert_with(|| learned(file.language, name, Some(&file.path)));
                }
            }
        }
        let pointers = files.iter().flat_map(|file| file.pointers.iter().cloned()).collect();
        Self::new(shared, own, pointers)
    }
}

#[cfg(test)]
mod tests;

//! Names such as `self` and `super` in front of a member, and paths that start at the module they are written in.
//!
//! Which names these are is the language's business (`language.toml`); nothing is compared with a literal here.

use std::borrow::Cow;

use sextant_format::kinds::{EdgeKind, Kind};
use sextant_syntax::language::{Language, ReceiverKeyword};

use super::imports::last_segment;
use super::table::RawReference;
use super::typing::Value;
use super::{Resolver, can_target};

/// A path that starts at the module it is written in, or above it: Rust's `self::a`, `super::a`, `crate::a`.
pub(super) struct RelativePath<'p> {
    /// The path as it reads outside of the inline modules around the use.
    pub(super) path: Cow<'p, str>,
    /// Whether the path names nothing but the starting point.
    pub(super) is_root: bool,
    /// The module or file that the path names, where it is in the file of the use.
    pub(super) module: Option<u32>,
}

impl Resolver<'_, '_> {
    pub(super) fn language(&self) -> Option<&'static Language> {
        self.table.files[self.file as usize].language
    }

    /// What a name refers to for a use inside of `scope`, where it is a keyword of the language, or a convention that
    /// neither an import nor a definition or known value in scope overrides.
    pub(super) fn receiver_keyword(&self, scope: u32, name: &str, depth: u32) -> Option<ReceiverKeyword> {
        let language = self.language()?;
        let keyword = language.receiver_keyword(name)?;
        let is_overridden = language.conventional_names.contains(&name)
            && (self.enclosing_type(scope).is_none() || self.is_rebound(scope, name, depth));
        (!is_overridden).then_some(keyword)
    }

    /// The keyword that the receiver of a reference is, and the type or module that it refers to; nothing for ordinary
    /// receivers. `Outer.this` refers to the enclosing type of that name.
    pub(super) fn keyword_receiver(&self, reference: &RawReference) -> Option<(ReceiverKeyword, Option<u32>)> {
        let owner = self.names().text(reference.owner);
        if self.is_plain_variable(reference) {
            return None;
        }
        let called = owner.strip_suffix("()");
        let name = last_segment(called.unwrap_or(owner));
        let outer = &owner[..owner.rfind(name)?];
        let outer = outer.trim_matches(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
        if !outer.is_empty() {
            let keyword = self.language()?.receiver_keyword(name)?;
            return Some((keyword, Some(self.enclosing_type_named(reference.source, last_segment(outer))?)));
        }
        let keyword = self.receiver_keyword(reference.source, name, 0)?;
        // `super()` is a base, but what `self()` returns is unknown.
        if called.is_some() && keyword != ReceiverKeyword::Super {
            return None;
        }
        let home = match keyword {
            ReceiverKeyword::Module => self.enclosing_module(reference.source),
            _ => self.enclosing_type(reference.source),
        };
        Some((keyword, home))
    }

    /// Whether the receiver of a reference is a variable although it reads like a keyword: `$parent->f()`.
    pub(super) fn is_plain_variable(&self, reference: &RawReference) -> bool {
        self.language().is_some_and(|language| {
            language.type_keywords_need_path
                && !reference.is_path_qualified
                && matches!(
                    language.receiver_keyword(self.names().text(reference.owner)),
                    Some(ReceiverKeyword::Type | ReceiverKeyword::Super)
                )
        })
    }

    /// The value of a keyword for a use inside of `scope`; nothing where no type or module is around.
    pub(super) fn keyword_value(&self, scope: u32, keyword: ReceiverKeyword) -> Option<Value> {
        match keyword {
            ReceiverKeyword::Instance => self.enclosing_type(scope).map(Value::Instance),
            ReceiverKeyword::Type => self.enclosing_type(scope).map(Value::Type),
            ReceiverKeyword::Module => self.enclosing_module(scope).map(Value::Type),
            ReceiverKeyword::Super => self.enclosing_type(scope).map(Value::Super),
        }
    }

    /// Whether an import binds a name, or a function around `scope` defines it or gives it a value that is known here.
    /// A parameter without a type has no known value, and neither has `cls = type(self)`: the convention stays.
    fn is_rebound(&self, scope: u32, name: &str, depth: u32) -> bool {
        let Some(name) = self.names().find(name) else { return false };
        if !self.imports.binding(name).is_empty() {
            return true;
        }
        let here = self.index.named_in(name, self.symbol(scope).file);
        let mut enclosing = scope;
        loop {
            let symbol = self.symbol(enclosing);
            if symbol.kind == Kind::File || symbol.kind.is_type() {
                return false;
            }
            let is_defined =
                |&id: &u32| self.symbol(id).container == enclosing && can_target(EdgeKind::Call, self.symbol(id).kind);
            let (at, facts) = self.table.type_facts.facts_for(enclosing, name);
            let has_known_value = !facts.is_empty()
                && self.evaluate_facts(at, facts, depth + 1).iter().any(|value| *value != Value::External);
            if has_known_value || here.iter().any(is_defined) {
                return true;
            }
            enclosing = symbol.container;
        }
    }

    /// The innermost module or type around a symbol that is not the file.
    fn enclosing_module(&self, id: u32) -> Option<u32> {
        self.enclosing_symbols(id).find(|&id| self.symbol(id).kind.is_transparent() || self.symbol(id).kind.is_type())
    }

    fn enclosing_type_named(&self, id: u32, name: &str) -> Option<u32> {
        let name = self.names().find(name)?;
        self.enclosing_symbols(id).find(|&id| self.symbol(id).kind.is_type() && self.symbol(id).name == name)
    }

    /// A symbol and those around it, innermost first, without the file.
    fn enclosing_symbols(&self, id: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(id), |&id| Some(self.symbol(id).container))
            .take_while(|&id| self.symbol(id).kind != Kind::File)
    }

    /// The path of a reference that starts at the module it is written in; nothing for other receivers.
    pub(super) fn relative_path<'p>(&self, reference: &RawReference, owner: &'p str) -> Option<RelativePath<'p>> {
        let roots = self.language()?.path_roots;
        let is_root = |segment: &&str| roots.contains(segment);
        if !reference.is_path_qualified || !owner.split("::").next().is_some_and(|first| is_root(&first)) {
            return None;
        }
        let ups = owner.split("::").take_while(|segment| *segment == "super").count();
        let is_self = owner.split("::").next() == Some("self");
        let rest = owner.split("::").skip_while(is_root);
        let mut found = RelativePath { path: owner.into(), is_root: rest.clone().next().is_none(), module: None };
        if ups == 0 && !is_self {
            return Some(found);
        }
        let inline: Vec<u32> =
            self.enclosing_symbols(reference.source).filter(|&id| self.symbol(id).kind.is_transparent()).collect();
        if ups <= inline.len() && found.is_root {
            let file = self.table.files[self.file as usize].first_symbol;
            found.module = Some(inline.get(ups).copied().unwrap_or(file));
        }
        // `super` of an inline module is still this file.
        if !inline.is_empty() && ups >= inline.len() {
            let above = std::iter::repeat_n("super", ups - inline.len());
            found.path = std::iter::once("self").chain(above).chain(rest).collect::<Vec<_>>().join("::").into();
        }
        Some(found)
    }
}

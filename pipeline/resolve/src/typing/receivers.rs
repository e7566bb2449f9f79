//! Names such as `self` and `super` in front of a member, and paths relative to the module that contains them.
//!
//! The names come from the language's row.

use sextant_format::ids::SymbolId;
use std::borrow::Cow;

use sextant_format::kinds::{EdgeKind, Kind};
use sextant_syntax::language::ReceiverKeyword;

use crate::qualifier::last_segment;
use crate::raw_reference::RawReference;
use crate::target_class::can_target;
use crate::value::Value;
use crate::view::Resolver;

/// A path relative to the module that contains it, or to the crate: `self::a`, `super::a`, `crate::a`.
pub(crate) struct RelativePath<'p> {
    /// The path, rewritten to be relative to the file instead of an inline module.
    pub(crate) path: Cow<'p, str>,
    /// Whether the path has no segments after `self`, `super` and `crate`.
    pub(crate) is_root: bool,
    /// The module or file symbol that the path names, if it is in the same file.
    pub(crate) module: Option<SymbolId>,
}

impl Resolver<'_, '_> {
    /// What a name such as `self` refers to inside of `scope`; `None` for ordinary names. A conventional name is ordinary
    /// outside of a type, and where an import, a definition or a known value in scope overrides it.
    pub(crate) fn receiver_keyword(&self, scope: SymbolId, name: &str, depth: u32) -> Option<ReceiverKeyword> {
        let language = self.language()?;
        let keyword = language.receiver_keyword(name)?;
        let is_overridden = language.conventional_names.contains(&name)
            && (self.enclosing_type(scope).is_none() || self.is_rebound(scope, name, depth));
        (!is_overridden).then_some(keyword)
    }

    /// The keyword that the receiver of a reference is, and the type or module that it refers to, if there is one around
    /// the reference; `None` for ordinary receivers. `Outer.this` refers to the enclosing type of that name.
    pub(crate) fn keyword_receiver(&self, reference: &RawReference) -> Option<(ReceiverKeyword, Option<SymbolId>)> {
        let owner = self.names().text_or_empty(reference.owner);
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
        // `super()` is the base, but the result of `self()` is unknown.
        if called.is_some() && keyword != ReceiverKeyword::Super {
            return None;
        }
        let home = match keyword {
            ReceiverKeyword::Module => self.enclosing_module(reference.source),
            _ => self.enclosing_type(reference.source),
        };
        Some((keyword, home))
    }

    /// Whether the receiver of a reference is a variable although its name is a keyword elsewhere: `$parent->f()`.
    pub(crate) fn is_plain_variable(&self, reference: &RawReference) -> bool {
        self.language().is_some_and(|language| {
            language.type_keywords_need_path
                && !reference.is_path_qualified
                && matches!(
                    language.receiver_keyword(self.names().text_or_empty(reference.owner)),
                    Some(ReceiverKeyword::Type | ReceiverKeyword::Super)
                )
        })
    }

    /// The value of a keyword inside of `scope`; `None` outside of types or modules.
    pub(crate) fn keyword_value(&self, scope: SymbolId, keyword: ReceiverKeyword) -> Option<Value> {
        match keyword {
            ReceiverKeyword::Instance => self.enclosing_type(scope).map(Value::Instance),
            ReceiverKeyword::Type => self.enclosing_type(scope).map(Value::Type),
            ReceiverKeyword::Module => self.enclosing_module(scope).map(Value::Type),
            ReceiverKeyword::Super => self.enclosing_type(scope).map(Value::Super),
        }
    }

    /// Whether an import binds a name, or a function around `scope` defines it or assigns it a known value. The value of
    /// a parameter without a type is unknown, as is that of `cls = type(self)`: the convention applies.
    fn is_rebound(&self, scope: SymbolId, name: &str, depth: u32) -> bool {
        let name = self.name(name);
        if !self.imports.binding(name).is_empty() {
            return true;
        }
        let here = self.named_in(name, self.symbol(scope).file);
        let mut enclosing = scope;
        loop {
            let symbol = self.symbol(enclosing);
            let Some(container) = symbol.container.filter(|_| !symbol.kind.is_type()) else { return false };
            let is_defined = |&id: &SymbolId| {
                self.symbol(id).container == Some(enclosing) && can_target(EdgeKind::Call, self.symbol(id).kind)
            };
            let (at, facts) = self.facts_for(enclosing, Some(name));
            let has_known_value =
                !facts.is_empty() && self.evaluate_facts(at, facts, depth + 1).iter().any(|value| !value.is_external());
            if has_known_value || here.iter().any(is_defined) {
                return true;
            }
            enclosing = container;
        }
    }

    /// The innermost module or type around a symbol, except for the file.
    fn enclosing_module(&self, id: SymbolId) -> Option<SymbolId> {
        self.enclosing_symbols(id).find(|&id| self.symbol(id).kind.is_transparent() || self.symbol(id).kind.is_type())
    }

    fn enclosing_type_named(&self, id: SymbolId, name: &str) -> Option<SymbolId> {
        let name = self.name(name);
        self.enclosing_symbols(id).find(|&id| self.symbol(id).kind.is_type() && self.symbol(id).name == name)
    }

    /// A symbol and those around it, innermost first, except for the file.
    fn enclosing_symbols(&self, id: SymbolId) -> impl Iterator<Item = SymbolId> {
        std::iter::successors(Some(id), |&id| self.symbol(id).container)
            .take_while(|&id| self.symbol(id).kind != Kind::File)
    }

    /// The relative path in front of a reference; `None` for other receivers.
    pub(crate) fn relative_path<'p>(&self, reference: &RawReference, owner: &'p str) -> Option<RelativePath<'p>> {
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
        let inline: Vec<SymbolId> =
            self.enclosing_symbols(reference.source).filter(|&id| self.symbol(id).kind.is_transparent()).collect();
        if ups <= inline.len() && found.is_root {
            let file = self.table.files[self.file.index()].first_symbol;
            found.module = Some(inline.get(ups).copied().unwrap_or(file));
        }
        // The parent of an inline module is in the same file.
        if !inline.is_empty() && ups >= inline.len() {
            let above = std::iter::repeat_n("super", ups - inline.len());
            found.path = std::iter::once("self").chain(above).chain(rest).collect::<Vec<_>>().join("::").into();
        }
        Some(found)
    }
}

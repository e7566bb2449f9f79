//! Collects type facts: of symbols, of names that functions bind, of results, and of members declared only by
//! assignment. Knows captures and symbols; [`super::types`] interprets the text.

use rustc_hash::{FxHashMap, FxHashSet};

use sextant_format::kinds::Kind;

use super::bindings::Binding;
use super::closure_parameters;
use super::locals::EnclosingSymbols;
use super::narrowing;
use super::parsed_source::ParsedSource;
use super::pattern_places::{place_after_name, place_in_pattern};
use super::types;
use crate::language::Language;
use crate::macros::DefinedName;
use crate::model::{Symbol, TypeFact};

/// A captured subject with its declared type or value.
#[derive(Clone, Copy)]
pub(super) struct TypeCapture {
    pub(super) subject: TypeSubject,
    /// The pattern that captured it, if one did.
    pub(super) pattern: Option<usize>,
    /// The declared type.
    pub(super) declared_type: Option<u32>,
    /// The assigned value, or what it is a part of.
    pub(super) value: Option<(u32, ValuePart)>,
}

/// Which part of a value a name is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ValuePart {
    /// The value itself.
    Whole,
    /// Its elements, one after the other.
    Elements,
    /// One of its entries, by index or key.
    Entry,
    /// What it gives as a context manager.
    Entered,
    /// The part at the place that the name has in its pattern.
    Place,
    /// The part of its elements at the place that the name has in its pattern.
    PlaceInElements,
}

impl ValuePart {
    /// The access path of this part of a value. `place` is the number of the name in its pattern.
    fn path_in(self, path: String, place: impl FnOnce() -> Option<usize>) -> String {
        let step = match self {
            Self::Whole => return path,
            Self::Elements => "[*]".to_owned(),
            Self::Entry => "[]".to_owned(),
            Self::Entered => types::ENTERED.to_owned(),
            Self::Place | Self::PlaceInElements => match place() {
                Some(place) if self == Self::Place => format!(".{place}"),
                Some(place) => format!("[*].{place}"),
                None => return String::new(),
            },
        };
        if path.is_empty() || path == types::BUILT_IN {
            return path;
        }
        types::split_alternatives(&path).map(|one| format!("{one}{step}")).collect::<Vec<_>>().join("|")
    }
}

impl TypeCapture {
    /// The nodes of the name and of its value, if the subject is a name with a value.
    pub(super) fn value_of_name(&self) -> Option<(u32, u32)> {
        match self.subject {
            TypeSubject::Name(node) => match self.value {
                Some((value, ValuePart::Whole)) => Some((node, value)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The subject of a type fact.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TypeSubject {
    /// A name, of a symbol or bound by a function.
    Name(u32),
    /// A name bound to the member of the same name: `const { a } = b`.
    Destructured(u32),
    /// A name bound to the part at its place, of a type that the pattern names: `A(b, c)`.
    DestructuredPart(u32),
    /// A member of the enclosing type.
    Member(u32),
    /// An expression that the enclosing function returns.
    Returned(u32),
    /// The value of the module as a whole.
    ModuleExports(u32),
    /// The unnamed export of the module.
    DefaultExport(u32),
    /// How objects of the enclosing type are called.
    CallSignature(u32),
    /// A function that is passed to a call, for the object that is its `this`.
    LambdaReceiver(u32),
    /// The type of a member that has a number instead of a name.
    Positional(u32),
    /// A name that an expression compares with a type.
    Narrowed(u32),
    /// The members of an object of a type without a name, for the object that is their `this`.
    ObjectBody(u32),
}

impl TypeSubject {
    const fn node(self) -> u32 {
        match self {
            Self::Name(node)
            | Self::Destructured(node)
            | Self::DestructuredPart(node)
            | Self::Member(node)
            | Self::Returned(node)
            | Self::ModuleExports(node)
            | Self::DefaultExport(node)
            | Self::CallSignature(node)
            | Self::LambdaReceiver(node)
            | Self::Positional(node)
            | Self::Narrowed(node)
            | Self::ObjectBody(node) => node,
        }
    }
}

/// The name of type facts about the objects that are `this` in functions that a function passes to calls.
pub const LAMBDA_RECEIVER: &str = "this{}";
/// The name of type facts about the objects that a function makes of types without a name.
pub const OBJECT_BODY: &str = "object{}";
/// What follows a name in the name of type facts about the types with which it is compared.
pub const NARROWED: &str = " is";
/// How many facts back a repeated one is looked for.
const MAX_REPEATED_FACTS: usize = 32;
/// The name of type facts about a module as a whole: `module.exports = f`.
pub const MODULE_EXPORTS: &str = "module.exports";
/// The name of type facts about a module's unnamed export: `export default f`.
pub const DEFAULT_EXPORT: &str = "default";
/// The name of type facts about the calls of a type's objects: `interface A { (b: B): C }`.
pub const CALL_SIGNATURE: &str = "()";

/// The access path of a member of a type or value.
fn member_path(is_declared: bool, text: &str, name: &str) -> String {
    match text {
        "" => String::new(),
        types::BUILT_IN => types::BUILT_IN.to_owned(),
        _ if is_declared => format!("<{text}>.{name}"),
        _ => types::split_alternatives(text).map(|path| format!("{path}.{name}")).collect::<Vec<_>>().join("|"),
    }
}

/// What is known of a file before its type facts are collected.
pub(super) struct Known<'a> {
    /// The names that functions bind.
    pub(super) locals: &'a [u32],
    /// Class templates whose values have the members of their argument, too.
    pub(super) pointers: &'a [String],
    /// The symbol of each name, by the name's first byte.
    pub(super) symbol_at: &'a FxHashMap<usize, u32>,
    /// What the uses of macros define: the last symbol of each, and all names, the last symbol's first.
    pub(super) defined: FxHashMap<u32, &'a [DefinedName]>,
}

/// The alternatives of a declared type: a pointer's own name, and what it points to.
fn declared_type_text(language: &Language, pointers: &[String], text: &str) -> String {
    let own = types::type_alternatives(text, language.wrappers);
    if !pointers.iter().any(|pointer| text.contains(pointer.as_str())) {
        return own;
    }
    let wrappers: Vec<&str> = language.wrappers.iter().copied().chain(pointers.iter().map(String::as_str)).collect();
    let inner = types::type_alternatives(text, &wrappers);
    if own.is_empty() || inner.is_empty() || own == inner { own } else { format!("{own}|{inner}") }
}

/// The name of a type that is defined where it is used, `struct a { ... } b;`: empty if it has none.
fn type_defined_in_place<'t>(language: &Language, text: &'t str) -> Option<&'t str> {
    let (head, _) = text.split_once('{').filter(|_| language.has_preprocessor)?;
    // Attributes stand before the name, bases after it.
    let (head, _) = head.split_once(" : ").unwrap_or((head, ""));
    let is_unnamed = |word: &str| matches!(word, "struct" | "union" | "enum" | "class") || word.ends_with(')');
    Some(head.split_whitespace().next_back().filter(|word| !is_unnamed(word)).unwrap_or(""))
}

/// Collects the type facts of a file, and where the names of some of them are bound.
pub(super) fn collect(
    language: &Language,
    source: &ParsedSource<'_>,
    mut typed: Vec<TypeCapture>,
    known: &Known<'_>,
    symbols: &[Symbol],
) -> (Vec<TypeFact>, Vec<Binding>) {
    let &Known { locals, pointers, symbol_at, ref defined } = known;
    if language.queries.types.is_empty() {
        return (Vec::new(), Vec::new());
    }
    // A bound name without a type still shadows outer names.
    let typed_nodes: FxHashSet<u32> = typed.iter().map(|typed| typed.subject.node()).collect();
    let unbound_facts = locals.iter().filter(|node| !typed_nodes.contains(node));
    typed.extend(unbound_facts.map(|&node| TypeCapture {
        subject: TypeSubject::Name(node),
        pattern: None,
        declared_type: None,
        value: None,
    }));
    typed.sort_by_key(|typed| {
        (source.nodes.range(typed.subject.node()).start, typed.declared_type.is_none(), typed.value)
    });
    let mut enclosing = EnclosingSymbols::new(symbols);
    let mut out = Vec::with_capacity(typed.len());
    let mut bindings = Vec::with_capacity(typed.len());
    let mut implicit = Vec::new();
    let mut made: Vec<_> = defined.iter().collect();
    made.sort_unstable_by_key(|&(symbol, _)| symbol);
    for (&last, names) in made {
        // The symbols of one use are in the order of its names, the first of which is the last symbol.
        let first = (last as usize + 1).saturating_sub(names.len());
        let symbols_of_names = std::iter::once(last as usize).chain(first..last as usize);
        for (symbol, defined) in symbols_of_names.zip(*names) {
            let text = declared_type_text(language, pointers, &defined.type_text);
            if let (Ok(symbol), false) = (u32::try_from(symbol), text.is_empty()) {
                let scope = symbols[symbol as usize].container.unwrap_or(0);
                out.push(TypeFact { symbol, name: None, scope, is_declared: true, text });
            }
        }
    }
    for TypeCapture { subject, pattern, declared_type, value } in typed {
        let at = source.nodes.range(subject.node()).start;
        let stack = enclosing.stack_at(at);
        let symbol = symbol_at.get(&at).copied().filter(|_| matches!(subject, TypeSubject::Name(_)));
        if symbol.is_some_and(|symbol| defined.contains_key(&symbol)) {
            // The rewritten text has a type that nobody wrote.
            continue;
        }
        let innermost = |wanted: &dyn Fn(&Symbol) -> bool| {
            stack.iter().rev().copied().find(|&id| Some(id) != symbol && wanted(&symbols[id as usize]))
        };
        let function = innermost(&|symbol| symbol.kind.is_callable() || symbol.kind == Kind::Property);
        let scope = symbol
            .filter(|&id| symbols[id as usize].kind.is_callable())
            .or(function.max(innermost(&|symbol| symbol.kind.is_type())))
            .unwrap_or(0);
        let unwritten = pattern.and_then(|pattern| source.compiled.settings(pattern).typed.as_deref());
        // The sigils of instance variables and symbols are not part of the name.
        let written = || source.text(subject.node()).trim_start_matches(['@', ':']);
        let name = || Some(unwritten.unwrap_or_else(written).to_owned());
        let (symbol, name) = match (subject, symbol) {
            (TypeSubject::Name(_), Some(symbol)) => (symbol, None),
            (TypeSubject::Destructured(_) | TypeSubject::DestructuredPart(_), _) => (function.unwrap_or(0), name()),
            (TypeSubject::Name(_), None) => (function.unwrap_or(0), name()),
            (TypeSubject::Member(_), _) => match innermost(&|symbol| symbol.kind.is_type()) {
                Some(enclosing_type) => (enclosing_type, name()),
                // In a group of tests: `before { @queue = Queue.new }`.
                None => match stack.iter().find(|&&id| symbols[id as usize].kind == Kind::Test) {
                    Some(&group) => (group, name()),
                    None => continue,
                },
            },
            (TypeSubject::Positional(node), _) => {
                let place = place_in_pattern(source, node);
                match innermost(&|symbol| symbol.kind.is_type() || symbol.kind == Kind::EnumMember).zip(place) {
                    Some((enclosing_type, place)) => (enclosing_type, Some(place.to_string())),
                    None => continue,
                }
            }
            (TypeSubject::Narrowed(node), _) => {
                (function.unwrap_or(0), Some(format!("{}{NARROWED}", source.text(node))))
            }
            (TypeSubject::ObjectBody(_), _) => (function.unwrap_or(0), Some(OBJECT_BODY.to_owned())),
            (TypeSubject::LambdaReceiver(_), _) => (function.unwrap_or(0), Some(LAMBDA_RECEIVER.to_owned())),
            (TypeSubject::CallSignature(_), _) => match innermost(&|symbol| symbol.kind.is_type()) {
                Some(enclosing_type) => (enclosing_type, Some(CALL_SIGNATURE.to_owned())),
                None => continue,
            },
            (TypeSubject::Returned(_), _) => match function {
                Some(function) => (function, None),
                None => continue,
            },
            (TypeSubject::ModuleExports(_), _) => (0, Some(MODULE_EXPORTS.to_owned())),
            (TypeSubject::DefaultExport(_), _) => (0, Some(DEFAULT_EXPORT.to_owned())),
        };
        let value = if matches!(
            subject,
            TypeSubject::Returned(_) | TypeSubject::ModuleExports(_) | TypeSubject::DefaultExport(_)
        ) {
            Some((subject.node(), ValuePart::Whole))
        } else {
            value
        };
        let declared_text = declared_type.map(|declared| source.text(declared));
        let in_place = declared_text.and_then(|text| type_defined_in_place(language, text));
        if in_place == Some("") && name.is_none() {
            // What it contains is inside of the symbol itself.
            continue;
        }
        let (is_declared, text) = match (in_place.or(declared_text), value) {
            _ if matches!(subject, TypeSubject::CallSignature(_)) => {
                (true, types::signature_type(source.text(subject.node()), language.wrappers))
            }
            (Some(declared), _) => (true, declared_type_text(language, pointers, declared)),
            (None, Some((value, part))) => {
                let place = || place_in_pattern(source, subject.node());
                let path = types::access_path_with(types::PathNotation::of(language), source.text(value));
                (false, part.path_in(path, place))
            }
            (None, None) if matches!(subject, TypeSubject::LambdaReceiver(_)) => {
                (false, closure_parameters::passed_receiver(language, source, subject.node()).unwrap_or_default())
            }
            (None, None) if name.is_some() => {
                (false, closure_parameters::passed_value(language, source, subject.node()).unwrap_or_default())
            }
            (None, None) => (false, String::new()),
        };
        let (is_declared, text) = match subject {
            TypeSubject::Narrowed(node) => {
                let lines = declared_type.and_then(|wanted| narrowing::lines_of_test(source, node, wanted));
                (is_declared, narrowing::narrowed_text(lines, &text))
            }
            TypeSubject::DestructuredPart(node) => {
                let place = place_after_name(source, node).map(|place| place.to_string());
                (false, place.map_or_else(String::new, |place| member_path(is_declared, &text, &place)))
            }
            TypeSubject::Destructured(_) => (false, member_path(is_declared, &text, source.text(subject.node()))),
            _ => (is_declared, text),
        };
        // A parameter without a declaration is captured at each of its uses.
        let is_receiver = matches!(subject, TypeSubject::LambdaReceiver(_));
        if is_receiver || name.as_deref().is_some_and(|name| closure_parameters::is_implicit(language, name)) {
            let place = closure_parameters::implicit_function(source, subject.node());
            let known = (symbol, name.clone(), text.clone(), place);
            if text.is_empty() || implicit.iter().rev().take(MAX_REPEATED_FACTS).any(|one| *one == known) {
                continue;
            }
            implicit.push(known);
        }
        // A name whose value is itself has no type to record.
        if !matches!(subject, TypeSubject::Name(_)) || name.as_deref() != Some(text.as_str()) || is_declared {
            let is_name = name.is_some()
                && matches!(
                    subject,
                    TypeSubject::Name(_) | TypeSubject::Destructured(_) | TypeSubject::DestructuredPart(_)
                );
            bindings.push(Binding { fact: out.len(), node: subject.node(), is_name });
            out.push(TypeFact { symbol, name, scope, is_declared, text });
        }
    }
    (out, bindings)
}

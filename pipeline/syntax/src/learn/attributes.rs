//! Which macros expand to attributes, storage classes or nothing.

use rustc_hash::FxHashMap;

use super::defines::{Define, FileMacros, hash};
use super::lookup::Defines;
use crate::macros::{MacroRole, Token, TokenKind, arguments, tokenize};

/// Words of the language and its compilers that say how something is declared, and not what.
const SPECIFIERS: &[&str] = &[
    "__cdecl",
    "__const",
    "__extension__",
    "__fastcall",
    "__forceinline",
    "__inline",
    "__inline__",
    "__noinline__",
    "__ptr32",
    "__ptr64",
    "__restrict",
    "__restrict__",
    "__stdcall",
    "__thiscall",
    "__thread",
    "__unaligned",
    "__vectorcall",
    "__volatile__",
    "_Noreturn",
    "_Nonnull",
    "_Nullable",
    "_Thread_local",
    "const",
    "consteval",
    "constexpr",
    "constinit",
    "explicit",
    "extern",
    "final",
    "friend",
    "inline",
    "noexcept",
    "override",
    "register",
    "restrict",
    "static",
    "thread_local",
    "virtual",
    "volatile",
];
/// Words before a list in parentheses that is an attribute.
const WITH_LIST: &[&str] =
    &["_Alignas", "_Pragma", "__attribute", "__attribute__", "__declspec", "__pragma", "alignas", "noexcept"];

/// Macros inside of macros are followed this deep.
const MAX_DEPTH: usize = 16;

/// What a body of attributes keeps of the arguments: at most one.
type Kept = Option<usize>;

/// Decides which macros are attributes.
pub(super) struct Attributes<'a> {
    defines: &'a Defines<'a>,
    /// Of macros of included files.
    known: FxHashMap<&'a str, Option<(bool, Kept)>>,
}

impl<'a> Attributes<'a> {
    pub(super) fn new(defines: &'a Defines<'a>) -> Self {
        Self { defines, known: FxHashMap::default() }
    }

    /// The role of a macro of the file at `path`, or of all included files, if it is an attribute.
    pub(super) fn role(&mut self, name: &str, path: Option<&str>) -> Option<MacroRole> {
        let (takes_arguments, kept_argument) = self.decide(name, path, 0)?;
        Some(MacroRole::Attribute { takes_arguments, kept_argument })
    }

    /// Whether a macro takes arguments, and which of them is a part of its expansion; `None` if it is not an attribute.
    fn decide(&mut self, name: &str, path: Option<&str>, depth: usize) -> Option<(bool, Kept)> {
        let (&name, all) = self.defines.by_name.get_key_value(name)?;
        if path.is_none()
            && let Some(&known) = self.known.get(name)
        {
            return known;
        }
        let is_seen = |file: &FileMacros, define: &Define| path.map_or(!define.is_own, |path| file.path == path);
        let seen: Vec<&Define> =
            all.iter().filter(|(file, define)| is_seen(file, define)).map(|&(_, define)| define).collect();
        if path.is_none() {
            // A macro that includes itself is not an attribute.
            self.known.insert(name, None);
        }
        let found = self.decide_all(name, &seen, path, depth);
        if path.is_none() {
            self.known.insert(name, found);
        }
        found
    }

    fn decide_all(&mut self, name: &str, seen: &[&Define], path: Option<&str>, depth: usize) -> Option<(bool, Kept)> {
        let takes_arguments = seen.first()?.parameters.is_some();
        if depth > MAX_DEPTH
            || SPECIFIERS.contains(&name)
            || WITH_LIST.contains(&name)
            || self.defines.values.contains(&hash(name))
            || seen.iter().any(|define| define.parameters.is_some() != takes_arguments)
        {
            return None;
        }
        let mut kept = None;
        let filled = seen.iter().filter(|define| !define.body.is_empty());
        for define in filled.clone() {
            let found = self.body(define, path, depth)?;
            kept = kept.or(found);
            if found != kept {
                return None;
            }
        }
        let is_empty = filled.count() == 0;
        // Empty where it takes arguments: it may be a check that is switched off.
        (!(is_empty && takes_arguments)).then_some((takes_arguments, kept))
    }

    /// What a body keeps of the arguments; `None` if it has more than attributes.
    fn body(&mut self, define: &Define, path: Option<&str>, depth: usize) -> Option<Kept> {
        let text = define.body.as_str();
        let tokens = tokenize(text, false);
        let parameters = define.parameters.as_deref().unwrap_or_default();
        let (mut kept, mut at) = (None, 0);
        while let Some(token) = tokens.get(at) {
            let word = token.text(text);
            let is_before_list = tokens.get(at + 1).is_some_and(|next| next.text(text) == "(");
            at = if WITH_LIST.contains(&word) && is_before_list {
                arguments(text, &tokens, at + 1)?.1 + 1
            } else if word == "extern" && tokens.get(at + 1).is_some_and(|next| next.kind == TokenKind::Literal) {
                at + 2
            } else if word == "[" && tokens.get(at + 1).is_some_and(|next| next.text(text) == "[") {
                arguments_of_brackets(text, &tokens, at)?
            } else if SPECIFIERS.contains(&word) {
                at + 1
            } else if let Some(number) = parameters.iter().position(|name| name == word) {
                if kept.replace(number).is_some() {
                    return None;
                }
                at + 1
            } else {
                let own = path.and_then(|path| self.decide(word, Some(path), depth + 1));
                let (takes_arguments, inner) = own.or_else(|| self.decide(word, None, depth + 1))?;
                if takes_arguments {
                    let (found, close) = arguments(text, &tokens, at + 1)?;
                    if let Some(inner) = inner {
                        let word = tokens[found.get(inner)?.clone()].first()?.text(text);
                        kept = Some(parameters.iter().position(|name| name == word)?);
                    }
                    close + 1
                } else {
                    at + 1
                }
            };
        }
        Some(kept)
    }
}

/// The index after `[[...]]`.
fn arguments_of_brackets(text: &str, tokens: &[Token], open: usize) -> Option<usize> {
    let length = tokens[open..].windows(2).position(|pair| pair.iter().all(|token| token.text(text) == "]"))?;
    Some(open + length + 2)
}

//! A text into its macros, and the uses that may define something.

use std::hash::{Hash as _, Hasher as _};

use rustc_hash::{FxHashSet, FxHasher};
use sextant_format::digest::Digest;

use crate::language::Language;
use crate::macros::{ScopeTracker, Token, TokenKind, tokenize, tokens};

/// A macro's definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Define {
    pub(crate) name: String,
    /// The names of its parameters, if it has a list of them. The last may be `__VA_ARGS__`.
    pub(crate) parameters: Option<Vec<String>>,
    pub(crate) body: String,
    /// Whether only its own file sees it: nobody includes the file, or the file ends with an `#undef`.
    pub(crate) is_own: bool,
}

/// What one file says about macros.
#[derive(Clone, Debug)]
pub struct FileMacros {
    pub(crate) path: String,
    /// Whether it is compiled, and not included by other files.
    pub(crate) is_compiled: bool,
    pub(crate) language: &'static Language,
    /// Its macros, but those that are plain values.
    pub(crate) defines: Vec<Define>,
    /// Hashes of the names of macros that are plain values.
    pub(crate) values: Vec<u64>,
    /// Macros that are used where a definition may stand.
    pub(crate) uses: FxHashSet<String>,
    /// Class templates that define `operator->`.
    pub(crate) pointers: Vec<String>,
}

/// Extensions of files that are compiled, and not included by others.
const COMPILED: &[&str] = &["c", "cc", "cpp", "cxx", "c++", "cu", "m", "mm"];

/// A longer body defines nothing that a reader would look for by its use.
const MAX_BODY_BYTES: usize = 8_000;

impl FileMacros {
    /// The hash of everything that counts for a [`MacroTable`](crate::macros::MacroTable): files with equal digests are
    /// exchangeable.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let Self { path, is_compiled, language, defines, values, uses, pointers } = self;
        let mut bytes = vec![u8::from(*is_compiled)];
        // Each text ends with a byte that no text contains, each list with two.
        let mut add = |texts: &mut dyn Iterator<Item = &str>| {
            for text in texts {
                bytes.extend_from_slice(text.as_bytes());
                bytes.push(0xff);
            }
            bytes.push(0xff);
        };
        add(&mut [path.as_str(), language.name].into_iter());
        for Define { name, parameters, body, is_own } in defines {
            let flags = if *is_own { "own" } else { "" };
            add(&mut [name.as_str(), body, flags].into_iter());
            let list = parameters.iter().flat_map(|list| std::iter::once("(").chain(list.iter().map(String::as_str)));
            add(&mut list.into_iter());
        }
        let mut sorted: Vec<&str> = uses.iter().map(String::as_str).collect();
        sorted.sort_unstable();
        add(&mut sorted.into_iter());
        add(&mut pointers.iter().map(String::as_str));
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        Digest::hash_bytes(&bytes)
    }

    /// Collects the macros of a file.
    #[must_use]
    pub fn read(path: &str, text: &str, language: &'static Language) -> Self {
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
        let mut found = Self {
            path: path.to_owned(),
            is_compiled: COMPILED.contains(&extension.as_str()),
            language,
            defines: Vec::new(),
            values: Vec::new(),
            uses: FxHashSet::default(),
            pointers: Vec::new(),
        };
        let tokens = tokenize(text, true);
        let mut scopes = ScopeTracker::default();
        let mut guard = "";
        let mut left_out = None;
        for (at, token) in tokens.iter().enumerate() {
            let word = token.text(text);
            match token.kind {
                TokenKind::Directive => {
                    let line = word.trim_start_matches(['#', ' ', '\t']);
                    // `#ifndef A`, `#define A`, `#endif`: an attribute that a build may define.
                    if let Some(default) = left_out.take().filter(|_| line.starts_with("endif")) {
                        found.defines.push(default);
                    }
                    if let Some(define) = line.strip_prefix("define") {
                        left_out = found.define(define, guard);
                    }
                    if let Some(name) = line.strip_prefix("undef").map(str::trim) {
                        found
                            .defines
                            .iter_mut()
                            .filter(|define| define.name == name)
                            .for_each(|define| define.is_own = true);
                    }
                    guard = line.strip_prefix("ifndef").map_or("", str::trim);
                }
                TokenKind::Identifier if word == "operator" => {
                    let follows = |n: usize, word| tokens.get(at + n).is_some_and(|token| token.text(text) == word);
                    let name = scopes.type_name().filter(|_| follows(1, "->") && follows(2, "("));
                    found.pointers.extend(name.map(|name| tokens[name].text(text).to_owned()));
                }
                TokenKind::Identifier
                    if (scopes.begins_definition(text, &tokens, at, |word| word.starts_with('_'))
                        || scopes.stands_for_members(text, &tokens, at))
                        && !found.uses.contains(word) =>
                {
                    found.uses.insert(word.to_owned());
                }
                _ => {}
            }
            scopes.step(text, &tokens, at);
        }
        found
    }

    /// Adds a macro from what follows `#define`. `guard` is the name that the line above asks for: the guard of a
    /// header is not a macro, and is returned.
    fn define(&mut self, rest: &str, guard: &str) -> Option<Define> {
        let rest = rest.trim_start();
        let is_part = |c: char| if c.is_ascii() { c.is_ascii_alphanumeric() || c == '_' } else { c.is_alphanumeric() };
        let length = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (name, rest) = rest.split_at(length);
        let (parameters, body) = match rest.strip_prefix('(') {
            Some(_) => {
                let tokens = tokenize(rest, false);
                let close = tokens.iter().position(|token| token.text(rest) == ")")?;
                (Some(parameters(rest, &tokens[1..close])), rest.get(tokens[close].end..).unwrap_or(""))
            }
            None => (None, rest),
        };
        let first = tokens(body, false).next();
        let is_value = first.is_some_and(|first| {
            let word = first.text(body);
            first.kind != TokenKind::Identifier && !matches!(word, "#" | "[" | "}")
                || matches!(word, "do" | "if" | "return")
        });
        if name.is_empty() || body.len() > MAX_BODY_BYTES {
            return None;
        }
        if parameters.is_none() && first.is_none() && name == guard {
            return Some(Define { name: name.to_owned(), parameters, body: String::new(), is_own: self.is_compiled });
        }
        if is_value {
            self.values.push(hash(name));
        } else {
            let body = tokens(body, false).map(|token| token.text(body)).collect::<Vec<_>>().join(" ");
            self.defines.push(Define { name: name.to_owned(), parameters, body, is_own: self.is_compiled });
        }
        None
    }
}

/// The names of the parameters in these tokens.
fn parameters(text: &str, tokens: &[Token]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut is_variadic = false;
    for token in tokens {
        match token.text(text) {
            "," => {}
            "." => is_variadic = true,
            name => names.push(name.to_owned()),
        }
    }
    // `args...` names the rest, `...` alone leaves it `__VA_ARGS__`.
    let rest_is_named = is_variadic && tokens.len() > 3 && tokens[tokens.len() - 4].kind == TokenKind::Identifier;
    if is_variadic && !rest_is_named {
        names.push("__VA_ARGS__".to_owned());
    } else if let (true, Some(last)) = (is_variadic, names.last_mut()) {
        last.insert_str(0, VARIADIC);
    }
    names
}

/// Marks the name of a parameter that stands for all further arguments.
pub(super) const VARIADIC: &str = "...";

pub(super) fn hash(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    name.hash(&mut hasher);
    hasher.finish()
}

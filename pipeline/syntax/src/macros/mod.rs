//! What the C preprocessor's macros mean for a parser: which of them are attributes, and which define something.
//!
//! [`crate::learn`] makes a [`MacroTable`] of a repository's `#define`s. [`MacroTable::apply`] rewrites the uses in a
//! text, so that a grammar without a preprocessor reads what the compiler reads. This module must not know how a table
//! is made.

mod apply;
mod arguments;
mod scopes;
mod tokens;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use sextant_format::digest::Digest;
use sextant_format::kinds::{EdgeKind, Kind};

pub(crate) use arguments::arguments;
pub(crate) use scopes::{Scope, ScopeTracker};
pub(crate) use tokens::{Token, TokenKind, tokenize, tokens};

/// What a macro is to a parser.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum MacroRole {
    /// It expands to attributes, storage classes and the like, or to nothing.
    Attribute {
        /// Whether it has a list of arguments.
        takes_arguments: bool,
        /// The argument that is a part of its expansion, as the type in `PyAPI_FUNC(int)`.
        kept_argument: Option<usize>,
    },
    /// It expands to definitions and declarations whose names depend on its arguments.
    Definitions(Vec<MacroDefinition>),
    /// It takes no arguments and expands to members of the type around its use.
    Members(Vec<MacroDefinition>),
    /// It opens a namespace of this name, or a scope without one if the name is empty.
    Opens(String),
    /// It closes what another macro opened.
    Closes,
    /// It is used where a definition may stand, and defines nothing.
    Other,
}

/// A definition in the expansion of a macro.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MacroDefinition {
    /// The name.
    pub name: Vec<NamePiece>,
    /// The kind of what is defined.
    pub kind: Kind,
    /// Its type or the type of its result, as written.
    pub type_text: Vec<NamePiece>,
    /// Whether it has a body, or is a variable or a type.
    pub is_definition: bool,
    /// Whether the expansion ends with the head of a function, whose body follows the use.
    pub opens_body: bool,
    /// Whether it is a member of the type around the use.
    pub is_member: bool,
    /// The argument that is its type.
    pub type_argument: Option<usize>,
    /// The arguments that are types and names of parameters.
    pub parameters: Vec<(usize, usize)>,
}

/// A piece of a name that a macro makes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum NamePiece {
    /// Text of the expansion.
    Text(String),
    /// The argument of this index, from 0.
    Argument(usize),
}

/// The macros of a repository that a parser has to know.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MacroTable {
    /// Macros of files that others include.
    shared: FxHashMap<String, MacroRole>,
    /// Macros of a file that others do not include, by its path.
    own: BTreeMap<String, FxHashMap<String, MacroRole>>,
    /// Class templates with an `operator->`: a value of theirs has the members of the first type argument, too.
    pointers: BTreeSet<String>,
}

/// What differs between two tables: files that it does not concern are read in the same way with both.
#[derive(Clone, Debug, Default)]
pub struct MacroDifference {
    /// Names of macros that other files see.
    names: FxHashSet<String>,
    /// Paths of files whose own macros differ.
    paths: FxHashSet<String>,
}

impl MacroDifference {
    /// Whether the tables are equal.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.paths.is_empty()
    }

    /// Whether the file at `path` with these bytes, in an encoding that extends ASCII, may be read in another way: it
    /// contains one of the names.
    #[must_use]
    pub fn concerns(&self, path: &str, bytes: &[u8]) -> bool {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 0x80;
        let mut words = bytes.split(|byte| !is_word(byte)).filter(|word| !word.is_empty());
        let is_name = |word: &[u8]| std::str::from_utf8(word).is_ok_and(|word| self.names.contains(word));
        self.paths.contains(path) || !self.names.is_empty() && words.any(is_name)
    }
}

impl MacroTable {
    /// Creates a table of the macros that everybody includes, and of those of single files.
    #[must_use]
    pub(crate) fn new(
        shared: FxHashMap<String, MacroRole>,
        own: BTreeMap<String, FxHashMap<String, MacroRole>>,
        pointers: BTreeSet<String>,
    ) -> Self {
        Self { shared, own, pointers }
    }

    /// Whether no macro is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shared.is_empty() && self.own.is_empty() && self.pointers.is_empty()
    }

    /// The roles of macros in a file, by their names.
    pub(crate) fn roles<'a>(&'a self, path: &str) -> impl Fn(&str) -> Option<&'a MacroRole> + use<'a> {
        let own = self.own.get(path);
        move |name| own.and_then(|own| own.get(name)).or_else(|| self.shared.get(name))
    }

    /// What differs between two tables.
    #[must_use]
    pub fn difference(&self, other: &Self) -> MacroDifference {
        let mut names = FxHashSet::default();
        for (one, other) in [(self, other), (other, self)] {
            let shared = one.shared.iter().filter(|(name, role)| other.shared.get(*name) != Some(role));
            names.extend(shared.map(|(name, _)| name.clone()));
            names.extend(one.pointers.difference(&other.pointers).cloned());
        }
        let of_one = |one: &Self, other: &Self| -> Vec<String> {
            one.own
                .iter()
                .filter(|(path, own)| other.own.get(*path) != Some(own))
                .map(|(path, _)| path.clone())
                .collect()
        };
        MacroDifference { names, paths: of_one(self, other).into_iter().chain(of_one(other, self)).collect() }
    }

    /// The digest of all macros and roles.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::hash_bytes(self.to_string().as_bytes())
    }
}

impl std::fmt::Display for MacroTable {
    /// One line for each macro, in order.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut lines: Vec<String> = self.shared.iter().map(|(name, role)| format!("{name} {role:?}")).collect();
        lines.extend(self.pointers.iter().map(|name| format!("{name} Pointer")));
        for (path, own) in &self.own {
            lines.extend(own.iter().map(|(name, role)| format!("{path} {name} {role:?}")));
        }
        lines.sort_unstable();
        lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

/// What the macros change in a text.
#[derive(Clone, Debug, Default)]
pub struct AppliedMacros {
    /// The text for the parser, of the same length and lines; `None` if it is the file's own.
    pub(crate) text: Option<String>,
    /// What is defined at the names that start at these bytes; the first is what the reader looks for.
    pub(crate) defined: FxHashMap<usize, Vec<DefinedName>>,
    /// Names that start at these bytes are arguments of macros that define nothing.
    pub(crate) undefined: FxHashSet<usize>,
    /// Uses of names that the parser does not see, in the order of the text.
    pub(crate) uses: Vec<HiddenUse>,
    /// The class templates that point to their argument and that the text names.
    pub(crate) pointers: Vec<String>,
    /// The digest of the macros that were used, if there are any.
    pub digest: Option<Digest>,
}

/// A name that a macro defines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DefinedName {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) is_definition: bool,
    pub(crate) type_text: String,
}

/// A use of a name in text that is blank for the parser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HiddenUse {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: EdgeKind,
}

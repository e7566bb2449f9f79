//! The rules among which the row of a language chooses. Must not know any language, nor how the rules are applied.

/// How to decide whether a symbol is visible outside its file or package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// The query captures `@exported`.
    Captured,
    /// The name begins with an upper-case letter.
    UpperCase,
    /// The name does not begin with an underscore.
    NoUnderscore,
    /// None of these words precedes the name, or the query captures `@exported`.
    HiddenBy(&'static [&'static str]),
    /// One of these words precedes the name, or the query captures `@exported`.
    ShownBy(&'static [&'static str]),
    /// Every symbol is exported.
    All,
}

/// How the module name of an import is resolved to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleSystem {
    /// `a.b.c` is `a/b/c.py` or `a/b/c/__init__.py`; leading dots go up.
    Python,
    /// `./a/b` is `a/b.ts`, `a/b/index.ts` and the like.
    EcmaScript,
    /// The end of the import path is a folder.
    Go,
    /// `a.b.C` is `a/b/C.java`, `a.b.*` a folder.
    Java,
    /// `A.B` is `A/B.hs`; the import of a whole module makes its names available, with those that it re-exports.
    Haskell,
    /// `crate::a::b` is `a/b.rs` or `a/b/mod.rs`.
    Rust,
    /// The path of an included file.
    Include,
    /// The name of a folder; the import makes all files in it, at any depth, available.
    Swift,
    /// The qualified name of a namespace or module; the import makes all its names available.
    Namespaces,
    /// The qualified name of a definition or of a namespace. Imports and the namespace of the file say which full name a
    /// written name means: a type or function of that name elsewhere is another one.
    QualifiedNames,
    /// There are no imports.
    None,
}

/// What a name such as `self` refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiverKeyword {
    /// The object whose method is running.
    Instance,
    /// The enclosing type.
    Type,
    /// The enclosing module.
    Module,
    /// The base types of the enclosing type.
    Super,
}

/// What a loop over a map of the standard library runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapLoops {
    /// The keys.
    Keys,
    /// The values.
    Values,
    /// Pairs of a key and a value.
    Pairs,
}

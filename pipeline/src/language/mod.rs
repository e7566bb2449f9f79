//! The languages: a sorted table of rows, and what a row's queries compile to.
//!
//! A language is data. What is written here is what no query can say: how files are recognised,
//! how owners and names are joined, how modules are found. Queries and fixtures are in
//! `pipeline/languages/<folder>/`, their vocabulary in `docs/captures.md`.

mod compiled;
mod table;

use std::sync::LazyLock;

pub use compiled::{CompileError, Compiled, Group, Role};
pub use table::LANGUAGES;

/// The name of what no grammar reads.
pub const TEXT: &str = "text";

/// What decides whether a symbol can be seen from outside its file or package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// The query captures `@exported`.
    Captured,
    /// The name begins with an upper-case letter.
    UpperCase,
    /// The name does not begin with an underscore.
    NoUnderscore,
    /// The definition does not begin with `static`.
    NotStatic,
    /// Everything.
    All,
}

/// How a module's name in an import leads to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modules {
    /// `a.b.c` is `a/b/c.py` or `a/b/c/__init__.py`; leading dots go up.
    Python,
    /// `./a/b` is `a/b.ts`, `a/b/index.ts` and the like.
    EcmaScript,
    /// The import path's end is a folder.
    Go,
    /// `a.b.C` is `a/b/C.java`, `a.b.*` a folder.
    Java,
    /// `crate::a::b` is `a/b.rs` or `a/b/mod.rs`.
    Rust,
    /// The path of an include.
    Include,
    /// There are no imports.
    None,
}

/// A row of the table.
#[derive(Debug)]
pub struct Language {
    /// The name in `files.parquet` and in `--language`.
    pub name: &'static str,
    /// Languages of one family see each other's symbols.
    pub family: &'static str,
    /// File name extensions, in lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole file names.
    pub file_names: &'static [&'static str],
    /// Interpreters in a first line that begins with `#!`.
    pub interpreters: &'static [&'static str],
    /// What joins owners and names.
    pub separator: &'static str,
    /// Who sees a symbol.
    pub export: Export,
    /// How imports lead to files.
    pub modules: Modules,
    /// Whether files of one folder see each other without an import.
    pub folder_is_package: bool,
    /// Whether a bare name may mean a member of the enclosing type.
    pub implicit_this: bool,
    /// The grammar.
    pub grammar: fn() -> tree_sitter::Language,
    /// The query texts, by group; the first pattern that captures a node wins.
    pub queries: Queries,
    /// The compiled queries.
    pub compiled: LazyLock<Compiled, fn() -> Compiled>,
}

/// The query texts of a language, folder by folder.
#[derive(Clone, Copy, Debug)]
pub struct Queries {
    /// Definitions.
    pub symbols: &'static [&'static str],
    /// Uses.
    pub references: &'static [&'static str],
    /// Logic blocks.
    pub blocks: &'static [&'static str],
}

/// Recognises a file by its name and, where that says nothing or too little, by its text.
#[must_use]
pub fn detect(file_name: &str, text: &str) -> Option<&'static Language> {
    let extension = file_name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
    let named = LANGUAGES.iter().find(|language| language.file_names.contains(&file_name));
    let by_extension = || {
        let extension = extension.as_deref()?;
        if extension == "h" && is_cpp(text) {
            return by_name("cpp");
        }
        LANGUAGES.iter().find(|language| language.extensions.contains(&extension))
    };
    named.or_else(by_extension).or_else(|| {
        if extension.is_some() {
            return None;
        }
        let interpreter = interpreter(text.lines().next().unwrap_or(""))?;
        LANGUAGES.iter().find(|language| language.interpreters.contains(&interpreter))
    })
}

/// Whether a header is C++: it has a line that C has no use for.
fn is_cpp(text: &str) -> bool {
    const MARKS: &[&str] =
        &["namespace ", "template <", "template<", "using namespace ", "public:", "private:", "class "];
    text.lines().any(|line| {
        let line = line.trim_start();
        MARKS.iter().any(|mark| line.starts_with(mark)) && !line.ends_with('*')
    })
}

/// The program of a `#!` line, without folders and version: `python` of `#!/usr/bin/env python3.11`.
fn interpreter(first_line: &str) -> Option<&str> {
    let mut words = first_line.strip_prefix("#!")?.split_whitespace();
    let program = words.next()?.rsplit('/').next()?;
    let program = if program == "env" { words.find(|word| !word.starts_with('-'))? } else { program };
    Some(program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

/// The language of a name in `--language` or in a table.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_every_extension_has_one_language() {
        assert!(LANGUAGES.is_sorted_by_key(|language| language.name));
        let mut extensions: Vec<_> = LANGUAGES.iter().flat_map(|l| l.extensions).collect();
        extensions.sort();
        let before = extensions.len();
        extensions.dedup();
        assert_eq!(before, extensions.len());
    }

    #[test]
    fn every_query_compiles() {
        for language in &LANGUAGES {
            let grammar = (language.grammar)();
            if let Err(error) = Compiled::new(&grammar, &language.queries) {
                panic!("{}: {error}", language.name);
            }
        }
    }

    #[test]
    fn files_are_recognised_by_name_and_first_line() {
        let name = |file: &str, line: &str| detect(file, line).map(|language| language.name);
        assert_eq!(name("a.rs", ""), Some("rust"));
        assert_eq!(name("A.PY", ""), Some("python"));
        assert_eq!(name("run", "#!/usr/bin/env -S python3.11 -u"), Some("python"));
        assert_eq!(name("run", "#!/usr/bin/node"), Some("javascript"));
        assert_eq!(name("run.txt", "#!/usr/bin/node"), None);
        assert_eq!(name("README", ""), None);
        assert_eq!(name("a.h", "struct a;\nint f(void);\n"), Some("c"));
        assert_eq!(name("a.h", "namespace a {\n}\n"), Some("cpp"));
    }
}

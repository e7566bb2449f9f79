//! The supported languages: a sorted table of rows, and the compiled queries of each row.
//!
//! A language is data. A row contains what queries cannot express: how files are recognised, how
//! owners and names are joined, how modules are found. Queries and fixtures are in
//! `pipeline/syntax/languages/<folder>/`; `docs/captures.md` describes their vocabulary.

mod compiled;
#[cfg(test)]
mod matches;
mod table;

use std::sync::OnceLock;

pub use compiled::{CaptureRole, CompileError, CompiledLanguage, GrammarField};
pub use table::LANGUAGES;

/// The language name of files without a detected language.
pub const TEXT: &str = "text";

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
    /// `crate::a::b` is `a/b.rs` or `a/b/mod.rs`.
    Rust,
    /// The path of an included file.
    Include,
    /// The name of a folder; the import makes all files in it, at any depth, available.
    Swift,
    /// The qualified name of a namespace or module; the import makes all its names available.
    Namespaces,
    /// The qualified name of a definition or of a namespace.
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

/// A supported language: a row of the table. `docs/captures.md` describes the fields.
#[derive(Debug)]
pub struct Language {
    /// The name in `files.parquet` and in `--language`.
    pub name: &'static str,
    /// Languages of one family see each other's symbols.
    pub family: &'static str,
    /// File name extensions, in lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Extensions shared with other languages. A file with one is in this language ...
    pub shared_extensions: &'static [&'static str],
    /// ... if one of its lines begins with one of these texts.
    pub content_markers: &'static [&'static str],
    /// Whole file names.
    pub file_names: &'static [&'static str],
    /// Programs in a `#!` line, without folder and version.
    pub interpreters: &'static [&'static str],
    /// Other names, as used by fenced blocks in documents or by people.
    pub aliases: &'static [&'static str],
    /// The separator between owners and names.
    pub separator: &'static str,
    /// How visibility is decided.
    pub export: Export,
    /// How imports are resolved to files.
    pub modules: ModuleSystem,
    /// Whether files of one folder see each other without an import.
    pub folder_is_package: bool,
    /// Whether an unqualified name may refer to a member of the enclosing type.
    pub implicit_this: bool,
    /// Whether an unqualified name never refers to a member of a type or an object.
    pub members_need_receiver: bool,
    /// Whether members cannot be added to a type from elsewhere: if the receiver's type is known and has no such
    /// member in the repository, the reference is external.
    pub closed_members: bool,
    /// Whether a call never refers to a variable.
    pub separate_call_namespace: bool,
    /// Whether a file declares what the file of the same path with another extension defines.
    pub is_header_language: bool,
    /// Whether adjacent definitions of one name are clauses of one symbol.
    pub merge_clauses: bool,
    /// Whether files contain data rather than code.
    pub is_data: bool,
    /// Returns the grammar.
    pub grammar: fn() -> tree_sitter::Language,
    /// The query texts by group. The first pattern that captures a name wins.
    pub queries: Queries,
    /// Masks that blank text before the parse: pattern, whether it is a quote, and whether it applies only to a
    /// second parse of a text with errors.
    pub masks: &'static [(&'static str, bool, bool)],
    /// Patterns of lines that define a symbol, with its kind; the first group is the name.
    pub definition_patterns: &'static [(&'static str, &'static str)],
    /// Patterns of the text before the opening brace of a named scope, with its kind; the first group is the
    /// name.
    pub scope_patterns: &'static [(&'static str, &'static str)],
    /// Types that are replaced by their first type argument when members are looked up.
    pub wrappers: &'static [&'static str],
    /// Methods that return their receiver, unless its type defines one of that name.
    pub transparent_methods: &'static [&'static str],
    /// Names of the object whose method is running: `self`, `this`.
    pub self_names: &'static [&'static str],
    /// Names of the enclosing type itself: `Self`, `cls`, `static`.
    pub self_type_names: &'static [&'static str],
    /// Names of the enclosing module: `__MODULE__`.
    pub self_module_names: &'static [&'static str],
    /// Names through which members of the base types are reached: `super`, `base`, `parent`.
    pub super_names: &'static [&'static str],
    /// Those of the four lists above that are names by habit and no keywords: a local or an import wins.
    pub conventional_names: &'static [&'static str],
    /// Whether names of `self_type_names` and `super_names` are keywords before `::` only.
    pub type_keywords_need_path: bool,
    /// First segments of paths that start at the file's own package or module: `crate`.
    pub path_roots: &'static [&'static str],
    /// Members that are called when an object is called: `__call__`.
    pub callable_members: &'static [&'static str],
    /// Stems of files that are their folder's module, so that imports leave them out: `index`, `__init__`.
    pub folder_stems: &'static [&'static str],
    /// The query folders, in order.
    pub query_folders: &'static [&'static str],
    compiled: OnceLock<CompiledLanguage>,
}

impl Language {
    /// The compiled queries, compiled at their first use.
    ///
    /// # Panics
    /// If the queries do not compile; a test compiles those of every language.
    pub fn compiled(&self) -> &CompiledLanguage {
        self.compiled.get_or_init(|| match CompiledLanguage::new(self, &self.queries) {
            Ok(compiled) => compiled,
            // The queries are compiled into the program, and a test compiles them all.
            Err(error) => panic!("the queries of {} do not compile: {error}", self.name),
        })
    }

    /// What a name in front of a member refers to, where the language reserves it or uses it by convention.
    #[must_use]
    pub fn receiver_keyword(&self, name: &str) -> Option<ReceiverKeyword> {
        let keywords = [
            (self.self_names, ReceiverKeyword::Instance),
            (self.self_type_names, ReceiverKeyword::Type),
            (self.self_module_names, ReceiverKeyword::Module),
            (self.super_names, ReceiverKeyword::Super),
        ];
        keywords.into_iter().find(|(names, _)| names.contains(&name)).map(|(_, keyword)| keyword)
    }

    /// Returns the language with other queries, to try them without rebuilding.
    ///
    /// # Errors
    /// The queries do not compile.
    pub fn with_queries(&self, queries: Queries) -> Result<Self, CompileError> {
        let compiled = OnceLock::from(CompiledLanguage::new(self, &queries)?);
        Ok(Self { queries, compiled, ..*self })
    }
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
    /// Embedded languages.
    pub embedded: &'static [&'static str],
    /// Declared and inferred types.
    pub types: &'static [&'static str],
}

impl Queries {
    /// No queries.
    pub const NONE: Self = Self { symbols: &[], references: &[], blocks: &[], embedded: &[], types: &[] };

    /// All groups, in the order of compilation.
    #[must_use]
    pub const fn all(&self) -> [&'static [&'static str]; 5] {
        [self.symbols, self.references, self.blocks, self.embedded, self.types]
    }
}

/// How much of a text is examined to detect its language, in bytes.
const MAX_DETECTION_BYTES: usize = 64 << 10;

/// Detects the language by file name and, if that is not enough, by markers or a `#!` line in the text.
#[must_use]
pub fn detect(file_name: &str, text: &str) -> Option<&'static Language> {
    let head = &text[..text.floor_char_boundary(MAX_DETECTION_BYTES)];
    if let Some(named) = LANGUAGES.iter().find(|language| language.file_names.contains(&file_name)) {
        return Some(named);
    }
    let extension = file_name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    let has = |list: &[&str]| list.contains(&extension.as_str());
    let candidate = LANGUAGES
        .iter()
        .find(|language| has(language.shared_extensions) && has_content_marker(head, language.content_markers))
        .or_else(|| LANGUAGES.iter().find(|language| has(language.extensions)));
    let Some(candidate) = candidate else {
        // The text after a dot need not be an extension.
        let interpreter = interpreter(head.lines().next().unwrap_or(""))?;
        return LANGUAGES.iter().find(|language| language.interpreters.contains(&interpreter));
    };
    // Other formats reuse extensions: `.ts` is also a translation table, `.cs` a resource, both in XML.
    (candidate.name == "html" || !is_xml(head)).then_some(candidate)
}

fn has_content_marker(text: &str, content_markers: &[&str]) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start();
        content_markers.iter().any(|marker| line.starts_with(marker)) && !line.ends_with('*')
    })
}

fn is_xml(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("<?xml") || text.starts_with("<!DOCTYPE")
}

/// The program of a `#!` line, without folders and version: `python` of `#!/usr/bin/env python3.11`.
fn interpreter(first_line: &str) -> Option<&str> {
    let mut words = first_line.strip_prefix("#!")?.split_whitespace();
    let program = words.next()?.rsplit('/').next()?;
    let program = if program == "env" { words.find(|word| !word.starts_with('-'))? } else { program };
    Some(program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}

/// Returns the language with this name, as in `--language` and `files.parquet`.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.name == name)
}

/// Returns the language with this name, alias or extension, in any case.
#[must_use]
pub fn by_alias(word: &str) -> Option<&'static Language> {
    let word = word.to_ascii_lowercase();
    by_name(&word)
        .or_else(|| LANGUAGES.iter().find(|language| language.aliases.contains(&word.as_str())))
        .or_else(|| LANGUAGES.iter().find(|language| language.extensions.contains(&word.as_str())))
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
    fn stems_that_imports_leave_out_are_folder_stems_everywhere() {
        for (language, stem) in LANGUAGES.iter().flat_map(|row| row.folder_stems.iter().map(move |stem| (row, stem))) {
            assert!(sextant_format::names::is_folder_stem(stem), "{}: {stem}", language.name);
        }
    }

    #[test]
    fn every_query_compiles() {
        for language in &LANGUAGES {
            if let Err(error) = CompiledLanguage::new(language, &language.queries) {
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
        assert_eq!(name("install v0.10", "#!/bin/sh"), Some("bash"));
        assert_eq!(name("notes.txt", "see #!/bin/sh"), None);
        assert_eq!(name("README", ""), None);
        assert_eq!(name("a.h", "struct a;\nint f(void);\n"), Some("c"));
        assert_eq!(name("a.h", "namespace a {\n}\n"), Some("cpp"));
        assert_eq!(name("a.inc", "<?php\n"), Some("php"));
        assert_eq!(name("a.inc", "mov ax, bx\n"), None);
        assert_eq!(name("de.ts", "<?xml version=\"1.0\"?>\n<TS>"), None);
        assert_eq!(name("a.html", "<!DOCTYPE html>"), Some("html"));
        assert_eq!(name("Gemfile", ""), Some("ruby"));
        assert_eq!(by_alias("Golang").map(|language| language.name), Some("go"));
        assert_eq!(by_alias("mts").map(|language| language.name), Some("typescript"));
    }
}

//! The languages: a sorted table of rows, and what a row's queries compile to.
//!
//! A language is data. What is written here is what no query can say: how files are recognised,
//! how owners and names are joined, how modules are found. Queries and fixtures are in
//! `syntax/languages/<folder>/`, their vocabulary in `docs/captures.md`.

mod compiled;
#[cfg(test)]
mod matches;
mod table;

use std::sync::OnceLock;

pub use compiled::{CaptureRole, CompileError, CompiledLanguage, GrammarField};
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
    /// None of these words stands before the name, or the query captures `@exported`.
    HiddenBy(&'static [&'static str]),
    /// One of these words stands before the name, or the query captures `@exported`.
    ShownBy(&'static [&'static str]),
    /// Everything.
    All,
}

/// How a module's name in an import leads to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleSystem {
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
    /// The name of a folder, all of whose files, at any depth, can then be used.
    Swift,
    /// The qualified name of a namespace or module, all of whose names can then be used.
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

/// A row of the table.
#[derive(Debug)]
pub struct Language {
    /// The name in `files.parquet` and in `--language`.
    pub name: &'static str,
    /// Languages of one family see each other's symbols.
    pub family: &'static str,
    /// File name extensions, in lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Extensions that may also be another language's ...
    pub shared_extensions: &'static [&'static str],
    /// ... and are this one's where a line begins with one of these.
    pub content_markers: &'static [&'static str],
    /// Whole file names.
    pub file_names: &'static [&'static str],
    /// Interpreters in a first line that begins with `#!`.
    pub interpreters: &'static [&'static str],
    /// Other names: of a fence in a document, or as people say it.
    pub aliases: &'static [&'static str],
    /// What joins owners and names.
    pub separator: &'static str,
    /// Who sees a symbol.
    pub export: Export,
    /// How imports lead to files.
    pub modules: ModuleSystem,
    /// Whether files of one folder see each other without an import.
    pub folder_is_package: bool,
    /// Whether a bare name may mean a member of the enclosing type.
    pub implicit_this: bool,
    /// Whether a bare name never means a member of a type or an object.
    pub members_need_receiver: bool,
    /// Whether a receiver whose type is known, and has no such member here, proves that nothing here is meant.
    pub closed_members: bool,
    /// Whether a call never means a variable.
    pub separate_call_namespace: bool,
    /// Whether a file declares what the file of the same path and another ending defines.
    pub is_header_language: bool,
    /// Whether neighbouring definitions of one name are its clauses.
    pub merge_clauses: bool,
    /// Whether files hold data rather than code.
    pub is_data: bool,
    /// The grammar.
    pub grammar: fn() -> tree_sitter::Language,
    /// The query texts, by group; the first pattern that captures a node wins.
    pub queries: Queries,
    /// What is blanked before the parse: patterns, whether they are quotes, and whether they are for a
    /// second parse of a text that has errors.
    pub masks: &'static [(&'static str, bool, bool)],
    /// How lines that define something look: kinds and patterns whose first group is the name.
    pub definition_patterns: &'static [(&'static str, &'static str)],
    /// How what stands before an opening brace looks, where the brace opens something with a name: kinds and
    /// patterns whose first group is the name.
    pub scope_patterns: &'static [(&'static str, &'static str)],
    /// Types that stand for their first argument where members are looked up.
    pub wrappers: &'static [&'static str],
    /// Members that hand on what they are called on, where its type has none of that name.
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
    /// The folders of the queries, in order.
    pub query_folders: &'static [&'static str],
    compiled: OnceLock<CompiledLanguage>,
}

impl Language {
    /// The compiled queries, made at the first use in a process.
    pub fn compiled(&self) -> &CompiledLanguage {
        self.compiled.get_or_init(|| match CompiledLanguage::new(self, &self.queries) {
            Ok(compiled) => compiled,
            // The texts are part of this program and a test compiles them all.
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

    /// The same language with other queries: how new ones are tried before they are compiled in.
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
    /// Pieces of other languages.
    pub embedded: &'static [&'static str],
    /// What is said of types.
    pub types: &'static [&'static str],
}

impl Queries {
    /// No queries.
    pub const NONE: Self = Self { symbols: &[], references: &[], blocks: &[], embedded: &[], types: &[] };

    /// All of them.
    #[must_use]
    pub const fn all(&self) -> [&'static [&'static str]; 5] {
        [self.symbols, self.references, self.blocks, self.embedded, self.types]
    }
}

/// How much of a text tells what it is, in bytes.
const MAX_DETECTION_BYTES: usize = 64 << 10;

/// Recognises a file by its name and, where that says nothing or too little, by its text.
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
        // What stands behind a dot need not be an extension.
        let interpreter = interpreter(head.lines().next().unwrap_or(""))?;
        return LANGUAGES.iter().find(|language| language.interpreters.contains(&interpreter));
    };
    // Extensions are reused: `.ts` is also a translation table, `.cs` a resource.
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

/// The language of a name in `--language` or in a table.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.name == name)
}

/// The language that people mean by a word: its name, another name, or an extension.
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

//! The supported languages: a sorted table of rows, and the compiled queries of each row.
//!
//! A language is data. A row contains what queries cannot express: how files are recognised, how
//! owners and names are joined, how modules are found. Queries and fixtures are in
//! `pipeline/syntax/languages/<folder>/`; `docs/captures.md` describes their vocabulary.

mod compiled;
mod mask;
#[cfg(test)]
mod matches;
mod queries;
mod row;
mod rules;
mod table;

pub use compiled::{CallNode, CaptureRole, CompileError, CompiledLanguage, GrammarField, MacroCode, ScopeNode};
pub use mask::{Mask, Replacement};
pub use queries::{Highlights, Queries};
pub use row::Language;
pub use rules::{Export, MapLoops, ModuleSystem, ReceiverKeyword};
pub use table::LANGUAGES;

/// The language name of files without a detected language.
pub const TEXT: &str = "text";

/// How much of a text is examined to detect its language, in bytes.
const MAX_DETECTION_BYTES: usize = 64 << 10;

/// Detects the language by file name and, if that is not enough, by markers or a `#!` line in the text.
#[must_use]
pub fn detect(file_name: &str, text: &str) -> Option<&'static Language> {
    let head = &text[..text.floor_char_boundary(MAX_DETECTION_BYTES)];
    if let Some(named) = LANGUAGES.iter().find(|language| language.file_names.contains(&file_name)) {
        return Some(named);
    }
    // A build writes `a.h` from the template `a.h.in`.
    let file_name = file_name.strip_suffix(".in").filter(|name| name.contains('.')).unwrap_or(file_name);
    let extension = file_name.rsplit_once('.').map_or("", |(_, extension)| extension).to_ascii_lowercase();
    let has = |list: &[&str]| list.contains(&extension.as_str());
    let candidate = LANGUAGES
        .iter()
        // The row of a language with more markers comes later: C++ after C.
        .rfind(|language| has(language.shared_extensions) && has_content_marker(head, language.content_markers))
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

/// Whether a language of a family has files of declarations only.
#[must_use]
pub fn has_header_languages(family: &str) -> bool {
    LANGUAGES.iter().any(|language| language.family == family && language.is_header_language)
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
    fn languages_with_one_standard_library_know_the_same_methods_of_it() {
        let rows: [fn(&Language) -> &'static [&'static str]; 11] = [
            |row| row.argument_functions,
            |row| row.element_members,
            |row| row.element_methods,
            |row| row.flattening_methods,
            |row| row.folding_callbacks,
            |row| row.indexed_methods,
            |row| row.iterator_methods,
            |row| row.mapping_methods,
            |row| row.pair_methods,
            |row| row.result_methods,
            |row| row.value_methods,
        ];
        let javascript = by_name("javascript").unwrap();
        for language in ["tsx", "typescript"].map(|name| by_name(name).unwrap()) {
            assert_eq!(language.map_loops, javascript.map_loops, "{}", language.name);
            for methods in &rows {
                assert_eq!(methods(language), methods(javascript), "{}", language.name);
            }
        }
    }

    #[test]
    fn templates_and_included_lists_have_the_language_of_their_text() {
        let name = |file: &str, text: &str| detect(file, text).map(|language| language.name);
        assert_eq!(name("config.h.in", "#define VERSION @version@\n"), Some("c"));
        assert_eq!(name("setup.py.in", "x = 1\n"), Some("python"));
        assert_eq!(name("requirements.in", "django\n"), None);
        assert_eq!(name("commands.def", "#ifndef COMMAND\nCOMMAND(get)\n"), Some("c"));
        assert_eq!(name("passes.inc", "#ifdef PASS\nclass Pass;\n#endif\n"), Some("cpp"));
        assert_eq!(name("exports.def", "LIBRARY a\nEXPORTS\n"), None);
        assert_eq!(name("page.inc", "<?php\n#define nothing\n"), Some("php"));
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

//! The rows, sorted by name.

use std::sync::LazyLock;

use super::{Compiled, Export, Language, Modules, Queries};

/// The query files of the folders, in order.
macro_rules! queries {
    ($($folder:literal),*) => {
        Queries {
            symbols: &[$(include_str!(concat!("../../languages/", $folder, "/symbols.scm"))),*],
            references: &[$(include_str!(concat!("../../languages/", $folder, "/references.scm"))),*],
            blocks: &[$(include_str!(concat!("../../languages/", $folder, "/blocks.scm"))),*],
        }
    };
}

/// One row; what is not said is empty or false.
macro_rules! language {
    (
        $name:literal, family: $family:literal, grammar: $grammar:path, queries: [$($folder:literal),*],
        extensions: $extensions:expr, separator: $separator:literal, export: $export:ident,
        modules: $modules:ident $(, file_names: $file_names:expr)? $(, interpreters: $interpreters:expr)?
        $(, folder_is_package: $package:literal)? $(, implicit_this: $this:literal)?
    ) => {
        Language {
            name: $name,
            family: $family,
            extensions: &$extensions,
            file_names: language!(@or &[] $(, &$file_names)?),
            interpreters: language!(@or &[] $(, &$interpreters)?),
            separator: $separator,
            export: Export::$export,
            modules: Modules::$modules,
            folder_is_package: language!(@or false $(, $package)?),
            implicit_this: language!(@or false $(, $this)?),
            grammar: || $grammar.into(),
            queries: queries!($($folder),*),
            compiled: LazyLock::new(|| {
                let queries = queries!($($folder),*);
                match Compiled::new(&$grammar.into(), &queries) {
                    Ok(compiled) => compiled,
                    // The texts are part of this program and a test compiles them all.
                    Err(error) => panic!("the queries of {} do not compile: {error}", $name),
                }
            }),
        }
    };
    (@or $default:expr) => { $default };
    (@or $default:expr, $given:expr) => { $given };
}

/// Every language, sorted by name.
pub static LANGUAGES: [Language; 10] = [
    language! {
        "c", family: "c", grammar: tree_sitter_c::LANGUAGE, queries: ["c"],
        extensions: ["c", "h"], separator: "::", export: NotStatic, modules: Include
    },
    language! {
        "cpp", family: "c", grammar: tree_sitter_cpp::LANGUAGE, queries: ["cpp", "c"],
        extensions: ["cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "inl", "tpp", "cppm", "cu", "cuh"],
        separator: "::", export: NotStatic, modules: Include, implicit_this: true
    },
    language! {
        "go", family: "go", grammar: tree_sitter_go::LANGUAGE, queries: ["go"],
        extensions: ["go"], separator: ".", export: UpperCase, modules: Go, folder_is_package: true
    },
    language! {
        "java", family: "java", grammar: tree_sitter_java::LANGUAGE, queries: ["java"],
        extensions: ["java"], separator: ".", export: Captured, modules: Java,
        folder_is_package: true, implicit_this: true
    },
    language! {
        "javascript", family: "ecma", grammar: tree_sitter_javascript::LANGUAGE, queries: ["javascript", "ecma"],
        extensions: ["js", "mjs", "cjs", "jsx"], separator: ".", export: Captured, modules: EcmaScript,
        interpreters: ["node", "nodejs", "deno", "bun"]
    },
    language! {
        "markdown", family: "markdown", grammar: tree_sitter_md::LANGUAGE, queries: ["markdown"],
        extensions: ["md", "markdown", "mdx"], separator: " > ", export: All, modules: None
    },
    language! {
        "python", family: "python", grammar: tree_sitter_python::LANGUAGE, queries: ["python"],
        extensions: ["py", "pyi", "pyw"], separator: ".", export: NoUnderscore, modules: Python,
        interpreters: ["python"]
    },
    language! {
        "rust", family: "rust", grammar: tree_sitter_rust::LANGUAGE, queries: ["rust"],
        extensions: ["rs"], separator: "::", export: Captured, modules: Rust
    },
    language! {
        "tsx", family: "ecma", grammar: tree_sitter_typescript::LANGUAGE_TSX, queries: ["tsx", "typescript", "ecma"],
        extensions: ["tsx"], separator: ".", export: Captured, modules: EcmaScript
    },
    language! {
        "typescript", family: "ecma", grammar: tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        queries: ["typescript", "ecma"],
        extensions: ["ts", "mts", "cts"], separator: ".", export: Captured, modules: EcmaScript
    },
];

//! `languages/<name>/language.toml` into the table that `src/language/table.rs` includes.
//!
//! A row is data: adding a language is a folder and a line in `Cargo.toml`.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use serde::Deserialize;

/// `language.toml`; docs/captures.md tells what the fields mean.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    grammar: String,
    family: Option<String>,
    queries: Option<Vec<String>>,
    #[serde(default)]
    extensions: Vec<String>,
    #[serde(default)]
    shared_extensions: Vec<String>,
    #[serde(default)]
    marks: Vec<String>,
    #[serde(default)]
    file_names: Vec<String>,
    #[serde(default)]
    interpreters: Vec<String>,
    #[serde(default)]
    aliases: Vec<String>,
    separator: String,
    export: Export,
    modules: Option<String>,
    #[serde(default)]
    folder_is_package: bool,
    #[serde(default)]
    implicit_this: bool,
    #[serde(default)]
    members_need_receiver: bool,
    #[serde(default)]
    types_are_told: bool,
    #[serde(default)]
    methods_apart: bool,
    #[serde(default)]
    only_declares: bool,
    #[serde(default)]
    merge_clauses: bool,
    #[serde(default)]
    is_data: bool,
    #[serde(default)]
    wrappers: Vec<String>,
    #[serde(default)]
    pass_through: Vec<String>,
    #[serde(default)]
    masks: Vec<Mask>,
    #[serde(default)]
    heads: Vec<Head>,
    #[serde(default)]
    scopes: Vec<Head>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mask {
    pattern: String,
    #[serde(default)]
    quote: bool,
    #[serde(default)]
    retry: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    kind: String,
    pattern: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Export {
    Captured,
    UpperCase,
    NoUnderscore,
    All,
    HiddenBy(Vec<String>),
    ShownBy(Vec<String>),
}

#[expect(clippy::disallowed_methods, reason = "a build script gets its settings and files from cargo")]
fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let languages = Path::new(&root).join("languages");
    println!("cargo::rerun-if-changed={}", languages.display());
    let mut rows: Vec<(String, Row)> = fs::read_dir(&languages)
        .expect("the folder of the languages")
        .map(|entry| entry.expect("an entry of that folder").path())
        .filter(|folder| folder.join("language.toml").is_file())
        .map(|folder| {
            let path = folder.join("language.toml");
            let text = fs::read_to_string(&path).expect("a readable row");
            let row = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let name = folder.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
            (name.to_owned(), row)
        })
        .collect();
    rows.sort_by(|a, b| a.0.cmp(&b.0));
    let mut out =
        format!("/// Every language, sorted by name.\npub static LANGUAGES: [Language; {}] = [\n", rows.len());
    for (name, row) in &rows {
        write_row(&mut out, &languages, name, row);
    }
    out.push_str("];\n");
    let target = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("table.rs");
    fs::write(target, out).expect("a writable output folder");
}

fn write_row(out: &mut String, languages: &Path, name: &str, row: &Row) {
    let own = vec![name.to_owned()];
    let folders = row.queries.as_ref().unwrap_or(&own);
    let texts = |file: &str| {
        let mut list = String::new();
        for folder in folders {
            let path = languages.join(folder).join(file);
            if path.is_file() {
                let _ = write!(list, "include_str!({path:?}), ");
            }
        }
        list
    };
    let queries = format!(
        "Queries {{ symbols: &[{}], references: &[{}], blocks: &[{}], embedded: &[{}], types: &[{}] }}",
        texts("symbols.scm"),
        texts("references.scm"),
        texts("blocks.scm"),
        texts("embedded.scm"),
        texts("types.scm"),
    );
    let export = match &row.export {
        Export::Captured => "Captured".to_owned(),
        Export::UpperCase => "UpperCase".to_owned(),
        Export::NoUnderscore => "NoUnderscore".to_owned(),
        Export::All => "All".to_owned(),
        Export::HiddenBy(words) => format!("HiddenBy(&{words:?})"),
        Export::ShownBy(words) => format!("ShownBy(&{words:?})"),
    };
    let masks: Vec<_> = row.masks.iter().map(|mask| (&mask.pattern, mask.quote, mask.retry)).collect();
    let heads: Vec<_> = row.heads.iter().map(|head| (&head.kind, &head.pattern)).collect();
    let scopes: Vec<_> = row.scopes.iter().map(|head| (&head.kind, &head.pattern)).collect();
    let grammar = &row.grammar;
    let _ = writeln!(
        out,
        "Language {{ name: {name:?}, family: {:?}, extensions: &{:?}, shared_extensions: &{:?}, marks: &{:?}, \
         file_names: &{:?}, interpreters: &{:?}, aliases: &{:?}, separator: {:?}, export: Export::{export}, \
         modules: Modules::{}, folder_is_package: {}, implicit_this: {}, members_need_receiver: {}, types_are_told: {}, methods_apart: {}, only_declares: {}, merge_clauses: {}, is_data: {}, \
         masks: &{masks:?}, heads: &{heads:?}, scopes: &{scopes:?}, wrappers: &{:?}, pass_through: &{:?}, folders: &{folders:?}, grammar: || {grammar}.into(), queries: {queries}, compiled: OnceLock::new() }},",
        row.family.as_deref().unwrap_or(name),
        row.extensions,
        row.shared_extensions,
        row.marks,
        row.file_names,
        row.interpreters,
        row.aliases,
        row.separator,
        row.modules.as_deref().unwrap_or("None"),
        row.folder_is_package,
        row.implicit_this,
        row.members_need_receiver,
        row.types_are_told,
        row.methods_apart,
        row.only_declares,
        row.merge_clauses,
        row.is_data,
        row.wrappers,
        row.pass_through,
    );
}

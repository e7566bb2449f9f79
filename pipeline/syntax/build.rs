//! Generates the table of languages, which `src/language/table.rs` includes, from
//! `languages/<name>/language.toml`.
//!
//! A new language needs only a folder and a line in `Cargo.toml`.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use serde::Deserialize;

/// The contents of `language.toml`; docs/captures.md describes the fields.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LanguageConfig {
    grammar: String,
    /// Constants of grammars' crates.
    #[serde(default)]
    highlights: Vec<String>,
    #[serde(default)]
    injections: Vec<String>,
    #[serde(default)]
    locals: Vec<String>,
    family: Option<String>,
    query_folders: Option<Vec<String>>,
    #[serde(default)]
    extensions: Vec<String>,
    #[serde(default)]
    shared_extensions: Vec<String>,
    #[serde(default)]
    content_markers: Vec<String>,
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
    closed_members: bool,
    #[serde(default)]
    separate_call_namespace: bool,
    #[serde(default)]
    separate_member_namespaces: bool,
    #[serde(default)]
    open_enums: bool,
    #[serde(default)]
    open_types: bool,
    #[serde(default)]
    reopened_types: bool,
    #[serde(default)]
    implicit_interfaces: bool,
    #[serde(default)]
    declaration_words: Vec<String>,
    #[serde(default)]
    links_definitions: bool,
    #[serde(default)]
    has_preprocessor: bool,
    #[serde(default)]
    array_types_are_elements: bool,
    #[serde(default)]
    is_header_language: bool,
    #[serde(default)]
    merge_clauses: bool,
    #[serde(default)]
    is_data: bool,
    #[serde(default)]
    calls_read_properties: bool,
    #[serde(default)]
    max_levels: u32,
    #[serde(default)]
    max_delimiter: u32,
    #[serde(default)]
    blocks_are_no_scopes: bool,
    #[serde(default)]
    wrappers: Vec<String>,
    #[serde(default)]
    transparent_methods: Vec<String>,
    #[serde(default)]
    element_methods: Vec<String>,
    #[serde(default)]
    iterator_methods: Vec<String>,
    #[serde(default)]
    value_methods: Vec<String>,
    #[serde(default)]
    pair_methods: Vec<String>,
    #[serde(default)]
    pair_members: Vec<String>,
    #[serde(default)]
    element_members: Vec<String>,
    #[serde(default)]
    indexed_methods: Vec<String>,
    #[serde(default)]
    cursor_methods: Vec<String>,
    #[serde(default)]
    keying_methods: Vec<String>,
    #[serde(default)]
    grouping_methods: Vec<String>,
    #[serde(default)]
    chunking_methods: Vec<String>,
    #[serde(default)]
    class_method_modules: Vec<String>,
    #[serde(default)]
    names_are_keys: bool,
    #[serde(default)]
    has_bare_arguments: bool,
    #[serde(default)]
    map_loops: Option<String>,
    #[serde(default)]
    pair_callbacks: Vec<String>,
    #[serde(default)]
    folding_callbacks: Vec<String>,
    #[serde(default)]
    argument_functions: Vec<String>,
    #[serde(default)]
    mapping_methods: Vec<String>,
    #[serde(default)]
    flattening_methods: Vec<String>,
    #[serde(default)]
    result_methods: Vec<String>,
    #[serde(default)]
    has_collection_literals: bool,
    #[serde(default)]
    collection_makers: Vec<String>,
    #[serde(default)]
    constructor_names: Vec<String>,
    #[serde(default)]
    prelude_macros: Vec<String>,
    #[serde(default)]
    element_callbacks: Vec<String>,
    #[serde(default)]
    receiver_callbacks: Vec<String>,
    #[serde(default)]
    receiver_scopes: Vec<String>,
    #[serde(default)]
    implicit_parameters: Vec<String>,
    #[serde(default)]
    literal_types: Vec<String>,
    #[serde(default)]
    conversions: Vec<String>,
    #[serde(default)]
    boxed_types: Vec<String>,
    #[serde(default)]
    value_types: Vec<String>,
    #[serde(default)]
    awaited_types: Vec<String>,
    #[serde(default)]
    element_types: Vec<String>,
    #[serde(default)]
    iterator_members: Vec<String>,
    #[serde(default)]
    entry_members: Vec<String>,
    #[serde(default)]
    context_members: Vec<String>,
    #[serde(default)]
    classes_are_values: bool,
    #[serde(default)]
    casts: Vec<String>,
    #[serde(default)]
    has_narrowing: bool,
    #[serde(default)]
    has_object_bodies: bool,
    #[serde(default)]
    variables_name_types: bool,
    #[serde(default)]
    imports_from_values: bool,
    #[serde(default)]
    extends_by_parameter: bool,
    #[serde(default)]
    has_companions: bool,
    #[serde(default)]
    has_local_constants: bool,
    #[serde(default)]
    pipe_operators: Vec<String>,
    #[serde(default)]
    instance_members: Vec<String>,
    #[serde(default)]
    stub_endings: Vec<String>,
    #[serde(default)]
    has_doc_types: bool,
    #[serde(default)]
    dotted_names: bool,
    #[serde(default)]
    brackets_are_type_arguments: bool,
    #[serde(default)]
    self_names: Vec<String>,
    #[serde(default)]
    self_type_names: Vec<String>,
    #[serde(default)]
    self_module_names: Vec<String>,
    #[serde(default)]
    super_names: Vec<String>,
    #[serde(default)]
    conventional_names: Vec<String>,
    #[serde(default)]
    type_keywords_need_path: bool,
    #[serde(default)]
    path_roots: Vec<String>,
    #[serde(default)]
    callable_members: Vec<String>,
    #[serde(default)]
    folder_stems: Vec<String>,
    #[serde(default)]
    masks: Vec<Mask>,
    #[serde(default)]
    definition_patterns: Vec<KindPattern>,
    #[serde(default)]
    scope_patterns: Vec<KindPattern>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mask {
    pattern: String,
    #[serde(default)]
    quote: bool,
    #[serde(default)]
    semicolon: bool,
    #[serde(default)]
    join: bool,
    #[serde(default)]
    retry: bool,
    /// Whether it is for this language alone, and not for those that use its queries.
    #[serde(default)]
    own: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KindPattern {
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

#[expect(
    clippy::disallowed_methods,
    reason = "cargo passes settings and files to a build script through the environment"
)]
fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("set by cargo");
    let languages = Path::new(&root).join("languages");
    println!("cargo::rerun-if-changed={}", languages.display());
    let mut configs: Vec<(String, LanguageConfig)> = fs::read_dir(&languages)
        .expect("the languages folder is readable")
        .map(|entry| entry.expect("the entry is readable").path())
        .filter(|folder| folder.join("language.toml").is_file())
        .map(|folder| {
            let path = folder.join("language.toml");
            let text = fs::read_to_string(&path).expect("language.toml is readable");
            let config: LanguageConfig =
                toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            check(&config).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let name = folder.file_name().and_then(|name| name.to_str()).expect("the folder name is UTF-8");
            (name.to_owned(), config)
        })
        .collect();
    configs.sort_by(|a, b| a.0.cmp(&b.0));
    let mut out =
        format!("/// Every language, sorted by name.\npub static LANGUAGES: [Language; {}] = [\n", configs.len());
    for (name, config) in &configs {
        write_language(&mut out, &languages, name, config, &configs);
    }
    out.push_str("];\n");
    let target = Path::new(&env::var("OUT_DIR").expect("set by cargo")).join("table.rs");
    fs::write(target, out).expect("OUT_DIR is writable");
}

/// The names of `standard_members.txt` in a language's folder, sorted; none where there is no such file.
#[expect(clippy::disallowed_methods, reason = "a file that is not there is no error, and a build script has no fs-err")]
fn standard_members(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("standard_members.txt")).unwrap_or_default();
    let mut names: Vec<String> = text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
    names.sort_unstable();
    names
}

/// Checks what the types of the fields cannot express.
fn check(config: &LanguageConfig) -> Result<(), String> {
    let keywords = [&config.self_names, &config.self_type_names, &config.self_module_names, &config.super_names];
    match config.conventional_names.iter().find(|name| !keywords.iter().any(|list| list.contains(name))) {
        Some(name) => Err(format!("conventional_names has {name:?}, which is in none of the lists of receiver names")),
        None => Ok(()),
    }
}

fn write_language(
    out: &mut String,
    languages: &Path,
    name: &str,
    config: &LanguageConfig,
    configs: &[(String, LanguageConfig)],
) {
    let own_folder = vec![name.to_owned()];
    let query_folders = config.query_folders.as_ref().unwrap_or(&own_folder);
    let texts = |file: &str| {
        let mut list = String::new();
        for folder in query_folders {
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
    let own_highlights = languages.join(name).join("highlights.scm");
    let own_highlights =
        if own_highlights.is_file() { format!("include_str!({own_highlights:?})") } else { String::new() };
    let constants = |names: &[String]| names.iter().fold(String::new(), |list, name| list + name + ", ");
    let highlights = format!(
        "Highlights {{ highlights: &[{}{own_highlights}], injections: &[{}], locals: &[{}] }}",
        constants(&config.highlights),
        constants(&config.injections),
        constants(&config.locals),
    );
    let export = match &config.export {
        Export::Captured => "Captured".to_owned(),
        Export::UpperCase => "UpperCase".to_owned(),
        Export::NoUnderscore => "NoUnderscore".to_owned(),
        Export::All => "All".to_owned(),
        Export::HiddenBy(words) => format!("HiddenBy(&{words:?})"),
        Export::ShownBy(words) => format!("ShownBy(&{words:?})"),
    };
    // Whoever uses the queries of another language uses its masks, too.
    let others = query_folders.iter().filter(|folder| *folder != name);
    let others = others.filter_map(|folder| configs.iter().find(|(other, _)| other == folder));
    let inherited = others.flat_map(|(_, other)| other.masks.iter().filter(|mask| !mask.own));
    let masks = config.masks.iter().chain(inherited);
    let masks: Vec<String> = masks
        .map(|mask| {
            let replacement = match mask {
                Mask { quote: true, .. } => "Quote",
                Mask { semicolon: true, .. } => "Semicolon",
                Mask { join: true, .. } => "Join",
                _ => "Blank",
            };
            format!("({:?}, Replacement::{replacement}, {})", mask.pattern, mask.retry)
        })
        .collect();
    let masks = masks.join(", ");
    let definition_patterns: Vec<_> =
        config.definition_patterns.iter().map(|entry| (&entry.kind, &entry.pattern)).collect();
    let scope_patterns: Vec<_> = config.scope_patterns.iter().map(|entry| (&entry.kind, &entry.pattern)).collect();
    let standard_members = standard_members(&languages.join(name));
    let grammar = &config.grammar;
    let _ = writeln!(
        out,
        "Language {{ name: {name:?}, family: {:?}, extensions: &{:?}, shared_extensions: &{:?}, content_markers: &{:?}, \
         file_names: &{:?}, interpreters: &{:?}, aliases: &{:?}, separator: {:?}, export: Export::{export}, \
         modules: ModuleSystem::{}, folder_is_package: {}, implicit_this: {}, members_need_receiver: {}, closed_members: {}, separate_call_namespace: {}, separate_member_namespaces: {}, open_enums: {}, open_types: {}, reopened_types: {}, implicit_interfaces: {}, declaration_words: &{:?}, links_definitions: {}, has_preprocessor: {}, array_types_are_elements: {}, is_header_language: {}, merge_clauses: {}, is_data: {}, calls_read_properties: {}, max_levels: {}, max_delimiter: {}, blocks_are_no_scopes: {}, \
         masks: &[{masks}], definition_patterns: &{definition_patterns:?}, scope_patterns: &{scope_patterns:?}, wrappers: &{:?}, transparent_methods: &{:?}, element_methods: &{:?}, iterator_methods: &{:?}, value_methods: &{:?}, pair_methods: &{:?}, pair_members: &{:?}, element_members: &{:?}, indexed_methods: &{:?}, cursor_methods: &{:?}, keying_methods: &{:?}, grouping_methods: &{:?}, chunking_methods: &{:?}, class_method_modules: &{:?}, names_are_keys: {}, has_bare_arguments: {}, map_loops: MapLoops::{}, pair_callbacks: &{:?}, folding_callbacks: &{:?}, argument_functions: &{:?}, mapping_methods: &{:?}, flattening_methods: &{:?}, result_methods: &{:?}, has_collection_literals: {}, collection_makers: &{:?}, constructor_names: &{:?}, prelude_macros: &{:?}, element_callbacks: &{:?}, receiver_callbacks: &{:?}, receiver_scopes: &{:?}, implicit_parameters: &{:?}, literal_types: &{:?}, conversions: &{:?}, boxed_types: &{:?}, \
         value_types: &{:?}, awaited_types: &{:?}, element_types: &{:?}, iterator_members: &{:?}, entry_members: &{:?}, context_members: &{:?}, classes_are_values: {}, casts: &{:?}, has_narrowing: {}, has_object_bodies: {}, variables_name_types: {}, imports_from_values: {}, extends_by_parameter: {}, has_companions: {}, has_local_constants: {}, pipe_operators: &{:?}, instance_members: &{:?}, stub_endings: &{:?}, has_doc_types: {}, dotted_names: {}, brackets_are_type_arguments: {}, standard_members: &{standard_members:?}, \
         self_names: &{:?}, self_type_names: &{:?}, self_module_names: &{:?}, super_names: &{:?}, conventional_names: &{:?}, \
         type_keywords_need_path: {}, path_roots: &{:?}, callable_members: &{:?}, folder_stems: &{:?}, query_folders: &{query_folders:?}, grammar: || {grammar}.into(), queries: {queries}, highlights: {highlights}, compiled: OnceLock::new() }},",
        config.family.as_deref().unwrap_or(name),
        config.extensions,
        config.shared_extensions,
        config.content_markers,
        config.file_names,
        config.interpreters,
        config.aliases,
        config.separator,
        config.modules.as_deref().unwrap_or("None"),
        config.folder_is_package,
        config.implicit_this,
        config.members_need_receiver,
        config.closed_members,
        config.separate_call_namespace,
        config.separate_member_namespaces,
        config.open_enums,
        config.open_types,
        config.reopened_types,
        config.implicit_interfaces,
        config.declaration_words,
        config.links_definitions,
        config.has_preprocessor,
        config.array_types_are_elements,
        config.is_header_language,
        config.merge_clauses,
        config.is_data,
        config.calls_read_properties,
        config.max_levels,
        config.max_delimiter,
        config.blocks_are_no_scopes,
        config.wrappers,
        config.transparent_methods,
        config.element_methods,
        config.iterator_methods,
        config.value_methods,
        config.pair_methods,
        config.pair_members,
        config.element_members,
        config.indexed_methods,
        config.cursor_methods,
        config.keying_methods,
        config.grouping_methods,
        config.chunking_methods,
        config.class_method_modules,
        config.names_are_keys,
        config.has_bare_arguments,
        config.map_loops.as_deref().unwrap_or("Keys"),
        config.pair_callbacks,
        config.folding_callbacks,
        config.argument_functions,
        config.mapping_methods,
        config.flattening_methods,
        config.result_methods,
        config.has_collection_literals,
        config.collection_makers,
        config.constructor_names,
        config.prelude_macros,
        config.element_callbacks,
        config.receiver_callbacks,
        config.receiver_scopes,
        config.implicit_parameters,
        config.literal_types,
        config.conversions,
        config.boxed_types,
        config.value_types,
        config.awaited_types,
        config.element_types,
        config.iterator_members,
        config.entry_members,
        config.context_members,
        config.classes_are_values,
        config.casts,
        config.has_narrowing,
        config.has_object_bodies,
        config.variables_name_types,
        config.imports_from_values,
        config.extends_by_parameter,
        config.has_companions,
        config.has_local_constants,
        config.pipe_operators,
        config.instance_members,
        config.stub_endings,
        config.has_doc_types,
        config.dotted_names,
        config.brackets_are_type_arguments,
        config.self_names,
        config.self_type_names,
        config.self_module_names,
        config.super_names,
        config.conventional_names,
        config.type_keywords_need_path,
        config.path_roots,
        config.callable_members,
        config.folder_stems,
    );
}

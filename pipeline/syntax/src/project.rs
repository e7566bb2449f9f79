//! Parses project files that map module names to paths: `package.json`, `tsconfig.json`, `go.mod` and
//! `Cargo.toml`. This module reads one file; resolving a name needs all files and happens in
//! `sextant-resolve`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// At most this many entries of a map are read.
const MAX_MAP_ENTRIES: usize = 1_000;

/// The module configuration of a project file. Paths are as written, relative to the file's folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProjectConfig {
    /// The name by which others import the package.
    pub name: Option<String>,
    /// Module names and their candidate paths, of which the first that exists is used. `*` in a name matches any
    /// text, which replaces `*` in the path. Names of a package begin with `.` or `#`.
    pub path_mappings: Vec<(String, Vec<String>)>,
    /// The folder to which module names and paths are relative, if not the file's own. For a crate, its root file.
    pub base_path: Option<String>,
    /// The file that provides settings which this one lacks.
    pub extends: Option<String>,
    /// The packages that this one depends on: by the name that code uses, the package's own name.
    pub dependencies: Vec<(String, String)>,
}

/// Whether a file of this name is a project file.
#[must_use]
pub fn is_project_file(name: &str) -> bool {
    matches!(name, "go.mod" | "Cargo.toml" | "package.json") || is_tsconfig(name)
}

fn is_tsconfig(name: &str) -> bool {
    (name.starts_with("tsconfig") || name.starts_with("jsconfig")) && name.ends_with(".json")
}

/// Parses a project file. Returns `None` for any other file, and for invalid JSON or TOML.
#[must_use]
pub fn parse_project_config(path: &str, text: &str) -> Option<ProjectConfig> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name == "go.mod" {
        let module = text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
        let module = module.split("//").next().unwrap_or("").trim().trim_matches('"');
        return Some(ProjectConfig { name: Some(module.to_owned()), ..ProjectConfig::default() });
    }
    if name == "Cargo.toml" {
        return parse_cargo_toml(&text.parse().ok()?);
    }
    let is_tsconfig = is_tsconfig(name);
    if name != "package.json" && !is_tsconfig {
        return None;
    }
    // Comments and trailing commas are common in these files.
    let value: Value = jsonc_parser::parse_to_serde_value(text, &jsonc_parser::ParseOptions::default()).ok()?;
    value.is_object().then(|| if is_tsconfig { parse_tsconfig(&value) } else { parse_package_json(&value) })
}

fn string_value(value: Option<&Value>) -> Option<String> {
    value.and_then(Value::as_str).map(str::to_owned)
}

/// The crate's name as written in paths, and the root file of its library.
fn parse_cargo_toml(manifest: &toml::Table) -> Option<ProjectConfig> {
    let text = |table: &str, key: &str| manifest.get(table)?.get(key)?.as_str();
    let name = text("lib", "name").or_else(|| text("package", "name"))?;
    let root = text("lib", "path").unwrap_or("src/lib.rs");
    Some(ProjectConfig {
        name: Some(name.replace('-', "_")),
        base_path: Some(root.to_owned()),
        dependencies: cargo_dependencies(manifest),
        ..ProjectConfig::default()
    })
}

/// The crates that a manifest depends on, by the names that code uses, also those of single platforms.
fn cargo_dependencies(manifest: &toml::Table) -> Vec<(String, String)> {
    let platforms = manifest.get("target").and_then(toml::Value::as_table).into_iter().flatten();
    let tables = platforms.filter_map(|(_, platform)| platform.as_table()).chain([manifest]);
    let kinds = ["dependencies", "dev-dependencies", "build-dependencies"];
    let written = tables.flat_map(|table| kinds.iter().filter_map(|kind| table.get(*kind)?.as_table()));
    let crate_name = |name: &str| name.replace('-', "_");
    written
        .flatten()
        .take(MAX_MAP_ENTRIES)
        .map(|(name, settings)| {
            let package = settings.get("package").and_then(toml::Value::as_str).unwrap_or(name);
            (crate_name(name), crate_name(package))
        })
        .collect()
}

fn parse_tsconfig(value: &Value) -> ProjectConfig {
    let options = value.get("compilerOptions");
    let option = |name: &str| options.and_then(|options| options.get(name));
    let mut path_mappings = Vec::new();
    for (name, targets) in option("paths").and_then(Value::as_object).into_iter().flatten().take(MAX_MAP_ENTRIES) {
        let targets = targets.as_array().into_iter().flatten().filter_map(|target| string_value(Some(target)));
        path_mappings.push((name.clone(), targets.collect()));
    }
    let extends = value.get("extends");
    let extends = extends.and_then(Value::as_array).and_then(|list| list.last()).or(extends);
    ProjectConfig {
        name: None,
        path_mappings,
        base_path: string_value(option("baseUrl")),
        extends: string_value(extends),
        dependencies: Vec::new(),
    }
}

fn parse_package_json(value: &Value) -> ProjectConfig {
    let mut path_mappings: Vec<(String, Vec<String>)> = Vec::new();
    match value.get("exports") {
        Some(Value::Object(map)) if map.keys().any(|key| key.starts_with('.')) => {
            path_mappings.extend(
                map.iter().take(MAX_MAP_ENTRIES).map(|(name, target)| (name.clone(), conditional_targets(target))),
            );
        }
        Some(target) => path_mappings.push((".".to_owned(), conditional_targets(target))),
        None => {}
    }
    if let Some(Value::Object(map)) = value.get("imports") {
        path_mappings
            .extend(map.iter().take(MAX_MAP_ENTRIES).map(|(name, target)| (name.clone(), conditional_targets(target))));
    }
    let entries = ["source", "module", "main", "types", "typings", "browser"];
    let entries: Vec<String> = entries.iter().filter_map(|key| string_value(value.get(*key))).collect();
    if !entries.is_empty() {
        match path_mappings.iter_mut().find(|(name, _)| name == ".") {
            Some((_, targets)) => targets.extend(entries),
            None => path_mappings.push((".".to_owned(), entries)),
        }
    }
    let kinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
    let dependencies = kinds.iter().filter_map(|kind| value.get(*kind)?.as_object()).flatten();
    ProjectConfig {
        name: string_value(value.get("name")),
        path_mappings,
        base_path: None,
        extends: None,
        dependencies: dependencies.take(MAX_MAP_ENTRIES).map(|(name, _)| (name.clone(), name.clone())).collect(),
    }
}

/// All paths of a conditional export: source files first, then declarations (`.d.ts`), each in order.
fn conditional_targets(target: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![target];
    while let Some(value) = open.pop() {
        match value {
            Value::String(path) if found.len() < MAX_MAP_ENTRIES => found.push(path.clone()),
            Value::Array(list) => open.extend(list.iter().rev()),
            Value::Object(map) => open.extend(map.values().rev()),
            _ => {}
        }
    }
    // Declarations are generated from the source, which is preferred.
    found.sort_by_key(|path| path.contains(".d."));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tsconfig_has_path_mappings_and_a_base() {
        let text = "{ // a comment\n \"extends\": \"../base.json\", \"compilerOptions\": \
                    { \"baseUrl\": \".\", \"paths\": { \"@a/*\": [\"packages/*/src\"], }, } }";
        let found = parse_project_config("x/tsconfig.json", text).unwrap();
        assert_eq!(found.path_mappings, [("@a/*".to_owned(), vec!["packages/*/src".to_owned()])]);
        assert_eq!((found.base_path.as_deref(), found.extends.as_deref()), (Some("."), Some("../base.json")));
    }

    #[test]
    fn package_json_has_a_name_and_entries() {
        let text = r##"{ "name": "@a/b", "main": "./dist/b.cjs",
            "exports": { ".": { "import": { "types": "./dist/b.d.ts", "default": "./dist/b.js" } }, "./x": "./x.js" },
            "imports": { "#in/*": "./src/in/*.js" } }"##;
        let found = parse_project_config("package.json", text).unwrap();
        assert_eq!(found.name.as_deref(), Some("@a/b"));
        let paths = |name: &str| found.path_mappings.iter().find(|(key, _)| key == name).unwrap().1.join(" ");
        assert_eq!(paths("."), "./dist/b.js ./dist/b.d.ts ./dist/b.cjs");
        assert_eq!((paths("./x"), paths("#in/*")), ("./x.js".to_owned(), "./src/in/*.js".to_owned()));
    }

    #[test]
    fn go_mod_has_a_module_path() {
        let found =
            parse_project_config("a/go.mod", "// about\nmodule example.org/x/y // deprecated\n\ngo 1.22\n").unwrap();
        assert_eq!(found.name.as_deref(), Some("example.org/x/y"));
        assert_eq!(parse_project_config("go.mod", "go 1.22"), None);
    }

    #[test]
    fn cargo_toml_has_a_name_and_a_root() {
        let parsed = |text| {
            parse_project_config("a/Cargo.toml", text).map(|found| (found.name.unwrap(), found.base_path.unwrap()))
        };
        let named = |name: &str, root: &str| Some((name.to_owned(), root.to_owned()));
        assert_eq!(parsed("[package]\nname = \"a-b\"\n"), named("a_b", "src/lib.rs"));
        assert_eq!(parsed("[package]\nname = \"a\"\n[lib]\nname = \"c\"\npath = \"c.rs\"\n"), named("c", "c.rs"));
        assert_eq!(parsed("[workspace]\nmembers = [\"a\"]\n"), None);
        assert_eq!(parsed("[package"), None);
    }

    #[test]
    fn dependencies_are_listed_by_the_name_that_code_uses() {
        let listed = |path, text| parse_project_config(path, text).unwrap().dependencies;
        let pair = |local: &str, package: &str| (local.to_owned(), package.to_owned());
        let cargo = "[package]\nname = \"a\"\n[dependencies]\nb-c = \"1\"\nd = { package = \"e-f\", version = \"1\" }\n\
                     [dev-dependencies]\ng.workspace = true\n[target.'cfg(unix)'.dependencies]\nh = \"1\"\n";
        let mut found = listed("Cargo.toml", cargo);
        found.sort();
        assert_eq!(found, [pair("b_c", "b_c"), pair("d", "e_f"), pair("g", "g"), pair("h", "h")]);
        let package =
            r#"{ "dependencies": { "a": "1" }, "devDependencies": { "@b/c": "2" }, "scripts": { "d": "e" } }"#;
        assert_eq!(listed("package.json", package), [pair("a", "a"), pair("@b/c", "@b/c")]);
    }

    #[test]
    fn other_and_invalid_files_have_no_config() {
        for (path, text) in [
            ("a.json", "{}"),
            ("package.json", "{"),
            ("tsconfig.json", ""),
            ("package.json.txt", "{}"),
            ("package.json", "[1]"),
        ] {
            assert_eq!(parse_project_config(path, text), None, "{path}");
        }
        // Deep nesting must not exhaust the stack.
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(parse_project_config("tsconfig.json", &deep).is_none());
    }
}

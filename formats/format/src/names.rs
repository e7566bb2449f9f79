//! Qualified names into segments, the same for the index and the queries, whatever a language puts
//! between owners and names.

/// Deeper paths of owners are found by their last segments.
const MAX_SEGMENTS: usize = 6;

/// The segments of a qualified name as it is written in any language, outermost owner first.
///
/// The number of parameters at the end (`run/2`) is no part of the name.
///
/// ```
/// use sextant_format::names::segments;
/// assert_eq!(segments("http::Server::run"), ["http", "Server", "run"]);
/// assert_eq!(segments("App\\Models\\User.save"), ["App", "Models", "User", "save"]);
/// assert_eq!(segments("Enum.map/2"), ["Enum", "map"]);
/// assert_eq!(segments("Stack#empty?"), ["Stack", "empty?"]);
/// assert_eq!(segments("Ring.+"), ["Ring", "+"]);
/// ```
#[must_use]
pub fn segments(qualified_name: &str) -> Vec<&str> {
    let name = match qualified_name.rsplit_once('/') {
        Some((name, arity)) if !arity.is_empty() && arity.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => qualified_name,
    };
    name.split(['.', '\\', '#', ':']).flat_map(|part| part.split("->")).filter(|part| !part.is_empty()).collect()
}

/// A name without the marks at its ends that a person leaves out or types for another reason: `empty?`
/// is `empty`, `$scope` is `scope`.
#[must_use]
pub fn strip_punctuation(name: &str) -> &str {
    let plain = name.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
    if plain.is_empty() { name } else { plain }
}

/// Whether a file's stem only says "the file of this folder" or "the program", so that the folder names it.
///
/// For the words of a path. Which stems an *import* leaves out depends on the language: `folder_stems` in
/// `language.toml`.
///
/// ```
/// use sextant_format::names::is_folder_stem;
/// assert!(is_folder_stem("__init__") && is_folder_stem("mod"));
/// assert!(!is_folder_stem("store"));
/// ```
#[must_use]
pub fn is_folder_stem(stem: &str) -> bool {
    matches!(stem, "__init__" | "doc" | "index" | "init" | "lib" | "main" | "mod" | "package" | "package-info")
}

/// What a symbol is looked up by, in lower case: each end of its qualified name of at least two segments,
/// joined by dots, as it stands and with plain segments.
///
/// ```
/// use sextant_format::names::qualified_suffixes;
/// assert_eq!(qualified_suffixes("http::Server::Run"), ["server.run", "http.server.run"]);
/// assert_eq!(qualified_suffixes("Stack#empty?"), ["stack.empty?", "stack.empty"]);
/// assert!(qualified_suffixes("main").is_empty());
/// ```
#[must_use]
pub fn qualified_suffixes(qualified_name: &str) -> Vec<String> {
    let segments = segments(qualified_name);
    let mut out = Vec::new();
    for count in 2..=segments.len().min(MAX_SEGMENTS) {
        let path = &segments[segments.len() - count..];
        out.push(path.join(".").to_lowercase());
        let plain = path.iter().map(|segment| strip_punctuation(segment)).collect::<Vec<_>>().join(".").to_lowercase();
        if out.last() != Some(&plain) {
            out.push(plain);
        }
    }
    out
}

//! Splits qualified names into segments, whatever separators a language uses. The index and queries share it.

/// Maximum number of segments in a suffix; deeper names are found by their last segments.
const MAX_SEGMENTS: usize = 6;

/// Splits a qualified name of any language into segments, outermost owner first.
///
/// An arity at the end (`run/2`) is not part of the name.
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

/// A name without leading and trailing punctuation, which people omit or type for another reason: `empty?` becomes
/// `empty`, `$scope` becomes `scope`. A name of punctuation only stays unchanged.
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

/// The keys by which a symbol is looked up, in lower case: every suffix of its qualified name with two to six segments,
/// joined by dots, as written and with punctuation stripped.
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

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

/// The end of a path that tells a reader which file is meant, and that commands understand: its name with its folder, for
/// many folders have a file of one name. A folder of three letters (`src`, `lib`, `pkg`) says little, so that the one around
/// it is kept too.
///
/// ```
/// use sextant_format::names::short_path;
/// assert_eq!(short_path("src/client/socket.rs"), "client/socket.rs");
/// assert_eq!(short_path("crates/client/src/socket.rs"), "client/src/socket.rs");
/// assert_eq!(short_path("index.ts"), "index.ts");
/// ```
#[must_use]
pub fn short_path(path: &str) -> &str {
    let slashes: Vec<usize> = path.rmatch_indices('/').map(|(at, _)| at).take(3).collect();
    let after = |nth: usize| slashes.get(nth).map_or(0, |slash| slash + 1);
    let folder = slashes.first().map_or("", |&end| &path[after(1)..end]);
    &path[after(if folder.len() <= 3 { 2 } else { 1 })..]
}

/// A qualified name without namespaces, for places where a path tells where it is: the name and its owner. A name with
/// spaces, such as that of a test, stays.
///
/// ```
/// use sextant_format::names::short_name;
/// assert_eq!(short_name("A.B.C.run"), "C.run");
/// assert_eq!(short_name("a::b::run"), "b::run");
/// assert_eq!(short_name("App\\Http\\Order\\store"), "Order\\store");
/// assert_eq!(short_name("My.Mod.fun/2"), "Mod.fun/2");
/// assert_eq!(short_name("a::run"), "a::run");
/// assert_eq!(short_name("suite.adds 1.5 to it"), "suite.adds 1.5 to it");
/// ```
#[must_use]
pub fn short_name(qualified_name: &str) -> &str {
    if qualified_name.contains(char::is_whitespace) {
        return qualified_name;
    }
    let separators = qualified_name.char_indices().rev().filter(|(_, c)| matches!(c, '.' | ':' | '\\' | '#'));
    let mut after = separators.map(|(at, c)| at + c.len_utf8());
    let Some(own) = after.next() else { return qualified_name };
    // `::` is one separator.
    let owner = after.find(|&at| at + 1 < own);
    owner.map_or(qualified_name, |at| &qualified_name[at..])
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

/// The key of a symbol, as answers name it: the same in every index in which its file has it. It is the path of its file,
/// a colon, its qualified name, and `~n` if it is the `n`th of several symbols of that name in the file. `ordinal` is 0 for
/// the only one.
///
/// ```
/// use sextant_format::names::symbol_key;
/// assert_eq!(symbol_key("app", "src/store.rs", "Store::get", 0), "app/src/store.rs:Store::get");
/// assert_eq!(symbol_key("app", "src/store.rs", "Store::get", 2), "app/src/store.rs:Store::get~2");
/// ```
#[must_use]
pub fn symbol_key(repo: &str, path: &str, qualified_name: &str, ordinal: u32) -> String {
    match ordinal {
        0 => format!("{repo}/{path}:{qualified_name}"),
        _ => format!("{repo}/{path}:{qualified_name}~{ordinal}"),
    }
}

/// The key of the chunk with this ordinal among those of a symbol, or among those of a file that belong to none. `owner`
/// is the symbol's key, or the path of the file with its repository.
///
/// ```
/// use sextant_format::names::chunk_key;
/// assert_eq!(chunk_key("app/src/store.rs:Store::get", true, 0), "app/src/store.rs:Store::get");
/// assert_eq!(chunk_key("app/src/store.rs:Store::get", true, 2), "app/src/store.rs:Store::get@2");
/// assert_eq!(chunk_key("app/src/store.rs", false, 0), "app/src/store.rs@0");
/// ```
#[must_use]
pub fn chunk_key(owner: &str, is_symbol: bool, ordinal: u32) -> String {
    if is_symbol && ordinal == 0 { owner.to_owned() } else { format!("{owner}@{ordinal}") }
}

/// Splits a number from the end of a key: `name~2` at `~`.
///
/// ```
/// use sextant_format::names::split_ordinal;
/// assert_eq!(split_ordinal("Store::get~2", '~'), ("Store::get", Some(2)));
/// assert_eq!(split_ordinal("Store::~Store", '~'), ("Store::~Store", None));
/// ```
#[must_use]
pub fn split_ordinal(key: &str, mark: char) -> (&str, Option<u32>) {
    let split = key.rsplit_once(mark).and_then(|(name, ordinal)| Some((name, ordinal.parse().ok()?)));
    split.map_or((key, None), |(name, ordinal)| (name, Some(ordinal)))
}

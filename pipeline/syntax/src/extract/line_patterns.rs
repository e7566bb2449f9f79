//! Finds symbols by line patterns, where a grammar fails.
//!
//! A line is a definition if it matches a pattern of the language's row. Without such patterns, it is one
//! if it begins, after modifiers, with a keyword like `def` or `class` and a name, or looks like the head
//! of a C function. A definition extends to the next one of the same or less indentation. This is coarse,
//! but finds the names that a reader looks for.

use std::sync::LazyLock;

use regex::Regex;
use sextant_format::kinds::Kind;

use super::extraction::{Extraction, file_symbol};
use crate::model::Symbol;

/// At most this many symbols of a text are returned.
const MAX_SYMBOLS: usize = 50_000;
/// Longer lines, in bytes, are not definitions.
const MAX_LINE_BYTES: usize = 400;

static KEYWORD_DEFINITION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^\s*(?:(?:pub(?:\([^)]*\))?|export|default|public|private|protected|internal|static|final|abstract|async|unsafe|extern|inline|virtual|override|open|sealed|data|partial|const|local|declare)\s+)*(fn|def|defp|func|function|fun|sub|proc|class|struct|enum|interface|trait|protocol|module|namespace|object|union|macro|package)\s+(?:self\.)?([\p{L}_$][\p{L}\p{N}_$]*[?!]?)",
    )
});
static C_FUNCTION: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^[A-Za-z_][\w\s*&:<>,~]*?[\s*&](?:[A-Za-z_]\w*::)*(~?[A-Za-z_]\w*)\s*\([^;{}]*\)?\s*(?:const\s*)?\{?\s*$")
});

fn pattern(text: &str) -> Regex {
    match Regex::new(text) {
        Ok(regex) => regex,
        // The patterns are constant, and tests compile them.
        Err(error) => panic!("{error}"),
    }
}

/// Returns the symbol of the file and those that the patterns find in its text.
pub(super) fn find_symbols(path: &str, text: &str, definition_patterns: &[(Kind, Regex)]) -> Vec<Symbol> {
    let mut found = vec![file_symbol(path, text)];
    let mut open: Vec<(usize, usize)> = Vec::new();
    let (mut at, mut last_text_line, mut last_text_end) = (0, 0, 0);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let number = u32::try_from(number + 1).unwrap_or(u32::MAX);
        let (start, trimmed) = (at, line.trim_end());
        at += line.len();
        if trimmed.is_empty() {
            continue;
        }
        if let Some((kind, name)) =
            match_definition(trimmed, definition_patterns).filter(|_| found.len() <= MAX_SYMBOLS)
        {
            let indent = trimmed.len() - trimmed.trim_start().len();
            while let Some((id, _)) = open.pop_if(|(_, outer)| *outer >= indent) {
                found[id].end_line = last_text_line;
                found[id].end_byte = last_text_end;
            }
            let container = open.last().map_or(0, |(id, _)| *id);
            let name_at = line.find(name).unwrap_or(0);
            open.push((found.len(), indent));
            found.push(Symbol {
                name: name.to_owned(),
                qualified_name: name.to_owned(),
                kind,
                lead_line: number,
                start_line: number,
                end_line: number,
                start_byte: start,
                end_byte: at,
                name_line: number,
                name_column: u32::try_from(name_at).unwrap_or(0),
                container: u32::try_from(container).ok(),
                has_body: true,
                signature: super::clean::signature(trimmed),
                doc: None,
                exported: true,
                embedded: false,
                chunk: None,
            });
        }
        (last_text_line, last_text_end) = (number, at);
    }
    for (id, _) in open {
        found[id].end_line = last_text_line;
        found[id].end_byte = last_text_end;
    }
    found
}

/// The kind and name of what a line defines.
pub(super) fn match_definition<'a>(line: &'a str, definition_patterns: &[(Kind, Regex)]) -> Option<(Kind, &'a str)> {
    if line.len() > MAX_LINE_BYTES {
        return None;
    }
    if !definition_patterns.is_empty() {
        return definition_patterns.iter().find_map(|(kind, pattern)| {
            let found = pattern.captures(line)?;
            let name = (1..found.len()).find_map(|group| found.get(group))?;
            (!name.is_empty()).then(|| (*kind, name.as_str()))
        });
    }
    if let Some(found) = KEYWORD_DEFINITION.captures(line) {
        let kind = match &found[1] {
            "class" | "object" => Kind::Class,
            "struct" => Kind::Struct,
            "union" => Kind::Union,
            "enum" => Kind::Enum,
            "interface" | "protocol" => Kind::Interface,
            "trait" => Kind::Trait,
            "module" | "namespace" | "package" => Kind::Namespace,
            "macro" => Kind::Macro,
            _ => Kind::Function,
        };
        let name = found.get(2)?;
        // Punctuation or one of a few words follows a definition's name. Anything else is prose or a parameter.
        let rest = line[name.end()..].trim_start();
        let is_continued = rest.starts_with(char::is_alphabetic)
            && !line.ends_with(['{', ':'])
            && !line.ends_with("where")
            && !["extends", "implements", "where", "is", "do", "of", "final", "with", "permits"]
                .iter()
                .any(|word| rest.starts_with(word));
        let is_parameter = kind.is_type() && line.ends_with([',', ';', ')']);
        return (!is_continued && !is_parameter).then_some((kind, name.as_str()));
    }
    let found = C_FUNCTION.captures(line)?;
    let is_statement = ["return", "else", "if", "while", "for", "switch", "typedef", "case", "goto", "delete", "new"]
        .iter()
        .any(|word| {
            line.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        });
    (!is_statement).then_some(Kind::Function).zip(found.get(1).map(|name| name.as_str()))
}

/// An error counts as a region if its last line is at least this many lines after its first.
pub(super) const MIN_ERROR_LINES: u32 = 3;

/// Adds symbols that the patterns find in error regions, outside of the symbols that the grammar found.
pub(super) fn recover_in_errors(path: &str, text: &str, definition_patterns: &[(Kind, Regex)], found: &mut Extraction) {
    let regions: Vec<(u32, u32)> =
        found.error_ranges.iter().copied().filter(|(first, last)| last - first >= MIN_ERROR_LINES).collect();
    if regions.is_empty() {
        return;
    }
    let line_ends: Vec<usize> = text
        .split_inclusive('\n')
        .scan(0, |at, line| {
            *at += line.len();
            Some(*at)
        })
        .collect();
    // Prefix sums: for each line, how many of the lines before it belong to known symbols.
    let mut covered_lines = vec![0_u32; line_ends.len() + 2];
    for known in found.symbols.iter().skip(1).filter(|known| !known.kind.is_transparent()) {
        for line in known.start_line..=known.end_line {
            if let Some(covered_lines) = covered_lines.get_mut(line as usize + 1) {
                *covered_lines = 1;
            }
        }
    }
    for line in 1..covered_lines.len() {
        covered_lines[line] += covered_lines[line - 1];
    }
    let before = found.symbols.len();
    for mut symbol in find_symbols(path, text, definition_patterns).into_iter().skip(1) {
        let region = regions.partition_point(|(_, last)| *last < symbol.name_line);
        let Some(&(_, last)) = regions.get(region).filter(|(first, _)| *first <= symbol.name_line) else { continue };
        if symbol.end_line > last {
            // A symbol ends with the error region in which it was found.
            symbol.end_line = last;
            symbol.end_byte = line_ends.get(last as usize - 1).copied().unwrap_or(text.len());
        }
        let is_free = covered_lines[symbol.start_line as usize] == covered_lines[symbol.end_line as usize + 1];
        if is_free {
            symbol.container = Some(0);
            found.symbols.push(symbol);
        }
    }
    if found.symbols.len() > before {
        super::embedded::sort_by_position(found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_distinguished_from_uses() {
        for (line, expected) in [
            ("def handle(self):", Some((Kind::Function, "handle"))),
            ("  pub(crate) async fn run() {", Some((Kind::Function, "run"))),
            ("export default class App extends X {", Some((Kind::Class, "App"))),
            ("static int parse_one(char *s)", Some((Kind::Function, "parse_one"))),
            ("void Foo::bar(int a) const {", Some((Kind::Function, "bar"))),
            ("return call(x)", None),
            ("    call(x);", None),
            ("call(x)", None),
            ("else if (x) {", None),
            ("# a class apart", None),
            ("interface and its users", None),
            ("    struct CookieInfo *ci,", None),
            ("class A extends B {", Some((Kind::Class, "A"))),
        ] {
            assert_eq!(match_definition(line, &[]), expected, "{line}");
        }
    }

    #[test]
    fn a_definition_ends_before_the_next_one_of_its_indentation() {
        let text = "class A:\n    def f():\n        x\n\n    def g():\n        y\n\ndef h():\n    z\n";
        let found = find_symbols("a", text, &[]);
        let ends: Vec<_> =
            found.iter().skip(1).map(|s| (s.name.as_str(), s.start_line, s.end_line, s.container)).collect();
        assert_eq!(ends, [("A", 1, 6, Some(0)), ("f", 2, 3, Some(1)), ("g", 5, 6, Some(1)), ("h", 8, 9, Some(0))]);
    }
}

//! What the use of a macro defines: its expansion with placeholders is parsed, and the definitions whose names contain a
//! placeholder are kept.

use std::fmt::Write as _;

use sextant_format::kinds::Kind;

use super::defines::{Define, VARIADIC};
use super::expand::expand;
use super::lookup::Defines;
use crate::chunk::LineIndex;
use crate::extract::Extractor;
use crate::language::Language;
use crate::macros::{MacroDefinition, NamePiece};
use crate::model::Symbol;

/// How many arguments a macro with any number of them gets.
const VARIADIC_ARGUMENTS: usize = 13;
/// Of a macro that is defined more often, so many definitions count.
const MAX_ALTERNATIVES: usize = 16;
/// A use has at most this many definitions.
const MAX_DEFINITIONS: usize = 6;
/// Around the number of an argument, in the place of the argument.
const PLACEHOLDER: (&str, &str) = ("Zq", "zQ");
/// The type around a member's expansion.
const AROUND: &str = "AroundMembers";
/// A macro without arguments has at most so many members.
const MAX_MEMBERS: usize = 64;

/// The definitions in the expansion of a macro as the file at `path` sees it, or as all files do; none if it defines nothing. Of several definitions
/// of the macro, most have to agree.
pub(super) fn definitions(
    extractor: &mut Extractor,
    defines: &Defines<'_>,
    language: &'static Language,
    name: &str,
    path: Option<&str>,
) -> Vec<MacroDefinition> {
    let mut found: Vec<(MacroDefinition, usize)> = Vec::new();
    let mut alternatives = 0;
    for (owner, define) in defines.visible(name, path.unwrap_or("")).take(MAX_ALTERNATIVES) {
        let Some(parameters) = &define.parameters else { continue };
        // Without a parameter nothing depends on the use, and without a body nothing is defined.
        if parameters.is_empty() || define.body.is_empty() {
            continue;
        }
        alternatives += 1;
        for definition in of_expansion(extractor, language, &expansion(defines, define, parameters, &owner.path)) {
            match found.iter_mut().find(|(known, _)| known.is_same(&definition)) {
                Some((known, count)) => {
                    known.is_definition |= definition.is_definition;
                    *count += 1;
                }
                None => found.push((definition, 1)),
            }
        }
    }
    let agreed = found.into_iter().filter(|(_, count)| count * 2 > alternatives).map(|(definition, _)| definition);
    agreed.take(MAX_DEFINITIONS).collect()
}

/// The members in the expansion of a macro without arguments, in any of its definitions: those of other platforms are
/// members there.
pub(super) fn members(
    extractor: &mut Extractor,
    defines: &Defines<'_>,
    language: &'static Language,
    name: &str,
    path: Option<&str>,
) -> Vec<MacroDefinition> {
    let mut found: Vec<MacroDefinition> = Vec::new();
    for (owner, define) in defines.visible(name, path.unwrap_or("")).take(MAX_ALTERNATIVES) {
        if define.parameters.is_some() || !define.body.contains(' ') {
            continue;
        }
        let text = without_attributes(expand(defines, &define.body, &owner.path)).join(" ");
        let more = parsed(extractor, language, &format!("struct {AROUND} {{\n{text}\n;\n}};\n"), false, true);
        for definition in more {
            if found.len() < MAX_MEMBERS && !found.iter().any(|known| known.is_same(&definition)) {
                found.push(definition);
            }
        }
    }
    found
}

/// The different definitions in an expansion.
fn of_expansion(extractor: &mut Extractor, language: &'static Language, text: &str) -> Vec<MacroDefinition> {
    let mut found = parsed(extractor, language, &format!("{text}\n{{ }}\n"), true, false);
    if found.is_empty() {
        found = parsed(extractor, language, &format!("{text}\n;\n"), false, false);
    }
    if language.implicit_this {
        found.extend(parsed(extractor, language, &format!("class {AROUND} {{\n{text}\n;\n}};\n"), false, true));
    }
    let mut different: Vec<MacroDefinition> = Vec::new();
    for definition in found {
        match different.iter_mut().find(|known| known.is_same(&definition)) {
            Some(known) => known.is_definition |= definition.is_definition,
            None => different.push(definition),
        }
    }
    different
}

impl MacroDefinition {
    /// Whether a use of the macro defines the same with both.
    fn is_same(&self, other: &Self) -> bool {
        (&self.name, self.opens_body, self.is_member) == (&other.name, other.opens_body, other.is_member)
    }
}

/// The expansion of a macro with placeholders for its arguments.
fn expansion(defines: &Defines<'_>, define: &Define, parameters: &[String], path: &str) -> String {
    let is_variadic = parameters.last().is_some_and(|last| last == "__VA_ARGS__" || last.starts_with(VARIADIC));
    let count = if is_variadic { parameters.len() - 1 + VARIADIC_ARGUMENTS } else { parameters.len() };
    let mut call = format!("{} (", define.name);
    for number in 0..count {
        let separator = if number == 0 { "" } else { ", " };
        let _ = write!(call, "{separator}{}{number}{}", PLACEHOLDER.0, PLACEHOLDER.1);
    }
    call.push(')');
    without_attributes(expand(defines, &call, path)).join(" ")
}

/// Leaves out of an expansion what a grammar trips over and what defines nothing: attributes, unless they make an alias,
/// assembler, assertions. `typeof(x)` becomes `x`.
fn without_attributes(words: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::with_capacity(words.len());
    let mut at = 0;
    while at < words.len() {
        let end = end_of_list(&words, at + 1);
        let list = &words[(at + 1).min(end)..end];
        match words[at].as_str() {
            "__extension__" => at += 1,
            "typeof" | "__typeof" | "__typeof__" | "decltype" if list.len() > 2 => {
                out.extend_from_slice(if list.len() == 3 { &list[1..2] } else { &[] });
                out.extend((list.len() > 3).then(|| "int".to_owned()));
                at = end;
            }
            "__attribute__" | "__attribute" if list.iter().any(|word| word == "alias" || word == "__alias__") => {
                out.extend_from_slice(&words[at..end]);
                at = end;
            }
            "__attribute__" | "__attribute" | "__declspec" | "_Pragma" | "__pragma" | "asm" | "__asm__" | "__asm"
            | "_Static_assert" | "static_assert"
                if !list.is_empty() =>
            {
                at = end;
            }
            _ => {
                out.push(words[at].clone());
                at += 1;
            }
        }
    }
    out
}

/// The index after the list in parentheses that begins at `open`; `open` itself if none does.
fn end_of_list(words: &[String], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, word) in words.iter().enumerate().skip(open) {
        match word.as_str() {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return if at == open { open } else { at + 1 };
        }
    }
    open
}

/// The definitions in a text whose names contain a placeholder. Where the text ends with the body of a function, that
/// follows the use of the macro, only functions count, and none if the body belongs to nothing.
fn parsed(
    extractor: &mut Extractor,
    language: &'static Language,
    text: &str,
    opens_body: bool,
    is_member: bool,
) -> Vec<MacroDefinition> {
    let lines = LineIndex::new(text);
    let extraction = extractor.extract(language, "", &lines);
    let symbols = &extraction.symbols;
    let takes_arguments = text.contains(PLACEHOLDER.0);
    let name_of = |symbol: &Symbol| {
        let (pieces, has_argument) = text_pieces(&symbol.name)?;
        (has_argument || !takes_arguments).then_some(pieces)
    };
    let last_line = text.lines().count();
    let is_outermost = |symbol: &Symbol| {
        let container = symbol.container.map(|id| &symbols[id as usize]);
        container.is_some_and(|outer| if is_member { outer.name == AROUND } else { outer.container.is_none() })
    };
    let is_function = |symbol: &Symbol| matches!(symbol.kind, Kind::Function | Kind::Method);
    let is_head = |symbol: &Symbol| {
        // `MACRO(name) {` looks like a function, but has no list of parameters.
        let has_list = around_name(symbol).1.trim_start().starts_with('(');
        is_function(symbol) && has_list && symbol.has_body && symbol.end_line as usize >= last_line
    };
    let outermost: Vec<_> = symbols
        .iter()
        .skip(1)
        .filter(|symbol| is_outermost(symbol) && symbol.name != AROUND && name_of(symbol).is_some())
        .filter(|symbol| !opens_body || is_function(symbol))
        .collect();
    if opens_body && !outermost.iter().any(|symbol| is_head(symbol)) {
        return Vec::new();
    }
    // Names to which the macro prefixes an underscore are for the compiler, unless the function has no other.
    let is_made_for_compiler = |symbol: &Symbol| symbol.name.starts_with('_');
    let definitions =
        || outermost.iter().filter(|symbol| is_introduced(symbol) && (is_definition(symbol) || !opens_body));
    let has_others = definitions().any(|symbol| !is_made_for_compiler(symbol));
    definitions()
        .filter(|symbol| !is_made_for_compiler(symbol) || opens_body && !has_others && is_head(symbol))
        .filter_map(|symbol| {
            let (before, after) = around_name(symbol);
            let type_argument = match placeholders(before).as_slice() {
                [only] => Some(*only),
                _ => None,
            };
            Some(MacroDefinition {
                name: name_of(symbol)?,
                type_text: type_text(before),
                kind: symbol.kind,
                is_definition: is_definition(symbol),
                opens_body,
                is_member,
                type_argument,
                parameters: parameters(after),
            })
        })
        .collect()
}

/// Where a text has a word, and not a longer one that contains it.
fn words_at<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word)
        .map(|(at, _)| at)
        .filter(move |&at| !is_word(text[..at].chars().next_back()) && !is_word(text[at + word.len()..].chars().next()))
}

/// The signature before and after the name.
fn around_name(symbol: &Symbol) -> (&str, &str) {
    let signature = symbol.signature.as_deref().unwrap_or("");
    let at = words_at(signature, &symbol.name).next();
    at.map_or((signature, ""), |at| (&signature[..at], &signature[at + symbol.name.len()..]))
}

/// Whether a symbol is something that a use introduces, and not what the compiler alone needs.
fn is_introduced(symbol: &Symbol) -> bool {
    // Names that a counter or a line makes unique are for the compiler only.
    let is_unique = symbol.name.contains("__COUNTER__") || symbol.name.contains("__LINE__");
    // `extern typeof(name) name` says nothing new. An initializer may well name what it initializes.
    let head = symbol.signature.as_deref().unwrap_or("").split('=').next().unwrap_or("");
    let is_of_itself = words_at(head, &symbol.name).count() > 1;
    let is_value = matches!(symbol.kind, Kind::Function | Kind::Method | Kind::Variable | Kind::Constant | Kind::Field);
    let is_type = matches!(symbol.kind, Kind::Struct | Kind::Union | Kind::Enum | Kind::Class | Kind::Type);
    // `MACRO(name)` looks like the declaration of a name in parentheses.
    let is_argument = around_name(symbol).0.trim_end().ends_with(['(', ',']);
    (is_value && !is_of_itself && !is_argument || is_type) && !is_unique
}

/// Whether a symbol is a definition, and not the declaration of what stands elsewhere.
fn is_definition(symbol: &Symbol) -> bool {
    let signature = symbol.signature.as_deref().unwrap_or("");
    let is_extern = signature.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "extern");
    match symbol.kind {
        Kind::Function | Kind::Method => symbol.has_body || signature.contains("alias"),
        Kind::Variable | Kind::Constant => !is_extern,
        _ => true,
    }
}

/// The type in the text before a name, without words that say how the name is declared.
fn type_text(before: &str) -> Vec<NamePiece> {
    const DECLARED: &[&str] =
        &["typedef", "static", "extern", "inline", "const", "constexpr", "virtual", "volatile", "register", "explicit"];
    // Text up to an access label or another definition is not a part of the type.
    let last = before.rsplit([':', ';', '}', '{']).next().unwrap_or("");
    let words: Vec<_> = last.split_whitespace().filter(|word| !DECLARED.contains(word)).collect();
    let text = words.join(" ");
    text_pieces(text.trim_end_matches(['*', '&', ' '])).unwrap_or_default().0
}

/// The numbers of the placeholders in a text.
fn placeholders(text: &str) -> Vec<usize> {
    let starts = text.match_indices(PLACEHOLDER.0).map(|(at, start)| &text[at + start.len()..]);
    starts.filter_map(|rest| rest.split_once(PLACEHOLDER.1)?.0.parse().ok()).collect()
}

/// A text with placeholders into its pieces, and whether it has any.
fn text_pieces(text: &str) -> Option<(Vec<NamePiece>, bool)> {
    let mut pieces = Vec::new();
    let (mut rest, mut has_argument) = (text, false);
    while let Some((text, after)) = rest.split_once(PLACEHOLDER.0) {
        let (number, after) = after.split_once(PLACEHOLDER.1)?;
        if !text.is_empty() {
            pieces.push(NamePiece::Text(text.to_owned()));
        }
        pieces.push(NamePiece::Argument(number.parse().ok()?));
        (rest, has_argument) = (after, true);
    }
    if !rest.is_empty() {
        pieces.push(NamePiece::Text(rest.to_owned()));
    }
    Some((pieces, has_argument))
}

/// The arguments that are types and names in a list of parameters, if all parameters are of that form.
fn parameters(list: &str) -> Vec<(usize, usize)> {
    let Some(list) = list.trim_start().strip_prefix('(') else { return Vec::new() };
    let list = list.split_once(')').map_or(list, |(list, _)| list);
    let pairs: Option<Vec<_>> = list
        .split(',')
        .map(|parameter| match placeholders(parameter).as_slice() {
            &[ty, name] if name == ty + 1 => Some((ty, name)),
            _ => None,
        })
        .collect();
    pairs.unwrap_or_default()
}

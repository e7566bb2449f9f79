//! A use of a name with a role, with its arguments. Must not know what the endpoint is.

use sextant_format::kinds::{EdgeKind, Kind};

use super::call::{Argument, Arguments};
use super::file::Source;
use super::value::{self, HOLE};
use super::words::{Role, role};
use crate::model::Reference;

/// So many bytes before a use are searched for the value of a name, and so long may the value be.
const MAX_BYTES_BACK: usize = 20_000;
const MAX_VALUE: usize = 400;

/// A call or annotation that may be about an endpoint.
pub(super) struct Site<'a> {
    pub(super) role: Role,
    pub(super) name: &'a str,
    pub(super) receiver: &'a str,
    /// The byte of the name.
    pub(super) at: usize,
    pub(super) arguments: Arguments<'a>,
    /// The symbol that an annotation or decorator stands before.
    pub(super) decorated: Option<u32>,
    /// The innermost symbol around it.
    pub(super) source: u32,
}

impl<'a> Site<'a> {
    pub(super) fn read(source: &Source<'a>, reference: &'a Reference) -> Option<Self> {
        if !matches!(reference.kind, EdgeKind::Call | EdgeKind::Instantiate | EdgeKind::Decorate) {
            return None;
        }
        let role = role(&reference.name)?;
        let at = source.lines.start(reference.line) + reference.column as usize;
        let name_end = at + reference.name.len();
        if source.text.get(at..name_end)? != reference.name {
            return None;
        }
        let receiver = reference.qualifier.as_deref().unwrap_or("");
        let line_start = source.text[..at].rfind('\n').map_or(0, |n| n + 1);
        let before = source.text[line_start..at].trim_start();
        let is_attribute = before.starts_with("#[") || before.starts_with('[') && !before.contains(']');
        let is_decoration = reference.kind == EdgeKind::Decorate || before.starts_with('@') || is_attribute;
        let bare = matches!(source.language.name, "ruby" | "elixir");
        let arguments = match Arguments::read(source.text, name_end, bare) {
            Some(arguments) => arguments,
            None if is_decoration => Arguments { list: Vec::new(), end: name_end, block: None },
            None => return None,
        };
        let decorated = is_decoration.then(|| decorated(source, reference)).flatten();
        if is_decoration && decorated.is_none() && reference.kind == EdgeKind::Decorate {
            return None;
        }
        Some(Self { role, name: &reference.name, receiver, at, arguments, decorated, source: reference.source })
    }

    /// The text that an argument writes, names of this file with the values that they were given.
    pub(super) fn text_of(&self, source: &Source<'a>, argument: Argument<'a>) -> Option<String> {
        value::template(argument.text, &|name| self.given(source, name))
    }

    /// The expression that a name was last given before the call: in the functions around it, or outside of all functions.
    fn given(&self, source: &Source<'a>, name: &str) -> Option<&'a str> {
        let around = |symbol: &crate::model::Symbol, at: usize| {
            symbol.kind.is_callable() && (symbol.start_byte..symbol.end_byte).contains(&at)
        };
        let is_visible = |at: usize| source.symbols.iter().all(|symbol| !around(symbol, at) || around(symbol, self.at));
        let (at, value) = given(source.text, name, self.at, &is_visible)?;
        // A parameter of the function is another thing than what is outside of it.
        let is_parameter = |symbol: &crate::model::Symbol| {
            around(symbol, self.at)
                && !around(symbol, at)
                && symbol.signature.as_deref().is_some_and(|signature| has_word(signature, name))
        };
        (!source.symbols.iter().any(is_parameter)).then_some(value)
    }

    /// The bytes from the name to the end of the call and of its block.
    pub(super) fn range(&self) -> std::ops::Range<usize> {
        self.at..self.arguments.block.as_ref().map_or(self.arguments.end, |block| block.end)
    }

    /// The variable to which the result is given: `api := r.Group("/api")`.
    pub(super) fn variable(&self, text: &'a str) -> Option<&'a str> {
        let line_before = |at: usize| text[..at].rfind(['\n', ';']).map_or(0, |n| n + 1);
        let mut start = line_before(self.at);
        // A chain of calls begins further up.
        while start > 0 && text[start..self.at].trim_start().starts_with('.') {
            start = line_before(start - 1);
        }
        let before = &text[start..self.at];
        let mark = before.find('=').filter(|&at| !before[at + 1..].starts_with(['=', '>']))?;
        let left = before[..mark].trim_end_matches([':', ' ', '\t', '!']);
        // `router: APIRouter = APIRouter(...)`
        let left = left.split(": ").next().unwrap_or(left).trim_end();
        let name = left.rsplit(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$')).next()?;
        (!name.is_empty()).then_some(name)
    }
}

/// The symbol before whose name a decoration stands.
fn decorated(source: &Source<'_>, reference: &Reference) -> Option<u32> {
    let place = (reference.line, reference.column);
    let is_before = |symbol: &&crate::model::Symbol| {
        symbol.kind != Kind::File
            && symbol.lead_line <= reference.line
            && place < (symbol.name_line, symbol.name_column)
    };
    let candidates = source.symbols.iter().filter(is_before);
    let nearest = candidates.max_by_key(|symbol| (symbol.lead_line, std::cmp::Reverse(symbol.name_line)))?;
    source.symbols.iter().position(|symbol| std::ptr::eq(symbol, nearest)).and_then(|at| u32::try_from(at).ok())
}

/// Whether a text has a name as a word.
fn has_word(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').any(|word| word == name)
}

/// The expression that a name was last given before a byte, at a byte that is accepted, with that byte: `url = BASE + "/x"`.
fn given<'a>(text: &'a str, name: &str, at: usize, accept: &dyn Fn(usize) -> bool) -> Option<(usize, &'a str)> {
    let mut from = at.saturating_sub(MAX_BYTES_BACK);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let before = text.get(from..at)?;
    for found in memchr::memmem::rfind_iter(before.as_bytes(), name.as_bytes()) {
        let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
        let after = &before[found + name.len()..];
        if before[..found].ends_with(is_inside) || after.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let line = &after[..after.find('\n').unwrap_or(after.len())];
        let Some(mark) = line.find('=') else { continue };
        let between = &line[..mark];
        let is_given =
            between.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | ':' | '_' | '&' | '\'' | '<' | '>'))
                && !line[mark + 1..].starts_with(['=', '>']);
        if !is_given || !accept(from + found) {
            continue;
        }
        let value = after[mark + 1..].trim_start();
        let end = value.find(['\n', ';']).unwrap_or(value.len()).min(MAX_VALUE);
        let value = value.get(..end)?.trim_end().trim_end_matches(',');
        return (value != HOLE).then_some((from + found, value));
    }
    None
}

//! The text after a name into the arguments of its call. Goes by brackets and quotes, because grammars differ and only
//! few calls are looked at. Must not know what a call means.

/// Longer lists of arguments are not read.
const MAX_BYTES: usize = 8_000;
/// No call that defines or asks an endpoint has more arguments before its function.
const MAX_ARGUMENTS: usize = 12;

/// One argument of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Argument<'a> {
    /// Its name, if it is given: `url=...`, `path: ...`.
    pub(super) label: Option<&'a str>,
    /// Its text, without the name.
    pub(super) text: &'a str,
    /// The byte at which `text` begins.
    pub(super) at: usize,
}

/// The arguments of a call.
#[derive(Debug)]
pub(super) struct Arguments<'a> {
    pub(super) list: Vec<Argument<'a>>,
    /// The byte after the call.
    pub(super) end: usize,
    /// The bytes of the block that follows the call and belongs to it: `{ ... }`, `do ... end`.
    pub(super) block: Option<std::ops::Range<usize>>,
}

impl<'a> Arguments<'a> {
    /// Reads the arguments after a name that ends at `name_end`; `bare` tells whether a call needs no brackets. None if
    /// there are none.
    pub(super) fn read(text: &'a str, name_end: usize, bare: bool) -> Option<Self> {
        let bytes = text.as_bytes();
        let mut at = skip_type_arguments(bytes, name_end);
        if bytes.get(at) == Some(&b'(') {
            let end = closing(bytes, at, MAX_BYTES)?;
            let list = split(text, at + 1, end);
            return Some(Self { list, end: end + 1, block: block_after(text, end + 1) });
        }
        if !bare || bytes.get(at) != Some(&b' ') {
            return None;
        }
        at += 1;
        let end = end_of_line(bytes, at);
        let line = text.get(at..end)?;
        let block_at = line
            .find(" do")
            .filter(|&n| line[n + 3..].trim_start().is_empty() || line[n + 3..].starts_with([' ', '|']));
        let stop = block_at.map_or(end, |n| at + n);
        let list = split(text, at, stop);
        (!list.is_empty()).then(|| Self { list, end: stop, block: block_after(text, stop) })
    }

    /// The argument of one of some names.
    pub(super) fn labelled(&self, labels: &[&str]) -> Option<Argument<'a>> {
        self.list.iter().find(|argument| argument.label.is_some_and(|label| labels.contains(&label))).copied()
    }

    /// The first argument without a name.
    pub(super) fn first(&self) -> Option<Argument<'a>> {
        self.list.first().filter(|argument| argument.label.is_none()).copied()
    }
}

/// The labelled parts of an object that is written as an argument: `{ url: '/x', method: 'post' }`.
pub(super) fn fields(argument: Argument<'_>) -> Vec<Argument<'_>> {
    let Some(inner) = argument.text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
        return Vec::new();
    };
    let mut found = split(inner, 0, inner.len());
    found.iter_mut().for_each(|field| field.at += argument.at + 1);
    found
}

/// The parts of a list: `["a", "b"]`, `{"a", "b"}`, `List.of("a")`, or the text alone.
pub(super) fn elements(argument: Argument<'_>) -> Vec<Argument<'_>> {
    let text = argument.text;
    let is_list = |open: &usize| {
        // `topics["a"]` is an element.
        let is_subscript = text[*open..].starts_with('[') && *open > 0;
        !text.starts_with(['"', '\'', '`']) && !is_subscript
    };
    let open = text.find(['[', '{', '(']).filter(is_list);
    let inside = open.and_then(|open| text.get(open + 1..text.len().checked_sub(1)?).map(|inner| (open + 1, inner)));
    let Some((at, inner)) = inside.filter(|_| text.ends_with([']', '}', ')'])) else { return vec![argument] };
    let mut found = split(inner, 0, inner.len());
    found.iter_mut().for_each(|element| element.at += argument.at + at);
    found
}

fn skip_type_arguments(bytes: &[u8], at: usize) -> usize {
    let start = if bytes[at..].starts_with(b"::<") { at + 2 } else { at };
    if bytes.get(start) != Some(&b'<') {
        return at;
    }
    let mut depth = 0;
    for (n, byte) in bytes[start..].iter().take(200).enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => depth -= 1,
            b';' | b'"' => break,
            _ => {}
        }
        if depth == 0 {
            return start + n + 1;
        }
    }
    at
}

/// The byte after a quoted text that begins at `at`, or `at` if nothing quoted begins there.
pub(super) fn skip_quoted(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    let rest = &bytes[at..];
    match quote {
        b'"' | b'\'' if rest.starts_with(&[quote; 3]) => {
            let end = rest[3..].windows(3).position(|three| three == [quote; 3]);
            at + end.map_or(rest.len(), |end| end + 6)
        }
        b'\'' if !is_text_in_single_quotes(rest) => at + 1,
        b'"' | b'\'' | b'`' => {
            let mut n = 1;
            while n < rest.len() {
                match rest[n] {
                    b'\\' => n += 1,
                    b'\n' if quote != b'`' => break,
                    byte if byte == quote => return at + n + 1,
                    _ => {}
                }
                n += 1;
            }
            at + n.min(rest.len())
        }
        _ => at,
    }
}

/// Whether a single quote begins a text: not a lifetime, whose line has no other.
fn is_text_in_single_quotes(rest: &[u8]) -> bool {
    let line = &rest[1..rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())];
    line.contains(&b'\'')
}

/// The byte of the bracket that closes the one at `open`, if it is at most so many bytes away.
fn closing(bytes: &[u8], open: usize, most: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = open;
    let limit = bytes.len().min(open.saturating_add(most));
    while at < limit {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            b'"' | b'\'' | b'`' => {
                at = skip_quoted(bytes, at).max(at + 1);
                continue;
            }
            b'/' if bytes[at..].starts_with(b"//") => at = end_of_line(bytes, at),
            b'#' if bytes.get(at + 1) == Some(&b' ') => at = end_of_line(bytes, at),
            _ => {}
        }
        at += 1;
    }
    None
}

fn end_of_line(bytes: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &bytes[at.min(bytes.len())..]).map_or(bytes.len(), |n| at + n)
}

/// Splits a text at its commas that are in no brackets and no quotes.
fn split(text: &str, from: usize, to: usize) -> Vec<Argument<'_>> {
    let bytes = text.as_bytes();
    let (mut found, mut depth, mut at, mut start) = (Vec::new(), 0_usize, from, from);
    let mut add = |start: usize, end: usize| {
        if let Some(argument) = text.get(start..end).and_then(|part| labelled(part, start)) {
            found.push(argument);
        }
        found.len() < MAX_ARGUMENTS
    };
    while at < to {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'"' | b'\'' | b'`' => {
                at = skip_quoted(bytes, at).max(at + 1);
                continue;
            }
            b',' if depth == 0 => {
                if !add(start, at) {
                    return found;
                }
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    add(start, to);
    found
}

/// An argument with its name apart: `url=x`, `url: x`, `value = x`, `:to => x`, `"url": x`.
fn labelled(part: &str, start: usize) -> Option<Argument<'_>> {
    let text = part.trim_start();
    let at = start + (part.len() - text.len());
    let text = text.trim_end();
    if text.is_empty() {
        return None;
    }
    let quoted = text.starts_with(['"', '\'']).then(|| skip_quoted(text.as_bytes(), 0));
    let begin = usize::from(quoted.is_some() || text.starts_with(':'));
    let end = match quoted {
        Some(end) => end.saturating_sub(1),
        None => begin + text[begin..].find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len() - begin),
    };
    let plain = Argument { label: None, text, at };
    let (Some(label), Some(rest)) = (text.get(begin..end), text.get(end + usize::from(quoted.is_some())..)) else {
        return Some(plain);
    };
    let rest_at = rest.trim_start();
    let marks = ["=>", "=", ":"];
    let mark = marks.into_iter().find(|mark| rest_at.starts_with(mark));
    let Some(mark) = mark.filter(|mark| {
        let after = &rest_at[mark.len()..];
        let is_other = *mark == ":" && after.starts_with(':') || *mark == "=" && after.starts_with('=');
        !label.is_empty() && !is_other
    }) else {
        return Some(plain);
    };
    // `"users" => x` is an argument with a value in Ruby, and so is `x => ...` a function: only symbols are labels.
    if mark == "=>" && !text.starts_with(':') {
        return Some(plain);
    }
    let value = rest_at[mark.len()..].trim_start();
    (!value.is_empty()).then(|| Argument { label: Some(label), text: value, at: at + (text.len() - value.len()) })
}

/// The block that follows a call: in braces, or from `do` to the `end` at the depth of the call's line.
fn block_after(text: &str, end: usize) -> Option<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let rest = text.get(end..)?;
    let gap = rest.len() - rest.trim_start_matches(' ').len();
    let rest = &rest[gap..];
    if rest.starts_with('{') {
        let open = end + gap;
        return Some(open..closing(bytes, open, usize::MAX)?);
    }
    let is_do = rest.strip_prefix("do").is_some_and(|after| after.starts_with(['\n', '\r', ' ']));
    is_do.then(|| {
        let line_start = text[..end].rfind('\n').map_or(0, |n| n + 1);
        let indent = text[line_start..].len() - text[line_start..].trim_start_matches([' ', '\t']).len();
        let mut at = end_of_line(bytes, end);
        while at < text.len() {
            let line = &text[at + 1..end_of_line(bytes, at + 1)];
            let trimmed = line.trim_start_matches([' ', '\t']);
            if line.len() - trimmed.len() <= indent && trimmed.starts_with("end") {
                return end..at;
            }
            at = end_of_line(bytes, at + 1);
        }
        end..text.len()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, name: &str, bare: bool) -> Vec<(Option<String>, String)> {
        let end = text.find(name).unwrap() + name.len();
        let found = Arguments::read(text, end, bare).map(|found| found.list).unwrap_or_default();
        found.into_iter().map(|a| (a.label.map(str::to_owned), a.text.to_owned())).collect()
    }

    #[test]
    fn arguments_are_separated_by_commas_outside_of_brackets_and_quotes() {
        let plain = |texts: &[&str]| texts.iter().map(|t| (None, (*t).to_owned())).collect::<Vec<_>>();
        assert_eq!(
            read("app.get('/a,b', f(x, y), (q) => { z(1, 2) })", "get", false),
            plain(&["'/a,b'", "f(x, y)", "(q) => { z(1, 2) }"])
        );
        assert_eq!(read("c.get<User>(`/x/${a(')')}`)", "get", false), plain(&["`/x/${a(')')}`"]));
        assert_eq!(
            read("get \"/x\", to: 'a#b'", "get", true),
            [(None, "\"/x\"".into()), (Some("to".into()), "'a#b'".into())]
        );
        assert_eq!(read("get '/x' do |a|\n  1\nend\n", "get", true), plain(&["'/x'"]));
        assert_eq!(read("get(/* no end", "get", false), []);
        assert_eq!(read("@GetMapping(value = \"/x\", produces = {\"a\", \"b\"})", "GetMapping", false).len(), 2);
        assert_eq!(read("f('a' == b)", "f", false), plain(&["'a' == b"]));
    }

    #[test]
    fn blocks_belong_to_their_call() {
        let text = "  scope '/a' do\n    get '/b' do\n    end\n  end\n  get '/c'\n";
        let found = Arguments::read(text, text.find("scope").unwrap() + 5, true).unwrap();
        assert!(text[found.block.unwrap()].contains("/b"));
        let text = "route(\"/a\") { get(\"/b\") { } }\nget(\"/c\")";
        let found = Arguments::read(text, 5, false).unwrap();
        assert!(!text[found.block.unwrap()].contains("/c"));
    }

    #[test]
    fn objects_and_lists_have_parts() {
        let text = "axios({ method: 'post', url: `/x` })";
        let found = Arguments::read(text, 5, false).unwrap();
        let parts = fields(found.list[0]);
        assert_eq!(
            parts.iter().map(|p| (p.label.unwrap(), p.text)).collect::<Vec<_>>(),
            [("method", "'post'"), ("url", "`/x`")]
        );
        assert!(parts.iter().all(|part| text[part.at..].starts_with(part.text)));
        let list = Argument { label: None, text: "List.of(\"a\", \"b\")", at: 0 };
        assert_eq!(elements(list).len(), 2);
        let element = Argument { label: None, text: "names['a']", at: 0 };
        assert_eq!(elements(element), [element]);
    }
}

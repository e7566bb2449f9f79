//! How many bytes the text form of an answer takes: upper bounds for each of its lines, from the same data. The text
//! form itself is in `sextant-render`; a test there holds it to these numbers.

use sextant_format::names::{short_name, short_path};

use super::answer::{AskedKey, Copied, EntryPoint, KeyUse, Member, Place, SourcePart};
use crate::navigate::{Constant, Definition, ReachedSymbol, Step};

/// Bytes of spaces, punctuation and the mark of an edited file in a line with a location.
const LINE_BYTES: usize = 16;
/// Bytes of a heading with the blank line before it.
pub(super) const HEADING_BYTES: usize = 32;
/// The longest head or text that a list shows.
pub const MAX_HEAD_BYTES: usize = 140;
/// Copies of a definition that are listed.
pub const MAX_COPIES: usize = 3;
/// Names of a relevant file of which neither source nor heads are printed.
pub const MAX_FILE_NAMES: usize = 2;
/// Members of a type that are listed.
pub(super) const MAX_MEMBERS: usize = 20;

const fn digits(number: u32) -> usize {
    match number.checked_ilog10() {
        Some(log) => log as usize + 1,
        None => 1,
    }
}

/// A path with its lines.
const fn location(repo: &str, path: &str, first: u32, last: u32) -> usize {
    repo.len() + path.len() + digits(first) + digits(last) + 3
}

fn clipped(text: Option<&String>) -> usize {
    text.map_or(0, |text| text.len().min(MAX_HEAD_BYTES) + 2)
}

/// Bytes of the places of copies.
fn copies(place: &Place) -> usize {
    let listed = place.copies.iter().take(MAX_COPIES);
    let size = |copy: &Copied| location(&copy.repo, &copy.path, copy.start_line, copy.end_line) + 2;
    if place.copies.is_empty() { 0 } else { 2 * LINE_BYTES + listed.map(size).sum::<usize>() }
}

fn name(place: &Place) -> usize {
    place.qualified_name.as_deref().map_or(0, |name| short_name(name).len())
}

/// Bytes of a location with kind and name.
fn head(place: &Place) -> usize {
    location(&place.repo, &place.path, place.start_line, place.end_line)
        + place.kind.as_str().len()
        + name(place)
        + LINE_BYTES
}

/// Bytes of the words around the lines that fit best.
const BEST_BYTES: usize = "  best -".len();

/// Bytes of a line below its file in the list of what is not shown.
pub(super) fn head_in_file(place: &Place) -> usize {
    let lines = digits(place.start_line) + digits(place.end_line) + 1;
    let best = place.best_lines.map_or(0, |(first, last)| BEST_BYTES + digits(first) + digits(last));
    lines
        + best
        + place.kind.as_str().len()
        + name(place)
        + LINE_BYTES
        + clipped(place.signature.as_ref()).max(clipped(place.doc.as_ref()))
        + copies(place)
}

fn definition(definition: &Definition) -> usize {
    // The line is that of the definition or of a call elsewhere.
    short_name(&definition.qualified_name).len() + short_path(&definition.path).len() + digits(u32::MAX) + 6
}

/// Bytes of a line of neighbours.
pub(super) fn neighbours(reached: &[ReachedSymbol]) -> usize {
    if reached.is_empty() {
        0
    } else {
        2 * LINE_BYTES + reached.iter().map(|r| definition(&r.definition)).sum::<usize>()
    }
}

/// Bytes of the line of members.
pub(super) fn members(members: &[Member]) -> usize {
    let size = |member: &Member| member.name.len() + digits(member.start_line) + digits(member.end_line) + 4;
    if members.is_empty() { 0 } else { LINE_BYTES + members.iter().map(size).sum::<usize>() }
}

/// Bytes of one numbered line, without `indent` bytes before it.
pub(super) const fn numbered(last: u32, text: &str, indent: usize) -> usize {
    digits(last) + 3 + text.len().saturating_sub(indent)
}

/// Bytes of numbered lines and of the mark after them.
fn part(part: &SourcePart, last: u32, indent: usize) -> usize {
    part.text.split('\n').map(|line| numbered(last, line, indent)).sum::<usize>() + LINE_BYTES
}

/// Bytes of white space with which all of some lines begin, which the text form leaves out. Blank lines do not count.
pub fn common_indent<'a>(lines: impl IntoIterator<Item = &'a str>) -> usize {
    let mut common: Option<&str> = None;
    for line in lines {
        let code = line.trim_start();
        if code.is_empty() {
            continue;
        }
        let own = &line[..line.len() - code.len()];
        let same = common.map_or(own.len(), |common| {
            common.bytes().zip(own.bytes()).take_while(|(one, other)| one == other).count()
        });
        common = Some(&own[..own.floor_char_boundary(same)]);
    }
    common.map_or(0, str::len)
}

/// Bytes of an entry point, with the blank line after it.
pub(super) fn entry(entry: &EntryPoint) -> usize {
    let indent = common_indent(entry.source.iter().flat_map(|part| part.text.split('\n')));
    let source: usize = entry.source.iter().map(|p| part(p, entry.place.end_line, indent)).sum();
    // A mark stands for first lines that are cut.
    let begins_later = entry.source.first().is_some_and(|part| part.start_line > entry.place.start_line);
    let mark = if begins_later { LINE_BYTES } else { 0 };
    let around = [&entry.callers, &entry.callees, &entry.possible_callees];
    head(&entry.place)
        + copies(&entry.place)
        + 2
        + mark
        + source
        + around.map(|of| neighbours(of)).into_iter().sum::<usize>()
}

/// Bytes of its head that are not printed if an entry point of the same file is above it.
pub(super) const fn repeated_path(place: &Place) -> usize {
    place.repo.len() + place.path.len() + 1
}

/// Bytes of a path.
pub(super) fn path(path: &[Step]) -> usize {
    path.iter().map(|step| definition(&step.definition) + 4).sum::<usize>() + 3
}

/// Bytes of a file's line.
pub(super) const fn file(repo: &str, path: &str) -> usize {
    repo.len() + path.len() + LINE_BYTES
}

/// Bytes of the names in a file of which nothing else is printed.
pub(super) fn names(symbols: &[String]) -> usize {
    symbols.iter().take(MAX_FILE_NAMES).map(|name| name.len() + 2).sum()
}

/// Bytes of a constant's line.
pub(super) fn constant(constant: &Constant) -> usize {
    let d = &constant.definition;
    line(&d.repo, &d.path, d.start_line, &constant.text)
}

/// Bytes of the line of a constant whose value is asked for.
pub(super) fn key(key: &AskedKey) -> usize {
    let d = &key.definition;
    line(&d.repo, &d.path, d.start_line, &key.text)
}

/// Bytes of the line of one of its uses.
pub(super) fn key_use(one: &KeyUse) -> usize {
    line(&one.repo, &one.path, one.line, &one.text)
}

/// Bytes of a place with a text.
fn line(repo: &str, path: &str, number: u32, text: &str) -> usize {
    repo.len() + short_path(path).len() + digits(number) + 2 + text.len().min(MAX_HEAD_BYTES) + LINE_BYTES
}

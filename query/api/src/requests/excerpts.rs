//! Which lines of excerpts an answer has: overlapping ones once, those near a pattern, as many as fit. This module must not
//! know how excerpts are found.

use std::ops::RangeInclusive;

use regex::{Regex, RegexBuilder};

use crate::location::Location;
use crate::responses::{Connections, Excerpt};
use crate::{Error, Result};

/// Bytes of a line's number, with the space around it.
const NUMBER_BYTES: usize = 8;
/// Excerpts of so many lines are whole also where only lines near a pattern are wanted.
const SHORT_LINES: usize = 8;
/// Lines before and after one that fits a pattern, if the request does not say how many.
const NEAR_LINES: u32 = 3;

/// The pattern of `near`: in any case, unless it has upper case letters.
pub(super) fn near_pattern(pattern: &str) -> Result<Regex> {
    let has_upper_case = pattern.chars().any(char::is_uppercase);
    let built = RegexBuilder::new(pattern).case_insensitive(!has_upper_case).build();
    built.map_err(|error| Error::Parameter(format!("the pattern of --near cannot be understood: {error}")))
}

/// Keeps of an excerpt its first line of code and the lines that fit a pattern, with some around them, each part by itself; all
/// of it if none fits. Returns the parts, and whether any line fits.
pub(super) fn near(excerpt: Excerpt, pattern: &Regex, context: u32) -> (Vec<Excerpt>, bool) {
    let lines: Vec<&str> = excerpt.text.split('\n').collect();
    let first = excerpt.location.start_line;
    let number = |at: usize| first.saturating_add(u32::try_from(at).unwrap_or(u32::MAX));
    let fitting: Vec<u32> = (0..lines.len()).filter(|&at| pattern.is_match(lines[at])).map(number).collect();
    let fits = !fitting.is_empty();
    if !fits || lines.len() <= SHORT_LINES {
        return (vec![excerpt], fits);
    }
    let context = if context == 0 { NEAR_LINES } else { context };
    let last = number(lines.len() - 1);
    let head = excerpt.symbol.as_ref().map(|symbol| symbol.location.start_line.clamp(first, last));
    let around =
        fitting.iter().map(|line| line.saturating_sub(context).max(first)..=line.saturating_add(context).min(last));
    let ranges = joined(head.map(|head| head..=head).into_iter().chain(around));
    let mut parts = Vec::with_capacity(ranges.len());
    let name = excerpt.symbol.as_ref().map(|symbol| symbol.qualified_name.clone()).or_else(|| excerpt.within.clone());
    for range in ranges {
        let (start_line, end_line) = (*range.start(), *range.end());
        let text = lines[(start_line - first) as usize..=(end_line - first) as usize].join("\n");
        let location = Location { start_line, end_line, ..excerpt.location.clone() };
        let is_first = parts.is_empty();
        parts.push(Excerpt {
            location,
            text,
            symbol: excerpt.symbol.clone().filter(|_| is_first),
            within: name.clone().filter(|_| !is_first || excerpt.symbol.is_none()),
            goes_on: None,
            connections: if is_first { excerpt.connections.clone() } else { Connections::default() },
            language: excerpt.language.clone(),
            spans: Vec::new(),
        });
    }
    (parts, fits)
}

/// Ranges without those between which no line is left out, in their order.
fn joined(ranges: impl Iterator<Item = RangeInclusive<u32>>) -> Vec<RangeInclusive<u32>> {
    let mut ranges: Vec<RangeInclusive<u32>> = ranges.collect();
    ranges.sort_by_key(|range| *range.start());
    let mut joined: Vec<RangeInclusive<u32>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if *range.start() <= last.end().saturating_add(1) => {
                *last = *last.start()..=*range.end().max(last.end());
            }
            _ => joined.push(range),
        }
    }
    joined
}

/// Makes one of an excerpt of lines and one that begins in it or right after it; returns whether they were joined.
pub(super) fn join(one: &mut Excerpt, other: &Excerpt) -> bool {
    let (a, b) = (&one.location, &other.location);
    let is_same_file = (&a.repo, &a.path) == (&b.repo, &b.path);
    if !is_same_file || b.start_line < a.start_line || b.start_line > a.end_line.saturating_add(1) {
        return false;
    }
    if b.end_line > a.end_line {
        let known = (a.end_line + 1 - b.start_line) as usize;
        for line in other.text.split('\n').skip(known) {
            one.text.push('\n');
            one.text.push_str(line);
        }
        one.location.end_line = b.end_line;
        one.goes_on.clone_from(&other.goes_on);
        one.within = one.within.take().filter(|within| other.within.as_ref() == Some(within));
    }
    true
}

/// Leaves out excerpts whose lines another one has, and returns a note for each of them that has a name.
pub(super) fn without_repeated(excerpts: &mut Vec<Excerpt>) -> Vec<String> {
    let is_in = |inner: &Location, outer: &Location| {
        (&inner.repo, &inner.path) == (&outer.repo, &outer.path)
            && outer.start_line <= inner.start_line
            && inner.end_line <= outer.end_line
    };
    let all: Vec<Location> = excerpts.iter().map(|excerpt| excerpt.location.clone()).collect();
    let around = |at: usize| {
        let has_lines = |other: &usize| {
            *other != at && is_in(&all[at], &all[*other]) && (*other < at || !is_in(&all[*other], &all[at]))
        };
        (0..all.len()).find(has_lines)
    };
    let (mut at, mut notes) = (0, Vec::new());
    excerpts.retain(|excerpt| {
        let outer = around(at).map(|outer| &all[outer]);
        at += 1;
        if let (Some(outer), Some(symbol)) = (outer, &excerpt.symbol) {
            let Location { start_line, end_line, .. } = &excerpt.location;
            let name = &symbol.qualified_name;
            notes.push(format!(
                "{name} ({start_line}-{end_line}) is in {}:{}-{}",
                outer.path, outer.start_line, outer.end_line
            ));
        }
        outer.is_none()
    });
    notes
}

/// Keeps the excerpts that fit whole into a number of bytes of the text form, the shortest first; of the others the first keeps
/// what fits of its beginning. Those `of_lines`, which the request names by their lines, take `free` bytes first. Returns the
/// lines that are cut, in the order of the excerpts.
pub(super) fn cut(excerpts: &mut Vec<Excerpt>, of_lines: &[bool], max_bytes: usize, mut free: usize) -> Vec<String> {
    let head = |excerpt: &Excerpt| excerpt.location.path.len() + NUMBER_BYTES;
    let of_line = |line: &str| line.len() + NUMBER_BYTES;
    let size = |excerpt: &Excerpt| head(excerpt) + excerpt.text.split('\n').map(of_line).sum::<usize>();
    let mut left = max_bytes;
    let mut is_whole = vec![false; excerpts.len()];
    // Short ones first: of a long one, more is left to be asked for anyway.
    let mut order: Vec<usize> = (0..excerpts.len()).collect();
    order.sort_by_key(|&at| size(&excerpts[at]));
    for at in order {
        let size = size(&excerpts[at]);
        if let Some(fewer) = free.checked_sub(size).filter(|_| of_lines[at]) {
            (free, is_whole[at]) = (fewer, true);
        } else if let Some(fewer) = left.checked_sub(size) {
            (left, is_whole[at]) = (fewer, true);
        }
    }
    let mut rest = Vec::new();
    for (excerpt, _) in excerpts.iter_mut().zip(is_whole).filter(|(_, is_whole)| !is_whole) {
        let (mut lines, mut end) = (0, 0);
        let mut room = left.saturating_sub(head(excerpt));
        for line in excerpt.text.split('\n') {
            let Some(fewer) = room.checked_sub(of_line(line)) else { break };
            room = fewer;
            lines += 1;
            end += line.len() + 1;
        }
        // What is left is for the first one: a few lines of each would show nothing of any.
        left = 0;
        let location = &mut excerpt.location;
        let next = location.start_line.saturating_add(lines);
        rest.push(format!("{}:{next}-{}", location.path, location.end_line));
        excerpt.text.truncate(end.saturating_sub(1));
        location.end_line = next.saturating_sub(1);
    }
    excerpts.retain(|excerpt| excerpt.location.end_line >= excerpt.location.start_line);
    rest
}

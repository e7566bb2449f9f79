//! Chunks for lines outside of all symbols: imports, constants, statements, comments.
//!
//! Closing lines (`}`) join the previous chunk. One or two opening lines (`impl X {`) join the next
//! one. Everything else becomes separate chunks, divided at blank lines.

use sextant_format::kinds::Kind;

use super::limits::Limits;
use super::line_index::LineIndex;
use super::plan::{ChunkPlan, UNOWNED};
use super::windows;
use crate::model::Symbol;

/// At most this many lines without a definition join the chunk that they open.
const MAX_OPENING_LINES: u32 = 2;

/// Plans the chunks of all lines without an owner.
pub(super) fn plan_leftovers(
    lines: &LineIndex<'_>,
    symbols: &[Symbol],
    error_ranges: &[(u32, u32)],
    limits: &Limits,
    plans: &mut Vec<ChunkPlan>,
    owner: &mut [u32],
) {
    let mut defines = vec![false; owner.len()];
    for symbol in symbols.iter().skip(1).filter(|symbol| !symbol.kind.is_transparent()) {
        if let Some(line) = defines.get_mut(symbol.start_line as usize) {
            *line = true;
        }
    }
    let count = lines.count();
    let mut line = 1;
    while line <= count {
        if owner[line as usize] != UNOWNED {
            line += 1;
            continue;
        }
        let start = line;
        while line <= count && owner[line as usize] == UNOWNED {
            line += 1;
        }
        let before = (start > 1).then(|| owner[start as usize - 1]);
        let after = (line <= count).then(|| owner[line as usize]);
        let Some((mut first, mut last)) = trim_blank_lines(lines, start, line - 1) else { continue };
        // Closing lines join the chunk that they close ...
        if let Some(previous) = before {
            let is_text = |line: u32| lines.line(line).chars().any(char::is_alphanumeric);
            let text = (first..=last).find(|&line| is_text(line));
            if let Some((start, end)) = trim_blank_lines(lines, first, text.map_or(last, |text| text - 1)) {
                assign_lines(previous as usize, start, end, plans, owner);
            }
            match text {
                Some(text) => first = text,
                None => continue,
            }
        }
        // ... and opening lines the chunk that they open.
        if let Some(next) = after {
            let paragraph = (first..=last).rfind(|&line| lines.is_blank(line)).map_or(first, |blank| blank + 1);
            let opens = lines.line(last).trim_end().ends_with(['{', '(', ':', '[']);
            let defines = (paragraph..=last).any(|line| defines[line as usize]);
            if opens && !defines && last - paragraph < MAX_OPENING_LINES {
                assign_lines(next as usize, paragraph, last, plans, owner);
                match trim_blank_lines(lines, first, paragraph.saturating_sub(1)) {
                    Some((_, end)) => last = end,
                    None => continue,
                }
            }
        }
        let error = error_ranges.get(error_ranges.partition_point(|&(_, end)| end < first));
        let kind = if error.is_some_and(|&(start, _)| start <= last) { Kind::Window } else { Kind::Code };
        windows::plan_windows(lines, first, last, kind, None, limits, plans, owner);
    }
}

/// Removes blank lines from both ends of a run. Returns `None` if all lines are blank.
fn trim_blank_lines(lines: &LineIndex<'_>, start: u32, end: u32) -> Option<(u32, u32)> {
    let first = (start..=end).find(|&line| !lines.is_blank(line))?;
    let last = (start..=end).rfind(|&line| !lines.is_blank(line))?;
    Some((first, last))
}

/// Assigns lines to the outermost chunk around a neighbouring chunk, with the blank lines between: the run is outside of
/// all symbols.
fn assign_lines(neighbour: usize, first: u32, last: u32, plans: &mut [ChunkPlan], owner: &mut [u32]) {
    let mut outermost = neighbour;
    while let Some(parent) = plans[outermost].parent {
        outermost = parent;
    }
    let plan = &mut plans[outermost];
    for line in first.min(plan.end + 1)..=last.max(plan.start - 1) {
        owner[line as usize] = u32::try_from(outermost).unwrap_or(UNOWNED);
    }
    plan.start = plan.start.min(first);
    plan.end = plan.end.max(last);
}

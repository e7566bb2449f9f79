//! What no symbol owns: imports, constants, statements, comments between symbols.
//!
//! A run of a line or two of punctuation (`impl X {`, `}`) is no chunk: it joins its neighbour.
//! Anything else becomes chunks of its own, cut at blank lines.

use sextant_formats::kinds::Kind;

use super::{Limits, Lines, NOBODY, Plan, windows};
use crate::model::Symbol;

/// A run with at most this many non-blank lines and no definition may join a neighbour.
const SMALL_LINES: usize = 2;

/// Plans the chunks of all lines that nobody owns.
pub(super) fn plan(lines: &Lines<'_>, symbols: &[Symbol], limits: &Limits, plans: &mut Vec<Plan>, owner: &mut [u32]) {
    let mut defines = vec![false; owner.len()];
    for symbol in symbols.iter().skip(1).filter(|symbol| !symbol.kind.is_transparent()) {
        if let Some(line) = defines.get_mut(symbol.start_line as usize) {
            *line = true;
        }
    }
    let count = lines.count();
    let mut line = 1;
    while line <= count {
        if owner[line as usize] != NOBODY {
            line += 1;
            continue;
        }
        let start = line;
        while line <= count && owner[line as usize] == NOBODY {
            line += 1;
        }
        let Some((first, last)) = trim(lines, start, line - 1) else { continue };
        let text: Vec<u32> = (first..=last).filter(|&line| !lines.is_blank(line)).collect();
        let is_small = text.len() <= SMALL_LINES && !text.iter().any(|&line| defines[line as usize]);
        let opens = lines.line(last).trim_end().ends_with(['{', '(', ':', '[']);
        let is_punctuation = text.iter().all(|&line| !lines.line(line).chars().any(char::is_alphanumeric));
        let before = (start > 1).then(|| owner[start as usize - 1]).filter(|_| first > 1);
        let after = (line <= count).then(|| owner[line as usize]);
        let home = match (before, after) {
            (_, Some(next)) if is_small && opens => Some(next),
            (Some(previous), _) if is_small && is_punctuation => Some(previous),
            _ => None,
        };
        match home {
            Some(home) => join(home as usize, first, last, plans, owner),
            None => windows::plan(lines, first, last, Kind::Code, None, limits, plans, owner),
        }
    }
}

/// The run without blank lines at its ends.
fn trim(lines: &Lines<'_>, start: u32, end: u32) -> Option<(u32, u32)> {
    let first = (start..=end).find(|&line| !lines.is_blank(line))?;
    let last = (start..=end).rfind(|&line| !lines.is_blank(line))?;
    Some((first, last))
}

/// Gives a run to a neighbouring chunk. A run stands outside of every symbol, so the neighbour is
/// taken at its outermost.
fn join(home: usize, first: u32, last: u32, plans: &mut [Plan], owner: &mut [u32]) {
    let mut outermost = home;
    while let Some(parent) = plans[outermost].parent {
        outermost = parent;
    }
    for line in first..=last {
        owner[line as usize] = u32::try_from(outermost).unwrap_or(NOBODY);
    }
    let plan = &mut plans[outermost];
    plan.start = plan.start.min(first);
    plan.end = plan.end.max(last);
}

//! Divides text into windows of about a screen, preferably at blank lines.

use sextant_format::kinds::Kind;

use super::limits::Limits;
use super::line_index::LineIndex;
use super::plan::{ChunkPlan, UNOWNED};

/// Plans windows over the lines `first` to `last`. Blank lines at the ends of a window are excluded.
#[expect(clippy::too_many_arguments, reason = "the state of the one pass over a file")]
pub(super) fn plan_windows(
    lines: &LineIndex<'_>,
    first: u32,
    last: u32,
    kind: Kind,
    parent: Option<usize>,
    limits: &Limits,
    plans: &mut Vec<ChunkPlan>,
    owner: &mut [u32],
) {
    let mut start = first;
    while start <= last {
        if lines.is_blank(start) {
            start += 1;
            continue;
        }
        let mut end = start;
        let mut bytes = lines.slice(start, start).len();
        while end < last {
            let long_enough = end - start + 1 >= limits.window_lines;
            bytes += lines.slice(end + 1, end + 1).len();
            let full = end - start + 1 >= limits.window_max_lines || bytes > limits.window_max_bytes;
            if full || (long_enough && lines.is_blank(end + 1)) {
                break;
            }
            end += 1;
        }
        let mut text_end = end;
        while lines.is_blank(text_end) {
            text_end -= 1;
        }
        for line in start..=text_end {
            owner[line as usize] = u32::try_from(plans.len()).unwrap_or(UNOWNED);
        }
        plans.push(ChunkPlan { level: 1, kind, start, end: text_end, symbol: None, parent });
        start = end + 1;
    }
}

/// Splits sections whose own text is longer than a window: the section keeps the beginning, and the
/// rest becomes child windows.
pub(super) fn split_sections(lines: &LineIndex<'_>, limits: &Limits, plans: &mut Vec<ChunkPlan>, owner: &mut [u32]) {
    for section in 0..plans.len() {
        let (start, end) = (plans[section].start, plans[section].end);
        if plans[section].kind != Kind::Section || end - start < limits.window_max_lines {
            continue;
        }
        let mut kept = 0;
        let mut line = start;
        while line <= end {
            let run_start = line;
            while line <= end && owner[line as usize] as usize == section {
                line += 1;
            }
            let run = line - run_start;
            if run == 0 {
                line += 1;
                continue;
            }
            let keep = run.min(limits.window_max_lines.saturating_sub(kept));
            kept += keep;
            if keep < run {
                let cut = (run_start + keep / 2..run_start + keep)
                    .rfind(|&line| lines.is_blank(line))
                    .unwrap_or(run_start + keep);
                plan_windows(lines, cut, line - 1, Kind::Window, Some(section), limits, plans, owner);
            }
        }
    }
}

//! Divides a budget: what is always listed comes first, then source, the best candidates first, then the heads of what
//! did not fit.

use sextant_format::kinds::Kind;

use super::answer::EntryPoint;
use super::candidates::Candidate;
use super::excerpt::{SymbolLines, Wanted};
use super::size;

/// Share of the remaining budget for source that the first candidate may take whole.
const FIRST_SHARE: f32 = 0.75;
/// Share of it that each further candidate may take whole.
const WHOLE_SHARE: f32 = 0.6;
/// Share of it for the best lines of a candidate that does not fit whole.
const EXCERPT_SHARE: f32 = 0.6;
/// The longest symbol in lines that is shown whole, however large the budget is.
const MAX_WHOLE_LINES: usize = 120;
/// A symbol of at most this many lines is shown whole if it fits at all: a mark for the rest would save little.
const MAX_SHORT_LINES: usize = 20;
/// Lines of a type that are shown, or of a section of a document that the question does not name: fields rarely answer a
/// question, and prose costs more lines than it explains.
const MAX_QUIET_LINES: usize = 20;
/// Bytes of a line, on average, with its number.
const AVERAGE_LINE_BYTES: usize = 50;
/// Fewer bytes are not worth an entry.
const MIN_ENTRY_BYTES: usize = 160;
/// A symbol that is cut is shown if at least this many of its lines are.
const MIN_CUT_LINES: u32 = 5;
/// Share of the best score from which source comes before heads. Measured on lines that answer questions: a reader who
/// chooses from heads finds more with the same bytes (`docs/lab/agents.md`).
const MIN_RELATIVE_SCORE: f32 = 0.2;
/// The same share for lines between symbols.
const MIN_SCORE_OF_LINES_BETWEEN: f32 = 0.4;
/// Share of the best score below which source is not shown however much room there is.
const MIN_FILLING_SCORE: f32 = 0.05;

/// Share of the best score below which no head is listed.
const MIN_LISTED_SCORE: f32 = 0.02;

/// A budget in bytes of the text form.
pub(super) struct Budget {
    left: usize,
}

impl Budget {
    pub(super) const fn new(bytes: usize) -> Self {
        Self { left: bytes }
    }

    pub(super) const fn left(&self) -> usize {
        self.left
    }

    /// Takes bytes if they are left.
    pub(super) const fn take(&mut self, bytes: usize) -> bool {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }

    /// A part of what is left, as a budget of its own; [`Self::give_back`] returns what it did not use.
    pub(super) const fn share(&mut self, bytes: usize) -> Self {
        let bytes = if bytes < self.left { bytes } else { self.left };
        self.left -= bytes;
        Self { left: bytes }
    }

    pub(super) const fn give_back(&mut self, part: Self) {
        self.left += part.left;
    }
}

/// Takes as many items as fit, in order.
pub(super) fn fitting<T>(items: Vec<T>, budget: &mut Budget, size: impl Fn(&T) -> usize) -> Vec<T> {
    let mut fitting = Vec::new();
    for item in items {
        if !budget.take(size(&item)) {
            break;
        }
        fitting.push(item);
    }
    fitting
}

/// Whether there is room for the source of one more candidate.
pub(super) const fn has_room(budget: &Budget) -> bool {
    budget.left() >= MIN_ENTRY_BYTES
}

/// Whether a candidate fits so well that its source comes before the heads of others. Lines between symbols have no head,
/// and must fit better.
pub(super) fn is_worth_reading(candidate: &Candidate, best_score: f32) -> bool {
    let is_between = candidate.place.kind == Kind::Code;
    let share = if is_between { MIN_SCORE_OF_LINES_BETWEEN } else { MIN_RELATIVE_SCORE };
    candidate.place.score >= best_score * share
}

/// Whether the source of a candidate may fill what the heads of all others leave.
pub(super) fn is_worth_filling(candidate: &Candidate, best_score: f32) -> bool {
    candidate.place.kind != Kind::Code && candidate.place.score >= best_score * MIN_FILLING_SCORE
}

/// Whether a candidate fits well enough for its head to be listed.
pub(super) fn is_worth_listing(candidate: &Candidate, best_score: f32) -> bool {
    candidate.place.score >= best_score * MIN_LISTED_SCORE
}

/// The lines of a candidate that are shown: all, the best ones, or none if there is no room. `nth` counts the
/// candidates that have source already.
pub(super) fn entry(
    candidate: &Candidate,
    lines: &SymbolLines<'_>,
    nth: usize,
    wanted: Wanted<'_>,
    budget: &Budget,
) -> Option<EntryPoint> {
    let place = candidate.place.clone();
    let share = |share: f32| (budget.left() as f32 * share) as usize;
    let is_quiet = place.kind.is_type() || place.kind == Kind::Section && !candidate.is_named;
    let of = |source| EntryPoint { source, ..EntryPoint::without_source(place.clone()) };
    let whole = of(lines.whole());
    let max_lines = if is_quiet { MAX_QUIET_LINES } else { MAX_WHOLE_LINES };
    let max_bytes = share(if nth == 0 { FIRST_SHARE } else { WHOLE_SHARE });
    let shown: usize = whole.source.iter().map(|part| (part.end_line - part.start_line + 1) as usize).sum();
    let mut chosen = whole;
    let is_short = shown <= MAX_SHORT_LINES && size::entry(&chosen) <= budget.left();
    if !is_short && (shown > max_lines || size::entry(&chosen) > max_bytes) {
        let fixed = size::entry(&of(Vec::new())) + 2 * MIN_ENTRY_BYTES;
        let max_bytes = share(if nth == 0 { FIRST_SHARE } else { EXCERPT_SHARE }).min(max_lines * AVERAGE_LINE_BYTES);
        chosen = of(lines.best(wanted, max_bytes.saturating_sub(fixed)));
    }
    let shown: u32 = chosen.source.iter().map(|part| part.end_line - part.start_line + 1).sum();
    chosen.cut_lines = u32::try_from(lines.lines.len()).unwrap_or(u32::MAX).saturating_sub(shown);
    let fits = size::entry(&chosen) <= budget.left() && !chosen.source.is_empty();
    (fits && (chosen.cut_lines == 0 || shown >= MIN_CUT_LINES)).then_some(chosen)
}

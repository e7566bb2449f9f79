//! A traversal of the graph as a request limits it, and which lines of its edges are looked up.

use sextant_search::PathGlobs;
use sextant_search::navigate::{Navigator, ReachedSymbol, TraversalOptions};

use crate::Result;

/// Symbols that are listed with the text of their edges at most, if no text is asked for.
const MAX_WITH_TEXT: usize = 20;

/// The text of edges that is looked up.
pub(super) enum EdgeText {
    /// None.
    None,
    /// Of a few symbols the first lines, with what says when they are reached.
    First,
    /// All lines, with so many before and after each.
    Around(u32),
}

/// A traversal whose results are in certain files.
pub(super) struct Walk {
    pub(super) traversal: TraversalOptions,
    pub(super) paths: PathGlobs,
    pub(super) text: EdgeText,
}

impl Walk {
    /// The traversal that finds what [`Self::keep`] chooses from.
    pub(super) const fn unfiltered(&self) -> TraversalOptions {
        if self.paths.is_empty() { self.traversal } else { TraversalOptions { limit: usize::MAX, ..self.traversal } }
    }

    /// Keeps what is in the files, up to the limit; returns whether something is cut.
    pub(super) fn keep(&self, reached: &mut Vec<ReachedSymbol>, is_cut: bool) -> bool {
        reached.retain(|reached| self.paths.allows(&reached.definition.repo, &reached.definition.path));
        let is_cut = is_cut || reached.len() > self.traversal.limit;
        reached.truncate(self.traversal.limit);
        is_cut
    }

    /// Looks up the text of edges.
    ///
    /// # Errors
    /// The index is damaged.
    pub(super) fn add_text(&self, navigator: Navigator<'_>, reached: &mut [ReachedSymbol]) -> Result<()> {
        let is_short = reached.len() <= MAX_WITH_TEXT && reached.iter().all(|reached| reached.depth == 1);
        match self.text {
            EdgeText::Around(lines) => navigator.add_context(reached, lines)?,
            EdgeText::First if is_short => navigator.add_calls(reached)?,
            EdgeText::First | EdgeText::None => {}
        }
        Ok(())
    }
}

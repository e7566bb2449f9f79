//! For how many rows room is made, by what the generation before had.

/// Room is made for one more row for so many of the generation before.
const ONE_MORE_IN: usize = 32;

/// A new generation has about as many rows as the one before.
pub(crate) const fn for_about(rows: usize) -> usize {
    rows + rows / ONE_MORE_IN
}

//! Text that a language's grammar lacks and that is blanked before the parse. Must not know how it is blanked.

use regex::Regex;

/// A pattern of text to blank.
#[derive(Debug)]
pub struct Mask {
    /// Matches the text to mask: the first group, or the whole match if there is none.
    pub pattern: Regex,
    /// The match opens a quote, which the same text closes. The whole becomes a string literal.
    pub quote: bool,
    /// Applied only to a second parse, after errors in the first.
    pub retry: bool,
}

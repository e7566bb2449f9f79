//! Text that a language's grammar lacks and that is replaced before the parse. Must not know how it is replaced.

use regex::Regex;

/// What masked text becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// Blanks.
    Blank,
    /// The match opens a quote, which the same text closes. The whole becomes a string literal.
    Quote,
    /// A statement or member ends there: blanks and a semicolon.
    Semicolon,
    /// The same text on one line: line breaks become blanks.
    Join,
}

/// A pattern of text to replace.
#[derive(Debug)]
pub struct Mask {
    /// Matches the text to mask: the first group, or the whole match if there is none.
    pub pattern: Regex,
    /// What it becomes.
    pub replacement: Replacement,
    /// Applied only to a second parse, after errors in the first.
    pub retry: bool,
}

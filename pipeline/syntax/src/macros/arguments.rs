//! The arguments of a macro's use.

use super::tokens::{Token, TokenKind};

/// A use has at most this many tokens; what is longer is not a use.
const MAX_TOKENS: usize = 4_000;

/// Returns the tokens of each argument in the list that the parenthesis at `open` begins, and the index of the
/// parenthesis that ends it. A list without any token has no argument.
pub(crate) fn arguments(text: &str, tokens: &[Token], open: usize) -> Option<(Vec<std::ops::Range<usize>>, usize)> {
    if tokens.get(open)?.text(text) != "(" {
        return None;
    }
    let (mut depth, mut found, mut start) = (0_usize, Vec::new(), open + 1);
    for (at, token) in tokens.iter().enumerate().skip(open).take(MAX_TOKENS) {
        if token.kind == TokenKind::Directive {
            continue;
        }
        match token.text(text) {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    if at > start || !found.is_empty() {
                        found.push(start..at);
                    }
                    return Some((found, at));
                }
            }
            "," if depth == 1 => {
                found.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    None
}

//! Source code to fingerprints: hashes of runs of tokens, thinned by winnowing (Schleimer, Wilkerson, Aiken 2003,
//! "Winnowing: local algorithms for document fingerprinting"). Knows no language.

use std::hash::Hasher as _;

use rustc_hash::FxHasher;

/// Tokens of a run.
const RUN: usize = 6;
/// Of this many consecutive runs at least one is a fingerprint.
const WINDOW: usize = 4;

/// Pieces with fewer tokens are alike by chance, unless they are equal.
pub(super) const MIN_TOKENS: usize = 40;
/// Pieces that share this much of their fingerprints are near copies.
pub(super) const NEAR: f32 = 0.7;

/// What is compared of a piece of source code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fingerprints {
    /// The hash of all tokens.
    pub(super) whole: u64,
    /// The number of tokens.
    pub(super) tokens: usize,
    /// The fingerprints, ascending, each once.
    pub(super) prints: Vec<u32>,
}

impl Fingerprints {
    /// Computes the fingerprints of source code. Space does not count.
    pub(crate) fn of(source: &str) -> Self {
        let tokens: Vec<u64> = tokens(source).map(hash_token).collect();
        let runs: Vec<u32> = tokens.windows(RUN).map(hash_run).collect();
        let mut prints: Vec<u32> =
            runs.windows(WINDOW.min(runs.len().max(1))).filter_map(|window| window.iter().min().copied()).collect();
        prints.sort_unstable();
        prints.dedup();
        let mut whole = FxHasher::default();
        tokens.iter().for_each(|&token| whole.write_u64(token));
        Self { whole: whole.finish(), tokens: tokens.len(), prints }
    }

    /// Whether two pieces have the same tokens, or enough tokens and mostly the same fingerprints.
    pub(crate) fn is_near(&self, other: &Self) -> bool {
        if self.whole == other.whole {
            return true;
        }
        let shared = self.prints.iter().filter(|print| other.prints.binary_search(print).is_ok()).count();
        self.tokens.min(other.tokens) >= MIN_TOKENS && jaccard(shared, self.prints.len(), other.prints.len()) >= NEAR
    }
}

/// The share of the fingerprints of two pieces that both have, given how many they share (Jaccard 1901).
pub(super) fn jaccard(shared: usize, a: usize, b: usize) -> f32 {
    let all = a + b - shared;
    if all == 0 { 0.0 } else { shared as f32 / all as f32 }
}

/// Words and numbers are tokens, and so is every other character that is no space.
fn tokens(source: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = source;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let length = if is_word(first) { rest.find(|c| !is_word(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (token, after) = rest.split_at(length);
        rest = after;
        Some(token)
    })
}

fn hash_token(token: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(token.as_bytes());
    hasher.finish()
}

fn hash_run(run: &[u64]) -> u32 {
    let mut hasher = FxHasher::default();
    run.iter().for_each(|&token| hasher.write_u64(token));
    (hasher.finish() >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_does_not_count_and_every_other_character_does() {
        let of = |source: &str| Fingerprints::of(source);
        assert_eq!(of("a = b(1,  2)\n  return a"), of("a=b(1,2) return a"));
        assert_ne!(of("a = b + c + d + e").whole, of("a = b - c + d + e").whole);
        assert_eq!(tokens("größe += 12.5;").collect::<Vec<_>>(), ["größe", "+", "=", "12", ".", "5", ";"]);
        assert_eq!(of("").prints, Vec::<u32>::new());
        assert_eq!(of("a b c").prints, Vec::<u32>::new());
    }

    #[test]
    fn one_changed_token_changes_few_fingerprints() {
        let source: String = (0..200).map(|n| format!("call_{n}(x); ")).collect();
        let (a, b) = (Fingerprints::of(&source), Fingerprints::of(&source.replace("call_100", "other")));
        let shared = a.prints.iter().filter(|print| b.prints.contains(print)).count();
        let similarity = jaccard(shared, a.prints.len(), b.prints.len());
        assert!(similarity > 0.9 && similarity < 1.0, "{similarity}");
    }

    #[test]
    fn near_pieces_are_equal_or_long_and_alike() {
        let long: String = (0..200).map(|n| format!("call_{n}(x); ")).collect();
        let is_near = |a: &str, b: &str| Fingerprints::of(a).is_near(&Fingerprints::of(b));
        assert!(is_near(&long, &long.replace("call_100", "other")));
        assert!(!is_near(&long, &long.replace('x', "y")));
        assert!(is_near("a = b", "a  =  b"));
        // Of few tokens, only equal ones are near.
        assert!(!is_near("a = b; c = d; e = f; g = h; i = j;", "a = b; c = d; e = f; g = h; i = k;"));
    }
}

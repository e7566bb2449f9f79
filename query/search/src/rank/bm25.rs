//! The parts of BM25 (Robertson and Zaragoza 2009): how rare a word is, and what its occurrences count.

/// How fast a word's occurrences saturate.
const K1: f32 = 1.2;
/// How much the length counts.
const B: f32 = 0.75;

/// Returns the weight of each word times the inverse document frequency of BM25 (Robertson and Sparck Jones 1976) among
/// `files` files.
#[must_use]
pub fn rarities(has: &[Vec<bool>], weights: &[f32], files: usize) -> Vec<f32> {
    let rarity = |(word, &weight): (&Vec<bool>, &f32)| {
        rarity(weight, word.iter().filter(|has| **has).count() as f32, files as f32)
    };
    has.iter().zip(weights).map(rarity).collect()
}

/// Returns the weight of a word times its inverse document frequency: `with` of `of` documents contain it.
#[must_use]
pub fn rarity(weight: f32, with: f32, of: f32) -> f32 {
    weight * (1.0 + (of - with + 0.5) / (with + 0.5)).ln()
}

/// Returns what the occurrences of a word in a document count: 1 for one in a document of average length, below
/// [`MAX_SATURATED`] for many.
#[must_use]
pub fn saturated(frequency: f32, length: f32, average: f32) -> f32 {
    let length = if average > 0.0 { length / average } else { 1.0 };
    frequency * (K1 + 1.0) / (frequency + K1 * (1.0 - B + B * length))
}

/// What [`saturated`] approaches.
pub const MAX_SATURATED: f32 = K1 + 1.0;

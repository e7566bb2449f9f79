//! What every encoder is: it turns passages and queries into vectors. This module must not know any model.

use crate::Result;

/// The input of a chunk's vector. Empty fields are left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Passage<'a> {
    /// The file's stem and its nearest folders.
    pub path: &'a str,
    /// The qualified name.
    pub name: &'a str,
    /// The text before the body.
    pub signature: &'a str,
    /// The documentation.
    pub doc: &'a str,
    /// The chunk's text.
    pub code: &'a str,
}

/// Turns text into vectors, normalised unless the model disables it. An encoder keeps caches, so each thread has its
/// own.
pub trait Encoder: Send {
    /// The number of dimensions of the vectors.
    fn dimensions(&self) -> usize;
    /// The vector of a query. With the static encoder, a query without a known word has the zero vector.
    ///
    /// # Errors
    /// The model cannot be evaluated.
    fn encode_query(&mut self, text: &str) -> Result<Vec<f32>>;
    /// The vector of a passage.
    ///
    /// # Errors
    /// The model cannot be evaluated.
    fn encode_passage(&mut self, passage: &Passage<'_>) -> Result<Vec<f32>>;
    /// The number of tokens evaluated so far, to compute rates.
    fn tokens_evaluated(&self) -> u64;
    /// Whether a word, in lower case, was frequent enough in the encoder's training data to be a whole entry of its
    /// vocabulary; none if the encoder cannot tell.
    fn is_known_word(&self, _word: &str) -> Option<bool> {
        None
    }
}

/// Scales a vector to length 1; the zero vector stays unchanged.
pub fn l2_normalize(vector: &mut [f32]) {
    let norm = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if norm > 0.0 && norm.is_finite() {
        vector.iter_mut().for_each(|x| *x /= norm);
    }
}

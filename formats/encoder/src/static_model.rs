//! The static encoder: one vector per token, no neural network.
//!
//! A text's field vector is `l2_normalize(sum of scale[t] * values[t])` over its tokens `t`; a passage is
//! `l2_normalize(sum of weight[f] * field vector[f])` over its non-empty fields `f`. The scales include the token
//! weights.
//!
//! `table.i8`, little endian: magic `SXTABLE1`, rows u32, dims u32, f32[rows] scales,
//! i8[rows * dims] values.

use std::path::Path;
use std::sync::Arc;

use arrow_buffer::{Buffer, ScalarBuffer};
use multiversion::multiversion;
use rustc_hash::FxHashMap;

use crate::word_pieces::WordPieces;
use crate::{Encoder, EncoderDir, Error, ModelKind, Passage, Result, l2_normalize};
use sextant_text::tokens::{identifiers, split_identifier};

const MAGIC: &[u8; 8] = b"SXTABLE1";
const HEADER_BYTES: usize = 16;

/// Maximum number of identifiers in the token cache; a full cache is cleared.
const MAX_CACHED_IDENTIFIERS: usize = 1 << 16;
/// Longer identifiers are not cached.
const MAX_CACHED_IDENTIFIER_BYTES: usize = 128;

/// The model, shared by all threads.
pub struct StaticModel {
    pieces: WordPieces,
    scales: ScalarBuffer<f32>,
    values: ScalarBuffer<i8>,
    dims: usize,
    max_tokens: usize,
    weights: Weights,
}

/// The weight of each field of a passage.
struct Weights {
    path: f32,
    name: f32,
    signature: f32,
    doc: f32,
    code: f32,
}

impl StaticModel {
    /// Maps the table and loads the tokenizer.
    ///
    /// # Errors
    /// The model is not static, or a file cannot be read or is damaged.
    pub fn open(dir: &EncoderDir) -> Result<Arc<Self>> {
        let json = dir.json();
        if json.kind != ModelKind::Static {
            return Err(Error::model(&dir.path(""), "it is not a static model"));
        }
        let path = dir.path(&json.table);
        let (scales, values, dims) = open_table(&path)?;
        if dims != json.dimensions {
            let what = format!("it has {dims} dimensions, model.json declares {}", json.dimensions);
            return Err(Error::model(&path, what));
        }
        let pieces = WordPieces::open(&dir.path(&json.tokenizer))?;
        if pieces.len() > scales.len() {
            let what = format!("it has {} rows for {} tokens", scales.len(), pieces.len());
            return Err(Error::model(&path, what));
        }
        let weight = |field: &str| json.fields.get(field).copied().unwrap_or(0.0);
        let weights = Weights {
            path: weight("path"),
            name: weight("name"),
            signature: weight("signature"),
            doc: weight("doc"),
            code: weight("code"),
        };
        Ok(Arc::new(Self { pieces, scales, values, dims, max_tokens: json.max_tokens, weights }))
    }
}

fn open_table(path: &Path) -> Result<(ScalarBuffer<f32>, ScalarBuffer<i8>, usize)> {
    let buffer: Buffer = sextant_format::mapped::map_file(path)?;
    let header = buffer.get(..HEADER_BYTES).ok_or_else(|| Error::model(path, "it is shorter than its header"))?;
    if &header[..8] != MAGIC {
        return Err(Error::model(path, "it does not begin with SXTABLE1"));
    }
    let number = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]) as usize;
    let (rows, dims) = (number(8), number(12));
    let expected = rows.checked_mul(dims).and_then(|n| n.checked_add(rows * 4 + HEADER_BYTES));
    if expected != Some(buffer.len()) {
        return Err(Error::model(path, "its header does not fit its length"));
    }
    let scales = ScalarBuffer::new(buffer.clone(), HEADER_BYTES / 4, rows);
    let values = ScalarBuffer::new(buffer, HEADER_BYTES + rows * 4, rows * dims);
    Ok((scales, values, dims))
}

/// Adds `scale` times a row. A product is rounded before it is added, so that every processor computes the same bits.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "x86_64+sse4.1", "aarch64+neon"))]
fn add_row(sum: &mut [f32], row: &[i8], scale: f32) {
    for (sum, &value) in sum.iter_mut().zip(row) {
        *sum += scale * f32::from(value);
    }
}

/// An encoder for one thread: the shared model, and a cache of identifiers.
pub struct StaticEncoder {
    model: Arc<StaticModel>,
    cache: FxHashMap<String, Box<[u32]>>,
    field: Vec<f32>,
    evaluated: u64,
}

impl StaticEncoder {
    /// Creates an encoder with an empty cache.
    #[must_use]
    pub fn new(model: Arc<StaticModel>) -> Self {
        let field = vec![0.0; model.dims];
        Self { model, cache: FxHashMap::default(), field, evaluated: 0 }
    }

    /// The token ids of a text, at most the model's `max_tokens`.
    pub fn tokens(&mut self, text: &str) -> Vec<u32> {
        let mut ids = Vec::new();
        self.each_token(text, |id| ids.push(id));
        ids
    }

    fn each_token(&mut self, text: &str, mut each: impl FnMut(u32)) {
        let mut left = self.model.max_tokens;
        let mut buffer = String::new();
        for (_, identifier) in identifiers(text) {
            if left == 0 {
                break;
            }
            let fresh;
            let ids: &[u32] = match self.cache.get(identifier) {
                Some(ids) => ids,
                None => {
                    let mut ids = Vec::new();
                    let pieces = &self.model.pieces;
                    let is_cached = identifier.len() <= MAX_CACHED_IDENTIFIER_BYTES;
                    split_identifier(identifier, &mut buffer, |word| {
                        // Uncached identifiers need only the tokens that are still counted.
                        if is_cached || ids.len() < left {
                            ids.extend_from_slice(&pieces.tokenize(word));
                        }
                    });
                    fresh = ids.into_boxed_slice();
                    if is_cached {
                        if self.cache.len() >= MAX_CACHED_IDENTIFIERS {
                            self.cache.clear();
                        }
                        self.cache.insert(identifier.to_owned(), fresh.clone());
                    }
                    &fresh
                }
            };
            for &id in &ids[..ids.len().min(left)] {
                each(id);
            }
            left = left.saturating_sub(ids.len());
        }
    }

    /// Adds `weight` times the field vector of a text to `sum`.
    fn add_field(&mut self, text: &str, weight: f32, sum: &mut [f32]) {
        if weight == 0.0 || text.is_empty() {
            return;
        }
        let model = Arc::clone(&self.model);
        let mut field = std::mem::take(&mut self.field);
        field.fill(0.0);
        let mut tokens = 0;
        self.each_token(text, |id| {
            tokens += 1;
            let id = id as usize;
            let Some(&scale) = model.scales.get(id) else { return };
            if scale != 0.0 {
                let row = &model.values[id * model.dims..(id + 1) * model.dims];
                add_row(&mut field, row, scale);
            }
        });
        l2_normalize(&mut field);
        for (sum, x) in sum.iter_mut().zip(&field) {
            *sum += weight * x;
        }
        self.field = field;
        self.evaluated += tokens;
    }
}

impl Encoder for StaticEncoder {
    fn dimensions(&self) -> usize {
        self.model.dims
    }

    fn encode_query(&mut self, text: &str) -> Result<Vec<f32>> {
        let mut sum = vec![0.0; self.model.dims];
        self.add_field(text, 1.0, &mut sum);
        Ok(sum)
    }

    fn encode_passage(&mut self, passage: &Passage<'_>) -> Result<Vec<f32>> {
        let model = Arc::clone(&self.model);
        let weights = &model.weights;
        let mut sum = vec![0.0; model.dims];
        self.add_field(passage.path, weights.path, &mut sum);
        self.add_field(passage.name, weights.name, &mut sum);
        self.add_field(passage.signature, weights.signature, &mut sum);
        self.add_field(passage.doc, weights.doc, &mut sum);
        self.add_field(passage.code, weights.code, &mut sum);
        l2_normalize(&mut sum);
        Ok(sum)
    }

    fn tokens_evaluated(&self) -> u64 {
        self.evaluated
    }

    fn is_known_word(&self, word: &str) -> Option<bool> {
        Some(self.model.pieces.contains(word))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::PathBuf;

    use serde::Deserialize;

    use super::*;
    use sextant_text::tokens::words;

    fn shipped() -> StaticEncoder {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("model");
        StaticEncoder::new(StaticModel::open(&EncoderDir::open(&root).unwrap()).unwrap())
    }

    #[derive(Deserialize)]
    struct Case {
        text: String,
        words: Vec<String>,
        ids: Vec<u32>,
        vector_first8: Vec<f32>,
        /// The fields of a passage.
        #[serde(default)]
        passage: BTreeMap<String, String>,
        /// The vector that `model.onnx` computes for it.
        #[serde(default)]
        passage_vector: Vec<f32>,
    }

    #[test]
    fn the_shipped_model_matches_its_parity_file() {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("model/parity.json");
        let cases: Vec<Case> = serde_json::from_str(&fs_err::read_to_string(path).unwrap()).unwrap();
        assert!(cases.len() >= 20);
        let mut encoder = shipped();
        assert!(cases.iter().filter(|case| !case.passage_vector.is_empty()).count() >= 8);
        for case in cases {
            let field = |name: &str| case.passage.get(name).map_or("", String::as_str);
            let passage = Passage {
                path: field("path"),
                name: field("name"),
                signature: field("signature"),
                doc: field("doc"),
                code: field("code"),
            };
            if !case.passage_vector.is_empty() {
                let vector = encoder.encode_passage(&passage).unwrap();
                assert_eq!(vector.len(), case.passage_vector.len());
                for (found, expected) in vector.iter().zip(&case.passage_vector) {
                    assert!((found - expected).abs() < 1e-3, "{passage:?}: {found}, by ONNX {expected}");
                }
            }
            assert_eq!(words(&case.text), case.words, "{}", case.text);
            assert_eq!(encoder.tokens(&case.text), case.ids, "{}", case.text);
            let vector = encoder.encode_query(&case.text).unwrap();
            for (found, expected) in vector.iter().zip(&case.vector_first8) {
                assert!((found - expected).abs() < 1e-5, "{}: {found} is not {expected}", case.text);
            }
        }
    }

    #[test]
    fn passages_are_unit_vectors_and_empty_text_is_zero() {
        let mut encoder = shipped();
        let passage =
            Passage { path: "http client", name: "Client::retry", code: "fn retry() {}", ..Passage::default() };
        let vector = encoder.encode_passage(&passage).unwrap();
        assert!((vector.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(encoder.encode_query("?!").unwrap().iter().all(|&x| x == 0.0));
        assert!(encoder.encode_passage(&Passage::default()).unwrap().iter().all(|&x| x == 0.0));
    }

    #[test]
    fn damaged_tables_are_refused() {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("model");
        let dir = tempfile::tempdir().unwrap();
        for name in ["model.json", "tokenizer.json", "table.i8"] {
            fs_err::copy(root.join(name), dir.path().join(name)).unwrap();
        }
        let bytes = fs_err::read(root.join("table.i8")).unwrap();
        let mut huge = bytes.clone();
        huge[8..16].fill(0xff);
        for damaged in [&bytes[..10], &bytes[..bytes.len() - 1], b"SXTABLE2", &huge[..]] {
            fs_err::write(dir.path().join("table.i8"), damaged).unwrap();
            let opened = StaticModel::open(&EncoderDir::open(dir.path()).unwrap());
            assert!(matches!(opened.map(|_| ()), Err(Error::Model { .. })));
        }
    }
}

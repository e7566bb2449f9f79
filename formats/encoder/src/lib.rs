//! Text into vectors: what a model folder holds, what an encoder is, and the static encoder.
//!
//! Both sides use this module, the pipeline for passages and the query for queries, with the same
//! model: the artifact carries it. Encoders that need ONNX Runtime are in the crate `sextant-onnx`.

mod error;
mod static_model;
mod word_pieces;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use static_model::{StaticEncoder, StaticModel};

use sextant_format::digest::{self, Digest};
use sextant_format::generation::{Generation, part};
use sextant_format::manifest::{ModelInfo, model_hash};

pub use crate::error::{Error, Result};

/// The description's file name in a model folder.
pub const MODEL_JSON: &str = "model.json";

/// The largest vector that is accepted.
const MAX_DIMENSIONS: usize = 8192;

/// What a chunk is embedded from. Empty fields are left out.
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

/// Turns text into unit vectors. One per thread: an encoder keeps caches.
pub trait Encoder: Send {
    /// The length of the vectors.
    fn dimensions(&self) -> usize;
    /// The vector of a query. A query without any known word has the zero vector.
    fn encode_query(&mut self, text: &str) -> Result<Vec<f32>>;
    /// The vector of a passage.
    fn encode_passage(&mut self, passage: &Passage<'_>) -> Result<Vec<f32>>;
    /// Tokens that were evaluated so far, for rates.
    fn tokens_evaluated(&self) -> u64;
    /// Whether a word, in lower case, was frequent enough in what the encoder learnt from to be known as a whole;
    /// none where that cannot be told.
    fn is_known_word(&self, _word: &str) -> Option<bool> {
        None
    }
}

/// How a model is evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelKind {
    /// A table of token vectors: weighted mean, L2 norm.
    Static,
    /// An ONNX graph.
    Onnx,
}

impl ModelKind {
    /// The word in `model.json` and in the manifest.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Onnx => "onnx",
        }
    }
}

/// How token vectors that an ONNX graph gives become one vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// The graph pools by itself: its output is `[batch, dimensions]`.
    #[default]
    None,
    /// The mean of the token vectors.
    Mean,
    /// The first token's vector.
    Cls,
}

/// `model.json`. Unknown fields are ignored, so that a model folder may say more than this.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelJson {
    /// The version of this description, 1.
    pub format: u32,
    /// How the model is evaluated.
    pub kind: ModelKind,
    /// Its name.
    pub name: String,
    /// The length of its vectors.
    pub dimensions: usize,
    /// Tokens of a text (of a field, for static models) that are looked at; the rest is cut off.
    #[serde(default = "default_max_tokens")]
    pub max_tokens: usize,
    /// File name of the tokenizer, in the format of Hugging Face's `tokenizers`.
    #[serde(default = "default_tokenizer")]
    pub tokenizer: String,
    /// Static: file name of the token table.
    #[serde(default = "default_table")]
    pub table: String,
    /// Static: the weight of each field of a passage.
    #[serde(default)]
    pub fields: BTreeMap<String, f32>,
    /// ONNX: how token vectors become one.
    #[serde(default)]
    pub pooling: Pooling,
    /// ONNX: whether the vector is normalised after pooling.
    #[serde(default = "default_true")]
    pub normalize: bool,
    /// ONNX: text put before a query.
    #[serde(default)]
    pub query_prefix: String,
    /// ONNX: text put before a passage.
    #[serde(default)]
    pub passage_prefix: String,
    /// ONNX: names of the graph's inputs.
    #[serde(default = "default_inputs")]
    pub inputs: Vec<String>,
    /// ONNX: name of the graph's output; the first one where it is not said.
    #[serde(default)]
    pub output: Option<String>,
}

const fn default_max_tokens() -> usize {
    256
}

fn default_tokenizer() -> String {
    "tokenizer.json".to_owned()
}

fn default_table() -> String {
    "table.i8".to_owned()
}

const fn default_true() -> bool {
    true
}

fn default_inputs() -> Vec<String> {
    vec!["input_ids".to_owned(), "attention_mask".to_owned()]
}

/// File name of an ONNX model's graph.
pub const ONNX_FILE: &str = "model.onnx";

/// A model folder whose description has been read.
#[derive(Clone, Debug)]
pub struct EncoderDir {
    root: PathBuf,
    json: ModelJson,
}

impl EncoderDir {
    /// Reads `model.json` and checks that the other files are there.
    pub fn open(root: &Path) -> Result<Self> {
        let path = root.join(MODEL_JSON);
        let text = fs_err::read(&path).map_err(|error| Error::model(root, error))?;
        let json: ModelJson = serde_json::from_slice(&text).map_err(|error| Error::model(&path, error))?;
        if json.format != 1 {
            return Err(Error::model(&path, format!("format {} is not 1", json.format)));
        }
        if json.dimensions == 0 || json.dimensions > MAX_DIMENSIONS {
            return Err(Error::model(&path, format!("{} dimensions", json.dimensions)));
        }
        let dir = Self { root: root.to_owned(), json };
        for name in dir.file_names() {
            if Path::new(name).file_name().and_then(|n| n.to_str()) != Some(name) {
                return Err(Error::model(&path, format!("'{name}' is no plain file name")));
            }
            let file = dir.path(name);
            if !file.is_file() {
                return Err(Error::model(&file, "it is not there"));
            }
        }
        Ok(dir)
    }

    /// Opens the folder of the encoder that made a generation's vectors; nothing where there are none.
    ///
    /// `given` is a model folder from outside; it must hold that very encoder. An index that carries its
    /// encoder needs none.
    ///
    /// # Errors
    /// The folder cannot be used, holds another encoder, or is missing.
    pub fn of_generation(generation: &Generation, given: Option<&Path>) -> Result<Option<Self>> {
        let Some(model) = &generation.manifest().model else { return Ok(None) };
        let Some(given) = given else {
            if model.by_reference {
                return Err(Error::NotCarried { name: model.name.clone(), hash: model.hash.clone() });
            }
            return Self::open(&generation.path(part::MODEL)).map(Some);
        };
        let dir = Self::open(given)?;
        let found = dir.info()?;
        if found.hash != model.hash {
            return Err(Error::ModelMismatch {
                path: given.to_owned(),
                found: format!("{} ({})", found.name, short(&found.hash)),
                wanted: format!("{} ({})", model.name, short(&model.hash)),
            });
        }
        Ok(Some(dir))
    }

    /// The description.
    #[must_use]
    pub const fn json(&self) -> &ModelJson {
        &self.json
    }

    /// The path of one of the model's files.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The files that belong to the model and travel with an index.
    #[must_use]
    pub fn file_names(&self) -> Vec<&str> {
        let data = match self.json.kind {
            ModelKind::Static => self.json.table.as_str(),
            ModelKind::Onnx => ONNX_FILE,
        };
        vec![MODEL_JSON, self.json.tokenizer.as_str(), data]
    }

    /// What the manifest says of the model; reads all its files.
    pub fn info(&self) -> Result<ModelInfo> {
        let mut digests: Vec<(String, Digest)> = Vec::new();
        for name in self.file_names() {
            digests.push((name.to_owned(), digest::hash_file(&self.path(name))?.0));
        }
        Ok(ModelInfo {
            name: self.json.name.clone(),
            kind: self.json.kind.as_str().to_owned(),
            dimensions: u32::try_from(self.json.dimensions).unwrap_or(u32::MAX),
            hash: model_hash(&digests).to_hex(),
            by_reference: false,
        })
    }
}

/// Scales a vector to length 1; the zero vector stays.
pub fn l2_normalize(vector: &mut [f32]) {
    let norm = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if norm > 0.0 && norm.is_finite() {
        vector.iter_mut().for_each(|x| *x /= norm);
    }
}

/// The beginning of a hash, enough to tell models apart.
fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

//! Turns text into vectors: model folders, the [`Encoder`] trait, and the static encoder.
//!
//! Builds embed passages and searches embed queries, both with the same model, which the index contains or names.
//! Encoders that need ONNX Runtime are in the crate `sextant-onnx`.

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

/// File name of the model's description.
pub const MODEL_JSON: &str = "model.json";

/// Maximum number of dimensions.
const MAX_DIMENSIONS: usize = 8192;

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

/// How an ONNX graph's token vectors are combined into one vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pooling {
    /// None: the graph's output already is `[batch, dimensions]`.
    #[default]
    None,
    /// The mean of the token vectors.
    Mean,
    /// The first token's vector.
    Cls,
}

/// The contents of `model.json`. Unknown fields are ignored, so that a model folder may contain further settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ModelJson {
    /// The version of this description, 1.
    pub format: u32,
    /// How the model is evaluated.
    pub kind: ModelKind,
    /// Its name.
    pub name: String,
    /// The number of dimensions of its vectors.
    pub dimensions: usize,
    /// Maximum number of tokens of a text, or of a field for static models; further tokens are cut off.
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
    /// ONNX: how token vectors are combined into one.
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
    /// ONNX: name of the graph's output; the first output if missing.
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
    /// Reads `model.json` and checks that the model's other files exist.
    ///
    /// # Errors
    /// A file is missing, or `model.json` is invalid.
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
                return Err(Error::model(&path, format!("'{name}' is not a plain file name")));
            }
            let file = dir.path(name);
            if !file.is_file() {
                return Err(Error::model(&file, "the file is missing"));
            }
        }
        Ok(dir)
    }

    /// Opens the folder of the encoder that built a generation's vectors; none if there are no vectors.
    ///
    /// `given` is an external model folder, which must contain that encoder. It is not needed if the index contains its
    /// encoder.
    ///
    /// # Errors
    /// The folder cannot be used, contains another encoder, or is needed and not given.
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

    /// The names of the model's files, which are copied into an index.
    #[must_use]
    pub fn file_names(&self) -> Vec<&str> {
        let data = match self.json.kind {
            ModelKind::Static => self.json.table.as_str(),
            ModelKind::Onnx => ONNX_FILE,
        };
        vec![MODEL_JSON, self.json.tokenizer.as_str(), data]
    }

    /// The manifest's entry for the model. Hashes all of its files.
    ///
    /// # Errors
    /// A file cannot be read.
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

/// Scales a vector to length 1; the zero vector stays unchanged.
pub fn l2_normalize(vector: &mut [f32]) {
    let norm = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if norm > 0.0 && norm.is_finite() {
        vector.iter_mut().for_each(|x| *x /= norm);
    }
}

/// The first digits of a hash, enough to distinguish models.
fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

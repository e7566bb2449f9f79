//! The description of a model, `model.json`: which files it has, and how they are evaluated. This module must not know
//! where the model's folder is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// File name of the model's description.
pub const MODEL_JSON: &str = "model.json";

/// File name of an ONNX model's graph.
pub const ONNX_FILE: &str = "model.onnx";

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

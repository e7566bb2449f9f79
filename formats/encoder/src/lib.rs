//! Turns text into vectors: model folders, the [`Encoder`] trait, and the static encoder.
//!
//! Builds embed passages and searches embed queries, both with the same model, which the index contains or names.
//! Encoders that need ONNX Runtime are in the crate `sextant-onnx`.

mod encoder;
mod error;
mod model_dir;
mod model_json;
mod models;
mod static_model;
mod word_pieces;

pub use encoder::{Encoder, Passage, l2_normalize};
pub use error::{Error, Result};
pub use model_dir::EncoderDir;
pub use model_json::{MODEL_JSON, ModelJson, ModelKind, ONNX_FILE, Pooling};
pub use models::SharedModels;
pub use static_model::{StaticEncoder, StaticModel};
pub use word_pieces::WordPieces;

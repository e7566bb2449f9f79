//! The encoder of a build: which one, and one for each worker.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use sextant_formats::encoder::{Encoder, EncoderDir, ModelKind, StaticEncoder, StaticModel};
use sextant_formats::manifest::ModelInfo;

/// `--model`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelChoice {
    /// The encoder that comes with the program.
    Static,
    /// No vectors.
    None,
    /// A folder with `model.json`.
    Dir(PathBuf),
}

impl std::str::FromStr for ModelChoice {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "static" => Self::Static,
            "none" => Self::None,
            dir => Self::Dir(PathBuf::from(dir)),
        })
    }
}

/// A loaded model.
pub struct Model {
    /// Its folder.
    pub dir: EncoderDir,
    /// What the manifest says of it.
    pub info: ModelInfo,
    loaded: Loaded,
}

enum Loaded {
    Static(Arc<StaticModel>),
    Onnx(Box<sextant_onnx::OnnxModel>),
}

/// The files of the encoder that comes with the program, so that one file is all that travels.
const STATIC_FILES: &[(&str, &[u8])] = &[
    ("model.json", include_bytes!("../../models/static/model.json")),
    ("tokenizer.json", include_bytes!("../../models/static/tokenizer.json")),
    ("table.i8", include_bytes!("../../models/static/table.i8")),
];

/// Loads the chosen model; `scratch` is a folder where the built-in one may be unpacked.
pub fn load(choice: &ModelChoice, scratch: &std::path::Path) -> anyhow::Result<Option<Model>> {
    let root = match choice {
        ModelChoice::None => return Ok(None),
        ModelChoice::Dir(dir) => dir.clone(),
        ModelChoice::Static => {
            fs_err::create_dir_all(scratch)?;
            for (name, bytes) in STATIC_FILES {
                fs_err::write(scratch.join(name), bytes)?;
            }
            scratch.to_owned()
        }
    };
    let dir = EncoderDir::open(&root)?;
    let info = dir.info()?;
    let loaded = match dir.json().kind {
        ModelKind::Static => Loaded::Static(StaticModel::open(&dir)?),
        ModelKind::Onnx => {
            let model = sextant_onnx::OnnxModel::open(&dir, None).context("ONNX Runtime cannot be used")?;
            Loaded::Onnx(Box::new(model))
        }
    };
    Ok(Some(Model { dir, info, loaded }))
}

impl Model {
    /// An encoder for one thread.
    pub fn encoder(&self) -> Result<Box<dyn Encoder>, sextant_formats::Error> {
        match &self.loaded {
            Loaded::Static(model) => Ok(Box::new(StaticEncoder::new(Arc::clone(model)))),
            Loaded::Onnx(model) => Ok(Box::new(model.encoder()?)),
        }
    }
}

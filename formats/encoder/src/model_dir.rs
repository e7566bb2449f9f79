//! Opens and checks a model folder: one that is given, or the one that a generation contains. This module must not know
//! how a model is evaluated.

use std::path::{Path, PathBuf};

use sextant_format::digest::{self, Digest};
use sextant_format::generation::{Generation, part};
use sextant_format::manifest::{ModelInfo, model_hash};

use crate::{Error, MODEL_JSON, ModelJson, ModelKind, ONNX_FILE, Result};

/// Maximum number of dimensions.
const MAX_DIMENSIONS: usize = 8192;

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

/// The first digits of a hash, enough to distinguish models.
fn short(hash: &str) -> &str {
    hash.get(..12).unwrap_or(hash)
}

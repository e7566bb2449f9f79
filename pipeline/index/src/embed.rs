//! Loads the encoder of a build and creates one instance for each worker.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::Context;
use rustc_hash::FxHashMap;
use sextant_encoder::{Encoder, EncoderDir, ModelKind, Passage, StaticEncoder, StaticModel};
use sextant_format::manifest::ModelInfo;
use sextant_format::publish::share_file;

/// The value of `--model`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModelChoice {
    /// The built-in encoder.
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
    /// Its description in the manifest.
    pub info: ModelInfo,
    loaded: Loaded,
    memo: Arc<VectorMemo>,
}

enum Loaded {
    Static(Arc<StaticModel>),
    Onnx(Box<sextant_onnx::OnnxModel>),
}

/// The files of the built-in encoder. They are part of the executable, so that it needs no other file.
const STATIC_FILES: &[(&str, &[u8])] = &[
    ("model.json", include_bytes!("../../../formats/encoder/model/model.json")),
    ("tokenizer.json", include_bytes!("../../../formats/encoder/model/tokenizer.json")),
    ("table.i8", include_bytes!("../../../formats/encoder/model/table.i8")),
];

/// Loads the chosen model; none for [`ModelChoice::None`]. The built-in model is unpacked into the folder `scratch`.
///
/// # Errors
/// A file of the model is missing or damaged, `scratch` cannot be written, or ONNX Runtime cannot be loaded.
pub fn load(choice: &ModelChoice, scratch: &Path) -> anyhow::Result<Option<Model>> {
    load_with(choice, scratch, None)
}

/// The same, but files of the built-in model are linked from a folder that has the same ones.
///
/// # Errors
/// As of [`load`].
pub(crate) fn load_with(choice: &ModelChoice, scratch: &Path, same: Option<&Path>) -> anyhow::Result<Option<Model>> {
    let root = match choice {
        ModelChoice::None => return Ok(None),
        ModelChoice::Dir(dir) => dir.clone(),
        ModelChoice::Static => {
            fs_err::create_dir_all(scratch)?;
            for (name, bytes) in STATIC_FILES {
                let known = same.map(|folder| folder.join(name));
                match known.filter(|known| fs_err::read(known).is_ok_and(|found| found == *bytes)) {
                    Some(known) => share_file(&known, &scratch.join(name))?,
                    None => fs_err::write(scratch.join(name), bytes)?,
                }
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
    Ok(Some(Model { dir, info, loaded, memo: Arc::default() }))
}

impl Model {
    /// Whether computing a vector takes so long that it is kept.
    pub(crate) const fn is_slow(&self) -> bool {
        matches!(self.loaded, Loaded::Onnx(_))
    }

    /// Creates an encoder for one thread. All encoders share a memo: a passage that one of them has embedded is not
    /// embedded again.
    ///
    /// # Errors
    /// An ONNX graph cannot be loaded, or lacks an input.
    pub fn encoder(&self) -> Result<Box<dyn Encoder>, sextant_encoder::Error> {
        let inner: Box<dyn Encoder> = match &self.loaded {
            Loaded::Static(model) => Box::new(StaticEncoder::new(Arc::clone(model))),
            Loaded::Onnx(model) => Box::new(model.encoder()?),
        };
        Ok(Box::new(MemoizingEncoder { inner, memo: Arc::clone(&self.memo) }))
    }
}

/// The most vectors in the memo, 64 MiB at 256 dimensions. A full memo is cleared.
const MAX_MEMOIZED_VECTORS: usize = 1 << 16;

/// The vectors of passages, by the hash of all their fields.
type VectorMemo = Mutex<FxHashMap<[u8; 16], Arc<[f32]>>>;

/// An encoder that embeds equal passages once: copies of a library, generated variants, boilerplate.
struct MemoizingEncoder {
    inner: Box<dyn Encoder>,
    memo: Arc<VectorMemo>,
}

impl Encoder for MemoizingEncoder {
    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    fn encode_query(&mut self, text: &str) -> Result<Vec<f32>, sextant_encoder::Error> {
        self.inner.encode_query(text)
    }

    fn encode_passage(&mut self, passage: &Passage<'_>) -> Result<Vec<f32>, sextant_encoder::Error> {
        let key = key(passage);
        let memo = || self.memo.lock().unwrap_or_else(PoisonError::into_inner);
        let known = memo().get(&key).map(Arc::clone);
        if let Some(vector) = known {
            return Ok(vector.to_vec());
        }
        let vector = self.inner.encode_passage(passage)?;
        let mut memo = memo();
        if memo.len() >= MAX_MEMOIZED_VECTORS {
            memo.clear();
        }
        memo.insert(key, Arc::from(vector.as_slice()));
        Ok(vector)
    }

    fn tokens_evaluated(&self) -> u64 {
        self.inner.tokens_evaluated()
    }
}

/// Returns the first 16 bytes of the blake3 hash of a passage's fields.
fn key(passage: &Passage<'_>) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    for field in [passage.path, passage.name, passage.signature, passage.doc, passage.code] {
        hasher.update(&(field.len() as u64).to_le_bytes());
        hasher.update(field.as_bytes());
    }
    let mut key = [0; 16];
    key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the number of calls so far as the vector.
    struct Counting(f32);

    impl Encoder for Counting {
        fn dimensions(&self) -> usize {
            1
        }
        fn encode_query(&mut self, _: &str) -> Result<Vec<f32>, sextant_encoder::Error> {
            Ok(vec![0.0])
        }
        fn encode_passage(&mut self, _: &Passage<'_>) -> Result<Vec<f32>, sextant_encoder::Error> {
            self.0 += 1.0;
            Ok(vec![self.0])
        }
        fn tokens_evaluated(&self) -> u64 {
            0
        }
    }

    #[test]
    fn equal_passages_are_embedded_once() {
        let mut encoder = MemoizingEncoder { inner: Box::new(Counting(0.0)), memo: Arc::default() };
        let passage = |name, code| Passage { name, code, ..Passage::default() };
        assert_eq!(encoder.encode_passage(&passage("a", "bc")).unwrap(), [1.0]);
        assert_eq!(encoder.encode_passage(&passage("ab", "c")).unwrap(), [2.0]);
        assert_eq!(encoder.encode_passage(&passage("a", "bc")).unwrap(), [1.0]);
    }

    #[test]
    #[cfg(unix)]
    fn the_built_in_model_is_linked_where_it_is_the_same() {
        use std::os::unix::fs::MetadataExt as _;

        let [first, second] = [0, 1].map(|_| tempfile::tempdir().unwrap());
        load(&ModelChoice::Static, first.path()).unwrap().unwrap();
        // One file is another one.
        fs_err::write(first.path().join("model.json"), "{}").unwrap();
        load_with(&ModelChoice::Static, second.path(), Some(first.path())).unwrap().unwrap();
        let inode = |folder: &tempfile::TempDir, name: &str| fs_err::metadata(folder.path().join(name)).unwrap().ino();
        for (name, bytes) in STATIC_FILES {
            assert_eq!(fs_err::read(second.path().join(name)).unwrap(), *bytes, "{name}");
            assert_eq!(inode(&first, name) == inode(&second, name), *name != "model.json", "{name}");
        }
    }
}

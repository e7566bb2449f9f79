//! Models that several indexes share: each is loaded once, whatever the number of indexes that contain it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::Result;
use crate::model_dir::EncoderDir;
use crate::static_model::StaticModel;

/// The models that are in use, by the digests of their files: what a manifest says of them may be wrong.
#[derive(Default)]
pub struct SharedModels(Mutex<BTreeMap<String, Weak<StaticModel>>>);

impl SharedModels {
    /// The static model of a folder: one with the same files that is in use, else loaded.
    ///
    /// # Errors
    /// See [`StaticModel::open`].
    pub fn open(&self, dir: &EncoderDir) -> Result<Arc<StaticModel>> {
        let hash = dir.info()?.hash;
        let mut models = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(model) = models.get(&hash).and_then(Weak::upgrade) {
            return Ok(model);
        }
        let model = StaticModel::open(dir)?;
        models.retain(|_, model| model.strong_count() > 0);
        models.insert(hash, Arc::downgrade(&model));
        Ok(model)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_with_the_same_files_share_a_model() {
        let shipped = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("model");
        let copy = tempfile::tempdir().unwrap();
        for file in EncoderDir::open(&shipped).unwrap().file_names() {
            fs_err::copy(shipped.join(file), copy.path().join(file)).unwrap();
        }
        let models = SharedModels::default();
        let open = |dir: &std::path::Path| models.open(&EncoderDir::open(dir).unwrap()).unwrap();
        let (first, second) = (open(&shipped), open(copy.path()));
        assert!(Arc::ptr_eq(&first, &second));
        drop((first, second));
        assert_eq!(models.0.lock().unwrap().values().filter(|model| model.strong_count() > 0).count(), 0);
    }
}

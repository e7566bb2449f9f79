//! The native part of the Python module `sextant`: opens indexes, and answers requests in the JSON of the other
//! interfaces. Types, names and documentation of the module are Python (`packages/python`).
//!
//! This crate must not know what a request means.

use std::path::PathBuf;
use std::sync::Arc;

use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use sextant_api::config::Config;
use sextant_api::{IndexSet, requests};

create_exception!(sextant, Error, PyException, "A request that cannot be answered: the message, and a hint or None.");

fn error(error: &sextant_api::Error) -> PyErr {
    Error::new_err((error.to_string(), error.hint()))
}

/// An opened index. Threads may share it.
#[pyclass(frozen, module = "sextant")]
struct NativeIndex {
    indexes: Arc<IndexSet>,
}

#[pymethods]
impl NativeIndex {
    /// Opens the current generation of an index folder. It stays the same until the folder is opened again.
    #[new]
    fn open(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let opened = py.detach(|| IndexSet::open(&[folder], Config::default()));
        opened.map(|indexes| Self { indexes: Arc::new(indexes) }).map_err(|found| error(&found))
    }

    /// The content id.
    fn content_id(&self) -> String {
        let index = self.indexes.indexes.first();
        index.map_or_else(String::new, |named| named.index.generation().manifest().content_id.clone())
    }

    /// The folder of the opened generation.
    fn generation(&self) -> PathBuf {
        let index = self.indexes.indexes.first();
        index.map_or_else(PathBuf::new, |named| named.index.generation().root().to_owned())
    }

    /// Answers the request of a name, with parameters as JSON; the answer is JSON.
    fn call(&self, py: Python<'_>, name: &str, parameters: &str) -> PyResult<String> {
        let answer = py.detach(|| {
            let known = requests::request(name);
            let info = known.ok_or_else(|| sextant_api::Error::Parameter(format!("there is no request '{name}'")))?;
            let parameters = serde_json::from_str(parameters)
                .map_err(|found| sextant_api::Error::Parameter(format!("invalid parameters: {found}")))?;
            let response = (info.parse)(parameters)?.answer(&self.indexes)?;
            Ok(sextant_render::json(&response))
        });
        answer.map_err(|found: sextant_api::Error| error(&found))
    }
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<NativeIndex>()?;
    module.add("Error", module.py().get_type::<Error>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}

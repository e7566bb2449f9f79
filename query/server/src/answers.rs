//! What a server answers from, as a trait.

use std::collections::BTreeSet;
use std::sync::Arc;

use globset::{Glob, GlobSet, GlobSetBuilder};
use serde_json::Value;
use sextant_api::requests::RequestInfo;
use sextant_api::responses::Response;
use sextant_api::{Error, IndexSet};

use crate::Result;
use crate::access::Access;

/// The parameter of every request that chooses among several indexes.
const INDEX: &str = "index";

/// Indexes that answer the requests of a server.
pub trait Answers: Send + Sync {
    /// The indexes that are open and may be asked.
    fn indexes(&self, access: &Access) -> Arc<IndexSet>;

    /// Answers a request whose parameters are JSON, from the indexes that may be asked and that [`Chosen`] names.
    ///
    /// # Errors
    /// A parameter is invalid, or an index cannot answer.
    fn answer(&self, access: &Access, info: &RequestInfo, parameters: Value, chosen: &Chosen) -> Result<Response>;

    /// What `/health` says of each index.
    fn health(&self, access: &Access) -> Vec<Value>;

    /// Further metrics, in OpenMetrics' text format without its end.
    fn metrics(&self) -> String {
        String::new()
    }
}

/// The indexes that a request names.
#[derive(Clone, Debug, Default)]
pub struct Chosen {
    globs: Option<GlobSet>,
    names: Option<BTreeSet<String>>,
}

impl Chosen {
    /// Takes the names from the parameters of a request: `index`, a glob or a list of globs.
    ///
    /// # Errors
    /// The parameter is neither, or a glob is invalid.
    pub fn take(parameters: &mut Value) -> Result<Self> {
        let invalid = |what: String| crate::Error::from(Error::Parameter(format!("invalid value for {INDEX}: {what}")));
        let Some(given) = parameters.as_object_mut().and_then(|object| object.remove(INDEX)) else {
            return Ok(Self::default());
        };
        let globs = match given {
            Value::Null => return Ok(Self::default()),
            Value::String(glob) => vec![Value::String(glob)],
            Value::Array(globs) => globs,
            other => return Err(invalid(other.to_string())),
        };
        let mut set = GlobSetBuilder::new();
        for glob in &globs {
            let text = glob.as_str().ok_or_else(|| invalid(glob.to_string()))?;
            set.add(Glob::new(text).map_err(|error| invalid(error.to_string()))?);
        }
        let globs = set.build().map_err(|error| invalid(error.to_string()))?;
        Ok(Self { globs: Some(globs), names: None })
    }

    /// The indexes of some names.
    #[must_use]
    pub const fn of(names: BTreeSet<String>) -> Self {
        Self { globs: None, names: Some(names) }
    }

    /// Whether the index of a name is meant.
    #[must_use]
    pub fn includes(&self, index: &str) -> bool {
        self.globs.as_ref().is_none_or(|globs| globs.is_match(index))
            && self.names.as_ref().is_none_or(|names| names.contains(index))
    }

    /// Whether indexes were named.
    #[must_use]
    pub const fn is_given(&self) -> bool {
        self.globs.is_some() || self.names.is_some()
    }
}

/// The error of a request that no index may answer.
#[must_use]
pub fn no_index(chosen: &Chosen) -> crate::Error {
    let what = if chosen.is_given() { "no index has such a name" } else { "there is no index to ask" };
    Error::Parameter(what.to_owned()).into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_request_names_indexes_by_globs() {
        let mut parameters = json!({"query": "x", "index": ["team/*", "b"]});
        let chosen = Chosen::take(&mut parameters).unwrap();
        assert_eq!(parameters, json!({"query": "x"}));
        assert_eq!(["team/a", "b", "c"].map(|name| chosen.includes(name)), [true, true, false]);
        assert!(Chosen::take(&mut json!({"index": "b"})).unwrap().includes("b"));
        assert!(Chosen::take(&mut json!({})).unwrap().includes("b"));
        assert!(Chosen::take(&mut json!({"index": 1})).is_err() && Chosen::take(&mut json!({"index": "{"})).is_err());
        assert!(Chosen::take(&mut json!([1])).unwrap().includes("b"));
    }
}

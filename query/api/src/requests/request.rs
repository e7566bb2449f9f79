//! What all requests have in common.

use super::Subject;
use crate::responses::Response;
use crate::{IndexSet, Result};

/// A request with its parameters.
pub trait Request: Send + Sync {
    /// Answers the request from one index or several.
    ///
    /// # Errors
    /// A parameter is invalid, or an index cannot be used.
    fn run(&self, indexes: &IndexSet) -> Result<Response>;

    /// What it is about.
    fn subject(&self) -> Subject;

    /// The repositories that it is restricted to, by their names in their indexes; all if there is none.
    fn repositories(&self) -> &[String] {
        &[]
    }
}

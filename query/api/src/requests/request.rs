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

    /// Whether it may lead through indexes that have none of what it names: from one to the next along links.
    fn leads_further(&self) -> bool {
        false
    }

    /// Whether it follows requests to the endpoints that they ask: their names are those of no definition.
    fn follows_endpoints(&self) -> bool {
        false
    }

    /// The repositories that it is restricted to, by their names in their indexes; all if there is none.
    fn repositories(&self) -> &[String] {
        &[]
    }
}

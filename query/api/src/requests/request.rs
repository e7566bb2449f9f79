//! What all requests have in common.

use sextant_search::Filters;

use super::Subject;
use super::unmatched::unmatched_notes;
use crate::responses::Response;
use crate::{IndexSet, Result};

/// A request with its parameters.
pub trait Request: Send + Sync {
    /// Answers the request from one index or several.
    ///
    /// # Errors
    /// A parameter is invalid, or an index cannot be used.
    fn run(&self, indexes: &IndexSet) -> Result<Response>;

    /// What it is restricted to.
    fn filters(&self) -> Filters {
        Filters::default()
    }

    /// Answers the request from all indexes that there are, and says of filters that nothing fits why nothing is found.
    ///
    /// # Errors
    /// A parameter is invalid, or an index cannot be used.
    fn answer(&self, indexes: &IndexSet) -> Result<Response> {
        let mut response = self.run(indexes)?;
        let filters = self.filters();
        if !response.found && !filters.is_empty() {
            response.notes.extend(unmatched_notes(indexes, &filters)?);
        }
        Ok(response)
    }

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

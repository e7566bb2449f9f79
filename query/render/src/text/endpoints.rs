//! The answer of `endpoints` as text.

use std::fmt::Write;

use sextant_api::responses::{EndpointUse, EndpointsAnswer};

use super::locations::Locations;
use crate::style::{FAINT, NAME};

/// Requests of an endpoint that are listed.
const MAX_REQUESTS: usize = 5;

impl Locations<'_> {
    /// Endpoints, each with who serves and who asks it.
    pub(super) fn endpoints(&self, answer: &EndpointsAnswer) -> String {
        let mut out = String::new();
        for endpoint in &answer.endpoints {
            let unserved = if endpoint.handlers.is_empty() { "  nothing here serves it" } else { "" };
            let _ = writeln!(out, "{NAME}{}{NAME:#}{FAINT}{unserved}{FAINT:#}", endpoint.name);
            for handler in &endpoint.handlers {
                let _ = writeln!(out, "  {}", self.endpoint_use(handler));
            }
            for request in endpoint.requests.iter().take(MAX_REQUESTS) {
                let _ = writeln!(out, "  asked at {}", self.endpoint_use(request));
            }
            let (more, tests) = match endpoint.requests.get(MAX_REQUESTS..) {
                Some(rest) => (rest.len(), rest.iter().filter(|request| request.is_test).count()),
                None => (0, 0),
            };
            if more > 0 {
                let _ = writeln!(out, "  {FAINT}and {more} more requests, {tests} in tests{FAINT:#}");
            }
        }
        let left = answer.total - answer.endpoints.len();
        if left > 0 {
            let _ = writeln!(out, "{FAINT}{left} more endpoints{FAINT:#}");
        }
        out
    }

    fn endpoint_use(&self, one: &EndpointUse) -> String {
        let is_file = one.symbol == one.location.path;
        let symbol = if is_file { String::new() } else { format!("  {}", one.symbol) };
        format!("{}{symbol}", self.start(&one.location))
    }
}

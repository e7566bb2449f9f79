//! The answer of `endpoints`.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_format::endpoints::family;
use sextant_search::DirtyFiles;
use sextant_search::navigate;

use super::SCHEMA_VERSION;
use crate::location::Location;

/// Endpoints, those of HTTP in the order of their paths.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EndpointsAnswer {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The endpoints.
    pub endpoints: Vec<Endpoint>,
    /// The number of all that fit, listed or not.
    pub total: usize,
}

/// An endpoint with who serves and who asks it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Endpoint {
    /// `http`, `grpc` or `topic`.
    pub family: &'static str,
    /// Method and path with `{}` for parameters, service and method, or topic.
    pub name: String,
    /// The code that handles it; empty if nothing in the indexes does.
    pub handlers: Vec<EndpointUse>,
    /// The code that asks it.
    pub requests: Vec<EndpointUse>,
}

/// A place that serves or asks an endpoint.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EndpointUse {
    /// Its location.
    #[serde(flatten)]
    pub location: Location,
    /// The function with its owners; the path of the file outside of functions.
    pub symbol: String,
    /// Whether it is test code.
    pub is_test: bool,
    /// How sure it is that a request means this endpoint, 0 to 1.
    pub confidence: f32,
}

impl EndpointsAnswer {
    pub(crate) fn new(found: Vec<navigate::Endpoint>, total: usize, dirty_files: &DirtyFiles) -> Self {
        let one = |found: navigate::EndpointUse| EndpointUse {
            location: Location::new(dirty_files, &found.repo, &found.path, found.line, found.line),
            symbol: found.symbol,
            is_test: found.is_test,
            confidence: found.confidence,
        };
        let endpoint = |found: navigate::Endpoint| Endpoint {
            family: family(&found.name),
            name: found.name,
            handlers: found.handlers.into_iter().map(one).collect(),
            requests: found.requests.into_iter().map(one).collect(),
        };
        let endpoints = found.into_iter().map(endpoint).collect();
        Self { schema_version: SCHEMA_VERSION, command: "endpoints", endpoints, total }
    }
}

//! Values as JSON: one object on one line.

use serde::Serialize;
use sextant_api::responses::Response;

/// Returns a response as JSON: one object on one line, without a final line break.
#[must_use]
pub fn json(response: &Response) -> String {
    line(&response.bodies)
}

/// Returns a value as one line of JSON.
pub(crate) fn line(value: &impl Serialize) -> String {
    // Serialising strings and numbers cannot fail.
    serde_json::to_string(value).unwrap_or_default()
}

//! Values as JSON: one object on one line.

use serde::Serialize;
use sextant_api::responses::{Bodies, CheckoutState, Coverage, Response};

/// Returns a response as JSON: one object on one line, without a final line break.
#[must_use]
pub fn json(response: &Response) -> String {
    let Response { bodies, checkouts, coverage, .. } = response;
    if checkouts.is_empty() && coverage.is_none() {
        return line(bodies);
    }
    line(&Compared { bodies, checkouts, coverage: coverage.as_ref() })
}

/// An answer whose files were compared with a checkout, or that not all indexes gave.
#[derive(Serialize)]
struct Compared<'a> {
    #[serde(flatten)]
    bodies: &'a Bodies,
    #[serde(skip_serializing_if = "<[CheckoutState]>::is_empty")]
    checkouts: &'a [CheckoutState],
    #[serde(skip_serializing_if = "Option::is_none")]
    coverage: Option<&'a Coverage>,
}

/// Returns a value as one line of JSON.
pub(crate) fn line(value: &impl Serialize) -> String {
    // Serialising strings and numbers cannot fail.
    serde_json::to_string(value).unwrap_or_default()
}

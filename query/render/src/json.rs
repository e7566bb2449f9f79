//! Values as JSON: one object on one line.

use serde::Serialize;
use sextant_api::responses::{Bodies, CheckoutState, Response};

/// Returns a response as JSON: one object on one line, without a final line break.
#[must_use]
pub fn json(response: &Response) -> String {
    if response.checkouts.is_empty() {
        return line(&response.bodies);
    }
    line(&Compared { bodies: &response.bodies, checkouts: &response.checkouts })
}

/// An answer whose files were compared with a checkout.
#[derive(Serialize)]
struct Compared<'a> {
    #[serde(flatten)]
    bodies: &'a Bodies,
    checkouts: &'a [CheckoutState],
}

/// Returns a value as one line of JSON.
pub(crate) fn line(value: &impl Serialize) -> String {
    // Serialising strings and numbers cannot fail.
    serde_json::to_string(value).unwrap_or_default()
}

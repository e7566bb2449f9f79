//! Renders responses: as text for people and models ([`TextRenderer`]), as JSON for programs ([`json`]), and as diagrams.
//! Rendering is the last step: nothing edits its output.
//!
//! Meaning never depends on colour alone: `anstream` strips colours if the terminal has none or `NO_COLOR` is set.

mod config;
mod draw;
mod eval;
mod text;
mod verify;

use serde::Serialize;
use sextant_api::responses::Response;

pub use config::{config_json, config_text};
pub use eval::{eval_json, eval_text};
pub use text::TextRenderer;
pub use verify::{verify_json, verify_text};

/// Returns a response as JSON: one object on one line, without a final line break.
#[must_use]
pub fn json(response: &Response) -> String {
    line(&response.bodies)
}

/// Returns a value as one line of JSON.
fn line(value: &impl Serialize) -> String {
    // Serialising strings and numbers cannot fail.
    serde_json::to_string(value).unwrap_or_default()
}

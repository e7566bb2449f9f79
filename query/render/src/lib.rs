//! Responses into what is printed: text for people and models ([`TextRenderer`]), JSON for programs ([`json`]), and
//! pictures. Rendering is the last step: nothing edits what it gives.
//!
//! Meaning never depends on colour alone; `anstream` drops the colours where the terminal has none or `NO_COLOR` is set.

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

/// A response as JSON: one object on one line, without a line break at its end.
#[must_use]
pub fn json(response: &Response) -> String {
    line(&response.bodies)
}

/// Plain data on one line.
fn line(value: &impl Serialize) -> String {
    // The data are texts and numbers only; nothing of it can fail.
    serde_json::to_string(value).unwrap_or_default()
}

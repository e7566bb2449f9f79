//! Renders responses: as text for people and models ([`TextRenderer`]), as JSON for programs ([`json()`]), as diagrams, and
//! as web pages without script.
//! Rendering is the last step: nothing edits its output.
//!
//! Meaning never depends on colour alone: `anstream` strips colours if the terminal has none or `NO_COLOR` is set.

mod config;
mod draw;
mod eval;
mod html;
mod json;
mod style;
mod text;
mod verify;

pub use config::{config_json, config_text};
pub use eval::{eval_json, eval_text};
pub use html::{Links, STYLE_SHEETS, SymbolParts, map_page, symbol_page};
pub use json::json;
pub use text::TextRenderer;
pub use verify::{verify_json, verify_text};

//! Results for people and models (text) and for programs ([`shapes`]).
//!
//! Meaning never hangs on colour alone; `anstream` drops the colours where the terminal has none or `NO_COLOR` is set.

mod config;
mod draw;
mod edited;
mod eval;
mod graph;
mod links;
mod overview;
mod schema;
pub(crate) mod shapes;
mod source;
mod text;

use anstyle::{AnsiColor, Style};

pub(crate) use config::{config_json, config_text};
pub(crate) use draw::{map_dot, map_mermaid, map_svg};
pub(crate) use edited::{mark_json, mark_text};
pub(crate) use eval::{eval_json, eval_text};
pub(crate) use graph::{definitions_text, hover_text, path_text, reach_text, references_text, related_text};
pub(crate) use links::linked;
pub(crate) use overview::{context_text, explore_text, map_text};
pub(crate) use schema::{markdown, schemas_json};
pub(crate) use shapes::*;
pub(crate) use source::{grep_text, outline_text, show_text};
pub(crate) use text::{search_text, stats_text, verify_text};

const PLACE: Style = AnsiColor::Magenta.on_default();
const NAME: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const MATCH: Style = AnsiColor::Red.on_default().bold();

/// A longer signature is cut where it is shown to people.
const LONGEST_SIGNATURE: usize = 200;

/// A signature as it is shown.
fn signature(text: &str) -> std::borrow::Cow<'_, str> {
    if text.len() <= LONGEST_SIGNATURE {
        return text.into();
    }
    format!("{} ...", text[..text.floor_char_boundary(LONGEST_SIGNATURE)].trim_end()).into()
}

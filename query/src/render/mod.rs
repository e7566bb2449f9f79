//! Results for people and for programs. The JSON shapes are a contract: they have types of their
//! own here, so that a change inside the library cannot change them by accident.

mod config;
mod eval;
mod graph;
mod json;
mod text;

pub(crate) use config::{config_json, config_text};
pub(crate) use eval::{eval_json, eval_text};
pub(crate) use graph::{
    Meant, definitions_json, definitions_text, path_json, path_text, reach_json, reach_text, related_json, related_text,
};
pub(crate) use json::{search as search_json, stats as stats_json, verify as verify_json};
pub(crate) use text::{search as search_text, stats as stats_text, verify as verify_text};

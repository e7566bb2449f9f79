//! The effective settings as text and JSON.

use std::fmt::Write;

use serde::Serialize;
use serde_json::{Value, json};

use sextant_api::responses::SCHEMA_VERSION;

use crate::json::line;
use crate::style::FAINT;
use sextant_api::config::{Config, Origin, Setting};
use sextant_search::rank::Weights;

#[derive(Serialize)]
struct ConfigJson {
    schema_version: u32,
    command: &'static str,
    settings: Vec<SettingJson>,
}

#[derive(Serialize)]
struct SettingJson {
    name: String,
    value: Value,
    origin: String,
}

/// Lists all settings, then the weights.
fn settings(config: &Config) -> Vec<SettingJson> {
    fn setting<T>(name: &str, setting: &Setting<T>, value: Value) -> SettingJson {
        SettingJson { name: name.to_owned(), value, origin: setting.origin.to_string() }
    }
    let mut all = vec![
        setting("index", &config.index, json!(config.index.value)),
        setting("search.limit", &config.limit, json!(config.limit.value)),
        setting("search.mode", &config.mode, json!(config.mode.value.as_str())),
        setting("search.strategy", &config.strategy, json!(config.strategy.value.as_str())),
        setting("search.graph", &config.graph, json!(config.graph.value)),
        setting("search.vectors", &config.vectors, json!(config.vectors.value)),
        setting("search.languages", &config.languages, json!(config.languages.value)),
        setting("search.paths", &config.paths, json!(config.paths.value)),
    ];
    for (name, value) in Weights::NAMES.iter().zip(config.weights.values()) {
        let origin = config.weight_origins.iter().find(|(known, _)| known == name).map(|(_, origin)| origin);
        let origin = origin.unwrap_or(&Origin::Default).to_string();
        all.push(SettingJson { name: format!("weights.{name}"), value: json!(value), origin });
    }
    all
}

/// Returns the settings as text, one per line, each with its origin.
#[must_use]
pub fn config_text(config: &Config) -> String {
    let all = settings(config);
    let width = all.iter().map(|setting| setting.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for SettingJson { name, value, origin } in all {
        let _ = writeln!(out, "{name:width$} = {value}  {FAINT}# {origin}{FAINT:#}");
    }
    out
}

/// Returns the settings as one line of JSON.
#[must_use]
pub fn config_json(config: &Config) -> String {
    line(&ConfigJson { schema_version: SCHEMA_VERSION, command: "config", settings: settings(config) })
}

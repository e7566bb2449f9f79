//! The settings that hold, for people and for programs.

use std::fmt::Write;

use anstyle::Style;
use serde::Serialize;
use serde_json::{Value, json};

use sextant_api::responses::SCHEMA_VERSION;

use crate::line;
use sextant_api::config::{Config, Origin, Setting};
use sextant_search::rank::Weights;

const FAINT: Style = Style::new().dimmed();

#[derive(Serialize)]
struct ConfigShape {
    schema_version: u32,
    command: &'static str,
    settings: Vec<SettingShape>,
}

#[derive(Serialize)]
struct SettingShape {
    name: String,
    value: Value,
    origin: String,
}

/// All settings by name, then the weights.
fn settings(config: &Config) -> Vec<SettingShape> {
    fn one<T>(name: &str, setting: &Setting<T>, value: Value) -> SettingShape {
        SettingShape { name: name.to_owned(), value, origin: setting.origin.to_string() }
    }
    let mut all = vec![
        one("index", &config.index, json!(config.index.value)),
        one("search.limit", &config.limit, json!(config.limit.value)),
        one("search.mode", &config.mode, json!(config.mode.value.as_str())),
        one("search.strategy", &config.strategy, json!(config.strategy.value.as_str())),
        one("search.graph", &config.graph, json!(config.graph.value)),
        one("search.vectors", &config.vectors, json!(config.vectors.value)),
        one("search.languages", &config.languages, json!(config.languages.value)),
        one("search.paths", &config.paths, json!(config.paths.value)),
    ];
    for (name, value) in Weights::NAMES.iter().zip(config.weights.values()) {
        let origin = config.weight_origins.iter().find(|(known, _)| known == name).map(|(_, origin)| origin);
        let origin = origin.unwrap_or(&Origin::Default).to_string();
        all.push(SettingShape { name: format!("weights.{name}"), value: json!(value), origin });
    }
    all
}

/// A setting a line.
#[must_use]
pub fn config_text(config: &Config) -> String {
    let all = settings(config);
    let width = all.iter().map(|setting| setting.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    for SettingShape { name, value, origin } in all {
        let _ = writeln!(out, "{name:width$} = {value}  {FAINT}# {origin}{FAINT:#}");
    }
    out
}

/// Everything on one line.
#[must_use]
pub fn config_json(config: &Config) -> String {
    line(&ConfigShape { schema_version: SCHEMA_VERSION, command: "config", settings: settings(config) })
}

//! Words of requests: what is listed, and what the text form of an answer looks like. The answer carries it to the renderer, so that this module is
//! below both [`requests`](crate::requests) and [`responses`](crate::responses), and must not know either.

use schemars::JsonSchema;
use serde::Deserialize;

/// The level of detail of `context`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum Detail {
    /// One line per symbol, with its numbers of callers and callees
    Brief,
    /// Every symbol with its callers and callees
    #[default]
    Detailed,
    /// Every symbol with its callers and callees as trees
    Tree,
}

/// What `show` lists with a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum Connected {
    /// The symbols that call it, or use it if it cannot be called
    Callers,
    /// The symbols that it calls
    Callees,
    /// The constants that it uses, with their values
    Constants,
    /// The tests that a change to it can affect
    Tests,
}

/// The output format of `map`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "snake_case")]
pub enum MapFormat {
    /// Text, or JSON with --format json
    #[default]
    Text,
    /// A flowchart for Mermaid
    Mermaid,
    /// A graph for Graphviz
    Dot,
    /// An SVG image
    Svg,
}

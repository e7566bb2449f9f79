//! The page of a symbol: signature and documentation, a drawing of its calls, source, callers and callees.

use maud::{Markup, html};
use sextant_api::responses::{Definition, Excerpt, Hover, ReachAnswer, ReachedSymbol};

use super::code;
use super::page::{Links, canvas, page, symbol_row, text};

/// The answers of which a page of a symbol is made.
#[derive(Clone, Copy, Debug)]
pub struct SymbolParts<'a> {
    /// The symbol.
    pub definition: &'a Definition,
    /// What `hover` tells.
    pub hover: Option<&'a Hover>,
    /// Its source.
    pub source: Option<&'a Excerpt>,
    /// What calls or uses it, and what it calls, with drawings.
    pub callers: Option<&'a ReachAnswer>,
    /// What it calls.
    pub callees: Option<&'a ReachAnswer>,
}

/// Returns the page of a symbol. `source` says what it was made of.
#[must_use]
pub fn symbol_page(parts: SymbolParts<'_>, source: &str, links: Links<'_>) -> String {
    let definition = parts.definition;
    let location = &definition.location;
    let place = format!("{}/{}:{}-{}", location.repo, location.path, location.start_line, location.end_line);
    let content = html! {
        p { a href="index.html" { "Map" } }
        h1 { span class="kind" { (definition.kind) } " " (text(&definition.qualified_name)) }
        p class="location" { (text(&place)) }
        @if let Some(signature) = &definition.signature {
            pre { (text(signature)) }
        }
        @if let Some(doc) = parts.hover.and_then(|hover| hover.doc.as_deref()) {
            p class="doc text" { (text(doc)) }
        }
        @for reached in [parts.callers, parts.callees].into_iter().flatten() {
            @if let Some(drawing) = reached.drawing.as_ref().filter(|_| !reached.results.is_empty()) {
                h2 { (heading(reached)) }
                (canvas(drawing, links))
            }
        }
        @if let Some(excerpt) = parts.source {
            h2 { "Source" }
            (code::code(excerpt))
        }
        @for reached in [parts.callers, parts.callees].into_iter().flatten() {
            h2 { (heading(reached)) }
            @if reached.results.is_empty() {
                p class="muted" { "The index knows none from a confidence of 0.5." }
            }
            ul class="rows" {
                @for one in &reached.results {
                    (symbol_row(&one.definition, links, &edge(one)))
                }
            }
            @if reached.truncated {
                p class="muted" { "There are more." }
            }
        }
    };
    page(&definition.qualified_name, source, &content)
}

fn heading(reached: &ReachAnswer) -> &'static str {
    match reached.command {
        "callees" => "Callees",
        "impact" => "Users",
        _ => "Callers",
    }
}

/// How an edge is known, and where it is.
fn edge(reached: &ReachedSymbol) -> Markup {
    let lines: Vec<String> = reached.edge_lines.iter().map(u32::to_string).collect();
    html! {
        span class="muted" {
            (reached.edge)
            @if !lines.is_empty() {
                @if lines.len() == 1 { ", line " } @else { ", lines " }
                (lines.join(", "))
            }
            ", " (reached.resolution) " " (format!("{:.2}", reached.confidence))
        }
    }
}

//! What all pages share: the frame, texts of an index, rows of symbols, drawings.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use sextant_api::responses::Definition;
use sextant_drawing::{Drawing, escape, linked_svg};

/// Where the symbol of a key has a page; none if it has none.
pub type Links<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Nothing but style sheets and drawings of the page itself.
const POLICY: &str = "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src data:";
/// The style sheets beside the page.
pub const STYLE_SHEETS: [&str; 3] = ["style.css", "screens.css", "code.css"];

/// A text of an index.
pub(super) fn text(text: &str) -> Markup {
    PreEscaped(escape(text))
}

/// A page with a title. `source` says what it was made of.
pub(super) fn page(title: &str, source: &str, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="generator" content="sextant export";
                title { (text(title)) " · Sextant" }
                @for sheet in STYLE_SHEETS {
                    link rel="stylesheet" href=(sheet);
                }
            }
            body {
                main {
                    div class="page" {
                        (content)
                        p class="muted small" { (text(source)) }
                    }
                }
            }
        }
    };
    page.into_string()
}

/// A symbol with its kind and place, as a link if it has a page.
pub(super) fn symbol_row(definition: &Definition, links: Links<'_>, more: &Markup) -> Markup {
    let place = format!("{}:{}", definition.location.path, definition.location.start_line);
    html! {
        li {
            span class="row" {
                span class="kind" { (definition.kind) }
                @match links(&definition.key) {
                    Some(address) => a class="symbol" href=(address) { (text(&definition.qualified_name)) },
                    None => span class="symbol" { (text(&definition.qualified_name)) },
                }
                span class="location" { (text(&place)) }
                @if definition.is_test {
                    span class="tag" { "test" }
                }
                (more)
            }
        }
    }
}

/// A drawing in its frame. Boxes lead to pages.
pub(super) fn canvas(drawing: &Drawing, links: Links<'_>) -> Markup {
    html! {
        div class="canvas" tabindex="0" role="region" aria-label=(drawing.label) {
            (PreEscaped(linked_svg(drawing, links)))
        }
    }
}

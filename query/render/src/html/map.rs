//! The first page: the map, its modules, the symbols that have pages.

use maud::html;
use sextant_api::responses::{Definition, MapAnswer, Module};

use super::page::{Links, canvas, page, symbol_row, text};

/// Returns the page of a map. `symbols` are those with pages of their own; `source` says what it was made of.
#[must_use]
pub fn map_page(title: &str, maps: &[&MapAnswer], symbols: &[&Definition], source: &str, links: Links<'_>) -> String {
    let content = html! {
        h1 { (text(title)) }
        p class="muted small" { "What uses stands above what is used. The width of a line is the number of uses." }
        @for map in maps {
            @if let Some(drawing) = &map.drawing {
                (canvas(drawing, &|key| module_id(map, key).map(|id| format!("#{id}"))))
            }
            @if let Some(found) = &map.communities {
                h2 { "Communities" }
                ol class="rows" {
                    @for (n, community) in found.communities.iter().enumerate() {
                        li { "#" (n + 1) " " (text(&community.terms.join(", "))) " " span class="muted" { (community.files) " files" } }
                    }
                }
            }
        }
        @if !symbols.is_empty() {
            h2 { "Symbols" }
            ul class="rows" {
                @for symbol in symbols {
                    (symbol_row(symbol, links, &html! {}))
                }
            }
        }
        h2 { "Modules" }
        @for map in maps {
            @for (n, module) in map.modules.iter().enumerate() {
                section class="card" id=(format!("m{n}")) {
                    h3 {
                        (text(name(module))) " "
                        span class="muted" { (module.files) " files, " (module.lines) " lines, " (module.symbols) " symbols" }
                    }
                    ul class="rows" {
                        @for export in &module.exports {
                            @let used = html! { span class="muted" { "used by " (export.used_by) " files" } };
                            (symbol_row(&export.definition, links, &used))
                        }
                    }
                    @let used: Vec<&Module> = map.connections.iter().filter(|one| one.from_module == n)
                        .filter_map(|one| map.modules.get(one.to_module)).collect();
                    @if !used.is_empty() {
                        p { "Uses " (text(&used.into_iter().map(name).collect::<Vec<_>>().join(", "))) }
                    }
                }
            }
        }
    };
    page(title, source, &content)
}

fn name(module: &Module) -> &str {
    if module.path == "." { &module.repo } else { &module.path }
}

fn module_id(map: &MapAnswer, key: &str) -> Option<String> {
    let of = |module: &Module| format!("{}/{}", module.repo, module.path) == key;
    map.modules.iter().position(of).map(|n| format!("m{n}"))
}

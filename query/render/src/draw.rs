//! Maps as diagrams: Mermaid, Graphviz and SVG.

use std::fmt::Write;

use sextant_api::responses::MapAnswer;

/// Returns a Mermaid flowchart. Modules are boxes; arrows are labelled with the number of uses.
pub(crate) fn map_mermaid(map: &MapAnswer) -> String {
    let mut out = String::from("flowchart LR\n");
    for (n, module) in map.modules.iter().enumerate() {
        let name = module.path.replace('"', "'");
        let _ = writeln!(out, "  m{n}[\"{name}<br/>{} files, {} symbols\"]", module.files, module.symbols);
    }
    for connection in &map.connections {
        let _ = writeln!(out, "  m{} -->|{}| m{}", connection.from_module, connection.uses, connection.to_module);
    }
    out
}

/// Returns a Graphviz graph.
pub(crate) fn map_dot(map: &MapAnswer) -> String {
    let mut out = String::from("digraph map {\n  rankdir=LR;\n  node [shape=box];\n");
    for (n, module) in map.modules.iter().enumerate() {
        let name = module.path.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(out, "  m{n} [label=\"{name}\\n{} files, {} symbols\"];", module.files, module.symbols);
    }
    for connection in &map.connections {
        let _ = writeln!(
            out,
            "  m{} -> m{} [label=\"{}\"];",
            connection.from_module, connection.to_module, connection.uses
        );
    }
    out.push_str("}\n");
    out
}

/// Half the width and height of the image.
const CENTRE: f64 = 450.0;
/// The radius of the circle on which the modules are placed.
const RADIUS: f64 = 300.0;
/// The minimum and maximum radius of a module.
const MODULE_RADIUS: (f64, f64) = (6.0, 34.0);
/// The minimum and maximum width of a connection.
const CONNECTION_WIDTH: (f64, f64) = (0.6, 6.0);

/// Returns an SVG image: modules on a circle, sized by their number of symbols, with curves between those that use each
/// other, as wide as the number of uses.
pub(crate) fn map_svg(map: &MapAnswer) -> String {
    let count = map.modules.len().max(1);
    let max_symbols = map.modules.iter().map(|m| m.symbols).max().unwrap_or(1).max(1) as f64;
    let max_uses = map.connections.iter().map(|c| c.uses).max().unwrap_or(1).max(1) as f64;
    let scaled = |(min, max): (f64, f64), share: f64| min + (max - min) * share.sqrt();
    let angle = |n: usize| std::f64::consts::TAU * n as f64 / count as f64;
    let point = |n: usize, radius: f64| (CENTRE + radius * angle(n).cos(), CENTRE + radius * angle(n).sin());
    let size = 2.0 * CENTRE;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size:.0} {size:.0}\" font-family=\"sans-serif\" font-size=\"11\">\n"
    );
    let _ = writeln!(out, "<rect width=\"{size:.0}\" height=\"{size:.0}\" fill=\"#ffffff\"/>");
    for connection in &map.connections {
        let ((x1, y1), (x2, y2)) = (point(connection.from_module, RADIUS), point(connection.to_module, RADIUS));
        let width = scaled(CONNECTION_WIDTH, connection.uses as f64 / max_uses);
        let _ = writeln!(
            out,
            "<path d=\"M{x1:.1} {y1:.1} Q{CENTRE:.1} {CENTRE:.1} {x2:.1} {y2:.1}\" fill=\"none\" stroke=\"#4477aa\" stroke-opacity=\"0.45\" stroke-width=\"{width:.1}\"><title>{} uses {}: {}</title></path>",
            escape(&connection.from),
            escape(&connection.to),
            connection.uses
        );
    }
    for (n, module) in map.modules.iter().enumerate() {
        let (x, y) = point(n, RADIUS);
        let radius = scaled(MODULE_RADIUS, module.symbols as f64 / max_symbols);
        let fill = if module.is_test { "#bbbbbb" } else { "#228833" };
        let _ = writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\" fill-opacity=\"0.8\"><title>{}: {} files, {} symbols</title></circle>",
            escape(&module.path),
            module.files,
            module.symbols
        );
        // Names are outside the circle and never upside down.
        let (tx, ty) = point(n, RADIUS + radius + 6.0);
        let is_left = angle(n).cos() < 0.0;
        let (anchor, rotation) = if is_left { ("end", 180.0) } else { ("start", 0.0) };
        let degrees = angle(n).to_degrees() + rotation;
        let _ = writeln!(
            out,
            "<text x=\"{tx:.1}\" y=\"{ty:.1}\" text-anchor=\"{anchor}\" dominant-baseline=\"middle\" transform=\"rotate({degrees:.1} {tx:.1} {ty:.1})\">{}</text>",
            escape(&module.path)
        );
    }
    out.push_str("</svg>\n");
    out
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use sextant_api::requests::MapFormat;
    use sextant_api::responses::{Connection, Module, SCHEMA_VERSION};

    use super::*;

    #[test]
    fn names_are_escaped() {
        let module = |path: &str| Module { path: path.to_owned(), files: 1, symbols: 2, ..Module::default() };
        let (from, to) = ("a\"]<script>".to_owned(), "b\\".to_owned());
        let map = MapAnswer {
            schema_version: SCHEMA_VERSION,
            command: "map",
            modules: vec![module(&from), module(&to)],
            connections: vec![Connection { from, to, uses: 3, from_module: 0, to_module: 1 }],
            important: Vec::new(),
            format: MapFormat::Svg,
        };
        assert!(!map_svg(&map).contains("<script>"));
        assert!(map_mermaid(&map).contains("m0[\"a']<script>"));
        assert!(map_dot(&map).contains("m0 [label=\"a\\\"]<script>\\n1 files"));
        assert!(map_dot(&map).contains("m0 -> m1 [label=\"3\"]"));
    }
}

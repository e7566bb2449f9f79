//! Drawings and graphs as texts: SVG, Mermaid, Graphviz.

use std::fmt::Write as _;

use crate::drawing::{Drawing, Element};
use crate::graph::{Direction, Graph, Stroke};

/// Attributes that mean something on the web page only.
const OF_THE_PAGE: [&str; 5] = ["class", "data-from", "data-key", "data-node", "data-to"];

/// Where the box of a key leads to; none if it leads nowhere.
type Links<'a> = &'a dyn Fn(&str) -> Option<String>;

/// How elements are printed.
struct Printer<'a> {
    /// Where the box of a key leads to. None for an image, which needs neither links nor what a style sheet looks for.
    links: Option<Links<'a>>,
}

/// Returns a drawing as an SVG image that needs no style sheet.
#[must_use]
pub fn svg(drawing: &Drawing) -> String {
    Printer { links: None }.print(drawing)
}

/// Returns a drawing for a page with the style sheet of the web page: boxes whose keys have an address are links.
#[must_use]
pub fn linked_svg(drawing: &Drawing, links: Links<'_>) -> String {
    Printer { links: Some(links) }.print(drawing)
}

impl Printer<'_> {
    fn print(&self, drawing: &Drawing) -> String {
        let Drawing { label, width, height, elements, .. } = drawing;
        let class = if self.links.is_some() { " class=\"drawing\"" } else { "" };
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" aria-label=\"{}\" font-family=\"system-ui, sans-serif\" \
             font-size=\"12\"{class}>\n",
            escape(label)
        );
        for element in elements {
            self.write(&mut out, element);
            out.push('\n');
        }
        out.push_str("</svg>\n");
        out
    }

    fn write(&self, out: &mut String, element: &Element) {
        let Element { name, attributes, text, children } = element;
        let address = attributes.get("data-key").and_then(|key| self.links.and_then(|links| links(key)));
        let name = if address.is_some() { "a" } else { name };
        let _ = write!(out, "<{name}");
        if let Some(address) = address {
            let _ = write!(out, " href=\"{}\"", escape(&address));
        }
        let is_printed = |attribute: &str| self.links.is_some() || !OF_THE_PAGE.contains(&attribute);
        for (attribute, value) in attributes.iter().filter(|(attribute, _)| is_printed(attribute)) {
            let _ = write!(out, " {attribute}=\"{}\"", escape(value));
        }
        if text.is_empty() && children.is_empty() {
            out.push_str("/>");
            return;
        }
        let _ = write!(out, ">{}", escape(text));
        for child in children {
            self.write(out, child);
        }
        let _ = write!(out, "</{name}>");
    }
}

/// Escapes a text for XML and HTML, between tags and in attributes. Characters that XML forbids, and those that hide or
/// reorder others, become U+FFFD.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(c),
            '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => {
                out.push(char::REPLACEMENT_CHARACTER);
            }
            '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            c if c.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
    out
}

/// Returns a graph as a Mermaid flowchart.
#[must_use]
pub fn mermaid(graph: &Graph) -> String {
    let mut out = String::from(if graph.direction == Direction::Down { "flowchart TD\n" } else { "flowchart LR\n" });
    for (n, node) in graph.nodes.iter().enumerate() {
        let text = |text: &str| one_line(text).replace('"', "'");
        let _ = writeln!(out, "  m{n}[\"{}<br/>{}\"]", text(&node.title), text(&node.detail));
    }
    for edge in graph.drawn_edges() {
        let arrow = if edge.stroke == Stroke::Solid { "-->" } else { "-.->" };
        let label = one_line(&edge.label).replace(['|', '"'], "'");
        let label = if label.is_empty() { String::new() } else { format!("|{label}|") };
        let _ = writeln!(out, "  m{} {arrow}{label} m{}", edge.from, edge.to);
    }
    out
}

/// Returns a graph for Graphviz.
#[must_use]
pub fn dot(graph: &Graph) -> String {
    let quoted = |text: &str| one_line(text).replace('\\', "\\\\").replace('"', "\\\"");
    let direction = if graph.direction == Direction::Down { "TB" } else { "LR" };
    let mut out = format!("digraph sextant {{\n  rankdir={direction};\n  node [shape=box];\n");
    for (n, node) in graph.nodes.iter().enumerate() {
        let _ = writeln!(out, "  m{n} [label=\"{}\\n{}\"];", quoted(&node.title), quoted(&node.detail));
    }
    for edge in graph.drawn_edges() {
        let style = match edge.stroke {
            Stroke::Solid => "",
            Stroke::Dashed => ", style=dashed",
            Stroke::Dotted => ", style=dotted",
        };
        let _ = writeln!(out, "  m{} -> m{} [label=\"{}\"{style}];", edge.from, edge.to, quoted(&edge.label));
    }
    out.push_str("}\n");
    out
}

fn one_line(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Edge, Node};

    fn graph(titles: &[&str], edges: &[(usize, usize)]) -> Graph {
        let node = |title: &&str| Node { title: (*title).to_owned(), hint: (*title).to_owned(), ..Node::default() };
        let edge = |&(from, to): &(usize, usize)| Edge { from, to, label: "3".to_owned(), ..Edge::default() };
        Graph {
            label: "test".to_owned(),
            nodes: titles.iter().map(node).collect(),
            edges: edges.iter().map(edge).collect(),
            has_legend: true,
            direction: Direction::Down,
        }
    }

    /// The boxes of a drawing: left, top.
    fn boxes(drawing: &Drawing) -> Vec<(f64, f64)> {
        let number = |element: &Element, name: &str| element.attributes[name].parse::<f64>().unwrap();
        let groups = drawing.elements.iter().filter(|element| element.name == "g");
        groups.map(|group| (number(&group.children[1], "x"), number(&group.children[1], "y"))).collect()
    }

    #[test]
    fn names_are_escaped() {
        let hostile = graph(&["a\"]<script>", "b\\", "\u{202e}c\u{1}"], &[(0, 1)]);
        let picture = svg(&Drawing::new(&hostile));
        assert!(!picture.contains("<script>") && !picture.contains('\u{202e}') && !picture.contains('\u{1}'));
        assert!(mermaid(&hostile).contains("m0[\"a']<script>"));
        assert!(dot(&hostile).contains("m0 [label=\"a\\\"]<script>\\n"));
        assert!(dot(&hostile).contains("m0 -> m1 [label=\"3\"]"));
    }

    #[test]
    fn what_uses_is_above_what_is_used() {
        let places = boxes(&Drawing::new(&graph(&["used", "main", "run"], &[(1, 2), (2, 0), (1, 0)])));
        assert!(places[1].1 < places[2].1 && places[2].1 < places[0].1, "{places:?}");
    }

    #[test]
    fn a_circle_and_a_node_for_itself_are_drawn() {
        let drawing = Drawing::new(&graph(&["a", "b", "alone"], &[(0, 1), (1, 0), (2, 2), (0, 9)]));
        assert_eq!(drawing.elements.iter().filter(|element| element.attributes.contains_key("data-from")).count(), 2);
        assert_eq!(boxes(&drawing).len(), 3);
        assert!(boxes(&Drawing::new(&Graph::default())).is_empty());
    }

    #[test]
    fn long_titles_keep_their_end() {
        let drawing = Drawing::new(&graph(&["crate::some::very::long::path::to::a::Type::method"], &[]));
        let title = drawing.elements.iter().flat_map(|element| &element.children).find(|child| child.name == "text");
        let title = &title.unwrap().text;
        assert!(title.starts_with('…') && title.ends_with("Type::method") && title.chars().count() <= 23, "{title}");
    }

    proptest! {
        #[test]
        fn boxes_never_overlap_and_the_picture_is_repeatable(
            count in 1_usize..40,
            pairs in proptest::collection::vec((0_usize..40, 0_usize..40), 0..120),
            is_right: bool,
        ) {
            let names: Vec<String> = (0..count).map(|n| format!("n{n}")).collect();
            let titles: Vec<&str> = names.iter().map(String::as_str).collect();
            let mut graph = graph(&titles, &pairs);
            graph.direction = if is_right { Direction::Right } else { Direction::Down };
            let drawing = Drawing::new(&graph);
            prop_assert_eq!(&drawing, &Drawing::new(&graph));
            let places = boxes(&drawing);
            for (n, a) in places.iter().enumerate() {
                prop_assert!(a.0 >= 0.0 && a.1 >= 0.0);
                prop_assert!(a.0 + 204.0 <= f64::from(drawing.width) && a.1 + 48.0 <= f64::from(drawing.height));
                for b in &places[..n] {
                    prop_assert!((a.0 - b.0).abs() >= 204.0 || (a.1 - b.1).abs() >= 48.0);
                }
            }
        }
    }
}

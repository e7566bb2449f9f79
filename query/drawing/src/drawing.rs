//! A graph to the elements of a picture. Whoever prints them decides nothing about how it looks.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::curve;
use crate::graph::{Direction, Edge, Graph, Node, Role, Stroke};
use crate::place::{BOX, Sizes, place};

/// A picture: its size in pixels, and elements of SVG.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Drawing {
    /// What it shows, for those who do not see it.
    pub label: String,
    /// Its width.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// The colours of groups: the first group has the first, and after the last they begin again.
    pub colours: Vec<&'static str>,
    /// Its elements, the lowest first.
    pub elements: Vec<Element>,
}

/// An element of SVG.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Element {
    /// Its name: g, rect, path, line, text or title.
    pub name: &'static str,
    /// Its attributes. A group with `data-key` is the box of the symbol or the module of that
    /// key; `data-node` is its position, which lines name in `data-from` and `data-to`.
    pub attributes: BTreeMap<&'static str, String>,
    /// The text in it. Absent if there is none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The elements in it. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(schema_with = "any_elements")]
    pub children: Vec<Self>,
}

/// A list of elements: written out, the schema would contain itself.
fn any_elements(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "type": "array", "items": { "type": "object" } })
}

/// Colours of groups that differ in lightness too: Paul Tol's bright scheme, with brown for an eighth.
const GROUPS: [&str; 8] = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#997700", "#bbbbbb"];
/// The width of lines: all of calls, and the widest and narrowest of those whose width says something.
const LINE_WIDTH: f64 = 1.4;
const MAX_LINE_WIDTH: f64 = 7.0;
const MIN_LINE_WIDTH: f64 = 0.8;
/// The number of characters for which a box has room in its first and its second line.
const TITLE_CHARACTERS: usize = 23;
const DETAIL_CHARACTERS: usize = 29;
/// The height of the explanation of lines.
const LEGEND_HEIGHT: f64 = 30.0;
/// The words for each style, with the room that they take.
const LEGEND: [(Stroke, &str, f64); 3] = [
    (Stroke::Solid, "sure, 0.90 and more", 150.0),
    (Stroke::Dashed, "likely, 0.50 and more", 155.0),
    (Stroke::Dotted, "candidate, a guess by the name", 200.0),
];
/// The left end of the legend, and the length of its lines with the space behind them.
const LEGEND_START: f64 = 24.0;
const LEGEND_LINE: f64 = 34.0;

impl Element {
    fn new<const N: usize>(name: &'static str, attributes: [(&'static str, String); N]) -> Self {
        Self { name, attributes: attributes.into_iter().collect(), ..Self::default() }
    }

    fn with_text(mut self, text: &str) -> Self {
        self.text = text.to_owned();
        self
    }

    fn title(text: &str) -> Self {
        Self { name: "title", ..Self::default() }.with_text(text)
    }
}

impl Drawing {
    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.elements.iter().any(|element| element.name == "g")
    }

    /// Lays a graph out.
    #[must_use]
    pub fn new(graph: &Graph) -> Self {
        let edges: Vec<&Edge> = graph.drawn_edges().collect();
        let sizes = Sizes::of(graph.direction);
        let places = place(graph.nodes.len(), &edges, &sizes);
        let (mut width, mut height) = match graph.direction {
            Direction::Down => (places.along, places.across),
            Direction::Right => (places.across, places.along),
        };
        // The picture stands in the middle above its legend.
        let legend = LEGEND.iter().map(|(_, _, room)| LEGEND_LINE + room).sum::<f64>() + LEGEND_START;
        let left = if graph.has_legend { ((legend - width) / 2.0).max(0.0).round() } else { 0.0 };
        if graph.has_legend {
            (width, height) = (width.max(legend), height + LEGEND_HEIGHT);
        }
        let paper = [
            ("class", "paper".to_owned()),
            ("width", format!("{width}")),
            ("height", format!("{height}")),
            ("fill", "#ffffff".to_owned()),
        ];
        let mut elements = vec![Element::new("rect", paper)];
        let strongest = edges.iter().map(|edge| edge.weight).max().unwrap_or(1).max(1) as f64;
        for chain in &places.chains {
            let edge = edges[chain.edge];
            let path = curve::path(chain, &places.points, &sizes, graph.direction);
            let mut line = flow(edge, path, chain.is_up, strongest);
            if left > 0.0 {
                line.attributes.insert("transform", format!("translate({left} 0)"));
            }
            elements.push(line);
        }
        for (n, node) in graph.nodes.iter().enumerate() {
            let point = &places.points[n];
            let along = (point.x - sizes.along / 2.0).round();
            let (x, y) = if graph.direction == Direction::Down { (along, point.y) } else { (point.y, along) };
            elements.push(boxed(n, node, x + left, y));
        }
        if graph.has_legend {
            elements.extend(legend_at(height - LEGEND_HEIGHT / 2.0 - 4.0));
        }
        let (label, colours) = (graph.label.clone(), GROUPS.to_vec());
        Self { label, width: width as u32, height: height as u32, colours, elements }
    }
}

/// The dashes of a line.
fn dashes(stroke: Stroke) -> Option<&'static str> {
    match stroke {
        Stroke::Solid => None,
        Stroke::Dashed => Some("7 4"),
        Stroke::Dotted => Some("1.5 4"),
    }
}

fn flow(edge: &Edge, path: String, is_up: bool, strongest: f64) -> Element {
    let share = (edge.weight as f64 / strongest).sqrt();
    let width = if edge.is_wide { MIN_LINE_WIDTH + (MAX_LINE_WIDTH - MIN_LINE_WIDTH) * share } else { LINE_WIDTH };
    let attributes = [
        ("class", if is_up { "flow up" } else { "flow" }.to_owned()),
        ("d", path),
        ("data-from", edge.from.to_string()),
        ("data-to", edge.to.to_string()),
        ("fill", "none".to_owned()),
        ("stroke", "#5b7a99".to_owned()),
        ("stroke-opacity", if edge.is_wide { "0.5" } else { "0.85" }.to_owned()),
        ("stroke-width", format!("{width:.2}")),
    ];
    let mut element = Element::new("path", attributes);
    // A wide line that leads up is dashed; the dashes of others say how sure they are.
    let dashes = if edge.is_wide { is_up.then_some("5 4") } else { dashes(edge.stroke) };
    element.attributes.extend(dashes.map(|dashes| ("stroke-dasharray", dashes.to_owned())));
    element.children.push(Element::title(&edge.hint));
    element
}

fn boxed(number: usize, node: &Node, x: f64, y: f64) -> Element {
    let (class, fill, stroke, width) = match node.role {
        Role::Plain => ("module", "#ffffff", "#8a949e", "1"),
        Role::Test => ("module test", "#f3f3f1", "#8a949e", "1"),
        Role::Start => ("module start", "#eaf3fb", "#0a5ba8", "2"),
    };
    let mut group = Element::new(
        "g",
        [("class", class.to_owned()), ("data-key", node.key.clone()), ("data-node", number.to_string())],
    );
    let outline = [
        ("class", "box".to_owned()),
        ("x", format!("{x}")),
        ("y", format!("{y}")),
        ("width", format!("{}", BOX.0)),
        ("height", format!("{}", BOX.1)),
        ("rx", "5".to_owned()),
        ("fill", fill.to_owned()),
        ("stroke", stroke.to_owned()),
        ("stroke-width", width.to_owned()),
    ];
    group.children.push(Element::title(&node.hint));
    group.children.push(Element::new("rect", outline));
    if let Some(colour) = node.group.and_then(|group| GROUPS.get(group % GROUPS.len())) {
        let bar = [
            ("x", format!("{}", x + 1.0)),
            ("y", format!("{}", y + 6.0)),
            ("width", "4".to_owned()),
            ("height", format!("{}", BOX.1 - 12.0)),
            ("rx", "2".to_owned()),
            ("fill", (*colour).to_owned()),
        ];
        group.children.push(Element::new("rect", bar));
    }
    let title = [("font-weight", "600".to_owned())];
    let title = text("title", x + 12.0, y + 20.0, "#1f2328", title).with_text(&end_of(&node.title, TITLE_CHARACTERS));
    let detail = [("font-size", "11".to_owned())];
    let detail =
        text("small", x + 12.0, y + 37.0, "#57606a", detail).with_text(&end_of(&node.detail, DETAIL_CHARACTERS));
    group.children.extend([title, detail]);
    group
}

fn text<const N: usize>(class: &str, x: f64, y: f64, fill: &str, more: [(&'static str, String); N]) -> Element {
    let mut element = Element::new("text", more);
    let place = [("class", class.to_owned()), ("x", format!("{x}")), ("y", format!("{y}")), ("fill", fill.to_owned())];
    element.attributes.extend(place);
    element
}

/// The explanation of the styles of lines.
fn legend_at(y: f64) -> Vec<Element> {
    let mut x = LEGEND_START;
    let mut elements = Vec::new();
    for (stroke, words, room) in LEGEND {
        let line = [
            ("class", "flow".to_owned()),
            ("d", format!("M{x} {y}H{}", x + LEGEND_LINE - 8.0)),
            ("fill", "none".to_owned()),
            ("stroke", "#5b7a99".to_owned()),
            ("stroke-width", format!("{LINE_WIDTH:.2}")),
        ];
        let mut line = Element::new("path", line);
        line.attributes.extend(dashes(stroke).map(|dashes| ("stroke-dasharray", dashes.to_owned())));
        let size = [("font-size", "11".to_owned())];
        elements.extend([line, text("small", x + LEGEND_LINE, y + 4.0, "#57606a", size).with_text(words)]);
        x += LEGEND_LINE + room;
    }
    elements
}

/// The end of a text that is longer than there is room for, from the beginning of a word if one is near.
fn end_of(text: &str, max: usize) -> String {
    let count = text.chars().count();
    if count <= max {
        return text.to_owned();
    }
    let end: String = text.chars().skip(count - (max - 1)).collect();
    let words = end.find(|c: char| !c.is_alphanumeric() && c != '_').filter(|&at| at > 0 && at < end.len() / 2);
    format!("…{}", words.map_or(end.as_str(), |at| &end[at..]))
}

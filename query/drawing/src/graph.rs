//! What is drawn: nodes and edges with their texts.

/// Nodes and edges.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// What the picture shows, for those who do not see it.
    pub label: String,
    /// The nodes.
    pub nodes: Vec<Node>,
    /// The edges. Those from a node to itself are not drawn.
    pub edges: Vec<Edge>,
    /// Where edges lead.
    pub direction: Direction,
    /// Whether the styles of lines are explained below the picture.
    pub has_legend: bool,
}

/// A box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Names it for the web page.
    pub key: String,
    /// The first line. A longer one than the box has room for is cut at its beginning, because ends of names differ.
    pub title: String,
    /// The second line, cut likewise.
    pub detail: String,
    /// What appears over the box.
    pub hint: String,
    /// How it looks.
    pub role: Role,
    /// The group that it belongs to: a colour.
    pub group: Option<usize>,
}

/// Where edges lead: what uses stands before what is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// From top to bottom. Layers that are too wide take several rows.
    #[default]
    Down,
    /// From left to right, for layers of many nodes: they are long lists.
    Right,
}

/// How a box looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Like any other.
    #[default]
    Plain,
    /// A test, or a module of tests.
    Test,
    /// What the picture is about.
    Start,
}

/// An arrow from what uses to what is used.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edge {
    /// The position of the node that uses.
    pub from: usize,
    /// The position of the node that is used.
    pub to: usize,
    /// How strong it is: among edges that close a circle, the weakest goes against the layers.
    pub weight: u64,
    /// Whether its width says how strong it is.
    pub is_wide: bool,
    /// Its line.
    pub stroke: Stroke,
    /// What appears over the line.
    pub hint: String,
    /// What a diagram writes at the line.
    pub label: String,
}

/// A style of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stroke {
    /// Solid.
    #[default]
    Solid,
    /// Dashed.
    Dashed,
    /// Dotted.
    Dotted,
}

impl Graph {
    /// The edges whose ends are two nodes of the graph.
    pub(crate) fn drawn_edges(&self) -> impl Iterator<Item = &Edge> {
        let count = self.nodes.len();
        self.edges.iter().filter(move |edge| edge.from < count && edge.to < count && edge.from != edge.to)
    }
}

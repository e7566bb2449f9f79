//! Nodes and edges to pictures: a [`Graph`] is laid out in layers and becomes a [`Drawing`], which is data. [`svg`] prints
//! it; the web page makes the same elements of it. [`mermaid`] and [`dot`] print a graph for programs that lay it out
//! themselves. This crate must not know what the nodes are.
//!
//! The same graph always gives the same drawing: ties are broken by the order of nodes and edges.
//!
//! ```
//! use sextant_drawing::{Drawing, Edge, Graph, Node, svg};
//!
//! let node = |title: &str| Node { title: title.to_owned(), ..Node::default() };
//! let calls = Edge { from: 0, to: 1, ..Edge::default() };
//! let graph = Graph { label: "calls".to_owned(), nodes: vec![node("main"), node("run")], edges: vec![calls], ..Graph::default() };
//! let picture = svg(&Drawing::new(&graph));
//! assert!(picture.starts_with("<svg ") && picture.contains(">main</text>"));
//! ```

mod curve;
mod drawing;
mod graph;
mod layers;
mod place;
mod print;

pub use drawing::{Drawing, Element};
pub use graph::{Direction, Edge, Graph, Node, Role, Stroke};
pub use print::{dot, escape, linked_svg, mermaid, svg};

//! Answers as graphs, for those who draw them.

use std::collections::BTreeMap;

use sextant_drawing::{Direction, Drawing, Edge, Graph, Node, Role, Stroke};

use super::{Definition, External, MapAnswer, Module, PathAnswer, ReachAnswer};
use crate::text_form::DrawFormat;

/// Edges from this confidence are sure, and from the second likely: those between are dashed, others dotted.
const SURE_FROM: f32 = 0.9;
const LIKELY_FROM: f32 = 0.5;
/// Weights are whole: confidences in thousandths.
const CONFIDENCE_WEIGHT: f32 = 1000.0;

/// Returns the drawing of a graph, if one is asked for.
fn drawing(draw: DrawFormat, graph: impl FnOnce() -> Graph) -> Option<Drawing> {
    (draw == DrawFormat::Svg).then(|| Drawing::new(&graph()))
}

macro_rules! with_drawing {
    ($($answer:ty),+) => {
        $(impl $answer {
            /// Draws it.
            pub(crate) fn with_drawing(mut self, draw: DrawFormat) -> Self {
                self.draw = draw;
                self.drawing = drawing(draw, || self.graph());
                self
            }
        })+
    };
}
with_drawing!(MapAnswer, PathAnswer, ReachAnswer);

impl MapAnswer {
    /// The modules, and how they use each other.
    #[must_use]
    pub fn graph(&self) -> Graph {
        let groups = self.communities.iter().flat_map(|found| found.communities.iter().enumerate());
        let groups: BTreeMap<usize, usize> = groups
            .flat_map(|(group, community)| community.modules.iter().map(move |&module| (module, group)))
            .collect();
        let edges = self.connections.iter().map(|connection| Edge {
            from: connection.from_module,
            to: connection.to_module,
            weight: connection.uses,
            is_wide: true,
            stroke: Stroke::Solid,
            hint: format!("{} uses {}: {}", connection.from, connection.to, connection.uses),
            label: connection.uses.to_string(),
        });
        let is_one_repo = self.modules.windows(2).all(|pair| pair[0].repo == pair[1].repo);
        let nodes = self.modules.iter().enumerate().map(|(n, one)| module(one, is_one_repo, groups.get(&n).copied()));
        Graph {
            label: "Modules in layers: what uses stands above what is used".to_owned(),
            nodes: nodes.collect(),
            edges: edges.collect(),
            ..Graph::default()
        }
    }
}

fn module(module: &Module, is_one_repo: bool, group: Option<usize>) -> Node {
    let title = match module.path.as_str() {
        "." => module.repo.clone(),
        path if is_one_repo => path.to_owned(),
        path => format!("{}/{path}", module.repo),
    };
    let number = group.map_or_else(String::new, |group| format!(" · #{}", group + 1));
    let plural = if module.files == 1 { "" } else { "s" };
    let detail = format!("{} file{plural} · {} symbols{number}", short(module.files), short(module.symbols));
    Node {
        key: format!("{}/{}", module.repo, module.path),
        hint: format!("{title}: {} files, {} lines, {} symbols", module.files, module.lines, module.symbols),
        role: if module.is_test { Role::Test } else { Role::Plain },
        title,
        detail,
        group,
    }
}

/// A number with four digits at most: thousands, where there is no room for more.
fn short(number: u64) -> String {
    if number < 10_000 { number.to_string() } else { format!("{} k", number / 1000) }
}

fn symbol(definition: &Definition, is_start: bool) -> Node {
    let Definition { key, qualified_name, kind, location, .. } = definition;
    let place = format!("{}:{}", location.path, location.start_line);
    let role = match definition.is_test {
        _ if is_start => Role::Start,
        true => Role::Test,
        false => Role::Plain,
    };
    let hint = format!("{kind} {qualified_name}, {}/{place}", location.repo);
    Node { key: key.clone(), title: qualified_name.clone(), detail: place, hint, role, group: None }
}

fn edge(from: usize, to: usize, kind: &str, resolution: &str, confidence: f32, lines: &[u32]) -> Edge {
    let stroke = match confidence {
        c if c >= SURE_FROM => Stroke::Solid,
        c if c >= LIKELY_FROM => Stroke::Dashed,
        _ => Stroke::Dotted,
    };
    let at: Vec<String> = lines.iter().map(u32::to_string).collect();
    let at = if at.is_empty() { String::new() } else { format!(" at {}", at.join(", ")) };
    Edge {
        from,
        to,
        weight: (confidence.clamp(0.0, 1.0) * CONFIDENCE_WEIGHT) as u64,
        is_wide: false,
        stroke,
        hint: format!("{kind}{at}, {resolution} {confidence:.2}"),
        label: format!("{kind} {confidence:.2}"),
    }
}

fn external_node(external: &External) -> Node {
    let detail = external.module.clone().unwrap_or_else(|| "external".to_owned());
    let hint = format!("external {} of {}", external.name, external.family);
    let key = external.definition.clone().unwrap_or_default();
    Node { key, title: external.name.clone(), detail, hint, role: Role::Start, group: None }
}

impl ReachAnswer {
    /// The symbols, with the edges by which they are reached. What calls or uses another is above it.
    #[must_use]
    pub fn graph(&self) -> Graph {
        let (mut nodes, mut positions) = (Vec::new(), BTreeMap::<&str, usize>::new());
        // A declaration of what another definition is used for stands for nothing, unless nothing is reached at all.
        let is_joined = |key: &String| self.results.iter().any(|reached| reached.via == *key);
        let starts = self.definitions.iter().filter(|start| self.results.is_empty() || is_joined(&start.key));
        let starts = starts.map(|definition| (definition, true));
        for (definition, is_start) in starts.chain(self.results.iter().map(|reached| (&reached.definition, false))) {
            positions.entry(&definition.key).or_insert_with(|| {
                nodes.push(symbol(definition, is_start));
                nodes.len() - 1
            });
        }
        for external in &self.externals {
            positions.entry(external.definition.as_ref().unwrap_or(&external.name)).or_insert_with(|| {
                nodes.push(external_node(external));
                nodes.len() - 1
            });
        }
        // What uses an external symbol itself has no other end of its edge; it is certain if there is one.
        let only_external = if let [only] = self.externals.as_slice() { Some(only.name.as_str()) } else { None };
        let edges = self.results.iter().filter_map(|reached| {
            let key = reached.definition.key.as_str();
            let via = Some(reached.via.as_str()).filter(|&via| via != key).or(only_external)?;
            let ends = (*positions.get(key)?, *positions.get(via)?);
            let (from, to) = if self.command == "callees" { (ends.1, ends.0) } else { ends };
            Some(edge(from, to, reached.edge, reached.resolution, reached.confidence, &reached.edge_lines))
        });
        let names: Vec<&str> = self.definitions.iter().map(|found| found.qualified_name.as_str()).collect();
        let label = format!("{} of {}: what uses stands before what is used", self.command, names.join(", "));
        let edges = edges.collect();
        Graph { label, nodes, edges, direction: Direction::Right, has_legend: true }
    }
}

impl PathAnswer {
    /// The path from top to bottom.
    #[must_use]
    pub fn graph(&self) -> Graph {
        let last = self.steps.len().saturating_sub(1);
        let nodes = self.steps.iter().enumerate().map(|(n, step)| symbol(&step.definition, n == 0 || n == last));
        let edges = self.steps.iter().enumerate().filter_map(|(n, step)| {
            Some(edge(n.checked_sub(1)?, n, step.edge?, step.resolution?, step.confidence?, &[]))
        });
        let ends = self.steps.first().zip(self.steps.last());
        let label = ends.map_or_else(String::new, |(first, last)| {
            format!("Path from {} to {}", first.definition.qualified_name, last.definition.qualified_name)
        });
        let (nodes, edges) = (nodes.collect(), edges.collect());
        Graph { label, nodes, edges, direction: Direction::Down, has_legend: !self.steps.is_empty() }
    }
}

//! Nodes to rows: what uses stands before what is used. Edges that would close a circle are left out of this, the weakest
//! first; then a node's layer is one below the lowest of those that use it (longest path).

use crate::graph::Edge;

/// Returns the row of each node. Layers of more than `max_in_row` nodes are divided into rows. Nodes without edges come last.
/// What nothing uses is in the first layer, or with `is_near` in that before what it uses.
pub(crate) fn rows(count: usize, edges: &[&Edge], max_in_row: usize, is_near: bool) -> Vec<usize> {
    let edges = acyclic(count, edges);
    let mut layers = layers(count, &edges);
    if is_near {
        pull_sources(&mut layers, &edges);
    }
    divide(&layers, max_in_row)
}

/// Moves each node that nothing uses to the layer before the first that it uses.
fn pull_sources(layers: &mut [usize], edges: &[(usize, usize)]) {
    for node in 0..layers.len() {
        let used = edges.iter().filter(|&&(from, _)| from == node).map(|&(_, to)| layers[to]).min();
        if let Some(nearest) = used.filter(|_| edges.iter().all(|&(_, to)| to != node)) {
            layers[node] = nearest.saturating_sub(1);
        }
    }
}

/// The edges without those that would close a circle; the strongest are kept first.
fn acyclic(count: usize, edges: &[&Edge]) -> Vec<(usize, usize)> {
    let mut sorted: Vec<&Edge> = edges.to_vec();
    sorted.sort_by_key(|edge| std::cmp::Reverse(edge.weight));
    let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut kept = Vec::with_capacity(edges.len());
    for edge in sorted {
        if !reaches(&out, edge.to, edge.from) {
            out[edge.from].push(edge.to);
            kept.push((edge.from, edge.to));
        }
    }
    kept
}

fn reaches(out: &[Vec<usize>], from: usize, to: usize) -> bool {
    let mut seen = vec![false; out.len()];
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        if node == to {
            return true;
        }
        if !std::mem::replace(&mut seen[node], true) {
            open.extend(&out[node]);
        }
    }
    false
}

/// The layer of each node.
fn layers(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut layer = vec![0; count];
    // A layer can rise once for each node above it.
    for _ in 0..count {
        let mut is_stable = true;
        for &(from, to) in edges {
            if layer[to] <= layer[from] {
                layer[to] = layer[from] + 1;
                is_stable = false;
            }
        }
        if is_stable {
            break;
        }
    }
    let mut is_joined = vec![false; count];
    for &(from, to) in edges {
        (is_joined[from], is_joined[to]) = (true, true);
    }
    let lowest = layer.iter().copied().max().unwrap_or(0);
    let last = if is_joined.contains(&true) { lowest + 1 } else { lowest };
    layer.iter().zip(is_joined).map(|(&layer, is_joined)| if is_joined { layer } else { last }).collect()
}

/// The row of each node: a layer that is too wide takes several.
fn divide(layers: &[usize], max_in_row: usize) -> Vec<usize> {
    let mut rows = vec![0; layers.len()];
    let mut first = 0;
    for layer in 0..layers.iter().max().map_or(0, |last| last + 1) {
        let members: Vec<usize> = (0..layers.len()).filter(|&node| layers[node] == layer).collect();
        let parts = members.len().div_ceil(max_in_row).max(1);
        let size = members.len().div_ceil(parts).max(1);
        for (at, node) in members.into_iter().enumerate() {
            rows[node] = first + at / size;
        }
        first += parts;
    }
    rows
}

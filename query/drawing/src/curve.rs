//! The points of an edge to a curve of SVG.

use std::fmt::Write as _;

use crate::graph::Direction;
use crate::place::{Chain, Point, Sizes};

/// The share of a box's side at which curves leave it.
const PORTS: f64 = 0.8;

/// Returns the path of an edge: it leaves and reaches boxes where the places of their neighbours say, and runs straight
/// beside the boxes that it passes.
pub(crate) fn path(chain: &Chain, points: &[Point], sizes: &Sizes, direction: Direction) -> String {
    let along = &chain.along;
    let (Some(&first), Some(&second)) = (along.first(), along.get(1)) else { return String::new() };
    let at = |along: f64, across: f64| match direction {
        Direction::Down => format!("{along:.1} {across}"),
        Direction::Right => format!("{across} {along:.1}"),
    };
    let straight = if direction == Direction::Down { 'V' } else { 'H' };
    let (mut x, mut y) = (port(points, first, second, true, sizes.along), points[first].y + sizes.across);
    let mut path = format!("M{}", at(x, y));
    for (n, pair) in along.windows(2).enumerate() {
        let (before, node) = (pair[0], pair[1]);
        let is_last = n + 2 == along.len();
        let to = if is_last { port(points, node, before, false, sizes.along) } else { points[node].x };
        let (bend, start) = (sizes.gap_across / 2.0, points[node].y);
        let _ = write!(path, "C{} {} {}", at(x, y + bend), at(to, start - bend), at(to, start));
        if !is_last {
            let _ = write!(path, "{straight}{}", start + sizes.across);
        }
        (x, y) = (to, start + sizes.across);
    }
    path
}

/// Where a curve to or from another node is at a box: in the order of those nodes.
fn port(points: &[Point], node: usize, other: usize, is_behind: bool, side: f64) -> f64 {
    let point = &points[node];
    let mut all = if is_behind { point.down.clone() } else { point.up.clone() };
    all.sort_by(|&a, &b| points[a].x.total_cmp(&points[b].x).then(a.cmp(&b)));
    let at = all.iter().position(|&one| one == other).unwrap_or(0);
    point.x + ((at + 1) as f64 / (all.len() + 1) as f64 - 0.5) * side * PORTS
}

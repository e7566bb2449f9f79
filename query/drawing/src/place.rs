//! Rows to places. An edge that passes rows gets a point in each, so that it runs between the boxes (Sugiyama, Tagawa and
//! Toda 1981). Rows are ordered by the mean of what their nodes are joined to; places are the nearest to those means that
//! keep the gaps.

use crate::graph::{Direction, Edge};
use crate::layers;

/// The width and height of a box.
pub(crate) const BOX: (f64, f64) = (204.0, 48.0);
/// The space around the picture.
const PADDING: f64 = 24.0;
const SWEEPS: usize = 16;

/// Sizes along rows, and across them from row to row.
pub(crate) struct Sizes {
    pub(crate) along: f64,
    pub(crate) across: f64,
    gap_along: f64,
    pub(crate) gap_across: f64,
    /// What a row keeps free for an edge that passes it.
    lane: f64,
    max_in_row: usize,
    /// Whether what nothing uses stands beside what it uses, and not in the first row.
    is_near: bool,
}

impl Sizes {
    pub(crate) const fn of(direction: Direction) -> Self {
        match direction {
            Direction::Down => Self {
                along: BOX.0,
                across: BOX.1,
                gap_along: 18.0,
                gap_across: 58.0,
                lane: 14.0,
                max_in_row: 7,
                is_near: false,
            },
            Direction::Right => Self {
                along: BOX.1,
                across: BOX.0,
                gap_along: 10.0,
                gap_across: 96.0,
                lane: 8.0,
                max_in_row: usize::MAX,
                is_near: true,
            },
        }
    }
}

/// Where everything is. Rows lie along one axis, and follow each other across it.
pub(crate) struct Places {
    pub(crate) along: f64,
    pub(crate) across: f64,
    /// The boxes in the order of the nodes, then the points of edges.
    pub(crate) points: Vec<Point>,
    /// The edges that are drawn, in their order.
    pub(crate) chains: Vec<Chain>,
}

/// A box, or a point of an edge in a row that it passes.
pub(crate) struct Point {
    row: usize,
    width: f64,
    /// What it is joined to in the rows above and below.
    pub(crate) up: Vec<usize>,
    pub(crate) down: Vec<usize>,
    /// Its place in its row, from 0 to 1.
    at: f64,
    /// Its middle along its row.
    pub(crate) x: f64,
    /// Where its row begins.
    pub(crate) y: f64,
}

/// The points of an edge, from the first row.
pub(crate) struct Chain {
    /// Its position among the edges.
    pub(crate) edge: usize,
    /// Whether it leads against the layers.
    pub(crate) is_up: bool,
    pub(crate) along: Vec<usize>,
}

/// Returns the places of `count` nodes and their edges.
pub(crate) fn place(count: usize, edges: &[&Edge], sizes: &Sizes) -> Places {
    let row_of = layers::rows(count, edges, sizes.max_in_row, sizes.is_near);
    let mut points: Vec<Point> = row_of.iter().map(|&row| Point::new(row, sizes.along)).collect();
    let chains = edges.iter().enumerate().filter(|(_, edge)| row_of[edge.from] != row_of[edge.to]);
    let chains: Vec<Chain> = chains.map(|(n, edge)| chain(n, edge, sizes.lane, &mut points)).collect();
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); row_of.iter().max().map_or(0, |last| last + 1)];
    for (n, point) in points.iter().enumerate() {
        rows[point.row].push(n);
    }
    order(&mut rows, &mut points);
    spread_rows(&rows, sizes.gap_along, &mut points);
    let left = points.iter().map(|point| point.x - point.width / 2.0).fold(0.0, f64::min) - PADDING;
    let right = points.iter().map(|point| point.x + point.width / 2.0).fold(0.0, f64::max) + PADDING;
    for point in &mut points {
        point.x -= left;
        point.y = PADDING + point.row as f64 * (sizes.across + sizes.gap_across);
    }
    let gaps = rows.len().saturating_sub(1) as f64;
    let across = PADDING * 2.0 + rows.len() as f64 * sizes.across + gaps * sizes.gap_across;
    Places { along: (right - left).round(), across, points, chains }
}

impl Point {
    fn new(row: usize, width: f64) -> Self {
        Self { row, width, up: Vec::new(), down: Vec::new(), at: 0.0, x: 0.0, y: 0.0 }
    }

    /// The side that a sweep looks at.
    fn side(&self, is_up: bool) -> &[usize] {
        if is_up { &self.up } else { &self.down }
    }
}

/// Adds a point in each row that an edge passes.
fn chain(number: usize, edge: &Edge, lane: f64, points: &mut Vec<Point>) -> Chain {
    let is_up = points[edge.from].row > points[edge.to].row;
    let (first, last) = if is_up { (edge.to, edge.from) } else { (edge.from, edge.to) };
    let mut along = vec![first];
    for row in points[first].row + 1..points[last].row {
        along.push(points.len());
        points.push(Point::new(row, lane));
    }
    along.push(last);
    for pair in along.windows(2) {
        points[pair[0]].down.push(pair[1]);
        points[pair[1]].up.push(pair[0]);
    }
    Chain { edge: number, is_up, along }
}

fn mean(values: impl ExactSizeIterator<Item = f64>) -> Option<f64> {
    let count = values.len();
    (count > 0).then(|| values.sum::<f64>() / count as f64)
}

/// Orders each row so that neighbours are near.
fn order(rows: &mut [Vec<usize>], points: &mut [Point]) {
    let settle = |row: &[usize], points: &mut [Point]| {
        for (at, &n) in row.iter().enumerate() {
            points[n].at = (at as f64 + 0.5) / row.len() as f64;
        }
    };
    for row in rows.iter() {
        settle(row, points);
    }
    let last = rows.len().saturating_sub(1);
    for sweep in 0..SWEEPS {
        let is_up = sweep % 2 == 0;
        for n in 0..rows.len() {
            let row = &mut rows[if is_up { n } else { last - n }];
            let wanted = |n: usize| {
                let joined = points[n].side(is_up).iter().map(|&other| points[other].at);
                mean(joined).unwrap_or(points[n].at)
            };
            let mut keyed: Vec<(f64, usize)> = row.iter().map(|&n| (wanted(n), n)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            *row = keyed.into_iter().map(|(_, n)| n).collect();
            settle(row, points);
        }
    }
}

/// Places the nodes of each row near to what they are joined to.
fn spread_rows(rows: &[Vec<usize>], gap: f64, points: &mut [Point]) {
    for row in rows {
        spread(row, gap, points, &vec![0.0; row.len()]);
    }
    for sweep in 0..SWEEPS {
        for n in 0..rows.len() {
            let row = &rows[if sweep % 2 == 0 { n } else { rows.len() - 1 - n }];
            let wanted = |&n: &usize| {
                let joined: Vec<f64> =
                    points[n].up.iter().chain(&points[n].down).map(|&other| points[other].x).collect();
                mean(joined.into_iter()).unwrap_or(points[n].x)
            };
            let wanted: Vec<f64> = row.iter().map(wanted).collect();
            spread(row, gap, points, &wanted);
        }
    }
}

/// The places with the least squared distance to those wanted that keep order and gaps, by pooling of adjacent violators
/// (Barlow and others 1972).
fn spread(row: &[usize], gap: f64, points: &mut [Point], wanted: &[f64]) {
    let mut offsets: Vec<f64> = Vec::with_capacity(row.len());
    for (at, &n) in row.iter().enumerate() {
        let before = at
            .checked_sub(1)
            .map(|previous| offsets[previous] + points[row[previous]].width / 2.0 + points[n].width / 2.0 + gap);
        offsets.push(before.unwrap_or(0.0));
    }
    // Sums and sizes of blocks whose nodes touch.
    let mut blocks: Vec<(f64, f64)> = Vec::new();
    for (x, offset) in wanted.iter().zip(&offsets) {
        let mut block = (x - offset, 1.0);
        while let Some(last) = blocks.pop_if(|last| last.0 / last.1 >= block.0 / block.1) {
            block = (block.0 + last.0, block.1 + last.1);
        }
        blocks.push(block);
    }
    let mut at = 0;
    for (sum, size) in blocks {
        for _ in 0..size as usize {
            points[row[at]].x = sum / size + offsets[at];
            at += 1;
        }
    }
}

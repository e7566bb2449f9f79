//! Collects the edges of symbols, file by file, in the columns of `graph.arrow`. This module must not know how they are
//! stored.

use std::num::NonZeroU16;
use std::ops::Range;

use super::edge::GraphEdge;
use crate::ids::SymbolId;
use crate::kinds::{EdgeKind, Tier};

/// The outgoing edges of the symbols of all files so far. Parallel edges of one kind become the one with the best tier and
/// confidence; their uses are added if all have these two.
#[derive(Default)]
pub struct GraphBuilder {
    lists: OutLists,
    /// Edges that begin in another file than that with which they came.
    elsewhere: Vec<GraphEdge>,
}

/// The lists of outgoing edges of all symbols, sorted by neighbour and kind.
#[derive(Default)]
pub struct OutLists {
    /// Where the list of each symbol ends.
    ends: Vec<u32>,
    pub(super) columns: Columns,
}

/// Edges as columns.
#[derive(Default)]
pub(super) struct Columns {
    pub(super) nodes: Vec<u32>,
    pub(super) kinds: Vec<u8>,
    pub(super) tiers: Vec<u8>,
    pub(super) confidences: Vec<f32>,
    /// The number of uses of each, 0 if it is not known.
    pub(super) uses: Vec<u16>,
}

impl GraphBuilder {
    /// Has room for so many symbols and edges.
    #[must_use]
    pub fn with_capacity(symbols: usize, edges: usize) -> Self {
        let columns = Columns {
            nodes: Vec::with_capacity(edges),
            kinds: Vec::with_capacity(edges),
            tiers: Vec::with_capacity(edges),
            confidences: Vec::with_capacity(edges),
            uses: Vec::with_capacity(edges),
        };
        Self { lists: OutLists { ends: Vec::with_capacity(symbols), columns }, elsewhere: Vec::new() }
    }

    /// Adds the next `symbols` symbols with the edges that came with their file, which are taken.
    pub fn push_file(&mut self, symbols: usize, edges: &mut Vec<GraphEdge>) {
        let first = self.lists.symbols();
        let own = first..first + symbols;
        self.elsewhere.extend(edges.extract_if(.., |edge| !own.contains(&edge.source.index())));
        self.lists.push(own, edges);
    }

    /// Adds an edge of a file that was added.
    pub fn push(&mut self, edge: GraphEdge) {
        self.elsewhere.push(edge);
    }

    /// The lists of all symbols; none if an edge leads from or to a missing symbol, or there are too many edges.
    #[must_use]
    pub fn finish(self) -> Option<OutLists> {
        let Self { mut lists, mut elsewhere } = self;
        let symbols = lists.symbols();
        if elsewhere.iter().any(|edge| edge.source.index() >= symbols) {
            return None;
        }
        if !elsewhere.is_empty() {
            elsewhere.sort_unstable_by_key(|edge| edge.source);
            lists = lists.with(&elsewhere);
        }
        let is_known = |&node: &u32| (node as usize) < symbols;
        // The offsets of Arrow's lists have a sign.
        (lists.columns.nodes.iter().all(is_known) && i32::try_from(lists.columns.nodes.len()).is_ok()).then_some(lists)
    }
}

impl OutLists {
    /// The number of symbols.
    #[must_use]
    pub const fn symbols(&self) -> usize {
        self.ends.len()
    }

    /// The number of edges.
    #[must_use]
    pub const fn edges(&self) -> usize {
        self.columns.nodes.len()
    }

    /// All edges, in the order of their sources.
    pub fn all(&self) -> impl Iterator<Item = GraphEdge> {
        (0..self.symbols()).flat_map(|symbol| self.of(symbol))
    }

    /// Where the list of each symbol starts, then where the last one ends.
    pub(super) fn offsets(&self) -> impl ExactSizeIterator<Item = u32> {
        let start = |at: usize| at.checked_sub(1).map_or(0, |before| self.ends[before]);
        (0..self.symbols() + 1).map(start)
    }

    /// The edges of a symbol.
    fn of(&self, symbol: usize) -> impl Iterator<Item = GraphEdge> {
        let start = symbol.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.range(symbol, start..self.ends[symbol])
    }

    fn range(&self, symbol: usize, range: Range<u32>) -> impl Iterator<Item = GraphEdge> {
        let columns = &self.columns;
        range.filter_map(move |at| {
            let at = at as usize;
            Some(GraphEdge {
                source: SymbolId::at(symbol),
                target: SymbolId::new(columns.nodes[at]),
                kind: EdgeKind::from_code(columns.kinds[at])?,
                tier: Tier::from_code(columns.tiers[at])?,
                confidence: columns.confidences[at],
                uses: NonZeroU16::new(columns.uses[at]),
            })
        })
    }

    /// Adds the lists of some symbols, with their edges, which are taken.
    fn push(&mut self, symbols: Range<usize>, edges: &mut Vec<GraphEdge>) {
        merge_parallel(edges);
        let mut rest = edges.drain(..).peekable();
        for symbol in symbols {
            while let Some(edge) = rest.next_if(|edge| edge.source.index() == symbol) {
                self.columns.push(&edge);
            }
            self.ends.push(u32::try_from(self.columns.nodes.len()).unwrap_or(u32::MAX));
        }
    }

    /// These lists with further edges, which are in the order of their sources.
    fn with(self, further: &[GraphEdge]) -> Self {
        let mut lists = GraphBuilder::with_capacity(self.symbols(), self.edges() + further.len()).lists;
        let mut further = further.iter().peekable();
        let mut edges = Vec::new();
        for symbol in 0..self.symbols() {
            edges.extend(self.of(symbol));
            edges.extend(std::iter::from_fn(|| further.next_if(|edge| edge.source.index() == symbol)));
            lists.push(symbol..symbol + 1, &mut edges);
        }
        lists
    }
}

impl Columns {
    fn push(&mut self, edge: &GraphEdge) {
        self.nodes.push(edge.target.get());
        self.kinds.push(edge.kind.code());
        self.tiers.push(edge.tier.code());
        self.confidences.push(edge.confidence);
        self.uses.push(edge.uses.map_or(0, NonZeroU16::get));
    }
}

/// Sorts edges by source, neighbour and kind, and merges those that are equal in these.
fn merge_parallel(edges: &mut Vec<GraphEdge>) {
    edges.sort_unstable_by(|a, b| {
        (a.source, a.target, a.kind, a.tier)
            .cmp(&(b.source, b.target, b.kind, b.tier))
            .then(b.confidence.total_cmp(&a.confidence))
    });
    edges.dedup_by(|other, edge| {
        let is_parallel = (other.source, other.target, other.kind) == (edge.source, edge.target, edge.kind);
        if is_parallel {
            edge.uses = sum_of_equal(edge, other);
        }
        is_parallel
    });
}

/// How many uses two parallel edges stand for; none if they differ, or if there are too many.
fn sum_of_equal(a: &GraphEdge, b: &GraphEdge) -> Option<NonZeroU16> {
    let is_equal = a.tier == b.tier && a.confidence.to_bits() == b.confidence.to_bits();
    a.uses.filter(|_| is_equal)?.checked_add(b.uses?.get())
}

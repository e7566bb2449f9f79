//! Collects the edges of symbols, file by file, in the columns of `graph.arrow`. This module must not know how they are
//! stored.

use std::num::NonZeroU16;
use std::ops::Range;

use super::edge::GraphEdge;
use super::labels::{Label, Labels};
use super::mapped::StoredLabel;
use super::reader::Graph;
use crate::ids::SymbolId;

/// The outgoing edges of the symbols of all files so far. Parallel edges of one kind become the one with the best tier and
/// confidence; their uses are added if all have these two.
#[derive(Default)]
pub struct GraphBuilder {
    lists: OutLists,
    /// Edges that begin in another file than that with which they came.
    elsewhere: Vec<GraphEdge>,
    /// For each label of the graph whose files are kept, its number here, once it is known.
    kept_labels: Vec<Option<u16>>,
}

/// The lists of outgoing edges of all symbols, sorted by neighbour and kind.
#[derive(Default)]
pub struct OutLists {
    /// Where the list of each symbol ends.
    ends: Vec<u32>,
    pub(super) labels: Labels,
    pub(super) columns: Columns,
}

/// Edges as columns.
#[derive(Default)]
pub(super) struct Columns {
    pub(super) nodes: Vec<u32>,
    /// The number of the label of each.
    pub(super) labels: Vec<u16>,
    /// The number of uses of each, 0 if it is not known.
    pub(super) uses: Vec<u16>,
}

impl GraphBuilder {
    /// Has room for so many symbols and edges.
    #[must_use]
    pub fn with_capacity(symbols: usize, edges: usize) -> Self {
        let columns = Columns {
            nodes: Vec::with_capacity(edges),
            labels: Vec::with_capacity(edges),
            uses: Vec::with_capacity(edges),
        };
        let lists = OutLists { ends: Vec::with_capacity(symbols), columns, ..OutLists::default() };
        Self { lists, ..Self::default() }
    }

    /// Adds the next `symbols` symbols with the edges that came with their file, which are taken.
    pub fn push_file(&mut self, symbols: usize, edges: &mut Vec<GraphEdge>) {
        let first = self.lists.symbols();
        let own = first..first + symbols;
        self.elsewhere.extend(edges.extract_if(.., |edge| !own.contains(&edge.source.index())));
        self.lists.push(own, edges);
    }

    /// Adds the next file as a graph has it, in which it has these symbols; `now` has for each symbol of that graph its id
    /// here. All files must be kept of the same graph. None if the graph is damaged, or an edge leads to no symbol.
    #[must_use]
    pub fn keep_file(&mut self, graph: &Graph, symbols: Range<SymbolId>, now: &[u32]) -> Option<()> {
        let columns = &mut self.lists.columns;
        for symbol in SymbolId::range(symbols) {
            let first = columns.nodes.len();
            let mut is_sorted = true;
            for stored in graph.out.stored(symbol) {
                let (node, label, uses) = stored?;
                let node = *now.get(node as usize).filter(|&&node| node != u32::MAX)?;
                is_sorted &= columns.nodes[first..].last().is_none_or(|&last| last <= node);
                let label = match label {
                    StoredLabel::Whole(label) => self.lists.labels.number(label),
                    StoredLabel::Number(number) => {
                        let known = self.kept_labels.get(usize::from(number)).copied().flatten();
                        match known {
                            Some(known) => known,
                            None => {
                                let label = (*graph.out.labels()?.get(usize::from(number))?)?;
                                let known = self.lists.labels.number(label);
                                let end = self.kept_labels.len().max(usize::from(number) + 1);
                                self.kept_labels.resize(end, None);
                                self.kept_labels[usize::from(number)] = Some(known);
                                known
                            }
                        }
                    }
                };
                columns.nodes.push(node);
                columns.labels.push(label);
                columns.uses.push(uses);
            }
            if !is_sorted {
                columns.sort_from(first, &self.lists.labels);
            }
            self.lists.ends.push(u32::try_from(columns.nodes.len()).unwrap_or(u32::MAX));
        }
        Some(())
    }

    /// Adds an edge of a file that was added.
    pub fn push(&mut self, edge: GraphEdge) {
        self.elsewhere.push(edge);
    }

    /// The lists of all symbols; none if an edge leads from or to a missing symbol, or there are too many edges, or too many
    /// combinations of kind, tier and confidence.
    #[must_use]
    pub fn finish(self) -> Option<OutLists> {
        let Self { mut lists, mut elsewhere, .. } = self;
        let symbols = lists.symbols();
        if elsewhere.iter().any(|edge| edge.source.index() >= symbols) {
            return None;
        }
        elsewhere.sort_unstable_by_key(|edge| edge.source);
        lists.insert(&elsewhere);
        let is_known = |&node: &u32| (node as usize) < symbols;
        // The offsets of Arrow's lists have a sign.
        let has_room = i32::try_from(lists.edges()).is_ok() && lists.labels.are_distinct();
        (has_room && lists.columns.nodes.iter().all(is_known)).then_some(lists)
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
        range.map(move |at| {
            let at = at as usize;
            let Label { kind, tier, confidence } = self.labels.get(columns.labels[at]);
            let (source, target) = (SymbolId::at(symbol), SymbolId::new(columns.nodes[at]));
            GraphEdge { source, target, kind, tier, confidence, uses: NonZeroU16::new(columns.uses[at]) }
        })
    }

    /// Adds the lists of some symbols, with their edges, which are taken.
    fn push(&mut self, symbols: Range<usize>, edges: &mut Vec<GraphEdge>) {
        merge_parallel(edges);
        let mut rest = edges.drain(..).peekable();
        for symbol in symbols {
            while let Some(edge) = rest.next_if(|edge| edge.source.index() == symbol) {
                let GraphEdge { kind, tier, confidence, .. } = edge;
                self.columns.nodes.push(edge.target.get());
                self.columns.labels.push(self.labels.number(Label { kind, tier, confidence }));
                self.columns.uses.push(edge.uses.map_or(0, NonZeroU16::get));
            }
            self.ends.push(u32::try_from(self.columns.nodes.len()).unwrap_or(u32::MAX));
        }
    }

    /// Adds edges, which are in the order of their sources, to the lists of these.
    fn insert(&mut self, further: &[GraphEdge]) {
        // The lists that differ, and by how much they grow.
        let differing: Vec<(usize, Vec<GraphEdge>, usize)> = further
            .chunk_by(|a, b| a.source == b.source)
            .map(|further| {
                let symbol = further[0].source.index();
                let mut edges: Vec<GraphEdge> = self.of(symbol).collect();
                let before = edges.len();
                edges.extend_from_slice(further);
                merge_parallel(&mut edges);
                let growth = edges.len() - before;
                (symbol, edges, growth)
            })
            .collect();
        let mut shift: usize = differing.iter().map(|(_, _, growth)| growth).sum();
        // Everything moves towards the end, so the last lists move first.
        let mut end = self.columns.nodes.len();
        self.columns.resize(end + shift);
        for (symbol, edges, growth) in differing.iter().rev() {
            let own = self.ends[*symbol] as usize;
            self.columns.copy_within(own..end, own + shift);
            shift -= growth;
            end = symbol.checked_sub(1).map_or(0, |before| self.ends[before]) as usize;
            for (at, edge) in (end + shift..).zip(edges) {
                let &GraphEdge { target, kind, tier, confidence, uses, .. } = edge;
                let label = self.labels.number(Label { kind, tier, confidence });
                self.columns.set(at, (target.get(), label, uses.map_or(0, NonZeroU16::get)));
            }
        }
        let mut growths = differing.into_iter().map(|(symbol, _, growth)| (symbol, growth)).peekable();
        let Some(&(first, _)) = growths.peek() else { return };
        let mut shift = 0;
        for (symbol, end) in (first..).zip(&mut self.ends[first..]) {
            if let Some((_, growth)) = growths.next_if(|(at, _)| *at == symbol) {
                shift += u32::try_from(growth).unwrap_or(u32::MAX);
            }
            *end = end.saturating_add(shift);
        }
    }
}

impl Columns {
    fn resize(&mut self, edges: usize) {
        self.nodes.resize(edges, 0);
        self.labels.resize(edges, 0);
        self.uses.resize(edges, 0);
    }

    fn copy_within(&mut self, from: Range<usize>, to: usize) {
        self.nodes.copy_within(from.clone(), to);
        self.labels.copy_within(from.clone(), to);
        self.uses.copy_within(from, to);
    }

    fn set(&mut self, at: usize, (node, label, uses): (u32, u16, u16)) {
        (self.nodes[at], self.labels[at], self.uses[at]) = (node, label, uses);
    }

    /// Sorts the edges from a position on by neighbour and kind.
    fn sort_from(&mut self, first: usize, labels: &Labels) {
        let edges = self.nodes[first..].iter().zip(&self.labels[first..]).zip(&self.uses[first..]);
        let mut edges: Vec<(u32, u16, u16)> = edges.map(|((&node, &label), &uses)| (node, label, uses)).collect();
        edges.sort_by_key(|&(node, label, _)| (node, labels.get(label).kind));
        for (at, (node, label, uses)) in (first..).zip(edges) {
            self.set(at, (node, label, uses));
        }
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

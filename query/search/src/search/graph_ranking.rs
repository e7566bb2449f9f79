//! Ranking by the graph: raises the scores of hits near the best ones, and adds chunks that no retriever found.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use sextant_format::graph::Graph;
use sextant_format::ids::{ChunkId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind};

use super::ranked::{Ranked, sort_by_score};
use super::scoring::not_retrieved;
use crate::query_analysis::AnalyzedQuery;
use crate::rank::{PushLimits, personalised_pagerank};
use crate::retrieve::ChunkFilter;
use crate::weights::{Weights, count};
use crate::{Index, Result};

/// Longer paths are cut: they explain nothing.
const MAX_PATH_LEN: usize = 8;

/// Personalised PageRank from the best hits: raises the scores of hits near them, and adds chunks that no
/// retriever found.
pub(super) fn apply_pagerank(
    index: &Index,
    ranked: &mut Vec<Ranked>,
    query: &AnalyzedQuery,
    allowed: &ChunkFilter,
    weights: &Weights,
    degraded: &mut Vec<String>,
) -> Result<()> {
    let Some(top) = ranked.first().map(|r| r.score) else { return Ok(()) };
    if weights.graph.graph <= 0.0 {
        return Ok(());
    }
    let graph = index.graph()?;
    if graph.edges() == 0 {
        degraded.push("the index has no edges".to_owned());
        return Ok(());
    }
    let best = || ranked.iter().take(count(weights.graph.seeds, usize::MAX));
    let mut seeds: Vec<(SymbolId, f32)> = best().filter_map(|r| Some((r.info.symbol_id?, r.score))).collect();
    let is_named = |r: &&Ranked| r.signals.name_score.unwrap_or(0.0) >= weights.fusion.full_name;
    for r in best().filter(is_named) {
        let Some(symbol) = r.info.symbol_id else { continue };
        let methods = methods(index, graph, symbol)?;
        let each = r.score * weights.graph.seed_methods / methods.len().max(1) as f32;
        seeds.extend(methods.into_iter().map(|method| (method, each)).filter(|(_, weight)| *weight > 0.0));
    }
    let reached = personalised_pagerank(graph, &seeds, weights, PushLimits::STANDARD);
    let symbols = &index.symbols()?.catalog;
    let catalog = &index.chunks()?.catalog;
    let mut by_chunk: BTreeMap<ChunkId, (f32, SymbolId)> = BTreeMap::new();
    for r in &reached {
        if let Some(chunk) = symbols.chunk(r.node)
            && symbols.kind(r.node) != Some(Kind::File)
        {
            let entry = by_chunk.entry(chunk).or_insert((0.0, r.node));
            entry.0 += r.mass;
        }
    }
    let max_mass = by_chunk.values().map(|(mass, _)| *mass).fold(0.0, f32::max);
    if max_mass <= 0.0 {
        return Ok(());
    }
    let predecessors: FxHashMap<SymbolId, (SymbolId, EdgeKind)> =
        reached.iter().filter_map(|r| Some((r.node, r.from?))).collect();
    for r in ranked.iter_mut() {
        if let Some((mass, node)) = by_chunk.remove(&r.info.chunk_id) {
            r.signals.graph = weights.graph.graph * top * mass / max_mass;
            r.score += r.signals.graph;
            r.graph_path = path_to(node, &predecessors);
        }
    }
    // The remaining chunks were reached by the graph alone.
    let mut graph_only: Vec<(ChunkId, f32, SymbolId)> =
        by_chunk.into_iter().map(|(chunk, (mass, node))| (chunk, mass, node)).collect();
    graph_only.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    for (chunk, mass, node) in graph_only
        .into_iter()
        .filter(|(chunk, ..)| allowed.allows(*chunk))
        .take(count(weights.graph.graph_only_hits, 1000))
    {
        let score = weights.graph.graph * top * mass / max_mass;
        let mut found = not_retrieved(catalog.info(chunk)?, query, &weights.fusion);
        found.score = score;
        found.signals.graph = score;
        found.graph_path = path_to(node, &predecessors);
        ranked.push(found);
    }
    sort_by_score(ranked);
    Ok(())
}

/// The methods that a named type or field brings along: those of the type, or those of the field's type that use it.
fn methods(index: &Index, graph: &Graph, symbol: SymbolId) -> Result<Vec<SymbolId>> {
    let symbols = &index.symbols()?.catalog;
    let is_method = |id: SymbolId| symbols.kind(id).is_some_and(Kind::is_callable);
    let mut methods: Vec<SymbolId> = match symbols.kind(symbol) {
        Some(kind) if kind.is_type() => {
            let members = graph.out_edges(symbol).filter(|edge| edge.kind == EdgeKind::Contains);
            members.map(|edge| edge.node).filter(|&member| is_method(member)).collect()
        }
        Some(Kind::Field | Kind::Property) => {
            let owner = graph.owner(symbol);
            let users = graph.in_edges(symbol).filter(|edge| edge.kind.is_use()).map(|edge| edge.node);
            users.filter(|&user| is_method(user) && graph.owner(user) == owner).collect()
        }
        _ => Vec::new(),
    };
    methods.sort_unstable();
    methods.dedup();
    Ok(methods)
}

/// The path from a seed to a node, without the node itself.
fn path_to(node: SymbolId, predecessors: &FxHashMap<SymbolId, (SymbolId, EdgeKind)>) -> Vec<(SymbolId, EdgeKind)> {
    let mut graph_path = Vec::new();
    let mut at = node;
    while let Some(&(previous, kind)) = predecessors.get(&at) {
        graph_path.push((previous, kind));
        at = previous;
        if graph_path.len() > MAX_PATH_LEN {
            break;
        }
    }
    graph_path.reverse();
    graph_path
}

//! Brings methods along: those of a type that the query names, or of the type of a field that it names.

use rustc_hash::FxHashSet;
use sextant_format::ids::{ChunkId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind};

use super::ranked::Ranked;
use crate::query_analysis::{AnalyzedQuery, QueryClass};
use crate::weights::FusionWeights;
use crate::{Index, Result};

/// Results that may be expanded: named symbols are among the first.
const MAX_EXPANDED_RESULTS: usize = 3;
/// Further hits of one result.
const MAX_MEMBERS: usize = 12;

/// Adds the methods of a type to the further hits of results that the query names, the most used first.
pub(super) fn expand_members(
    index: &Index,
    chosen: &mut [Ranked],
    query: &AnalyzedQuery,
    weights: &FusionWeights,
) -> Result<()> {
    if query.class != QueryClass::Symbol {
        return Ok(());
    }
    let shown: FxHashSet<ChunkId> = chosen.iter().map(|r| r.info.chunk_id).collect();
    let is_named = |r: &&mut Ranked| r.signals.name_score.unwrap_or(0.0) >= weights.full_name;
    for r in chosen.iter_mut().take(MAX_EXPANDED_RESULTS).filter(is_named) {
        let Some(symbol) = r.info.symbol_id else { continue };
        let graph = index.graph()?;
        let owner = match r.info.kind {
            kind if kind.is_type() => Some(symbol),
            Kind::Field | Kind::Property => graph.owner(symbol),
            _ => None,
        };
        let Some(owner) = owner else { continue };
        let symbols = &index.symbols()?.catalog;
        let is_method = |id: SymbolId| symbols.kind(id).is_some_and(Kind::is_callable);
        let mut methods: Vec<(usize, SymbolId)> = graph
            .out_edges(owner)
            .filter(|edge| edge.kind == EdgeKind::Contains && is_method(edge.node))
            .map(|edge| (graph.in_edges(edge.node).count(), edge.node))
            .collect();
        methods.sort_by_key(|&(users, id)| (std::cmp::Reverse(users), id));
        let mut known: FxHashSet<ChunkId> =
            r.related_hits.iter().map(|info| info.chunk_id).chain([r.info.chunk_id]).collect();
        for (_, id) in methods {
            if r.related_hits.len() >= MAX_MEMBERS {
                break;
            }
            let Some(chunk) = symbols.chunk(id).filter(|chunk| !shown.contains(chunk)) else { continue };
            if known.insert(chunk) {
                r.related_hits.push(index.chunks()?.catalog.info(chunk)?);
            }
        }
    }
    Ok(())
}

//! A query that is a bare name: its definitions come first, in the order in which they answer `definition`.

use rustc_hash::FxHashMap;
use sextant_format::ids::ChunkId;

use crate::navigate::{Navigator, is_minor};
use crate::query_analysis::{AnalyzedQuery, QueryClass};
use crate::retrieve::{ChunkFilter, NamedSymbol};
use crate::weights::RetrievalWeights;
use crate::{Index, Result};

/// Definitions that are raised. The further ones of a common name stay in the order of the other signals.
const MAX_DEFINITIONS: usize = 10;

/// Adds the chunks of the definitions of a bare name.
pub(super) fn add_definitions(
    index: &Index,
    query: &AnalyzedQuery,
    allowed: &ChunkFilter,
    weights: &RetrievalWeights,
    named: &mut FxHashMap<ChunkId, NamedSymbol>,
) -> Result<()> {
    let is_bare = query.class == QueryClass::Symbol && query.names.iter().all(|name| name.owners.is_empty());
    let [name] = query.text.split_whitespace().collect::<Vec<_>>()[..] else { return Ok(()) };
    if !is_bare || weights.name_defined <= 0.0 {
        return Ok(());
    }
    let resolved = Navigator::new(index).resolve(name)?;
    let catalog = &index.symbols()?.catalog;
    let mut rank = 0.0;
    for definition in resolved.definitions.iter().chain(&resolved.minor).filter(|d| !is_minor(d.kind)) {
        let Some(chunk) = catalog.chunk(definition.symbol_id).filter(|chunk| allowed.allows(*chunk)) else { continue };
        let case_factor = if definition.name == name { 1.0 } else { weights.name_other_case };
        rank += 1.0;
        let share = weights.name_defined * case_factor / rank;
        let is_own_chunk = index.chunks()?.catalog.info(chunk)?.symbol_id == Some(definition.symbol_id);
        let best = named.entry(chunk).or_insert(NamedSymbol { share, symbol: definition.symbol_id, is_own_chunk });
        if share > best.share {
            *best = NamedSymbol { share, symbol: definition.symbol_id, is_own_chunk };
        }
        if rank as usize == MAX_DEFINITIONS {
            break;
        }
    }
    Ok(())
}

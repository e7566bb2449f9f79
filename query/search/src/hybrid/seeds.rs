//! The symbols with which a hybrid search begins, and the relevance of others to its query.

use std::ops::Range;

use sextant_format::ids::{ChunkId, SymbolId};
use sextant_format::kinds::Kind;

use crate::catalog::ChunkInfo;
use crate::live::{Node, nodes};
use crate::query_analysis::analyze_query;
use crate::retrieve::mean_cosines;
use crate::search::{Mode, SearchRequest, Searcher};
use crate::{Index, Result};

/// What a search begins with.
pub(super) struct Seeds {
    pub(super) nodes: Vec<Node>,
    /// What was missing, for people.
    pub(super) notes: Vec<String>,
}

/// Returns the symbols that are nearest to the query, best first, at most `count`: by vectors, or by all retrievers if
/// the request says so or there are no vectors.
pub(super) fn find_seeds(index: &Index, request: &SearchRequest, count: usize) -> Result<Seeds> {
    // Several chunks may belong to one symbol.
    let request = SearchRequest { limit: count * 3, ..request.clone() };
    let mut ranking = Searcher::new(index).rank(&request)?;
    let mut notes = std::mem::take(&mut ranking.degraded);
    if ranking.ranked.is_empty() && request.mode == Mode::Vector && !notes.is_empty() {
        notes.push("the search began with what full text and names find".to_owned());
        ranking = Searcher::new(index).rank(&SearchRequest { mode: Mode::Fusion, ..request })?;
    }
    let mut symbols: Vec<SymbolId> = Vec::new();
    for found in &ranking.ranked {
        let symbol = match found.named_symbol {
            Some(named) => Some(named),
            None => symbol_of(index, found.info)?,
        };
        if let Some(symbol) = symbol.filter(|symbol| !symbols.contains(symbol)) {
            symbols.push(symbol);
        }
        if symbols.len() == count {
            break;
        }
    }
    Ok(Seeds { nodes: nodes(index, &symbols)?, notes })
}

/// The symbol around a chunk; `None` for text between symbols, and for sections of documentation.
fn symbol_of(index: &Index, info: ChunkInfo) -> Result<Option<SymbolId>> {
    let info = index.chunks()?.catalog.outermost(info)?;
    Ok(info.symbol_id.filter(|_| info.kind != Kind::Section))
}

/// Returns how near the text of each symbol is to the query: the cosine, not below 0; 0 without a vector.
pub(super) fn relevance(index: &Index, request: &SearchRequest, nodes: &[Node]) -> Result<Vec<f32>> {
    let none = || Ok(vec![0.0; nodes.len()]);
    let (Some(matrix), true) = (index.vectors()?, request.vectors) else { return none() };
    let Ok(Some(mut encoder)) = index.encoder() else { return none() };
    let query = analyze_query(&request.query, &request.weights.query);
    let query = encoder.encode_query(&query.embedding_text)?;
    let symbols = &index.symbols()?.catalog;
    let range = |node: &Node| -> Range<ChunkId> {
        let chunk = node.symbol.and_then(|symbol| symbols.chunk(symbol));
        let none = ChunkId::new(0)..ChunkId::new(0);
        chunk.map_or(none, |chunk| chunk..ChunkId::new(chunk.get().saturating_add(1)))
    };
    let ranges: Vec<Range<ChunkId>> = nodes.iter().map(range).collect();
    let cosines = mean_cosines(matrix, &query, &ranges, &request.weights.retrieval);
    Ok(cosines.into_iter().map(|cosine| cosine.clamp(0.0, 1.0)).collect())
}

//! One search: analyze the query, retrieve, fuse, weigh, walk the graph, rank files, and look up what is shown.

mod centroid;
mod expand;
mod federate;
mod file_ranking;
mod hydrate;
mod request;
mod select;
mod spelling;

use std::collections::BTreeMap;
use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::kinds::{EdgeKind, Kind};

pub use request::{
    Filters, Hit, Mode, ParentChunk, RelatedHit, SearchRequest, SearchResponse, Signals, Strategy, UnknownName,
};

pub use federate::merge_responses;
pub use spelling::Correction;

use crate::catalog::ChunkInfo;
use crate::query_analysis::{AnalyzedQuery, QueryClass, analyze_query};
use crate::rank::{
    FileEvidence, FusedChunk, FusionWeights, PushLimits, RetrievalWeights, ScoredCandidate, Weights, count,
    file_evidence, frame_match, impute_missing_list, path_match, personalised_pagerank, reciprocal_rank_fusion,
    weighted_score_fusion,
};
use crate::retrieve::{self, ChunkFilter, Scan, ScoredChunk};
use crate::threads::join;
use crate::{Error, Index, Result};
use select::select_results;

/// The position of the vector list among the fused lists.
const VECTOR_LIST: usize = 1;
/// Longer paths are cut: they explain nothing.
const MAX_PATH_LEN: usize = 8;

/// What the retrievers found.
struct Retrieved {
    fused: Vec<FusedChunk>,
    /// The symbol score of each chunk that has one.
    name_scores: FxHashMap<u32, f32>,
    /// Why vectors were not used, if they were requested.
    vectors_unavailable: Option<String>,
}

/// A candidate during ranking.
struct Ranked {
    info: ChunkInfo,
    score: f32,
    signals: Signals,
    /// If only the graph found it: the symbols on the path from a seed, each with the kind of the edge to the next.
    graph_path: Vec<(u32, EdgeKind)>,
    /// Further hits of its file.
    related_hits: Vec<ChunkInfo>,
}

impl Index {
    /// Runs a search. Equal requests return equal results in equal order.
    ///
    /// # Errors
    /// A filter or the encoder is invalid, or the index is damaged.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchResponse> {
        let started = Instant::now();
        let mut query = analyze_query(&request.query, &request.weights.query);
        let corrections = self.correct_spelling(&mut query)?;
        let mut degraded = Vec::new();
        let allowed = ChunkFilter::new(self, &request.filters)?;
        let Retrieved { fused, name_scores, vectors_unavailable } = self.retrieve(request, &query, &allowed)?;
        tracing::debug!(
            class = query.class.as_str(),
            words = ?query.words,
            candidates = fused.len(),
            milliseconds = started.elapsed().as_secs_f64() * 1000.0,
            "candidates retrieved"
        );
        let has_vectors = vectors_unavailable.is_none();
        degraded.extend(vectors_unavailable);
        let exact = match request.mode {
            Mode::Fusion | Mode::Structural => {
                let weights = &request.weights.retrieval;
                retrieve::qualified_name_matches(self, &query, &allowed, weights.depth(request.limit), weights)?
            }
            Mode::Text | Mode::Vector => FxHashMap::default(),
        };
        let mut ranked = self.score_candidates(&fused, &name_scores, &exact, &query, &request.weights.fusion)?;
        let mut available = request.requested_components();
        if request.graph && matches!(request.mode, Mode::Fusion | Mode::Structural) {
            self.apply_pagerank(&mut ranked, &query, &allowed, &request.weights, &mut degraded)?;
        }
        let has_edges = available.contains(&"graph") && self.graph()?.edges() > 0;
        if request.mode == Mode::Fusion && !has_edges {
            self.rerank_by_centroid(&mut ranked, &request.weights.graph)?;
        }
        available.retain(|part| match *part {
            "vectors" => has_vectors,
            "graph" => has_edges,
            _ => true,
        });
        // A question is answered by files, a name by the chunks that have it.
        let by_file = request.mode == Mode::Fusion && matches!(query.class, QueryClass::Natural | QueryClass::Report);
        if by_file {
            self.rank_files(&mut ranked, &query, &request.weights)?;
        }
        let decay = (!by_file).then_some(request.weights.fusion.same_file_decay);
        let mut chosen = select_results(ranked, request.limit, decay);
        self.expand_members(&mut chosen, &query, &request.weights.fusion)?;
        let results = self.hydrate(chosen, &query)?;
        tracing::info!(
            class = query.class.as_str(),
            results = results.len(),
            by_file,
            milliseconds = started.elapsed().as_secs_f64() * 1000.0,
            "search finished"
        );
        Ok(SearchResponse {
            query: request.query.clone(),
            class: query.class,
            strategy: request.strategy,
            available,
            words: query.words,
            took_ms: started.elapsed().as_secs_f64() * 1000.0,
            degraded,
            corrections,
            results,
        })
    }

    /// Runs the retrievers and fuses their lists.
    fn retrieve(&self, request: &SearchRequest, query: &AnalyzedQuery, allowed: &ChunkFilter) -> Result<Retrieved> {
        let Weights { retrieval, fusion, .. } = &request.weights;
        let depth = retrieval.depth(request.limit);
        let is_symbol = query.class == QueryClass::Symbol;
        let mode = request.mode;
        let by_words = || -> Result<(Vec<ScoredChunk>, Vec<ScoredChunk>)> {
            let asks_text = matches!(mode, Mode::Fusion | Mode::Text) && request.strategy != Strategy::Staged;
            let text =
                if asks_text { retrieve::search_text(self, query, allowed, depth, retrieval)? } else { Vec::new() };
            let asks_symbols = matches!(mode, Mode::Fusion | Mode::Structural);
            let symbol = if asks_symbols {
                retrieve::search_symbols(self, query, allowed, depth, retrieval)?
            } else {
                Vec::new()
            };
            Ok((text, symbol))
        };
        let (by_words, by_vectors) = if request.vectors && matches!(mode, Mode::Fusion | Mode::Vector) {
            join(by_words, || self.vector_list(query, allowed, depth, request.strategy, retrieval))
        } else {
            (by_words(), Ok((Vec::new(), None)))
        };
        let ((text, mut symbol), (vector, vectors_unavailable)) = (by_words?, by_vectors?);
        if request.strategy == Strategy::Staged && !vector.is_empty() {
            let staged: FxHashSet<u32> = vector.iter().map(|scored| scored.chunk_id).collect();
            symbol.retain(|scored| staged.contains(&scored.chunk_id));
        }
        let weight_for_class = |natural: f32, symbol: f32| if is_symbol { symbol } else { natural };
        let lists: [(&[ScoredChunk], f32); 3] = [
            (&text, weight_for_class(fusion.text_natural, fusion.text_symbol)),
            (&vector, weight_for_class(fusion.vector_natural, fusion.vector_symbol)),
            (&symbol, weight_for_class(fusion.symbol_natural, fusion.symbol_symbol)),
        ];
        let name_scores = symbol.iter().map(|scored| (scored.chunk_id, scored.score)).collect();
        let mut fused = match request.strategy {
            Strategy::Hybrid => weighted_score_fusion(&lists),
            _ => reciprocal_rank_fusion(&lists, fusion.rrf_k),
        };
        if let (Mode::Fusion, false, Some(matrix)) = (mode, vector.is_empty(), self.vectors()?) {
            impute_missing_list(&mut fused, VECTOR_LIST, &lists.map(|(_, weight)| weight), |id| {
                matrix.row_of(id).is_some()
            });
        }
        Ok(Retrieved { fused, name_scores, vectors_unavailable })
    }

    /// The vector list, or why there is none.
    fn vector_list(
        &self,
        query: &AnalyzedQuery,
        allowed: &ChunkFilter,
        depth: usize,
        strategy: Strategy,
        weights: &RetrievalWeights,
    ) -> Result<(Vec<ScoredChunk>, Option<String>)> {
        let without = |why: &str| Ok((Vec::new(), Some(why.to_owned())));
        let Some(matrix) = self.vectors()? else { return without("the index has no vectors") };
        let vector = match self.encoder() {
            Ok(Some(mut encoder)) => encoder.encode_query(&query.embedding_text)?,
            Ok(None) => return without("the index has no encoder"),
            // A user who names an encoder wants an error, not a search without vectors.
            Err(error @ Error::Encoder(sextant_encoder::Error::ModelMismatch { .. })) => return Err(error),
            Err(error) => return without(&format!("no vector search: {error}")),
        };
        #[cfg(feature = "lancedb")]
        if let Some(table) = self.lance() {
            let chunks = allowed.chunks();
            let mut best: Vec<ScoredChunk> = table
                .nearest(&vector, chunks, depth)?
                .into_iter()
                .filter(|neighbour| allowed.allows(neighbour.chunk_id))
                .map(|neighbour| ScoredChunk {
                    chunk_id: neighbour.chunk_id,
                    score: (1.0 - neighbour.distance) * weights.level(neighbour.level),
                })
                .collect();
            retrieve::retain_top_k(&mut best, depth);
            return Ok((best, None));
        }
        let scan = match strategy {
            Strategy::Binary => Scan::sign_bits(matrix.rows(), depth),
            _ => Scan::for_matrix(matrix.rows(), depth),
        };
        Ok((retrieve::search_vectors(matrix, &vector, allowed, depth, scan, weights), None))
    }

    /// Scores the candidates by all signals that do not need the graph.
    fn score_candidates(
        &self,
        fused: &[FusedChunk],
        name_scores: &FxHashMap<u32, f32>,
        exact: &FxHashMap<u32, f32>,
        query: &AnalyzedQuery,
        weights: &FusionWeights,
    ) -> Result<Vec<Ranked>> {
        let catalog = &self.chunks()?.catalog;
        let mut path_factors: FxHashMap<u32, f32> = FxHashMap::default();
        let mut ranked = Vec::with_capacity(fused.len());
        for found in fused {
            let info = catalog.info(found.chunk_id)?;
            let path = match path_factors.get(&info.file_id) {
                Some(&factor) => factor,
                None => {
                    let path = catalog.path(info.chunk_id)?;
                    let (stem, folder) = path_match(query, &path, weights);
                    let frame = frame_match(query, &path, weights);
                    let factor = 1.0 + weights.stem * stem + weights.directory * folder + weights.frame * frame;
                    path_factors.insert(info.file_id, factor);
                    factor
                }
            };
            let name_score = name_scores.get(&found.chunk_id).copied().unwrap_or(0.0);
            let demotion = demotion(&info, name_score, query, weights);
            // Ranks do not show how exactly a name matches: one of several symbols may be exactly what was typed.
            let name = 1.0 + weights.name * name_score;
            let exact_boost = weights.qualified_name * exact.get(&found.chunk_id).copied().unwrap_or(0.0);
            let signals = Signals {
                bm25: found.scores[0],
                cosine: found.scores[1],
                name_score: found.scores[2],
                text: found.contributions[0],
                vector: found.contributions[1],
                symbol: found.contributions[2],
                path,
                name,
                demotion,
                exact: exact_boost,
                ..Signals::default()
            };
            let score = found.score * path * name * demotion + exact_boost;
            ranked.push(Ranked { info, score, signals, graph_path: Vec::new(), related_hits: Vec::new() });
        }
        let candidates: Vec<ScoredCandidate> = ranked
            .iter()
            .map(|r| ScoredCandidate { chunk_id: r.info.chunk_id, file_id: r.info.file_id, score: r.score })
            .collect();
        let evidence = file_evidence(&candidates, weights);
        for r in &mut ranked {
            let FileEvidence { best, further } = evidence.get(&r.info.file_id).copied().unwrap_or_default();
            // The bonus for the file's other hits, in proportion to this hit's share of the best score.
            let share = if best > 0.0 { r.score / best } else { 0.0 };
            r.signals.file = weights.file_evidence * further * share;
            r.score += r.signals.file;
        }
        sort_by_score(&mut ranked);
        Ok(ranked)
    }

    /// Personalised PageRank from the best hits: raises the scores of hits near them, and adds chunks that no
    /// retriever found.
    fn apply_pagerank(
        &self,
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
        let graph = self.graph()?;
        if graph.edges() == 0 {
            degraded.push("the index has no edges".to_owned());
            return Ok(());
        }
        let best = ranked.iter().take(count(weights.graph.seeds, usize::MAX));
        let seeds: Vec<(u32, f32)> = best.filter_map(|r| Some((r.info.symbol_id?, r.score))).collect();
        let reached = personalised_pagerank(graph, &seeds, weights, PushLimits::STANDARD);
        let symbols = &self.symbols()?.catalog;
        let catalog = &self.chunks()?.catalog;
        let mut by_chunk: BTreeMap<u32, (f32, u32)> = BTreeMap::new();
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
        let predecessors: FxHashMap<u32, (u32, EdgeKind)> =
            reached.iter().filter_map(|r| Some((r.node, r.from?))).collect();
        for r in ranked.iter_mut() {
            if let Some((mass, _)) = by_chunk.remove(&r.info.chunk_id) {
                r.signals.graph = weights.graph.graph * top * mass / max_mass;
                r.score += r.signals.graph;
            }
        }
        // The remaining chunks were reached by the graph alone.
        let mut graph_only: Vec<(u32, f32, u32)> =
            by_chunk.into_iter().map(|(chunk, (mass, node))| (chunk, mass, node)).collect();
        graph_only.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        for (chunk, mass, node) in graph_only
            .into_iter()
            .filter(|(chunk, ..)| allowed.allows(*chunk))
            .take(count(weights.graph.graph_only_hits, 1000))
        {
            let score = weights.graph.graph * top * mass / max_mass;
            let (info, graph_path) = (catalog.info(chunk)?, path_to(node, &predecessors));
            let demotion = demotion(&info, 0.0, query, &weights.fusion);
            let signals = Signals { graph: score, path: 1.0, name: 1.0, demotion, ..Signals::default() };
            ranked.push(Ranked { info, score, signals, graph_path, related_hits: Vec::new() });
        }
        sort_by_score(ranked);
        Ok(())
    }
}

/// The factor of a chunk for its level, and for being a test or prose that the query does not ask for. `name_score` is
/// its symbol score.
fn demotion(info: &ChunkInfo, name_score: f32, query: &AnalyzedQuery, weights: &FusionWeights) -> f32 {
    let mut demotion = 1.0;
    if info.level > 1 {
        demotion *= weights.block;
    }
    // A query that contains the full name of a test asks for it.
    if info.is_test && !query.wants_tests && name_score < weights.full_name {
        demotion *= weights.test;
    }
    if info.kind == Kind::Section {
        demotion *= weights.prose;
    }
    demotion
}

/// The path from a seed to a node, without the node itself.
fn path_to(node: u32, predecessors: &FxHashMap<u32, (u32, EdgeKind)>) -> Vec<(u32, EdgeKind)> {
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

fn sort_by_score(ranked: &mut [Ranked]) {
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.info.chunk_id.cmp(&b.info.chunk_id)));
}

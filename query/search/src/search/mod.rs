//! One search: understand, retrieve, fuse, weigh, walk the graph, rank files, and look up what is shown.

mod answer;
mod centroid;
mod choose;
mod expand;
mod files;
mod look_up;
mod several;
mod spelling;

use std::collections::BTreeMap;
use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::kinds::{EdgeKind, Kind};

pub use answer::{Also, Filters, Hit, Mode, Parent, SearchRequest, SearchResponse, Signals, Strategy, UnknownWord};

pub use several::fuse;
pub use spelling::Respelled;

use crate::catalog::ChunkInfo;
use crate::rank::{
    Candidate, FileEvidence, Fused, Push, Weights, file_evidence, frame_match, make_up, path_match,
    personalised_pagerank, reciprocal_rank_fusion, weighted_scores,
};
use crate::retrieve::{self, Allowed, Scan, Scored};
use crate::threads::both;
use crate::understand::{Query, QueryClass, understand};
use crate::{Error, Index, Result};
use choose::choose;

/// The place of the vector list among those that are fused.
const VECTOR_LIST: usize = 1;
/// Candidates that a retriever gives at least; it gives as many as results are wanted, too. A file's evidence
/// is gathered from them.
const LEAST_DEPTH: usize = 300;
/// Chunks that only the graph found, at most.
const LIFTED: usize = 20;

/// A name that fits so well is said whole in the query; see the fits of the symbol retriever.
const NAMED: f32 = 1.2;

/// A longer way explains nothing.
const LONGEST_WAY: usize = 8;

/// What the retrievers found.
struct Retrieved {
    fused: Vec<Fused>,
    /// How exactly each named chunk's name fits.
    named: FxHashMap<u32, f32>,
    /// Why no vectors took part, where they were asked for.
    no_vectors: Option<String>,
}

/// A candidate on its way to a result.
struct Ranked {
    info: ChunkInfo,
    score: f32,
    signals: Signals,
    /// The symbols on the way from a seed with the edges that lead on, where the graph found it.
    way: Vec<(u32, EdgeKind)>,
    /// Further hits of its file.
    also: Vec<ChunkInfo>,
}

impl Index {
    /// Runs a search. Equal requests give equal results in equal order.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchResponse> {
        let started = Instant::now();
        let mut query = understand(&request.query);
        let respelled = self.respell(&mut query)?;
        let mut degraded = Vec::new();
        let allowed = Allowed::new(self, &request.filters)?;
        let Retrieved { fused, named, no_vectors } = self.retrieve(request, &query, &allowed)?;
        let has_vectors = no_vectors.is_none();
        degraded.extend(no_vectors);
        let exact = match request.mode {
            Mode::Fusion | Mode::Structural => retrieve::exact(self, &query, &allowed, request.limit.max(LEAST_DEPTH))?,
            Mode::Text | Mode::Vector => FxHashMap::default(),
        };
        let mut ranked = self.weigh(&fused, &named, &exact, &query, &request.weights)?;
        let mut available = request.parts();
        if request.graph && matches!(request.mode, Mode::Fusion | Mode::Structural) {
            self.walk(&mut ranked, &query, &allowed, &request.weights, &mut degraded)?;
        }
        let has_edges = available.contains(&"graph") && self.graph()?.edges() > 0;
        if request.mode == Mode::Fusion && !has_edges {
            self.centroid(&mut ranked, &request.weights)?;
        }
        available.retain(|part| match *part {
            "vectors" => has_vectors,
            "graph" => has_edges,
            _ => true,
        });
        // A question asks for files, a name for what has it, wherever that is.
        let by_file = request.mode == Mode::Fusion && matches!(query.class, QueryClass::Natural | QueryClass::Report);
        if by_file {
            self.rank_files(&mut ranked, &query, &request.weights)?;
        }
        let mut chosen = choose(ranked, request.limit, if by_file { None } else { Some(request.weights.repeat) });
        self.expand(&mut chosen, &query)?;
        let results = self.look_up(chosen, &query)?;
        Ok(SearchResponse {
            query: request.query.clone(),
            class: query.class,
            strategy: request.strategy,
            available,
            words: query.words,
            took_ms: started.elapsed().as_secs_f64() * 1000.0,
            degraded,
            respelled,
            results,
        })
    }

    /// The lists of the retrievers, fused.
    fn retrieve(&self, request: &SearchRequest, query: &Query, allowed: &Allowed) -> Result<Retrieved> {
        let depth = request.limit.max(LEAST_DEPTH);
        let weights = &request.weights;
        let is_symbol = query.class == QueryClass::Symbol;
        let mode = request.mode;
        let by_words = || -> Result<(Vec<Scored>, Vec<Scored>)> {
            let asks_text = matches!(mode, Mode::Fusion | Mode::Text) && request.strategy != Strategy::Staged;
            let text = if asks_text { retrieve::text(self, query, allowed, depth)? } else { Vec::new() };
            let asks_symbols = matches!(mode, Mode::Fusion | Mode::Structural);
            let symbol = if asks_symbols { retrieve::symbols(self, query, allowed, depth)? } else { Vec::new() };
            Ok((text, symbol))
        };
        let (by_words, by_vectors) = if request.vectors && matches!(mode, Mode::Fusion | Mode::Vector) {
            both(by_words, || self.vector_list(query, allowed, depth, request.strategy))
        } else {
            (by_words(), Ok((Vec::new(), None)))
        };
        let ((text, mut symbol), (vector, no_vectors)) = (by_words?, by_vectors?);
        if request.strategy == Strategy::Staged && !vector.is_empty() {
            let staged: FxHashSet<u32> = vector.iter().map(|scored| scored.chunk_id).collect();
            symbol.retain(|scored| staged.contains(&scored.chunk_id));
        }
        let pick = |natural: f32, symbol: f32| if is_symbol { symbol } else { natural };
        let lists: [(&[Scored], f32); 3] = [
            (&text, pick(weights.text_natural, weights.text_symbol)),
            (&vector, pick(weights.vector_natural, weights.vector_symbol)),
            (&symbol, pick(weights.symbol_natural, weights.symbol_symbol)),
        ];
        let named = symbol.iter().map(|scored| (scored.chunk_id, scored.score)).collect();
        let mut fused = match request.strategy {
            Strategy::Hybrid => weighted_scores(&lists),
            _ => reciprocal_rank_fusion(&lists, weights.rrf_k),
        };
        if let (Mode::Fusion, false, Some(matrix)) = (mode, vector.is_empty(), self.vectors()?) {
            make_up(&mut fused, VECTOR_LIST, &lists.map(|(_, weight)| weight), |id| matrix.row_of(id).is_some());
        }
        Ok(Retrieved { fused, named, no_vectors })
    }

    /// The vector list, or why there is none.
    fn vector_list(
        &self,
        query: &Query,
        allowed: &Allowed,
        depth: usize,
        strategy: Strategy,
    ) -> Result<(Vec<Scored>, Option<String>)> {
        let without = |why: &str| Ok((Vec::new(), Some(why.to_owned())));
        let Some(matrix) = self.vectors()? else { return without("the index has no vectors") };
        let vector = match self.encoder() {
            Ok(Some(mut encoder)) => encoder.query(&query.embedded)?,
            Ok(None) => return without("the index has no encoder"),
            // Whoever names an encoder wants that one or nothing.
            Err(error @ Error::Encoder(sextant_encoder::Error::OtherModel { .. })) => return Err(error),
            Err(error) => return without(&format!("no vector search: {error}")),
        };
        #[cfg(feature = "lancedb")]
        if let Some(table) = self.lance() {
            let chunks = allowed.chunks();
            let mut best: Vec<Scored> = table
                .nearest(&vector, chunks, depth)?
                .into_iter()
                .filter(|neighbour| allowed.allows(neighbour.chunk_id))
                .map(|neighbour| Scored {
                    chunk_id: neighbour.chunk_id,
                    score: (1.0 - neighbour.distance) * retrieve::level_weight(neighbour.level),
                })
                .collect();
            retrieve::best_first(&mut best, depth);
            return Ok((best, None));
        }
        let scan = match strategy {
            Strategy::Binary => Scan::binary(matrix.rows(), depth),
            _ => Scan::of(matrix.rows(), depth),
        };
        Ok((retrieve::vectors(matrix, &vector, allowed, depth, scan), None))
    }

    /// The signals that do not need the graph.
    fn weigh(
        &self,
        fused: &[Fused],
        named: &FxHashMap<u32, f32>,
        exact: &FxHashMap<u32, f32>,
        query: &Query,
        weights: &Weights,
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
                    let (stem, folder) = path_match(query, &path);
                    let frame = frame_match(query, &path);
                    let factor = 1.0 + weights.stem * stem + weights.folder * folder + weights.frame * frame;
                    path_factors.insert(info.file_id, factor);
                    factor
                }
            };
            let fit = named.get(&found.chunk_id).copied().unwrap_or(0.0);
            let demotion = demotion(&info, fit, query, weights);
            // Ranks say little of how exactly a name fits: of several symbols one may be just what was typed.
            let name = 1.0 + weights.name * fit;
            let named_so = weights.exact * exact.get(&found.chunk_id).copied().unwrap_or(0.0);
            let signals = Signals {
                bm25: found.scores[0],
                cosine: found.scores[1],
                fit: found.scores[2],
                text: found.parts[0],
                vector: found.parts[1],
                symbol: found.parts[2],
                path,
                name,
                demotion,
                exact: named_so,
                ..Signals::default()
            };
            let score = found.score * path * name * demotion + named_so;
            ranked.push(Ranked { info, score, signals, way: Vec::new(), also: Vec::new() });
        }
        let candidates: Vec<Candidate> = ranked
            .iter()
            .map(|r| Candidate { chunk_id: r.info.chunk_id, file_id: r.info.file_id, score: r.score })
            .collect();
        let evidence = file_evidence(&candidates);
        for r in &mut ranked {
            let FileEvidence { best, further } = evidence.get(&r.info.file_id).copied().unwrap_or_default();
            // What the file's other hits add, in proportion to how good this one is among them.
            let share = if best > 0.0 { r.score / best } else { 0.0 };
            r.signals.file = weights.file_evidence * further * share;
            r.score += r.signals.file;
        }
        sort(&mut ranked);
        Ok(ranked)
    }

    /// Personalised PageRank from the best hits: lifts what is near to them and brings in what the
    /// words did not find.
    fn walk(
        &self,
        ranked: &mut Vec<Ranked>,
        query: &Query,
        allowed: &Allowed,
        weights: &Weights,
        degraded: &mut Vec<String>,
    ) -> Result<()> {
        let Some(top) = ranked.first().map(|r| r.score) else { return Ok(()) };
        if weights.graph <= 0.0 {
            return Ok(());
        }
        let graph = self.graph()?;
        if graph.edges() == 0 {
            degraded.push("the index has no edges".to_owned());
            return Ok(());
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small count")]
        let seeds: Vec<(u32, f32)> =
            ranked.iter().take(weights.seeds as usize).filter_map(|r| Some((r.info.symbol_id?, r.score))).collect();
        let reached = personalised_pagerank(graph, &seeds, weights, Push::STANDARD);
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
        let most = by_chunk.values().map(|(mass, _)| *mass).fold(0.0, f32::max);
        if most <= 0.0 {
            return Ok(());
        }
        let from: FxHashMap<u32, (u32, EdgeKind)> = reached.iter().filter_map(|r| Some((r.node, r.from?))).collect();
        for r in ranked.iter_mut() {
            if let Some((mass, _)) = by_chunk.remove(&r.info.chunk_id) {
                r.signals.graph = weights.graph * top * mass / most;
                r.score += r.signals.graph;
            }
        }
        // What is left was reached by the graph alone.
        let mut lifted: Vec<(u32, f32, u32)> =
            by_chunk.into_iter().map(|(chunk, (mass, node))| (chunk, mass, node)).collect();
        lifted.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        for (chunk, mass, node) in lifted.into_iter().filter(|(chunk, ..)| allowed.allows(*chunk)).take(LIFTED) {
            let score = weights.graph * top * mass / most;
            let (info, way) = (catalog.info(chunk)?, way_to(node, &from));
            let demotion = demotion(&info, 0.0, query, weights);
            let signals = Signals { graph: score, path: 1.0, name: 1.0, demotion, ..Signals::default() };
            ranked.push(Ranked { info, score, signals, way, also: Vec::new() });
        }
        sort(ranked);
        Ok(())
    }
}

/// What is taken from a chunk for its level, and for being a test or prose that nobody asked for. `fit` is how
/// exactly its name fits.
fn demotion(info: &ChunkInfo, fit: f32, query: &Query, weights: &Weights) -> f32 {
    let mut demotion = 1.0;
    if info.level > 1 {
        demotion *= weights.level_2;
    }
    // Test code that is asked for by its name is asked for.
    if info.is_test && !query.wants_tests && fit < NAMED {
        demotion *= weights.test;
    }
    if info.kind == Kind::Section {
        demotion *= weights.prose;
    }
    demotion
}

/// The way from a seed to a node, without the node itself.
fn way_to(node: u32, from: &FxHashMap<u32, (u32, EdgeKind)>) -> Vec<(u32, EdgeKind)> {
    let mut way = Vec::new();
    let mut at = node;
    while let Some(&(previous, kind)) = from.get(&at) {
        way.push((previous, kind));
        at = previous;
        if way.len() > LONGEST_WAY {
            break;
        }
    }
    way.reverse();
    way
}

fn sort(ranked: &mut [Ranked]) {
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.info.chunk_id.cmp(&b.info.chunk_id)));
}

//! The order of one search: analyze the query, retrieve, fuse, weigh, walk the graph, rank files, and look up what is
//! shown.

use std::time::Instant;

use rustc_hash::FxHashMap;
use sextant_format::ids::{ChunkId, SymbolId};
use tantivy::Term;

use super::bare_name::{Naming, add_definitions, named_definitions, similar_definitions};
use super::centroid::rerank_by_centroid;
use super::expand::expand_members;
use super::file_ranking::rank_files;
use super::fit::{Fit, fit_of};
use super::graph_ranking::apply_pagerank;
use super::hydrate::hydrate;
use super::places::chunks_at_place;
use super::ranked::Ranked;
use super::request::{Mode, SearchRequest};
use super::rerank::rerank;
use super::response::{Candidate, Correction, SearchResponse};
use super::retrieval::{Retrieved, retrieve};
use super::scoring::score_candidates;
use super::select::select_results;
use super::spelling::correct_spelling;
use super::verbatim::raise_verbatim;
use crate::query_analysis::{AnalyzedQuery, QueryClass, analyze_literal, analyze_query};
use crate::retrieve::{ChunkFilter, NamedSymbol, find_literals, qualified_name_matches};
use crate::{Index, Result};

/// The ranked chunks of a request.
pub(crate) struct Ranking {
    /// The analysed query, with corrected words.
    pub(crate) query: AnalyzedQuery,
    /// The candidates, best first.
    pub(crate) ranked: Vec<Ranked>,
    /// Whether files were ranked, as for a question.
    pub(crate) by_file: bool,
    /// How likely it is that the query is about the index.
    pub(crate) fit: Fit,
    /// The components that were used.
    pub(crate) available: Vec<&'static str>,
    /// What was missing, as notes for the reader.
    pub(crate) degraded: Vec<String>,
    /// Words that the index does not contain, with their corrections.
    pub(crate) corrections: Vec<Correction>,
}

/// Searches an index.
#[derive(Clone, Copy, Debug)]
pub struct Searcher<'a> {
    index: &'a Index,
}

impl<'a> Searcher<'a> {
    /// Borrows an index; nothing is opened yet.
    #[must_use]
    pub const fn new(index: &'a Index) -> Self {
        Self { index }
    }

    /// Runs a search. Equal requests return equal results in equal order.
    ///
    /// # Errors
    /// A filter or the encoder is invalid, or the index is damaged.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchResponse> {
        let started = Instant::now();
        let index = self.index;
        let Ranking { query, ranked, by_file, fit, available, degraded, corrections } = self.rank(request)?;
        let weights = &request.weights;
        let decay = match query.class {
            _ if !by_file => weights.fusion.same_file_decay,
            QueryClass::Report => weights.report.report_same_file_decay,
            _ => weights.file.file_same_file_decay,
        };
        let mut chosen = select_results(ranked, request.limit, decay, by_file);
        calibrate(&mut chosen, &fit);
        chosen.retain(|r| request.min_score.is_none_or(|min_score| r.score >= min_score));
        expand_members(index, &mut chosen, &query, &request.weights.fusion)?;
        let results = hydrate(index, chosen, &query)?;
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
            fit: fit.index,
            fits: fits(request, fit.index),
            strategy: request.strategy,
            available,
            words: query.words,
            took_ms: started.elapsed().as_secs_f64() * 1000.0,
            degraded,
            corrections,
            results,
        })
    }

    /// Returns the candidates of a request, best first: nested ones too, and with no limit, as training a model needs them.
    ///
    /// # Errors
    /// The same as of [`Self::search`].
    pub fn candidates(&self, request: &SearchRequest) -> Result<Vec<Candidate>> {
        let catalog = &self.index.chunks()?.catalog;
        let candidate = |r: Ranked| {
            Ok(Candidate {
                path: catalog.path(r.info.chunk_id)?,
                start_line: r.info.start_line,
                end_line: r.info.end_line,
                signals: r.signals,
            })
        };
        self.rank(request)?.ranked.into_iter().map(candidate).collect()
    }

    /// The number of chunks, and of those with each word of a query, as [`CommonCounts`](super::CommonCounts) sums them.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn word_counts(&self, words: &[String]) -> Result<(u64, Vec<u64>)> {
        let chunks = self.index.chunks()?;
        let count = |word: &String| chunks.doc_freq(&Term::from_field_text(chunks.fields.body, word));
        Ok((chunks.doc_count(), words.iter().map(count).collect::<Result<_>>()?))
    }

    /// Ranks chunks for a request: all that a search does before it selects results and looks them up.
    pub(crate) fn rank(&self, request: &SearchRequest) -> Result<Ranking> {
        let started = Instant::now();
        let index = self.index;
        let mut query = analyze_query(&request.query, &request.weights.query);
        let mut degraded = Vec::new();
        let allowed = ChunkFilter::new(index, &request.filters)?;
        let uses_names = matches!(request.mode, Mode::Fusion | Mode::Structural);
        let (mut place, mut definitions) = (Vec::new(), (Vec::new(), Naming::None));
        if uses_names {
            place = chunks_at_place(index, &query, &allowed)?;
            if place.is_empty() {
                definitions = named_definitions(index, &query)?;
            }
            // What is written like a name or a path and is none may be written in code: a setting, a header.
            let is_name = !place.is_empty() || definitions.1 == Naming::Name;
            let is_token = matches!(query.class, QueryClass::Symbol | QueryClass::Path)
                && !query.text.trim().contains(char::is_whitespace);
            if is_token && !is_name && is_written(index, &query, &allowed)? {
                query = analyze_literal(&request.query, &request.weights.query);
            } else if definitions.1 == Naming::Similar {
                definitions.0 = similar_definitions(index, &query)?;
            }
        }
        let corrections = correct_spelling(index, &mut query)?;
        let Retrieved { fused, name_scores, query_vectors, vectors_unavailable } =
            retrieve(index, request, &query, &allowed)?;
        tracing::debug!(
            class = query.class.as_str(),
            words = ?query.words,
            candidates = fused.len(),
            milliseconds = started.elapsed().as_secs_f64() * 1000.0,
            "candidates retrieved"
        );
        let has_vectors = vectors_unavailable.is_none();
        degraded.extend(vectors_unavailable);
        let mut named = FxHashMap::default();
        if uses_names {
            let weights = &request.weights.retrieval;
            let depth = weights.depth(request.limit);
            named = qualified_name_matches(index, &query, &allowed, depth, weights)?;
            add_definitions(index, &query, &definitions, &allowed, weights, &mut named)?;
            add_place(&place, &mut named);
        }
        let mut ranked = score_candidates(index, &fused, &name_scores, &named, &query, &request.weights.fusion)?;
        let mut available = request.requested_components();
        if request.graph && matches!(request.mode, Mode::Fusion | Mode::Structural) {
            apply_pagerank(index, &mut ranked, &query, &allowed, &request.weights, &mut degraded)?;
        }
        let has_edges = available.contains(&"graph") && index.graph()?.edges() > 0;
        if request.mode == Mode::Fusion && !has_edges {
            rerank_by_centroid(index, &mut ranked, &request.weights.graph)?;
        }
        available.retain(|part| match *part {
            "vectors" => has_vectors,
            "graph" => has_edges,
            _ => true,
        });
        // A question is answered by files, a name by the chunks that have it.
        let by_file = request.mode == Mode::Fusion && matches!(query.class, QueryClass::Natural | QueryClass::Report);
        if by_file {
            rank_files(index, &mut ranked, &query, query_vectors.as_ref(), &allowed, &request.weights)?;
            if request.rerank {
                rerank(index, &mut ranked, &query, &request.weights.rerank)?;
                available.push("reranker");
            }
        } else if request.rerank {
            degraded.push(
                "the reranker reads questions and reports of mode fusion only: results are as without it".to_owned(),
            );
        }
        if by_file {
            raise_verbatim(index, &mut ranked, &query, &allowed, &request.weights.fusion)?;
        }
        let fit = fit_of(index, &ranked, &query, &request.weights, request.common.as_deref())?;
        Ok(Ranking { query, ranked, by_file, fit, available, degraded, corrections })
    }
}

/// Whether the text of a query is written in a chunk as it is.
fn is_written(index: &Index, query: &AnalyzedQuery, allowed: &ChunkFilter) -> Result<bool> {
    let text = query.text.trim().to_owned();
    Ok(find_literals(index, &[text], allowed)?.iter().any(|literal| !literal.chunks.is_empty()))
}

/// Adds the chunks at a place, the first of them as if its definition were named.
fn add_place(place: &[ChunkId], named: &mut FxHashMap<ChunkId, NamedSymbol>) {
    for (n, &chunk) in place.iter().enumerate() {
        let share = 1.0 / (n + 1) as f32;
        named.insert(chunk, NamedSymbol { share, symbol: SymbolId::default(), is_own_chunk: true });
    }
}

/// Whether a probability is enough for a request.
pub(crate) fn fits(request: &SearchRequest, fit: f32) -> bool {
    fit >= request.min_score.unwrap_or(request.weights.fit.min_fit)
}

/// Makes scores comparable between queries and indexes: the best result has the probability that the query is about the
/// index, the others their share of it. If files have probabilities of their own, a result has that of its file, times the
/// root of its share, and at least what those after it have: the order stays.
fn calibrate(chosen: &mut [Ranked], fit: &Fit) {
    let top = chosen.first().map_or(0.0, |r| r.score);
    for r in chosen.iter_mut() {
        let share = if top > 0.0 { r.score / top } else { 0.0 };
        r.score =
            if fit.files.is_empty() { fit.index * share } else { fit.of_file(r.info.file_id) * share.max(0.0).sqrt() };
    }
    if !fit.files.is_empty() {
        let mut after = 0.0_f32;
        for r in chosen.iter_mut().rev() {
            after = after.max(r.score);
            r.score = after;
        }
    }
}

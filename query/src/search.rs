//! One search: understand, retrieve, fuse, weigh, walk the graph, and look up what is shown.

use std::collections::BTreeMap;
use std::time::Instant;

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_formats::kinds::{EdgeKind, Kind};

use crate::catalog::ChunkInfo;
use crate::rank::{
    Candidate, FileEvidence, FileSigns, Fused, Push, Weights, file_evidence, make_up, path_match,
    personalised_pagerank, reciprocal_rank_fusion,
};
use crate::retrieve::{self, Allowed, Scored};
use crate::snippet::{self, Snippet};
use crate::understand::{Query, QueryClass, understand};
use crate::{Error, Index, Result};

/// Which retrievers take part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// All, and the graph.
    #[default]
    Fusion,
    /// Full text alone.
    Text,
    /// Vectors alone.
    Vector,
    /// Symbols and the graph.
    Structural,
}

/// What results may be. Empty lists allow everything; several words of one list are alternatives.
#[derive(Clone, Debug, Default)]
pub struct Filters {
    /// Kinds of chunks.
    pub kinds: Vec<Kind>,
    /// Languages.
    pub languages: Vec<String>,
    /// Globs over paths.
    pub paths: Vec<String>,
    /// Repositories.
    pub repos: Vec<String>,
}

impl Filters {
    /// Whether everything is allowed.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.languages.is_empty() && self.paths.is_empty() && self.repos.is_empty()
    }
}

/// What to search for.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The query as typed.
    pub query: String,
    /// How many results at most.
    pub limit: usize,
    /// Which retrievers take part.
    pub mode: Mode,
    /// What results may be.
    pub filters: Filters,
    /// The weights of the ranking.
    pub weights: Weights,
}

impl SearchRequest {
    /// A request for ten results from everything.
    #[must_use]
    pub fn new(query: &str) -> Self {
        Self {
            query: query.to_owned(),
            limit: 10,
            mode: Mode::Fusion,
            filters: Filters::default(),
            weights: Weights::STANDARD,
        }
    }
}

/// What each signal gave a result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signals {
    /// What full text gave by itself: BM25 over the fields.
    pub bm25: Option<f32>,
    /// What vectors gave by themselves: the cosine.
    pub cosine: Option<f32>,
    /// What symbols gave by themselves: how exactly the name fits.
    pub fit: Option<f32>,
    /// Full text, of the fused score.
    pub text: f32,
    /// Vectors, of the fused score; for a chunk that has none, what the other lists make up for it.
    pub vector: f32,
    /// Symbols, of the fused score.
    pub symbol: f32,
    /// Factor of the file's stem and folders.
    pub path: f32,
    /// Factor of how exactly the name fits.
    pub name: f32,
    /// Factor of level and test code.
    pub demotion: f32,
    /// What was added because the query names it with its owner.
    pub exact: f32,
    /// What the file's further hits added.
    pub file: f32,
    /// What PageRank added.
    pub graph: f32,
    /// The signs of its file, where files are ranked.
    pub of_file: Option<FileSigns>,
    /// The path in the graph from a seed, as qualified names and edge kinds, where the graph found it.
    pub path_from_seed: Vec<(String, EdgeKind)>,
}

/// The chunk around a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Parent {
    /// Its id.
    pub chunk_id: u32,
    /// What it is.
    pub kind: Kind,
    /// Its symbol's name.
    pub name: Option<String>,
    /// Its symbol's qualified name.
    pub qualified_name: Option<String>,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
}

/// A further hit of a result's file.
#[derive(Clone, Debug, PartialEq)]
pub struct Also {
    /// Its id.
    pub chunk_id: u32,
    /// What it is.
    pub kind: Kind,
    /// Its symbol's qualified name.
    pub qualified_name: Option<String>,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
}

/// A result.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Its place, from 1.
    pub rank: usize,
    /// Its score; only the order means something.
    pub score: f32,
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The language.
    pub language: String,
    /// What it is.
    pub kind: Kind,
    /// The symbol's name; none for left-over text.
    pub name: Option<String>,
    /// The symbol's qualified name.
    pub qualified_name: Option<String>,
    /// The chunk.
    pub chunk_id: u32,
    /// The chunk around it.
    pub parent: Option<Parent>,
    /// The best further hits of its file that are no results themselves.
    pub also: Vec<Also>,
    /// The lines that show best why it was found.
    pub snippet: String,
    /// Line of the snippet's first line, where the snippet is one piece of the file.
    pub snippet_line: Option<u32>,
    /// What each signal gave.
    pub signals: Signals,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct SearchResponse {
    /// The query as typed.
    pub query: String,
    /// What it looked like.
    pub class: QueryClass,
    /// Its words, for highlighting.
    pub words: Vec<String>,
    /// Time inside the library, in milliseconds.
    pub took_ms: f64,
    /// What was missing and was done without.
    pub degraded: Vec<String>,
    /// The results, best first.
    pub results: Vec<Hit>,
}

/// The place of the vector list among those that are fused.
const VECTOR_LIST: usize = 1;
/// Candidates that a retriever gives at least; it gives as many as results are wanted, too. A file's evidence
/// is gathered from them.
const LEAST_DEPTH: usize = 300;
/// Files whose signs are looked at: those of the best chunks.
const MAX_FILES: usize = 100;
/// What the chunks of other files keep of their score: less than any file has that was looked at.
const FAR: f32 = 1e-12;
/// Further hits of a file that are told of.
const MAX_ALSO: usize = 3;
/// Chunks that only the graph found, at most.
const LIFTED: usize = 20;

/// A name that fits so well is said whole in the query; see the fits of the symbol retriever.
const NAMED: f32 = 1.2;

/// What a symbol is called.
struct SymbolNames {
    name: String,
    qualified: String,
}

/// A longer way explains nothing.
const LONGEST_WAY: usize = 8;

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
        let query = understand(&request.query);
        let mut degraded = Vec::new();
        let allowed = Allowed::new(self, &request.filters)?;
        let (fused, named) = self.retrieve(request, &query, &allowed, &mut degraded)?;
        let exact = match request.mode {
            Mode::Fusion | Mode::Structural => retrieve::exact(self, &query, &allowed, request.limit.max(LEAST_DEPTH))?,
            Mode::Text | Mode::Vector => FxHashMap::default(),
        };
        let mut ranked = self.weigh(&fused, &named, &exact, &query, &request.weights)?;
        if matches!(request.mode, Mode::Fusion | Mode::Structural) {
            self.walk(&mut ranked, &query, &allowed, &request.weights, &mut degraded)?;
        }
        // A question asks for files, a name for what has it, wherever that is.
        let by_file = request.mode == Mode::Fusion && query.class == QueryClass::Natural;
        if by_file {
            self.rank_files(&mut ranked, &query, &request.weights)?;
        }
        let chosen = choose(ranked, request.limit, if by_file { None } else { Some(request.weights.repeat) });
        let results = self.look_up(chosen, &query)?;
        Ok(SearchResponse {
            query: request.query.clone(),
            class: query.class,
            words: query.words,
            took_ms: started.elapsed().as_secs_f64() * 1000.0,
            degraded,
            results,
        })
    }

    /// The lists of the retrievers, fused, and how exactly each named chunk's name fits.
    fn retrieve(
        &self,
        request: &SearchRequest,
        query: &Query,
        allowed: &Allowed,
        degraded: &mut Vec<String>,
    ) -> Result<(Vec<Fused>, FxHashMap<u32, f32>)> {
        let depth = request.limit.max(LEAST_DEPTH);
        let weights = &request.weights;
        let is_symbol = query.class == QueryClass::Symbol;
        let mode = request.mode;
        let text = if matches!(mode, Mode::Fusion | Mode::Text) {
            retrieve::text(self, query, allowed, depth)?
        } else {
            Vec::new()
        };
        let symbol = if matches!(mode, Mode::Fusion | Mode::Structural) {
            retrieve::symbols(self, query, allowed, depth)?
        } else {
            Vec::new()
        };
        let vector = if matches!(mode, Mode::Fusion | Mode::Vector) {
            self.vector_list(query, allowed, depth, degraded)?
        } else {
            Vec::new()
        };
        let pick = |natural: f32, symbol: f32| if is_symbol { symbol } else { natural };
        let lists: [(&[Scored], f32); 3] = [
            (&text, pick(weights.text_natural, weights.text_symbol)),
            (&vector, pick(weights.vector_natural, weights.vector_symbol)),
            (&symbol, pick(weights.symbol_natural, weights.symbol_symbol)),
        ];
        let named = symbol.iter().map(|scored| (scored.chunk_id, scored.score)).collect();
        let mut fused = reciprocal_rank_fusion(&lists, weights.rrf_k);
        if let (Mode::Fusion, false, Some(matrix)) = (mode, vector.is_empty(), self.vectors()?) {
            make_up(&mut fused, VECTOR_LIST, &lists.map(|(_, weight)| weight), |id| matrix.row_of(id).is_some());
        }
        Ok((fused, named))
    }

    /// The vector list; what is missing for it is said and done without.
    fn vector_list(
        &self,
        query: &Query,
        allowed: &Allowed,
        depth: usize,
        degraded: &mut Vec<String>,
    ) -> Result<Vec<Scored>> {
        let Some(matrix) = self.vectors()? else {
            degraded.push("the index has no vectors".to_owned());
            return Ok(Vec::new());
        };
        let vector = match self.encoder() {
            Ok(Some(mut encoder)) => encoder.query(&query.text)?,
            Ok(None) => return Ok(Vec::new()),
            // Whoever names an encoder wants that one or nothing.
            Err(error @ Error::Index(sextant_formats::Error::OtherModel { .. })) => return Err(error),
            Err(error) => {
                degraded.push(format!("no vector search: {error}"));
                return Ok(Vec::new());
            }
        };
        #[cfg(feature = "lancedb")]
        if let Some(table) = self.lance() {
            return table.nearest(&vector, allowed, depth);
        }
        Ok(retrieve::vectors(matrix, &vector, allowed, depth))
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
                    let (stem, folder) = path_match(query, &catalog.path(info.chunk_id)?);
                    let factor = 1.0 + weights.stem * stem + weights.folder * folder;
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

    /// Orders by files: a chunk has what its file has, in proportion to how good it is among the file's chunks.
    fn rank_files(&self, ranked: &mut [Ranked], query: &Query, weights: &Weights) -> Result<()> {
        let mut files: FxHashSet<u32> = FxHashSet::default();
        for r in ranked.iter() {
            if files.len() < MAX_FILES {
                files.insert(r.info.file_id);
            }
        }
        let chunks = ranked.iter().filter(|r| files.contains(&r.info.file_id));
        let signs = self.file_signs(chunks.map(|r| (&r.info, r.score, &r.signals)), query, weights)?;
        let best = signs.values().map(|signs| signs.score(weights)).fold(f32::NEG_INFINITY, f32::max);
        let mut tops: FxHashMap<u32, f32> = FxHashMap::default();
        for r in ranked.iter() {
            let top = tops.entry(r.info.file_id).or_insert(0.0);
            *top = top.max(r.score);
        }
        for r in ranked.iter_mut() {
            let Some(of_file) = signs.get(&r.info.file_id) else {
                r.score *= FAR;
                continue;
            };
            let top = tops.get(&r.info.file_id).copied().unwrap_or(0.0);
            let share = if top > 0.0 { r.score / top } else { 0.0 };
            r.score = (of_file.score(weights) - best).exp() * share + r.signals.exact;
            r.signals.of_file = Some(*of_file);
        }
        sort(ranked);
        Ok(())
    }

    /// Everything that is shown of the chosen chunks.
    fn look_up(&self, chosen: Vec<Ranked>, query: &Query) -> Result<Vec<Hit>> {
        let catalog = &self.chunks()?.catalog;
        let ids = sorted(chosen.iter().map(|r| r.info.chunk_id));
        let contents: FxHashMap<u32, String> =
            ids.iter().copied().zip(self.chunk_rows()?.column("content", &ids)?).collect();
        let mut parents: FxHashMap<u32, ChunkInfo> = FxHashMap::default();
        for parent in chosen.iter().filter_map(|r| r.info.parent_id) {
            parents.insert(parent, catalog.info(parent)?);
        }
        let mut wanted: Vec<u32> = chosen.iter().filter_map(|r| r.info.symbol_id).collect();
        wanted.extend(chosen.iter().filter_map(|r| parents.get(&r.info.parent_id?)?.symbol_id));
        wanted.extend(chosen.iter().flat_map(|r| r.way.iter().map(|(id, _)| *id)));
        wanted.extend(chosen.iter().flat_map(|r| r.also.iter().filter_map(|info| info.symbol_id)));
        let symbols = self.names(sorted(wanted.into_iter()))?;
        let mut hits = Vec::with_capacity(chosen.len());
        for (n, mut r) in chosen.into_iter().enumerate() {
            let name_of = |id: &u32| symbols.get(id).map_or_else(String::new, |names| names.qualified.clone());
            r.signals.path_from_seed = r.way.iter().map(|(id, kind)| (name_of(id), *kind)).collect();
            let (repo, language) = catalog.repo_and_language(r.info.chunk_id)?;
            let symbol = r.info.symbol_id.and_then(|id| symbols.get(&id));
            let content = contents.get(&r.info.chunk_id).map_or("", String::as_str);
            let Snippet { skipped, text } = snippet::cut(content, &query.words);
            let is_whole = content.lines().count() == (r.info.end_line - r.info.start_line + 1) as usize;
            hits.push(Hit {
                rank: n + 1,
                score: r.score,
                repo,
                path: catalog.path(r.info.chunk_id)?,
                start_line: r.info.start_line,
                end_line: r.info.end_line,
                language,
                kind: r.info.kind,
                name: symbol.map(|names| names.name.clone()),
                qualified_name: symbol.map(|names| names.qualified.clone()),
                chunk_id: r.info.chunk_id,
                also: r.also.iter().map(|info| also(info, &symbols)).collect(),
                parent: r.info.parent_id.and_then(|id| parents.get(&id)).map(|info| parent(info, &symbols)),
                snippet: text,
                snippet_line: is_whole.then(|| r.info.start_line + u32::try_from(skipped).unwrap_or(0)),
                signals: r.signals,
            });
        }
        Ok(hits)
    }

    /// The names of symbols, by ascending ids.
    fn names(&self, ids: Vec<u32>) -> Result<FxHashMap<u32, SymbolNames>> {
        let rows = self.symbol_rows()?;
        let names: Vec<String> = rows.column("name", &ids)?;
        let qualified: Vec<String> = rows.column("qualified_name", &ids)?;
        let names = names.into_iter().zip(qualified).map(|(name, qualified)| SymbolNames { name, qualified });
        Ok(ids.into_iter().zip(names).collect())
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

/// Ids in ascending order, each once: the order in which a table gives its rows.
fn sorted(ids: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut ids: Vec<u32> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    ids
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

fn also(info: &ChunkInfo, symbols: &FxHashMap<u32, SymbolNames>) -> Also {
    Also {
        chunk_id: info.chunk_id,
        kind: info.kind,
        qualified_name: info.symbol_id.and_then(|id| symbols.get(&id)).map(|names| names.qualified.clone()),
        start_line: info.start_line,
        end_line: info.end_line,
    }
}

fn parent(info: &ChunkInfo, symbols: &FxHashMap<u32, SymbolNames>) -> Parent {
    let symbol = info.symbol_id.and_then(|id| symbols.get(&id));
    Parent {
        chunk_id: info.chunk_id,
        kind: info.kind,
        name: symbol.map(|names| names.name.clone()),
        qualified_name: symbol.map(|names| names.qualified.clone()),
        start_line: info.start_line,
        end_line: info.end_line,
    }
}

fn sort(ranked: &mut [Ranked]) {
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.info.chunk_id.cmp(&b.info.chunk_id)));
}

/// The results of what is ranked: of chunks that hold each other the better one. Further hits of a file keep
/// `repeat` of their score each; without it they come after the best hits of all files, and a result tells of
/// those of its file.
fn choose(ranked: Vec<Ranked>, limit: usize, repeat: Option<f32>) -> Vec<Ranked> {
    let mut taken: FxHashMap<u32, i32> = FxHashMap::default();
    let mut seen: Vec<(u32, u32, u32)> = Vec::new();
    let mut chosen: Vec<(i32, Ranked)> = Vec::new();
    for mut r in ranked {
        let overlaps = seen.iter().any(|&(file, start, end)| {
            file == r.info.file_id && start <= r.info.end_line && r.info.start_line <= end && r.info.level > 1
        });
        if overlaps {
            continue;
        }
        let times = taken.entry(r.info.file_id).or_insert(0);
        let round = if let Some(repeat) = repeat {
            r.score *= repeat.clamp(0.0, 1.0).powi(*times);
            0
        } else {
            *times
        };
        *times += 1;
        seen.push((r.info.file_id, r.info.start_line, r.info.end_line));
        chosen.push((round, r));
    }
    chosen.sort_by(|(m, a), (n, b)| {
        m.cmp(n).then(b.score.total_cmp(&a.score)).then(a.info.chunk_id.cmp(&b.info.chunk_id))
    });
    let rest = chosen.split_off(limit.min(chosen.len()));
    let mut chosen: Vec<Ranked> = chosen.into_iter().map(|(_, r)| r).collect();
    // The rounds are an order of their own: scores must not contradict it.
    let mut least = f32::INFINITY;
    for r in &mut chosen {
        least = least.min(r.score);
        r.score = least;
    }
    if repeat.is_none() {
        let mut first: FxHashMap<u32, usize> = FxHashMap::default();
        for (at, r) in chosen.iter().enumerate() {
            first.entry(r.info.file_id).or_insert(at);
        }
        for (_, further) in rest {
            if let Some(&at) = first.get(&further.info.file_id)
                && chosen[at].also.len() < MAX_ALSO
            {
                chosen[at].also.push(further.info);
            }
        }
    }
    chosen
}

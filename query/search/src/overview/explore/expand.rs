//! What the best candidates lead to: the text that a question quotes, methods that implement an interface's, code that uses
//! an accessor, and functions to which the best ones hand the work. A function often answers a question by its helpers,
//! whatever words they use.

use rustc_hash::FxHashSet;
use sextant_format::graph::{Graph, Neighbour};
use sextant_format::ids::SymbolId;
use sextant_format::kinds::{EdgeKind, Kind};

use super::asked::AskedWords;
use super::found::{FoundChunks, is_small};
use crate::catalog::ChunkInfo;
use crate::overview::limits::MIN_EDGE_CONFIDENCE;
use crate::query_analysis::AnalyzedQuery;
use crate::retrieve::{ChunkFilter, Literal};
use crate::{Index, Result};

/// Functions whose callees are candidates.
const EXPANDED_CANDIDATES: usize = 3;
/// Callees of one function whose names are compared with the question.
const MAX_NAMED_CALLEES: usize = 48;
/// Callees of one function that are candidates.
const MAX_CALLEES: usize = 12;
/// A function that more call is a tool of the whole, and says nothing about one of its callers, unless its name has words of
/// the question.
const MAX_CALLERS_OF_TOOL: usize = 64;
/// Share of a function's score that its callees in the same file have at least.
const CALLEE_SHARE: f32 = 0.25;
/// Share of a function's score that its callees in other files have at least.
const FAR_CALLEE_SHARE: f32 = 0.08;
/// How much of it each word of the question in a callee's name adds.
const ASKED_SHARE: f32 = 0.1;
/// Words of the question in a callee's name that count.
const MAX_ASKED_WORDS: usize = 2;
/// Functions that are followed if they are declarations without a body, or accessors.
const FOLLOWED_CANDIDATES: usize = 8;
/// Implementations of a method that are candidates: what has more is a concept, and none of them is the answer.
const MAX_IMPLEMENTATIONS: usize = 8;
/// Share of a declaration's score that its implementations have at least.
const IMPLEMENTATION_SHARE: f32 = 0.7;
/// Edges between an accessor and the code that uses what it reads or sets: to its field, to what reads the field, to what
/// calls that.
const MAX_USER_STEPS: usize = 3;
/// Symbols that an accessor or a field leads to at most; a value that more use is about nothing in particular.
const MAX_USERS: usize = 12;
/// Share of an accessor's score that the code behind it has at least.
const USER_SHARE: f32 = 0.2;
/// Share of the best score that a chunk has at least in which a literal of the question is written.
const LITERAL_SHARE: f32 = 0.8;
/// Lines of a function with a literal of which the callers are candidates, too, at most.
const MAX_LITERAL_LINES: u32 = 10;
/// Chunks with a literal that are candidates.
const MAX_LITERAL_CHUNKS: usize = 8;

/// Expands candidates.
pub(super) struct Expansion<'a> {
    index: &'a Index,
    query: &'a AnalyzedQuery,
    asked: AskedWords,
    allowed: &'a ChunkFilter,
}

impl<'a> Expansion<'a> {
    pub(super) fn new(index: &'a Index, query: &'a AnalyzedQuery, allowed: &'a ChunkFilter) -> Self {
        Self { index, query, asked: AskedWords::new(query), allowed }
    }

    /// Adds and raises the chunks in which literals of the question are written as they are, but for the case of keys.
    pub(super) fn add_literals(&self, literals: &[Literal], found: &mut FoundChunks) -> Result<()> {
        let (graph, best) = (self.index.graph()?, found.best_score());
        for literal in literals {
            let is_wanted = |info: &&ChunkInfo| !info.is_test || self.query.wants_tests;
            let chunks: Vec<ChunkInfo> = literal.chunks.iter().filter(is_wanted).copied().collect();
            if chunks.len() > MAX_LITERAL_CHUNKS {
                continue;
            }
            for info in chunks {
                found.raise(info, best * LITERAL_SHARE);
                // A function of few lines that has it hands it to others.
                let is_short = info.kind.is_callable() && info.end_line - info.start_line <= MAX_LITERAL_LINES;
                let Some(symbol) = info.symbol_id.filter(|_| is_short) else { continue };
                let calls = graph.in_edges(symbol).filter(|edge| edge.kind == EdgeKind::Call && is_sure(edge));
                let users: Vec<SymbolId> = calls.map(|edge| edge.node).take(MAX_USERS + 1).collect();
                for (asked, info) in if users.len() > MAX_USERS { Vec::new() } else { self.functions(users)? } {
                    let share = USER_SHARE + ASKED_SHARE * asked.min(MAX_ASKED_WORDS) as f32;
                    found.raise(info, best * LITERAL_SHARE * share);
                }
            }
        }
        Ok(())
    }

    /// Adds and raises the methods that implement the best declarations without a body.
    pub(super) fn add_implementations(&self, found: &mut FoundChunks) -> Result<()> {
        let graph = self.index.graph()?;
        for at in found.best_functions(FOLLOWED_CANDIDATES) {
            let Some(symbol) = found.order[at].symbol() else { continue };
            let score = found.order[at].score;
            let is_below = |edge: &Neighbour| edge.kind.leads_to_declaration() && is_sure(edge);
            let mut below: Vec<SymbolId> =
                graph.in_edges(symbol).filter(is_below).map(|edge| edge.node).take(MAX_IMPLEMENTATIONS + 1).collect();
            below.sort_unstable();
            below.dedup();
            if below.is_empty() || below.len() > MAX_IMPLEMENTATIONS || !self.is_small(&found.order[at].info, symbol)? {
                continue;
            }
            for (_, info) in self.functions(below)? {
                found.raise(info, score * IMPLEMENTATION_SHARE);
            }
        }
        Ok(())
    }

    /// Adds and raises the functions that use what the best accessors, fields and constants read, set or are: an answer is
    /// seldom where a value is stored.
    pub(super) fn add_users(&self, found: &mut FoundChunks) -> Result<()> {
        let graph = self.index.graph()?;
        let mut best: Vec<usize> = (0..found.order.len()).collect();
        best.sort_by(|&a, &b| found.order[b].score.total_cmp(&found.order[a].score).then(a.cmp(&b)));
        for at in best.into_iter().take(FOLLOWED_CANDIDATES) {
            let Some(symbol) = found.order[at].symbol() else { continue };
            let (score, info) = (found.order[at].score, found.order[at].info);
            if !self.is_accessor(&info, symbol)? {
                continue;
            }
            let mut seen = FxHashSet::from_iter([symbol]);
            let (mut level, mut users) = (vec![symbol], Vec::new());
            for _ in 0..MAX_USER_STEPS {
                let mut next = Vec::new();
                for &small in &level {
                    let is_use =
                        |edge: &Neighbour| matches!(edge.kind, EdgeKind::Call | EdgeKind::Reference) && is_sure(edge);
                    // What the accessor itself touches: its field.
                    let fields =
                        graph.out_edges(small).filter(|edge| edge.kind == EdgeKind::Reference && is_sure(edge));
                    let reached = graph.in_edges(small).filter(is_use).take(MAX_USERS + 1).chain(fields.take(2));
                    next.extend(reached.map(|edge| edge.node).filter(|&node| seen.insert(node)));
                }
                if next.len() > MAX_USERS {
                    break;
                }
                level.clear();
                for id in next {
                    let Some(chunk) = self.index.symbols()?.catalog.chunk(id) else { continue };
                    let info = self.index.chunks()?.catalog.info(chunk)?;
                    if info.is_test || info.kind == Kind::Test {
                        continue;
                    }
                    if info.symbol_id != Some(id) || self.is_accessor(&info, id)? {
                        level.push(id);
                    } else if info.kind.is_callable() {
                        users.push(id);
                    }
                }
            }
            if users.len() > MAX_USERS {
                continue;
            }
            for (asked, info) in self.functions(users)? {
                let share = USER_SHARE + ASKED_SHARE * asked.min(MAX_ASKED_WORDS) as f32;
                found.raise(info, score * share);
            }
        }
        Ok(())
    }

    /// Adds and raises what the best functions call. Those whose names have words of the question come first.
    pub(super) fn add_callees(&self, found: &mut FoundChunks) -> Result<()> {
        let graph = self.index.graph()?;
        for at in found.best_functions(EXPANDED_CANDIDATES) {
            let Some(symbol) = found.order[at].symbol() else { continue };
            let (score, file) = (found.order[at].score, found.order[at].info.file_id);
            let is_call = |edge: &Neighbour| {
                matches!(edge.kind, EdgeKind::Call | EdgeKind::Instantiate | EdgeKind::Request) && is_sure(edge)
            };
            let mut ids: Vec<SymbolId> = graph.out_edges(symbol).filter(is_call).map(|edge| edge.node).collect();
            ids.sort_unstable();
            ids.dedup();
            let mut callees = self.functions(ids)?;
            callees.retain(|(asked, info)| *asked > 0 || !info.symbol_id.is_some_and(|id| is_tool(graph, id)));
            for (asked, info) in callees.into_iter().take(MAX_CALLEES) {
                let share = if info.file_id == file { CALLEE_SHARE } else { FAR_CALLEE_SHARE };
                found.raise(info, score * (share + ASKED_SHARE * asked.min(MAX_ASKED_WORDS) as f32));
            }
        }
        Ok(())
    }

    /// The functions among some symbols that have chunks of their own and are not tests, with the number of words of the
    /// question in their names; those with more words first.
    fn functions(&self, ids: Vec<SymbolId>) -> Result<Vec<(usize, ChunkInfo)>> {
        let (symbols, chunks) = (&self.index.symbols()?.catalog, &self.index.chunks()?.catalog);
        let mut functions = Vec::new();
        for id in ids {
            let Some(chunk) = symbols.chunk(id).filter(|&chunk| self.allowed.allows(chunk)) else { continue };
            let info = chunks.info(chunk)?;
            if info.symbol_id == Some(id) && !info.is_test && info.kind != Kind::Test && info.kind.is_callable() {
                functions.push((id, info));
            }
        }
        functions.truncate(MAX_NAMED_CALLEES);
        let ids: Vec<SymbolId> = functions.iter().map(|(id, _)| *id).collect();
        let names: Vec<String> = self.index.symbol_rows()?.column("qualified_name", &ids)?;
        let named = functions.into_iter().zip(names);
        let mut functions: Vec<(usize, ChunkInfo)> =
            named.map(|((_, info), name)| (self.asked.count_in(&name), info)).collect();
        functions.sort_by_key(|(asked, info)| (std::cmp::Reverse(*asked), info.chunk_id));
        Ok(functions)
    }

    /// Whether a symbol is a function without much of a body, a field or a constant.
    fn is_accessor(&self, info: &ChunkInfo, symbol: SymbolId) -> Result<bool> {
        let kind = self.index.symbols()?.catalog.kind(symbol);
        if kind.is_some_and(|kind| matches!(kind, Kind::Field | Kind::Property | Kind::Constant)) {
            return Ok(true);
        }
        Ok(kind.is_some_and(Kind::is_callable) && info.symbol_id == Some(symbol) && self.is_small(info, symbol)?)
    }

    fn is_small(&self, info: &ChunkInfo, symbol: SymbolId) -> Result<bool> {
        Ok(is_small(info, self.index.symbol_rows()?.rows(&[symbol])?.first()))
    }
}

/// Whether so many call a function that it is a tool of the whole.
pub(super) fn is_tool(graph: &Graph, function: SymbolId) -> bool {
    let callers = graph.in_edges(function).filter(|edge| edge.kind == EdgeKind::Call);
    callers.take(MAX_CALLERS_OF_TOOL + 1).count() > MAX_CALLERS_OF_TOOL
}

/// Whether an edge is more than a guess.
fn is_sure(edge: &Neighbour) -> bool {
    edge.confidence >= MIN_EDGE_CONFIDENCE
}

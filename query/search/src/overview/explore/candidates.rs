//! Ranked chunks into candidates: symbols, each once, with the blocks of them that were found; what the question does
//! not ask for steps back.

use rustc_hash::FxHashMap;
use sextant_format::ids::{ChunkId, FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_format::tables::{FileRow, SymbolRow};

use super::answer::Place;
use super::asked::AskedWords;
use super::size::MAX_HEAD_BYTES;
use crate::catalog::ChunkInfo;
use crate::overview::limits::MIN_EDGE_CONFIDENCE;
use crate::query_analysis::{AnalyzedQuery, is_stop_word};
use crate::retrieve::ChunkFilter;
use crate::search::{Ranked, Ranking};
use crate::summaries::first_sentence;
use crate::{Index, Result};

/// Candidates that are considered.
const MAX_CANDIDATES: usize = 60;
/// Factor of the score of generated code, of code that is marked as deprecated, and of samples that a question does not
/// ask for: they repeat or replace what a reader looks for.
const SECONDARY: f32 = 0.2;
/// How much PageRank, relative to the candidate with the most, raises a score. In a search it moves a result by a place or
/// two; among the parts of an answer it says which of them work together (`docs/lab/agents.md`).
const GRAPH: f32 = 2.0;
/// Factor of text between symbols.
const LEFTOVER: f32 = 0.1;
/// Factor of functions of few lines, such as accessors and declarations without a body.
const SMALL: f32 = 0.5;
/// Factor of test code that the question does not ask for.
const TEST: f32 = 0.1;
/// Factor of types that the question does not name: questions are about what code does.
const TYPE: f32 = 0.5;
/// Functions of at most this many lines are small.
const SMALL_LINES: u32 = 3;
/// A heading that consists of words of the question names the section if it has one in so many of them: "indexed text" is
/// not the topic of a question of nine words that has both.
const WORDS_TO_ONE_OF_HEADING: usize = 3;
/// Functions whose callees are candidates.
const EXPANDED_CANDIDATES: usize = 3;
/// Callees of one function whose names are compared with the question.
const MAX_NAMED_CALLEES: usize = 48;
/// Callees of one function that are candidates.
const MAX_CALLEES: usize = 12;
/// Share of a function's score that its callees in the same file have at least.
const CALLEE_SHARE: f32 = 0.25;
/// Share of a function's score that its callees in other files have at least.
const FAR_CALLEE_SHARE: f32 = 0.08;
/// How much of it each word of the question in a callee's name adds.
const ASKED_SHARE: f32 = 0.1;
/// Words of the question in a callee's name that count.
const MAX_ASKED_WORDS: usize = 2;
/// What marks a definition as deprecated, in its documentation or its first lines.
const DEPRECATION_MARKS: &[&str] = &["@deprecated", "#[deprecated", "deprecated:", "[obsolete", ".. deprecated::"];

/// A symbol, or text between symbols, that may be shown.
pub(super) struct Candidate {
    pub(super) place: Place,
    pub(super) file_id: FileId,
    pub(super) symbol_id: Option<SymbolId>,
    /// Whether it is test code.
    pub(super) is_test: bool,
    /// Whether the question has its name.
    pub(super) is_named: bool,
    /// The first line of the definition, after documentation.
    pub(super) definition_line: u32,
    /// Blocks of it that were found by themselves.
    pub(super) found_blocks: Vec<(u32, u32)>,
}

/// A chunk with what ranking found out about it.
struct Found {
    info: ChunkInfo,
    score: f32,
    graph: f32,
    /// The symbol in it that the question names, if the chunk is not the symbol's own.
    named_symbol: Option<SymbolId>,
    /// Whether it is a section whose heading consists of words of the question.
    is_headed: bool,
}

/// Returns the candidates of a ranking, best first.
pub(super) fn candidates(index: &Index, ranking: &Ranking, allowed: &ChunkFilter) -> Result<Vec<Candidate>> {
    let catalog = &index.chunks()?.catalog;
    let mut order: Vec<Found> = Vec::new();
    let mut position: FxHashMap<ChunkId, usize> = FxHashMap::default();
    let mut blocks: FxHashMap<ChunkId, Vec<(u32, u32)>> = FxHashMap::default();
    for r in ranking.ranked.iter().filter(|r| r.info.kind != Kind::Section) {
        let info = catalog.outermost(r.info)?;
        if info.chunk_id != r.info.chunk_id {
            blocks.entry(info.chunk_id).or_default().push((r.info.start_line, r.info.end_line));
        }
        if position.contains_key(&info.chunk_id) {
            continue;
        }
        if order.len() == MAX_CANDIDATES {
            continue;
        }
        position.insert(info.chunk_id, order.len());
        order.push(Found {
            info,
            score: r.score,
            graph: r.signals.graph,
            named_symbol: r.named_symbol,
            is_headed: false,
        });
    }
    let max_graph = order.iter().map(|found| found.graph).fold(f32::MIN_POSITIVE, f32::max);
    order.iter_mut().for_each(|found| found.score *= 1.0 + GRAPH * found.graph / max_graph);
    add_callees(index, ranking, allowed, &mut order, &mut position)?;
    order.extend(best_prose(index, ranking)?);
    let mut found = look_up(index, &order, ranking)?;
    for candidate in &mut found {
        candidate.found_blocks = blocks.remove(&candidate.place.chunk_id).unwrap_or_default();
    }
    found.sort_by(|a, b| b.place.score.total_cmp(&a.place.score));
    let top = found.first().map_or(1.0, |candidate| candidate.place.score).max(f32::MIN_POSITIVE);
    found.iter_mut().for_each(|candidate| candidate.place.score *= ranking.fit.index / top);
    Ok(found)
}

/// Adds what the best functions call, and raises it: a function often answers a question by the helpers to which it
/// hands the work, whatever words they use. Those whose names have words of the question come first.
fn add_callees(
    index: &Index,
    ranking: &Ranking,
    allowed: &ChunkFilter,
    order: &mut Vec<Found>,
    position: &mut FxHashMap<ChunkId, usize>,
) -> Result<()> {
    let (graph, symbols, chunks) = (index.graph()?, &index.symbols()?.catalog, &index.chunks()?.catalog);
    let asked = AskedWords::new(&ranking.query);
    let mut best: Vec<usize> = (0..order.len()).filter(|&at| order[at].info.kind.is_callable()).collect();
    best.sort_by(|&a, &b| order[b].score.total_cmp(&order[a].score).then(a.cmp(&b)));
    for at in best.into_iter().take(EXPANDED_CANDIDATES) {
        let Some(symbol) = order[at].named_symbol.or(order[at].info.symbol_id) else { continue };
        let (score, file) = (order[at].score, order[at].info.file_id);
        let calls = graph.out_edges(symbol).filter(|edge| {
            matches!(edge.kind, EdgeKind::Call | EdgeKind::Instantiate) && edge.confidence >= MIN_EDGE_CONFIDENCE
        });
        let mut ids: Vec<SymbolId> = calls.map(|edge| edge.node).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut callees = Vec::new();
        for callee in ids {
            let Some(chunk) = symbols.chunk(callee).filter(|&chunk| allowed.allows(chunk)) else { continue };
            let info = chunks.info(chunk)?;
            if info.symbol_id == Some(callee) && !info.is_test && info.kind != Kind::Test && info.kind.is_callable() {
                callees.push((callee, info));
            }
        }
        callees.truncate(MAX_NAMED_CALLEES);
        let ids: Vec<SymbolId> = callees.iter().map(|(callee, _)| *callee).collect();
        let names: Vec<String> = index.symbol_rows()?.column("qualified_name", &ids)?;
        let mut callees: Vec<(usize, ChunkInfo)> =
            callees.into_iter().zip(names).map(|((_, info), name)| (asked.count_in(&name), info)).collect();
        callees.sort_by_key(|(asked, info)| (std::cmp::Reverse(*asked), info.chunk_id));
        for (asked, info) in callees.into_iter().take(MAX_CALLEES) {
            let share = if info.file_id == file { CALLEE_SHARE } else { FAR_CALLEE_SHARE };
            let share = share + ASKED_SHARE * asked.min(MAX_ASKED_WORDS) as f32;
            match position.get(&info.chunk_id) {
                Some(&known) => order[known].score = order[known].score.max(score * share),
                None => {
                    position.insert(info.chunk_id, order.len());
                    order.push(Found { info, score: score * share, graph: 0.0, named_symbol: None, is_headed: false });
                }
            }
        }
    }
    Ok(())
}

/// The section of a document whose heading consists of words of the question, of enough of them, else the one that fits
/// better than all code by words and meaning alone. Ranking demotes prose, because documents mention code and most questions
/// are about the code.
fn best_prose(index: &Index, ranking: &Ranking) -> Result<Option<Found>> {
    let fit = |r: &Ranked| r.signals.text + r.signals.vector + r.signals.symbol;
    let (prose, code): (Vec<&Ranked>, Vec<&Ranked>) = ranking.ranked.iter().partition(|r| r.info.kind == Kind::Section);
    let score = ranking.ranked.first().map_or(0.0, |r| r.score);
    let found = |r: &Ranked, is_headed| Found { info: r.info, score, graph: 0.0, named_symbol: None, is_headed };
    let mut ids: Vec<SymbolId> = prose.iter().filter_map(|r| r.info.symbol_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let names: FxHashMap<SymbolId, String> =
        ids.iter().copied().zip(index.symbol_rows()?.column::<String>("name", &ids)?).collect();
    let asked = AskedWords::new(&ranking.query);
    let is_headed = |r: &&Ranked| {
        let heading = r.info.symbol_id.and_then(|id| names.get(&id)).map_or("", String::as_str).to_lowercase();
        let words: Vec<&str> = heading
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.len() > 2 && !is_stop_word(word))
            .collect();
        words.len() > 1
            && words.len() * WORDS_TO_ONE_OF_HEADING >= ranking.query.words.len()
            && words.iter().all(|word| asked.has(word))
    };
    if let Some(headed) = prose.iter().copied().filter(is_headed).max_by(|a, b| fit(a).total_cmp(&fit(b))) {
        return Ok(Some(found(headed, true)));
    }
    let best_code = code.iter().map(|r| fit(r)).fold(0.0, f32::max);
    let best = prose.into_iter().max_by(|a, b| fit(a).total_cmp(&fit(b)));
    Ok(best.filter(|r| fit(r) >= best_code).map(|r| found(r, false)))
}

/// Reads names, heads and files of chunks.
fn look_up(index: &Index, order: &[Found], ranking: &Ranking) -> Result<Vec<Candidate>> {
    let catalog = &index.chunks()?.catalog;
    let symbol_of = |found: &Found| found.named_symbol.or(found.info.symbol_id);
    let mut ids: Vec<SymbolId> = order.iter().filter_map(symbol_of).collect();
    ids.sort_unstable();
    ids.dedup();
    let rows = index.symbol_rows()?.rows(&ids)?;
    let symbols: FxHashMap<SymbolId, &SymbolRow> = rows.iter().map(|row| (row.symbol_id, row)).collect();
    let mut file_ids: Vec<FileId> = order.iter().map(|found| found.info.file_id).collect();
    file_ids.sort_unstable();
    file_ids.dedup();
    let file_rows = index.file_rows()?.rows(&file_ids)?;
    let files: FxHashMap<FileId, &FileRow> = file_rows.iter().map(|row| (row.file_id, row)).collect();
    // What a language model says stands in for documentation that is missing.
    let chunks: Vec<ChunkId> = order.iter().map(|found| found.info.chunk_id).collect();
    let summaries = index.summaries(&chunks)?;
    let mut candidates = Vec::with_capacity(order.len());
    for found in order {
        let info = &found.info;
        let symbol = symbol_of(found).and_then(|id| symbols.get(&id).copied());
        let named = symbol.filter(|_| found.named_symbol.is_some());
        let file = files.get(&info.file_id);
        let is_generated = file.is_some_and(|file| file.is_generated);
        let is_test = info.is_test || info.kind == Kind::Test;
        let factor = match info.kind {
            _ if is_generated || symbol.is_some_and(is_deprecated) => SECONDARY,
            // Imports, licences and statements between symbols.
            Kind::Code => LEFTOVER,
            _ if is_test && !ranking.query.wants_tests => TEST,
            kind if kind.is_type() && !is_named(symbol, &ranking.query) => TYPE,
            kind if kind.is_callable() && found.named_symbol.is_none() && is_small(info, symbol) => SMALL,
            _ => 1.0,
        };
        let (repo, path) = match file {
            Some(file) => (file.repo.clone(), file.path.clone()),
            None => (catalog.repo_and_language(info.chunk_id)?.0, catalog.path(info.chunk_id)?),
        };
        let doc = symbol.and_then(|row| row.doc.as_deref()).map(|doc| clip(first_sentence(doc)));
        let summary = summaries.get(&info.chunk_id).filter(|_| found.named_symbol.is_none());
        let summary = summary.map(|by| clip(&format!("by {}: {}", by.model, first_sentence(&by.text))));
        candidates.push(Candidate {
            place: Place {
                repo,
                path,
                start_line: named.map_or(info.start_line, |row| row.start_line),
                end_line: named.map_or(info.end_line, |row| row.end_line),
                kind: named.map_or(info.kind, |row| row.kind),
                qualified_name: symbol.map(|row| row.qualified_name.clone()),
                signature: symbol.and_then(|row| row.signature.as_deref()).map(clip),
                doc: doc.or(summary),
                chunk_id: info.chunk_id,
                score: found.score * factor,
                copies: Vec::new(),
            },
            file_id: info.file_id,
            symbol_id: symbol_of(found),
            is_test,
            is_named: found.is_headed || is_named(symbol, &ranking.query),
            definition_line: symbol.map_or(info.start_line, |row| row.start_line),
            found_blocks: Vec::new(),
        });
    }
    Ok(candidates)
}

/// Whether the query has a symbol's name: as it is written, or all words of a name that has several. `build` in a question
/// is not the name of a type `Build`.
fn is_named(symbol: Option<&SymbolRow>, query: &AnalyzedQuery) -> bool {
    let Some(written) = symbol.map(|row| row.name.as_str()) else { return false };
    let name = written.to_lowercase();
    let is_written = query.text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == written);
    is_written || query.full_identifiers.contains(&name) || query.compounds.contains(&name)
}

/// Whether a function has hardly any body.
fn is_small(info: &ChunkInfo, symbol: Option<&SymbolRow>) -> bool {
    let first = symbol.map_or(info.start_line, |row| row.start_line);
    info.end_line.saturating_sub(first) < SMALL_LINES
}

fn is_deprecated(row: &SymbolRow) -> bool {
    let is_marked = |text: &String| {
        let text = text.to_lowercase();
        DEPRECATION_MARKS.iter().any(|mark| text.contains(mark))
    };
    row.doc.as_ref().is_some_and(is_marked) || row.signature.as_ref().is_some_and(is_marked)
}

fn clip(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if one_line.len() <= MAX_HEAD_BYTES {
        return one_line;
    }
    format!("{}...", &one_line[..one_line.floor_char_boundary(MAX_HEAD_BYTES - 3)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_doc_is_its_first_sentence() {
        assert_eq!(first_sentence("Opens it. Then more."), "Opens it.");
        assert_eq!(first_sentence("Opens\nit\n\nThen more. Yes."), "Opens\nit");
        assert_eq!(clip("a\n  b"), "a b");
        assert!(clip(&"ü".repeat(200)).len() <= MAX_HEAD_BYTES);
    }
}

//! Ranked chunks into candidates: symbols, each once, with the blocks of them that were found; what the question does
//! not ask for steps back.

use rustc_hash::FxHashMap;
use sextant_format::ids::{ChunkId, FileId, SymbolId};
use sextant_format::kinds::Kind;
use sextant_format::names::segments;
use sextant_format::tables::{FileRow, SymbolRow};
use sextant_text::tokens::split_identifier;

use super::answer::Place;
use super::asked::AskedWords;
use super::expand::Expansion;
use super::found::{Found, FoundChunks, is_small};
use super::size::MAX_HEAD_BYTES;
use crate::query_analysis::{AnalyzedQuery, is_stop_word};
use crate::retrieve::{ChunkFilter, Literal};
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
/// What a symbol whose name is written in the question, see `is_written`, has at least, as a share of the best score.
const WRITTEN: f32 = 1.05;
/// Factor of text between symbols.
const LEFTOVER: f32 = 0.1;
/// Factor of functions of few lines, such as accessors and declarations without a body.
const SMALL: f32 = 0.7;
/// Factor of test code that the question does not ask for.
const TEST: f32 = 0.1;
/// Factor of types that the question does not name: questions are about what code does.
const TYPE: f32 = 0.5;
/// A heading that consists of words of the question names the section if it has one in so many of them: "indexed text" is
/// not the topic of a question of nine words that has both.
const WORDS_TO_ONE_OF_HEADING: usize = 3;
/// Lines of a function from which on a block of it is named: of a shorter one, `show` prints all.
const MIN_LONG_LINES: u32 = 60;
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
    /// Whether the question has the name as it is written in code, of several words or where it asks for users.
    is_written: bool,
    /// The first line of the definition, after documentation.
    pub(super) definition_line: u32,
    /// Blocks of it that were found by themselves.
    pub(super) found_blocks: Vec<(u32, u32)>,
}

impl Candidate {
    /// Whether some of its lines say where to look: it is long, and they are at most half of it.
    const fn is_part(&self, (first, last): (u32, u32)) -> bool {
        let lines = self.place.end_line.saturating_sub(self.place.start_line).saturating_add(1);
        self.place.kind.is_callable()
            && lines >= MIN_LONG_LINES
            && last.saturating_sub(first) < lines / 2
            && self.place.start_line <= first
            && last <= self.place.end_line
    }
}

/// Returns the candidates of a ranking, best first; `literals` are those of the question.
pub(super) fn candidates(
    index: &Index,
    ranking: &Ranking,
    literals: &[Literal],
    allowed: &ChunkFilter,
) -> Result<Vec<Candidate>> {
    let catalog = &index.chunks()?.catalog;
    let mut chunks = FoundChunks::default();
    let mut blocks: FxHashMap<ChunkId, Vec<(u32, u32)>> = FxHashMap::default();
    for r in ranking.ranked.iter().filter(|r| r.info.kind != Kind::Section) {
        let info = catalog.outermost(r.info)?;
        if info.chunk_id != r.info.chunk_id {
            blocks.entry(info.chunk_id).or_default().push((r.info.start_line, r.info.end_line));
        }
        if chunks.order.len() < MAX_CANDIDATES {
            let (graph, named_symbol) = (r.signals.graph, r.named_symbol);
            chunks.add(Found { info, score: r.score, graph, named_symbol, is_headed: false });
        }
    }
    let max_graph = chunks.order.iter().map(|found| found.graph).fold(f32::MIN_POSITIVE, f32::max);
    chunks.order.iter_mut().for_each(|found| found.score *= 1.0 + GRAPH * found.graph / max_graph);
    let expansion = Expansion::new(index, &ranking.query, allowed);
    expansion.add_literals(literals, &mut chunks)?;
    expansion.add_implementations(&mut chunks)?;
    expansion.add_users(&mut chunks)?;
    expansion.add_callees(&mut chunks)?;
    let mut order = chunks.order;
    order.extend(best_prose(index, ranking)?);
    let mut found = look_up(index, &order, ranking)?;
    let best = found.iter().map(|candidate| candidate.place.score).fold(0.0, f32::max);
    for candidate in found.iter_mut().filter(|candidate| candidate.is_written && !candidate.is_test) {
        candidate.place.score = candidate.place.score.max(best * WRITTEN);
    }
    for candidate in &mut found {
        candidate.found_blocks = blocks.remove(&candidate.place.chunk_id).unwrap_or_default();
        // Blocks are in the order of the ranking.
        candidate.place.best_lines = candidate.found_blocks.first().copied().filter(|best| candidate.is_part(*best));
    }
    found.sort_by(|a, b| b.place.score.total_cmp(&a.place.score));
    let top = found.first().map_or(1.0, |candidate| candidate.place.score).max(f32::MIN_POSITIVE);
    found.iter_mut().for_each(|candidate| candidate.place.score *= ranking.fit.index / top);
    Ok(found)
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
    let asked = AskedWords::new(&ranking.query);
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
            Kind::Code if found.named_symbol.is_none() => LEFTOVER,
            _ if is_test && !ranking.query.wants_tests => TEST,
            kind if kind.is_type() && !is_named(symbol, &ranking.query) => TYPE,
            kind if kind.is_callable() && found.named_symbol.is_none() && is_small(info, symbol) => {
                // A predicate with the question's words, `is_report`, is not an accessor.
                if symbol.is_some_and(|row| asked.has_all_of(&row.name)) { 1.0 } else { SMALL }
            }
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
                best_lines: None,
                doc: doc.or(summary),
                chunk_id: info.chunk_id,
                score: found.score * factor,
                copies: Vec::new(),
            },
            file_id: info.file_id,
            symbol_id: symbol_of(found),
            is_test,
            is_named: found.is_headed || is_named(symbol, &ranking.query),
            is_written: symbol.is_some_and(|row| is_written(&row.name, &ranking.query)),
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
    has_word(query, written) || query.full_identifiers.contains(&name) || query.compounds.contains(&name)
}

/// Whether a name has several words and is written in the query, or the query asks for its users.
fn is_written(name: &str, query: &AnalyzedQuery) -> bool {
    let is_asked_for = |asked: &String| {
        let last = segments(asked).pop();
        last == Some(name) || last == Some(name.trim_end_matches(['!', '?']))
    };
    if query.names_with_users.iter().any(is_asked_for) {
        return true;
    }
    let mut words = 0;
    split_identifier(name, &mut String::new(), |_| words += 1);
    words > 1 && has_word(query, name)
}

/// Whether a name occurs in the query as it is written in code.
fn has_word(query: &AnalyzedQuery, name: &str) -> bool {
    query.text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
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

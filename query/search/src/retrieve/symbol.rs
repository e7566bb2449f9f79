//! Symbol search: names in the query, matched exactly, as a prefix, or fuzzily.

use rustc_hash::FxHashMap;
use sextant_format::ids::{ChunkId, SymbolId};
use sextant_format::kinds::Kind;
use sextant_format::names;
use tantivy::Term;
use tantivy::query::{BooleanQuery, FuzzyTermQuery, Occur, Query, TermQuery};
use tantivy::schema::{Field, IndexRecordOption};

use super::filter::ChunkFilter;
use crate::query_analysis::{AnalyzedQuery, NamePath, PairEvidence, QueryClass};
use crate::rank::{ScoredChunk, retain_top_k};
use crate::weights::RetrievalWeights;
use crate::{Index, Result};

/// Longer names are not matched fuzzily: the automaton grows with them.
const MAX_FUZZY_NAME_BYTES: usize = 64;
/// Names longer than this may differ in two characters, shorter ones in one.
const MAX_ONE_EDIT_NAME_BYTES: usize = 6;

/// A query for the terms of `field` that differ from a name in one or two characters; swapped neighbours are one
/// difference. `None` if the name is too long for it.
pub(crate) fn fuzzy_name_query(field: Field, name: &str) -> Option<FuzzyTermQuery> {
    if name.len() > MAX_FUZZY_NAME_BYTES {
        return None;
    }
    let distance = if name.len() > MAX_ONE_EDIT_NAME_BYTES { 2 } else { 1 };
    Some(FuzzyTermQuery::new(Term::from_field_text(field, &name.to_lowercase()), distance, true))
}

/// Returns the chunks of the symbols that the query names, best first, at most `limit`.
pub(crate) fn search_symbols(
    index: &Index,
    query: &AnalyzedQuery,
    allowed: &ChunkFilter,
    limit: usize,
    weights: &RetrievalWeights,
) -> Result<Vec<ScoredChunk>> {
    let matcher = SymbolMatcher { index, allowed, limit, weights };
    let mut found: Vec<ScoredChunk> = Vec::new();
    for name in &query.names {
        if let Some(owner) = name.owners.last() {
            let before = found.len();
            matcher.match_path(name, &mut found)?;
            if found.len() == before {
                matcher.match_owner_and_name(owner, &name.name, &mut found)?;
            }
        } else {
            matcher.match_exact(&name.name, weights.name_exact, |_| true, &mut found)?;
        }
    }
    // A file can be named like a symbol.
    if query.class == QueryClass::Symbol && query.text.contains('.') {
        matcher.match_exact(query.text.trim(), weights.name_qualified, |kind| kind == Kind::File, &mut found)?;
    }
    for compound in &query.compounds {
        matcher.match_exact(compound, weights.name_compound, |_| true, &mut found)?;
    }
    let words = query.words.iter().zip(&query.weights).filter(|(word, _)| word.len() > 2);
    for (word, _) in words.filter(|(_, weight)| **weight >= weights.name_min_word_weight) {
        matcher.match_exact(
            word,
            weights.name_word,
            |kind| kind.is_type() || query.class == QueryClass::Symbol,
            &mut found,
        )?;
    }
    if query.class == QueryClass::Symbol {
        for name in &query.names {
            matcher.match_prefix(&name.name, &mut found)?;
        }
        if found.is_empty() {
            for name in &query.names {
                matcher.match_fuzzy(&name.name, &mut found)?;
            }
        }
    }
    // A chunk that contains several of them counts once, with the best score.
    found.sort_by(|a, b| a.chunk_id.cmp(&b.chunk_id).then(b.score.total_cmp(&a.score)));
    found.dedup_by_key(|scored| scored.chunk_id);
    retain_top_k(&mut found, limit);
    Ok(found)
}

/// A symbol that the query names with its owner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NamedSymbol {
    /// How well the query names it, above 0 and at most 1.
    pub(crate) share: f32,
    /// The symbol.
    pub(crate) symbol: SymbolId,
    /// Whether the chunk is the symbol's own, as opposed to one that contains it among others.
    pub(crate) is_own_chunk: bool,
}

/// Returns the chunks of the symbols that the query names with their owners, each with the symbol that it names best.
pub(crate) fn qualified_name_matches(
    index: &Index,
    query: &AnalyzedQuery,
    allowed: &ChunkFilter,
    limit: usize,
    weights: &RetrievalWeights,
) -> Result<FxHashMap<ChunkId, NamedSymbol>> {
    let matcher = SymbolMatcher { index, allowed, limit, weights };
    let mut named: FxHashMap<ChunkId, NamedSymbol> = FxHashMap::default();
    // A report names many symbols that it is not about.
    if query.class == QueryClass::Report {
        return Ok(named);
    }
    for (n, name) in query.names.iter().enumerate().filter(|(_, name)| !name.owners.is_empty()) {
        // This name is `empty` and the query has `empty?`.
        let is_with_sigil =
            |other: &NamePath| other.owners == name.owners && names::strip_punctuation(&other.name) == name.name;
        let sigil_factor = if query.names[..n].iter().any(is_with_sigil) { weights.name_without_sigil } else { 1.0 };
        matcher.add_named(name, sigil_factor, &mut named)?;
    }
    for pair in &query.pairs {
        let name = NamePath { owners: vec![pair.owner.clone()], name: pair.name.clone() };
        let factor = match pair.evidence {
            PairEvidence::Code => weights.pair_code,
            PairEvidence::Leading => weights.pair_leading,
            PairEvidence::Words => weights.pair_words,
        };
        matcher.add_named(&name, factor * pair.order, &mut named)?;
    }
    Ok(named)
}

struct SymbolMatcher<'a> {
    index: &'a Index,
    allowed: &'a ChunkFilter,
    limit: usize,
    weights: &'a RetrievalWeights,
}

impl SymbolMatcher<'_> {
    /// Returns the first `limit` symbols that a query finds, by id, with chunk, kind, and whether the chunk is the symbol's
    /// own or contains it among others.
    fn matching_chunks(&self, query: &dyn Query) -> Result<Vec<(SymbolId, ChunkId, Kind, bool)>> {
        let symbols = self.index.symbols()?;
        let mut found = symbols.rows(query)?;
        found.truncate(self.limit);
        let mut hits = Vec::new();
        for symbol in found {
            let (Some(kind), Some(chunk_id)) = (symbols.catalog.kind(symbol), symbols.catalog.chunk(symbol)) else {
                continue;
            };
            if self.allowed.allows(chunk_id) {
                // A declaration or a field is in the chunk of its type, which is not its own.
                let is_own_chunk = self.index.chunks()?.catalog.info(chunk_id)?.symbol_id == Some(symbol);
                hits.push((symbol, chunk_id, kind, is_own_chunk));
            }
        }
        Ok(hits)
    }

    fn collect_matches(
        &self,
        query: &dyn Query,
        name_score: f32,
        accepts: impl Fn(Kind) -> bool,
        found: &mut Vec<ScoredChunk>,
    ) -> Result<()> {
        for (_, chunk_id, kind, is_own_chunk) in self.matching_chunks(query)? {
            if accepts(kind) {
                let own_factor = if is_own_chunk { 1.0 } else { self.weights.name_contained };
                found.push(ScoredChunk { chunk_id, score: name_score * self.weights.kind(kind) * own_factor });
            }
        }
        Ok(())
    }

    fn term(&self, name: &str) -> Result<Term> {
        Ok(Term::from_field_text(self.index.symbols()?.fields.name, &name.to_lowercase()))
    }

    fn match_exact(
        &self,
        name: &str,
        name_score: f32,
        accepts: impl Fn(Kind) -> bool,
        found: &mut Vec<ScoredChunk>,
    ) -> Result<()> {
        self.collect_matches(&TermQuery::new(self.term(name)?, IndexRecordOption::Basic), name_score, accepts, found)
    }

    /// The term of the symbols whose qualified name ends with these owners and this name.
    fn path_term(&self, name: &NamePath) -> Result<Term> {
        let mut path = name.owners.clone();
        path.push(name.name.clone());
        Ok(Term::from_field_text(self.index.symbols()?.fields.paths, &path.join(".").to_lowercase()))
    }

    /// Adds the symbols of a name. Those that are written as in the query fit better.
    fn add_named(&self, name: &NamePath, factor: f32, named: &mut FxHashMap<ChunkId, NamedSymbol>) -> Result<()> {
        let term = self.path_term(name)?;
        if self.index.symbols()?.searcher.doc_freq(&term)? == 0 {
            return Ok(());
        }
        let found = self.matching_chunks(&TermQuery::new(term, IndexRecordOption::Basic))?;
        let ids: Vec<SymbolId> = found.iter().map(|(symbol, ..)| *symbol).collect();
        let written: Vec<String> = self.index.symbol_rows()?.column("qualified_name", &ids)?;
        for ((symbol, chunk_id, _, is_own_chunk), written) in found.into_iter().zip(written) {
            let typed = std::iter::once(&name.name).chain(name.owners.iter().rev());
            let in_other_case =
                names::segments(&written).into_iter().rev().zip(typed).filter(|(a, b)| *a != b.as_str());
            let case_factor =
                self.weights.name_other_case.powi(i32::try_from(in_other_case.count()).unwrap_or(i32::MAX));
            let own_factor = if is_own_chunk { 1.0 } else { self.weights.named_inside };
            let share = factor * case_factor * own_factor;
            let best = named.entry(chunk_id).or_insert(NamedSymbol { share, symbol, is_own_chunk });
            if share > best.share {
                *best = NamedSymbol { share, symbol, is_own_chunk };
            }
        }
        Ok(())
    }

    fn match_path(&self, name: &NamePath, found: &mut Vec<ScoredChunk>) -> Result<()> {
        let query = TermQuery::new(self.path_term(name)?, IndexRecordOption::Basic);
        self.collect_matches(&query, self.weights.name_qualified, |_| true, found)
    }

    /// Matches the name where the owner's name is among those in front of it.
    fn match_owner_and_name(&self, owner: &str, name: &str, found: &mut Vec<ScoredChunk>) -> Result<()> {
        let words = self.index.symbols()?.fields.words;
        let owner = Term::from_field_text(words, &owner.to_lowercase());
        let query = BooleanQuery::new(vec![
            (Occur::Must, Box::new(TermQuery::new(self.term(name)?, IndexRecordOption::Basic)) as Box<dyn Query>),
            (Occur::Must, Box::new(TermQuery::new(owner, IndexRecordOption::Basic))),
        ]);
        self.collect_matches(&query, self.weights.name_with_owner, |_| true, found)
    }

    fn match_prefix(&self, name: &str, found: &mut Vec<ScoredChunk>) -> Result<()> {
        let query = FuzzyTermQuery::new_prefix(self.term(name)?, 0, true);
        self.collect_matches(&query, self.weights.name_prefix, |_| true, found)
    }

    fn match_fuzzy(&self, name: &str, found: &mut Vec<ScoredChunk>) -> Result<()> {
        match fuzzy_name_query(self.index.symbols()?.fields.name, name) {
            Some(query) => self.collect_matches(&query, self.weights.name_fuzzy, |_| true, found),
            None => Ok(()),
        }
    }
}

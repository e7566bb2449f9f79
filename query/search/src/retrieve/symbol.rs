//! Symbol search: names that the query says, exactly, as a prefix, or nearly.

use rustc_hash::FxHashMap;
use sextant_format::kinds::Kind;
use sextant_format::names;
use tantivy::Term;
use tantivy::query::{BooleanQuery, FuzzyTermQuery, Occur, Query, TermQuery};
use tantivy::schema::IndexRecordOption;

use super::{ChunkFilter, ScoredChunk, retain_top_k};
use crate::query_analysis::{self, NamePath, QueryClass};
use crate::{Index, Result};

/// How exactly a name fits.
mod name_score {
    /// Owners and name, directly in front of each other.
    pub(super) const QUALIFIED: f32 = 10.0;
    /// The name, and the owner among what stands in front of it.
    pub(super) const OWNER_AND_NAME: f32 = 8.0;
    /// The name, written in the query like a name.
    pub(super) const NAME: f32 = 2.0;
    /// Neighbouring words of the query joined.
    pub(super) const COMPOUND: f32 = 1.6;
    /// A single word of a question that is a type's name.
    pub(super) const WORD: f32 = 1.0;
    /// The name begins so.
    pub(super) const PREFIX: f32 = 0.6;
    /// The name is a letter or two away.
    pub(super) const FUZZY: f32 = 0.4;
}

/// What a name counts in a chunk that holds its symbol among others.
const CONTAINED_FACTOR: f32 = 0.5;

/// What a name without its mark counts, where it was typed with one.
const WITHOUT_SIGIL_FACTOR: f32 = 0.9;

/// Words of less weight are not looked up as names.
const MIN_LOOKUP_WEIGHT: f32 = 0.3;

/// Longer names are not matched nearly: the automaton grows with them.
const MAX_FUZZY_NAME_BYTES: usize = 64;

/// What a kind counts: a type is more often what is asked for than its members.
const fn kind_weight(kind: Kind) -> f32 {
    match kind {
        Kind::Class | Kind::Struct | Kind::Interface | Kind::Trait | Kind::Enum | Kind::Union => 1.0,
        Kind::Function | Kind::Type | Kind::Constructor | Kind::Macro => 0.9,
        Kind::Method | Kind::Module | Kind::Namespace | Kind::File => 0.8,
        Kind::Constant | Kind::Variable | Kind::Property | Kind::Section => 0.6,
        _ => 0.4,
    }
}

/// The chunks of the symbols whose names the query says.
pub(crate) fn search_symbols(
    index: &Index,
    query: &query_analysis::AnalyzedQuery,
    allowed: &ChunkFilter,
    limit: usize,
) -> Result<Vec<ScoredChunk>> {
    let matcher = SymbolMatcher { index, allowed, limit };
    let mut found: Vec<ScoredChunk> = Vec::new();
    for name in &query.names {
        if let Some(owner) = name.owners.last() {
            let before = found.len();
            matcher.match_path(name, &mut found)?;
            if found.len() == before {
                matcher.match_owner_and_name(owner, &name.name, &mut found)?;
            }
        } else {
            matcher.match_exact(&name.name, name_score::NAME, |_| true, &mut found)?;
        }
    }
    // A file is called by its name too.
    if query.class == QueryClass::Symbol && query.text.contains('.') {
        matcher.match_exact(query.text.trim(), name_score::QUALIFIED, |kind| kind == Kind::File, &mut found)?;
    }
    for compound in &query.compounds {
        matcher.match_exact(compound, name_score::COMPOUND, |_| true, &mut found)?;
    }
    let words = query.words.iter().zip(&query.weights).filter(|(word, _)| word.len() > 2);
    for (word, _) in words.filter(|(_, weight)| **weight >= MIN_LOOKUP_WEIGHT) {
        matcher.match_exact(
            word,
            name_score::WORD,
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
    // A chunk that holds several of them counts once, with the best.
    found.sort_by(|a, b| a.chunk_id.cmp(&b.chunk_id).then(b.score.total_cmp(&a.score)));
    found.dedup_by_key(|scored| scored.chunk_id);
    retain_top_k(&mut found, limit);
    Ok(found)
}

/// The chunks that are (1) or hold among others (less) what the query names with its owner.
pub(crate) fn qualified_name_matches(
    index: &Index,
    query: &query_analysis::AnalyzedQuery,
    allowed: &ChunkFilter,
    limit: usize,
) -> Result<FxHashMap<u32, f32>> {
    let matcher = SymbolMatcher { index, allowed, limit };
    let mut shares: FxHashMap<u32, f32> = FxHashMap::default();
    // A report names much that it is not about.
    if query.class == QueryClass::Report {
        return Ok(shares);
    }
    for (n, name) in query.names.iter().enumerate().filter(|(_, name)| !name.owners.is_empty()) {
        // `empty` where `empty?` was typed.
        let is_with_sigil =
            |other: &NamePath| other.owners == name.owners && names::strip_punctuation(&other.name) == name.name;
        let sigil_factor = if query.names[..n].iter().any(is_with_sigil) { WITHOUT_SIGIL_FACTOR } else { 1.0 };
        for (chunk_id, _, is_own_chunk) in matcher.matching_chunks(&matcher.path_query(name)?)? {
            let share = shares.entry(chunk_id).or_default();
            *share = share.max(sigil_factor * if is_own_chunk { 1.0 } else { CONTAINED_FACTOR });
        }
    }
    Ok(shares)
}

struct SymbolMatcher<'a> {
    index: &'a Index,
    allowed: &'a ChunkFilter,
    limit: usize,
}

impl SymbolMatcher<'_> {
    /// The symbols that a query finds, the first of them by their ids: chunk, kind, and whether the chunk is the
    /// symbol or holds it among others.
    fn matching_chunks(&self, query: &dyn Query) -> Result<Vec<(u32, Kind, bool)>> {
        let symbols = self.index.symbols()?;
        let mut found = symbols.rows(query)?;
        found.truncate(self.limit);
        let mut hits = Vec::new();
        for symbol in found {
            let (Some(kind), Some(chunk_id)) = (symbols.catalog.kind(symbol), symbols.catalog.chunk(symbol)) else {
                continue;
            };
            if self.allowed.allows(chunk_id) {
                // A declaration or a field lies in its type's chunk: that chunk holds the name and is not it.
                let is_own_chunk = self.index.chunks()?.catalog.info(chunk_id)?.symbol_id == Some(symbol);
                hits.push((chunk_id, kind, is_own_chunk));
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
        for (chunk_id, kind, is_own_chunk) in self.matching_chunks(query)? {
            if accepts(kind) {
                found.push(ScoredChunk {
                    chunk_id,
                    score: name_score * kind_weight(kind) * if is_own_chunk { 1.0 } else { CONTAINED_FACTOR },
                });
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

    /// The symbols whose qualified name ends like this.
    fn path_query(&self, name: &NamePath) -> Result<TermQuery> {
        let mut path = name.owners.clone();
        path.push(name.name.clone());
        let term = Term::from_field_text(self.index.symbols()?.fields.paths, &path.join(".").to_lowercase());
        Ok(TermQuery::new(term, IndexRecordOption::Basic))
    }

    fn match_path(&self, name: &NamePath, found: &mut Vec<ScoredChunk>) -> Result<()> {
        self.collect_matches(&self.path_query(name)?, name_score::QUALIFIED, |_| true, found)
    }

    /// The name, with the owner's name among those in front of it.
    fn match_owner_and_name(&self, owner: &str, name: &str, found: &mut Vec<ScoredChunk>) -> Result<()> {
        let words = self.index.symbols()?.fields.words;
        let owner = Term::from_field_text(words, &owner.to_lowercase());
        let query = BooleanQuery::new(vec![
            (Occur::Must, Box::new(TermQuery::new(self.term(name)?, IndexRecordOption::Basic)) as Box<dyn Query>),
            (Occur::Must, Box::new(TermQuery::new(owner, IndexRecordOption::Basic))),
        ]);
        self.collect_matches(&query, name_score::OWNER_AND_NAME, |_| true, found)
    }

    fn match_prefix(&self, name: &str, found: &mut Vec<ScoredChunk>) -> Result<()> {
        let query = FuzzyTermQuery::new_prefix(self.term(name)?, 0, true);
        self.collect_matches(&query, name_score::PREFIX, |_| true, found)
    }

    fn match_fuzzy(&self, name: &str, found: &mut Vec<ScoredChunk>) -> Result<()> {
        if name.len() > MAX_FUZZY_NAME_BYTES {
            return Ok(());
        }
        let distance = if name.len() > 6 { 2 } else { 1 };
        self.collect_matches(&FuzzyTermQuery::new(self.term(name)?, distance, true), name_score::FUZZY, |_| true, found)
    }
}

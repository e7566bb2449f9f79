//! Gathers what the best candidates share with the query: the evidence that the query is about this index.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashSet;
use sextant_encoder::ModelKind;
use sextant_format::ids::{ChunkId, FileId, SymbolId};
use tantivy::Term;

use super::ranked::Ranked;
use super::request::CommonCounts;
use crate::query_analysis::{AnalyzedQuery, QueryClass};
use crate::rank::{FitEvidence, NameEvidence, fit, rarity};
use crate::retrieve;
use crate::weights::Weights;
use crate::{Index, Result};

/// Files whose best candidates are evidence.
const EVIDENCE_FILES: usize = 10;
/// A report is about the code base to which it was sent; what it pastes says little about its subject.
const MIN_FIT_OF_REPORT: f32 = 0.5;

/// How likely it is that a query is about an index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fit {
    /// The probability for the index, from what its best files have together.
    pub(crate) index: f32,
    /// With common counts, the probability for each of the best files alone: what is comparable with files of other
    /// indexes. An index of many files has one for each word of any query; that one of them has all says more.
    pub(crate) files: BTreeMap<FileId, f32>,
}

impl Fit {
    /// The best that can be compared with other indexes.
    pub(crate) fn comparable(&self) -> f32 {
        self.files.values().copied().reduce(f32::max).unwrap_or(self.index)
    }

    /// That of a file. What is beyond the best files is worth as much as the last of them.
    pub(crate) fn of_file(&self, file: FileId) -> f32 {
        let least = || self.files.values().copied().reduce(f32::min).unwrap_or(self.index);
        self.files.get(&file).copied().unwrap_or_else(least)
    }
}

/// Returns the probability that the query is about the index, from candidates that are ordered best first. With `common`
/// counts, a word's rarity is that among all indexes.
pub(super) fn fit_of(
    index: &Index,
    ranked: &[Ranked],
    query: &AnalyzedQuery,
    weights: &Weights,
    common: Option<&CommonCounts>,
) -> Result<Fit> {
    let mut best: Vec<&Ranked> = Vec::new();
    for r in ranked {
        if best.len() == EVIDENCE_FILES {
            break;
        }
        if !best.iter().any(|known| known.info.file_id == r.info.file_id) {
            best.push(r);
        }
    }
    // Cosines of other encoders have other distributions.
    let is_static = index.encoder_kind() == Some(ModelKind::Static);
    let mut cosines: BTreeMap<FileId, f32> = BTreeMap::new();
    let files: FxHashSet<FileId> = best.iter().map(|r| r.info.file_id).collect();
    for r in ranked.iter().filter(|r| files.contains(&r.info.file_id) && is_static) {
        if let Some(cosine) = r.signals.cosine {
            let most = cosines.entry(r.info.file_id).or_insert(cosine);
            *most = most.max(cosine);
        }
    }
    let coverages = coverages(index, &best, query, common)?;
    let name = name_evidence(index, &best, query, weights)?;
    let evidence = FitEvidence {
        coverage: coverages.values().copied().fold(0.0, f32::max),
        cosine: cosines.values().copied().reduce(f32::max),
        name,
    };
    let at_least = if query.class == QueryClass::Report { MIN_FIT_OF_REPORT } else { 0.0 };
    let mut found = Fit { index: fit(&evidence, &weights.fit).max(at_least), files: BTreeMap::new() };
    if common.is_some() {
        for (&file, &coverage) in &coverages {
            let cosine = evidence.cosine.map(|_| cosines.get(&file).copied().unwrap_or(0.0));
            found.files.insert(file, fit(&FitEvidence { coverage, cosine, name }, &weights.fit).max(at_least));
        }
    }
    Ok(found)
}

/// The share of the query's words in each of the files.
fn coverages(
    index: &Index,
    best: &[&Ranked],
    query: &AnalyzedQuery,
    common: Option<&CommonCounts>,
) -> Result<BTreeMap<FileId, f32>> {
    let known = |r: &&Ranked| Some((r.info.file_id, r.signals.file_features?.0.coverage));
    let known: BTreeMap<FileId, f32> = best.iter().filter_map(known).collect();
    if !known.is_empty() && common.is_none() {
        return Ok(known);
    }
    let catalog = &index.chunks()?.catalog;
    let range = |r: &&Ranked| Ok((catalog.file_range(r.info.chunk_id)?, r.info.file_id));
    let mut ranges: Vec<(Range<ChunkId>, FileId)> = best.iter().map(range).collect::<Result<_>>()?;
    ranges.sort_by_key(|(range, _)| range.start);
    let (ranges, files): (Vec<Range<ChunkId>>, Vec<FileId>) = ranges.into_iter().unzip();
    let rarities = common.map(|common| common.rarities(query));
    let coverages = retrieve::range_coverage(index, query, &ranges, rarities.as_deref())?;
    Ok(files.into_iter().zip(coverages).collect())
}

impl CommonCounts {
    /// The rarity of each word of a query. A word that is not counted, such as a corrected one, is in no chunk.
    fn rarities(&self, query: &AnalyzedQuery) -> Vec<f32> {
        let with = |word: &String| self.with.get(word).copied().unwrap_or(0).min(self.chunks);
        let words = query.words.iter().zip(&query.weights);
        words.map(|(word, &weight)| rarity(weight, with(word) as f32, self.chunks as f32)).collect()
    }
}

fn name_evidence(index: &Index, best: &[&Ranked], query: &AnalyzedQuery, weights: &Weights) -> Result<NameEvidence> {
    // Half of it: a symbol in another case or without a chunk of its own is named, too.
    let min_exact = 0.5 * weights.fusion.qualified_name * weights.retrieval.pair_code;
    // The definitions of a bare name are raised, too.
    let has_owner = query.names.iter().any(|name| !name.owners.is_empty()) || !query.pairs.is_empty();
    if best.iter().any(|r| r.signals.exact >= min_exact) {
        match query.class {
            _ if has_owner => return Ok(NameEvidence::Qualified),
            QueryClass::Path => return Ok(NameEvidence::Qualified),
            QueryClass::Symbol => return Ok(NameEvidence::Name),
            QueryClass::Natural | QueryClass::Report => {}
        }
    }
    match query.class {
        QueryClass::Path => {
            let catalog = &index.chunks()?.catalog;
            for r in best {
                if catalog.path(r.info.chunk_id)?.contains(query.text.trim()) {
                    return Ok(NameEvidence::Qualified);
                }
            }
            Ok(NameEvidence::None)
        }
        QueryClass::Symbol => {
            let symbols = index.symbols()?;
            for name in query.names.iter().filter(|name| name.owners.is_empty()) {
                let term = Term::from_field_text(symbols.fields.name, &name.name.to_lowercase());
                if symbols.searcher.doc_freq(&term)? > 0 {
                    return Ok(NameEvidence::Name);
                }
            }
            let mut ids: Vec<SymbolId> = best.iter().filter_map(|r| r.info.symbol_id).collect();
            ids.sort_unstable();
            ids.dedup();
            let names: Vec<String> = index.symbol_rows()?.column("name", &ids)?;
            let is_similar = |name: &String| {
                let name = name.to_lowercase();
                query.names.iter().any(|typed| are_similar(&name, &typed.name.to_lowercase()))
            };
            Ok(if names.iter().any(is_similar) { NameEvidence::Similar } else { NameEvidence::Unknown })
        }
        QueryClass::Natural | QueryClass::Report => Ok(NameEvidence::None),
    }
}

/// Whether a name begins with another, or may be it with a letter or two mistyped.
fn are_similar(name: &str, typed: &str) -> bool {
    let (typed_length, length) = (typed.chars().count(), name.chars().count());
    let common = name.chars().zip(typed.chars()).take_while(|(a, b)| a == b).count();
    let common_end = name.chars().rev().zip(typed.chars().rev()).take_while(|(a, b)| a == b).count();
    let is_mistyped = common > 0 && length.abs_diff(typed_length) <= 2 && common + common_end + 2 >= length;
    common == typed_length || typed_length > 3 && is_mistyped
}

#[cfg(test)]
mod tests {
    use super::are_similar;

    #[test]
    fn names_are_similar_by_their_beginnings() {
        assert!(are_similar("session", "sess") && are_similar("blueprint", "bluprint"));
        assert!(!are_similar("moyaerror", "error") && !are_similar("list", "git_commit_list_node"));
    }
}

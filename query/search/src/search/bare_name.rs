//! A query that is the name of a symbol, however it is written: its definitions come first, in the order in which they
//! answer `definition`.

use rustc_hash::FxHashMap;
use sextant_format::ids::ChunkId;

use crate::navigate::{Definition, Navigator, is_minor};
use crate::query_analysis::{AnalyzedQuery, QueryClass};
use crate::retrieve::{ChunkFilter, NamedSymbol};
use crate::weights::RetrievalWeights;
use crate::{Index, Result};

/// Definitions that are raised. The further ones of a common name stay in the order of the other signals.
const MAX_DEFINITIONS: usize = 10;
/// Words that together may be one name.
const NAME_WORDS: std::ops::RangeInclusive<usize> = 2..=5;

/// How a query names definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Naming {
    /// Not at all.
    None,
    /// By their name, with or without owners, or by a name that leaves something out.
    Name,
    /// By the words of their name.
    Words,
    /// By a part of their name, or a letter or two mistyped.
    Similar,
}

/// Returns the definitions that a query names, in the order of `definition`, and how.
pub(super) fn named_definitions(index: &Index, query: &AnalyzedQuery) -> Result<(Vec<Definition>, Naming)> {
    let words: Vec<&str> = query.text.split_whitespace().collect();
    let navigator = Navigator::new(index);
    let meant = |text: &str| -> Result<Vec<Definition>> {
        let resolved = navigator.meant(text)?;
        Ok(resolved.definitions.into_iter().chain(resolved.minor).collect())
    };
    let major = |mut found: Vec<Definition>| {
        found.retain(|definition| !is_minor(definition.kind));
        found
    };
    match (query.class, words.as_slice()) {
        (QueryClass::Symbol, [name]) => {
            let found = meant(name)?;
            if !found.is_empty() {
                return Ok((major(found), Naming::Name));
            }
            Ok((Vec::new(), Naming::Similar))
        }
        (QueryClass::Symbol | QueryClass::Natural, words) if NAME_WORDS.contains(&words.len()) => {
            let is_word = |word: &&str| word.chars().all(|c| c.is_alphanumeric() || c == '_');
            if !words.iter().all(is_word) {
                return Ok((Vec::new(), Naming::None));
            }
            let found = major(meant(&words.join("_"))?);
            Ok((if found.len() > MAX_DEFINITIONS { Vec::new() } else { found }, Naming::Words))
        }
        _ => Ok((Vec::new(), Naming::None)),
    }
}

/// Returns the definitions whose names are like a query.
pub(super) fn similar_definitions(index: &Index, query: &AnalyzedQuery) -> Result<Vec<Definition>> {
    let (_, mut similar) = Navigator::new(index).similar_definitions(query.text.trim())?;
    similar.truncate(MAX_DEFINITIONS);
    similar.retain(|definition| !is_minor(definition.kind));
    Ok(similar)
}

/// Adds the chunks of the definitions that a query names.
pub(super) fn add_definitions(
    index: &Index,
    query: &AnalyzedQuery,
    (definitions, naming): &(Vec<Definition>, Naming),
    allowed: &ChunkFilter,
    weights: &RetrievalWeights,
    named: &mut FxHashMap<ChunkId, NamedSymbol>,
) -> Result<()> {
    let catalog = &index.symbols()?.catalog;
    let share_of_naming = match naming {
        Naming::None => return Ok(()),
        Naming::Name => weights.name_defined,
        Naming::Words => weights.name_of_words,
        Naming::Similar => weights.name_similar,
    };
    let typed = query.text.trim();
    let mut rank = 0.0;
    for definition in definitions {
        let Some(chunk) = catalog.chunk(definition.symbol_id).filter(|chunk| allowed.allows(*chunk)) else { continue };
        let is_written = typed.ends_with(definition.name.as_str());
        let case_factor = if is_written { 1.0 } else { weights.name_other_case };
        rank += 1.0;
        let share = share_of_naming * case_factor / rank;
        let is_own_chunk = index.chunks()?.catalog.info(chunk)?.symbol_id == Some(definition.symbol_id);
        let best = named.entry(chunk).or_insert(NamedSymbol { share, symbol: definition.symbol_id, is_own_chunk });
        if share > best.share {
            *best = NamedSymbol { share, symbol: definition.symbol_id, is_own_chunk };
        }
        if rank as usize == MAX_DEFINITIONS {
            break;
        }
    }
    Ok(())
}

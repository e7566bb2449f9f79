//! The vocabulary of a built index: what it defines, uses and contains.

use std::collections::BTreeMap;

use sextant_format::endpoints;
use sextant_format::generation::{Generation, part};
use sextant_format::names::{segments, strip_punctuation};
use sextant_format::tables::{ExternalRow, FileRow, Row as _, TableReader};
use sextant_sync::collection::vocabulary::{Entry, VocabularyBuilder};
use sextant_text::index::each_word;
use sextant_text::row_map::StoredRowMaps;

/// Reads the vocabulary of an index, and its languages, those with the most files first.
///
/// # Errors
/// The index is damaged.
pub(crate) fn vocabulary(generation: &Generation) -> anyhow::Result<(VocabularyBuilder, Vec<String>)> {
    let mut vocabulary = VocabularyBuilder::default();
    let symbols = generation.symbols()?;
    for block in symbols.blocks() {
        symbols.scan_text("name", block, |_, name| {
            let name = name.to_lowercase();
            vocabulary.add(Entry::Definition, &name, 1);
            // People leave out the punctuation of a name, as in `empty?`.
            let plain = strip_punctuation(&name);
            if plain != name {
                vocabulary.add(Entry::Definition, plain, 1);
            }
        })?;
    }
    let mut languages: BTreeMap<String, u64> = BTreeMap::new();
    for rows in TableReader::<FileRow>::open(&generation.table("files"))? {
        for file in rows? {
            let name = file.path.rsplit('/').next().unwrap_or(&file.path);
            vocabulary.add(Entry::File, &name.to_lowercase(), 1);
            *languages.entry(file.language).or_default() += 1;
        }
    }
    for external in TableReader::<ExternalRow>::read_all(&generation.table(ExternalRow::TABLE))? {
        if endpoints::is_family(&external.family) {
            vocabulary.add(Entry::Endpoint, &external.name.to_lowercase(), 1);
        } else if let Some(last) = segments(&external.name).last() {
            vocabulary.add(Entry::External, &last.to_lowercase(), 1);
        }
    }
    for (word, chunks) in words(generation)? {
        vocabulary.add(Entry::Word, &word, chunks);
    }
    let mut languages: Vec<(String, u64)> =
        languages.into_iter().filter(|(language, _)| !language.is_empty()).collect();
    languages.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    Ok((vocabulary, languages.into_iter().map(|(language, _)| language).collect()))
}

/// The words of the text index, each with the number of chunks that contain it.
fn words(generation: &Generation) -> anyhow::Result<BTreeMap<String, u64>> {
    let mut words: BTreeMap<String, u64> = BTreeMap::new();
    each_word(&generation.path(part::TEXT_CHUNKS), |word, chunks| {
        *words.entry(word.to_owned()).or_default() += chunks
    })?;
    if StoredRowMaps::read(generation)?.is_some_and(|maps| maps.removed > 0) {
        each_word(&generation.path(part::TEXT_REMOVED), |word, chunks| {
            if let Some(count) = words.get_mut(word) {
                *count = count.saturating_sub(chunks);
            }
        })?;
    }
    Ok(words)
}

//! The chunks of an index that are worth a summary, the most used first, so that a budget buys the most.

use sextant_enrich::{Item, ItemKey, Parent};
use sextant_format::file_rows::{FileRows, FileRowsReader};
use sextant_format::generation::Generation;
use sextant_format::ids::{ChunkId, SymbolId};
use sextant_format::kinds::Kind;
use sextant_format::tables::{ChunkRow, FileRow, Row as _, SymbolRow};
use sextant_syntax::language;

use crate::summaries::{DescribedChunk, Summaries, chunk_facts, describe, symbol_facts};
use crate::walk::Selection;

/// Which chunks are asked about.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    /// The files.
    pub(crate) selection: Selection,
    /// Names of languages; empty selects all.
    pub(crate) languages: Vec<String>,
    /// Minimum number of lines of a symbol.
    pub(crate) min_lines: u32,
    /// Whether tests are included.
    pub(crate) with_tests: bool,
    /// Whether blocks are included.
    pub(crate) with_blocks: bool,
}

/// Selected chunks.
#[derive(Default)]
pub(crate) struct Selected {
    /// What is asked about, most used first; symbols and blocks mixed.
    pub(crate) items: Vec<Item>,
    /// The chunk of each item.
    pub(crate) chunks: Vec<ChunkId>,
    /// Number of selected chunks that have a summary already.
    pub(crate) known: u64,
}

/// A chunk before it is ordered.
struct Candidate {
    uses: u32,
    chunk: ChunkId,
    item: Item,
    /// The chunk of the symbol around a block, if that is asked about as well.
    parent: Option<ChunkId>,
}

/// Selects the chunks of a generation that have no summary in `summaries`.
///
/// # Errors
/// A table cannot be read, or is damaged.
pub(crate) fn select(generation: &Generation, filter: &Filter, summaries: &Summaries) -> anyhow::Result<Selected> {
    let uses = count_uses(generation)?;
    let mut selected = Selected::default();
    let mut candidates: Vec<Candidate> = Vec::new();
    for rows in FileRowsReader::open(generation)? {
        let FileRows { file, symbols, chunks } = rows?;
        if !accepts_file(filter, &file) {
            continue;
        }
        let described = describe(&file.language, &symbol_facts(&symbols), &chunk_facts(&chunks, &symbols));
        // The chunks of this file that are asked about, by their number in the file.
        let mut asked: Vec<Option<ChunkId>> = vec![None; chunks.len()];
        for (at, (row, chunk)) in chunks.iter().zip(&described).enumerate() {
            let Some(chunk) = chunk.as_ref().filter(|chunk| accepts_chunk(filter, row, chunk)) else { continue };
            if summaries.get(&chunk.key).is_some() {
                selected.known += 1;
                continue;
            }
            let parent = chunk.parent.and_then(|parent| described.get(parent as usize)?.as_ref());
            let parent_chunk = chunk.parent.and_then(|parent| asked.get(parent as usize).copied().flatten());
            let parent = match parent {
                None => None,
                Some(parent) => match (summaries.get(&parent.key), parent_chunk) {
                    (Some(known), _) => Some(Parent::Known(known.summary.clone())),
                    // The number of the item is set once all are in order.
                    (None, Some(_)) => Some(Parent::Item(0)),
                    // Its symbol is too short, or of another kind: nothing is known of it.
                    (None, None) => continue,
                },
            };
            asked[at] = Some(row.chunk_id);
            candidates.push(Candidate {
                uses: row.symbol_id.and_then(|id| uses.get(id.index())).copied().unwrap_or(0),
                chunk: row.chunk_id,
                item: item(&file, row, chunk, parent),
                parent: parent_chunk,
            });
        }
    }
    candidates.sort_by_key(|candidate| (std::cmp::Reverse(candidate.uses), candidate.chunk));
    let places: rustc_hash::FxHashMap<ChunkId, usize> =
        candidates.iter().enumerate().map(|(at, candidate)| (candidate.chunk, at)).collect();
    for Candidate { chunk, mut item, parent, .. } in candidates {
        if let (Some(Parent::Item(place)), Some(found)) = (&mut item.parent, parent.and_then(|id| places.get(&id))) {
            *place = *found;
        }
        selected.items.push(item);
        selected.chunks.push(chunk);
    }
    Ok(selected)
}

fn item(file: &FileRow, row: &ChunkRow, chunk: &DescribedChunk<'_>, parent: Option<Parent>) -> Item {
    let key: ItemKey = chunk.key;
    Item {
        key,
        level: chunk.level,
        kind: chunk.kind.as_str(),
        language: file.language.clone(),
        name: chunk.qualified_name.to_owned(),
        members: chunk.members.clone(),
        bytes: row.content.len() as u64,
        parent,
    }
}

fn accepts_file(filter: &Filter, file: &FileRow) -> bool {
    let is_code = language::by_name(&file.language).is_some_and(|language| !language.is_data);
    is_code
        && !file.is_generated
        && (filter.with_tests || !file.is_test)
        && (filter.languages.is_empty() || filter.languages.contains(&file.language))
        && filter.selection.selects(&file.path)
}

fn accepts_chunk(filter: &Filter, row: &ChunkRow, chunk: &DescribedChunk<'_>) -> bool {
    match chunk.level {
        1 => {
            let lines = row.end_line.saturating_sub(row.start_line) + 1;
            lines >= filter.min_lines && (filter.with_tests || chunk.kind != Kind::Test)
        }
        _ => filter.with_blocks,
    }
}

/// The number of edges that lead to each symbol.
fn count_uses(generation: &Generation) -> sextant_format::Result<Vec<u32>> {
    let symbols = usize::try_from(generation.manifest().rows(SymbolRow::TABLE)).unwrap_or(0);
    let mut uses = vec![0_u32; symbols];
    let edges = generation.edges()?;
    for block in edges.blocks() {
        edges.scan::<Option<SymbolId>>("target_id", block, |_, target| {
            if let Some(count) = target.and_then(|target| uses.get_mut(target.index())) {
                *count = count.saturating_add(1);
            }
        })?;
    }
    Ok(uses)
}

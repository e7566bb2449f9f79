//! Chunks of a file to what a summary of them depends on: the key by which a summary is found again.

use rustc_hash::FxHashSet;
use sextant_enrich::{Item, ItemKey};
use sextant_format::digest::Digest;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::Kind;
use sextant_format::tables::{ChunkRow, SymbolRow};

/// Most members that are named in a prompt about a type.
const MAX_MEMBERS: usize = 60;

/// A symbol of a file, as far as keys depend on it.
#[derive(Clone, Copy)]
pub(crate) struct SymbolFacts<'a> {
    pub(crate) name: &'a str,
    pub(crate) qualified_name: &'a str,
    /// The number of its owner in the file.
    pub(crate) container: Option<u32>,
}

/// A chunk of a file, as far as keys depend on it.
#[derive(Clone, Copy)]
pub(crate) struct ChunkFacts<'a> {
    pub(crate) level: u8,
    pub(crate) kind: Kind,
    /// The number of its symbol in the file.
    pub(crate) symbol: Option<u32>,
    pub(crate) content_hash: &'a Digest,
}

/// A chunk that can have a summary.
pub(crate) struct DescribedChunk<'a> {
    pub(crate) key: ItemKey,
    pub(crate) kind: Kind,
    pub(crate) level: u8,
    pub(crate) qualified_name: &'a str,
    /// Names of a type's members.
    pub(crate) members: Vec<String>,
    /// For a block, the number of its symbol's chunk in the file.
    pub(crate) parent: Option<u32>,
}

/// Describes the chunks of a file, in order; none for those that cannot have a summary: text outside symbols, data,
/// sections, single fields and constants.
pub(crate) fn describe<'a>(
    language: &str,
    symbols: &[SymbolFacts<'a>],
    chunks: &[ChunkFacts<'_>],
) -> Vec<Option<DescribedChunk<'a>>> {
    let mut described: Vec<Option<DescribedChunk<'a>>> = Vec::with_capacity(chunks.len());
    // The chunk of each symbol. A block comes after the chunk of its symbol.
    let mut chunk_of_symbol: Vec<Option<u32>> = vec![None; symbols.len()];
    for (number, chunk) in (0_u32..).zip(chunks) {
        let found = chunk.symbol.and_then(|at| Some((at as usize, symbols.get(at as usize)?)));
        let Some((at, symbol)) = found.filter(|_| chunk.level == 2 || can_have_summary(chunk.kind)) else {
            described.push(None);
            continue;
        };
        let parent = if chunk.level == 2 { chunk_of_symbol[at] } else { None };
        let parent_key = parent.and_then(|parent| Some(described.get(parent as usize)?.as_ref()?.key));
        if chunk.level == 2 && parent_key.is_none() {
            described.push(None);
            continue;
        }
        let members = if chunk.level == 1 && is_type(chunk.kind) { members(symbols, at) } else { Vec::new() };
        let key = Item::key(
            chunk.level,
            chunk.kind.as_str(),
            language,
            symbol.qualified_name,
            &members,
            &chunk.content_hash.0,
            parent_key.as_ref(),
        );
        if chunk.level == 1 {
            chunk_of_symbol[at].get_or_insert(number);
        }
        described.push(Some(DescribedChunk {
            key,
            kind: chunk.kind,
            level: chunk.level,
            qualified_name: symbol.qualified_name,
            members,
            parent,
        }));
    }
    described
}

const fn is_type(kind: Kind) -> bool {
    matches!(kind, Kind::Class | Kind::Struct | Kind::Union | Kind::Enum | Kind::Interface | Kind::Trait | Kind::Module)
}

const fn can_have_summary(kind: Kind) -> bool {
    is_type(kind)
        || matches!(kind, Kind::Function | Kind::Method | Kind::Constructor | Kind::Property | Kind::Macro | Kind::Test)
}

fn members(symbols: &[SymbolFacts<'_>], owner: usize) -> Vec<String> {
    let mut seen = FxHashSet::default();
    let own = symbols.iter().filter(|symbol| symbol.container.is_some_and(|at| at as usize == owner));
    own.filter(|symbol| seen.insert(symbol.name)).take(MAX_MEMBERS).map(|symbol| symbol.name.to_owned()).collect()
}

/// The symbols of a file's rows.
pub(crate) fn symbol_facts(rows: &[SymbolRow]) -> Vec<SymbolFacts<'_>> {
    let first = rows.first().map_or(SymbolId::default(), |row| row.symbol_id);
    rows.iter()
        .map(|row| SymbolFacts {
            name: &row.name,
            qualified_name: &row.qualified_name,
            container: row.container_id.and_then(|id| id.rows_after(first)),
        })
        .collect()
}

/// The chunks of a file's rows; `symbols` are those of the same file.
pub(crate) fn chunk_facts<'a>(rows: &'a [ChunkRow], symbols: &[SymbolRow]) -> Vec<ChunkFacts<'a>> {
    let first = symbols.first().map_or(SymbolId::default(), |row| row.symbol_id);
    rows.iter()
        .map(|row| ChunkFacts {
            level: row.level,
            kind: row.kind,
            symbol: row.symbol_id.and_then(|id| id.rows_after(first)),
            content_hash: &row.content_hash,
        })
        .collect()
}

//! Encodes the edges of a group of files as bytes and decodes them.
//!
//! Values that edges share are stored once per block, in order of first use: names, symbols, and kinds with tier and
//! confidence. See [`super::block`] for the encoding of symbols.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::block::{DecodeError, DeltaColumn, absolute_id, check_column_lengths, from_bytes, relative_id, to_bytes};
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::keys::{ShortHash, SymbolKey, SymbolKeyTable, name_hash};
use sextant_format::kinds::{EdgeKind, Tier};
use sextant_format::tables::EdgeRow;

#[derive(Serialize, Deserialize)]
struct EdgeColumns {
    /// Keys of the files whose symbols the edges refer to.
    files: Vec<[u8; 8]>,
    /// Keys of external symbols.
    externals: Vec<[u8; 8]>,
    names: Vec<String>,
    /// Referenced symbols: file, name (0 for the next of `hashes`, otherwise the index of a name plus 1), and ordinal
    /// among the symbols of that name.
    ref_file: Vec<u32>,
    ref_name: Vec<u32>,
    ref_ordinal: Vec<u32>,
    hashes: Vec<[u8; 8]>,
    classes: Vec<(EdgeKind, Tier, [u8; 4])>,
    /// Number of edges for each file of the group.
    counts: Vec<u32>,
    /// The source, counted from the file's first symbol, plus 1; 0 for the next of `foreign`.
    source: DeltaColumn,
    /// Sources outside of the file, as indexes of referenced symbols.
    foreign: Vec<u32>,
    class: Vec<u32>,
    /// Index of the referenced symbol, plus 1; 0 for none.
    target: Vec<u32>,
    /// Index of the external symbol, plus 1; 0 for none.
    external: Vec<u32>,
    name: Vec<u32>,
    line: DeltaColumn,
    column: Vec<u32>,
}

/// Assigns numbers to values in order of first use.
struct Interner<T> {
    values: Vec<T>,
    numbers: FxHashMap<T, u32>,
}

impl<T: Clone + Eq + std::hash::Hash> Interner<T> {
    fn new() -> Self {
        Self { values: Vec::new(), numbers: FxHashMap::default() }
    }

    fn intern(&mut self, value: T) -> u32 {
        let next = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        *self.numbers.entry(value.clone()).or_insert_with(|| {
            self.values.push(value);
            next
        })
    }
}

/// Encodes the edges of the files from `first` on, one list for each file. `externals` has the keys of
/// external symbols by id.
pub(super) fn edges_to_bytes(
    first: FileId,
    group: &[Vec<EdgeRow>],
    symbol_keys: &SymbolKeyTable,
    externals: &FxHashMap<u32, ShortHash>,
) -> Result<Vec<u8>, DecodeError> {
    let mut names = Interner::new();
    let mut files = Interner::new();
    let mut outside = Interner::new();
    let mut classes = Interner::new();
    let mut symbol_refs: Interner<(SymbolId, u32)> = Interner::new();
    let missing = || "an edge leads to a missing row".to_owned();
    let (mut source, mut foreign, mut class, mut target) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut external, mut name, mut column) = (Vec::new(), Vec::new(), Vec::new());
    for (n, edges) in (0..).zip(group) {
        let own = symbol_keys.symbols_of(first.plus(n)).ok_or_else(missing)?;
        for edge in edges {
            let named = names.intern(edge.target_name.clone().into_owned());
            if own.contains(&edge.source_id) {
                source.push(relative_id(Some(edge.source_id), own.start));
            } else {
                source.push(0);
                foreign.push(symbol_refs.intern((edge.source_id, named)));
            }
            class.push(classes.intern((edge.kind, edge.tier, edge.confidence.to_le_bytes())));
            target.push(edge.target_id.map_or(0, |id| symbol_refs.intern((id, named)) + 1));
            let key = match edge.external_id {
                Some(id) => outside.intern(*externals.get(&id).ok_or_else(missing)?) + 1,
                None => 0,
            };
            external.push(key);
            name.push(named);
            column.push(edge.column);
        }
    }
    let (mut ref_file, mut ref_name, mut ref_ordinal) = (Vec::new(), Vec::new(), Vec::new());
    let mut hashes = Vec::new();
    for &(id, named) in &symbol_refs.values {
        let SymbolKey { file, hash, ordinal } = symbol_keys.key_of(id).ok_or_else(missing)?;
        ref_file.push(files.intern(file));
        let is_target_name = name_hash(&names.values[named as usize]) == hash;
        if !is_target_name {
            hashes.push(hash);
        }
        ref_name.push(if is_target_name { named + 1 } else { 0 });
        ref_ordinal.push(ordinal);
    }
    Ok(to_bytes(&EdgeColumns {
        files: files.values,
        externals: outside.values,
        names: names.values,
        ref_file,
        ref_name,
        ref_ordinal,
        hashes,
        classes: classes.values,
        counts: group.iter().map(|edges| u32::try_from(edges.len()).unwrap_or(u32::MAX)).collect(),
        source: DeltaColumn::encode(source.into_iter()),
        foreign,
        class,
        target,
        external,
        name,
        line: DeltaColumn::encode(group.iter().flatten().map(|edge| i64::from(edge.line))),
        column,
    }))
}

/// Decodes the result of [`edges_to_bytes`]: the edges of all files of the group in order, and the keys of their
/// external symbols. An edge's `external_id` is an index into these keys.
pub(super) fn edges_from_bytes(
    bytes: &[u8],
    first: FileId,
    files: u32,
    symbol_keys: &SymbolKeyTable,
) -> Result<(Vec<EdgeRow>, Vec<[u8; 8]>), DecodeError> {
    let edges: EdgeColumns = from_bytes(bytes)?;
    let rows: usize = edges.counts.iter().map(|&count| count as usize).sum();
    let (sources, lines) = (edges.source.decode::<i64>()?, edges.line.decode::<u32>()?);
    check_column_lengths(files as usize, &[edges.counts.len()])?;
    check_column_lengths(
        rows,
        &[sources.len(), lines.len(), edges.class.len(), edges.target.len(), edges.external.len()],
    )?;
    check_column_lengths(rows, &[edges.name.len(), edges.column.len()])?;
    check_column_lengths(edges.ref_file.len(), &[edges.ref_name.len(), edges.ref_ordinal.len()])?;
    let missing = || "an edge leads to a missing symbol".to_owned();

    let mut hashes = edges.hashes.iter();
    let mut symbol_refs = Vec::with_capacity(edges.ref_file.len());
    for ((&file, &name), &ordinal) in edges.ref_file.iter().zip(&edges.ref_name).zip(&edges.ref_ordinal) {
        let hash = match name.checked_sub(1) {
            Some(at) => name_hash(edges.names.get(at as usize).ok_or_else(missing)?),
            None => *hashes.next().ok_or_else(missing)?,
        };
        let file = *edges.files.get(file as usize).ok_or_else(missing)?;
        symbol_refs.push(symbol_keys.symbol_of(&SymbolKey { file, hash, ordinal }).ok_or_else(missing)?);
    }
    let symbol_at = |at: u32| symbol_refs.get(at as usize).copied().ok_or_else(missing);
    let mut foreign = edges.foreign.iter();
    let mut found = Vec::with_capacity(rows);
    let mut at = 0;
    for (n, &count) in (0..).zip(&edges.counts) {
        let file = first.plus(n);
        let own = symbol_keys.symbols_of(file).ok_or_else(missing)?;
        let own_count = own.end.rows_after(own.start).unwrap_or(0) as usize;
        for _ in 0..count {
            let source_id = match absolute_id(sources[at], own.start, own_count)? {
                Some(id) => id,
                None => symbol_at(*foreign.next().ok_or_else(missing)?)?,
            };
            let (kind, tier, confidence) = *edges.classes.get(edges.class[at] as usize).ok_or_else(missing)?;
            let external_id = edges.external[at].checked_sub(1);
            if external_id.is_some_and(|id| id as usize >= edges.externals.len()) {
                return Err(missing());
            }
            found.push(EdgeRow {
                source_id,
                target_id: edges.target[at].checked_sub(1).map(symbol_at).transpose()?,
                external_id,
                first_edge: 0,
                target_name: edges.names.get(edges.name[at] as usize).ok_or_else(missing)?.clone().into(),
                kind,
                file_id: file,
                line: lines[at],
                column: edges.column[at],
                tier,
                confidence: f32::from_le_bytes(confidence),
            });
            at += 1;
        }
    }
    Ok((found, edges.externals))
}

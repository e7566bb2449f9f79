//! Unpacks a pack into the files of a generation.
//!
//! Rows go through the same writer as those of a build. The result must have the hashes of the pack's manifest,
//! whose content id was checked when the pack was opened; otherwise nothing is published.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::block::{externals_from_bytes, skipped_from_bytes, source_from_bytes, vectors_from_bytes};
use super::edges::edges_from_bytes;
use super::index::{Blob, Block, Group, PackIndex};
use super::limit;
use super::open::{FOOTER_BYTES, Footer};
use super::profile::Profile;
use crate::{Error, Result};
use sextant_format::ids::{ChunkId, FirstIds};
use sextant_format::keys::{ShortHash, external_key};
use sextant_format::manifest::Manifest;
use sextant_format::publish::share_file;
use sextant_format::tables::ExternalRow;
use sextant_writer::{FinishedFiles, GenerationWriter, PreviousGeneration, TEXT_MEMORY};

/// Maximum number of groups in memory at once.
const BATCH_GROUPS: usize = 16;
/// Maximum bytes of the blocks of these groups, unless a single group exceeds it.
const BATCH_BYTES: u64 = 64 << 20;

/// Provides the unpacked bytes of blocks.
pub trait BlockSource: Sync {
    /// The unpacked bytes of a block, which must match its hash.
    ///
    /// # Errors
    /// The block is missing or damaged.
    fn get(&self, block: &Block) -> Result<Vec<u8>>;

    /// A file with the hash of a file of the pack, which is shared instead of written; none if there is none.
    fn file(&self, blob: &Blob) -> Option<&Path> {
        let _ = blob;
        None
    }
}

/// Opens a local pack; `total` limits the unpacked bytes of all blocks.
pub(super) fn open_file(path: &Path, total: u64) -> Result<(std::fs::File, PackIndex)> {
    let file = fs_err::File::open(path)?.into_parts().0;
    let bytes = file.metadata()?.len();
    let read = |offset: u64, length: u64| {
        let mut buffer = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
        sextant_format::mapped::read_at(&file, &mut buffer, offset).map(|()| buffer)
    };
    let Some(footer) = bytes.checked_sub(FOOTER_BYTES) else {
        return Err(Error::damaged(path, "it is shorter than a pack"));
    };
    let footer = Footer::read(path, &read(footer, FOOTER_BYTES)?, bytes)?;
    let index = footer.open(path, &read(footer.index_offset(), footer.index_stored_bytes)?, total)?;
    Ok((file, index))
}

/// Reads the index of a local pack.
///
/// # Errors
/// The file cannot be read, or is not a valid pack.
pub fn read_index(path: &Path) -> Result<PackIndex> {
    Ok(open_file(path, limit::TOTAL_BYTES)?.1)
}

/// Writes the files of a profile into the folder `root`, and returns the manifest, whose list of files is still empty.
/// `path` is for error messages. Rows and documents of unchanged files are those of `previous`. `step` is
/// called with the number of files written.
///
/// # Errors
/// A block is missing or damaged, a file cannot be written, or the rows do not match the manifest.
pub fn unpack(
    path: &Path,
    index: &PackIndex,
    profile: Profile,
    blocks: &impl BlockSource,
    root: &Path,
    previous: Option<PreviousGeneration>,
    mut step: impl FnMut(u64),
) -> Result<Manifest> {
    let damaged = |what: String| Error::damaged(path, what);
    let mut manifest = index.manifest().map_err(|error| damaged(error.to_string()))?;
    let get = |number: u32| {
        let block = index.block(number).ok_or_else(|| damaged(format!("block {number} is missing")))?;
        blocks.get(block)
    };
    let block_error = |number: u32| move |what: String| damaged(format!("block {number}: {what}"));
    for blob in index.blobs.iter().filter(|blob| blob.profile <= profile) {
        let to = root.join(&blob.path);
        to.parent().map_or(Ok(()), fs_err::create_dir_all)?;
        if let Some(shared) = blocks.file(blob) {
            share_file(shared, &to)?;
            continue;
        }
        let mut file = fs_err::OpenOptions::new().write(true).create_new(true).open(&to)?;
        let mut hasher = blake3::Hasher::new();
        for &number in &blob.blocks {
            let bytes = get(number)?;
            hasher.update(&bytes);
            file.write_all(&bytes)?;
        }
        if *hasher.finalize().as_bytes() != blob.blake3 {
            return Err(damaged(format!("'{}' does not match its hash", blob.path)));
        }
    }

    let names: Vec<String> = manifest.repositories.iter().map(|repository| repository.name.clone()).collect();
    let has_vectors = manifest.has_table("vectors");
    let dims = manifest.model.as_ref().filter(|_| has_vectors).map(|model| model.dimensions as usize);
    let mut writer = GenerationWriter::create(root, &names, dims, TEXT_MEMORY, previous)?;
    for row in skipped_from_bytes(&get(index.skipped)?).map_err(block_error(index.skipped))? {
        writer.push_skipped(row)?;
    }
    let mut first = FirstIds::default();
    let mut starts = Vec::with_capacity(index.groups.len());
    for group in &index.groups {
        starts.push(first);
        let next = first.checked_after(group.files, group.chunks, group.symbols);
        first = next.ok_or_else(|| damaged("it has too many rows".to_owned()))?;
    }
    for batch in batches(index, |group| group.vectors.iter().chain([&group.source])) {
        let (groups, starts) = (&index.groups[batch.clone()], &starts[batch]);
        let read = |(group, first): (&Group, &FirstIds)| {
            let rows = source_from_bytes(&get(group.source)?, *first).map_err(block_error(group.source))?;
            let mut vectors = Vec::with_capacity(rows.len());
            for (&number, dims) in group.vectors.iter().filter_map(|number| Some((number, dims?))) {
                vectors.extend(vectors_from_bytes(&get(number)?, dims).map_err(block_error(number))?);
            }
            if group.vectors.is_empty() || dims.is_none() {
                vectors.resize_with(rows.len(), Vec::new);
            }
            let symbols: usize = rows.iter().map(|rows| rows.symbols.len()).sum();
            let chunks: usize = rows.iter().map(|rows| rows.chunks.len()).sum();
            let counts = [rows.len(), symbols, chunks, vectors.len()];
            if counts != [group.files, group.symbols, group.chunks, group.files].map(|count| count as usize) {
                return Err(damaged(format!("block {}: its row counts differ from the pack's index", group.source)));
            }
            Ok((rows, vectors))
        };
        let read: Vec<Result<_>> = groups.par_iter().zip(starts).map(read).collect();
        for (group, read) in groups.iter().zip(read) {
            let (rows, vectors) = read?;
            for (rows, vectors) in rows.into_iter().zip(vectors) {
                let chunks: Vec<(ChunkId, u8)> =
                    rows.chunks.iter().map(|chunk| (chunk.chunk_id, chunk.level)).collect();
                writer.push_file(rows.file, rows.symbols, rows.chunks)?;
                for (chunk, vector) in vectors {
                    let missing = || damaged("a vector belongs to no chunk".to_owned());
                    if chunk as usize == chunks.len() {
                        writer.set_names_vector(vector);
                        continue;
                    }
                    let &(chunk, level) = chunks.get(chunk as usize).ok_or_else(missing)?;
                    writer.push_vector(chunk, level, &vector)?;
                }
            }
            step(u64::from(group.files));
        }
    }

    let FinishedFiles { edges: mut writer, text, .. } = writer.finish_files()?;
    manifest.reader_features = text.reader_features();
    let mut externals = ExternalNumbering::default();
    for &number in &index.externals {
        for row in externals_from_bytes(&get(number)?).map_err(block_error(number))? {
            externals.add(row);
        }
    }
    let symbol_keys = writer.symbol_keys();
    let written = text.finish_concurrently(|| -> Result<_> {
        for batch in batches(index, |group| std::iter::once(&group.edges)) {
            let (groups, starts) = (&index.groups[batch.clone()], &starts[batch]);
            let read = |(group, first): (&Group, &FirstIds)| {
                edges_from_bytes(&get(group.edges)?, first.file, group.files, &symbol_keys)
                    .map_err(block_error(group.edges))
            };
            let read: Vec<Result<_>> = groups.par_iter().zip(starts).map(read).collect();
            for read in read {
                let (edges, keys) = read?;
                for mut edge in edges {
                    let mut external = None;
                    if let Some(at) = edge.external_id {
                        external = keys.get(at as usize).copied();
                        let used = external.and_then(|key| externals.number_use(key));
                        edge.external_id =
                            Some(used.ok_or_else(|| damaged("an external symbol is missing".to_owned()))?);
                    }
                    writer.push_edge(edge, external)?;
                }
            }
        }
        Ok(writer.finish_edges(externals.rows)?.finish()?)
    })?;

    if let Some(what) = written.difference(&manifest) {
        return Err(damaged(format!("{what} differ from its manifest")));
    }
    written.describe(&mut manifest);
    Ok(manifest)
}

/// Splits the groups into batches that fit into memory, by the sizes of the given blocks of each group.
fn batches<'a, B: Iterator<Item = &'a u32>>(
    index: &'a PackIndex,
    blocks_of_group: impl Fn(&'a Group) -> B,
) -> Vec<Range<usize>> {
    let mut batches: Vec<Range<usize>> = Vec::new();
    let mut sum = 0;
    for (n, group) in index.groups.iter().enumerate() {
        let bytes: u64 =
            blocks_of_group(group).filter_map(|&number| index.block(number)).map(|block| u64::from(block.bytes)).sum();
        match batches.last_mut() {
            Some(batch) if batch.len() < BATCH_GROUPS && sum + bytes <= BATCH_BYTES => {
                batch.end += 1;
                sum += bytes;
            }
            _ => {
                batches.push(n..n + 1);
                sum = bytes;
            }
        }
    }
    batches
}

/// Assigns ids to external symbols in order of first use.
#[derive(Default)]
struct ExternalNumbering {
    by_key: FxHashMap<ShortHash, ExternalRow>,
    numbers: FxHashMap<ShortHash, u32>,
    rows: Vec<ExternalRow>,
}

impl ExternalNumbering {
    fn add(&mut self, row: ExternalRow) {
        self.by_key.insert(external_key(&row.family, &row.name), row);
    }

    /// Counts a use of an external symbol and returns its id; none if the key is unknown.
    fn number_use(&mut self, key: ShortHash) -> Option<u32> {
        let next = u32::try_from(self.rows.len()).ok()?;
        let id = match self.numbers.get(&key) {
            Some(&id) => id,
            None => {
                self.rows.push(ExternalRow { external_id: next, ..self.by_key.get(&key)?.clone() });
                self.numbers.insert(key, next);
                next
            }
        };
        self.rows[id as usize].uses += 1;
        Some(id)
    }
}

//! Packs a generation: rows in groups, other files cut by content, each block stored once.

use std::io::{BufWriter, Write};
use std::path::Path;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use zstd::bulk::Compressor;
use zstd::dict::EncoderDictionary;

use super::block_decoder::BlockDecoder;
use super::groups::{GroupReader, split_vectors};
use super::index::{Blob, Block, Group, PackIndex};
use super::open::{Footer, MAGIC};
use super::profile::Profile;
use super::unpack::open_file;
use super::{block, edges, limit};
use crate::{Error, Result};
use sextant_format::digest::Digest;
use sextant_format::file_rows::FileEdgesReader;
use sextant_format::generation::{Generation, part};
use sextant_format::ids::{ChunkId, FileId};
use sextant_format::keys::{ShortHash, SymbolKeyTable, external_key, file_key};
use sextant_format::manifest::Manifest;
use sextant_format::publish::files_below;
use sextant_format::tables::{ChunkRow, ExternalRow, Row, SkippedRow, TableReader};
use sextant_format::vectors_by_file::VectorsByFile;

/// Prefix of the name of an incomplete pack.
const TEMPORARY_PREFIX: &str = ".pack-";
/// Number of chunks that a dictionary is trained on.
const DICTIONARY_SAMPLES: u32 = 4_000;
/// Size of a dictionary in bytes; zstd's own default.
const DICTIONARY_BYTES: usize = 110 << 10;
/// Maximum number of groups in memory at once.
const BATCH_GROUPS: usize = 16;
/// One of this many external symbols ends a block of them.
const EXTERNALS_BOUNDARY_MODULUS: u16 = 1024;
/// Minimum, average and maximum bytes of a piece of a file without rows. Small enough that a change in a table of
/// vectors affects few pieces, large enough that the index of the pack stays small.
const CDC_PIECE_BYTES: (usize, usize, usize) = (32 << 10, 128 << 10, 512 << 10);
/// Maximum number of such pieces in memory at once.
const CDC_BATCH_PIECES: usize = 64;

/// Determines how a block is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PayloadKind {
    /// Text and columns of small numbers.
    Text,
    /// Numbers without a pattern, which hardly compress.
    Numbers,
}

/// Summary of a written pack.
#[derive(Clone, Debug)]
pub struct PackSummary {
    /// Size of the pack in bytes.
    pub bytes: u64,
    /// Number of blocks.
    pub blocks: usize,
    /// Number and stored bytes of the blocks that were copied from an older pack.
    pub reused: (usize, u64),
    /// Stored bytes by content.
    pub parts: [(&'static str, u64); 4],
}

/// An older pack, whose compressed blocks are reused.
struct BasePack {
    file: std::fs::File,
    blocks: FxHashMap<[u8; 32], Block>,
    decoder: BlockDecoder,
    dictionary: Vec<u8>,
}

impl BasePack {
    fn open(path: &Path) -> Result<Self> {
        let (file, index) = open_file(path, u64::MAX)?;
        let decoder = BlockDecoder::new(Some(&index)).map_err(|what| Error::damaged(path, what))?;
        let blocks = index.blocks.iter().map(|block| (block.hash, *block)).collect();
        Ok(Self { file, blocks, decoder, dictionary: index.dictionary })
    }

    fn stored(&self, hash: &[u8; 32]) -> Option<Vec<u8>> {
        let block = self.blocks.get(hash)?;
        let mut stored = vec![0; block.stored as usize];
        sextant_format::mapped::read_at(&self.file, &mut stored, block.offset).ok()?;
        // An older pack may be damaged, so the block is verified.
        self.decoder.decode(block, &stored).is_ok().then_some(stored)
    }
}

/// How a generation is packed.
#[derive(Clone, Copy, Debug)]
pub struct PackOptions<'a> {
    /// What the pack has.
    pub profile: Profile,
    /// The zstd level for text.
    pub level: i32,
    /// An older pack, whose blocks are reused.
    pub base: Option<&'a Path>,
    /// The folder with the LanceDB table as an index of one segment has it, if it is not that of the generation: who
    /// unpacks a pack gets one segment.
    pub table: Option<&'a Path>,
}

/// Packs a generation into the file `out`. `sign` receives the stored index and returns the text of a signature over it, if
/// the pack is to be signed. `step` is called with the number of bytes processed.
///
/// # Errors
/// A file cannot be read or written, the generation is damaged, or the pack would exceed a limit.
pub fn pack(
    generation: &Generation,
    out: &Path,
    options: &PackOptions<'_>,
    sign: impl FnOnce(&[u8]) -> Result<Option<String>>,
    step: impl FnMut(u64),
) -> Result<PackSummary> {
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    sextant_format::publish::remove_abandoned(folder, TEMPORARY_PREFIX);
    let temporary = temporary_file(folder).map_err(Error::from)?;
    let (mut file, built) = write_blocks(generation, &temporary, options, step)?;
    let BuiltIndex { index, reused } = built;
    let bytes = block::to_bytes(&index);
    let stored = zstd::bulk::compress(&bytes, 12).map_err(Error::from)?;
    let signature = sign(&stored)?.unwrap_or_default();
    let footer = Footer {
        index_stored_bytes: stored.len() as u64,
        index_bytes: bytes.len() as u64,
        index_hash: Digest::hash_bytes(&stored),
        signature_bytes: signature.len() as u64,
        pack_bytes: 0,
    };
    let mut end = || -> std::io::Result<u64> {
        file.write_all(&stored)?;
        file.write_all(signature.as_bytes())?;
        file.write_all(&footer.to_bytes())?;
        file.flush()?;
        file.get_ref().sync_all()?;
        Ok(file.get_ref().metadata()?.len())
    };
    let packed = end().map_err(Error::from)?;
    drop(file);
    // A pack that readers would refuse is not given its name.
    Footer::read(out, &footer.to_bytes(), packed)?;
    let parts = index.stored_bytes_by_part();
    sextant_format::publish::persist(temporary, out)?;
    Ok(PackSummary { bytes: packed, blocks: index.blocks.len(), reused, parts })
}

/// Creates a temporary file with the permissions of any new file, because others download it.
fn temporary_file(folder: &Path) -> std::io::Result<tempfile::TempPath> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY_PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // The umask restricts it further.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    Ok(builder.tempfile_in(folder)?.into_temp_path())
}

/// A compressed block that is to be written.
struct Stored {
    bytes: Vec<u8>,
    /// Whether it was copied from an older pack.
    was_reused: bool,
}

/// The index of a written pack, with number and stored bytes of the reused blocks.
struct BuiltIndex {
    index: PackIndex,
    reused: (usize, u64),
}

/// Writes the blocks of a generation into a new file, and returns the file for appending.
fn write_blocks(
    generation: &Generation,
    path: &Path,
    options: &PackOptions<'_>,
    mut step: impl FnMut(u64),
) -> Result<(BufWriter<fs_err::File>, BuiltIndex)> {
    let &PackOptions { profile, level, base, table } = options;
    let base = base.map(BasePack::open).transpose()?;
    let dictionary = match &base {
        // A new dictionary would compress little better and make reusing blocks impossible.
        Some(base) => base.dictionary.clone(),
        None => train(generation)?,
    };
    let text = EncoderDictionary::try_copy(&dictionary, level)?;
    let numbers_only = EncoderDictionary::try_copy(&[], 1)?;
    let mut file = BufWriter::with_capacity(1 << 20, fs_err::File::create(path)?);
    file.write_all(MAGIC)?;
    let mut blocks: Vec<Block> = Vec::new();
    let mut numbers: FxHashMap<[u8; 32], u32> = FxHashMap::default();
    let mut reused = (0, 0);
    let mut at = MAGIC.len() as u64;
    let mut index = build_blocks(generation, profile, table, |payload, raw| {
        let dictionary = if payload == PayloadKind::Text { &text } else { &numbers_only };
        let hashes: Vec<[u8; 32]> = raw.par_iter().map(|bytes| Digest::hash_bytes(bytes).0).collect();
        let stored: Vec<Result<Option<Stored>>> = raw
            .par_iter()
            .zip(&hashes)
            .map(|(bytes, hash)| {
                if numbers.contains_key(hash) {
                    return Ok(None);
                }
                if let Some(stored) = base.as_ref().and_then(|base| base.stored(hash)) {
                    return Ok(Some(Stored { bytes: stored, was_reused: true }));
                }
                let stored = Compressor::with_prepared_dictionary(dictionary)?.compress(bytes)?;
                Ok(Some(Stored { bytes: stored, was_reused: false }))
            })
            .collect();
        let mut block_numbers = Vec::with_capacity(raw.len());
        for ((bytes, hash), stored) in raw.iter().zip(&hashes).zip(stored) {
            step(bytes.len() as u64);
            if let (Some(stored), false) = (stored?, numbers.contains_key(hash)) {
                file.write_all(&stored.bytes)?;
                numbers.insert(*hash, u32::try_from(blocks.len()).unwrap_or(u32::MAX));
                let size = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap_or(u32::MAX);
                blocks.push(Block { offset: at, stored: size(&stored.bytes), bytes: size(bytes), hash: *hash });
                at += stored.bytes.len() as u64;
                if stored.was_reused {
                    reused = (reused.0 + 1, reused.1 + stored.bytes.len() as u64);
                }
            }
            block_numbers.extend(numbers.get(hash).copied());
        }
        Ok(block_numbers)
    })?;
    index.blocks = blocks;
    index.dictionary = dictionary;
    Ok((file, BuiltIndex { index, reused }))
}

/// Trains a dictionary on chunks from all parts of a generation; empty if there are too few of them.
fn train(generation: &Generation) -> Result<Vec<u8>> {
    let rows = u32::try_from(generation.manifest().rows(ChunkRow::TABLE)).unwrap_or(u32::MAX);
    let step = (rows / DICTIONARY_SAMPLES).max(1) as usize;
    let ids: Vec<ChunkId> = ChunkId::range(ChunkId::default()..ChunkId::new(rows)).step_by(step).collect();
    let reader = generation.chunks()?;
    let samples: Vec<String> = reader.column("content", &ids)?;
    Ok(zstd::dict::from_samples(&samples, DICTIONARY_BYTES).unwrap_or_default())
}

/// Encodes the blocks of a generation and passes those with a wanted hash to `keep`: the blocks of a pack that an older
/// index can provide.
///
/// # Errors
/// The generation cannot be read, or `keep` fails.
pub fn extract_blocks(
    generation: &Generation,
    wanted: impl Fn(&[u8; 32]) -> bool + Sync,
    mut keep: impl FnMut([u8; 32], Vec<u8>) -> Result<()>,
) -> Result<()> {
    build_blocks(generation, Profile::of(generation), None, |_, raw| {
        let count = raw.len();
        let kept: Vec<([u8; 32], Vec<u8>)> = raw
            .into_par_iter()
            .map(|bytes| (Digest::hash_bytes(&bytes).0, bytes))
            .filter(|(hash, _)| wanted(hash))
            .collect();
        kept.into_iter().try_for_each(|(hash, bytes)| keep(hash, bytes))?;
        Ok(vec![0; count])
    })?;
    Ok(())
}

/// Encodes every block of a generation; `table` is that of [`PackOptions`]. `number_blocks` stores them and assigns their numbers, which the index lists.
fn build_blocks(
    generation: &Generation,
    profile: Profile,
    table: Option<&Path>,
    mut number_blocks: impl FnMut(PayloadKind, Vec<Vec<u8>>) -> Result<Vec<u32>>,
) -> Result<PackIndex> {
    let damaged = |table: &str, what: String| Error::damaged(&generation.table(table), what);
    let mut symbol_keys = SymbolKeyTable::default();
    let mut groups = Vec::new();
    // First chunk, number of chunks, and first byte of the file key, for each file.
    let mut chunks: Vec<(ChunkId, usize, u8)> = Vec::new();
    let mut next_chunk = ChunkId::default();
    let mut sources = GroupReader::open(generation)?;
    loop {
        let mut batch = Vec::with_capacity(BATCH_GROUPS);
        while batch.len() < BATCH_GROUPS
            && let Some(group) = sources.next(&mut symbol_keys)?
        {
            batch.push(group);
        }
        if batch.is_empty() {
            break;
        }
        let raw: Vec<Vec<u8>> = batch.par_iter().map(|group| block::source_to_bytes(group)).collect();
        check_rows_limit(generation, &raw)?;
        for (group, source) in batch.iter().zip(number_blocks(PayloadKind::Text, raw)?) {
            let count = |rows: usize| u32::try_from(rows).unwrap_or(u32::MAX);
            for rows in group {
                chunks.push((next_chunk, rows.chunks.len(), file_key(&rows.file.repo, &rows.file.path)[0]));
                next_chunk = next_chunk.plus(count(rows.chunks.len()));
            }
            groups.push(Group {
                files: count(group.len()),
                symbols: count(group.iter().map(|rows| rows.symbols.len()).sum()),
                chunks: count(group.iter().map(|rows| rows.chunks.len()).sum()),
                source,
                edges: 0,
                vectors: Vec::new(),
            });
        }
    }

    let (externals, keys) = externals(generation, &mut number_blocks)?;
    let mut edges = FileEdgesReader::open(generation)?;
    let mut file = FileId::default();
    for batch in groups.chunks_mut(BATCH_GROUPS) {
        let mut rows = Vec::with_capacity(batch.len());
        for group in &*batch {
            let end = file.plus(group.files);
            let own = FileId::range(file..end).map(|_| Ok(edges.next_file()?)).collect::<Result<Vec<_>>>()?;
            rows.push((file, own));
            file = end;
        }
        let raw: Result<Vec<_>, _> =
            rows.par_iter().map(|(first, edges)| edges::edges_to_bytes(*first, edges, &symbol_keys, &keys)).collect();
        let raw = raw.map_err(|what| damaged("edges", what))?;
        check_rows_limit(generation, &raw)?;
        for (group, number) in batch.iter_mut().zip(number_blocks(PayloadKind::Text, raw)?) {
            group.edges = number;
        }
    }

    if let Some(mut vectors) = VectorsByFile::open(generation)? {
        let mut chunks = chunks.iter().enumerate();
        for batch in groups.chunks_mut(BATCH_GROUPS) {
            let mut rows = Vec::with_capacity(batch.len());
            for group in &*batch {
                let files = chunks.by_ref().take(group.files as usize);
                let found: Vec<_> =
                    files.map(|(n, &(first, count, key))| (key, vectors.take(FileId::at(n), first, count))).collect();
                rows.push(split_vectors(found));
            }
            let raw: Vec<_> = rows.par_iter().flatten().map(|piece| block::vectors_to_bytes(piece)).collect();
            check_rows_limit(generation, &raw)?;
            let mut numbers = number_blocks(PayloadKind::Numbers, raw)?.into_iter();
            for (group, pieces) in batch.iter_mut().zip(&rows) {
                group.vectors.extend(numbers.by_ref().take(pieces.len()));
            }
        }
        vectors.finish()?;
    }

    let skipped = TableReader::<SkippedRow>::read_all(&generation.table(SkippedRow::TABLE))?;
    let skipped = number_blocks(PayloadKind::Text, vec![block::skipped_to_bytes(&skipped)])?;
    // Unpacking writes its own files and features.
    let manifest = Manifest { files: Vec::new(), reader_features: Vec::new(), ..generation.manifest().clone() };
    Ok(PackIndex {
        manifest: serde_json::to_string(&manifest).map_err(std::io::Error::from)?,
        profile,
        groups,
        externals,
        dictionary: Vec::new(),
        skipped: skipped.first().copied().unwrap_or(0),
        blobs: blobs(generation, profile, table, &mut number_blocks)?,
        blocks: Vec::new(),
    })
}

/// Refuses blocks of rows that no reader would unpack.
fn check_rows_limit(generation: &Generation, raw: &[Vec<u8>]) -> Result<()> {
    let largest = raw.iter().map(|bytes| bytes.len() as u64).max().unwrap_or(0);
    if largest <= limit::ROWS_BYTES {
        return Ok(());
    }
    let path = generation.root().to_owned();
    Err(Error::Limit { path, what: limit::ROWS_LABEL, found: largest, limit: limit::ROWS_BYTES })
}

/// Encodes the external symbols in blocks, sorted by family, module and name. Returns the blocks' numbers, and the
/// symbols' keys by id.
fn externals(
    generation: &Generation,
    number_blocks: &mut impl FnMut(PayloadKind, Vec<Vec<u8>>) -> Result<Vec<u32>>,
) -> Result<(Vec<u32>, FxHashMap<u32, ShortHash>)> {
    let mut rows = TableReader::<ExternalRow>::read_all(&generation.table(ExternalRow::TABLE))?;
    let key = |row: &ExternalRow| external_key(&row.family, &row.name);
    let keys = rows.iter().map(|row| (row.external_id, key(row))).collect();
    rows.sort_by(|a, b| (&a.family, &a.module, &a.name).cmp(&(&b.family, &b.module, &b.name)));
    let ends = |row: &ExternalRow| u16::from_le_bytes([key(row)[0], key(row)[1]]) % EXTERNALS_BOUNDARY_MODULUS == 0;
    let blocks = rows.split_inclusive(ends).map(block::externals_to_bytes).collect();
    Ok((number_blocks(PayloadKind::Text, blocks)?, keys))
}

/// Stores the files without rows, in pieces.
fn blobs(
    generation: &Generation,
    profile: Profile,
    table: Option<&Path>,
    number_blocks: &mut impl FnMut(PayloadKind, Vec<Vec<u8>>) -> Result<Vec<u32>>,
) -> Result<Vec<Blob>> {
    // The folder, path and digest of each file.
    let mut files: Vec<(&Path, String, [u8; 32])> = Vec::new();
    for entry in &generation.manifest().files {
        let is_replaced = table.is_some() && entry.path.split('/').next() == Some(part::LANCE);
        if Profile::of_file(&entry.path).is_none_or(|required| required > profile) || is_replaced {
            continue;
        }
        let damaged = || Error::damaged(&generation.path(&entry.path), "its digest is not a blake3 hash");
        let digest = Digest::from_hex(&entry.blake3).ok_or_else(damaged)?;
        files.push((generation.root(), entry.path.clone(), digest.0));
    }
    if let Some(root) = table {
        for path in files_below(root)? {
            let (digest, _) = sextant_format::digest::hash_file(&root.join(&path))?;
            files.push((root, path, digest.0));
        }
    }
    let mut blobs = Vec::new();
    for (root, path, blake3) in files {
        let Some(profile) = Profile::of_file(&path) else { continue };
        let bytes = sextant_format::mapped::map_file(&root.join(&path))?;
        let (min, average, max) = CDC_PIECE_BYTES;
        let pieces: Vec<_> = fastcdc::v2020::FastCDC::new(&bytes, min, average, max).collect();
        let mut blocks = Vec::with_capacity(pieces.len());
        for pieces in pieces.chunks(CDC_BATCH_PIECES) {
            let raw = pieces.iter().map(|piece| bytes[piece.offset..piece.offset + piece.length].to_vec()).collect();
            let payload = if path.ends_with(".json") { PayloadKind::Text } else { PayloadKind::Numbers };
            blocks.extend(number_blocks(payload, raw)?);
        }
        blobs.push(Blob { bytes: bytes.len() as u64, path, blake3, profile, blocks });
    }
    Ok(blobs)
}

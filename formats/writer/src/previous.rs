//! An earlier generation whose rows and documents are reused: those of unchanged files stay where they are stored.

use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::joining::{are_too_many, segments_to_join};
use crate::previous_edges::{EdgesState, PreviousEdges, PreviousList};
use crate::previous_text::PreviousText;
use crate::{Error, Result};
use sextant_format::digest::{Digest, hash_file};
use sextant_format::generation::{Generation, part};
use sextant_format::graph::Graph;
use sextant_format::ids::{ChunkId, FileId, SymbolId};
use sextant_format::keys::SymbolKeyTable;
use sextant_format::manifest::Segment;
use sextant_format::publish::link_or_copy_file;
use sextant_format::segments::{Rows, StoredFile};
use sextant_format::tables::{
    ChunkRow, DirectoryRow, EdgeRow, ExternalRow, FileRow, FileVectorRow, Row as _, SymbolRow, TableReader,
};
use sextant_format::version::{FEATURE_VERSION, FORMAT_VERSION};

/// With more stored edges than this for each hundred live ones, all rows are written again. Edges are a twentieth of an
/// index (10.7 of 202 MB for Kafka), so this costs at most as much again.
const MAX_STORED_EDGES_PERCENT: u64 = 200;

/// An earlier generation whose rows can be reused.
pub struct PreviousGeneration {
    pub(crate) root: PathBuf,
    pub(crate) segments: Vec<Segment>,
    /// Taken when a generation is written.
    pub(crate) text: Option<PreviousText>,
    pub(crate) chunk_rows: Rows<ChunkRow>,
    pub(crate) symbol_rows: Rows<SymbolRow>,
    pub(crate) files: FxHashMap<(String, String), PreviousFile>,
    /// For each file of the new generation so far, what is reused of its edges.
    lists: Vec<Option<PreviousList>>,
    /// Taken when the files of a generation are written.
    edges: Option<EdgesState>,
    /// The hash of the encoder; none if there are no vectors.
    model: Option<String>,
}

/// A file of the earlier generation.
pub(crate) struct PreviousFile {
    /// Its number in that generation.
    number: FileId,
    pub(crate) row: FileRow,
    pub(crate) stored: StoredFile,
    pub(crate) rows_hash: Digest,
    pub(crate) vectors_hash: Digest,
    pub(crate) edges_hash: Digest,
    /// Its vector; none if it has none.
    pub(crate) vector: Option<FileVectorRow>,
    pub(crate) chunks: Range<ChunkId>,
    pub(crate) symbols: Range<SymbolId>,
    pub(crate) is_reused: bool,
    /// Whether its rows are written again, so that a small segment is used no longer.
    is_moved: bool,
}

impl PreviousGeneration {
    /// Opens a generation that was built with the same settings. None if it has another format or needs compaction.
    ///
    /// # Errors
    /// The generation cannot be read, or is damaged.
    pub fn open(generation: &Generation) -> Result<Option<Self>> {
        let manifest = generation.manifest();
        if (manifest.format_version, manifest.feature_version) != (FORMAT_VERSION, FEATURE_VERSION) {
            return Ok(None);
        }
        let stored_edges: u64 = manifest.segments.iter().map(|segment| u64::from(segment.edges)).sum();
        if stored_edges * 100 > manifest.rows(EdgeRow::TABLE) * MAX_STORED_EDGES_PERCENT {
            return Ok(None);
        }
        check_reused_files(generation)?;
        let Some(text) = PreviousText::open(generation)? else { return Ok(None) };
        let rows: Vec<u64> = manifest.segments.iter().map(rows_of).collect();
        if are_too_many(&rows) {
            return Ok(None);
        }
        let mut files = previous_files(generation)?;
        let joined: Vec<&Segment> =
            segments_to_join(&rows, rows.iter().sum()).into_iter().map(|at| &manifest.segments[at]).collect();
        let is_moved = |file: &PreviousFile| joined.iter().any(|segment| is_in(&file.stored, segment));
        files.values_mut().for_each(|file| file.is_moved = is_moved(file));
        Ok(Some(Self {
            root: generation.root().to_owned(),
            segments: manifest.segments.clone(),
            text: Some(text),
            // Opened now, because another build may remove the generation before they are read.
            chunk_rows: generation.chunks()?,
            symbol_rows: generation.symbols()?,
            files,
            lists: Vec::new(),
            edges: Some(EdgesState {
                graph: Graph::open(&generation.path(part::GRAPH))?,
                rows: generation.edges()?,
                maps: generation.row_maps()?,
                externals: TableReader::read_all(&generation.table(ExternalRow::TABLE))?,
                path: generation.path(part::GRAPH),
            }),
            model: manifest.model.as_ref().map(|model| model.hash.clone()),
        }))
    }

    /// Whether its vectors are those of this encoder; none for no vectors.
    #[must_use]
    pub fn has_model(&self, hash: Option<&str>) -> bool {
        self.model.as_deref() == hash
    }

    /// Links the segments that have a row or an edge of a reused file below `root`.
    pub(crate) fn link_segments(&self, root: &Path) -> Result<Vec<Segment>> {
        let is_used =
            |segment: &&Segment| self.files.values().any(|file| file.is_reused && is_in(&file.stored, segment));
        let used: Vec<Segment> = self.segments.iter().filter(is_used).cloned().collect();
        for segment in &used {
            let folder = format!("{}/{}", part::SEGMENTS, segment.name);
            fs_err::create_dir_all(root.join(&folder))?;
            for entry in fs_err::read_dir(self.root.join(&folder))? {
                let name = entry?.file_name();
                link_or_copy_file(&self.root, root, &format!("{folder}/{}", name.to_string_lossy()))?;
            }
        }
        Ok(used)
    }

    /// The addresses of the chunks of files that are not reused, ascending.
    pub(crate) fn removed_chunks(&self) -> Vec<Range<u32>> {
        let removed = self.files.values().filter(|file| !file.is_reused).map(|file| file.stored.chunks.clone());
        let mut removed: Vec<Range<u32>> = removed.filter(|range| !range.is_empty()).collect();
        removed.sort_unstable_by_key(|range| range.start);
        removed
    }

    /// The rows of the next file, if it is unchanged; none if its rows differ. Without their hash, they are known to be the
    /// same.
    pub(crate) fn reuse_file(&mut self, file: &FileRow, rows_hash: Option<Digest>) -> Option<&PreviousFile> {
        let previous = self.files.get_mut(&(file.repo.clone(), file.path.clone()));
        let is_same = |hash: Digest| rows_hash.is_none_or(|rows_hash| rows_hash == hash);
        let can_be_same = |previous: &&mut PreviousFile| !previous.is_reused && !previous.is_moved;
        let same = previous.filter(|previous| can_be_same(previous) && is_same(previous.rows_hash));
        self.lists.push(same.as_ref().map(|previous| PreviousList {
            edges: previous.stored.edges.clone(),
            hash: previous.edges_hash,
            number: previous.number,
            symbols: previous.symbols.clone(),
            is_current: true,
        }));
        let same = same?;
        same.is_reused = true;
        Some(same)
    }

    /// The ids under which the symbols of a changed file are stored: those of its symbols with the same keys before; others
    /// have the addresses of their rows, which begin with `first`. `keys` has the symbols of the file, which are `symbols`.
    ///
    /// # Errors
    /// Its rows cannot be read, or are damaged.
    pub(crate) fn symbol_ids(
        &self,
        file: &FileRow,
        keys: &SymbolKeyTable,
        symbols: Range<SymbolId>,
        first: SymbolId,
    ) -> Result<Vec<SymbolId>> {
        let mut keys_before = SymbolKeyTable::default();
        let before = self.files.get(&(file.repo.clone(), file.path.clone())).filter(|before| !before.is_reused);
        if let Some(before) = before {
            let ids: Vec<SymbolId> = SymbolId::range(before.symbols.clone()).collect();
            let names = self.symbol_rows.column::<String>("name", &ids)?;
            keys_before.add(&file.repo, &file.path, names.iter().map(String::as_str));
        }
        let stored = |symbol| {
            let at = keys_before.symbol_of(&keys.key_of(symbol)?)?;
            self.edges.as_ref()?.stored_id(before?.symbols.start.plus(at.get())).map(SymbolId::new)
        };
        Ok((0..).zip(SymbolId::range(symbols)).map(|(at, symbol)| stored(symbol).unwrap_or(first.plus(at))).collect())
    }

    /// A file whose rows can be reused, with the number of its chunks.
    #[must_use]
    pub fn file(&self, repo: &str, path: &str) -> Option<(&FileRow, u32)> {
        let file = self.files.get(&(repo.to_owned(), path.to_owned())).filter(|file| !file.is_moved)?;
        Some((&file.row, file.stored.chunks.end - file.stored.chunks.start))
    }

    /// The number of files.
    #[must_use]
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// Its number of symbols.
    pub(crate) fn symbols(&self) -> usize {
        self.edges.as_ref().map_or(0, |edges| edges.graph.nodes())
    }

    /// The edges that may be kept, once all files are written.
    pub(crate) fn take_edges(&mut self) -> Option<PreviousEdges> {
        let mut changed: Vec<Range<SymbolId>> =
            self.files.values().filter(|file| !file.is_reused).map(|file| file.symbols.clone()).collect();
        changed.sort_unstable_by_key(|symbols| symbols.start);
        let (lists, state) = (std::mem::take(&mut self.lists), self.edges.take()?);
        Some(PreviousEdges { lists, state, changed, symbols_now: Vec::new(), shared: Vec::new() })
    }
}

/// How large a segment is: all rows that it stores, live or not.
fn rows_of(segment: &Segment) -> u64 {
    [segment.chunks, segment.symbols, segment.edges].map(u64::from).iter().sum()
}

/// Whether a segment has the rows or the edges of a file.
fn is_in(stored: &StoredFile, segment: &Segment) -> bool {
    let files = segment.first_file..segment.first_file + segment.files;
    let edges = segment.first_edge..segment.first_edge + segment.edges;
    files.contains(&stored.file) || !stored.edges.is_empty() && edges.contains(&stored.edges.start)
}

/// Checks every file that is reused or read, so that damage is not passed on.
fn check_reused_files(generation: &Generation) -> Result<()> {
    let tables = [FileRow::TABLE, DirectoryRow::TABLE, FileVectorRow::TABLE, ExternalRow::TABLE]
        .map(|table| format!("{table}.parquet"));
    let folders = [part::TEXT, part::SEGMENTS, part::LANCE];
    check_files(generation, |path| {
        let folder = path.split_once('/').map_or("", |(folder, _)| folder);
        folders.contains(&folder) || path == part::GRAPH || tables.iter().any(|table| table == path)
    })
}

/// Checks the files of a generation that `is_checked` names against the digests of its manifest.
///
/// # Errors
/// A file cannot be read, or has other bytes.
pub fn check_files(generation: &Generation, is_checked: impl Fn(&str) -> bool + Sync) -> Result<()> {
    generation.manifest().files.par_iter().filter(|entry| is_checked(&entry.path)).try_for_each(|entry| {
        let path = generation.path(&entry.path);
        let is_intact = Digest::from_hex(&entry.blake3) == Some(hash_file(&path)?.0);
        if is_intact { Ok(()) } else { Err(Error::damaged(&path, "its bytes differ from the manifest's digest")) }
    })
}

fn previous_files(generation: &Generation) -> Result<FxHashMap<(String, String), PreviousFile>> {
    let damaged = |what: &str| Error::damaged(&generation.table(DirectoryRow::TABLE), what);
    let rows = generation.files()?;
    let directory = generation.directory()?;
    if rows.len() != directory.len() {
        return Err(damaged("it does not have the files of the index"));
    }
    let mut vectors: FxHashMap<FileId, FileVectorRow> = FxHashMap::default();
    generation.each_file_vector(|row| {
        vectors.insert(row.file_id, row);
    })?;
    let mut files = FxHashMap::with_capacity_and_hasher(rows.len(), rustc_hash::FxBuildHasher);
    let (mut next_chunk, mut next_symbol) = (ChunkId::default(), SymbolId::default());
    let count = rows.len();
    for (at, (row, listed)) in rows.into_iter().zip(directory).enumerate() {
        let (chunks, symbols) = (next_chunk, next_symbol);
        next_chunk = next_chunk.plus(listed.chunks);
        next_symbol = next_symbol.plus(listed.symbols);
        let key = (row.repo.clone(), row.path.clone());
        let file = PreviousFile {
            number: FileId::at(at),
            stored: listed.stored(),
            rows_hash: listed.rows_hash,
            vectors_hash: listed.vectors_hash,
            edges_hash: listed.edges_hash,
            vector: vectors.remove(&row.file_id),
            chunks: chunks..next_chunk,
            symbols: symbols..next_symbol,
            row,
            is_reused: false,
            is_moved: false,
        };
        files.insert(key, file);
    }
    if files.len() < count { Err(damaged("a file occurs twice")) } else { Ok(files) }
}

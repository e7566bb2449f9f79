//! An earlier generation whose rows and documents are reused: those of unchanged files stay where they are stored.

use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::previous_text::PreviousText;
use crate::{Error, Result};
use sextant_format::digest::{Digest, hash_file};
use sextant_format::generation::{Generation, part};
use sextant_format::ids::{ChunkId, FileId, SymbolId};
use sextant_format::manifest::Segment;
use sextant_format::publish::link_or_copy_file;
use sextant_format::segments::{Rows, StoredFile};
use sextant_format::tables::{ChunkRow, DirectoryRow, FileRow, FileVectorRow, Row as _, SymbolRow};
use sextant_format::version::{FEATURE_VERSION, FORMAT_VERSION};

/// An earlier generation whose rows can be reused.
pub struct PreviousGeneration {
    pub(crate) root: PathBuf,
    pub(crate) segments: Vec<Segment>,
    /// Taken when a generation is written.
    pub(crate) text: Option<PreviousText>,
    pub(crate) chunk_rows: Rows<ChunkRow>,
    pub(crate) symbol_rows: Rows<SymbolRow>,
    pub(crate) files: FxHashMap<(String, String), PreviousFile>,
    /// The hash of the encoder; none if there are no vectors.
    model: Option<String>,
}

/// A file of the earlier generation.
pub(crate) struct PreviousFile {
    pub(crate) row: FileRow,
    pub(crate) stored: StoredFile,
    pub(crate) rows_hash: Digest,
    pub(crate) vectors_hash: Digest,
    /// Its vector; none if it has none.
    pub(crate) vector: Option<FileVectorRow>,
    pub(crate) chunks: Range<ChunkId>,
    pub(crate) symbols: Range<SymbolId>,
    pub(crate) is_reused: bool,
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
        check_reused_files(generation)?;
        let Some(text) = PreviousText::open(generation)? else { return Ok(None) };
        Ok(Some(Self {
            root: generation.root().to_owned(),
            segments: manifest.segments.clone(),
            text: Some(text),
            // Opened now, because another build may remove the generation before they are read.
            chunk_rows: generation.chunks()?,
            symbol_rows: generation.symbols()?,
            files: previous_files(generation)?,
            model: manifest.model.as_ref().map(|model| model.hash.clone()),
        }))
    }

    /// Whether its vectors are those of this encoder; none for no vectors.
    #[must_use]
    pub fn has_model(&self, hash: Option<&str>) -> bool {
        self.model.as_deref() == hash
    }

    /// Links the segments that have a row of a reused file below `root`.
    pub(crate) fn link_segments(&self, root: &Path) -> Result<Vec<Segment>> {
        let is_used = |segment: &&Segment| {
            let files = segment.first_file..segment.first_file + segment.files;
            self.files.values().any(|file| file.is_reused && files.contains(&file.stored.file))
        };
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

    /// The rows of an unchanged file; none if its rows differ.
    pub(crate) fn reuse_file(&mut self, file: &FileRow, rows_hash: Digest) -> Option<&PreviousFile> {
        let previous = self.files.get_mut(&(file.repo.clone(), file.path.clone()))?;
        if previous.is_reused || previous.rows_hash != rows_hash {
            return None;
        }
        previous.is_reused = true;
        Some(previous)
    }
}

/// Checks every file that is reused or read, so that damage is not passed on.
fn check_reused_files(generation: &Generation) -> Result<()> {
    let tables = [FileRow::TABLE, DirectoryRow::TABLE, FileVectorRow::TABLE].map(|table| format!("{table}.parquet"));
    let folders = [part::TEXT, part::SEGMENTS, part::LANCE];
    check_files(generation, |path| {
        let folder = path.split_once('/').map_or("", |(folder, _)| folder);
        folders.contains(&folder) || tables.iter().any(|table| table == path)
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
    let mut files = FxHashMap::default();
    let (mut next_chunk, mut next_symbol) = (ChunkId::default(), SymbolId::default());
    let count = rows.len();
    for (row, listed) in rows.into_iter().zip(directory) {
        let (chunks, symbols) = (next_chunk, next_symbol);
        next_chunk = next_chunk.plus(listed.chunks);
        next_symbol = next_symbol.plus(listed.symbols);
        let key = (row.repo.clone(), row.path.clone());
        let file = PreviousFile {
            stored: listed.stored(),
            rows_hash: listed.rows_hash,
            vectors_hash: listed.vectors_hash,
            vector: vectors.remove(&row.file_id),
            chunks: chunks..next_chunk,
            symbols: symbols..next_symbol,
            row,
            is_reused: false,
        };
        files.insert(key, file);
    }
    if files.len() < count { Err(damaged("a file occurs twice")) } else { Ok(files) }
}

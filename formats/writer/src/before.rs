//! What a text index takes over from an earlier generation: the documents of files that are the same.
//!
//! Its segments are taken as they are. Documents of files that are gone or different stay in them and stand for no
//! row any more; what they add to the counts of words is kept in an index of its own (`text/removed`), so that words
//! weigh what they would weigh in a fresh index. This module must not know what a document holds.

use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use tantivy::schema::Schema;

use crate::{Error, Result};
use sextant_format::digest::{Digest, of_file};
use sextant_format::generation::{Generation, part};
use sextant_format::publish::take_file;
use sextant_format::tables::{ChunkRow, FileRow, PointReader, Row, SymbolRow, TableReader};
use sextant_format::version::{FEATURE_VERSION, FORMAT_VERSION};
use sextant_text::index::{self as text, Order, Pieces, Places, Shift};

/// Documents whose rows are gone, for each hundred that stand for one, from which on a text index is written anew:
/// they are read by every search and take up space.
const WORN_PER_CENT: u64 = 20;
/// Generations from which on it is written anew: each adds segments, and every word is looked up in each of these.
const WORN_GENERATIONS: u32 = 16;
/// Chunks that are read at once when their words are taken away.
const REMOVED_AT_ONCE: usize = 4096;

/// An earlier generation whose documents can be taken over.
pub struct TextBefore {
    root: PathBuf,
    chunks: Half,
    symbols: Half,
    removed: u32,
    generations: u32,
    /// The files of its text index, by their paths below the generation.
    parts: Vec<String>,
    chunk_rows: PointReader<ChunkRow>,
    symbol_rows: PointReader<SymbolRow>,
    files: FxHashMap<(String, String), FileBefore>,
}

/// One of its two indexes.
struct Half {
    places: Places,
    segments: Vec<String>,
    /// All documents.
    documents: u64,
}

/// A file of the earlier generation.
struct FileBefore {
    row: FileRow,
    chunks: Range<u32>,
    symbols: Range<u32>,
    is_taken: bool,
}

impl Half {
    fn open(path: &Path, schema: &Schema, ids: &str, order: Option<&Order>, rows: u64) -> Result<Self> {
        let searcher = text::open(path, schema)?.1.searcher();
        let readers = searcher.segment_readers();
        let places = Places::of(&searcher, ids, order, path)?;
        if [places.documents(), u64::from(places.end())] != [rows; 2] {
            return Err(Error::damaged(path, format!("it has {} documents for {rows} rows", places.documents())));
        }
        Ok(Self {
            places,
            segments: readers.iter().map(|reader| reader.segment_id().uuid_string()).collect(),
            documents: readers.iter().map(|reader| u64::from(reader.max_doc())).sum(),
        })
    }

    /// Documents whose rows are gone.
    fn gone(&self) -> u64 {
        self.documents - self.places.documents().min(self.documents)
    }

    fn is_worn(&self) -> bool {
        self.gone() * 100 > self.places.documents() * WORN_PER_CENT
    }
}

impl TextBefore {
    /// Opens the text index of a generation that was made with the same settings. Nothing where it holds documents
    /// of another kind or too many whose rows are gone; an error where it is damaged.
    pub fn open(generation: &Generation) -> Result<Option<Self>> {
        let manifest = generation.manifest();
        if (manifest.format_version, manifest.feature_version) != (FORMAT_VERSION, FEATURE_VERSION) {
            return Ok(None);
        }
        check(generation)?;
        let pieces = Pieces::read(generation)?;
        let of = |part: &str, schema: &Schema, ids: &str, order: Option<&Order>, table: &str| {
            Half::open(&generation.path(part), schema, ids, order, manifest.rows(table))
        };
        let (of_chunks, of_symbols) = (text::chunk_schema().0, text::symbol_schema().0);
        let orders = pieces.as_ref().map(|pieces| (&pieces.chunks, &pieces.symbols)).unzip();
        let chunks = of(part::TEXT_CHUNKS, &of_chunks, "chunk_id", orders.0, ChunkRow::TABLE)?;
        let symbols = of(part::TEXT_SYMBOLS, &of_symbols, "symbol_id", orders.1, SymbolRow::TABLE)?;
        let (removed, generations) = pieces.as_ref().map_or((0, 0), |pieces| (pieces.removed, pieces.generations));
        if chunks.is_worn() || symbols.is_worn() || generations >= WORN_GENERATIONS {
            return Ok(None);
        }
        let path = generation.path(part::TEXT_REMOVED);
        let held = if removed > 0 { text::open(&path, &of_chunks)?.1.searcher().num_docs() } else { 0 };
        if [u64::from(removed), held] != [chunks.gone(); 2] {
            return Err(Error::damaged(&path, format!("it has {held} documents for {} that are gone", chunks.gone())));
        }
        let files = files(generation)?;
        let is_text = |path: &String| path.starts_with("text/") && path != part::TEXT_PIECES;
        let parts = manifest.files.iter().map(|entry| entry.path.clone()).filter(is_text).collect();
        // Opened now: another build may remove the generation before they are read.
        let chunk_rows = PointReader::open(&generation.table(ChunkRow::TABLE))?;
        let symbol_rows = PointReader::open(&generation.table(SymbolRow::TABLE))?;
        let root = generation.root().to_owned();
        Ok(Some(Self { root, chunks, symbols, removed, generations, parts, chunk_rows, symbol_rows, files }))
    }

    /// The file's rows in the earlier generation, where it is the same and has as many of them.
    fn take(&mut self, file: &FileRow, symbols: usize, chunks: usize) -> Option<&FileBefore> {
        let before = self.files.get_mut(&(file.repo.clone(), file.path.clone()))?;
        if before.is_taken {
            return None;
        }
        let is_same = FileRow { file_id: before.row.file_id, ..file.clone() } == before.row;
        before.is_taken = is_same && before.chunks.len() == chunks && before.symbols.len() == symbols;
        before.is_taken.then_some(before)
    }
}

/// Every byte that is taken over or read must be the one that was published: what is damaged would be handed on.
fn check(generation: &Generation) -> Result<()> {
    let tables = [FileRow::TABLE, ChunkRow::TABLE, SymbolRow::TABLE].map(|table| format!("{table}.parquet"));
    generation.manifest().files.par_iter().try_for_each(|entry| {
        if !entry.path.starts_with("text/") && !tables.contains(&entry.path) {
            return Ok(());
        }
        let path = generation.path(&entry.path);
        let is_whole = Digest::from_hex(&entry.blake3) == Some(of_file(&path)?.0);
        if is_whole { Ok(()) } else { Err(Error::damaged(&path, "its bytes are not those of the manifest")) }
    })
}

fn files(generation: &Generation) -> Result<FxHashMap<(String, String), FileBefore>> {
    let rows = TableReader::<FileRow>::read_all(&generation.table(FileRow::TABLE))?;
    let chunks = ranges::<ChunkRow>(generation, rows.len())?;
    let symbols = ranges::<SymbolRow>(generation, rows.len())?;
    let of = |(row, (chunks, symbols)): (FileRow, (Range<u32>, Range<u32>))| {
        ((row.repo.clone(), row.path.clone()), FileBefore { row, chunks, symbols, is_taken: false })
    };
    let count = rows.len();
    let is_numbered = (0..).zip(&rows).all(|(n, row)| row.file_id == n);
    let files: FxHashMap<_, _> = rows.into_iter().zip(chunks.into_iter().zip(symbols)).map(of).collect();
    if !is_numbered || files.len() < count {
        return Err(Error::damaged(&generation.table(FileRow::TABLE), "a file has another number or is there twice"));
    }
    Ok(files)
}

/// The rows of each file in a table that has them in the order of the files.
fn ranges<R: Row>(generation: &Generation, files: usize) -> Result<Vec<Range<u32>>> {
    let path = generation.table(R::TABLE);
    let reader = PointReader::<R>::open(&path)?;
    let mut counts = vec![0_u32; files];
    let (mut last, mut is_wrong) = (0, false);
    for group in 0..reader.groups() {
        reader.scan::<u32>("file_id", group, |_, &file| match counts.get_mut(file as usize) {
            Some(count) if file >= last => (*count, last) = (*count + 1, file),
            _ => is_wrong = true,
        })?;
    }
    if is_wrong {
        return Err(Error::damaged(&path, "its rows are not in the order of the files"));
    }
    let mut next = 0;
    Ok(counts.into_iter().map(|count| (next..next + count, next += count).0).collect())
}

/// What a text index takes over while it is written.
pub(super) struct Taken {
    before: TextBefore,
    chunks: Taking,
    symbols: Taking,
    next: Next,
}

/// The ids of the next rows.
#[derive(Default)]
struct Next {
    file: u32,
    chunk: u32,
    symbol: u32,
}

/// One of the two indexes while it is written.
#[derive(Default)]
struct Taking {
    order: Order,
    /// Documents that were added.
    added: u32,
}

impl Taking {
    fn new(half: &Half) -> Self {
        Self { order: Order { segments: half.segments.clone(), pieces: Vec::new() }, added: 0 }
    }

    fn take(&mut self, places: &Places, rows: Range<u32>, more: Shift) {
        for run in places.runs(rows) {
            let Shift { file, chunk, symbol } = run.shift;
            let shift = Shift {
                file: file.saturating_add(more.file),
                chunk: chunk.saturating_add(more.chunk),
                symbol: symbol.saturating_add(more.symbol),
            };
            self.order.push(run.ordinal, run.first..run.last + 1, shift);
        }
    }

    /// Documents that are added have no segment yet: they are numbered in a row, in one that is not listed.
    fn add(&mut self, documents: usize) {
        let end = self.added.saturating_add(u32::try_from(documents).unwrap_or(u32::MAX));
        let unlisted = u32::try_from(self.order.segments.len()).unwrap_or(u32::MAX);
        self.order.push(unlisted, self.added..end, Shift::default());
        self.added = end;
    }

    /// Gives the documents that were added their segments, which hold them in the order of their ids.
    fn settle(self, path: &Path, schema: &Schema, ids: &str) -> Result<Order> {
        let Order { segments: mut listed, pieces } = self.order;
        let searcher = text::open(path, schema)?.1.searcher();
        let mut new = Vec::new();
        for reader in searcher.segment_readers() {
            let id = reader.segment_id().uuid_string();
            if !listed.contains(&id) {
                let first = reader.fast_fields().u64(ids)?.first(0);
                new.push((first, id, reader.max_doc()));
            }
        }
        new.sort();
        let unlisted = u32::try_from(listed.len()).unwrap_or(u32::MAX);
        let mut order = Order::default();
        for piece in pieces {
            let documents = piece.document..piece.document + piece.documents;
            if piece.segment != unlisted {
                order.push(piece.segment, documents, piece.shift);
                continue;
            }
            let mut first = 0;
            for (segment, (_, _, held)) in (unlisted..).zip(&new) {
                let (from, to) = (documents.start.max(first), documents.end.min(first + held));
                if from < to {
                    order.push(segment, from - first..to - first, piece.shift);
                }
                first += held;
            }
        }
        listed.extend(new.into_iter().map(|(_, id, _)| id));
        Ok(Order { segments: listed, ..order })
    }
}

impl Taken {
    /// Puts the segments below `root`.
    pub(super) fn create(before: TextBefore, root: &Path) -> Result<Self> {
        let (chunks, symbols) = (Taking::new(&before.chunks), Taking::new(&before.symbols));
        for part in [part::TEXT_CHUNKS, part::TEXT_SYMBOLS, part::TEXT_REMOVED] {
            let inside = |path: &&String| path.rsplit_once('/').is_some_and(|(folder, _)| folder == part);
            for path in before.parts.iter().filter(inside) {
                fs_err::create_dir_all(root.join(part))?;
                if path.ends_with("/meta.json") {
                    // The list of segments is replaced; what it lists is never written to.
                    fs_err::write(root.join(path), fs_err::read(before.root.join(path))?)?;
                } else {
                    take_file(&before.root, root, path)?;
                }
            }
        }
        Ok(Self { before, chunks, symbols, next: Next::default() })
    }

    /// Takes a file with so many symbols and chunks, which are the next ones. Where it is not the same as before its
    /// documents must be added, and the answer is no.
    pub(super) fn file(&mut self, file: &FileRow, symbols: usize, chunks: usize) -> bool {
        let more = |now: u32, before: u32| i64::from(now) - i64::from(before);
        let before = self.before.take(file, symbols, chunks).map(|before| {
            let shift = Shift {
                file: more(self.next.file, before.row.file_id),
                chunk: more(self.next.chunk, before.chunks.start),
                symbol: more(self.next.symbol, before.symbols.start),
            };
            (before.chunks.clone(), before.symbols.clone(), shift)
        });
        self.next.file += 1;
        self.next.chunk += chunks as u32;
        self.next.symbol += symbols as u32;
        let Some((of_chunks, of_symbols, shift)) = before else {
            self.chunks.add(chunks);
            self.symbols.add(symbols);
            return false;
        };
        self.chunks.take(&self.before.chunks.places, of_chunks, shift);
        self.symbols.take(&self.before.symbols.places, of_symbols, shift);
        true
    }

    /// Gives the chunks that are no longer there, with their files and symbols, some files at once.
    pub(super) fn removed(
        &self,
        mut each: impl FnMut(&FileRow, &ChunkRow, Option<&SymbolRow>) -> Result<()>,
    ) -> Result<u32> {
        let mut gone: Vec<&FileBefore> = self.before.files.values().filter(|file| !file.is_taken).collect();
        gone.sort_unstable_by_key(|file| file.row.file_id);
        let (chunks, symbols) = (&self.before.chunk_rows, &self.before.symbol_rows);
        let mut removed = self.before.removed;
        while !gone.is_empty() {
            let mut wanted = Vec::new();
            let taken = gone.iter().take_while(|file| {
                let fits = wanted.len() < REMOVED_AT_ONCE;
                if fits {
                    wanted.extend(file.chunks.clone());
                }
                fits
            });
            let files: FxHashMap<u32, &FileRow> = taken.map(|file| (file.row.file_id, &file.row)).collect();
            gone.drain(..files.len());
            let rows = chunks.rows(&wanted)?;
            let ids: Vec<u32> = rows.iter().filter_map(|row| row.symbol_id).collect();
            let of: FxHashMap<u32, SymbolRow> =
                symbols.rows(&ids)?.into_iter().map(|row| (row.symbol_id, row)).collect();
            for row in &rows {
                let file = files.get(&row.file_id);
                let file = file.ok_or_else(|| Error::damaged(&self.before.root, "a chunk is of another file"))?;
                each(file, row, row.symbol_id.and_then(|id| of.get(&id)))?;
                removed += 1;
            }
        }
        Ok(removed)
    }

    /// Writes where the documents are, when they have been committed.
    pub(super) fn finish(self, root: &Path, removed: u32) -> Result<()> {
        let of = |taking: Taking, part: &str, schema: &Schema, ids: &str| taking.settle(&root.join(part), schema, ids);
        let pieces = Pieces {
            chunks: of(self.chunks, part::TEXT_CHUNKS, &text::chunk_schema().0, "chunk_id")?,
            symbols: of(self.symbols, part::TEXT_SYMBOLS, &text::symbol_schema().0, "symbol_id")?,
            removed,
            generations: self.before.generations + 1,
        };
        let text = serde_json::to_vec(&pieces).map_err(std::io::Error::from)?;
        Ok(fs_err::write(root.join(part::TEXT_PIECES), text)?)
    }
}

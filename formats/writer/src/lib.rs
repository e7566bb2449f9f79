//! Writes rows into the files of a generation: tables, full text, vectors and graph, with the hashes of each file's rows.
//!
//! Rows arrive file by file, in order, with their final ids; edges follow after the last file. Builds and pulls share
//! this writer, so equal rows produce equal files. This crate must not know where rows come from.

mod edges;
mod error;
mod external_ids;
mod file_vectors;
mod joining;
mod ordinals;
mod previous;
mod previous_edges;
mod previous_text;
mod room;
mod segment;
mod segment_reuse;
mod text;
mod written;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use sextant_format::digest::{Digest, RowHasher};
use sextant_format::hashes::{VectorsHasher, hash_rows};
use sextant_format::ids::{ChunkId, FileId, FirstIds, SymbolId};
use sextant_format::keys::SymbolKeyTable;
use sextant_format::manifest::Segment;
use sextant_format::tables::{ChunkRow, DirectoryRow, FileRow, FileVectorRow, Row, SkippedRow, SymbolRow, TableWriter};
use sextant_format::vectors::QuantizedVector;

pub use edges::{EdgesWriter, GraphWriter};
pub use error::{Error, Result};
use file_vectors::{VectorsWriter, WrittenVectors};
use ordinals::{number_chunks, number_symbols};
pub use previous::{PreviousGeneration, check_files};
use segment::{SegmentWriter, following};
pub use text::{TEXT_MEMORY, TextWriter};
pub use written::WrittenGeneration;
use written::{ListedFile, UnfinishedFiles, table_path};

/// Writer of a generation that receives files and their rows.
pub struct GenerationWriter {
    root: PathBuf,
    files: TableWriter<FileRow>,
    skipped: TableWriter<SkippedRow>,
    skipped_hasher: RowHasher,
    text: TextWriter,
    vectors: Option<VectorsWriter>,
    dims: Option<usize>,
    /// The segment of the rows that no earlier segment has; none as long as there are none.
    segment: Option<SegmentWriter>,
    /// That segment without rows.
    following: Segment,
    previous: Option<PreviousGeneration>,
    /// The last file; none before the first one.
    last: Option<LastFile>,
    counts: Counts,
    repositories: Vec<WrittenRepository>,
    directory: Vec<ListedFile>,
    /// For each symbol, one more than the number of its container in its file, or 0.
    containers: Vec<u32>,
    keys: SymbolKeyTable,
}

/// The file whose vectors may follow.
struct LastFile {
    /// The id and the address of its first chunk.
    first_chunk: (ChunkId, ChunkId),
    is_reused: bool,
}

/// Where the rows of a file are stored.
#[derive(Clone, Copy, Debug)]
pub struct PushedFile {
    /// The addresses with which they begin.
    pub first: FirstIds,
    /// Whether they are those of the previous generation.
    pub is_reused: bool,
}

/// Numbers of live rows.
#[derive(Default)]
struct Counts {
    chunks: u64,
    symbols: u64,
    vectors: u64,
}

/// A generation whose files are complete.
pub struct FinishedFiles<'a> {
    /// Receives the edges.
    pub edges: EdgesWriter<'a>,
    /// The text index, which [`TextWriter::finish_concurrently`] finishes while edges are written.
    pub text: TextWriter,
    /// The addresses of the chunks of the previous generation that this one does not have.
    pub removed_chunks: Vec<Range<u32>>,
}

/// A repository whose files are being written.
struct WrittenRepository {
    name: String,
    tree: RowHasher,
}

impl GenerationWriter {
    /// Creates the files below `root`, for repositories with these names. `dims` is the number of dimensions of
    /// vectors, none if there are no vectors. The text index closes a segment when it uses `text_memory` bytes, and
    /// reuses rows and documents of `previous`, which must have been built with the same settings and encoder.
    ///
    /// # Errors
    /// A file cannot be created, or a segment cannot be reused.
    pub fn create(
        root: &Path,
        repositories: &[String],
        dims: Option<usize>,
        text_memory: usize,
        mut previous: Option<PreviousGeneration>,
    ) -> Result<Self> {
        let repository = |name: &String| WrittenRepository { name: name.clone(), tree: RowHasher::default() };
        let symbols = room::for_about(previous.as_ref().map_or(0, PreviousGeneration::symbols));
        let mut keys = SymbolKeyTable::default();
        keys.reserve(symbols);
        Ok(Self {
            root: root.to_owned(),
            files: TableWriter::create(&table_path::<FileRow>(root))?,
            skipped: TableWriter::create(&table_path::<SkippedRow>(root))?,
            skipped_hasher: RowHasher::default(),
            text: TextWriter::create(root, text_memory, previous.as_mut().and_then(|previous| previous.text.take()))?,
            vectors: dims.map(|_| VectorsWriter::create(root)).transpose()?,
            dims,
            segment: None,
            following: following(previous.as_ref().map_or(&[], |previous| previous.segments.as_slice())),
            previous,
            last: None,
            counts: Counts::default(),
            repositories: repositories.iter().map(repository).collect(),
            directory: Vec::new(),
            containers: Vec::with_capacity(symbols),
            keys,
        })
    }

    /// Appends a path that is not indexed.
    ///
    /// # Errors
    /// The row cannot be written.
    pub fn push_skipped(&mut self, row: SkippedRow) -> Result<()> {
        row.digest(FirstIds::default(), &mut self.skipped_hasher);
        Ok(self.skipped.push(row)?)
    }

    /// Appends a file with its symbols and chunks, in order of their ids. Sets their ordinals. Returns where its rows
    /// are.
    ///
    /// # Errors
    /// A row cannot be written, the repository is unknown, or a chunk refers to a symbol of another file: such an index
    /// could not be opened.
    pub fn push_file(
        &mut self,
        file: FileRow,
        mut symbols: Vec<SymbolRow>,
        mut chunks: Vec<ChunkRow>,
    ) -> Result<PushedFile> {
        number_symbols(&mut symbols);
        number_chunks(&mut chunks);
        let repository = self.begin_file(&file)?;
        let container = |symbol: &SymbolRow| symbol.container_id?.rows_after(symbols[0].symbol_id);
        self.containers.extend(symbols.iter().map(container).map(numbered));
        let start = SymbolId::at(self.keys.symbols());
        self.keys.add(&file.repo, &file.path, symbols.iter().map(|symbol| symbol.name.as_str()));
        let own = start..SymbolId::at(self.keys.symbols());
        let first = FirstIds {
            file: file.file_id,
            chunk: chunks.first().map(|chunk| chunk.chunk_id).unwrap_or_default(),
            symbol: symbols.first().map(|symbol| symbol.symbol_id).unwrap_or_default(),
        };
        let count = |rows: usize| u32::try_from(rows).unwrap_or(u32::MAX);
        let (chunk_count, symbol_count) = (count(chunks.len()), count(symbols.len()));
        let rows_hash = hash_rows(&file, &symbols, &chunks);
        let previous = self.previous.as_mut().and_then(|previous| previous.reuse_file(&file, Some(rows_hash)));
        let is_reused = previous.is_some();
        self.text.push_file(&file, previous, &symbols, &chunks)?;
        if let Some(vectors) = &mut self.vectors {
            vectors.begin_file(&symbols, &chunks, previous)?;
        }
        let (at, symbol_ids) = match previous {
            Some(previous) => (previous.stored.first(), previous.stored.symbol_ids.clone()),
            None => {
                let segment = match &mut self.segment {
                    Some(segment) => segment,
                    none => none.insert(SegmentWriter::create(&self.root, self.following.clone(), self.dims)?),
                };
                let next = segment.next_symbol();
                let ids = match &self.previous {
                    Some(previous) => previous.symbol_ids(&file, &self.keys, own, next)?,
                    None => (0..symbol_count).map(|at| next.plus(at)).collect(),
                };
                (segment.push_file(first, symbols, &ids, chunks)?, runs_of_ids(&ids, next))
            }
        };
        if let Some(vectors) = &mut self.vectors {
            vectors.set_file(at.file);
        }
        let row = DirectoryRow {
            file_id: at.file,
            first_chunk: at.chunk,
            chunks: chunk_count,
            first_symbol: at.symbol,
            symbols: symbol_count,
            symbol_ids,
            rows_hash,
            ..unknown_edges()
        };
        self.list_file(repository, file, row)?;
        self.last = Some(LastFile { first_chunk: (first.chunk, at.chunk), is_reused });
        Ok(PushedFile { first: at, is_reused })
    }

    /// Appends a file that is the same as in the previous generation, given by its row there, with the container of each
    /// symbol, counted from the first, and the number of its vectors. Who appends edges says the names of its symbols.
    ///
    /// # Errors
    /// The previous generation has no such file, or the row cannot be written.
    pub fn push_unchanged(
        &mut self,
        file: &FileRow,
        containers: impl ExactSizeIterator<Item = Option<u32>>,
        vectors: u32,
    ) -> Result<()> {
        let repository = self.begin_file(file)?;
        let symbol_count = containers.len();
        self.containers.extend(containers.map(numbered));
        self.keys.add_unnamed(&file.repo, &file.path, symbol_count);
        let previous = self.previous.as_mut().and_then(|previous| previous.reuse_file(file, None));
        let previous = previous.filter(|previous| previous.stored.symbols.len() == symbol_count);
        let changed = || Error::damaged(Path::new(&file.path), "it is not in the earlier generation");
        let previous = previous.ok_or_else(changed)?;
        self.text.place_file(Some(previous), symbol_count, previous.stored.chunks.len());
        if let Some(writer) = &mut self.vectors {
            writer.push_reused(previous)?;
            self.counts.vectors += u64::from(vectors);
        }
        let at = previous.stored.first();
        let count = |rows: usize| u32::try_from(rows).unwrap_or(u32::MAX);
        let row = DirectoryRow {
            file_id: at.file,
            first_chunk: at.chunk,
            chunks: count(previous.stored.chunks.len()),
            first_symbol: at.symbol,
            symbols: count(symbol_count),
            symbol_ids: previous.stored.symbol_ids.clone(),
            rows_hash: previous.rows_hash,
            ..unknown_edges()
        };
        self.last = None;
        self.list_file(repository, file.clone(), row)
    }

    /// Begins the next file: adds it to its repository, whose number is returned.
    fn begin_file(&mut self, file: &FileRow) -> Result<usize> {
        let repository = self.repositories.iter().position(|repository| repository.name == file.repo);
        let repository =
            repository.ok_or_else(|| Error::damaged(Path::new(&file.path), "its repository is not in the index"))?;
        let tree = &mut self.repositories[repository].tree;
        tree.sized(file.path.as_bytes());
        tree.fixed(&file.content_hash.0);
        tree.end_row();
        Ok(repository)
    }

    /// Lists a file whose rows are stored.
    fn list_file(&mut self, repository: usize, file: FileRow, row: DirectoryRow) -> Result<()> {
        self.counts.chunks += u64::from(row.chunks);
        self.counts.symbols += u64::from(row.symbols);
        let at = row.file_id;
        self.directory.push(ListedFile { repository, path: file.path.clone(), row });
        Ok(self.files.push(FileRow { file_id: at, ..file })?)
    }

    /// Appends the vector of a chunk of the last file; chunk ids must ascend.
    ///
    /// # Errors
    /// The vector cannot be written.
    pub fn push_vector(&mut self, chunk_id: ChunkId, level: u8, vector: &QuantizedVector) -> Result<()> {
        let (Some(vectors), Some(last)) = (&mut self.vectors, &self.last) else { return Ok(()) };
        self.counts.vectors += 1;
        if last.is_reused {
            return Ok(());
        }
        let (first, address) = last.first_chunk;
        let own = chunk_id.rows_after(first).unwrap_or(u32::MAX);
        vectors.push(own, level, vector);
        self.segment.as_mut().map_or(Ok(()), |segment| segment.push_vector(address.plus(own), level, vector))
    }

    /// Sets the vector of the names in the last file, not rotated. It counts only if no chunk of the file has a vector.
    pub fn set_names_vector(&mut self, vector: QuantizedVector) {
        if let Some(vectors) = &mut self.vectors {
            vectors.set_names(vector);
        }
    }

    /// Completes the rows of files.
    ///
    /// # Errors
    /// A table cannot be written.
    pub fn finish_files<'a>(mut self) -> Result<FinishedFiles<'a>> {
        let mut tables = BTreeMap::new();
        let mut record = |table: &str, rows: u64| tables.insert(table.to_owned(), rows);
        let mut of_vectors = vec![VectorsHasher::default().finish(); self.directory.len()];
        if let Some(vectors) = self.vectors {
            let WrittenVectors { files, hashes } = vectors.finish()?;
            record("vectors", self.counts.vectors);
            record(FileVectorRow::TABLE, files);
            of_vectors = hashes;
        }
        for (file, hash) in self.directory.iter_mut().zip(of_vectors) {
            file.row.vectors_hash = hash;
        }
        record(FileRow::TABLE, self.files.finish()?);
        record(ChunkRow::TABLE, self.counts.chunks);
        record(SymbolRow::TABLE, self.counts.symbols);
        record(SkippedRow::TABLE, self.skipped.finish()?);
        let (mut segments, mut removed_chunks) = (Vec::new(), Vec::new());
        let mut previous_edges = None;
        if let Some(mut previous) = self.previous {
            previous_edges = previous.take_edges();
            segments = previous.link_segments(&self.root)?;
            removed_chunks = previous.removed_chunks();
            self.text.end_files(previous);
        }
        let segment = self.segment.map(SegmentWriter::finish).transpose()?;
        let skipped_hash = self.skipped_hasher.finish().to_hex();
        let trees = self.repositories.into_iter().map(|repository| repository.tree.finish()).collect();
        let (following, directory) = (self.following, self.directory);
        let files = UnfinishedFiles { tables, segments, segment, following, skipped_hash, trees, directory };
        let edges = EdgesWriter::create(self.root, files, self.keys, self.containers, previous_edges)?;
        Ok(FinishedFiles { edges, text: self.text, removed_chunks })
    }
}

/// One more than the number of a container in its file, or 0.
fn numbered(container: Option<u32>) -> u32 {
    container.map_or(0, |container| container.saturating_add(1))
}

/// Consecutive ids as runs; none if they are the addresses that begin with `first`.
fn runs_of_ids(ids: &[SymbolId], first: SymbolId) -> Vec<Range<u32>> {
    if (0..).zip(ids).all(|(at, id)| *id == first.plus(at)) {
        return Vec::new();
    }
    let runs = ids.chunk_by(|a, b| a.checked_plus(1) == Some(*b));
    runs.map(|run| run[0].get()..run[run.len() - 1].get().saturating_add(1)).collect()
}

/// A row of the directory for a file whose vectors and edges follow.
fn unknown_edges() -> DirectoryRow {
    let none = Digest([0; 32]);
    DirectoryRow {
        file_id: FileId::default(),
        first_chunk: ChunkId::default(),
        chunks: 0,
        first_symbol: SymbolId::default(),
        symbols: 0,
        first_edge: 0,
        edges: 0,
        symbol_ids: Vec::new(),
        rows_hash: none,
        vectors_hash: none,
        edges_hash: none,
    }
}

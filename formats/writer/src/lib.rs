//! Writes rows into the files of a generation: tables, full text, vectors and graph, with their canonical digests.
//!
//! Rows arrive file by file, in order, with their final ids; edges follow after the last file. Builds and pulls share
//! this writer, so equal rows produce equal files. This crate must not know where rows come from.

mod error;
mod file_vectors;
mod segment_reuse;
mod text;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sextant_format::digest::{Digest, RowHasher};
use sextant_format::generation::part;
use sextant_format::graph::{self, GraphEdge};
use sextant_format::ids::ChunkId;
use sextant_format::kinds::{EdgeKind, Tier};
use sextant_format::manifest::RowDigest;
use sextant_format::tables::{
    BackgroundTableWriter, BorrowedEdgeRow, ChunkRow, EdgeRow, ExternalRow, FileRow, Row, SkippedRow, SymbolRow,
    TableWriter,
};
use sextant_format::vectors::QuantizedVector;

pub use error::{Error, Result};
pub use file_vectors::VectorTables;
use file_vectors::VectorsWriter;
pub use segment_reuse::PreviousTextIndex;
pub use text::{TEXT_MEMORY, TextWriter};

/// Writer of a generation that receives files and their rows.
pub struct GenerationWriter {
    root: PathBuf,
    files: TableWriter<FileRow>,
    chunks: BackgroundTableWriter<ChunkRow>,
    symbols: BackgroundTableWriter<SymbolRow>,
    skipped: TableWriter<SkippedRow>,
    text: TextWriter,
    vectors: Option<VectorsWriter>,
    trees: Vec<(String, RowHasher)>,
    graph: Vec<GraphEdge>,
    count: u32,
}

/// Writer of a generation whose files are complete, and that receives edges.
pub struct EdgesWriter<'a> {
    root: PathBuf,
    edges: TableWriter<BorrowedEdgeRow<'a>>,
    graph: Vec<GraphEdge>,
    symbols: u32,
    digests: BTreeMap<String, RowDigest>,
}

/// Writer of a generation whose rows are complete, and that writes the graph.
pub struct GraphWriter {
    root: PathBuf,
    graph: Vec<GraphEdge>,
    symbols: u32,
    digests: BTreeMap<String, RowDigest>,
}

/// Summary of a written generation.
#[derive(Debug)]
pub struct WrittenGeneration {
    /// Row counts and canonical digests by table.
    pub digests: BTreeMap<String, RowDigest>,
    /// Number of edges in the graph.
    pub graph_edges: u64,
}

fn record_digest(digests: &mut BTreeMap<String, RowDigest>, table: &str, (rows, digest): (u64, Digest)) {
    digests.insert(table.to_owned(), RowDigest { rows, blake3: digest.to_hex() });
}

fn table_path<R: Row>(root: &Path) -> PathBuf {
    root.join(format!("{}.parquet", R::TABLE))
}

impl GenerationWriter {
    /// Creates the files below `root`, for repositories with these names. `vectors` is none if there are no vectors. The text index closes a segment when it uses `text_memory` bytes, and
    /// reuses segments of `previous`, which must have been built with the same settings.
    ///
    /// # Errors
    /// A file cannot be created, or a segment cannot be reused.
    pub fn create(
        root: &Path,
        repositories: &[String],
        vectors: Option<VectorTables>,
        text_memory: usize,
        previous: Option<PreviousTextIndex>,
    ) -> Result<Self> {
        Ok(Self {
            root: root.to_owned(),
            files: TableWriter::create(&table_path::<FileRow>(root))?,
            chunks: BackgroundTableWriter::create(&table_path::<ChunkRow>(root))?,
            symbols: BackgroundTableWriter::create(&table_path::<SymbolRow>(root))?,
            skipped: TableWriter::create(&table_path::<SkippedRow>(root))?,
            text: TextWriter::create(root, text_memory, previous)?,
            vectors: vectors.map(|tables| VectorsWriter::create(root, tables)).transpose()?,
            trees: repositories.iter().map(|name| (name.clone(), RowHasher::default())).collect(),
            graph: Vec::new(),
            count: 0,
        })
    }

    /// Appends a path that is not indexed.
    ///
    /// # Errors
    /// The row cannot be written.
    pub fn push_skipped(&mut self, row: SkippedRow) -> Result<()> {
        Ok(self.skipped.push(row)?)
    }

    /// Appends a file with its symbols and chunks, in order of their ids.
    ///
    /// # Errors
    /// A row cannot be written, the repository is unknown, or a chunk refers to a symbol of another file: such an index
    /// could not be opened.
    pub fn push_file(&mut self, file: FileRow, symbols: Vec<SymbolRow>, chunks: Vec<ChunkRow>) -> Result<()> {
        let wrong = |what: &str| Error::damaged(Path::new(&file.path), what);
        let tree = self.trees.iter_mut().find(|(name, _)| *name == file.repo);
        let (_, tree) = tree.ok_or_else(|| wrong("its repository is not in the index"))?;
        tree.sized(file.path.as_bytes());
        tree.fixed(&file.content_hash.0);
        tree.end_row();
        self.text.push_file(&file, &symbols, &chunks)?;
        if let Some(vectors) = &mut self.vectors {
            vectors.begin_file(file.file_id, &symbols, &chunks)?;
        }
        self.count += u32::try_from(symbols.len()).unwrap_or(u32::MAX);
        for symbol in symbols {
            if let Some(container) = symbol.container_id {
                self.graph.push(GraphEdge {
                    source: container,
                    target: symbol.symbol_id,
                    kind: EdgeKind::Contains,
                    tier: Tier::Scope,
                    confidence: 1.0,
                });
            }
            self.symbols.push(symbol)?;
        }
        chunks.into_iter().try_for_each(|chunk| self.chunks.push(chunk))?;
        Ok(self.files.push(file)?)
    }

    /// Appends the vector of a chunk of the last file; chunk ids must ascend.
    ///
    /// # Errors
    /// The vector cannot be written.
    pub fn push_vector(&mut self, chunk_id: ChunkId, level: u8, vector: &QuantizedVector) -> Result<()> {
        self.vectors.as_mut().map_or(Ok(()), |vectors| vectors.push(chunk_id, level, vector))
    }

    /// Sets the vector of the names in the last file, not rotated. It counts only if no chunk of the file has a vector.
    pub fn set_names_vector(&mut self, vector: QuantizedVector) {
        if let Some(vectors) = &mut self.vectors {
            vectors.set_names(vector);
        }
    }

    /// Completes the rows of files. Returns the repositories' tree hashes, the writer of edges, and the text index,
    /// which [`TextWriter::finish_concurrently`] finishes while edges are written.
    ///
    /// # Errors
    /// A table cannot be written.
    pub fn finish_files<'a>(self) -> Result<(Vec<Digest>, EdgesWriter<'a>, TextWriter)> {
        let mut digests = BTreeMap::new();
        for (table, digest) in self.vectors.map_or(Ok(Vec::new()), VectorsWriter::finish)? {
            record_digest(&mut digests, table, digest);
        }
        record_digest(&mut digests, FileRow::TABLE, self.files.finish()?);
        record_digest(&mut digests, ChunkRow::TABLE, self.chunks.finish()?);
        record_digest(&mut digests, SymbolRow::TABLE, self.symbols.finish()?);
        record_digest(&mut digests, SkippedRow::TABLE, self.skipped.finish()?);
        let edges = TableWriter::create(&table_path::<EdgeRow>(&self.root))?;
        let (root, graph) = (self.root, self.graph);
        let trees = self.trees.into_iter().map(|(_, tree)| tree.finish()).collect();
        Ok((trees, EdgesWriter { root, edges, graph, symbols: self.count, digests }, self.text))
    }
}

impl<'a> EdgesWriter<'a> {
    /// Appends an edge; edges must be in file order.
    ///
    /// # Errors
    /// The row cannot be written.
    pub fn push_edge(&mut self, edge: BorrowedEdgeRow<'a>) -> Result<()> {
        if let Some(target) = edge.target_id {
            self.graph.push(GraphEdge {
                source: edge.source_id,
                target,
                kind: edge.kind,
                tier: edge.tier,
                confidence: edge.confidence,
            });
        }
        Ok(self.edges.push(edge)?)
    }

    /// Completes the edges and writes the external symbols. Names borrowed by edges are no longer needed afterwards.
    ///
    /// # Errors
    /// A table cannot be written.
    pub fn finish_edges(self, externals: Vec<ExternalRow>) -> Result<GraphWriter> {
        let Self { root, edges, graph, symbols, mut digests } = self;
        record_digest(&mut digests, EdgeRow::TABLE, edges.finish()?);
        let mut writer = TableWriter::<ExternalRow>::create(&table_path::<ExternalRow>(&root))?;
        externals.into_iter().try_for_each(|row| writer.push(row))?;
        record_digest(&mut digests, ExternalRow::TABLE, writer.finish()?);
        Ok(GraphWriter { root, graph, symbols, digests })
    }
}

impl GraphWriter {
    /// Writes the graph and closes every file.
    ///
    /// # Errors
    /// An edge refers to a missing symbol, or a file cannot be written.
    pub fn finish(self) -> Result<WrittenGeneration> {
        let Self { root, graph, symbols, digests } = self;
        let nodes = symbols as usize;
        if graph.iter().any(|edge| edge.source.get() >= symbols || edge.target.get() >= symbols) {
            return Err(Error::damaged(&root.join(part::GRAPH), "an edge leads to a missing symbol"));
        }
        let graph_edges = graph::write(&root.join(part::GRAPH), nodes, graph)?;
        Ok(WrittenGeneration { digests, graph_edges })
    }
}

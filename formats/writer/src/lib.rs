//! Rows into the files of a generation: tables, full text, vectors and graph, with their canonical digests.
//!
//! Rows come file by file, in order, with their final ids; the edges come when all files are there. A build and
//! a download write through here, so equal rows give equal files. Nothing here knows where rows come from.

mod error;
mod segment_reuse;
mod text;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use sextant_format::digest::{Digest, RowHasher};
use sextant_format::generation::part;
use sextant_format::graph::{self, GraphEdge};
use sextant_format::kinds::{EdgeKind, Tier};
use sextant_format::manifest::RowDigest;
use sextant_format::tables::{
    BackgroundTableWriter, BorrowedEdgeRow, ChunkRow, EdgeRow, ExternalRow, FileRow, Row, SkippedRow, SymbolRow,
    TableWriter,
};
use sextant_format::vectors::{QuantizedVector, VectorWriter, hash_vector};

pub use error::{Error, Result};
pub use segment_reuse::PreviousTextIndex;
pub use text::TextWriter;

/// Memory of the full-text writer in bytes; more means fewer segments.
pub const TEXT_MEMORY: usize = 256 << 20;

/// A generation whose files are being written.
pub struct GenerationWriter {
    root: PathBuf,
    files: TableWriter<FileRow>,
    chunks: BackgroundTableWriter<ChunkRow>,
    symbols: BackgroundTableWriter<SymbolRow>,
    skipped: TableWriter<SkippedRow>,
    text: TextWriter,
    vectors: Option<(VectorWriter, RowHasher)>,
    trees: Vec<(String, RowHasher)>,
    graph: Vec<GraphEdge>,
    count: u32,
}

/// A generation that has all of its files' rows and is being given its edges.
pub struct EdgesWriter<'a> {
    root: PathBuf,
    edges: TableWriter<BorrowedEdgeRow<'a>>,
    vectors: Option<(VectorWriter, RowHasher)>,
    graph: Vec<GraphEdge>,
    symbols: u32,
    digests: BTreeMap<String, RowDigest>,
}

/// A generation that has all of its rows, and whose graph is to be written.
pub struct GraphWriter {
    root: PathBuf,
    vectors: Option<(VectorWriter, RowHasher)>,
    graph: Vec<GraphEdge>,
    symbols: u32,
    digests: BTreeMap<String, RowDigest>,
}

/// What was written.
#[derive(Debug)]
pub struct WrittenGeneration {
    /// Rows and canonical digests by table.
    pub digests: BTreeMap<String, RowDigest>,
    /// Edges of the graph.
    pub graph_edges: u64,
}

fn record_digest(digests: &mut BTreeMap<String, RowDigest>, table: &str, (rows, digest): (u64, Digest)) {
    digests.insert(table.to_owned(), RowDigest { rows, blake3: digest.to_hex() });
}

fn table_path<R: Row>(root: &Path) -> PathBuf {
    root.join(format!("{}.parquet", R::TABLE))
}

impl GenerationWriter {
    /// Creates the files below `root`, for repositories of these names, with vectors of so many dimensions or
    /// none. The text index closes a segment when it takes `text_memory` bytes, and takes over what it can from
    /// `previous`, which must have been made with the same settings.
    pub fn create(
        root: &Path,
        repositories: &[String],
        dims: Option<usize>,
        text_memory: usize,
        previous: Option<PreviousTextIndex>,
    ) -> Result<Self> {
        let vectors = dims.map(|dims| VectorWriter::create(&root.join(part::VECTORS), dims)).transpose()?;
        Ok(Self {
            root: root.to_owned(),
            files: TableWriter::create(&table_path::<FileRow>(root))?,
            chunks: BackgroundTableWriter::create(&table_path::<ChunkRow>(root))?,
            symbols: BackgroundTableWriter::create(&table_path::<SymbolRow>(root))?,
            skipped: TableWriter::create(&table_path::<SkippedRow>(root))?,
            text: TextWriter::create(root, text_memory, previous)?,
            vectors: vectors.map(|vectors| (vectors, RowHasher::default())),
            trees: repositories.iter().map(|name| (name.clone(), RowHasher::default())).collect(),
            graph: Vec::new(),
            count: 0,
        })
    }

    /// Appends a path that is not indexed.
    pub fn push_skipped(&mut self, row: SkippedRow) -> Result<()> {
        Ok(self.skipped.push(row)?)
    }

    /// Appends a file with its symbols and its chunks, in the order of their ids. Ids that lead out of the file's
    /// own rows are an error: an index of them could not be opened.
    pub fn push_file(&mut self, file: FileRow, symbols: Vec<SymbolRow>, chunks: Vec<ChunkRow>) -> Result<()> {
        let wrong = |what: &str| Error::damaged(Path::new(&file.path), what);
        let tree = self.trees.iter_mut().find(|(name, _)| *name == file.repo);
        let (_, tree) = tree.ok_or_else(|| wrong("its repository is not one of the index"))?;
        tree.sized(file.path.as_bytes());
        tree.fixed(&file.content_hash.0);
        tree.end_row();
        self.text.push_file(&file, &symbols, &chunks)?;
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

    /// Appends the vector of a chunk; chunk ids ascend.
    pub fn push_vector(&mut self, chunk_id: u32, level: u8, vector: &QuantizedVector) -> Result<()> {
        let Some((writer, hasher)) = &mut self.vectors else { return Ok(()) };
        hash_vector(hasher, chunk_id, level, vector.scale, &vector.values);
        Ok(writer.push(chunk_id, level, vector)?)
    }

    /// Every file is there; the tree hashes of the repositories, what takes the edges, and the text index, which is
    /// to be finished beside them.
    pub fn finish_files<'a>(self) -> Result<(Vec<Digest>, EdgesWriter<'a>, TextWriter)> {
        let mut digests = BTreeMap::new();
        record_digest(&mut digests, FileRow::TABLE, self.files.finish()?);
        record_digest(&mut digests, ChunkRow::TABLE, self.chunks.finish()?);
        record_digest(&mut digests, SymbolRow::TABLE, self.symbols.finish()?);
        record_digest(&mut digests, SkippedRow::TABLE, self.skipped.finish()?);
        let edges = TableWriter::create(&table_path::<EdgeRow>(&self.root))?;
        let (root, vectors, graph) = (self.root, self.vectors, self.graph);
        let trees = self.trees.into_iter().map(|(_, tree)| tree.finish()).collect();
        Ok((trees, EdgesWriter { root, edges, vectors, graph, symbols: self.count, digests }, self.text))
    }
}

impl<'a> EdgesWriter<'a> {
    /// Appends an edge; edges come in the order of the files.
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

    /// Every edge is there. Writes the external symbols; what was lent for names may go.
    pub fn finish_edges(self, externals: Vec<ExternalRow>) -> Result<GraphWriter> {
        let Self { root, edges, vectors, graph, symbols, mut digests } = self;
        record_digest(&mut digests, EdgeRow::TABLE, edges.finish()?);
        let mut writer = TableWriter::<ExternalRow>::create(&table_path::<ExternalRow>(&root))?;
        externals.into_iter().try_for_each(|row| writer.push(row))?;
        record_digest(&mut digests, ExternalRow::TABLE, writer.finish()?);
        Ok(GraphWriter { root, vectors, graph, symbols, digests })
    }
}

impl GraphWriter {
    /// Writes the graph and closes every file.
    pub fn finish(self) -> Result<WrittenGeneration> {
        let Self { root, vectors, graph, symbols, mut digests } = self;
        let nodes = symbols as usize;
        if graph.iter().any(|edge| edge.source >= symbols || edge.target >= symbols) {
            return Err(Error::damaged(&root.join(part::GRAPH), "an edge leads to a symbol that is not there"));
        }
        let graph_edges = graph::write(&root.join(part::GRAPH), nodes, graph)?;
        if let Some((writer, hasher)) = vectors {
            record_digest(&mut digests, "vectors", (writer.finish()?, hasher.finish()));
        }
        Ok(WrittenGeneration { digests, graph_edges })
    }
}

//! Writes the edges of a generation whose files are complete, then what follows from them: external symbols, the
//! directory of files, and the graph.

use std::path::PathBuf;
use std::sync::Arc;

use sextant_format::digest::Digest;
use sextant_format::generation::part;
use sextant_format::graph::{self, GraphEdge};
use sextant_format::hashes::{EdgesHasher, RepositoryHasher};
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::keys::{ShortHash, SymbolKeyTable};
use sextant_format::segments::{RowMaps, StoredFile};
use sextant_format::tables::{BorrowedEdgeRow, DirectoryRow, EdgeRow, ExternalRow, Row, TableWriter};

use crate::previous_edges::{KeptEdges, MovedSymbols, PreviousEdges};
use crate::written::{ListedFile, UnfinishedFiles, WrittenGeneration, table_path};
use crate::{Error, Result};

/// Writer of a generation whose files are complete, and that receives edges.
pub struct EdgesWriter<'a> {
    root: PathBuf,
    edges: TableWriter<BorrowedEdgeRow<'a>>,
    files: UnfinishedFiles,
    /// The file whose edges are being written.
    current: FileId,
    /// Their hash so far.
    hasher: EdgesHasher,
    /// Their hash, if an earlier generation had the same edges.
    kept_hash: Option<Digest>,
    /// The number of all edges so far.
    count: u32,
    keys: Arc<SymbolKeyTable>,
    graph: Vec<GraphEdge>,
    /// Where the rows of files and symbols are.
    maps: RowMaps,
    /// Symbols of changed files, by their addresses before; none if no generation is reused.
    moved: Option<MovedSymbols>,
}

/// Writer of a generation whose rows are complete, and that writes the graph.
pub struct GraphWriter {
    root: PathBuf,
    graph: Vec<GraphEdge>,
    symbols: usize,
    written: WrittenGeneration,
}

impl<'a> EdgesWriter<'a> {
    pub(crate) fn create(
        root: PathBuf,
        files: UnfinishedFiles,
        keys: SymbolKeyTable,
        graph: Vec<GraphEdge>,
        moved: Option<MovedSymbols>,
    ) -> Result<Self> {
        let edges = TableWriter::create(&table_path::<EdgeRow>(&root))?;
        let stored: Vec<StoredFile> = files.directory.iter().map(|file| file.row.stored()).collect();
        let maps = RowMaps::new(&stored).ok_or_else(|| Error::damaged(&root, "two files have the same rows"))?;
        let (current, hasher) = (FileId::default(), EdgesHasher::default());
        let (keys, kept_hash) = (Arc::new(keys), None);
        Ok(Self { root, edges, files, current, hasher, kept_hash, count: 0, keys, graph, maps, moved })
    }

    /// Edges of the generation whose rows are reused, in terms of this one; none if no generation is reused.
    #[must_use]
    pub fn kept_edges(&mut self, previous: PreviousEdges) -> Option<KeptEdges> {
        Some(previous.place(self.maps.clone(), self.moved.take()?))
    }

    /// The keys of the symbols of all files.
    #[must_use]
    pub fn symbol_keys(&self) -> Arc<SymbolKeyTable> {
        Arc::clone(&self.keys)
    }

    /// Appends an edge; edges must be in file order. `external` is the key of its external symbol.
    ///
    /// # Errors
    /// The row cannot be written, leads to a missing symbol, or is of an earlier or a missing file.
    pub fn push_edge(&mut self, edge: BorrowedEdgeRow<'a>, external: Option<ShortHash>) -> Result<()> {
        if edge.file_id.index() >= self.files.directory.len() {
            return Err(Error::damaged(&self.root, "an edge is of a missing file"));
        }
        let missing = || Error::damaged(&self.root, "an edge leads to a missing symbol");
        let source = self.keys.key_of(edge.source_id).ok_or_else(missing)?;
        let target = edge.target_id.map(|target| self.keys.key_of(target).ok_or_else(missing)).transpose()?;
        self.begin_file(edge.file_id)?;
        self.hasher.push(&edge, source, target, external);
        self.push_row(edge)
    }

    /// Appends the edges of a file that an earlier generation had too, with their hash there: they lead to symbols of the
    /// same keys. Files must be in order.
    ///
    /// # Errors
    /// A row cannot be written, leads to a missing symbol, or the file is an earlier or a missing one.
    pub fn push_kept(&mut self, file: FileId, edges: Vec<BorrowedEdgeRow<'a>>, hash: Digest) -> Result<()> {
        if file.index() >= self.files.directory.len() {
            return Err(Error::damaged(&self.root, "an edge is of a missing file"));
        }
        self.begin_file(file)?;
        self.kept_hash = Some(hash);
        edges.into_iter().try_for_each(|edge| self.push_row(edge))
    }

    /// Writes an edge of the current file.
    fn push_row(&mut self, edge: BorrowedEdgeRow<'a>) -> Result<()> {
        let missing = || Error::damaged(&self.root, "an edge leads to a missing symbol");
        let symbol = |id: SymbolId| self.maps.symbols.address(id).map(SymbolId::new).ok_or_else(missing);
        let file_id = self.maps.files.address(edge.file_id).map(FileId::new).ok_or_else(missing)?;
        let (source_id, target_id) = (symbol(edge.source_id)?, edge.target_id.map(symbol).transpose()?);
        self.count = self.count.checked_add(1).ok_or_else(|| Error::damaged(&self.root, "there are too many edges"))?;
        self.files.directory[edge.file_id.index()].row.edges += 1;
        if let Some(target) = edge.target_id {
            self.graph.push(GraphEdge {
                source: edge.source_id,
                target,
                kind: edge.kind,
                tier: edge.tier,
                confidence: edge.confidence,
            });
        }
        Ok(self.edges.push(BorrowedEdgeRow { source_id, target_id, file_id, ..edge })?)
    }

    /// Ends the files before this one.
    fn begin_file(&mut self, file: FileId) -> Result<()> {
        if file < self.current {
            return Err(Error::damaged(&self.root, "the edges are not in the order of the files"));
        }
        while self.current < file {
            let row = &mut self.files.directory[self.current.index()].row;
            let hashed = std::mem::take(&mut self.hasher).finish();
            row.edges_hash = self.kept_hash.take().unwrap_or(hashed);
            row.first_edge = self.count - row.edges;
            self.current = self.current.plus(1);
        }
        Ok(())
    }

    /// Completes the edges and writes the external symbols and the directory. Names borrowed by edges are no longer needed
    /// afterwards.
    ///
    /// # Errors
    /// A table cannot be written.
    pub fn finish_edges(mut self, externals: Vec<ExternalRow>) -> Result<GraphWriter> {
        self.begin_file(FileId::at(self.files.directory.len()))?;
        let Self { root, edges, files, keys, graph, .. } = self;
        let UnfinishedFiles { mut tables, segments, skipped_hash, trees, directory } = files;
        tables.insert(EdgeRow::TABLE.to_owned(), edges.finish()?);
        let mut writer = TableWriter::<ExternalRow>::create(&table_path::<ExternalRow>(&root))?;
        externals.into_iter().try_for_each(|row| writer.push(row))?;
        tables.insert(ExternalRow::TABLE.to_owned(), writer.finish()?);
        let mut writer = TableWriter::<DirectoryRow>::create(&table_path::<DirectoryRow>(&root))?;
        let mut repositories: Vec<RepositoryHasher> = trees.iter().map(|_| RepositoryHasher::default()).collect();
        for ListedFile { repository, path, row } in directory {
            repositories[repository].push(&path, &row);
            writer.push(row)?;
        }
        tables.insert(DirectoryRow::TABLE.to_owned(), writer.finish()?);
        let hashes = trees.into_iter().zip(repositories);
        let repositories = hashes.map(|(tree, rows)| [tree.to_hex(), rows.finish().to_hex()]).collect();
        let written = WrittenGeneration { tables, segments, repositories, skipped_hash, graph_edges: 0 };
        Ok(GraphWriter { root, graph, symbols: keys.symbols(), written })
    }
}

impl GraphWriter {
    /// Writes the graph and closes every file.
    ///
    /// # Errors
    /// A container is missing, or a file cannot be written.
    pub fn finish(self) -> Result<WrittenGeneration> {
        let Self { root, graph, symbols, mut written } = self;
        if graph.iter().any(|edge| edge.source.index() >= symbols || edge.target.index() >= symbols) {
            return Err(Error::damaged(&root.join(part::GRAPH), "an edge leads to a missing symbol"));
        }
        written.graph_edges = graph::write(&root.join(part::GRAPH), symbols, graph)?;
        Ok(written)
    }
}

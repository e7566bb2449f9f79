//! Writes the edges of a generation whose files are complete, then what follows from them: external symbols, the
//! directory of files, and the graph.

use std::collections::BTreeMap;
use std::num::NonZeroU16;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use sextant_format::digest::Digest;
use sextant_format::file_uses::FileUses;
use sextant_format::generation::part;
use sextant_format::graph::{GraphBuilder, GraphEdge};
use sextant_format::hashes::{EdgesHasher, RepositoryHasher};
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::keys::{ShortHash, SymbolKey, SymbolKeyTable, SymbolNames};
use sextant_format::kinds::{EdgeKind, Tier};
use sextant_format::manifest::{Segment, are_whole};
use sextant_format::segments::{RowMaps, StoredFile};
use sextant_format::tables::{BorrowedEdgeRow, DirectoryRow, EdgeRow, ExternalRow, Row, TableWriter};

use crate::external_ids::ExternalIds;
use crate::previous_edges::{Kept, PreviousEdges};
use crate::written::{ListedFile, UnfinishedFiles, WrittenGeneration, table_path};
use crate::{Error, Result, room};

/// Writer of a generation whose files are complete, and that receives edges.
pub struct EdgesWriter<'a> {
    root: PathBuf,
    files: UnfinishedFiles,
    /// The segment of the edges that no earlier segment has, and their table; none as long as there are none.
    table: Option<TableWriter<BorrowedEdgeRow<'a>>>,
    /// The file whose edges are being collected.
    current: FileId,
    /// Its edges, with stored ids.
    pending: Vec<BorrowedEdgeRow<'a>>,
    /// Their hash so far.
    hasher: EdgesHasher,
    /// The number of all edges so far, by tier.
    counts: BTreeMap<Tier, u64>,
    keys: Arc<SymbolKeyTable>,
    /// The names of symbols of unchanged files.
    names: Option<&'a dyn SymbolNames>,
    graph: GraphBuilder,
    /// For each symbol, one more than the number of its container in its file, or 0.
    containers: Vec<u32>,
    /// The edges of the current file in the graph.
    of_graph: Vec<GraphEdge>,
    /// Where the rows of files and symbols are.
    maps: RowMaps,
    externals: ExternalIds,
    /// The edges of the generation whose rows are reused; none without one.
    previous: Option<PreviousEdges>,
    /// Whether the current file keeps the edges that it had in that generation.
    is_kept: bool,
    /// The symbols of the current file in the earlier graph, if it stays as it is there.
    kept_symbols: Option<Range<SymbolId>>,
}

/// Writer of a generation whose rows are complete, and that writes the graph.
pub struct GraphWriter {
    root: PathBuf,
    graph: GraphBuilder,
    /// The number of symbols of each file.
    symbols: Vec<u32>,
    written: WrittenGeneration,
}

impl<'a> EdgesWriter<'a> {
    pub(crate) fn create(
        root: PathBuf,
        files: UnfinishedFiles,
        keys: SymbolKeyTable,
        containers: Vec<u32>,
        mut previous: Option<PreviousEdges>,
    ) -> Result<Self> {
        let stored: Vec<StoredFile> = files.directory.iter().map(|file| file.row.stored()).collect();
        let maps = RowMaps::new(&stored).ok_or_else(|| Error::damaged(&root, "two files have the same rows"))?;
        let externals = previous.as_mut().map(PreviousEdges::external_ids).unwrap_or_default();
        let mut edges = 0;
        if let Some(previous) = &mut previous {
            previous.forget_users_of_missing(&maps.symbols);
            previous.number_symbols(&keys, &maps.symbols);
            edges = previous.state.graph.edges();
        }
        let graph = GraphBuilder::with_capacity(keys.symbols(), room::for_about(edges));
        Ok(Self {
            root,
            files,
            table: None,
            current: FileId::default(),
            pending: Vec::new(),
            hasher: EdgesHasher::default(),
            counts: BTreeMap::new(),
            keys: Arc::new(keys),
            names: None,
            graph,
            containers,
            of_graph: Vec::new(),
            maps,
            externals,
            previous,
            is_kept: false,
            kept_symbols: None,
        })
    }

    /// The keys of the symbols of all files.
    #[must_use]
    pub fn symbol_keys(&self) -> Arc<SymbolKeyTable> {
        Arc::clone(&self.keys)
    }

    /// Sets the names of the symbols of unchanged files, which must be known before an edge begins or ends there.
    pub fn set_names(&mut self, names: &'a dyn SymbolNames) {
        self.names = Some(names);
    }

    /// The key of a symbol.
    fn key_of(&self, symbol: SymbolId) -> Result<SymbolKey> {
        let named = || {
            self.keys.name(symbol, self.names?);
            self.keys.key_of(symbol)
        };
        let key = self.keys.key_of(symbol).or_else(named);
        key.ok_or_else(|| Error::damaged(&self.root, "an edge leads to a missing symbol"))
    }

    /// Appends an edge; edges must be in file order. `external` is the key of its external symbol.
    ///
    /// # Errors
    /// The row cannot be written, leads to a missing symbol, or is of an earlier or a missing file.
    pub fn push_edge(&mut self, edge: BorrowedEdgeRow<'a>, external: Option<ShortHash>) -> Result<()> {
        self.begin_file(edge.file_id)?;
        let source = self.key_of(edge.source_id)?;
        let target = edge.target_id.map(|target| self.key_of(target)).transpose()?;
        self.hasher.push(&edge, source, target, external);
        *self.counts.entry(edge.tier).or_default() += 1;
        if let Some(target) = edge.target_id {
            self.of_graph.push(GraphEdge {
                source: edge.source_id,
                target,
                kind: edge.kind,
                tier: edge.tier,
                confidence: edge.confidence,
                uses: Some(NonZeroU16::MIN),
            });
        }
        let missing = || Error::damaged(&self.root, "an edge leads to a missing symbol");
        let symbol = |id: SymbolId| self.maps.symbols.address(id).map(SymbolId::new).ok_or_else(missing);
        let file_id = self.maps.files.address(edge.file_id).map(FileId::new).ok_or_else(missing)?;
        let (source_id, target_id) = (symbol(edge.source_id)?, edge.target_id.map(symbol).transpose()?);
        let external_id = external.map(|key| self.externals.id(key));
        self.pending.push(BorrowedEdgeRow { source_id, target_id, external_id, file_id, ..edge });
        Ok(())
    }

    /// Whether a file can have the edges that it had in the generation whose rows are reused: not if its rows differ, or if
    /// one of these edges leads to a symbol that is gone.
    #[must_use]
    pub fn can_keep_edges(&self, file: FileId) -> bool {
        self.previous.as_ref().is_some_and(|previous| previous.current(file).is_some())
    }

    /// Gives a file, which must come in order, the edges that it had in the generation whose rows are reused; `tiers` are
    /// their numbers by tier. `is_alone` says that its edges were all edges of its symbols.
    ///
    /// # Errors
    /// The file cannot have them, it is an earlier or a missing one, or a row cannot be written.
    pub fn keep_edges(&mut self, file: FileId, tiers: &[(Tier, u32)], is_alone: bool) -> Result<()> {
        self.begin_file(file)?;
        let previous = self.previous.as_mut();
        let missing = || Error::damaged(&self.root, "a file has no earlier edges");
        let Kept { hash, edges, symbols } = previous.ok_or_else(missing)?.keep(file, is_alone)?;
        for &(tier, edges) in tiers {
            *self.counts.entry(tier).or_default() += u64::from(edges);
        }
        self.list_edges(file, hash, edges.start, edges.end - edges.start);
        (self.is_kept, self.kept_symbols) = (true, symbols);
        Ok(())
    }

    /// Records where the edges of a file are.
    fn list_edges(&mut self, file: FileId, hash: Digest, first: u32, count: u32) {
        let row = &mut self.files.directory[file.index()].row;
        (row.edges_hash, row.first_edge, row.edges) = (hash, first, count);
    }

    /// Ends the files before this one.
    fn begin_file(&mut self, file: FileId) -> Result<()> {
        if file < self.current {
            return Err(Error::damaged(&self.root, "the edges are not in the order of the files"));
        }
        if file.index() >= self.files.directory.len() {
            return Err(Error::damaged(&self.root, "an edge is of a missing file"));
        }
        if self.current < file {
            self.end_files(file)?;
        }
        Ok(())
    }

    /// Ends the files before `end`: writes the edges of the current one, unless an earlier generation has them.
    fn end_files(&mut self, end: FileId) -> Result<()> {
        while self.current < end {
            let file = self.current;
            self.current = file.plus(1);
            match self.kept_symbols.take().zip(self.previous.as_ref()) {
                Some((symbols, previous)) => previous.push_kept(&mut self.graph, symbols)?,
                None => self.push_to_graph(file),
            }
            if std::mem::take(&mut self.is_kept) {
                continue;
            }
            let hash = std::mem::take(&mut self.hasher).finish();
            let known = self.previous.as_ref().and_then(|previous| previous.same(file, hash));
            match known {
                Some(edges) => {
                    self.pending.clear();
                    self.list_edges(file, hash, edges.start, edges.end - edges.start);
                }
                None => self.write_pending(file, hash)?,
            }
        }
        Ok(())
    }

    /// Adds the symbols of a file to the graph, with its edges and those from owners to members.
    fn push_to_graph(&mut self, file: FileId) {
        let symbols = self.keys.symbols_of(file).unwrap_or_default();
        let first = symbols.start;
        for symbol in SymbolId::range(symbols.clone()) {
            let container = self.containers.get(symbol.index()).and_then(|container| container.checked_sub(1));
            self.of_graph.extend(container.map(|container| GraphEdge {
                source: first.plus(container),
                target: symbol,
                kind: EdgeKind::Contains,
                tier: Tier::Scope,
                confidence: 1.0,
                uses: None,
            }));
        }
        self.graph.push_file(symbols.end.index() - first.index(), &mut self.of_graph);
    }

    /// Writes the edges of a file.
    fn write_pending(&mut self, file: FileId, hash: Digest) -> Result<()> {
        let segment = self.files.segment.get_or_insert_with(|| self.files.following.clone());
        let count = u32::try_from(self.pending.len()).ok();
        let first_edge = segment.first_edge.checked_add(segment.edges);
        let range = count.zip(first_edge).filter(|(count, first)| first.checked_add(*count).is_some());
        let (count, first_edge) = range.ok_or_else(|| Error::damaged(&self.root, "there are too many edges"))?;
        if count > 0 {
            let table = match &mut self.table {
                Some(table) => table,
                none => {
                    let folder = self.root.join(part::SEGMENTS).join(&segment.name);
                    fs_err::create_dir_all(&folder)?;
                    none.insert(TableWriter::create(&table_path::<EdgeRow>(&folder))?)
                }
            };
            self.pending.drain(..).try_for_each(|edge| table.push(BorrowedEdgeRow { first_edge, ..edge }))?;
            segment.edges += count;
        }
        self.list_edges(file, hash, first_edge, count);
        Ok(())
    }

    /// Completes the edges and writes the external symbols and the directory. Names borrowed by edges are no longer needed
    /// afterwards.
    ///
    /// # Errors
    /// A table cannot be written, or kept edges cannot be read.
    pub fn finish_edges(mut self, externals: Vec<ExternalRow>) -> Result<GraphWriter> {
        self.end_files(FileId::at(self.files.directory.len()))?;
        let Self { root, files, table, keys, mut graph, externals: ids, previous, counts, .. } = self;
        if let Some(previous) = previous {
            previous.push_shared_edges(&mut graph)?;
        }
        table.map(TableWriter::finish).transpose()?;
        let UnfinishedFiles { mut tables, mut segments, segment, skipped_hash, trees, directory, .. } = files;
        tables.insert(EdgeRow::TABLE.to_owned(), counts.values().sum());
        let tiers = counts.iter().map(|(tier, edges)| (tier.as_str().to_owned(), *edges)).collect();
        let mut writer = TableWriter::<ExternalRow>::create(&table_path::<ExternalRow>(&root))?;
        ids.number(externals).into_iter().try_for_each(|row| writer.push(row))?;
        tables.insert(ExternalRow::TABLE.to_owned(), writer.finish()?);
        let mut writer = TableWriter::<DirectoryRow>::create(&table_path::<DirectoryRow>(&root))?;
        let mut repositories: Vec<RepositoryHasher> = trees.iter().map(|_| RepositoryHasher::default()).collect();
        let is_unused = |segment: &Segment| !directory.iter().any(|file| has_rows(segment, &file.row));
        for unused in segments.extract_if(.., |segment| is_unused(segment)) {
            fs_err::remove_dir_all(root.join(part::SEGMENTS).join(&unused.name))?;
        }
        segments.extend(segment.filter(|segment| segment.files > 0 || segment.edges > 0));
        if !are_whole(&segments, &tables) {
            let stored: Vec<StoredFile> = directory.iter().map(|file| file.row.stored()).collect();
            let maps = RowMaps::new(&stored).ok_or_else(|| Error::damaged(&root, "two files have the same rows"))?;
            maps.write(&root.join(part::ROWS))?;
        }
        let symbols = directory.iter().map(|file| file.row.symbols).collect();
        for ListedFile { repository, path, row } in directory {
            repositories[repository].push(&path, &row);
            writer.push(row)?;
        }
        tables.insert(DirectoryRow::TABLE.to_owned(), writer.finish()?);
        let hashes = trees.into_iter().zip(repositories);
        let repositories = hashes.map(|(tree, rows)| [tree.to_hex(), rows.finish().to_hex()]).collect();
        let written = WrittenGeneration { tables, tiers, segments, repositories, skipped_hash, graph_edges: 0 };
        drop(keys);
        Ok(GraphWriter { root, graph, symbols, written })
    }
}

/// Whether a segment has rows of a file.
fn has_rows(segment: &Segment, file: &DirectoryRow) -> bool {
    let after = |at: u32, first: u32, count: u32| at.checked_sub(first).is_some_and(|after| after < count);
    after(file.file_id.get(), segment.first_file, segment.files)
        || file.edges > 0 && after(file.first_edge, segment.first_edge, segment.edges)
}

impl GraphWriter {
    /// Writes the graph and which files use which, and closes every file.
    ///
    /// # Errors
    /// A container is missing, or a file cannot be written.
    pub fn finish(self) -> Result<WrittenGeneration> {
        let Self { root, graph, symbols, mut written } = self;
        let path = root.join(part::GRAPH);
        let what = "an edge leads to a missing symbol, or there are too many edges or confidences";
        let lists = graph.finish().ok_or_else(|| Error::damaged(&path, what))?;
        written.graph_edges = lists.edges() as u64;
        let count_uses = || -> Result<()> {
            let edges = lists.all().map(|edge| (edge.source, edge.target, edge.kind, edge.confidence));
            let uses = FileUses::count_edges(edges, symbols);
            let uses = uses.ok_or_else(|| Error::damaged(&path, "there are too many uses"))?;
            Ok(uses.write(&root.join(part::FILE_USES))?)
        };
        let (uses, graph) = rayon::join(count_uses, || lists.write(&path));
        uses?;
        graph?;
        Ok(written)
    }
}

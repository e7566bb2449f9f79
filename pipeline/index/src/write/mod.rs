//! The in-order sink: writes the results of the workers to the files of a new generation.
//!
//! It runs on one thread, in the order of the files, and assigns global ids. Symbols and references stay in memory, in
//! the compact form of [`SymbolTable`](sextant_resolve::SymbolTable), because resolution needs those of all files.

mod counts;
mod readers;

use std::ops::Range;
use std::path::Path;

use anyhow::Context as _;
use sextant_format::digest::Digest;
use sextant_format::generation::Generation;
use sextant_format::ids::{FileId, FirstIds};
use sextant_format::manifest::Package;
use sextant_format::tables::{ChunkRow, FileRow, SkippedRow, SymbolRow};
use sextant_writer::{
    EdgesWriter, FinishedFiles, GenerationWriter, GraphWriter, PreviousGeneration, PushedFile, TextWriter,
    WrittenGeneration,
};

use crate::memory::MemoryBudget;
use crate::model::{Chunk, IndexedFile, KnownFacts, Outcome, RecalledFile, Source, Symbol, UnchangedFile};
use crate::reuse::{CacheEntry, FileKeys, IndexCacheFiles, IndexCacheWriter, KnownFile, SharedCache, write_file_keys};
use crate::summaries::StoredSummary;
use crate::walk::SkippedPath;
use sextant_lance::spool::Spool;
pub(crate) use sextant_lance::spool::VectorPlan;
use sextant_resolve::scip::ScipOccurrences;
use sextant_resolve::{FileContext, ResolvedEdges, SymbolTable};
use sextant_syntax::language;
use sextant_syntax::model::Reference;

pub use self::counts::{Counts, ScipCounts};
pub(crate) use self::readers::PreviousResolution;
use self::readers::{CountedEdges, store_resolution};

/// Number of files after which the memory limit is checked.
const FILES_PER_MEMORY_CHECK: u32 = 64;

/// Writes the files of a new generation.
pub(crate) struct IndexWriter<'a> {
    root: &'a Path,
    repos: &'a [String],
    rows: GenerationWriter,
    has_vectors: bool,
    /// Vectors for the LanceDB table; none if the table is omitted.
    spool: Option<Spool>,
    /// Whether vectors are appended to the table of the previous generation.
    keeps_table: bool,
    resolution: Option<PreviousResolution>,
    /// The analysis cache for later builds; none if it is omitted.
    index_cache: Option<IndexCacheWriter>,
    cache: Option<SharedCache>,
    memory: MemoryBudget,
    table: SymbolTable,
    next: FirstIds,
    /// The keys of each file so far.
    file_keys: Vec<FileKeys>,
    /// The files that were recalled.
    recalled: Vec<Option<RecalledFile>>,
    /// Counts so far.
    pub(crate) counts: Counts,
}

/// Files of earlier builds that are reused, and caches for later builds.
pub(crate) struct ReusedState<'a> {
    /// The files of the previous analysis cache; none if the generation gets neither an analysis cache nor the LanceDB
    /// table.
    pub(crate) index_cache: Option<IndexCacheFiles>,
    /// The shared cache.
    pub(crate) cache: Option<SharedCache>,
    /// The previous generation, whose rows and documents are reused.
    pub(crate) rows: Option<PreviousGeneration>,
    /// What resolution keeps of that generation.
    pub(crate) resolution: Option<PreviousResolution>,
    /// The previous generation, if vectors can be appended to its LanceDB table.
    pub(crate) table_of: Option<&'a Generation>,
}

/// What the manifest records of the written tables, and the counts of the build.
pub(crate) struct WrittenTables {
    /// Numbers of rows, and their hashes.
    pub rows: WrittenGeneration,
    /// What each repository publishes.
    pub(crate) packages: Vec<Vec<Package>>,
    /// Features that a reader must support.
    pub reader_features: Vec<String>,
    /// Final counts.
    pub(crate) counts: Counts,
}

/// More rows than ids.
#[derive(Debug, thiserror::Error)]
#[error("more than {} files, chunks or symbols do not fit into one index", u32::MAX)]
struct TooManyRows;

impl<'a> IndexWriter<'a> {
    /// Creates the files below `root`. `plan` describes the vectors; none if the index has no vectors.
    pub(crate) fn create(
        root: &'a Path,
        repos: &'a [String],
        plan: Option<VectorPlan>,
        memory: MemoryBudget,
        reused: ReusedState<'_>,
    ) -> anyhow::Result<Self> {
        let ReusedState { index_cache, cache, rows, resolution, table_of } = reused;
        let dims = plan.map(|plan| plan.dims);
        let table_of = table_of.filter(|_| plan.is_some() && index_cache.is_some() && rows.is_some());
        let mut resolution = resolution.filter(|_| rows.is_some());
        let mut table = SymbolTable::default();
        if let Some(resolution) = &mut resolution {
            table.begin_with(resolution.symbols());
            table.reserve(resolution.sizes());
        }
        if let Some(previous) = table_of {
            sextant_lance::link_table(previous, root)?;
        }
        Ok(Self {
            root,
            repos,
            rows: GenerationWriter::create(root, repos, dims, memory.text_writer_bytes(), rows)?,
            has_vectors: plan.is_some(),
            keeps_table: table_of.is_some(),
            spool: plan.filter(|_| index_cache.is_some()).map(|plan| Spool::create(root, plan)).transpose()?,
            resolution,
            index_cache: index_cache.map(|previous| IndexCacheWriter::create(root, previous)).transpose()?,
            cache,
            memory,
            table,
            next: FirstIds::default(),
            file_keys: Vec::new(),
            recalled: Vec::new(),
            counts: Counts::default(),
        })
    }

    /// Appends a skipped path.
    pub(crate) fn push_skipped(&mut self, found: SkippedPath) -> anyhow::Result<()> {
        *self.counts.skipped.entry(found.reason.as_str()).or_default() += 1;
        let repo = self.repos[found.repo as usize].clone();
        self.rows.push_skipped(SkippedRow { repo, path: found.path, reason: found.reason, detail: found.detail })?;
        Ok(())
    }

    /// Appends the outcome of a file.
    pub(crate) fn push(&mut self, source: Source, outcome: Outcome) -> anyhow::Result<()> {
        match outcome {
            Outcome::Skipped { reason, detail } => {
                self.push_skipped(SkippedPath { repo: source.repo, path: source.path, reason, detail })
            }
            Outcome::Indexed(file) => self.push_indexed(source, *file),
            Outcome::Unchanged(file) => self.push_unchanged(source, *file),
        }
    }

    /// Appends a file with the rows that it had in the previous generation.
    fn push_unchanged(&mut self, source: Source, file: UnchangedFile) -> anyhow::Result<()> {
        let UnchangedFile { known: KnownFile { number, row, chunks, keys, .. }, facts, cache_entries } = file;
        self.check_memory()?;
        self.push_entries(&cache_entries)?;
        let first = self.next;
        let language = language::by_name(&row.language).map_or(language::TEXT, |language| language.name);
        let scope = FileContext { repo: source.repo, path: &source.path, language, is_test: row.is_test };
        let unknown = || format!("{}: the earlier build does not know it", source.path);
        let resolution = self.resolution.as_mut().with_context(unknown)?;
        let content = resolution.content_of(number).with_context(unknown)?;
        let count = match &facts {
            KnownFacts::Stored(stored) => {
                resolution.symbols().take(number);
                self.table.add_stored(scope, first.symbol, stored, content).with_context(unknown)?
            }
            KnownFacts::Outline(outline) => {
                if let Some(project) = &outline.project {
                    self.table.add_project(source.repo, &source.path, row.is_test, project.clone());
                }
                self.table.add_outline(scope, first.symbol, outline, content);
                outline.symbols.len()
            }
        };
        let symbols = u32::try_from(count).map_err(|_| TooManyRows)?;
        self.next = first.checked_after(1, chunks, symbols).ok_or(TooManyRows)?;
        let counts = &mut self.counts;
        counts.files += 1;
        counts.bytes += row.bytes;
        counts.lines += u64::from(row.lines);
        counts.chunks += u64::from(chunks);
        counts.symbols += u64::from(symbols);
        counts.vectors += u64::from(keys.embedded_chunks);
        *counts.statuses.entry(row.parse_status.as_str()).or_default() += 1;
        *counts.languages.entry(language).or_default() += 1;
        let source = cache_entries.is_empty().then(|| Box::new(source));
        let recalled = |analysis| RecalledFile { analysis, bytes: row.bytes, symbols: count, source };
        self.recalled.resize(first.file.index(), None);
        self.recalled.push(keys.analysis.map(recalled));
        self.file_keys.push(keys);
        let containers = self.table.containers_from(first.symbol);
        Ok(self.rows.push_unchanged(&row, containers, keys.embedded_chunks)?)
    }

    fn check_memory(&self) -> anyhow::Result<()> {
        if self.next.file.get().is_multiple_of(FILES_PER_MEMORY_CHECK) { Ok(self.memory.check()?) } else { Ok(()) }
    }

    /// Passes cache entries on to the caches that lack them.
    fn push_entries(&mut self, entries: &[CacheEntry]) -> anyhow::Result<()> {
        for entry in entries {
            if let Some(index_cache) = &mut self.index_cache {
                index_cache.push(entry)?;
            }
            if let (Some(cache), false) = (&mut self.cache, entry.is_in_shared_cache) {
                cache.push(entry)?;
            }
        }
        Ok(())
    }

    fn push_indexed(&mut self, source: Source, file: IndexedFile) -> anyhow::Result<()> {
        self.count(&file);
        self.check_memory()?;
        let IndexedFile {
            analysis: file,
            is_test,
            hashes,
            summaries,
            vectors,
            names_vector,
            scip_occurrences,
            cache_entries,
            keys,
        } = file;
        self.push_entries(&cache_entries)?;
        self.file_keys.push(keys);
        let language = file.language_name();
        let first = self.next;
        let rows = |count: usize| u32::try_from(count).map_err(|_| TooManyRows);
        let (chunks, symbols) = (rows(file.chunks.len())?, rows(file.symbols.len())?);
        self.next = first.checked_after(1, chunks, symbols).ok_or(TooManyRows)?;

        if let Some(project) = file.project {
            self.table.add_project(source.repo, &source.path, is_test, project);
        }
        let scope = FileContext { repo: source.repo, path: &source.path, language, is_test };
        self.table.add_file(scope, first.symbol, &file.symbols, &file.references, &file.type_facts);
        match scip_occurrences {
            ScipOccurrences::Missing => {}
            ScipOccurrences::Stale => self.counts.scip.stale += 1,
            ScipOccurrences::Current(occurrences) => {
                self.counts.scip.used += 1;
                self.table.add_scip(first.file, first.symbol, &file.symbols, &occurrences);
            }
        }

        let repo = &self.repos[source.repo as usize];
        let rows = (0..).zip(file.symbols);
        let symbols: Vec<SymbolRow> = rows.map(|(n, symbol)| symbol_row(n, first, symbol)).collect();
        let mut chunks = Vec::with_capacity(file.chunks.len());
        let mut vectors_of_chunks = Vec::new();
        let chunk_parts = file.chunks.into_iter().zip(hashes).zip(vectors).zip(summaries);
        for (n, (((chunk, hash), vector), summary)) in (0..).zip(chunk_parts) {
            let mut row = chunk_row(n, first, chunk, hash);
            StoredSummary::write_to(summary, &mut row);
            if let Some(vector) = vector.filter(|_| self.has_vectors) {
                vectors_of_chunks.push((row.chunk_id, row.level, row.content_hash, vector));
            }
            chunks.push(row);
        }
        let row = FileRow {
            file_id: first.file,
            repo: repo.clone(),
            path: source.path.clone(),
            language: language.to_owned(),
            encoding: file.encoding.to_owned(),
            content_hash: file.content_hash,
            bytes: file.bytes,
            lines: file.lines,
            parse_status: file.status,
            error_lines: file.error_lines,
            is_test,
            is_generated: file.is_generated,
        };
        let PushedFile { first: at, is_reused } = self.rows.push_file(row, symbols, chunks)?;
        for (chunk_id, level, hash, vector) in vectors_of_chunks {
            // A table that is kept has the vectors of unchanged files.
            if let Some(spool) = self.spool.as_mut().filter(|_| !(is_reused && self.keeps_table)) {
                let address = at.chunk.plus(chunk_id.rows_after(first.chunk).unwrap_or_default());
                spool.push(address, level, &hash, &vector.half)?;
            }
            self.rows.push_vector(chunk_id, level, &vector.quantized)?;
        }
        if let Some(vector) = names_vector {
            self.rows.set_names_vector(vector);
        }
        Ok(())
    }

    fn count(&mut self, file: &IndexedFile) {
        let counts = &mut self.counts;
        counts.files += 1;
        counts.bytes += file.analysis.bytes;
        counts.lines += u64::from(file.analysis.lines);
        counts.chunks += file.analysis.chunks.len() as u64;
        counts.symbols += file.analysis.symbols.len() as u64;
        counts.summaries += file.summaries.iter().flatten().count() as u64;
        counts.vectors += file.vectors.iter().flatten().count() as u64;
        *counts.statuses.entry(file.analysis.status.as_str()).or_default() += 1;
        *counts.languages.entry(file.analysis.language_name()).or_default() += 1;
    }

    /// Closes the tables of files, symbols and chunks. Edges, graph and text index are finished by
    /// [`UnresolvedIndex::resolve`], which needs the rows of all files.
    pub(crate) fn finish_files(self) -> anyhow::Result<UnresolvedIndex<'a>> {
        self.index_cache.map(IndexCacheWriter::finish).transpose()?;
        write_file_keys(self.root, &self.file_keys)?;
        // The remaining stages compute nothing that could be cached per file.
        self.cache.map(SharedCache::finish).transpose()?;
        let FinishedFiles { edges, text, removed_chunks } = self.rows.finish_files()?;
        let Self { root, repos, table, memory, spool, counts, mut resolution, recalled, .. } = self;
        if let Some(resolution) = &mut resolution {
            resolution.end_files(&table);
        }
        let files = UnresolvedIndex {
            root,
            repositories: repos.len(),
            edges,
            text,
            table,
            memory,
            spool,
            removed_chunks,
            counts,
            resolution,
            recalled,
        };
        Ok(files)
    }
}

/// A generation with the rows of all files. Its references are not resolved yet.
pub(crate) struct UnresolvedIndex<'a> {
    root: &'a Path,
    /// Number of repositories.
    repositories: usize,
    edges: EdgesWriter<'a>,
    text: TextWriter,
    table: SymbolTable,
    memory: MemoryBudget,
    spool: Option<Spool>,
    removed_chunks: Vec<Range<u32>>,
    counts: Counts,
    resolution: Option<PreviousResolution>,
    /// The files that were recalled.
    recalled: Vec<Option<RecalledFile>>,
}

/// A generation with all rows. Only the LanceDB table may be missing.
pub(crate) struct ResolvedIndex<'a> {
    root: &'a Path,
    spool: Option<Spool>,
    removed_chunks: Vec<Range<u32>>,
    written: WrittenTables,
}

impl<'a> UnresolvedIndex<'a> {
    /// The symbols and references of all files.
    pub(crate) const fn symbols(&mut self) -> &mut SymbolTable {
        &mut self.table
    }

    /// Resolves references on `threads` threads and writes edges and graph; `references` returns those of files that were
    /// recalled. Meanwhile, the text index writes its last segments.
    pub(crate) fn resolve(
        self,
        threads: usize,
        references: &(dyn Fn(&RecalledFile) -> Option<Vec<Reference>> + Sync),
    ) -> anyhow::Result<ResolvedIndex<'a>> {
        let mut packages: Vec<Vec<Package>> = Vec::new();
        let Self {
            root,
            repositories,
            edges,
            text,
            mut table,
            memory,
            spool,
            removed_chunks,
            mut counts,
            resolution,
            recalled,
        } = self;
        let references = |file: FileId| references(recalled.get(file.index())?.as_ref()?);
        let reader_features = text.reader_features();
        let written = text.finish_concurrently(|| -> anyhow::Result<_> {
            let edges: EdgesWriter<'_> = edges;
            let mut sink = CountedEdges { edges, counts: &mut counts, memory };
            let earlier = resolution.as_ref().map(|resolution| resolution.edges(&references));
            let resolved = table.resolve(threads, crate::interrupt::requested, earlier, &mut sink)?;
            let CountedEdges { edges, .. } = sink;
            let ResolvedEdges { externals, readers, table: resolved, resolved_files, packages: published } = resolved;
            packages.resize_with(repositories, Vec::new);
            for (repository, package) in published {
                packages[repository as usize].push(package);
            }
            counts.external_symbols = externals.len() as u64;
            counts.resolved_files = resolved_files as u64;
            let (stored, written) = std::thread::scope(|scope| {
                let stored = scope.spawn(|| store_resolution(root, &readers, resolved, resolution.as_ref()));
                let written = edges.finish_edges(externals).and_then(GraphWriter::finish);
                (stored.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), written)
            });
            stored?;
            Ok(written?)
        })?;
        counts.graph_edges = written.graph_edges;
        let written = WrittenTables { rows: written, packages, reader_features, counts };
        Ok(ResolvedIndex { root, spool, removed_chunks, written })
    }
}

impl ResolvedIndex<'_> {
    /// Whether the LanceDB table is still to be written.
    pub(crate) const fn has_vectors(&self) -> bool {
        self.spool.is_some()
    }

    /// Writes the LanceDB table.
    pub(crate) fn finish(self) -> anyhow::Result<WrittenTables> {
        if let Some(spool) = self.spool {
            sextant_lance::write_table(self.root, spool, &self.removed_chunks)?;
        }
        Ok(self.written)
    }
}

/// The row of a file's `n`th symbol; `first` are the first ids of the file.
fn symbol_row(n: u32, first: FirstIds, symbol: Symbol) -> SymbolRow {
    SymbolRow {
        symbol_id: first.symbol.plus(n),
        name: symbol.name,
        qualified_name: symbol.qualified_name,
        ordinal: 0,
        kind: symbol.kind,
        file_id: first.file,
        start_line: symbol.start_line,
        end_line: symbol.end_line,
        name_line: symbol.name_line,
        name_column: symbol.name_column,
        container_id: symbol.container.map(|id| first.symbol.plus(id)),
        chunk_id: symbol.chunk.map(|id| first.chunk.plus(id)),
        signature: symbol.signature,
        doc: symbol.doc,
        exported: symbol.exported,
    }
}

/// The row of a file's `n`th chunk; `first` are the first ids of the file.
fn chunk_row(n: u32, first: FirstIds, chunk: Chunk, content_hash: Digest) -> ChunkRow {
    let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    ChunkRow {
        chunk_id: first.chunk.plus(n),
        parent_id: chunk.parent.map(|id| first.chunk.plus(id)),
        level: chunk.level,
        kind: chunk.kind,
        file_id: first.file,
        start_line: chunk.start_line,
        end_line: chunk.end_line,
        start_byte: byte(chunk.start_byte),
        end_byte: byte(chunk.end_byte),
        symbol_id: chunk.symbol.map(|id| first.symbol.plus(id)),
        ordinal: 0,
        content_hash,
        content: chunk.content,
        summary: None,
        keywords: None,
        purpose: None,
    }
}

//! Resolves the files of an index on several threads, and keeps the edges of those that need not be resolved again.

use rustc_hash::FxHashMap;
use sextant_format::ids::FileId;
use sextant_format::keys::{ShortHash, external_key};
use sextant_format::kinds::Tier;
use sextant_format::manifest::Package;
use sextant_format::tables::{BorrowedEdgeRow, ExternalRow};
use sextant_ordered::ordered_parallel_map;
use sextant_syntax::model::Reference;

use crate::cache::ResolverCache;
use crate::error::{Error, Result};
use crate::external::{ExternalSymbol, ExternalSymbols};
use crate::imports::AllImports;
use crate::interface::Interface;
use crate::readers::{EarlierEdges, Kept};
use crate::stored_readers::{AskedKeys, Reader, ResolvedReader, ResolvedReaders, TierCounts};
use crate::symbol_lookup::SymbolLookup;
use crate::table::SymbolTable;
use crate::view::Resolver;

/// Files in flight for each thread.
const WINDOW_PER_THREAD: usize = 32;
/// Files whose imports are looked up at once.
const FILES_AT_ONCE: usize = 64;

/// Receives edges in the order of the files.
pub trait EdgeSink<'a, E> {
    /// Receives the symbols to which the edges that follow lead.
    fn begin(&mut self, _symbols: &'a SymbolTable) {}

    /// Receives an edge, with the key of its external symbol.
    ///
    /// # Errors
    /// The sink failed.
    fn push(&mut self, edge: BorrowedEdgeRow<'a>, external: Option<ShortHash>) -> Result<(), E>;

    /// Whether the edges that an earlier build had for a file can be kept.
    fn can_keep(&self, file: FileId) -> bool;

    /// Keeps these edges; `tiers` has their number of each tier. `is_alone` says that all edges of the file's symbols were
    /// edges of the file, and the other way round.
    ///
    /// # Errors
    /// The sink failed.
    fn keep(&mut self, file: FileId, tiers: &[(Tier, u32)], is_alone: bool) -> Result<(), E>;
}

/// Collects all edges; keeps none of an earlier build.
impl<'a> EdgeSink<'a, Error> for Vec<BorrowedEdgeRow<'a>> {
    fn push(&mut self, edge: BorrowedEdgeRow<'a>, _: Option<ShortHash>) -> Result<()> {
        Self::push(self, edge);
        Ok(())
    }

    fn can_keep(&self, _: FileId) -> bool {
        false
    }

    fn keep(&mut self, _: FileId, _: &[(Tier, u32)], _: bool) -> Result<()> {
        Ok(())
    }
}

/// What is known of all edges once every file is resolved.
pub struct ResolvedEdges<'a> {
    /// The external symbols to which edges lead.
    pub externals: Vec<ExternalRow>,
    /// What the files depended on, for the next build. Empty if it cannot be told.
    pub readers: ResolvedReaders,
    /// The symbols of all files.
    pub table: &'a SymbolTable,
    /// The number of files that were resolved, and not kept.
    pub resolved_files: usize,
    /// What repositories publish, by the number of the repository, in ascending order.
    pub packages: Vec<(u32, Package)>,
}

/// A file's edges with the external symbol of each, and what it depended on.
struct Resolved<'a> {
    edges: Vec<(BorrowedEdgeRow<'a>, Option<ExternalSymbol>)>,
    reader: Reader,
    asked: AskedKeys,
}

/// The number of edges of each tier.
fn tiers_of(edges: &[(BorrowedEdgeRow<'_>, Option<ExternalSymbol>)]) -> TierCounts {
    let mut tiers = TierCounts::new();
    for (edge, _) in edges {
        let code = edge.tier.code();
        match tiers.iter_mut().find(|(known, _)| *known == code) {
            Some((_, count)) => *count += 1,
            None => tiers.push((code, 1)),
        }
    }
    tiers
}

impl SymbolTable {
    /// Resolves references on `threads` threads and passes the edges to `sink`, in the order of the files. Files that need
    /// not be resolved again keep the edges of the build in which they depended on what `earlier` says. `stop` is asked
    /// before each file.
    ///
    /// # Errors
    /// The sink fails, or the references of a file made a worker panic.
    pub fn resolve<'a, E: From<Error>>(
        &'a mut self,
        threads: usize,
        stop: impl Fn() -> bool + Sync,
        earlier: Option<EarlierEdges<'_>>,
        sink: &mut impl EdgeSink<'a, E>,
    ) -> Result<ResolvedEdges<'a>, E> {
        self.type_facts.sort(self.symbols.len());
        self.scip_uses.sort();
        let earlier_externals: FxHashMap<ShortHash, &ExternalRow> = earlier
            .iter()
            .flat_map(|earlier| earlier.externals.iter())
            .map(|row| (external_key(&row.family, &row.name), row))
            .collect();
        let kept = match earlier {
            Some(earlier) => self.files_to_keep(earlier, &earlier_externals, sink, threads, &stop)?,
            None => vec![None; self.files.len()],
        };
        self.load_references(&kept, earlier, threads, &stop)?;
        let table: &'a Self = self;
        sink.begin(table);
        let index = SymbolLookup::new(table);
        let all_imports = AllImports::new(table);
        let resolve = |cache: &ResolverCache, file: FileId| {
            // Results must not depend on which files a thread resolved before.
            cache.begin_file(file);
            let imports = all_imports.imports_of(file);
            let resolver = Resolver { table, index: &index, imports, all_imports: &all_imports, cache, file };
            let edges = resolver.edges();
            let tiers = tiers_of(&edges);
            let (asked, asked_modules) = cache.reads.finish();
            let state = table.files[file.index()].state;
            let reader = Reader {
                place: state.place,
                attributes: state.attributes,
                content: state.content,
                namespaces: state.namespaces,
                imports: imports.state(),
                asked_modules,
                interface: if table.is_stored(file) { Interface::default() } else { table.interface_of(file) },
                tiers,
                sources: table.other_sources(file, &edges),
                ..Reader::default()
            };
            Resolved { edges, reader, asked: AskedKeys::new(&asked) }
        };
        let shared = earlier.map(|earlier| earlier.readers.sharing_sources()).unwrap_or_default();
        let mut externals = ExternalSymbols::default();
        let mut readers: Vec<ResolvedReader> = Vec::with_capacity(table.files.len());
        let mut resolved_files = 0;
        ordered_parallel_map(
            threads,
            threads.max(1) * WINDOW_PER_THREAD,
            (0..table.files.len()).map(FileId::at),
            &stop,
            ResolverCache::default,
            |cache, &file| Ok::<_, Error>(kept[file.index()].is_none().then(|| resolve(cache, file))),
            |&file, panic| {
                let path = &table.files[file.index()].path;
                Err(Error::Panic { path: path.to_string(), panic })
            },
            |file, resolved| {
                let resolved = resolved.map_err(E::from)?;
                if let (Some(number), Some(earlier)) = (kept[file.index()], earlier)
                    && let Some(reader) = earlier.readers.files().get(number)
                {
                    let tiers = reader.tiers.iter().filter_map(|&(code, edges)| Some((Tier::from_code(code)?, edges)));
                    sink.keep(file, &tiers.collect::<Vec<_>>(), !shared.contains(&number))?;
                    let used = earlier.readers.externals_of(reader, &earlier_externals).unwrap_or_default();
                    externals.record_kept(table.files[file.index()].family, &used);
                    externals.end_file();
                    readers.push(ResolvedReader::Kept(number));
                    return Ok(());
                }
                let Some(Resolved { edges, reader, asked }) = resolved else { return Ok(()) };
                for (mut edge, external) in edges {
                    let (id, key) = external.map(|external| externals.record_use(external)).unzip();
                    edge.external_id = id;
                    sink.push(edge, key)?;
                }
                resolved_files += 1;
                readers.push(ResolvedReader::Resolved(Reader { externals: externals.end_file(), ..reader }, asked));
                Ok::<_, E>(())
            },
        )?;
        let (externals, recorded) = externals.finish();
        let is_complete = table.scip_uses.is_empty() && table.answers.targets.is_empty();
        let readers = if is_complete && readers.len() == table.files.len() {
            ResolvedReaders { files: readers, projects: table.project_state, externals: recorded, sizes: table.sizes() }
        } else {
            ResolvedReaders::default()
        };
        Ok(ResolvedEdges { externals, readers, table, resolved_files, packages: all_imports.published() })
    }

    /// The other files whose symbols are sources of a file's edges, by the keys of their places.
    fn other_sources(&self, file: FileId, edges: &[(BorrowedEdgeRow<'_>, Option<ExternalSymbol>)]) -> Vec<u64> {
        let files = edges.iter().map(|(edge, _)| self.symbols[edge.source_id.index()].file);
        let mut keys: Vec<u64> =
            files.filter(|&source| source != file).map(|source| self.files[source.index()].state.place.key).collect();
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// For each file that need not be resolved again, its number in the earlier build.
    fn files_to_keep<'a, E: From<Error>>(
        &self,
        earlier: EarlierEdges<'_>,
        externals: &FxHashMap<ShortHash, &ExternalRow>,
        sink: &impl EdgeSink<'a, E>,
        threads: usize,
        stop: impl Fn() -> bool + Sync,
    ) -> Result<Kept> {
        let all_imports = AllImports::new(self);
        let imports = self.states_of_imports(&all_imports, threads, stop)?;
        let kept = self.kept_files(earlier, &imports, &all_imports, threads);
        let mut kept = kept.unwrap_or_else(|| vec![None; self.files.len()]);
        for (at, kept) in kept.iter_mut().enumerate() {
            *kept = kept.filter(|&number| {
                let reader = earlier.readers.files().get(number);
                sink.can_keep(FileId::at(at))
                    && reader.is_some_and(|reader| earlier.readers.externals_of(reader, externals).is_some())
            });
        }
        Ok(kept)
    }

    /// Loads the references of files that are resolved and not complete.
    fn load_references(
        &mut self,
        kept: &Kept,
        earlier: Option<EarlierEdges<'_>>,
        threads: usize,
        stop: impl Fn() -> bool + Sync,
    ) -> Result<()> {
        let files = self.files.iter().zip(kept).enumerate();
        let wanted: Vec<FileId> = files
            .filter(|(_, (info, kept))| info.references.is_none() && kept.is_none())
            .map(|(at, _)| FileId::at(at))
            .collect();
        if wanted.is_empty() {
            return Ok(());
        }
        let mut loaded = Vec::with_capacity(wanted.len());
        ordered_parallel_map(
            threads,
            threads.max(1) * WINDOW_PER_THREAD,
            wanted.into_iter(),
            stop,
            || (),
            |(), &file| earlier.and_then(|earlier| (earlier.references)(file)),
            |_, _| None,
            |file, references: Option<Vec<Reference>>| {
                let path = &self.files[file.index()].path;
                let missing = || Error::MissingReferences { path: path.clone() };
                loaded.push((file, references.ok_or_else(missing)?));
                Ok::<_, Error>(())
            },
        )?;
        self.complete(loaded.into_iter());
        Ok(())
    }

    /// The fingerprint of the imports of each file.
    fn states_of_imports(
        &self,
        all_imports: &AllImports<'_>,
        threads: usize,
        stop: impl Fn() -> bool + Sync,
    ) -> Result<Vec<u64>> {
        let mut states = Vec::with_capacity(self.files.len());
        let parts = (0..self.files.len()).step_by(FILES_AT_ONCE);
        let end = |from: usize| (from + FILES_AT_ONCE).min(self.files.len());
        ordered_parallel_map(
            threads,
            threads.max(1) * WINDOW_PER_THREAD,
            parts,
            stop,
            || (),
            |(), &from| {
                Ok((from..end(from)).map(|file| all_imports.imports_of(FileId::at(file)).state()).collect::<Vec<u64>>())
            },
            |&from, panic| Err(Error::Panic { path: self.files[from].path.clone(), panic }),
            |_, part: Result<Vec<u64>>| {
                states.extend(part?);
                Ok::<_, Error>(())
            },
        )?;
        // Where the work was stopped, nothing is kept.
        states.resize(self.files.len(), 0);
        Ok(states)
    }
}

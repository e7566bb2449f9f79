//! Checks the rows of the tables: their ids, their references to other rows, and their hashes, up to the manifest's.

use std::collections::BTreeMap;

use sextant_format::digest::{Digest, RowHasher};
use sextant_format::file_rows::{FileEdgesReader, FileRows, FileRowsReader};
use sextant_format::generation::{Generation, part};
use sextant_format::hashes::{EdgesHasher, RepositoryHasher, hash_vectors};
use sextant_format::ids::{FileId, FirstIds, RowId};
use sextant_format::keys::{ShortHash, SymbolKeyTable, external_key};
use sextant_format::kinds::Tier;
use sextant_format::manifest::{HistoryInfo, Manifest};
use sextant_format::tables::{
    ChunkRow, DirectoryRow, EdgeRow, ExternalRow, FileRow, HistoryRow, Row, SkippedRow, SymbolRow, TableReader,
};
use sextant_format::vectors_by_file::{FileVectors, VectorsByFile};

use crate::report::{MAX_EXAMPLES, VerifyReport};

/// What the vectors of files are made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkFact {
    /// The file of the chunk.
    pub(crate) file: FileId,
    /// Its level.
    pub(crate) level: u8,
    /// Bytes of its text.
    pub(crate) bytes: u32,
}

/// Counts the rows of a table and reports the wrong ones.
struct TableCheck {
    table: &'static str,
    rows: u64,
    wrong: usize,
}

impl TableCheck {
    const fn new<R: Row>() -> Self {
        Self { table: R::TABLE, rows: 0, wrong: 0 }
    }

    /// Ends a row, which is wrong if `result` is an error.
    fn end_row(&mut self, result: Result<(), String>, report: &mut VerifyReport) {
        if let Err(what) = result {
            self.wrong += 1;
            if self.wrong <= MAX_EXAMPLES {
                report.problem(format!("{}.parquet: row {}: {what}", self.table, self.rows));
            }
        }
        self.rows += 1;
    }

    /// Compares the number of rows with the manifest's.
    fn finish(self, manifest: &Manifest, report: &mut VerifyReport) {
        if self.wrong > MAX_EXAMPLES {
            report.problem(format!("{}.parquet: {} rows are wrong", self.table, self.wrong));
        }
        let declared = manifest.rows(self.table);
        if declared != self.rows {
            let (table, rows) = (self.table, self.rows);
            report.problem(format!("{table}.parquet: {rows} of its rows are of files, the manifest has {declared}"));
        }
        report.rows += self.rows;
    }
}

/// Checks all rows. Returns the facts about each chunk.
pub(crate) fn check_rows(generation: &Generation, report: &mut VerifyReport) -> Vec<ChunkFact> {
    let mut checked = CheckedRows { generation, facts: Vec::new(), keys: SymbolKeyTable::default() };
    if let Err(error) = checked.check(report) {
        report.problem(error.to_string());
    }
    checked.facts
}

/// The rows that were checked so far.
struct CheckedRows<'a> {
    generation: &'a Generation,
    facts: Vec<ChunkFact>,
    keys: SymbolKeyTable,
}

/// A file, with the row of the directory that it should have.
struct CheckedFile {
    repo: String,
    path: String,
    content: Digest,
    lines: u32,
    listed: DirectoryRow,
}

impl CheckedRows<'_> {
    fn check(&mut self, report: &mut VerifyReport) -> sextant_format::Result<()> {
        let generation = self.generation;
        let manifest = generation.manifest();
        let declared = generation.directory()?;
        let mut files = self.check_files(&declared, report)?;
        self.check_edges(&mut files, report)?;
        let mut check = TableCheck::new::<DirectoryRow>();
        for (row, file) in declared.iter().zip(files.iter().map(Some).chain(std::iter::repeat(None))) {
            let what = match file.map(|file| &file.listed) {
                None => "its file is missing",
                Some(expected) if expected.rows_hash != row.rows_hash => "the rows of its file have another hash",
                Some(expected) if expected.vectors_hash != row.vectors_hash => {
                    "the vectors of its file have another hash"
                }
                Some(expected) if expected.edges_hash != row.edges_hash => "the edges of its file have another hash",
                Some(expected) if expected != row => "the rows of its file are elsewhere",
                Some(_) => "",
            };
            check.end_row(if what.is_empty() { Ok(()) } else { Err(what.to_owned()) }, report);
        }
        check.finish(manifest, report);
        for repository in &manifest.repositories {
            let (mut tree, mut rows) = (RowHasher::default(), RepositoryHasher::default());
            for file in files.iter().filter(|file| file.repo == repository.name) {
                tree.sized(file.path.as_bytes());
                tree.fixed(&file.content.0);
                tree.end_row();
                rows.push(&file.path, &file.listed);
            }
            let found = [tree.finish().to_hex(), rows.finish().to_hex()];
            if found != [repository.tree_hash.as_str(), repository.rows_hash.as_str()] {
                report.problem(format!("manifest.json: the hashes of {} are not those of its rows", repository.name));
            }
        }
        check_skipped(generation, report)?;
        check_history(generation, report)
    }

    /// Checks files with their symbols and chunks, and hashes them with their vectors.
    fn check_files(
        &mut self,
        declared: &[DirectoryRow],
        report: &mut VerifyReport,
    ) -> sextant_format::Result<Vec<CheckedFile>> {
        let manifest = self.generation.manifest();
        let mut vectors = VectorsByFile::open(self.generation)?;
        let mut checks = (TableCheck::new::<FileRow>(), TableCheck::new::<SymbolRow>(), TableCheck::new::<ChunkRow>());
        let mut files: Vec<CheckedFile> = Vec::new();
        for rows in FileRowsReader::open(self.generation)? {
            let rows = rows?;
            let first = FirstIds {
                file: FileId::at(files.len()),
                symbol: RowId::from_row(u32::try_from(checks.1.rows).unwrap_or(u32::MAX)),
                chunk: RowId::from_row(u32::try_from(checks.2.rows).unwrap_or(u32::MAX)),
            };
            let FileRows { file, symbols, chunks } = &rows;
            checks.0.end_row(check_file(manifest, file, first), report);
            for symbol in symbols {
                let result = check_dense_id("symbol_id", symbol.symbol_id, checks.1.rows);
                checks.1.end_row(result.and_then(|()| check_symbol(symbol, &rows, first)), report);
            }
            for chunk in chunks {
                let result = check_dense_id("chunk_id", chunk.chunk_id, checks.2.rows);
                checks.2.end_row(result.and_then(|()| check_chunk(chunk, &rows, first)), report);
                let bytes = u32::try_from(chunk.content.len()).unwrap_or(u32::MAX);
                self.facts.push(ChunkFact { file: file.file_id, level: chunk.level, bytes });
            }
            let own: FileVectors = vectors
                .as_mut()
                .map(|vectors| vectors.take(file.file_id, first.chunk, chunks.len()))
                .unwrap_or_default();
            let count = |rows: usize| u32::try_from(rows).unwrap_or(u32::MAX);
            // Where the rows are follows from the directory itself: they were read from there.
            let place = declared.get(files.len());
            let listed = DirectoryRow {
                file_id: place.map(|place| place.file_id).unwrap_or_default(),
                first_chunk: place.map(|place| place.first_chunk).unwrap_or_default(),
                chunks: count(chunks.len()),
                first_symbol: place.map(|place| place.first_symbol).unwrap_or_default(),
                symbols: count(symbols.len()),
                first_edge: place.map(|place| place.first_edge).unwrap_or_default(),
                edges: 0,
                symbol_ids: place.map(|place| place.symbol_ids.clone()).unwrap_or_default(),
                rows_hash: rows.hash(),
                vectors_hash: hash_vectors(&own),
                edges_hash: Digest([0; 32]),
            };
            self.keys.add(&file.repo, &file.path, symbols.iter().map(|symbol| symbol.name.as_str()));
            let (repo, path) = (file.repo.clone(), file.path.clone());
            files.push(CheckedFile { repo, path, content: file.content_hash, lines: file.lines, listed });
        }
        checks.0.finish(manifest, report);
        checks.1.finish(manifest, report);
        checks.2.finish(manifest, report);
        if let Some(vectors) = vectors {
            vectors.finish()?;
        }
        Ok(files)
    }

    /// Checks and hashes the edges of all files, and the external symbols that they lead to.
    fn check_edges(&self, files: &mut [CheckedFile], report: &mut VerifyReport) -> sextant_format::Result<()> {
        let manifest = self.generation.manifest();
        let externals = TableReader::<ExternalRow>::read_all(&self.generation.table(ExternalRow::TABLE))?;
        let mut check = TableCheck::new::<ExternalRow>();
        let mut last = None;
        for row in &externals {
            let ascends = last.is_none_or(|last| last < row.external_id);
            last = Some(row.external_id);
            let wrong = || format!("external_id {} does not follow that of the row before", row.external_id);
            check.end_row(if ascends { Ok(()) } else { Err(wrong()) }, report);
        }
        check.finish(manifest, report);
        let key = |row: &ExternalRow| external_key(&row.family, &row.name);
        let mut used: BTreeMap<u32, (ShortHash, u32)> =
            externals.iter().map(|row| (row.external_id, (key(row), 0))).collect();
        let mut check = TableCheck::new::<EdgeRow>();
        let mut edges = FileEdgesReader::open(self.generation)?;
        let mut tiers: BTreeMap<String, u64> = BTreeMap::new();
        for file in files.iter_mut() {
            let mut hasher = EdgesHasher::default();
            for edge in edges.next_file()? {
                let result = self.check_edge(&edge, file.lines, &mut used, &mut hasher);
                check.end_row(result, report);
                *tiers.entry(edge.tier.as_str().to_owned()).or_default() += 1;
                file.listed.edges += 1;
            }
            file.listed.edges_hash = hasher.finish();
        }
        check.finish(manifest, report);
        if !manifest.tiers.is_empty() && manifest.tiers != tiers {
            report.problem("edges.parquet: its tiers are not those of the manifest".to_owned());
        }
        if externals.iter().any(|row| used.get(&row.external_id).is_none_or(|(_, uses)| *uses != row.uses)) {
            report.problem("externals.parquet: its uses are not those of the edges".to_owned());
        }
        Ok(())
    }

    /// Checks an edge of a file of `lines` lines, and appends it to the hash of its file.
    fn check_edge(
        &self,
        row: &EdgeRow,
        lines: u32,
        externals: &mut BTreeMap<u32, (ShortHash, u32)>,
        hasher: &mut EdgesHasher,
    ) -> Result<(), String> {
        let key = |what: &str, id| self.keys.key_of(id).ok_or_else(|| format!("{what} {id} is out of range"));
        let source = key("source_id", row.source_id)?;
        let target = row.target_id.map(|target| key("target_id", target)).transpose()?;
        let mut external = None;
        if let Some(id) = row.external_id {
            let (key, uses) = externals.get_mut(&id).ok_or_else(|| format!("there is no external_id {id}"))?;
            *uses += 1;
            external = Some(*key);
        }
        hasher.push(row, source, target, external);
        if target.is_none() && !matches!(row.tier, Tier::Unresolved | Tier::External) {
            return Err(format!("tier {} without a target", row.tier));
        }
        if external.is_none() && row.tier == Tier::External {
            return Err("tier external without an external symbol".to_owned());
        }
        if row.line == 0 || row.line > lines.max(1) {
            return Err(format!("line {} is not in the file", row.line));
        }
        if !(0.0..=1.0).contains(&row.confidence) {
            return Err(format!("confidence {} is not within 0 and 1", row.confidence));
        }
        Ok(())
    }
}

fn check_file(manifest: &Manifest, row: &FileRow, first: FirstIds) -> Result<(), String> {
    check_dense_id("file_id", row.file_id, u64::from(first.file))?;
    check_repository(manifest, &row.repo)
}

fn check_symbol(row: &SymbolRow, own: &FileRows, first: FirstIds) -> Result<(), String> {
    if let Some(container) = row.container_id {
        check_is_own("container_id", container, first.symbol, own.symbols.len())?;
    }
    if let Some(chunk) = row.chunk_id {
        check_is_own("chunk_id", chunk, first.chunk, own.chunks.len())?;
    }
    Ok(())
}

fn check_chunk(row: &ChunkRow, own: &FileRows, first: FirstIds) -> Result<(), String> {
    if let Some(parent) = row.parent_id {
        if parent >= row.chunk_id {
            return Err(format!("parent_id {parent} does not precede it"));
        }
        check_is_own("parent_id", parent, first.chunk, own.chunks.len())?;
    }
    if let Some(symbol) = row.symbol_id {
        check_is_own("symbol_id", symbol, first.symbol, own.symbols.len())?;
    }
    if row.start_line == 0 || row.start_line > row.end_line || row.end_line > own.file.lines {
        return Err(format!("lines {} to {} are not in the file", row.start_line, row.end_line));
    }
    if Digest::hash_bytes(row.content.as_bytes()) != row.content_hash {
        return Err("content_hash is not the hash of content".to_owned());
    }
    Ok(())
}

fn check_skipped(generation: &Generation, report: &mut VerifyReport) -> sextant_format::Result<()> {
    let manifest = generation.manifest();
    let mut check = TableCheck::new::<SkippedRow>();
    let mut hasher = RowHasher::default();
    for row in TableReader::<SkippedRow>::read_all(&generation.table(SkippedRow::TABLE))? {
        row.digest(FirstIds::default(), &mut hasher);
        check.end_row(check_repository(manifest, &row.repo), report);
    }
    check.finish(manifest, report);
    if hasher.finish().to_hex() != manifest.skipped_hash {
        report.problem("manifest.json: skipped_hash is not that of skipped.parquet".to_owned());
    }
    Ok(())
}

/// Checks the rows of the git history: their repositories, and what the manifest says of each.
fn check_history(generation: &Generation, report: &mut VerifyReport) -> sextant_format::Result<()> {
    let manifest = generation.manifest();
    let mut found: BTreeMap<String, HistoryInfo> = BTreeMap::new();
    if manifest.files.iter().any(|entry| entry.path == part::HISTORY) {
        let mut check = TableCheck::new::<HistoryRow>();
        for row in TableReader::<HistoryRow>::read_all(&generation.path(part::HISTORY))? {
            check.end_row(check_repository(manifest, &row.repo), report);
            let info = found.entry(row.repo).or_default();
            info.rows += 1;
            info.since = Some(info.since.map_or(row.time, |since| since.min(row.time)));
            if info.commit != row.commit {
                info.commits += 1;
                info.commit = row.commit;
            }
        }
        report.rows += check.rows;
    }
    for repository in &manifest.repositories {
        // The commit from which the history was read is a note: it need not have changed a file of the index.
        let without_commit = |info: HistoryInfo| HistoryInfo { commit: String::new(), ..info };
        let declared = without_commit(repository.history.clone().unwrap_or_default());
        let found = without_commit(found.remove(&repository.name).unwrap_or_default());
        if declared != found {
            let name = &repository.name;
            report.problem(format!("history.parquet: the manifest has other numbers of commits or rows of {name}"));
        }
    }
    Ok(())
}

fn check_repository(manifest: &Manifest, repo: &str) -> Result<(), String> {
    let is_known = manifest.repositories.iter().any(|repository| repository.name == repo);
    if is_known { Ok(()) } else { Err(format!("repository {repo} is not in the manifest")) }
}

/// Checks that an id is one of the `count` ids of the file, which begin with `first`.
fn check_is_own<I: RowId>(what: &str, id: I, first: I, count: usize) -> Result<(), String> {
    let own = id.row().checked_sub(first.row());
    if own.is_some_and(|own| (own as usize) < count) { Ok(()) } else { Err(format!("{what} {id} is in another file")) }
}

fn check_dense_id(what: &str, id: impl RowId, row: u64) -> Result<(), String> {
    if u64::from(id.row()) == row { Ok(()) } else { Err(format!("{what} {id} is not the row's number")) }
}

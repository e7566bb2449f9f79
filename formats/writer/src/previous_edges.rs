//! Edges of an earlier generation that a new one keeps: those of files that need not be resolved again.

use rustc_hash::FxHashMap;

use crate::previous::{PreviousGeneration, check_files};
use crate::{Error, Result};
use sextant_format::digest::Digest;
use sextant_format::generation::Generation;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::keys::{SymbolKey, SymbolKeyTable, file_key, name_hash};
use sextant_format::segments::RowMaps;
use sextant_format::tables::{DirectoryRow, EdgeRow, ExternalRow, Row as _, RowsByFile, TableReader};

/// The edges of an earlier generation, which can be read file by file.
pub struct PreviousEdges {
    rows: RowsByFile<EdgeRow>,
    /// The address of each file, in order, and the hash of its edges.
    files: Vec<(FileId, Digest)>,
    /// The file whose edges come next.
    next: usize,
    externals: Vec<ExternalRow>,
}

/// The same, with the ids that its symbols have in the new generation.
pub struct KeptEdges {
    previous: PreviousEdges,
    maps: RowMaps,
    moved: MovedSymbols,
}

/// Symbols of changed files: by their address in the earlier generation, their id in the new one.
pub(crate) type MovedSymbols = FxHashMap<u32, SymbolId>;

impl PreviousEdges {
    /// Opens the edges of a generation, whose files are checked first.
    ///
    /// # Errors
    /// A table cannot be read, or is damaged.
    pub fn open(generation: &Generation) -> Result<Self> {
        let tables = [EdgeRow::TABLE, ExternalRow::TABLE].map(|table| format!("{table}.parquet"));
        check_files(generation, |path| tables.iter().any(|table| table == path))?;
        Ok(Self {
            rows: RowsByFile::open_in_background(&generation.table(EdgeRow::TABLE), |row: &EdgeRow| row.file_id)?,
            files: generation.directory()?.iter().map(|row: &DirectoryRow| (row.file_id, row.edges_hash)).collect(),
            next: 0,
            externals: TableReader::read_all(&generation.table(ExternalRow::TABLE))?,
        })
    }

    /// The number of files.
    #[must_use]
    pub const fn files(&self) -> usize {
        self.files.len()
    }

    pub(crate) const fn place(self, maps: RowMaps, moved: MovedSymbols) -> KeptEdges {
        KeptEdges { previous: self, maps, moved }
    }
}

impl KeptEdges {
    /// The edges of a file by its number in the earlier generation, and their hash; `file` is its id in the new one.
    /// External symbols keep the ids of the earlier generation. Numbers must ascend. None if a symbol that an edge names
    /// is gone.
    ///
    /// # Errors
    /// The table cannot be read, or is damaged.
    pub fn of_file(&mut self, number: usize, file: FileId) -> Result<Option<(Vec<EdgeRow>, Digest)>> {
        let Self { previous: PreviousEdges { rows, files, next, .. }, maps, moved } = self;
        let damaged = |what: &str| Error::damaged(rows.path(), what);
        if number < *next || number >= files.len() {
            return Err(damaged("its files are not in order"));
        }
        for &(before, _) in &files[*next..number] {
            rows.take(before)?;
        }
        let (address, hash) = files[number];
        let mut edges = rows.take(address)?;
        *next = number + 1;
        let id = |at: SymbolId| maps.symbols.id(at.get()).or_else(|| moved.get(&at.get()).copied());
        for edge in &mut edges {
            let Some(source) = id(edge.source_id) else { return Ok(None) };
            edge.source_id = source;
            edge.file_id = file;
            if let Some(target) = edge.target_id {
                let Some(target) = id(target) else { return Ok(None) };
                edge.target_id = Some(target);
            }
        }
        Ok(Some((edges, hash)))
    }

    /// An external symbol of the earlier generation.
    ///
    /// # Errors
    /// There is none of this id.
    pub fn external(&self, id: u32) -> Result<&ExternalRow> {
        let missing = || Error::damaged(self.previous.rows.path(), "an external symbol is missing");
        self.previous.externals.get(id as usize).ok_or_else(missing)
    }
}

impl PreviousGeneration {
    /// The symbols of files that are not reused, as far as the new generation has them: a symbol is known by its file, its
    /// name, and its number among those of the name.
    pub(crate) fn moved_symbols(&self, keys: &SymbolKeyTable) -> Result<MovedSymbols> {
        let mut changed: Vec<_> = self.files.iter().filter(|(_, file)| !file.is_reused).collect();
        changed.sort_unstable_by_key(|(_, file)| file.symbols.start);
        let ids: Vec<SymbolId> = changed.iter().flat_map(|(_, file)| SymbolId::range(file.symbols.clone())).collect();
        let mut names = self.symbol_rows.column::<String>("name", &ids)?.into_iter();
        let mut moved = MovedSymbols::default();
        for ((repo, path), file) in changed {
            let key = file_key(repo, path);
            let mut numbers: FxHashMap<[u8; 8], u32> = FxHashMap::default();
            for (address, name) in file.stored.symbols.clone().zip(names.by_ref()) {
                let hash = name_hash(&name);
                let number = numbers.entry(hash).or_default();
                let symbol = keys.symbol_of(&SymbolKey { file: key, hash, ordinal: *number });
                *number += 1;
                moved.extend(symbol.map(|symbol| (address, symbol)));
            }
        }
        Ok(moved)
    }
}

//! An index folder and the generation that `CURRENT` names. This module reads; [`crate::publish`] writes.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::file_uses::FileUses;
use crate::graph::Graph;
use crate::manifest::Manifest;
use crate::segments::RowMaps;
use crate::tables::{FileRow, FileVectorRow, Row, TableReader};
use crate::{Error, Result};

/// The name of the one mutable file of an index.
pub const CURRENT: &str = "CURRENT";

/// The names of a generation's files and folders.
pub mod part {
    /// Resolved edges as compressed sparse rows.
    pub const GRAPH: &str = "graph.arrow";
    /// Which files use which; absent before format 8.
    pub const FILE_USES: &str = "file_uses.arrow";
    /// Where live rows are stored; absent before format 9, and where they are in one segment with no other rows.
    pub const ROWS: &str = "rows.arrow";
    /// The int8 matrix.
    pub const VECTORS: &str = "vectors.i8";
    /// The folder of the segments.
    pub const SEGMENTS: &str = "segments";
    /// The folder of the full-text indexes.
    pub const TEXT: &str = "text";
    /// The folder of the LanceDB table.
    pub const LANCE: &str = "vectors.lance";
    /// The name of the LanceDB table in the generation's folder.
    pub const LANCE_TABLE: &str = "vectors";
    /// The full-text index over chunks.
    pub const TEXT_CHUNKS: &str = "text/chunks";
    /// The name index over symbols.
    pub const TEXT_SYMBOLS: &str = "text/symbols";
    /// Copies of the tombstoned documents of the full-text index over chunks; absent unless [`TEXT_ROW_MAP`] declares
    /// some.
    pub const TEXT_REMOVED: &str = "text/removed";
    /// The row-doc map of text indexes whose documents are not in row order.
    pub const TEXT_ROW_MAP: &str = "text/pieces.json";
    /// The commits that changed each file; absent without a git history.
    pub const HISTORY: &str = "history.parquet";
    /// What commits changed, for later builds.
    pub const KNOWN_CHANGES: &str = "facts/history";
    /// The encoder's folder.
    pub const MODEL: &str = "model";
    /// The folder of cached analyses, for later builds; no reader of the index needs it.
    pub const ANALYSIS_CACHE: &str = "facts";
    /// What the edges of each file depended on, for later builds, but for what they asked about other files.
    pub const READERS: &str = "facts/readers.base";
    /// What of it differs from the base, which is of an earlier generation then.
    pub const READERS_UPDATE: &str = "facts/readers.update";
    /// What the resolution of each file asked about others, for later builds.
    pub const QUESTIONS: &str = "facts/questions.base";
    /// What of it differs from the base.
    pub const QUESTIONS_UPDATE: &str = "facts/questions.update";
    /// The symbols, imports and type facts of each file, as resolution needs them, for later builds.
    pub const SYMBOL_TABLE: &str = "facts/symbols.base";
    /// What of it differs from the base.
    pub const SYMBOL_TABLE_UPDATE: &str = "facts/symbols.update";
    /// The macros that were learnt from the files.
    pub const MACROS: &str = "facts/macros";
    /// The keys of what `facts` has of each file.
    pub const FILE_KEYS: &str = "facts/keys";
    /// Host, times and durations of the build.
    pub const BUILD_INFO: &str = "build-info.json";
}

/// Whether a name has the form that this program gives to generations: `gen-<n>-<12 hex digits>`.
#[must_use]
pub fn is_generation_name(name: &str) -> bool {
    generation_number(name).is_some()
}

/// The number `n` in a generation's name; none if the name is not one of a generation.
#[must_use]
pub fn generation_number(name: &str) -> Option<u64> {
    let (number, id) = name.strip_prefix("gen-")?.split_once('-')?;
    let hex = id.len() == 12 && id.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    (hex && number.bytes().all(|b| b.is_ascii_digit())).then(|| number.parse().ok())?
}

/// One complete, immutable generation of an index.
#[derive(Clone, Debug)]
pub struct Generation {
    root: PathBuf,
    manifest: Manifest,
    /// Where its rows are, once it was asked.
    maps: Arc<OnceLock<Option<Arc<RowMaps>>>>,
}

impl Generation {
    /// Opens the generation that `CURRENT` names and checks the size of every file against the manifest. Does not read
    /// the files; the crate `sextant-verify` checks their bytes.
    ///
    /// # Errors
    /// There is no index, a file is missing or has another size, or this program cannot read the format.
    pub fn open(index: &Path) -> Result<Self> {
        let current = index.join(CURRENT);
        let mut name = String::new();
        match fs_err::File::open(&current) {
            Ok(file) => {
                file.take(256).read_to_string(&mut name).map_err(|error| Error::damaged(&current, error))?;
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::NoIndex { path: index.to_owned() });
            }
            Err(error) => return Err(error.into()),
        }
        let name = name.trim_end();
        if !is_generation_name(name) {
            return Err(Error::damaged(&current, format!("'{}' is not the name of a generation", name.escape_debug())));
        }
        let root = index.join(name);
        if !root.is_dir() {
            return Err(Error::damaged(&current, format!("the generation {name} is missing")));
        }
        Self::open_root(root)
    }

    /// Opens a generation by its own folder.
    ///
    /// # Errors
    /// A file is missing or has another size, or this program cannot read the format.
    pub fn open_root(root: PathBuf) -> Result<Self> {
        let manifest = Manifest::read(&root)?;
        for entry in &manifest.files {
            let path = root.join(&entry.path);
            let found = fs_err::symlink_metadata(&path).map_err(|error| Error::damaged(&path, error))?;
            if !found.is_file() || found.len() != entry.bytes {
                return Err(Error::damaged(
                    &path,
                    format!("it has {} bytes, the manifest declares {}", found.len(), entry.bytes),
                ));
            }
        }
        tracing::debug!(generation = %root.display(), files = manifest.files.len(), "generation opened");
        Ok(Self { root, manifest, maps: Arc::default() })
    }

    /// The generation's folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The generation's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.root.file_name().and_then(|name| name.to_str()).unwrap_or("")
    }

    /// The manifest.
    #[must_use]
    pub const fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Where its rows are, if it was asked before; see [`Self::row_maps`].
    pub(crate) fn known_maps(&self) -> &OnceLock<Option<Arc<RowMaps>>> {
        &self.maps
    }

    /// The path of a part.
    #[must_use]
    pub fn path(&self, part: &str) -> PathBuf {
        self.root.join(part)
    }

    /// The path of a table.
    #[must_use]
    pub fn table(&self, table: &str) -> PathBuf {
        self.root.join(format!("{table}.parquet"))
    }

    /// Maps the graph.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn graph(&self) -> Result<Graph> {
        Graph::open(&self.path(part::GRAPH))
    }

    /// Which files use which: as the generation has it or, before format 8, counted over its graph.
    ///
    /// # Errors
    /// A file cannot be read, or is damaged.
    pub fn file_uses(&self, graph: &Graph) -> Result<FileUses> {
        let path = self.path(part::FILE_USES);
        if self.manifest.files.iter().any(|entry| entry.path == part::FILE_USES) {
            let files = self.manifest.rows(FileRow::TABLE);
            return FileUses::open(&path).and_then(|uses| {
                let fits = uses.files() as u64 == files;
                fits.then_some(uses).ok_or_else(|| Error::damaged(&path, "its files are not those of the index"))
            });
        }
        let symbols = self.directory()?.iter().map(|file| file.symbols).collect();
        FileUses::count(graph, symbols)
            .ok_or_else(|| Error::damaged(&self.path(part::GRAPH), "its symbols are not those of the files"))
    }

    /// Reads the vectors of files; none if the index has none.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn file_vectors(&self) -> Result<Option<Vec<FileVectorRow>>> {
        let mut rows = Vec::new();
        Ok(self.each_file_vector(|row| rows.push(row))?.then_some(rows))
    }

    /// Calls `each` with the vector of each file, in order. Returns whether the index has such vectors.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub fn each_file_vector(&self, mut each: impl FnMut(FileVectorRow)) -> Result<bool> {
        if !self.manifest.has_table(FileVectorRow::TABLE) {
            return Ok(false);
        }
        let path = self.table(FileVectorRow::TABLE);
        let dims = self.manifest.model.as_ref().map_or(0, |model| model.dimensions as usize);
        let files = self.manifest.rows(FileRow::TABLE);
        let (mut count, mut last) = (0_u64, None);
        let maps = self.row_maps()?;
        for rows in TableReader::<FileVectorRow>::open(&path)? {
            for mut row in rows? {
                if let Some(maps) = &maps {
                    row.to_ids(maps).ok_or_else(|| Error::damaged(&path, "its files are not those of the index"))?;
                }
                if last.is_some_and(|last| last >= row.file_id) || u64::from(row.file_id) >= files {
                    return Err(Error::damaged(&path, "its files are not those of the index"));
                }
                let is_number = row.scale.is_finite() && row.weight.is_finite() && row.weight >= 0.0;
                if row.values.len() != dims || !is_number {
                    return Err(Error::damaged(&path, "a vector does not fit the encoder"));
                }
                last = Some(row.file_id);
                count += 1;
                each(row);
            }
        }
        if count == self.manifest.rows(FileVectorRow::TABLE) {
            Ok(true)
        } else {
            Err(Error::damaged(&path, "it has not all rows"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_well_formed_names_are_generations() {
        assert!(is_generation_name("gen-000012-0123456789ab"));
        for name in
            ["gen-1", "gen--0123456789ab", "../gen-1-0123456789ab", "gen-1-0123456789aB", "gen-1-0123/../../x", ""]
        {
            assert!(!is_generation_name(name), "{name}");
        }
    }

    #[test]
    fn a_missing_index_differs_from_a_bad_current_file() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(Generation::open(dir.path()), Err(Error::NoIndex { .. })));
        for text in ["", "../../etc", "gen-1-0123456789ab"] {
            fs_err::write(dir.path().join(CURRENT), text).unwrap();
            assert!(matches!(Generation::open(dir.path()), Err(Error::Damaged { .. })), "{text}");
        }
    }
}

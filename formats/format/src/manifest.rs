//! `manifest.json`: the contents of a generation. It is written last, so its presence implies that the rest is
//! complete.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::digest::{Digest, RowHasher};
use crate::ids::{ChunkId, FileId, FirstIds, SymbolId};
use crate::tables::{ChunkRow, EdgeRow, FileRow, Row as _, SymbolRow};
use crate::{Error, Result};

/// The manifest's file name.
pub const MANIFEST: &str = "manifest.json";

/// The reader feature of a generation that has `text/pieces.json`.
pub const TEXT_ROW_MAP: &str = "text-pieces";

/// A larger manifest is refused; real ones are far smaller.
const MAX_MANIFEST_BYTES: u64 = 64 << 20;

/// A repository in the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repository {
    /// Its name, with which the path of every result begins.
    pub name: String,
    /// The commit that was checked out, if it was a git checkout. Outside the content id: the same files are the same
    /// index.
    pub commit: Option<String>,
    /// blake3 over the paths and content hashes of its indexed files, in order.
    pub tree_hash: String,
    /// blake3 over the paths of its indexed files and the hashes of their rows, in order.
    pub rows_hash: String,
    /// What code of other repositories can import of it, in ascending order. Outside the content id: it follows from the
    /// files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub packages: Vec<Package>,
    /// What of its git history is in `history.parquet`; absent if it was not read. Outside the content id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<HistoryInfo>,
}

/// What of a git history an index has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryInfo {
    /// The commit from which it was read.
    pub commit: String,
    /// Number of commits.
    pub commits: u32,
    /// Number of rows.
    pub rows: u64,
    /// When the oldest of these was committed, in seconds since 1970; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<u64>,
}

/// A package of a repository, by which readers find the definitions of names that code elsewhere imports.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Package {
    /// The language family of the code that imports it: `python`, `rust`, `go`, `ecma`, `java`.
    pub family: String,
    /// The name with which imports begin: a crate, a Go module, an outermost Python package, an entry point of an npm
    /// package (`hono`, `hono/jsx`, `hono/utils/*`). Empty for a folder of Java or Kotlin sources, in which folders are packages.
    pub name: String,
    /// The file of a crate's root, of an outermost Python package or of an entry point; the folder of a Go module or of
    /// Java or Kotlin sources. Relative to the repository, with `/`. Where `name` contains `*`, `path` contains it as well
    /// and lacks the extension.
    pub path: String,
}

/// The encoder that produced the vectors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelInfo {
    /// Its name.
    pub name: String,
    /// `static` or `onnx`.
    pub kind: String,
    /// Dimensions of its vectors.
    pub dimensions: u32,
    /// blake3 over the names and bytes of its files.
    pub hash: String,
    /// Whether the generation only names the model and does not contain its files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_reference: bool,
}

/// The language model whose summaries are in the chunks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enrichment {
    /// Its name, as given to the endpoint.
    pub model: String,
    /// The version of the prompts.
    pub prompt_version: u32,
    /// Number of chunks with a summary.
    pub summaries: u64,
}

/// A segment: rows of symbols, chunks and edges, with vectors, that one build wrote. Rows are known by their addresses;
/// those of changed or removed files stay in it until it is rewritten.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// The name of its folder in `segments/`.
    pub name: String,
    /// The address of its first version of a file.
    pub first_file: u32,
    /// Number of versions of files.
    pub files: u32,
    /// The address of its first chunk.
    pub first_chunk: u32,
    /// Number of chunks.
    pub chunks: u32,
    /// The address of its first symbol.
    pub first_symbol: u32,
    /// Number of symbols.
    pub symbols: u32,
    /// The address of its first edge.
    pub first_edge: u32,
    /// Number of edges.
    pub edges: u32,
    /// Number of vectors.
    pub vectors: u64,
}

/// One file of the generation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileEntry {
    /// `table`, `lance`, `vectors`, `text`, `graph`, `model`, `facts` or `info`.
    pub kind: String,
    /// Path in the generation's folder, with `/`.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Number of rows, for files that have rows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rows: Option<u64>,
    /// blake3 of the bytes.
    pub blake3: String,
}

/// The program that wrote the generation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The contents of `manifest.json`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The layout; see [`crate::version`].
    pub format_version: u32,
    /// The meaning of the rows; see [`crate::version`].
    pub feature_version: u32,
    /// Features that a reader must support to read this generation.
    pub reader_features: Vec<String>,
    /// The program that wrote it.
    pub tool: Tool,
    /// The repositories, in order.
    pub repositories: Vec<Repository>,
    /// blake3 of the settings that determine the rows.
    pub config_hash: String,
    /// The settings that determine the rows, so that overlays of this index use the same; `config_hash` is their hash.
    /// No reader needs them, and they are outside the content id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settings: Option<serde_json::Value>,
    /// blake3 of the macros that the writer learnt from the files, on which rows of other files depend. No reader needs
    /// it, and it is outside the content id, where the rows represent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub macros: Option<String>,
    /// The encoder; null if there are no vectors.
    pub model: Option<ModelInfo>,
    /// Who wrote the summaries of chunks; absent if no chunk has one. Outside the content id, where the rows of chunks
    /// represent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enrichment: Option<Enrichment>,
    /// Languages whose references a language server was asked about, each with a digest of the server and its answers; an
    /// empty digest if it did not answer for all. Outside the content id, where the rows of edges represent it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub server_answers: BTreeMap<String, String>,
    /// Numbers of rows by table: `files`, `chunks`, `symbols`, `edges`, `externals`, `skipped`, `directory`, and `vectors`
    /// and `file_vectors` if there is a model.
    pub tables: BTreeMap<String, u64>,
    /// Numbers of rows of `edges` by tier; empty before format 7. Outside the content id, where the rows represent it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tiers: BTreeMap<String, u64>,
    /// Where the rows of symbols and chunks and the vectors are, in the order of their addresses. Outside the content id.
    pub segments: Vec<Segment>,
    /// blake3 over the rows of `skipped`.
    pub skipped_hash: String,
    /// blake3 over format and feature version, repositories, `config_hash`, model hash, numbers of rows and
    /// `skipped_hash`: the same input has the same content id.
    pub content_id: String,
    /// Every file of the generation except this one.
    pub files: Vec<FileEntry>,
}

impl Manifest {
    /// Computes the content id from the other fields. Tool version, commits and files do not count.
    #[must_use]
    pub fn compute_content_id(&self) -> String {
        let mut hasher = RowHasher::default();
        hasher.fixed(&self.format_version.to_le_bytes());
        hasher.fixed(&self.feature_version.to_le_bytes());
        hasher.end_row();
        for repository in &self.repositories {
            hasher.sized(repository.name.as_bytes());
            hasher.sized(repository.tree_hash.as_bytes());
            hasher.sized(repository.rows_hash.as_bytes());
            hasher.end_row();
        }
        hasher.sized(self.config_hash.as_bytes());
        hasher.sized(self.model.as_ref().map_or("", |model| model.hash.as_str()).as_bytes());
        hasher.end_row();
        for (table, rows) in &self.tables {
            hasher.sized(table.as_bytes());
            hasher.fixed(&rows.to_le_bytes());
            hasher.end_row();
        }
        hasher.sized(self.skipped_hash.as_bytes());
        hasher.end_row();
        hasher.finish().to_hex()
    }

    /// Reads and checks the manifest of a generation's folder.
    ///
    /// # Errors
    /// The file is missing, too large or damaged, or this program cannot read the format.
    pub fn read(generation: &Path) -> Result<Self> {
        let path = generation.join(MANIFEST);
        let bytes = fs_err::metadata(&path).map_err(|error| Error::damaged(&path, error))?.len();
        if bytes > MAX_MANIFEST_BYTES {
            return Err(Error::damaged(
                &path,
                format!("it has {bytes} bytes, at most {MAX_MANIFEST_BYTES} are accepted"),
            ));
        }
        let text = fs_err::read(&path)?;
        // The version is decoded first and alone: another layout may have other fields.
        #[derive(Deserialize)]
        struct Version {
            format_version: u32,
        }
        let found =
            serde_json::from_slice::<Version>(&text).map_err(|error| Error::damaged(&path, error))?.format_version;
        let (oldest, newest) = (crate::version::OLDEST_FORMAT_VERSION, crate::version::FORMAT_VERSION);
        if !(oldest..=newest).contains(&found) {
            return Err(Error::FormatVersion { path: generation.to_owned(), found, oldest, newest });
        }
        let manifest: Self = serde_json::from_slice(&text).map_err(|error| Error::damaged(&path, error))?;
        manifest.check(&path)?;
        Ok(manifest)
    }

    /// Refuses a format that this program cannot read, and paths that leave the index; `path` is for error messages.
    ///
    /// # Errors
    /// The format version or a reader feature is not supported, or the content id or a path is invalid.
    pub fn check(&self, path: &Path) -> Result<()> {
        let (oldest, newest) = (crate::version::OLDEST_FORMAT_VERSION, crate::version::FORMAT_VERSION);
        let found = self.format_version;
        if !(oldest..=newest).contains(&found) {
            return Err(Error::FormatVersion { path: path.to_owned(), found, oldest, newest });
        }
        if let Some(feature) = self.reader_features.iter().find(|feature| *feature != TEXT_ROW_MAP) {
            return Err(Error::ReaderFeature { path: path.to_owned(), feature: feature.clone() });
        }
        if Digest::from_hex(&self.content_id).is_none() {
            return Err(Error::damaged(path, format!("its content id '{}' is not a blake3 hash", self.content_id)));
        }
        self.check_segments(path)?;
        if let Some(entry) = self.files.iter().find(|entry| !is_safe_relative_path(&entry.path)) {
            return Err(Error::damaged(path, format!("the path '{}' leaves the index", entry.path)));
        }
        Ok(())
    }

    /// Refuses segments with overlapping addresses, or in another folder.
    fn check_segments(&self, path: &Path) -> Result<()> {
        let is_number = |name: &str| (1..=9).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_digit());
        let (mut next, mut next_edge) = (FirstIds::default(), 0);
        for segment in &self.segments {
            let first = FirstIds {
                file: FileId::new(segment.first_file),
                chunk: ChunkId::new(segment.first_chunk),
                symbol: SymbolId::new(segment.first_symbol),
            };
            let follows = first.file >= next.file && first.chunk >= next.chunk && first.symbol >= next.symbol;
            let follows = follows && segment.first_edge >= next_edge && is_number(&segment.name);
            let end = first.checked_after(segment.files, segment.chunks, segment.symbols);
            let end = end.zip(segment.first_edge.checked_add(segment.edges)).filter(|_| follows);
            (next, next_edge) = end.ok_or_else(|| {
                Error::damaged(path, format!("the segment '{}' overlaps another one", segment.name.escape_debug()))
            })?;
        }
        Ok(())
    }

    /// Whether the generation has a table.
    #[must_use]
    pub fn has_table(&self, table: &str) -> bool {
        self.tables.contains_key(table)
    }

    /// The number of rows of a table; 0 if the manifest does not list it.
    #[must_use]
    pub fn rows(&self, table: &str) -> u64 {
        self.tables.get(table).copied().unwrap_or(0)
    }

    /// Whether every row is stored under its number.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        are_whole(&self.segments, &self.tables)
    }
}

/// Whether every row of the tables is stored under its number, because one segment has these rows and no others.
#[must_use]
pub fn are_whole(segments: &[Segment], tables: &BTreeMap<String, u64>) -> bool {
    match segments {
        [] => true,
        [only] => {
            let names = [FileRow::TABLE, ChunkRow::TABLE, SymbolRow::TABLE, EdgeRow::TABLE];
            let stored = [only.files, only.chunks, only.symbols, only.edges].map(u64::from);
            let first = [only.first_file, only.first_chunk, only.first_symbol, only.first_edge];
            names.map(|name| tables.get(name).copied().unwrap_or(0)) == stored && first == [0; 4]
        }
        _ => false,
    }
}

/// Whether a relative path stays below the folder it is joined to, on every system.
#[must_use]
pub fn is_safe_relative_path(path: &str) -> bool {
    !path.is_empty()
        && !path.contains(['\\', ':', '\0'])
        && path.split('/').all(|part| !part.is_empty() && part != "." && part != "..")
}

/// The hash of a model's files: names and digests, in order of the names.
pub fn model_hash(files: &[(String, Digest)]) -> Digest {
    let mut files = files.to_vec();
    files.sort();
    let mut hasher = RowHasher::default();
    for (name, digest) in files {
        hasher.sized(name.as_bytes());
        hasher.fixed(&digest.0);
        hasher.end_row();
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::is_safe_relative_path;

    #[test]
    fn paths_that_leave_the_index_are_refused() {
        assert!(is_safe_relative_path("text/chunks/meta.json"));
        for path in ["", "/etc/passwd", "../x", "a/../../x", "a//b", "c:\\x", "a\\b", ".", "a/."] {
            assert!(!is_safe_relative_path(path), "{path}");
        }
    }
}

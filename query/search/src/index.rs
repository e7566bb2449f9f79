//! An opened index: every part is opened when a query first needs it, and at most once. Questions are asked of the
//! types that borrow an index, such as [`Searcher`](crate::Searcher); this module must not know them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use sextant_encoder::{Encoder, EncoderDir, ModelKind, SharedModels, StaticEncoder, StaticModel};
use sextant_format::file_uses::FileUses;
use sextant_format::generation::{Generation, part};
use sextant_format::graph::Graph;
use sextant_format::segments::{Rows, Vectors};
use sextant_format::tables::{ChunkRow, EdgeRow, ExternalRow, FileRow, FileVectorRow, Row, SymbolRow, TableReader};
use sextant_text::index::{self as text, ChunkFields, StoredRowMaps, SymbolFields};
use tantivy::query::{Bm25StatisticsProvider as _, EnableScoring, Query};
use tantivy::schema::{Field, Schema};
use tantivy::{DocAddress, Searcher, Term};

use crate::DirtyFiles;
#[cfg(not(feature = "onnx"))]
use crate::Error;
use crate::Result;
use crate::catalog::{ChunkCatalog, HasRowDocMap, SymbolCatalog};
use crate::history::History;
use crate::similarity::FileMatrix;

/// One generation of an index, opened for queries. Queries may run on many threads. [`Searcher`](crate::Searcher),
/// [`Navigator`](crate::Navigator), [`SourceReader`](crate::SourceReader) and [`Overviews`](crate::Overviews) answer from it.
pub struct Index {
    generation: Generation,
    /// A model folder to use instead of the encoder in the index.
    encoder_override: Option<PathBuf>,
    /// The models of other indexes, one of which may be the encoder.
    models: Option<Arc<SharedModels>>,
    /// The files that differ from the base index, if this is an overlay.
    dirty_files: DirtyFiles,
    /// The LanceDB table to search instead of the matrix.
    #[cfg(feature = "lancedb")]
    lance: Option<Arc<sextant_lance::search::LanceVectors>>,
    row_maps: OnceLock<Option<StoredRowMaps>>,
    chunks: OnceLock<TextIndex<ChunkFields, ChunkCatalog>>,
    symbols: OnceLock<TextIndex<SymbolFields, SymbolCatalog>>,
    graph: OnceLock<Graph>,
    file_uses: OnceLock<FileUses>,
    vectors: OnceLock<Option<Vectors>>,
    file_vectors: OnceLock<Option<FileMatrix>>,
    model: OnceLock<LoadedEncoder>,
    chunk_rows: OnceLock<Rows<ChunkRow>>,
    symbol_rows: OnceLock<Rows<SymbolRow>>,
    file_rows: OnceLock<Rows<FileRow>>,
    edge_rows: OnceLock<Rows<EdgeRow>>,
    externals: OnceLock<Vec<ExternalRow>>,
    history: OnceLock<History>,
}

/// One of the two full-text indexes with its fields and its fast fields.
pub(crate) struct TextIndex<Fields, Catalog> {
    pub(crate) searcher: Searcher,
    /// A second index of those documents in `searcher` whose rows were removed: their counts are subtracted from the
    /// statistics of words.
    pub(crate) removed: Option<Searcher>,
    pub(crate) fields: Fields,
    pub(crate) catalog: Catalog,
}

impl TextIndex<ChunkFields, ChunkCatalog> {
    /// The number of chunks.
    pub(crate) fn doc_count(&self) -> u64 {
        self.catalog.row_doc_map().documents()
    }

    /// The number of chunks that contain a word.
    pub(crate) fn doc_freq(&self, term: &Term) -> Result<u64> {
        self.live_doc_freq(term, self.searcher.doc_freq(term)?)
    }

    /// The number of chunks that contain a word, given the number of `documents` including removed ones.
    pub(crate) fn live_doc_freq(&self, term: &Term, documents: u64) -> Result<u64> {
        let removed = self.removed.as_ref().map_or(Ok(0), |removed| removed.doc_freq(term))?;
        Ok(documents.saturating_sub(removed))
    }

    /// The number of tokens that a field has in all chunks.
    pub(crate) fn token_count(&self, field: Field) -> Result<u64> {
        let removed = self.removed.as_ref().map_or(Ok(0), |removed| removed.total_num_tokens(field))?;
        Ok(self.searcher.total_num_tokens(field)?.saturating_sub(removed))
    }
}

impl<Fields, Catalog: HasRowDocMap> TextIndex<Fields, Catalog> {
    /// The row of a document; `None` if it was removed.
    pub(crate) fn row(&self, address: DocAddress) -> Option<Catalog::Id> {
        self.catalog.row_doc_map().row(address)
    }

    /// The rows that a query finds, in ascending order.
    pub(crate) fn rows(&self, query: &dyn Query) -> Result<Vec<Catalog::Id>> {
        let weight = query.weight(EnableScoring::disabled_from_searcher(&self.searcher))?;
        let mut rows = Vec::new();
        for (segment_ord, reader) in (0..).zip(self.searcher.segment_readers()) {
            weight.for_each_no_score(reader, &mut |documents| {
                rows.extend(documents.iter().filter_map(|&doc_id| self.row(DocAddress { segment_ord, doc_id })));
            })?;
        }
        rows.sort_unstable();
        Ok(rows)
    }
}

/// The model, shared by all encoders of the index.
enum LoadedEncoder {
    Static(Arc<StaticModel>),
    #[cfg(feature = "onnx")]
    Onnx(Box<sextant_onnx::OnnxModel>),
}

/// Returns the value of a cell, which the first call initialises.
fn get_or_try_init<T>(cell: &OnceLock<T>, init: impl FnOnce() -> Result<T>) -> Result<&T> {
    if let Some(value) = cell.get() {
        return Ok(value);
    }
    // Two threads may both initialise it; one value is kept. Opening twice is harmless.
    let value = init()?;
    Ok(cell.get_or_init(|| value))
}

impl Index {
    /// Opens the current generation of an index folder.
    ///
    /// # Errors
    /// The folder has no generation that this version can read.
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self::from(Generation::open(path)?))
    }

    /// Uses the encoder of a model folder instead of the one in the index. It must be the encoder that built the index;
    /// with another one, the first query that needs it fails.
    #[must_use]
    pub fn with_encoder(mut self, dir: PathBuf) -> Self {
        self.encoder_override = Some(dir);
        self
    }

    /// Takes the encoder from these models if one of them is the same, else adds it.
    #[must_use]
    pub fn with_models(mut self, models: Arc<SharedModels>) -> Self {
        self.models = Some(models);
        self
    }

    /// Sets the files that differ from the base index of this overlay, so that responses can mark them.
    #[must_use]
    pub fn with_dirty_files(mut self, dirty_files: DirtyFiles) -> Self {
        self.dirty_files = dirty_files;
        self
    }

    /// The files that differ from the base index of this overlay; empty for any other index.
    #[must_use]
    pub const fn dirty_files(&self) -> &DirtyFiles {
        &self.dirty_files
    }

    /// Searches vectors in the LanceDB table instead of the memory-mapped matrix: the table at `uri` (a folder or an
    /// address such as `s3://bucket/index/gen-...`), or the generation's own if `uri` is `None`.
    ///
    /// # Errors
    /// The table cannot be opened.
    #[cfg(feature = "lancedb")]
    pub fn with_lancedb(mut self, uri: Option<&str>) -> Result<Self> {
        let own = self.generation.root().to_string_lossy().into_owned();
        self.lance = Some(sextant_lance::search::LanceVectors::open(uri.unwrap_or(&own))?);
        Ok(self)
    }

    #[cfg(feature = "lancedb")]
    pub(crate) fn lance(&self) -> Option<&sextant_lance::search::LanceVectors> {
        self.lance.as_deref()
    }

    /// The generation.
    #[must_use]
    pub const fn generation(&self) -> &Generation {
        &self.generation
    }

    pub(crate) fn chunks(&self) -> Result<&TextIndex<ChunkFields, ChunkCatalog>> {
        get_or_try_init(&self.chunks, || {
            let (schema, fields) = text::chunk_schema();
            let (searcher, path) = self.searcher(part::TEXT_CHUNKS, &schema)?;
            let row_maps = self.row_maps()?;
            let catalog = ChunkCatalog::open(&searcher, row_maps.map(|row_maps| &row_maps.chunks), &path)?;
            let removed = match row_maps {
                Some(row_maps) if row_maps.removed > 0 => Some(self.searcher(part::TEXT_REMOVED, &schema)?.0),
                _ => None,
            };
            Ok(TextIndex { searcher, removed, fields, catalog })
        })
    }

    pub(crate) fn symbols(&self) -> Result<&TextIndex<SymbolFields, SymbolCatalog>> {
        get_or_try_init(&self.symbols, || {
            let (schema, fields) = text::symbol_schema();
            let (searcher, path) = self.searcher(part::TEXT_SYMBOLS, &schema)?;
            let catalog = SymbolCatalog::open(&searcher, self.row_maps()?.map(|row_maps| &row_maps.symbols), &path)?;
            Ok(TextIndex { searcher, removed: None, fields, catalog })
        })
    }

    fn searcher(&self, part: &str, schema: &Schema) -> Result<(Searcher, PathBuf)> {
        let path = self.generation.path(part);
        let (_, reader) = text::open(&path, schema)?;
        Ok((reader.searcher(), path))
    }

    /// The row-doc maps of the text indexes; `None` if all documents are in the order of their rows.
    fn row_maps(&self) -> Result<Option<&StoredRowMaps>> {
        get_or_try_init(&self.row_maps, || Ok(StoredRowMaps::read(&self.generation)?)).map(Option::as_ref)
    }

    pub(crate) fn graph(&self) -> Result<&Graph> {
        get_or_try_init(&self.graph, || Ok(self.generation.graph()?))
    }

    /// Which files use which.
    pub(crate) fn file_uses(&self) -> Result<&FileUses> {
        get_or_try_init(&self.file_uses, || Ok(self.generation.file_uses(self.graph()?)?))
    }

    pub(crate) fn vectors(&self) -> Result<Option<&Vectors>> {
        get_or_try_init(&self.vectors, || Ok(self.generation.vectors()?)).map(Option::as_ref)
    }

    /// Whether the index has vectors of files.
    #[must_use]
    pub fn has_file_vectors(&self) -> bool {
        self.generation.manifest().has_table(FileVectorRow::TABLE)
    }

    pub(crate) fn file_matrix(&self) -> Result<Option<&FileMatrix>> {
        get_or_try_init(&self.file_vectors, || FileMatrix::read(&self.generation)).map(Option::as_ref)
    }

    pub(crate) fn chunk_rows(&self) -> Result<&Rows<ChunkRow>> {
        get_or_try_init(&self.chunk_rows, || Ok(self.generation.chunks()?))
    }

    pub(crate) fn symbol_rows(&self) -> Result<&Rows<SymbolRow>> {
        get_or_try_init(&self.symbol_rows, || Ok(self.generation.symbols()?))
    }

    pub(crate) fn file_rows(&self) -> Result<&Rows<FileRow>> {
        get_or_try_init(&self.file_rows, || Ok(self.generation.file_rows()?))
    }

    pub(crate) fn edge_rows(&self) -> Result<&Rows<EdgeRow>> {
        get_or_try_init(&self.edge_rows, || Ok(self.generation.edges()?))
    }

    /// The external symbols, by id.
    pub(crate) fn externals(&self) -> Result<&[ExternalRow]> {
        let table = || self.generation.table(ExternalRow::TABLE);
        get_or_try_init(&self.externals, || Ok(TableReader::<ExternalRow>::read_all(&table())?)).map(Vec::as_slice)
    }

    /// The commits that changed its files; empty if it has no history.
    ///
    /// # Errors
    /// The table cannot be read, or is damaged.
    pub fn history(&self) -> Result<&History> {
        get_or_try_init(&self.history, || History::read(&self.generation))
    }

    /// Opens every part now, for programs that answer more than one query.
    ///
    /// # Errors
    /// A part is missing or damaged.
    pub fn open_all(&self) -> Result<()> {
        self.chunks()?;
        self.symbols()?;
        self.graph()?;
        self.vectors()?;
        self.chunk_rows()?;
        self.symbol_rows()?;
        self.file_rows()?;
        self.edge_rows()?;
        self.history()?;
        // Without its encoder an index is searched without vectors, and the search reports it.
        let _ = self.encoder();
        Ok(())
    }

    /// The kind of the encoder; `None` if the index has no vectors or the encoder is missing.
    pub(crate) fn encoder_kind(&self) -> Option<ModelKind> {
        let dir = EncoderDir::of_generation(&self.generation, self.encoder_override.as_deref()).ok().flatten()?;
        Some(dir.json().kind)
    }

    /// An encoder for queries; `None` if the index has no vectors.
    pub(crate) fn encoder(&self) -> Result<Option<Box<dyn Encoder>>> {
        let Some(dir) = EncoderDir::of_generation(&self.generation, self.encoder_override.as_deref())? else {
            return Ok(None);
        };
        let model = get_or_try_init(&self.model, || LoadedEncoder::open(&dir, self.models.as_deref()))?;
        Ok(Some(match model {
            LoadedEncoder::Static(model) => Box::new(StaticEncoder::new(Arc::clone(model))),
            #[cfg(feature = "onnx")]
            LoadedEncoder::Onnx(model) => Box::new(model.encoder()?),
        }))
    }
}

impl From<Generation> for Index {
    fn from(generation: Generation) -> Self {
        Self {
            generation,
            encoder_override: None,
            models: None,
            dirty_files: DirtyFiles::default(),
            #[cfg(feature = "lancedb")]
            lance: None,
            row_maps: OnceLock::new(),
            chunks: OnceLock::new(),
            symbols: OnceLock::new(),
            graph: OnceLock::new(),
            file_uses: OnceLock::new(),
            vectors: OnceLock::new(),
            file_vectors: OnceLock::new(),
            model: OnceLock::new(),
            chunk_rows: OnceLock::new(),
            symbol_rows: OnceLock::new(),
            file_rows: OnceLock::new(),
            edge_rows: OnceLock::new(),
            externals: OnceLock::new(),
            history: OnceLock::new(),
        }
    }
}

impl LoadedEncoder {
    fn open(dir: &EncoderDir, models: Option<&SharedModels>) -> Result<Self> {
        match (dir.json().kind, models) {
            (ModelKind::Static, Some(models)) => Ok(Self::Static(models.open(dir)?)),
            (ModelKind::Static, None) => Ok(Self::Static(StaticModel::open(dir)?)),
            #[cfg(feature = "onnx")]
            (ModelKind::Onnx, _) => Ok(Self::Onnx(Box::new(sextant_onnx::OnnxModel::open(dir, None)?))),
            #[cfg(not(feature = "onnx"))]
            (ModelKind::Onnx, _) => Err(Error::NoOnnx(dir.json().name.clone())),
        }
    }
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index").field("generation", &self.generation.name()).finish_non_exhaustive()
    }
}

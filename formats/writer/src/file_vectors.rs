//! Vectors of chunks to the int8 matrix, and to the vector of each file.

use std::path::Path;

use sextant_format::digest::{Digest, RowHasher};
use sextant_format::generation::part;
use sextant_format::ids::{ChunkId, FileId};
use sextant_format::tables::{ChunkRow, FileVectorRow, Row, SymbolRow, TableWriter};
use sextant_format::vectors::{FileVectorSum, QuantizedVector, VectorWriter, hash_vector};

use crate::Result;

/// Which vectors are written.
#[derive(Clone, Copy, Debug)]
pub struct VectorTables {
    /// The number of dimensions.
    pub dims: usize,
    /// Whether files have vectors, too. Those of packs from before feature version 9 have none.
    pub of_files: bool,
}

/// Writes the vectors of chunks and of files.
pub(crate) struct VectorsWriter {
    matrix: VectorWriter,
    matrix_hasher: RowHasher,
    files: Option<TableWriter<FileVectorRow>>,
    current: Option<CurrentFile>,
}

/// The file whose vectors are being written.
struct CurrentFile {
    file_id: FileId,
    first_chunk: ChunkId,
    /// Bytes of the text of each of its chunks.
    chunk_bytes: Vec<u32>,
    /// Bytes of the names and documentation of its symbols.
    names_bytes: u32,
    sum: FileVectorSum,
    names: Option<QuantizedVector>,
}

impl VectorsWriter {
    /// Creates the files below `root`.
    pub(crate) fn create(root: &Path, tables: VectorTables) -> Result<Self> {
        let files = || TableWriter::create(&root.join(format!("{}.parquet", FileVectorRow::TABLE)));
        Ok(Self {
            matrix: VectorWriter::create(&root.join(part::VECTORS), tables.dims)?,
            matrix_hasher: RowHasher::default(),
            files: tables.of_files.then(files).transpose()?,
            current: None,
        })
    }

    /// Begins the next file.
    pub(crate) fn begin_file(&mut self, file_id: FileId, symbols: &[SymbolRow], chunks: &[ChunkRow]) -> Result<()> {
        self.finish_file()?;
        let bytes = |text: &str| u32::try_from(text.len()).unwrap_or(u32::MAX);
        self.current = Some(CurrentFile {
            file_id,
            first_chunk: chunks.first().map(|chunk| chunk.chunk_id).unwrap_or_default(),
            chunk_bytes: chunks.iter().map(|chunk| bytes(&chunk.content)).collect(),
            names_bytes: symbols
                .iter()
                .skip(1)
                .map(|symbol| bytes(&symbol.name).saturating_add(symbol.doc.as_deref().map_or(0, bytes)))
                .fold(0, u32::saturating_add),
            sum: FileVectorSum::default(),
            names: None,
        });
        Ok(())
    }

    /// Appends the vector of a chunk of this file.
    pub(crate) fn push(&mut self, chunk_id: ChunkId, level: u8, vector: &QuantizedVector) -> Result<()> {
        if let Some(current) = self.current.as_mut().filter(|_| level == 1) {
            let own = chunk_id.rows_after(current.first_chunk);
            let bytes = own.and_then(|own| current.chunk_bytes.get(own as usize));
            current.sum.add(vector, bytes.copied().unwrap_or(0));
        }
        hash_vector(&mut self.matrix_hasher, chunk_id, level, vector.scale, &vector.values);
        Ok(self.matrix.push(chunk_id, level, vector)?)
    }

    /// Sets the vector of the names in this file.
    pub(crate) fn set_names(&mut self, vector: QuantizedVector) {
        if let Some(current) = &mut self.current {
            current.names = Some(vector);
        }
    }

    fn finish_file(&mut self) -> Result<()> {
        let (Some(mut current), Some(files)) = (self.current.take(), &mut self.files) else { return Ok(()) };
        let from_chunks = current.sum.take();
        let from_names = from_chunks.is_none();
        let of_names = |names: QuantizedVector| (names, current.names_bytes as f32);
        let Some((vector, weight)) = from_chunks.or_else(|| current.names.map(of_names)) else { return Ok(()) };
        let QuantizedVector { scale, values } = vector;
        Ok(files.push(FileVectorRow { file_id: current.file_id, from_names, weight, scale, values })?)
    }

    /// Closes the files. Returns the row count and digest of each table.
    pub(crate) fn finish(mut self) -> Result<Vec<(&'static str, (u64, Digest))>> {
        self.finish_file()?;
        let matrix = (self.matrix.finish()?, self.matrix_hasher.finish());
        let files = self.files.map(TableWriter::finish).transpose()?;
        Ok(std::iter::once(("vectors", matrix)).chain(files.map(|files| (FileVectorRow::TABLE, files))).collect())
    }
}

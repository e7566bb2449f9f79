//! Vectors of chunks to the int8 matrix, to the vector of each file, and to the hash of each file's vectors.

use std::path::Path;

use sextant_format::digest::Digest;
use sextant_format::generation::part;
use sextant_format::hashes::VectorsHasher;
use sextant_format::ids::{ChunkId, FileId};
use sextant_format::tables::{ChunkRow, FileVectorRow, Row, SymbolRow, TableWriter};
use sextant_format::vectors::{FileVectorSum, QuantizedVector, VectorWriter};

use crate::Result;

/// Writes the vectors of chunks and of files.
pub(crate) struct VectorsWriter {
    matrix: VectorWriter,
    files: TableWriter<FileVectorRow>,
    current: Option<CurrentFile>,
    /// The hash of each finished file.
    hashes: Vec<Digest>,
}

/// What a generation's vectors are.
pub(crate) struct WrittenVectors {
    /// Rows of the matrix.
    pub(crate) chunks: u64,
    /// Rows of the table of files.
    pub(crate) files: u64,
    /// The hash of each file's vectors.
    pub(crate) hashes: Vec<Digest>,
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
    hasher: VectorsHasher,
}

impl VectorsWriter {
    /// Creates the files below `root`, for vectors of `dims` dimensions.
    pub(crate) fn create(root: &Path, dims: usize) -> Result<Self> {
        Ok(Self {
            matrix: VectorWriter::create(&root.join(part::VECTORS), dims)?,
            files: TableWriter::create(&root.join(format!("{}.parquet", FileVectorRow::TABLE)))?,
            current: None,
            hashes: Vec::new(),
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
            hasher: VectorsHasher::default(),
        });
        Ok(())
    }

    /// Appends the vector of a chunk of this file.
    pub(crate) fn push(&mut self, chunk_id: ChunkId, level: u8, vector: &QuantizedVector) -> Result<()> {
        if let Some(current) = &mut self.current {
            let own = chunk_id.rows_after(current.first_chunk).unwrap_or(u32::MAX);
            current.hasher.push(own, vector.scale, &vector.values);
            if level == 1 {
                let bytes = current.chunk_bytes.get(own as usize);
                current.sum.add(vector, bytes.copied().unwrap_or(0));
            }
        }
        Ok(self.matrix.push(chunk_id, level, vector)?)
    }

    /// Sets the vector of the names in this file.
    pub(crate) fn set_names(&mut self, vector: QuantizedVector) {
        if let Some(current) = &mut self.current {
            current.names = Some(vector);
        }
    }

    fn finish_file(&mut self) -> Result<()> {
        let Some(mut current) = self.current.take() else { return Ok(()) };
        let from_chunks = current.sum.take();
        let from_names = from_chunks.is_none();
        let names = current.names.filter(|_| from_names);
        if let Some(names) = &names {
            let after_chunks = u32::try_from(current.chunk_bytes.len()).unwrap_or(u32::MAX);
            current.hasher.push(after_chunks, names.scale, &names.values);
        }
        self.hashes.push(current.hasher.finish());
        let of_names = |names: QuantizedVector| (names, current.names_bytes as f32);
        let Some((vector, weight)) = from_chunks.or_else(|| names.map(of_names)) else { return Ok(()) };
        let QuantizedVector { scale, values } = vector;
        Ok(self.files.push(FileVectorRow { file_id: current.file_id, from_names, weight, scale, values })?)
    }

    /// Closes the files.
    pub(crate) fn finish(mut self) -> Result<WrittenVectors> {
        self.finish_file()?;
        Ok(WrittenVectors { chunks: self.matrix.finish()?, files: self.files.finish()?, hashes: self.hashes })
    }
}

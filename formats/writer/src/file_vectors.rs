//! Vectors of chunks to the vector of each file, and to the hash of each file's vectors.

use std::path::Path;

use sextant_format::digest::Digest;
use sextant_format::hashes::VectorsHasher;
use sextant_format::ids::FileId;
use sextant_format::tables::{ChunkRow, FileVectorRow, Row, SymbolRow, TableWriter};
use sextant_format::vectors::{FileVectorSum, QuantizedVector};

use crate::Result;
use crate::previous::PreviousFile;

/// Writes the vectors of chunks and of files.
pub(crate) struct VectorsWriter {
    files: TableWriter<FileVectorRow>,
    current: Option<CurrentFile>,
    /// The hash of each finished file.
    hashes: Vec<Digest>,
}

/// What a generation's vectors are.
pub(crate) struct WrittenVectors {
    /// Rows of the table of files.
    pub(crate) files: u64,
    /// The hash of each file's vectors.
    pub(crate) hashes: Vec<Digest>,
}

/// The file whose vectors are being written.
struct CurrentFile {
    /// The address of the file.
    file_id: FileId,
    /// The hash and the vector that it had before; none if its rows are new.
    reused: Option<(Digest, Option<FileVectorRow>)>,
    /// Bytes of the text of each of its chunks.
    chunk_bytes: Vec<u32>,
    /// Bytes of the names and documentation of its symbols.
    names_bytes: u32,
    sum: FileVectorSum,
    names: Option<QuantizedVector>,
    hasher: VectorsHasher,
}

impl VectorsWriter {
    /// Creates the table below `root`.
    pub(crate) fn create(root: &Path) -> Result<Self> {
        Ok(Self {
            files: TableWriter::create(&root.join(format!("{}.parquet", FileVectorRow::TABLE)))?,
            current: None,
            hashes: Vec::new(),
        })
    }

    /// Begins the next file; `previous` is the file whose rows it reuses.
    pub(crate) fn begin_file(
        &mut self,
        symbols: &[SymbolRow],
        chunks: &[ChunkRow],
        previous: Option<&PreviousFile>,
    ) -> Result<()> {
        self.finish_file()?;
        let bytes = |text: &str| u32::try_from(text.len()).unwrap_or(u32::MAX);
        self.current = Some(CurrentFile {
            file_id: FileId::default(),
            reused: previous.map(|previous| (previous.vectors_hash, previous.vector.clone())),
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

    /// Appends a file whose rows are those of `previous`.
    pub(crate) fn push_reused(&mut self, previous: &PreviousFile) -> Result<()> {
        self.begin_file(&[], &[], Some(previous))?;
        self.set_file(FileId::new(previous.stored.file));
        Ok(())
    }

    /// Sets the address of this file.
    pub(crate) fn set_file(&mut self, file: FileId) {
        if let Some(current) = &mut self.current {
            current.file_id = file;
        }
    }

    /// Appends the vector of a chunk of this file, which is counted from the first.
    pub(crate) fn push(&mut self, own: u32, level: u8, vector: &QuantizedVector) {
        let Some(current) = &mut self.current else { return };
        current.hasher.push(own, vector.scale, &vector.values);
        if level == 1 {
            let bytes = current.chunk_bytes.get(own as usize);
            current.sum.add(vector, bytes.copied().unwrap_or(0));
        }
    }

    /// Sets the vector of the names in this file.
    pub(crate) fn set_names(&mut self, vector: QuantizedVector) {
        if let Some(current) = &mut self.current {
            current.names = Some(vector);
        }
    }

    fn finish_file(&mut self) -> Result<()> {
        let Some(mut current) = self.current.take() else { return Ok(()) };
        if let Some((hash, row)) = current.reused {
            self.hashes.push(hash);
            let row = row.map(|row| FileVectorRow { file_id: current.file_id, ..row });
            return row.map_or(Ok(()), |row| Ok(self.files.push(row)?));
        }
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
        Ok(WrittenVectors { files: self.files.finish()?, hashes: self.hashes })
    }
}

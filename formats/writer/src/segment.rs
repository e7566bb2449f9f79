//! Writes the rows of new files into a segment of their own. Rows are stored under addresses, which are given here.

use std::path::{Path, PathBuf};

use sextant_format::generation::part;
use sextant_format::ids::{ChunkId, FileId, FirstIds, SymbolId};
use sextant_format::manifest::Segment;
use sextant_format::tables::{BackgroundTableWriter, ChunkRow, Row, SymbolRow};
use sextant_format::vectors::{QuantizedVector, VectorWriter};

use crate::{Error, Result};

/// Writer of a segment.
pub(crate) struct SegmentWriter {
    segment: Segment,
    chunks: BackgroundTableWriter<ChunkRow>,
    symbols: BackgroundTableWriter<SymbolRow>,
    vectors: Option<VectorWriter>,
    next: FirstIds,
}

/// An empty segment whose addresses follow those of others.
pub(crate) fn following(previous: &[Segment]) -> Segment {
    let last = previous.iter().max_by_key(|segment| &segment.name);
    let number = last.and_then(|segment| segment.name.parse::<u32>().ok()).map_or(0, |number| number + 1);
    let after = |end: fn(&Segment) -> u32| previous.iter().map(end).max().unwrap_or(0);
    Segment {
        name: format!("{number:06}"),
        first_file: after(|segment| segment.first_file.saturating_add(segment.files)),
        first_chunk: after(|segment| segment.first_chunk.saturating_add(segment.chunks)),
        first_symbol: after(|segment| segment.first_symbol.saturating_add(segment.symbols)),
        first_edge: after(|segment| segment.first_edge.saturating_add(segment.edges)),
        ..Segment::default()
    }
}

impl SegmentWriter {
    /// Creates the files of a segment below `root`, which is empty so far.
    pub(crate) fn create(root: &Path, segment: Segment, dims: Option<usize>) -> Result<Self> {
        let folder: PathBuf = root.join(part::SEGMENTS).join(&segment.name);
        fs_err::create_dir_all(&folder)?;
        Ok(Self {
            chunks: BackgroundTableWriter::create(&folder.join(format!("{}.parquet", ChunkRow::TABLE)))?,
            symbols: BackgroundTableWriter::create(&folder.join(format!("{}.parquet", SymbolRow::TABLE)))?,
            vectors: dims.map(|dims| VectorWriter::create(&folder.join(part::VECTORS), dims)).transpose()?,
            next: FirstIds {
                file: FileId::new(segment.first_file),
                chunk: ChunkId::new(segment.first_chunk),
                symbol: SymbolId::new(segment.first_symbol),
            },
            segment,
        })
    }

    /// The address that the next symbol has.
    pub(crate) const fn next_symbol(&self) -> SymbolId {
        self.next.symbol
    }

    /// Appends the rows of a file, whose ids begin with `first`. `symbol_ids` are those under which its symbols are stored.
    /// Returns the addresses with which the rows begin.
    pub(crate) fn push_file(
        &mut self,
        first: FirstIds,
        symbols: Vec<SymbolRow>,
        symbol_ids: &[SymbolId],
        chunks: Vec<ChunkRow>,
    ) -> Result<FirstIds> {
        let at = self.next;
        let count = |rows: usize| u32::try_from(rows).unwrap_or(u32::MAX);
        let (chunk_count, symbol_count) = (count(chunks.len()), count(symbols.len()));
        let next = at.checked_after(1, chunk_count, symbol_count);
        self.next = next.ok_or_else(|| Error::damaged(Path::new(&self.segment.name), "there are too many rows"))?;
        let chunk = |id: ChunkId| at.chunk.plus(id.get().wrapping_sub(first.chunk.get()));
        let damaged = || Error::damaged(Path::new(&self.segment.name), "a row refers to a symbol of another file");
        let symbol = |id: SymbolId| {
            let own = id.rows_after(first.symbol).and_then(|own| symbol_ids.get(own as usize)).copied();
            own.ok_or_else(damaged)
        };
        for row in symbols {
            self.symbols.push(SymbolRow {
                symbol_id: symbol(row.symbol_id)?,
                file_id: at.file,
                container_id: row.container_id.map(symbol).transpose()?,
                chunk_id: row.chunk_id.map(chunk),
                ..row
            })?;
        }
        for row in chunks {
            self.chunks.push(ChunkRow {
                chunk_id: chunk(row.chunk_id),
                parent_id: row.parent_id.map(chunk),
                file_id: at.file,
                symbol_id: row.symbol_id.map(symbol).transpose()?,
                ..row
            })?;
        }
        self.segment.files += 1;
        self.segment.chunks += chunk_count;
        self.segment.symbols += symbol_count;
        Ok(at)
    }

    /// Appends the vector of a chunk, which is given by its address.
    pub(crate) fn push_vector(&mut self, chunk: ChunkId, level: u8, vector: &QuantizedVector) -> Result<()> {
        self.vectors.as_mut().map_or(Ok(()), |vectors| Ok(vectors.push(chunk, level, vector)?))
    }

    /// Closes the files.
    pub(crate) fn finish(self) -> Result<Segment> {
        let Self { mut segment, chunks, symbols, vectors, .. } = self;
        chunks.finish()?;
        symbols.finish()?;
        segment.vectors = vectors.map(VectorWriter::finish).transpose()?.unwrap_or(0);
        Ok(segment)
    }
}

//! Writes a base or an update.

use std::io::{Error, Result, Write};

use crate::part::{Directory, FRAME_BYTES, FrameLengths, MAX_FRAME_BYTES};
use crate::records::Origins;

/// The zstd level.
const COMPRESSION_LEVEL: i32 = 1;

/// Writes a base or an update: first its files, then its blobs.
pub struct RecordsWriter<'o, W> {
    out: W,
    /// Where the base has records; none while it is written.
    base: Option<&'o Origins>,
    directory: Directory,
    /// The content of the frame that has not ended.
    content: Vec<u8>,
}

impl<'o, W: Write> RecordsWriter<'o, W> {
    /// Begins an update of a base, or a base.
    pub fn new(out: W, base: Option<&'o Origins>) -> Self {
        Self { out, base, directory: Directory::default(), content: Vec::new() }
    }

    /// Adds a file whose record is that of a file of the earlier build, by its number there. False, and nothing is added, if
    /// the base does not have it.
    pub fn share(&mut self, file: Option<usize>) -> bool {
        let record = file.zip(self.base).and_then(|(file, base)| base.in_base(file));
        self.directory.files.extend(record.map(|record| record + 1));
        record.is_some()
    }

    /// Adds a file with its record, or without one if that is empty.
    ///
    /// # Errors
    /// It cannot be written, or is larger than 256 MiB.
    pub fn push(&mut self, record: &[u8]) -> Result<()> {
        if record.is_empty() {
            self.directory.files.push(0);
            return Ok(());
        }
        if record.len() > MAX_FRAME_BYTES {
            return Err(Error::other("what is to be stored of a file is larger than 256 MiB"));
        }
        if !self.content.is_empty() && self.content.len() + record.len() > FRAME_BYTES {
            let frame = end_frame(&mut self.out, &mut self.content)?;
            self.directory.frames.push(frame);
        }
        self.content.extend_from_slice(record);
        self.directory.records.push(u32::try_from(record.len()).map_err(Error::other)?);
        let own = u32::try_from(self.directory.records.len()).map_err(Error::other)?;
        self.directory.files.push(self.base.map_or(0, Origins::base).saturating_add(own));
        Ok(())
    }

    /// Adds a blob after all files.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn blob(&mut self, write: impl FnOnce(&mut BlobWriter<'_, W>) -> Result<()>) -> Result<()> {
        self.end_records()?;
        let mut blob = BlobWriter { out: &mut self.out, content: &mut self.content, frames: Vec::new() };
        write(&mut blob)?;
        if !blob.content.is_empty() {
            blob.end_frame()?;
        }
        self.directory.blobs.push(blob.frames);
        Ok(())
    }

    /// Ends the part.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(mut self) -> Result<()> {
        self.end_records()?;
        let mut directory = postcard::to_stdvec(&self.directory).map_err(Error::other)?;
        let FrameLengths { compressed, content } = end_frame(&mut self.out, &mut directory)?;
        self.out.write_all(&compressed.to_le_bytes())?;
        self.out.write_all(&content.to_le_bytes())?;
        self.out.flush()
    }

    fn end_records(&mut self) -> Result<()> {
        if !self.content.is_empty() {
            let frame = end_frame(&mut self.out, &mut self.content)?;
            self.directory.frames.push(frame);
        }
        Ok(())
    }
}

/// Receives the content of a blob.
pub struct BlobWriter<'w, W> {
    out: &'w mut W,
    content: &'w mut Vec<u8>,
    frames: Vec<FrameLengths>,
}

impl<W: Write> BlobWriter<'_, W> {
    fn end_frame(&mut self) -> Result<()> {
        self.frames.push(end_frame(self.out, self.content)?);
        Ok(())
    }
}

impl<W: Write> Write for BlobWriter<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let (now, _) = bytes.split_at(bytes.len().min(FRAME_BYTES - self.content.len()));
        self.content.extend_from_slice(now);
        if self.content.len() == FRAME_BYTES {
            self.end_frame()?;
        }
        Ok(now.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Writes a frame and empties its content.
fn end_frame(out: &mut impl Write, content: &mut Vec<u8>) -> Result<FrameLengths> {
    let compressed = zstd::bulk::compress(content, COMPRESSION_LEVEL)?;
    out.write_all(&compressed)?;
    let length = |bytes: &[u8]| u32::try_from(bytes.len()).map_err(Error::other);
    let lengths = FrameLengths { compressed: length(&compressed)?, content: length(content)? };
    content.clear();
    Ok(lengths)
}

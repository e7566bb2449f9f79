//! Bytes that are compressed in frames while they are written, and decompressed on all threads. Must not know what the
//! bytes mean.
//!
//! A frame is its length and that of its content, as u32 in little endian, then the content compressed by zstd.

use std::io::{Error, ErrorKind, Result, Write};
use std::path::Path;

use rayon::prelude::*;

/// Bytes of content of a frame.
const FRAME_BYTES: usize = 4 << 20;
/// Bytes in front of a frame.
const HEAD_BYTES: usize = 2 * size_of::<u32>();
/// The zstd level.
const COMPRESSION_LEVEL: i32 = 1;

/// Compresses what is written to it, and passes the frames on.
pub(super) struct FrameWriter<W> {
    frames: W,
    content: Vec<u8>,
}

impl<W: Write> FrameWriter<W> {
    pub(super) const fn new(frames: W) -> Self {
        Self { frames, content: Vec::new() }
    }

    /// Ends the last frame.
    ///
    /// # Errors
    /// It cannot be compressed or written.
    pub(super) fn finish(mut self) -> Result<W> {
        self.end_frame()?;
        self.frames.flush()?;
        Ok(self.frames)
    }

    fn end_frame(&mut self) -> Result<()> {
        if self.content.is_empty() {
            return Ok(());
        }
        let compressed = zstd::bulk::compress(&self.content, COMPRESSION_LEVEL)?;
        for length in [compressed.len(), self.content.len()] {
            self.frames.write_all(&u32::try_from(length).map_err(Error::other)?.to_le_bytes())?;
        }
        self.frames.write_all(&compressed)?;
        self.content.clear();
        Ok(())
    }
}

impl<W: Write> Write for FrameWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let room = FRAME_BYTES - self.content.len();
        let (now, _) = bytes.split_at(bytes.len().min(room));
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

/// Reads the content of all frames of a file.
///
/// # Errors
/// The file cannot be read, or is damaged.
pub(super) fn read_frames(path: &Path) -> Result<Vec<u8>> {
    let file = fs_err::read(path)?;
    content(&file).map_err(|error| Error::new(error.kind(), format!("{}: {error}", path.display())))
}

fn content(file: &[u8]) -> Result<Vec<u8>> {
    let damaged = || Error::new(ErrorKind::InvalidData, "it is damaged");
    let mut frames: Vec<(&[u8], usize)> = Vec::new();
    let mut rest = file;
    while !rest.is_empty() {
        let (head, after) = rest.split_at_checked(HEAD_BYTES).ok_or_else(damaged)?;
        let (compressed, content) = head.split_at(size_of::<u32>());
        let length = |bytes: &[u8]| bytes.try_into().map(u32::from_le_bytes).map_err(Error::other);
        let (compressed, content) = (length(compressed)? as usize, length(content)? as usize);
        let (frame, after) = after.split_at_checked(compressed).ok_or_else(damaged)?;
        // No frame is larger, so a small file cannot ask for much memory.
        if content > FRAME_BYTES {
            return Err(damaged());
        }
        frames.push((frame, content));
        rest = after;
    }
    let mut all = vec![0; frames.iter().map(|(_, content)| content).sum()];
    let mut places: Vec<&mut [u8]> = Vec::with_capacity(frames.len());
    let mut left = all.as_mut_slice();
    for (_, content) in &frames {
        let (place, after) = left.split_at_mut(*content);
        places.push(place);
        left = after;
    }
    frames.par_iter().zip(places).try_for_each(|((frame, content), place)| {
        let written = zstd::bulk::decompress_to_buffer(frame, place)?;
        if written == *content { Ok(()) } else { Err(damaged()) }
    })?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn frames(parts: &[Vec<u8>]) -> Vec<u8> {
        let mut writer = FrameWriter::new(Vec::new());
        parts.iter().for_each(|part| writer.write_all(part).unwrap());
        writer.finish().unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        let parts: Vec<Vec<u8>> = (0..7_u8).map(|n| vec![n; 1 << 20]).collect();
        let written = frames(&parts);
        assert!(written.len() < 10_000);
        assert_eq!(content(&written).unwrap(), parts.concat());
        assert!(content(&[]).unwrap().is_empty() && frames(&[]).is_empty());
    }

    proptest! {
        #[test]
        fn damage_is_an_error_and_never_a_panic(
            bytes in prop::collection::vec(any::<u8>(), 1..300),
            at in 0_usize..300,
            bit in 0_u8..8,
            cut in 0_usize..20,
        ) {
            let mut written = frames(std::slice::from_ref(&bytes));
            let len = written.len();
            written[at % len] ^= 1 << bit;
            written.truncate(len - cut % len);
            if let Ok(found) = content(&written) {
                prop_assert!(found.len() <= FRAME_BYTES);
            }
        }
    }
}

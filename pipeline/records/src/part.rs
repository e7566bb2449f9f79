//! One file: a base or an update.
//!
//! It is frames of records and of blobs, each compressed by zstd, then the directory, compressed too, and the lengths of
//! that before and after, as u32 in little endian. A record lies in one frame.

use std::io::{Error, ErrorKind, Result};
use std::ops::Range;
use std::path::Path;

use arrow_buffer::Buffer;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sextant_format::mapped::map_file;

use crate::recent_frames::{FrameContent, RecentFrames};

/// Bytes of content after which a frame ends.
pub(crate) const FRAME_BYTES: usize = 4 << 20;
/// The most bytes of content of a frame, so that a small file cannot ask for much memory.
pub(crate) const MAX_FRAME_BYTES: usize = 256 << 20;
/// A blob has room for one more byte in so many, because that of an update is added to it.
const MORE_ONE_IN: usize = 16;
/// The most bytes of a blob.
const MAX_BLOB_BYTES: usize = u32::MAX as usize;
/// Bytes of the lengths at the end.
const LENGTHS_BYTES: usize = 2 * size_of::<u32>();

/// What a part contains.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Directory {
    /// The frames of records.
    pub(crate) frames: Vec<FrameLengths>,
    /// The bytes of each record.
    pub(crate) records: Vec<u32>,
    /// For each file, in order, one more than the number of its record, or 0 if it has none.
    #[serde(with = "crate::differences")]
    pub(crate) files: Vec<u32>,
    /// The frames of each blob. They follow those of records.
    pub(crate) blobs: Vec<Vec<FrameLengths>>,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct FrameLengths {
    pub(crate) compressed: u32,
    pub(crate) content: u32,
}

/// An opened part.
#[derive(Debug)]
pub(crate) struct Part {
    bytes: Buffer,
    frames: Vec<Frame>,
    records: Vec<Place>,
    blobs: Vec<Vec<Frame>>,
    recent: RecentFrames,
}

#[derive(Clone, Debug)]
struct Frame {
    /// Its bytes in the file.
    bytes: Range<usize>,
    /// The length of its content.
    content: usize,
}

/// Where a record is.
#[derive(Clone, Copy, Debug)]
struct Place {
    frame: u32,
    start: u32,
    length: u32,
}

impl Part {
    /// Opens a part. Returns the number of the record of each file, too.
    pub(crate) fn open(path: &Path) -> Result<(Self, Vec<u32>)> {
        let bytes = map_file(path).map_err(|error| Error::other(error.to_string()))?;
        Self::from_bytes(bytes).ok_or_else(|| damaged(path))
    }

    /// None if it is damaged.
    fn from_bytes(bytes: Buffer) -> Option<(Self, Vec<u32>)> {
        let end = bytes.len().checked_sub(LENGTHS_BYTES)?;
        let (compressed, content) = bytes[end..].split_at(size_of::<u32>());
        let length = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize);
        let start = end.checked_sub(length(compressed)?)?;
        let content = length(content).filter(|&content| content <= MAX_FRAME_BYTES)?;
        let directory = zstd::bulk::decompress(&bytes[start..end], content).ok()?;
        let Directory { frames, records, files, blobs } = postcard::from_bytes(&directory).ok()?;

        let mut at = 0_usize;
        let mut located = |lengths: Vec<FrameLengths>| {
            let frame = |lengths: FrameLengths| {
                let next = at.checked_add(lengths.compressed as usize).filter(|&next| next <= start)?;
                let content = Some(lengths.content as usize).filter(|&content| content <= MAX_FRAME_BYTES)?;
                Some(Frame { bytes: std::mem::replace(&mut at, next)..next, content })
            };
            lengths.into_iter().map(frame).collect::<Option<Vec<Frame>>>()
        };
        let frames = located(frames)?;
        let blobs = blobs.into_iter().map(&mut located).collect::<Option<Vec<_>>>()?;
        let (mut frame, mut start) = (0, 0_usize);
        let mut places = Vec::with_capacity(records.len());
        for length in records {
            if start == frames.get(frame)?.content {
                (frame, start) = (frame + 1, 0);
            }
            let end = start
                .checked_add(length as usize)
                .filter(|&end| frames.get(frame).is_some_and(|f| end <= f.content))?;
            places.push(Place { frame: u32::try_from(frame).ok()?, start: u32::try_from(start).ok()?, length });
            start = end;
        }
        Some((Self { bytes, frames, records: places, blobs, recent: RecentFrames::default() }, files))
    }

    /// The number of records.
    pub(crate) const fn len(&self) -> usize {
        self.records.len()
    }

    /// The frame of a record and its bytes in that; none for a number that no record has.
    pub(crate) fn place_of(&self, record: usize) -> Option<(usize, Range<usize>)> {
        let Place { frame, start, length } = *self.records.get(record)?;
        Some((frame as usize, start as usize..start as usize + length as usize))
    }

    /// The content of a frame; none in it if it is damaged.
    pub(crate) fn frame(&self, frame: usize) -> FrameContent {
        self.recent.get(frame, |content| self.read_frame(frame, content))
    }

    /// Decompresses a frame into `content`, whose memory is used again. None if it is damaged.
    fn read_frame(&self, frame: usize, content: &mut Vec<u8>) -> Option<()> {
        let frame = self.frames.get(frame)?;
        content.resize(frame.content, 0);
        let length = zstd::bulk::decompress_to_buffer(self.bytes.get(frame.bytes.clone())?, content).ok()?;
        (length == frame.content).then_some(())
    }

    /// The content of a blob; none if it is damaged or missing.
    pub(crate) fn blob(&self, number: usize) -> Option<Vec<u8>> {
        let frames = self.blobs.get(number)?;
        let length: usize = frames.iter().map(|frame| frame.content).sum();
        let mut all = Vec::new();
        all.try_reserve(Some(length + length / MORE_ONE_IN).filter(|_| length <= MAX_BLOB_BYTES)?).ok()?;
        all.resize(length, 0);
        let mut places: Vec<&mut [u8]> = Vec::with_capacity(frames.len());
        let mut left = all.as_mut_slice();
        for frame in frames {
            let (place, after) = left.split_at_mut(frame.content);
            places.push(place);
            left = after;
        }
        frames.par_iter().zip(places).try_for_each(|(frame, place)| {
            let length = place.len();
            let written = zstd::bulk::decompress_to_buffer(self.bytes.get(frame.bytes.clone())?, place).ok()?;
            (written == length).then_some(())
        })?;
        Some(all)
    }
}

/// The error of a damaged part.
pub(crate) fn damaged(path: &Path) -> Error {
    Error::new(ErrorKind::InvalidData, format!("{}: it is damaged", path.display()))
}

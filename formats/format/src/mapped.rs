//! Memory mapping, the only unsafe code of the crate, and positioned reads and writes.

use std::path::Path;

use arrow_buffer::Buffer;

use crate::Result;

/// Maps a whole file for reading. An empty file yields an empty buffer.
///
/// # Errors
/// The file cannot be opened or mapped.
pub fn map_file(path: &Path) -> Result<Buffer> {
    let file = fs_err::File::open(path)?;
    if file.metadata()?.len() == 0 {
        return Ok(Buffer::from(Vec::<u8>::new()));
    }
    // SAFETY: a generation is never written to after it is published, and its folder is removed by unlinking, which
    // keeps mapped pages valid. If somebody truncates a published file while a reader maps it, that reader gets a bus
    // error, as with every memory-mapped format.
    #[expect(unsafe_code, reason = "mapping a file is unsafe by nature; see the SAFETY comment")]
    let map = unsafe { memmap2::Mmap::map(&file) }?;
    Ok(Buffer::from(bytes::Bytes::from_owner(map)))
}

/// Writes bytes at an offset, without moving the file position that other threads share.
///
/// # Errors
/// The bytes cannot be written.
#[cfg(unix)]
pub fn write_at(file: &std::fs::File, bytes: &[u8], offset: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

/// Writes bytes at an offset.
///
/// # Errors
/// The bytes cannot be written.
#[cfg(windows)]
pub fn write_at(file: &std::fs::File, mut bytes: &[u8], mut offset: u64) -> std::io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, offset)?;
        bytes = &bytes[written..];
        offset += written as u64;
    }
    Ok(())
}

/// Fills a buffer from an offset, without moving the file position that other threads share.
///
/// # Errors
/// The file cannot be read, or ends before the buffer is full.
#[cfg(unix)]
pub fn read_at(file: &std::fs::File, buffer: &mut [u8], offset: u64) -> std::io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

/// Fills a buffer from an offset.
///
/// # Errors
/// The file cannot be read, or ends before the buffer is full.
#[cfg(windows)]
pub fn read_at(file: &std::fs::File, mut buffer: &mut [u8], mut offset: u64) -> std::io::Result<()> {
    while !buffer.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, buffer, offset)?;
        if read == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        buffer = &mut buffer[read..];
        offset += read as u64;
    }
    Ok(())
}

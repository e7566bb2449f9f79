//! Records of files as one build stores them for the next: a base, and an update with those that differ from it.
//!
//! A build after few changes shares the base of the build before and writes another update, so what it writes depends on
//! what differs from the base and not on the size of the index. Both are mapped, and of what they contain only what is
//! asked for is decompressed. Must not know what is in a record.

mod differences;
mod numbering;
mod part;
mod recent_frames;
mod records;
mod writer;

pub use numbering::Numbering;
pub use records::{Origins, RecordReader, Records};
pub use writer::{BlobWriter, RecordsWriter};

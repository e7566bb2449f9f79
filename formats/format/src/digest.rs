//! blake3 digests: of files for integrity, and of canonical rows for the content id.
//!
//! The content id is computed over rows instead of files, because Lance datasets and full-text indexes contain random
//! names: the same rows in other files are the same index.

use std::fmt;
use std::io::Read;
use std::path::Path;

use crate::Result;

/// A blake3 digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest of some bytes.
    #[must_use]
    pub fn hash_bytes(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// The digest as 64 hexadecimal digits.
    #[must_use]
    pub fn to_hex(self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex().to_string()
    }

    /// Parses 64 hexadecimal digits; none if the text is anything else.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        blake3::Hash::from_hex(text).ok().map(|hash| Self(*hash.as_bytes()))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_hex())
    }
}

/// The digest of a file and its size in bytes.
///
/// # Errors
/// The file cannot be read.
pub fn hash_file(path: &Path) -> Result<(Digest, u64)> {
    let mut file = fs_err::File::open(path)?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 256 << 10];
    let mut bytes = 0;
    loop {
        let n = file.read(&mut buffer)?;
        if n == 0 {
            return Ok((Digest(*hasher.finalize().as_bytes()), bytes));
        }
        hasher.update(&buffer[..n]);
        bytes += n as u64;
    }
}

/// A running digest over canonical rows. Every value is written with its length or at a fixed width, so two different
/// sequences of values never have the same bytes.
#[derive(Default)]
pub struct RowHasher {
    hasher: blake3::Hasher,
    buffer: Vec<u8>,
    rows: u64,
}

impl RowHasher {
    /// Appends bytes of a fixed width.
    pub fn fixed(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// Appends bytes of any length, preceded by their length.
    pub fn sized(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.buffer.extend_from_slice(bytes);
    }

    /// Ends a row.
    pub fn end_row(&mut self) {
        self.rows += 1;
        if self.buffer.len() >= 64 << 10 {
            self.hasher.update(&self.buffer);
            self.buffer.clear();
        }
    }

    /// The digest of all rows and their number.
    #[must_use]
    pub fn finish(mut self) -> Digest {
        self.hasher.update(&self.buffer);
        self.hasher.update(&self.rows.to_le_bytes());
        Digest(*self.hasher.finalize().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_boundaries_change_the_digest() {
        let digest = |values: &[&str]| {
            let mut hasher = RowHasher::default();
            for value in values {
                hasher.sized(value.as_bytes());
            }
            hasher.end_row();
            hasher.finish()
        };
        assert_eq!(digest(&["ab", "c"]), digest(&["ab", "c"]));
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
    }

    #[test]
    fn hex_round_trips() {
        let digest = Digest::hash_bytes(b"sextant");
        assert_eq!(Digest::from_hex(&digest.to_hex()), Some(digest));
        assert_eq!(Digest::from_hex("no"), None);
    }
}

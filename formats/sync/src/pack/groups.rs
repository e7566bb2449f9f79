//! Reads a generation's files in groups, with their rows, in order.
//!
//! A group ends after a file whose key marks a boundary (content-defined grouping): adding or removing a file does not
//! change the groups around it.

use crate::Result;
use sextant_format::file_rows::{FileRows, FileRowsReader};
use sextant_format::generation::Generation;
use sextant_format::keys::{SymbolKeyTable, file_key};
use sextant_format::tables::FileRow;
use sextant_format::vectors_by_file::FileVectors;

/// One of this many file keys marks a group boundary,
const GROUP_BOUNDARY_MODULUS: u8 = 4;
/// which takes effect once the group has this many bytes of source.
const MIN_GROUP_BYTES: u64 = 24 << 10;
/// Any file ends a group of this many bytes.
const MAX_GROUP_BYTES: u64 = 256 << 10;
/// Maximum number of files in a group.
const MAX_GROUP_FILES: usize = 512;

/// The number of files in each group.
pub(super) fn group_sizes(files: &[FileRow]) -> Vec<usize> {
    let mut sizes = Vec::new();
    let (mut count, mut bytes) = (0, 0);
    for (n, file) in files.iter().enumerate() {
        count += 1;
        bytes += file.bytes;
        let is_boundary =
            file_key(&file.repo, &file.path)[0].is_multiple_of(GROUP_BOUNDARY_MODULUS) && bytes >= MIN_GROUP_BYTES;
        let is_last = files.get(n + 1).is_none_or(|next| next.repo != file.repo);
        if is_boundary || bytes >= MAX_GROUP_BYTES || count >= MAX_GROUP_FILES || is_last {
            sizes.push(count);
            (count, bytes) = (0, 0);
        }
    }
    sizes
}

/// One of this many file keys marks a boundary between vector blocks of a group,
const VECTOR_BOUNDARY_MODULUS: u8 = 2;
/// which takes effect once the block has this many bytes of values.
const MIN_VECTOR_BLOCK_BYTES: usize = 4 << 10;
/// Any file ends a block of this many bytes.
const MAX_VECTOR_BLOCK_BYTES: usize = 32 << 10;

/// Splits the vectors of a group's files, each with the first byte of the file's key, into blocks.
pub(super) fn split_vectors(files: Vec<(u8, FileVectors)>) -> Vec<Vec<FileVectors>> {
    let mut pieces = vec![Vec::new()];
    let (mut bytes, count) = (0, files.len());
    for (n, (key, vectors)) in files.into_iter().enumerate() {
        bytes += vectors.iter().map(|(_, vector)| vector.values.len()).sum::<usize>();
        if let Some(piece) = pieces.last_mut() {
            piece.push(vectors);
        }
        let is_boundary = key.is_multiple_of(VECTOR_BOUNDARY_MODULUS) && bytes >= MIN_VECTOR_BLOCK_BYTES;
        if (is_boundary || bytes >= MAX_VECTOR_BLOCK_BYTES) && n + 1 < count {
            pieces.push(Vec::new());
            bytes = 0;
        }
    }
    pieces
}

/// Reads the groups of a generation: files with symbols and chunks.
pub(super) struct GroupReader {
    files: FileRowsReader,
    sizes: std::vec::IntoIter<usize>,
}

impl GroupReader {
    pub(super) fn open(generation: &Generation) -> Result<Self> {
        let files = FileRowsReader::open(generation)?;
        Ok(Self { sizes: group_sizes(files.files()).into_iter(), files })
    }

    /// The next group; its symbols are added to the symbol key table.
    pub(super) fn next(&mut self, symbol_keys: &mut SymbolKeyTable) -> Result<Option<Vec<FileRows>>> {
        let Some(size) = self.sizes.next() else { return Ok(None) };
        let mut group = Vec::with_capacity(size);
        for rows in self.files.by_ref().take(size) {
            let rows = rows?;
            let names = rows.symbols.iter().map(|symbol| symbol.name.as_str());
            symbol_keys.add(&rows.file.repo, &rows.file.path, names);
            group.push(rows);
        }
        Ok(Some(group))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sextant_format::digest::Digest;
    use sextant_format::ids::FileId;
    use sextant_format::kinds::ParseStatus;

    fn file(n: u32) -> FileRow {
        FileRow {
            file_id: FileId::new(n),
            repo: "r".to_owned(),
            path: format!("src/f{n}.rs"),
            language: "rust".to_owned(),
            content_hash: Digest([0; 32]),
            bytes: 9_000,
            lines: 1,
            encoding: "utf-8".to_owned(),
            parse_status: ParseStatus::Parsed,
            error_lines: 0,
            is_test: false,
            is_generated: false,
        }
    }

    fn ends(files: &[FileRow]) -> Vec<String> {
        let mut at = 0;
        let end = |size: usize| {
            at += size;
            files[at - 1].path.clone()
        };
        group_sizes(files).into_iter().map(end).collect()
    }

    #[test]
    fn adding_or_removing_a_file_moves_few_group_boundaries() {
        let all: Vec<FileRow> = (0..5000).map(file).collect();
        let before = ends(&all);
        assert!((300..1500).contains(&before.len()), "{}", before.len());
        for removed in [0, 17, 2500, 4999] {
            let mut fewer = all.clone();
            fewer.remove(removed);
            let after = ends(&fewer);
            let moved = after.iter().filter(|end| !before.contains(end)).count();
            assert!(moved <= 3, "{moved} of {} boundaries moved", before.len());
        }
    }
}

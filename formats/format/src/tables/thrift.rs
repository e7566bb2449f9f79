//! Validates Parquet metadata before the library parses it.
//!
//! Footers, offset indexes and page headers are structs of Thrift's compact protocol. The library allocates as many
//! elements as a list declares, decodes a known field as its expected type whatever type is written, and skips unknown
//! fields element by element, even if an element takes no bytes or the file has ended: a few bytes can cost hours or
//! all memory. Metadata that passes this validation is parsed in time and memory proportional to its bytes. The shapes
//! are those of `parquet.thrift` of Apache Parquet's format 2.12. Values are not interpreted, except for the sizes of
//! pages.

use parquet::errors::{ParquetError, Result};

use super::limit::MAX_FILE_BYTES;

/// Maximum nesting of structs; Parquet's own metadata nests half as deep.
const MAX_DEPTH: u8 = 16;

/// The expected type of a value.
pub(super) enum Shape {
    Bool,
    Byte,
    /// An integer of any width: all have the same encoding.
    Int,
    /// A number of bytes, with its maximum.
    BoundedInt(u64),
    Double,
    Bytes,
    /// Known fields by field id; unknown fields are allowed.
    Struct(&'static [(i16, Self)]),
    /// The type of the elements, and the maximum number of elements.
    List(&'static Self, usize),
}

use Shape::{Bool, BoundedInt, Byte, Bytes, Double, Int, List, Struct};

const EMPTY_STRUCT: Shape = Struct(&[]);
/// Maximum number of columns, and of lists with an entry for each column; our tables have about twenty. Also bounds the
/// depth of a schema.
const MAX_COLUMNS: usize = 256;
/// Maximum length of other short lists.
const MAX_SMALL_LIST_LEN: usize = 1024;
/// Row groups are numbered with 16 bits.
const MAX_ROW_GROUPS: usize = 1 << 15;
/// Maximum number of pages of a column in one row group; each page has at least one row.
const MAX_PAGES: usize = 1 << 20;
/// Maximum bytes of a page. Writers close a page at 64 KiB but never split a row, and a text takes at most three times
/// as many bytes in UTF-8 as in another encoding.
const MAX_PAGE_BYTES: u64 = 4 * MAX_FILE_BYTES;

const STATISTICS: Shape =
    Struct(&[(1, Bytes), (2, Bytes), (3, Int), (4, Int), (5, Bytes), (6, Bytes), (7, Bool), (8, Bool)]);
const KEY_VALUE: Shape = Struct(&[(1, Bytes), (2, Bytes)]);
const TIME: Shape = Struct(&[(1, Bool), (2, Struct(&[(1, EMPTY_STRUCT), (2, EMPTY_STRUCT), (3, EMPTY_STRUCT)]))]);
const LOGICAL_TYPE: Shape = Struct(&[
    (1, EMPTY_STRUCT),
    (2, EMPTY_STRUCT),
    (3, EMPTY_STRUCT),
    (4, EMPTY_STRUCT),
    (5, Struct(&[(1, Int), (2, Int)])),
    (6, EMPTY_STRUCT),
    (7, TIME),
    (8, TIME),
    (10, Struct(&[(1, Byte), (2, Bool)])),
    (11, EMPTY_STRUCT),
    (12, EMPTY_STRUCT),
    (13, EMPTY_STRUCT),
    (14, EMPTY_STRUCT),
    (15, EMPTY_STRUCT),
    (16, Struct(&[(1, Byte)])),
    (17, Struct(&[(1, Bytes)])),
    (18, Struct(&[(1, Bytes), (2, Int)])),
]);
const SCHEMA_ELEMENT: Shape = Struct(&[
    (1, Int),
    (2, Int),
    (3, Int),
    (4, Bytes),
    (5, Int),
    (6, Int),
    (7, Int),
    (8, Int),
    (9, Int),
    (10, LOGICAL_TYPE),
]);
const COLUMN_METADATA: Shape = Struct(&[
    (1, Int),
    (2, List(&Int, MAX_SMALL_LIST_LEN)),
    (3, List(&Bytes, MAX_SMALL_LIST_LEN)),
    (4, Int),
    (5, Int),
    (6, Int),
    (7, Int),
    (8, List(&KEY_VALUE, MAX_SMALL_LIST_LEN)),
    (9, Int),
    (10, Int),
    (11, Int),
    (12, STATISTICS),
    (13, List(&Struct(&[(1, Int), (2, Int), (3, Int)]), MAX_SMALL_LIST_LEN)),
    (14, Int),
    (15, Int),
    (16, Struct(&[(1, Int), (2, List(&Int, MAX_SMALL_LIST_LEN)), (3, List(&Int, MAX_SMALL_LIST_LEN))])),
    (17, Struct(&[(1, BOUNDING_BOX), (2, List(&Int, MAX_SMALL_LIST_LEN))])),
]);
const BOUNDING_BOX: Shape =
    Struct(&[(1, Double), (2, Double), (3, Double), (4, Double), (5, Double), (6, Double), (7, Double), (8, Double)]);
const COLUMN_CHUNK: Shape =
    Struct(&[(1, Bytes), (2, Int), (3, COLUMN_METADATA), (4, Int), (5, Int), (6, Int), (7, Int)]);
const ROW_GROUP: Shape = Struct(&[
    (1, List(&COLUMN_CHUNK, MAX_COLUMNS)),
    (2, Int),
    (3, Int),
    (4, List(&Struct(&[(1, Int), (2, Bool), (3, Bool)]), MAX_COLUMNS)),
    (5, Int),
    (6, Int),
    (7, Int),
]);

/// `FileMetaData`: a footer.
pub(super) const FILE_METADATA: Shape = Struct(&[
    (1, Int),
    (2, List(&SCHEMA_ELEMENT, MAX_COLUMNS)),
    (3, Int),
    (4, List(&ROW_GROUP, MAX_ROW_GROUPS)),
    (5, List(&KEY_VALUE, MAX_SMALL_LIST_LEN)),
    (6, Bytes),
    (7, List(&Struct(&[(1, EMPTY_STRUCT)]), MAX_COLUMNS)),
]);

/// `OffsetIndex`: the page locations of a column in one row group.
pub(super) const OFFSET_INDEX: Shape = Struct(&[
    (1, List(&Struct(&[(1, Int), (2, BoundedInt(MAX_PAGE_BYTES)), (3, Int)]), MAX_PAGES)),
    (2, List(&Int, MAX_PAGES)),
]);

/// `PageHeader`.
pub(super) const PAGE_HEADER: Shape = Struct(&[
    (1, Int),
    (2, BoundedInt(MAX_PAGE_BYTES)),
    (3, BoundedInt(MAX_PAGE_BYTES)),
    (4, Int),
    (5, Struct(&[(1, Int), (2, Int), (3, Int), (4, Int), (5, STATISTICS)])),
    (6, EMPTY_STRUCT),
    (7, Struct(&[(1, Int), (2, Int), (3, Bool)])),
    (8, Struct(&[(1, Int), (2, Int), (3, Int), (4, Int), (5, Int), (6, Int), (7, Bool), (8, STATISTICS)])),
]);

/// Validates the struct at the beginning of `bytes`; bytes after it are ignored.
pub(super) fn validate(bytes: &[u8], shape: &Shape) -> Result<()> {
    ThriftValidator { rest: bytes }
        .value(STRUCT, Some(shape), MAX_DEPTH)
        .map_err(|what| ParquetError::General(what.to_owned()))
}

/// Type codes of the compact protocol; the value of a boolean is part of its code.
const BOOL: [u8; 2] = [1, 2];
const BYTE: u8 = 3;
const INT: std::ops::RangeInclusive<u8> = 4..=6;
const DOUBLE: u8 = 7;
const BYTES: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// Decodes a zigzag integer: 0, 1, 2, 3 become 0, -1, 1, -2.
fn zigzag(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

type Checked = std::result::Result<(), &'static str>;

struct ThriftValidator<'a> {
    rest: &'a [u8],
}

impl ThriftValidator<'_> {
    fn take(&mut self, count: usize) -> std::result::Result<&[u8], &'static str> {
        let (head, rest) = self.rest.split_at_checked(count).ok_or("its metadata is truncated")?;
        self.rest = rest;
        Ok(head)
    }

    fn byte(&mut self) -> std::result::Result<u8, &'static str> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn number(&mut self) -> std::result::Result<u64, &'static str> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err("an integer of its metadata has too many bytes")
    }

    fn value(&mut self, code: u8, shape: Option<&Shape>, depth: u8) -> Checked {
        let matches_shape = match shape {
            None => true,
            Some(Bool) => BOOL.contains(&code),
            Some(Byte) => code == BYTE,
            Some(Int | BoundedInt(_)) => INT.contains(&code),
            Some(Double) => code == DOUBLE,
            Some(Bytes) => code == BYTES,
            Some(List(..)) => code == LIST,
            Some(Struct(_)) => code == STRUCT,
        };
        if !matches_shape {
            return Err("a field of its metadata has the wrong type");
        }
        let inside = depth.checked_sub(1).ok_or("its metadata is nested too deeply");
        match code {
            code if BOOL.contains(&code) => Ok(()),
            BYTE => self.byte().map(drop),
            code if INT.contains(&code) => match (shape, zigzag(self.number()?)) {
                (Some(&BoundedInt(max)), size) if u64::try_from(size).is_ok_and(|size| size <= max) => Ok(()),
                (Some(BoundedInt(_)), _) => Err("the size of a page is out of range"),
                _ => Ok(()),
            },
            DOUBLE => self.take(size_of::<f64>()).map(drop),
            BYTES => {
                let count = usize::try_from(self.number()?).unwrap_or(usize::MAX);
                self.take(count).map(drop)
            }
            LIST => match shape {
                Some(&List(element, max)) => self.list(Some(element), max, inside?),
                _ => self.list(None, usize::MAX, inside?),
            },
            STRUCT => match shape {
                Some(Struct(fields)) => self.fields(fields, inside?),
                _ => self.fields(&[], inside?),
            },
            _ => Err("a field of its metadata has an unknown type"),
        }
    }

    fn fields(&mut self, shapes: &[(i16, Shape)], depth: u8) -> Checked {
        let mut last = 0_i16;
        loop {
            let head = self.byte()?;
            let (step, code) = (i16::from(head >> 4), head & 0xf);
            if code == 0 {
                return Ok(());
            }
            last = if step == 0 {
                i16::try_from(zigzag(self.number()?)).map_err(|_| "a field of its metadata has an invalid id")?
            } else {
                last.checked_add(step).ok_or("a field of its metadata has an invalid id")?
            };
            let shape = shapes.iter().find(|(number, _)| *number == last).map(|(_, shape)| shape);
            self.value(code, shape, depth)?;
        }
    }

    fn list(&mut self, element: Option<&Shape>, max: usize, depth: u8) -> Checked {
        let head = self.byte()?;
        let code = head & 0xf;
        let count = match head >> 4 {
            15 => usize::try_from(self.number()?).unwrap_or(usize::MAX),
            count => usize::from(count),
        };
        // A boolean in a list takes one byte, but the library skips none; Parquet's metadata has no such list.
        if count > max || count > self.rest.len() || count > 0 && BOOL.contains(&code) {
            return Err("a list of its metadata is too long");
        }
        (0..count).try_for_each(|_| self.value(code, element, depth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(bytes: &[u8], shape: &Shape) -> String {
        validate(bytes, shape).err().map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn unknown_fields_are_skipped() {
        // The page type, an unknown field with a struct (a later version may add one), and the end.
        assert_eq!(problem(&[0x15, 0, 0xfc, 0x15, 2, 0, 0], &PAGE_HEADER), "");
        // The same field id in the long encoding.
        assert_eq!(problem(&[0x05, 2, 0, 0], &PAGE_HEADER), "");
        // 512 MiB, a list of three integers, and an empty list.
        assert_eq!(problem(&[0x25, 0x80, 0x80, 0x80, 0x80, 4, 0], &PAGE_HEADER), "");
        assert_eq!(problem(&[0x29, 0x36, 2, 4, 6, 0], &OFFSET_INDEX), "");
        assert_eq!(problem(&[0x29, 0, 0], &OFFSET_INDEX), "");
    }

    #[test]
    fn metadata_that_amplifies_is_refused() {
        let endless = [0xff, 0xff, 0xff, 0xff, 0x07];
        let list = |field: u8, element: u8| [&[field, 0xf0 | element], &endless[..], &[0; 9]].concat();
        for (bytes, shape, what) in [
            // Elements that take no bytes: in an unknown field, empty, and nested.
            (list(0xf9, 1), &PAGE_HEADER, "a list of its metadata is too long"),
            (vec![0xf9, 0x12, 0], &PAGE_HEADER, "a list of its metadata is too long"),
            (vec![0xf9, 0x19, 0x32, 0, 0, 0, 0], &PAGE_HEADER, "a list of its metadata is too long"),
            // More elements than the file has bytes, in unknown and known fields.
            (list(0xf9, 7), &PAGE_HEADER, "a list of its metadata is too long"),
            (list(0x29, 12), &FILE_METADATA, "a list of its metadata is too long"),
            // More columns than allowed, all of them present.
            ([&[0x29, 0xfc, 0x81, 0x02][..], &[0; 300]].concat(), &FILE_METADATA, "a list of its metadata is too long"),
            // Wrong types of known fields, which the library would not check.
            (vec![0x19, 0x31, 0, 0, 0, 0], &PAGE_HEADER, "has the wrong type"),
            (vec![0x5c, 0x18, 0, 0, 0], &PAGE_HEADER, "has the wrong type"),
            // More than 512 MiB, and a negative size.
            (vec![0x25, 0x82, 0x80, 0x80, 0x80, 4, 0], &PAGE_HEADER, "size of a page is out of range"),
            (vec![0x35, 1, 0], &PAGE_HEADER, "size of a page is out of range"),
            (vec![0xf8, 200, 1, 0], &PAGE_HEADER, "truncated"),
            (vec![0x15], &PAGE_HEADER, "truncated"),
            (vec![0xfc; 40], &PAGE_HEADER, "too deeply"),
            (vec![0xfd, 0], &PAGE_HEADER, "unknown type"),
            (vec![0x15, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1], &PAGE_HEADER, "too many bytes"),
        ] {
            let found = problem(&bytes, shape);
            assert!(found.contains(what), "{bytes:x?}: {found}");
        }
    }
}

//! Columns: bytes in the index, UTF-16 code units or bytes in the protocol. And the name at a column.

/// The unit of columns in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes of UTF-8.
    Utf8,
    /// Code units of UTF-16.
    Utf16,
}

impl Encoding {
    /// The byte at a column of a line; the line's end if it is shorter.
    #[must_use]
    pub fn byte(self, line: &str, column: u32) -> usize {
        let column = usize::try_from(column).unwrap_or(usize::MAX);
        match self {
            Self::Utf8 => line.floor_char_boundary(column),
            Self::Utf16 => {
                let mut units = 0;
                let at = line.char_indices().find(|&(_, c)| {
                    let before = units;
                    units += c.len_utf16();
                    // A column within a pair of surrogates is that of the pair.
                    before + c.len_utf16() > column
                });
                at.map_or(line.len(), |(at, _)| at)
            }
        }
    }

    /// The column of a byte of a line; that of its end if it is shorter.
    #[must_use]
    pub fn column(self, line: &str, byte: usize) -> u32 {
        let before = &line[..line.floor_char_boundary(byte)];
        let column = match self {
            Self::Utf8 => before.len(),
            Self::Utf16 => before.encode_utf16().count(),
        };
        u32::try_from(column).unwrap_or(u32::MAX)
    }
}

/// The bytes of the identifier around a byte of a line, or that ends there; `None` if there is none.
#[must_use]
pub fn identifier(line: &str, byte: usize) -> Option<std::ops::Range<usize>> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '?' | '!' | '\'');
    let byte = line.floor_char_boundary(byte);
    let before = line[..byte].char_indices().rev().take_while(|&(_, c)| is_part(c)).last();
    let start = before.map_or(byte, |(at, _)| at);
    let after = line[byte..].char_indices().find(|&(_, c)| !is_part(c));
    let end = after.map_or(line.len(), |(at, _)| byte + at);
    (start < end).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn columns_count_code_units() {
        let line = "a𝄞é = b";
        assert_eq!([0, 1, 2, 3, 4].map(|column| Encoding::Utf16.byte(line, column)), [0, 1, 1, 5, 7]);
        assert_eq!((Encoding::Utf16.column(line, 5), Encoding::Utf8.column(line, 5)), (3, 5));
        assert_eq!((Encoding::Utf16.byte(line, 99), Encoding::Utf8.byte(line, 3)), (line.len(), 1));
    }

    #[test]
    fn identifiers_are_found_from_inside_and_from_their_end() {
        let line = "x.open_file(é)";
        assert_eq!([2, 5, 11].map(|byte| identifier(line, byte)), [Some(2..11), Some(2..11), Some(2..11)]);
        assert_eq!((identifier(line, 12), identifier("()", 1), identifier("", 0)), (Some(12..14), None, None));
    }

    proptest! {
        #[test]
        fn no_column_panics_and_bytes_return(line in ".*", column in 0_u32..200, byte in 0_usize..200) {
            for encoding in [Encoding::Utf8, Encoding::Utf16] {
                let at = encoding.byte(&line, column);
                prop_assert!(line.is_char_boundary(at));
                prop_assert_eq!(encoding.byte(&line, encoding.column(&line, at)), at);
                let _ = identifier(&line, byte);
            }
        }
    }
}

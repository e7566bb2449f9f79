//! Decodes bytes into text, or returns the reason for skipping the file.

use chardetng::EncodingDetector;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use sextant_format::digest::Digest;
use sextant_format::kinds::SkipReason;

/// A decoded file.
#[derive(Debug)]
pub struct DecodedText {
    /// The text without a byte order mark.
    pub text: String,
    /// The character encoding: a name of the WHATWG encoding standard, in lower case.
    pub encoding: &'static str,
    /// blake3 of the file's bytes.
    pub content_hash: Digest,
    /// The file's size in bytes.
    pub bytes: u64,
}

/// Why a file is not indexed.
#[derive(Debug, PartialEq, Eq)]
pub struct Skip {
    /// The reason, as recorded in `skipped.parquet`.
    pub reason: SkipReason,
    /// Details for people.
    pub detail: String,
}

impl Skip {
    /// Creates a skip from a reason and its details.
    #[must_use]
    pub fn new(reason: SkipReason, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into() }
    }
}

/// How many leading bytes are examined to distinguish text from binary.
const PROBE_BYTES: usize = 8 << 10;
/// A file counts as minified if its longest line has at least this many bytes ...
const MIN_MINIFIED_LINE_BYTES: usize = 5_000;
/// ... and its lines have at least this many on average.
const MIN_MINIFIED_MEAN_LINE_BYTES: usize = 300;
/// In a legacy encoding, at most one character in this many is a control character.
const MIN_CHARS_PER_CONTROL: usize = 500;

/// A file without a byte order mark needs at least this many zero bytes to count as UTF-16.
const MIN_UTF16_CHARS: usize = 8;

/// Decodes UTF-8, UTF-16 with or without a byte order mark, or else the most likely legacy encoding.
///
/// # Errors
/// The file is binary, minified or in an unknown encoding.
pub fn decode(bytes: Vec<u8>) -> Result<DecodedText, Skip> {
    let (content_hash, size) = (Digest::hash_bytes(&bytes), bytes.len() as u64);
    let (encoding, text) = match detect_utf16(&bytes) {
        Some(encoding) => (encoding, encoding.decode(&bytes).0.into_owned()),
        None if bytes[..bytes.len().min(PROBE_BYTES)].contains(&0) => {
            return Err(Skip::new(SkipReason::Binary, "it holds NUL bytes"));
        }
        None => match String::from_utf8(bytes) {
            Ok(mut text) => {
                if text.starts_with('\u{feff}') {
                    text.drain(..'\u{feff}'.len_utf8());
                }
                (UTF_8, text)
            }
            Err(error) => decode_legacy(error)?,
        },
    };
    let (mut lines, mut longest, mut start) = (0, 0, 0);
    for end in memchr::memchr_iter(b'\n', text.as_bytes()).chain([text.len()]) {
        lines += 1;
        longest = longest.max(end - start);
        start = end + 1;
    }
    if longest >= MIN_MINIFIED_LINE_BYTES && text.len() / lines >= MIN_MINIFIED_MEAN_LINE_BYTES {
        return Err(Skip::new(SkipReason::Minified, format!("{lines} lines, the longest of {longest} bytes")));
    }
    Ok(DecodedText { text, encoding: encoding_name(encoding), content_hash, bytes: size })
}

/// Detects UTF-16 by its byte order mark, or by zeros in every other byte, as in mostly ASCII text.
fn detect_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return (encoding != UTF_8).then_some(encoding);
    }
    let probe = &bytes[..bytes.len().min(PROBE_BYTES) & !1];
    let zeros = |from: usize| probe.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let min_zeros = probe.len() / 2 * 3 / 4;
    match (even, odd) {
        (0, odd) if odd > min_zeros && odd >= MIN_UTF16_CHARS => Some(UTF_16LE),
        (even, 0) if even > min_zeros && even >= MIN_UTF16_CHARS => Some(UTF_16BE),
        _ => None,
    }
}

/// Decodes a legacy (pre-Unicode) encoding, guessed from the bytes.
fn decode_legacy(error: std::string::FromUtf8Error) -> Result<(&'static Encoding, String), Skip> {
    let at = error.utf8_error().valid_up_to();
    let bytes = error.into_bytes();
    let mut detector = EncodingDetector::new();
    detector.feed(&bytes, true);
    let encoding = detector.guess(None, false);
    let (text, _, broken) = encoding.decode(&bytes);
    let is_control = |c: &char| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}' | '\u{1b}');
    let controls = text.chars().filter(is_control).count();
    if broken || controls > text.len() / MIN_CHARS_PER_CONTROL {
        return Err(Skip::new(SkipReason::NotUtf8, format!("byte {at} is not UTF-8, and no older encoding fits")));
    }
    Ok((encoding, text.into_owned()))
}

/// The encoding's name in lower case. The standard's list of encodings is closed.
fn encoding_name(encoding: &'static Encoding) -> &'static str {
    const NAMES: &[&str] = &[
        "utf-8",
        "utf-16le",
        "utf-16be",
        "windows-1252",
        "iso-8859-2",
        "iso-8859-4",
        "iso-8859-5",
        "iso-8859-6",
        "iso-8859-7",
        "iso-8859-8",
        "iso-8859-13",
        "iso-2022-jp",
        "koi8-u",
        "shift_jis",
        "euc-jp",
        "euc-kr",
        "gbk",
        "gb18030",
        "big5",
        "windows-874",
        "windows-1250",
        "windows-1251",
        "windows-1253",
        "windows-1254",
        "windows-1255",
        "windows-1256",
        "windows-1257",
        "windows-1258",
        "ibm866",
    ];
    NAMES.iter().find(|name| name.eq_ignore_ascii_case(encoding.name())).copied().unwrap_or(encoding.name())
}

/// Whether the first 2048 bytes contain a marker of generated code, such as `@generated`.
#[must_use]
pub fn is_generated(text: &str) -> bool {
    let head = &text[..text.floor_char_boundary(2048)];
    head.contains("@generated")
        || (head.contains("DO NOT EDIT") && (head.contains("enerated") || head.contains("ENERATED")))
        || head.contains("automatically generated by")
        || head.contains("This file was generated by")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(bytes: &[u8]) -> Option<SkipReason> {
        decode(bytes.to_vec()).err().map(|skip| skip.reason)
    }

    #[test]
    fn binary_and_minified_files_are_skipped() {
        assert_eq!(reason(b"fn main() {}\n"), None);
        assert_eq!(reason(b""), None);
        assert_eq!(reason(b"a\0b"), Some(SkipReason::Binary));
        assert_eq!(reason(b"\xff\x01\x02\x03\x04"), Some(SkipReason::NotUtf8));
        assert_eq!(reason("x=1;".repeat(5000).as_bytes()), Some(SkipReason::Minified));
        assert_eq!(decode("\u{feff}a".into()).unwrap().text, "a");
    }

    #[test]
    fn legacy_and_utf16_encodings_are_decoded() {
        let is = |bytes: &[u8], encoding: &str, text: &str| {
            let found = decode(bytes.to_vec()).unwrap();
            assert_eq!((found.encoding, found.text.as_str()), (encoding, text));
        };
        is(b"// caf\xe9 au lait\n", "windows-1252", "// caf\u{e9} au lait\n");
        let utf16_le = |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
        is(&utf16_le("\u{feff}int a;\n"), "utf-16le", "int a;\n");
        is(&utf16_le("int main(void) { return 0; }\n"), "utf-16le", "int main(void) { return 0; }\n");
        let big: Vec<u8> = "\u{feff}int a;".encode_utf16().flat_map(u16::to_be_bytes).collect();
        is(&big, "utf-16be", "int a;");
        is(b"\xef\xbb\xbfint a;", "utf-8", "int a;");
    }
}

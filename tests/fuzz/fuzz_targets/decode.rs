//! Decodes any bytes as text. It must not panic, and must return UTF-8 input unchanged.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sextant_syntax::text::decode;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(text) = decode(bytes.to_vec())
        && text.encoding == "utf-8"
    {
        assert_eq!(text.text.as_bytes(), bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    }
});

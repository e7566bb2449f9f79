//! Signatures as text: cut if they are long.

use std::borrow::Cow;

/// Longer signatures are cut, in bytes.
const MAX_SIGNATURE_BYTES: usize = 200;

/// Returns a signature, cut if it is long.
pub(super) fn signature(text: &str) -> Cow<'_, str> {
    if text.len() <= MAX_SIGNATURE_BYTES {
        return text.into();
    }
    format!("{} ...", text[..text.floor_char_boundary(MAX_SIGNATURE_BYTES)].trim_end()).into()
}

//! Verifies minisign signatures of packs. They cover the index of a pack, which contains the hash of every block.

use std::path::Path;

use minisign_verify::{PublicKey, Signature};

use crate::{Error, Result};

/// Verifies the signature of a pack if there is a key. Returns whether it was verified; none if the pack has no
/// signature and no key is given.
///
/// # Errors
/// A key is given, and the pack has no valid signature by it.
pub(super) fn check(path: &Path, index: &[u8], signature: &[u8], key: Option<&str>) -> Result<Option<bool>> {
    let refused = |what: &str| Error::Untrusted { path: path.to_owned(), what: what.to_owned() };
    let Some(key) = key else { return Ok((!signature.is_empty()).then_some(false)) };
    let key = read_key(key)?;
    if signature.is_empty() {
        return Err(refused("it is not signed, but a key is set"));
    }
    let signature = std::str::from_utf8(signature).ok().and_then(|text| Signature::decode(text).ok());
    let signature = signature.ok_or_else(|| refused("its signature cannot be read"))?;
    key.verify(index, &signature, false)
        .map_err(|error| refused(&format!("its signature does not match the key: {error}")))?;
    Ok(Some(true))
}

/// Reads a public key from its text, or from a file of minisign.
fn read_key(key: &str) -> Result<PublicKey> {
    let refused = |what: &dyn std::fmt::Display| Error::Key { key: format!("'{key}'"), what: what.to_string() };
    if let Ok(key) = PublicKey::from_base64(key) {
        return Ok(key);
    }
    let text = fs_err::read_to_string(key).map_err(|error| refused(&error))?;
    PublicKey::decode(&text).map_err(|error| refused(&error))
}

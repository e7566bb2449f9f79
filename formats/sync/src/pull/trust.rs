//! Signatures of packs: minisign's, over the index of a pack, which names the hash of every block.

use std::path::Path;

use minisign_verify::{PublicKey, Signature};

use crate::{Error, Result};

/// Checks the signature of a pack. Gives whether it was checked; none where the pack has no signature and none is asked
/// for. A pack without the signature that is asked for is refused.
pub(super) fn check(path: &Path, index: &[u8], signature: &[u8], key: Option<&str>) -> Result<Option<bool>> {
    let refused = |what: &str| Error::Untrusted { path: path.to_owned(), what: what.to_owned() };
    let Some(key) = key else { return Ok((!signature.is_empty()).then_some(false)) };
    let key = read_key(key)?;
    if signature.is_empty() {
        return Err(refused("it is not signed, and a key is set"));
    }
    let signature = std::str::from_utf8(signature).ok().and_then(|text| Signature::decode(text).ok());
    let signature = signature.ok_or_else(|| refused("its signature cannot be read"))?;
    key.verify(index, &signature, false)
        .map_err(|error| refused(&format!("its signature is not by the key: {error}")))?;
    Ok(Some(true))
}

/// A public key: its text, or the file that `minisign` wrote.
fn read_key(key: &str) -> Result<PublicKey> {
    let refused = |what: &dyn std::fmt::Display| Error::Key { key: format!("'{key}'"), what: what.to_string() };
    if let Ok(key) = PublicKey::from_base64(key) {
        return Ok(key);
    }
    let text = fs_err::read_to_string(key).map_err(|error| refused(&error))?;
    PublicKey::decode(&text).map_err(|error| refused(&error))
}

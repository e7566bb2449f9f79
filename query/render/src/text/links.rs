//! Files as addresses that a terminal opens (OSC 8).

use std::path::Path;

/// The address of a file below a folder, where it is there; the path may have its repository in front.
pub(super) fn address(path: &str, folder: &Path) -> Option<String> {
    let without = path.split_once('/').map(|(_, rest)| rest);
    let file = [Some(path), without].into_iter().flatten().map(|path| folder.join(path)).find(|file| file.is_file())?;
    let file = std::path::absolute(file).ok()?;
    let mut address = String::from("file://");
    for byte in file.to_str()?.bytes() {
        // What an address may hold (RFC 3986); nothing that could end the link is among it.
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            address.push(char::from(byte));
        } else {
            address.push_str(&format!("%{byte:02X}"));
        }
    }
    Some(address)
}

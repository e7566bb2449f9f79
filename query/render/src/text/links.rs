//! File URLs for terminal hyperlinks (OSC 8).

use std::path::Path;

/// Returns the URL of a file below a folder, if it exists there. The path may start with the repository's name.
pub(super) fn file_url(path: &str, folder: &Path) -> Option<String> {
    let without_repository = path.split_once('/').map(|(_, rest)| rest);
    let file = [Some(path), without_repository]
        .into_iter()
        .flatten()
        .map(|path| folder.join(path))
        .find(|file| file.is_file())?;
    let file = std::path::absolute(file).ok()?;
    let mut url = String::from("file://");
    for byte in file.to_str()?.bytes() {
        // The unreserved characters of RFC 3986; none of them can end the link.
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            url.push(char::from(byte));
        } else {
            url.push_str(&format!("%{byte:02X}"));
        }
    }
    Some(url)
}

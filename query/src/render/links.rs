//! Places as links that a terminal opens (OSC 8), where the file is there.

use std::path::Path;

use super::PLACE;

/// The text with its places linked to the files below a folder; places of files that are not there stay as they are.
pub(crate) fn linked(text: &str, folder: &Path) -> String {
    around_places(text, |place| match address(place, folder) {
        Some(address) => (format!("\u{1b}]8;;{address}\u{1b}\\"), "\u{1b}]8;;\u{1b}\\".to_owned()),
        None => (String::new(), String::new()),
    })
}

/// The text with something in front of every place and behind it.
pub(super) fn around_places(text: &str, around: impl Fn(&str) -> (String, String)) -> String {
    let (begin, end) = (format!("{PLACE}"), format!("{PLACE:#}"));
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(&begin) {
        let Some((place, after)) = after.split_once(&end) else { break };
        let (front, back) = around(place);
        for part in [before, &front, &begin, place, &end, &back] {
            out.push_str(part);
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The address of the file of a place, `path:line` or a path, perhaps with the repository in front.
fn address(place: &str, folder: &Path) -> Option<String> {
    let path = place.split_once(':').map_or(place, |(path, _)| path);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_there_are_linked() {
        let dir = tempfile::tempdir().unwrap();
        fs_err::create_dir(dir.path().join("src")).unwrap();
        fs_err::write(dir.path().join("src/a b.rs"), "").unwrap();
        let text = format!(
            "{PLACE}src/a b.rs:12{PLACE:#}  function f\n{PLACE}repo/src/a b.rs:1-3{PLACE:#}\n{PLACE}none.rs{PLACE:#}\n"
        );
        let linked = linked(&text, dir.path());
        assert_eq!(linked.matches("\u{1b}]8;;file:///").count(), 2);
        assert_eq!(linked.matches("/src/a%20b.rs\u{1b}\\").count(), 2);
        // Nothing but the links is added.
        assert_eq!(anstream::adapter::strip_str(&linked).to_string(), anstream::adapter::strip_str(&text).to_string());
    }
}

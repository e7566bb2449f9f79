//! Marks the places of files that differ from the index a checkout was laid over, in any answer.

use super::FAINT;
use super::links::around_places;

/// What follows a place in a text.
const MARK: &str = "(edited)";

/// A text with a mark behind every place whose file is edited.
pub(crate) fn mark_text(text: &str, is_edited: impl Fn(&str) -> bool) -> String {
    around_places(text, |place| {
        let path = place.rsplit_once(':').map_or(place, |(path, _)| path);
        let is_edited = is_edited(path) || is_edited(place);
        (String::new(), if is_edited { format!(" {FAINT}{MARK}{FAINT:#}") } else { String::new() })
    })
}

/// JSON with `"edited":true` in every object whose `repo` and `path` name an edited file. All shapes have the two side
/// by side, and no text inside of JSON can look like them: its quotes are escaped.
pub(crate) fn mark_json(json: &str, is_edited: impl Fn(&str, &str) -> bool) -> String {
    const REPO: &str = "\"repo\":\"";
    const PATH: &str = ",\"path\":\"";
    let mut out = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find(REPO) {
        let (before, after) = rest.split_at(at + REPO.len() - 1);
        out.push_str(before);
        rest = after;
        let Some(repo) = text(after) else { break };
        let Some(path) = after[repo.len()..].strip_prefix(PATH).map(|_| &after[repo.len() + PATH.len() - 1..]) else {
            continue;
        };
        let Some(path) = text(path) else { break };
        let (named, after) = after.split_at(repo.len() + PATH.len() - 1 + path.len());
        out.push_str(named);
        rest = after;
        let plain = |quoted: &str| serde_json::from_str::<String>(quoted).unwrap_or_default();
        if is_edited(&plain(repo), &plain(path)) {
            out.push_str(",\"edited\":true");
        }
    }
    out.push_str(rest);
    out
}

/// The text that JSON begins with, with its quotes.
fn text(json: &str) -> Option<&str> {
    let mut is_escaped = false;
    let end = json.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        ends
    })?;
    json.get(..end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::PLACE;

    #[test]
    fn places_of_edited_files_are_marked() {
        let text = format!("{PLACE}src/a.rs:1-3{PLACE:#}  f\n{PLACE}src/b.rs{PLACE:#}\nsrc/a.rs:1\n");
        let marked = mark_text(&text, |path| path == "src/a.rs");
        let plain = anstream::adapter::strip_str(&marked).to_string();
        assert_eq!(plain, "src/a.rs:1-3 (edited)  f\nsrc/b.rs\nsrc/a.rs:1\n");
    }

    #[test]
    fn objects_of_edited_files_are_marked_and_texts_are_not() {
        let is_edited = |repo: &str, path: &str| repo == "r" && path == "a\"\\.rs";
        let value = serde_json::json!([
            {"repo": "r", "path": "a\"\\.rs", "line": 1},
            {"repo": "r", "path": "b.rs"},
            {"repo": "s", "path": "a\"\\.rs"},
            {"snippet": "{\"repo\":\"r\",\"path\":\"a\\\"\\\\.rs\"}"},
            {"repo": "r"},
        ]);
        let marked: serde_json::Value = serde_json::from_str(&mark_json(&value.to_string(), is_edited)).unwrap();
        let edited: Vec<bool> = marked.as_array().unwrap().iter().map(|one| one.get("edited").is_some()).collect();
        assert_eq!(edited, [true, false, false, false, false]);
        assert_eq!(marked[3], value[3]);
        for cut in ["{\"repo\":\"r", "{\"repo\":\"r\",\"path\":\"", "{\"repo\":\"r\",\"path\":\"a\\"] {
            assert_eq!(mark_json(cut, is_edited), cut);
        }
    }
}

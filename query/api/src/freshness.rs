//! Responses compared with the checkout in which the program runs.

use std::path::Path;

use serde_json::Value;
use sextant_checkout::freshness;

use crate::responses::{Bodies, CheckoutState, Response};
use crate::{IndexSet, Result};

/// Files that a note names.
const MAX_NOTED: usize = 8;
/// Letters of a commit in a note.
const COMMIT_LETTERS: usize = 10;

impl Response {
    /// Compares the files that the response names with the checkout around `folder`; what differs becomes a note. An
    /// index with local edits is left out: its answers are of the checkout.
    ///
    /// # Errors
    /// An index is damaged.
    pub fn compare(&mut self, indexes: &IndexSet, folder: &Path) -> Result<()> {
        for named in &indexes.indexes {
            let body = match &self.bodies {
                Bodies::One(body) => body,
                Bodies::Several { bodies, .. } => match bodies.iter().find(|body| body.index == named.name) {
                    Some(body) => &body.answer,
                    None => continue,
                },
            };
            if !named.index.dirty_files().is_empty() {
                continue;
            }
            let mut files = Vec::new();
            collect_files(&serde_json::to_value(body).unwrap_or_default(), &mut files);
            for found in freshness(&named.index, folder, &files)? {
                self.checkouts.push(CheckoutState {
                    repo: found.repository,
                    indexed_commit: found.commit,
                    compared: found.compared,
                    changed: found.changed,
                    missing: found.missing,
                });
            }
        }
        self.notes.extend(self.checkouts.iter().filter_map(note));
        Ok(())
    }
}

/// Collects the files of locations: objects with a repository and a path.
fn collect_files(value: &Value, files: &mut Vec<(String, String)>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect_files(value, files)),
        Value::Object(object) => {
            if let (Some(Value::String(repo)), Some(Value::String(path))) = (object.get("repo"), object.get("path")) {
                let file = (repo.clone(), path.clone());
                if !files.contains(&file) {
                    files.push(file);
                }
            }
            object.values().for_each(|value| collect_files(value, files));
        }
        _ => {}
    }
}

fn note(state: &CheckoutState) -> Option<String> {
    let gone = state.missing.iter().map(|path| format!("{path} (gone)"));
    let mut files: Vec<String> = state.changed.iter().cloned().chain(gone).collect();
    let more = files.len().saturating_sub(MAX_NOTED);
    files.truncate(MAX_NOTED);
    if more > 0 {
        files.push(format!("and {more} more"));
    }
    let commit = state.indexed_commit.as_deref().map(|commit| commit.get(..COMMIT_LETTERS).unwrap_or(commit));
    let of = commit.map_or_else(String::new, |commit| format!(" of {commit}"));
    (!files.is_empty())
        .then(|| format!("changed since the index{of}: {}; --overlay answers for the files of now", files.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_collected_once_wherever_they_are() {
        let location = |path: &str| serde_json::json!({"repo": "r", "path": path, "start_line": 1});
        let value = serde_json::json!({"results": [location("a"), {"at": location("b"), "list": [location("a")]}]});
        let mut files = Vec::new();
        collect_files(&value, &mut files);
        assert_eq!(files, [("r".to_owned(), "a".to_owned()), ("r".to_owned(), "b".to_owned())]);
    }
}

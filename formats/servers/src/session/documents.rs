//! Which texts a server knows, and what to tell it about others.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};
use sextant_format::digest::Digest;

/// Documents that are open at most; the one that was used longest ago is closed for another.
const MAX_OPEN: usize = 200;

/// The documents that are open in a server.
#[derive(Default)]
pub(super) struct Documents {
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    documents: BTreeMap<PathBuf, Document>,
    uses: u64,
}

struct Document {
    digest: Digest,
    version: i32,
    last_use: u64,
}

impl Documents {
    /// The notifications after which the server knows a file's text.
    pub(super) fn changes(&self, file: &Path, language: &str, text: &str) -> Vec<(&'static str, Value)> {
        let Some(uri) = sextant_protocol::uri_of_path(file) else { return Vec::new() };
        let digest = Digest::hash_bytes(text.as_bytes());
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.uses += 1;
        let last_use = open.uses;
        if let Some(document) = open.documents.get_mut(file) {
            document.last_use = last_use;
            if document.digest == digest {
                return Vec::new();
            }
            document.digest = digest;
            document.version += 1;
            let params = json!({
                "textDocument": {"uri": uri, "version": document.version},
                "contentChanges": [{"text": text}],
            });
            return vec![("textDocument/didChange", params)];
        }
        let mut changes = Vec::new();
        if open.documents.len() >= MAX_OPEN
            && let Some(oldest) = open.documents.iter().min_by_key(|(_, document)| document.last_use)
        {
            let path = oldest.0.clone();
            open.documents.remove(&path);
            let uri = sextant_protocol::uri_of_path(&path).unwrap_or_default();
            changes.push(("textDocument/didClose", json!({"textDocument": {"uri": uri}})));
        }
        open.documents.insert(file.to_owned(), Document { digest, version: 1, last_use });
        let document = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        changes.push(("textDocument/didOpen", json!({ "textDocument": document })));
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_sent_once_and_again_when_it_changes() {
        let documents = Documents::default();
        let methods = |path: &str, text: &str| -> Vec<&'static str> {
            let file = std::env::temp_dir().join(path);
            documents.changes(&file, "python", text).into_iter().map(|(method, _)| method).collect()
        };
        assert_eq!(methods("a.py", "x"), ["textDocument/didOpen"]);
        assert_eq!(methods("a.py", "x"), [""; 0]);
        assert_eq!(methods("a.py", "y"), ["textDocument/didChange"]);
        for n in 1..MAX_OPEN {
            assert_eq!(methods(&format!("{n}.py"), "x"), ["textDocument/didOpen"]);
        }
        assert_eq!(methods("a.py", "y"), [""; 0]);
        assert_eq!(methods("new.py", "x"), ["textDocument/didClose", "textDocument/didOpen"]);
        assert_eq!(methods("1.py", "x"), ["textDocument/didClose", "textDocument/didOpen"]);
    }
}

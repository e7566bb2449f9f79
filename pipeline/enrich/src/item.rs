//! What is asked about, and what is answered.

use serde::{Deserialize, Serialize};

/// Identifies a chunk by everything that its prompt contains, except for its parent's summary. Equal chunks have equal
/// keys in every file, repository and build.
pub type ItemKey = [u8; 16];

/// A chunk to ask about, without its text.
#[derive(Clone, Debug)]
pub struct Item {
    /// Its key.
    pub key: ItemKey,
    /// 1 for a whole symbol, 2 for a block.
    pub level: u8,
    /// Kind of the symbol, or of the block.
    pub kind: &'static str,
    /// Language of its code.
    pub language: String,
    /// Qualified name of the symbol, or of the symbol around the block.
    pub name: String,
    /// Names of a type's members, whose text is in chunks of their own.
    pub members: Vec<String>,
    /// Bytes of its text.
    pub bytes: u64,
    /// For a block, the symbol around it.
    pub parent: Option<Parent>,
}

/// The symbol around a block.
#[derive(Clone, Debug)]
pub enum Parent {
    /// It is this item of the list.
    Item(usize),
    /// It is not asked about again; this is its summary.
    Known(String),
}

impl Item {
    /// The key of a chunk: `parent` is that of the symbol around a block.
    #[must_use]
    pub fn key(
        level: u8,
        kind: &str,
        language: &str,
        name: &str,
        members: &[String],
        content_hash: &[u8; 32],
        parent: Option<&ItemKey>,
    ) -> ItemKey {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&[level]);
        for text in [kind, language, name].into_iter().chain(members.iter().map(String::as_str)) {
            hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
        }
        hasher.update(content_hash).update(parent.map_or(&[][..], |key| key));
        truncate(&hasher)
    }

    /// The key of an answer: the chunk, the model, the prompt, and the parent's summary; none for a block whose symbol
    /// has no summary. `summaries` are those of the list's items so far.
    pub(crate) fn answer_key(
        &self,
        model: &str,
        prompt_version: u32,
        summaries: &[Option<Summary>],
    ) -> Option<ItemKey> {
        let parent = self.parent_summary(summaries);
        if self.parent.is_some() && parent.is_none() {
            return None;
        }
        let mut hasher = blake3::Hasher::new();
        hasher.update(&self.key).update(&prompt_version.to_le_bytes());
        for text in [model, parent.unwrap_or("")] {
            hasher.update(&(text.len() as u64).to_le_bytes()).update(text.as_bytes());
        }
        Some(truncate(&hasher))
    }

    /// The summary of the symbol around a block.
    pub(crate) fn parent_summary<'a>(&'a self, summaries: &'a [Option<Summary>]) -> Option<&'a str> {
        match self.parent.as_ref()? {
            Parent::Known(summary) => Some(summary),
            Parent::Item(at) => summaries.get(*at)?.as_ref().map(|summary| summary.summary.as_str()),
        }
    }
}

fn truncate(hasher: &blake3::Hasher) -> ItemKey {
    let mut key = [0; 16];
    key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    key
}

/// A model's answer about a chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Two or three sentences for a symbol, one for a block.
    pub summary: String,
    /// Search words.
    pub keywords: Vec<String>,
    /// Its purpose or category; empty for a block.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub purpose: String,
}

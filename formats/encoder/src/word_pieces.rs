//! Splits words into word pieces by the greedy longest match of BERT's tokenizer (Devlin and others 2019), with the
//! vocabulary of a `tokenizer.json`.
//!
//! Only this part of the file is read, and into one map: the words come from [`sextant_text::tokens`], and loading the
//! whole pipeline with the `tokenizers` library takes longer than a whole query. A test compares the results with that
//! library.

use std::borrow::Cow;
use std::path::Path;

use rustc_hash::FxHashMap;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// The prefix and the longest word of BERT's vocabularies, which their plain form does not say.
const BERT_PREFIX: &str = "##";
const BERT_UNKNOWN: &str = "[UNK]";
const BERT_MAX_WORD_CHARS: usize = 100;

/// A vocabulary of word pieces.
pub struct WordPieces {
    pieces: FxHashMap<Box<str>, u32>,
    /// Prefix of the pieces that do not begin a word.
    prefix: String,
    unknown: u32,
    /// Words with more characters become the unknown piece.
    max_word_chars: usize,
}

#[derive(Deserialize)]
struct File<'a> {
    #[serde(borrow)]
    model: Model<'a>,
}

#[derive(Deserialize)]
struct Model<'a> {
    unk_token: String,
    continuing_subword_prefix: String,
    max_input_chars_per_word: usize,
    #[serde(borrow)]
    vocab: Vocabulary<'a>,
}

/// Pieces and their ids, in file order.
struct Vocabulary<'a>(Vec<(Piece<'a>, u32)>);

#[derive(Serialize, Deserialize)]
struct Piece<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Vocabulary<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Vocabulary<'de>;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("pieces with their ids")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Vocabulary(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

impl WordPieces {
    /// Reads the vocabulary of a `tokenizer.json`.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let text = fs_err::read(path).map_err(|error| Error::model(path, error))?;
        let File { model } = serde_json::from_slice(&text).map_err(|error| Error::model(path, error))?;
        let pairs = model.vocab.0;
        let mut pieces = FxHashMap::with_capacity_and_hasher(pairs.len(), Default::default());
        pieces.extend(pairs.into_iter().map(|(piece, id)| (piece.0.into(), id)));
        let Some(&unknown) = pieces.get(model.unk_token.as_str()) else {
            return Err(Error::model(path, format!("its vocabulary has no '{}'", model.unk_token)));
        };
        Ok(Self {
            pieces,
            prefix: model.continuing_subword_prefix,
            unknown,
            max_word_chars: model.max_input_chars_per_word,
        })
    }

    /// Reads a vocabulary in BERT's plain form: a piece for each line, whose number is its id.
    ///
    /// # Errors
    /// It has no unknown piece.
    pub fn from_lines(text: &str) -> Result<Self> {
        let mut pieces = FxHashMap::default();
        for (id, piece) in (0u32..).zip(text.lines()) {
            pieces.insert(piece.into(), id);
        }
        let Some(&unknown) = pieces.get(BERT_UNKNOWN) else {
            return Err(Error::model(Path::new("vocab.txt"), format!("it has no '{BERT_UNKNOWN}'")));
        };
        Ok(Self { pieces, prefix: BERT_PREFIX.to_owned(), unknown, max_word_chars: BERT_MAX_WORD_CHARS })
    }

    /// The id of a piece.
    ///
    /// # Errors
    /// The vocabulary lacks it.
    pub fn id(&self, piece: &str) -> Result<u32> {
        let missing = || Error::model(Path::new("vocab.txt"), format!("it has no '{piece}'"));
        self.pieces.get(piece).copied().ok_or_else(missing)
    }

    /// The number of pieces.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether the vocabulary contains a whole word.
    pub(super) fn contains(&self, word: &str) -> bool {
        self.pieces.contains_key(word)
    }

    /// The ids of a word's pieces; the unknown piece if the vocabulary cannot compose the word.
    #[must_use]
    pub fn tokenize(&self, word: &str) -> Box<[u32]> {
        let unknown = || [self.unknown].into();
        if word.chars().count() > self.max_word_chars {
            return unknown();
        }
        let mut ids = Vec::new();
        let mut piece = String::with_capacity(self.prefix.len() + word.len());
        let mut start = 0;
        while start < word.len() {
            piece.clear();
            if start > 0 {
                piece.push_str(&self.prefix);
            }
            let before = piece.len();
            piece.push_str(&word[start..]);
            let id = loop {
                if let Some(&id) = self.pieces.get(piece.as_str()) {
                    break id;
                }
                piece.pop();
                if piece.len() <= before {
                    return unknown();
                }
            };
            ids.push(id);
            start += piece.len() - before;
        }
        ids.into()
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::LazyLock;

    use proptest::prelude::*;
    use tokenizers::Model as _;
    use tokenizers::models::wordpiece::WordPiece;

    use super::*;

    fn shipped() -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("model/tokenizer.json")
    }

    static OURS: LazyLock<WordPieces> = LazyLock::new(|| WordPieces::open(&shipped()).unwrap());
    static THEIRS: LazyLock<WordPiece> = LazyLock::new(|| {
        #[derive(Deserialize)]
        struct File {
            model: WordPiece,
        }
        serde_json::from_slice::<File>(&fs_err::read(shipped()).unwrap()).unwrap().model
    });

    proptest! {
        #[test]
        fn word_pieces_agree_with_the_tokenizers_crate(word in "[a-z0-9]{1,12}|[a-z\u{e9}\u{4e2d}_]{1,70}|\\PC{1,8}") {
            let theirs: Vec<u32> = THEIRS.tokenize(&word).unwrap().into_iter().map(|token| token.id).collect();
            prop_assert_eq!(&*OURS.tokenize(&word), theirs);
        }
    }

    #[test]
    fn a_file_without_a_vocabulary_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tokenizer.json");
        let model = r#"{"unk_token":"?","continuing_subword_prefix":"","max_input_chars_per_word":9,"vocab":"#;
        for text in [
            "",
            "{}",
            "{\"model\":1}",
            &format!("{{\"model\":{model}{{\"a\":1}}}}}}"),
            &format!("{{\"model\":{model}[]}}}}"),
        ] {
            fs_err::write(&path, text).unwrap();
            assert!(matches!(WordPieces::open(&path), Err(Error::Model { .. })), "{text}");
        }
    }
}

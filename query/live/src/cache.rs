//! Answers of servers, kept for five minutes by what was asked and the text of its file.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sextant_format::digest::Digest;

/// How long an answer is kept: other files may change, which its key does not show.
const TIME_TO_LIVE: Duration = Duration::from_secs(300);
/// Answers that are kept at most.
const MAX_ANSWERS: usize = 5_000;

/// What was asked: the operation, the file and its text, the line and the column.
pub(crate) type Key = (&'static str, PathBuf, Digest, u32, u32);

/// Answers of one type.
pub(crate) struct Cache<T> {
    answers: Mutex<BTreeMap<Key, (Instant, T)>>,
}

impl<T: Clone> Cache<T> {
    pub(crate) const fn new() -> Self {
        Self { answers: Mutex::new(BTreeMap::new()) }
    }

    /// The answer, if it is there and not too old.
    pub(crate) fn get(&self, key: &Key, now: Instant) -> Option<T> {
        let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        answers
            .get(key)
            .filter(|(since, _)| now.duration_since(*since) < TIME_TO_LIVE)
            .map(|(_, answer)| answer.clone())
    }

    /// Keeps an answer.
    pub(crate) fn insert(&self, key: Key, answer: T, now: Instant) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() >= MAX_ANSWERS {
            answers.retain(|_, (since, _)| now.duration_since(*since) < TIME_TO_LIVE);
            if answers.len() >= MAX_ANSWERS {
                answers.clear();
            }
        }
        answers.insert(key, (now, answer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_kept_for_five_minutes_and_for_one_text() {
        let cache = Cache::new();
        let now = Instant::now();
        let key = |text: &str| ("references", PathBuf::from("a.py"), Digest::hash_bytes(text.as_bytes()), 1, 2);
        cache.insert(key("x"), 7, now);
        assert_eq!(cache.get(&key("x"), now + TIME_TO_LIVE / 2), Some(7));
        assert_eq!((cache.get(&key("y"), now), cache.get(&key("x"), now + TIME_TO_LIVE)), (None, None));
        for n in 0..2 * MAX_ANSWERS {
            cache.insert(key(&n.to_string()), n, now);
        }
        assert!(cache.answers.lock().unwrap().len() <= MAX_ANSWERS);
    }
}

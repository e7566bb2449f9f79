//! Why a result was found, in words: what the query shares with it.

use super::response::Signals;
use crate::query_analysis::{AnalyzedQuery, variants};

/// Words of the query that are listed.
const MAX_WORDS: usize = 5;
/// Cosines from here on are a reason: most questions have a result with more.
const MIN_COSINE: f32 = 0.5;
/// Symbol scores from here on are names, as opposed to beginnings of names.
const MIN_NAME_SCORE: f32 = 0.7;

/// From here on, the messages of a file's commits are a reason: a message with half of the words of a question has more.
const MIN_HISTORY: f32 = 0.15;

/// The edge that raised a result is named if there are fewer other reasons.
const MAX_REASONS_BESIDE_GRAPH: usize = 2;

/// Returns why a chunk with this text, in this file, was found: its name, words, path, meaning, or an edge.
pub(super) fn reason(signals: &Signals, content: &str, path: &str, query: &AnalyzedQuery) -> String {
    let mut reasons: Vec<String> = Vec::new();
    let asked_path = query.text.trim().split(':').next().unwrap_or("");
    if signals.verbatim > 0.0 {
        reasons.push("has the text of the query".to_owned());
    } else if signals.exact > 0.0 && asked_path.contains('.') && path.ends_with(asked_path) {
        reasons.push("path".to_owned());
    } else if signals.exact > 0.0 {
        reasons.push("owner and name".to_owned());
    } else if signals.name_score.unwrap_or(0.0) >= MIN_NAME_SCORE {
        reasons.push("name".to_owned());
    }
    let (content, path) = (content.to_lowercase(), path.to_lowercase());
    let is_in =
        |text: &str, word: &str| text.contains(word) || variants(word).iter().any(|form| text.contains(form.as_str()));
    let words: Vec<&str> =
        query.words.iter().map(String::as_str).filter(|word| is_in(&content, word)).take(MAX_WORDS).collect();
    let has_words =
        signals.bm25.is_some() || signals.chunk_features.is_some_and(|(features, _)| features.coverage > 0.0);
    if !words.is_empty() && has_words {
        reasons.push(format!("words {}", words.join(", ")));
    }
    let in_path: Vec<&str> = query
        .words
        .iter()
        .map(String::as_str)
        .filter(|word| word.len() > 2 && path.contains(word))
        .take(MAX_WORDS)
        .collect();
    if !in_path.is_empty() {
        reasons.push(format!("path has {}", in_path.join(", ")));
    }
    if signals.file_features.is_some_and(|(features, _)| features.history >= MIN_HISTORY) {
        reasons.push("messages of its commits".to_owned());
    }
    if signals.cosine.is_some_and(|cosine| cosine >= MIN_COSINE) {
        reasons.push("meaning".to_owned());
    }
    if let Some((symbol, kind)) = signals.path_from_seed.last().filter(|_| reasons.len() < MAX_REASONS_BESIDE_GRAPH) {
        reasons.push(format!("{} edge of {symbol}", kind.as_str()));
    }
    if reasons.is_empty() {
        let by = match signals {
            Signals { cosine: Some(_), .. } => "nearest in meaning",
            Signals { bm25: None, name_score: None, chunk_features: Some(_), .. } => "best part of a file that fits",
            _ => "words of its name or path",
        };
        reasons.push(by.to_owned());
    }
    reasons.join("; ")
}

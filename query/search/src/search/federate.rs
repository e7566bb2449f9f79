//! Merges the responses of several indexes to one request.
//!
//! Scores are relative to one index and cannot be compared with those of another. The measures of the retrievers can:
//! BM25, cosine, how exactly a name matches, and the share of the query's words in the best file. The results of an
//! index keep their order, and its best measures scale their scores.

use super::response::{Hit, SearchResponse};

/// The measures of a result that can be compared between indexes.
const MEASURES: [fn(&Hit) -> f32; 4] = [
    |hit| hit.signals.bm25.unwrap_or(0.0),
    |hit| hit.signals.cosine.unwrap_or(0.0),
    |hit| hit.signals.name_score.unwrap_or(0.0),
    |hit| hit.signals.file_features.map_or(0.0, |features| features.coverage),
];

/// Merges the responses of several indexes to the same request. Returns the response with at most `limit` results, and
/// the position of the index of each result; `None` if there is no response.
pub fn merge_responses(responses: Vec<SearchResponse>, limit: usize) -> Option<(SearchResponse, Vec<usize>)> {
    let best = |hits: &[Hit], measure: fn(&Hit) -> f32| hits.iter().map(measure).fold(0.0, f32::max);
    let maxima = MEASURES.map(|measure| responses.iter().map(|r| best(&r.results, measure)).fold(0.0, f32::max));
    let is_one = responses.len() == 1;
    let mut all: Vec<(f32, usize, Hit)> = Vec::new();
    let mut merged: Option<SearchResponse> = None;
    for (n, mut response) in responses.into_iter().enumerate() {
        let results = std::mem::take(&mut response.results);
        let shares = MEASURES.iter().zip(maxima).filter(|(_, max)| *max > 0.0);
        let shares: Vec<f32> = shares.map(|(measure, max)| best(&results, *measure) / max).collect();
        let strength = if shares.is_empty() { 1.0 } else { shares.iter().sum::<f32>() / shares.len() as f32 };
        let top = results.first().map_or(1.0, |hit| hit.score).max(f32::MIN_POSITIVE);
        let scale = if is_one { 1.0 } else { strength / top };
        all.extend(results.into_iter().map(|hit| (scale * hit.score, n, hit)));
        if let Some(merged) = &mut merged {
            merged.took_ms += response.took_ms;
            for note in response.degraded {
                if !merged.degraded.contains(&note) {
                    merged.degraded.push(note);
                }
            }
        } else {
            merged = Some(response);
        }
    }
    let mut merged = merged?;
    all.sort_by(|(a, m, x), (b, n, y)| b.total_cmp(a).then(m.cmp(n)).then(x.rank.cmp(&y.rank)));
    all.truncate(limit);
    let mut index_of_result = Vec::new();
    for (rank, (score, n, hit)) in all.into_iter().enumerate() {
        index_of_result.push(n);
        merged.results.push(Hit { rank: rank + 1, score, ..hit });
    }
    Some((merged, index_of_result))
}

#[cfg(test)]
mod tests {
    use sextant_format::ids::ChunkId;
    use sextant_format::kinds::Kind;

    use super::*;
    use crate::query_analysis::QueryClass;
    use crate::search::{Signals, Strategy};

    fn response(hits: &[(f32, f32)]) -> SearchResponse {
        let hit = |(at, &(score, cosine)): (usize, &(f32, f32))| Hit {
            rank: at + 1,
            score,
            repo: String::new(),
            path: String::new(),
            start_line: 1,
            end_line: 1,
            language: String::new(),
            kind: Kind::Function,
            name: None,
            qualified_name: None,
            chunk_id: ChunkId::default(),
            parent: None,
            related_hits: Vec::new(),
            snippet: String::new(),
            snippet_line: None,
            signals: Signals { cosine: Some(cosine), ..Signals::default() },
        };
        SearchResponse {
            query: String::new(),
            class: QueryClass::Natural,
            words: Vec::new(),
            took_ms: 1.0,
            strategy: Strategy::Rrf,
            available: Vec::new(),
            degraded: vec!["less".to_owned()],
            corrections: Vec::new(),
            results: hits.iter().enumerate().map(hit).collect(),
        }
    }

    #[test]
    fn the_best_matching_index_comes_first_and_keeps_its_order() {
        let both = vec![response(&[(9.0, 0.2), (8.0, 0.1)]), response(&[(1.0, 0.8), (0.5, 0.9)])];
        let (merged, index_of_result) = merge_responses(both, 3).unwrap();
        assert_eq!(index_of_result, [1, 1, 0]);
        assert_eq!(merged.results.iter().map(|hit| hit.rank).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(merged.results.is_sorted_by(|a, b| a.score >= b.score));
        assert_eq!((merged.degraded.len(), merged.took_ms > 1.5), (1, true));
    }

    #[test]
    fn a_single_index_is_unchanged() {
        let (merged, index_of_result) = merge_responses(vec![response(&[(9.0, 0.2), (8.0, 0.3)])], 5).unwrap();
        assert_eq!(merged.results.iter().map(|hit| hit.score).collect::<Vec<_>>(), [9.0, 8.0]);
        assert_eq!(index_of_result, [0, 0]);
        assert!(merge_responses(Vec::new(), 5).is_none());
    }
}

//! Merges the responses of several indexes to one request.
//!
//! Scores begin with the probability that the query is about an index, so they can be compared with those of another
//! one. The results of an index keep their order.

use super::response::{Hit, SearchResponse};

/// Merges the responses of several indexes to the same request. Returns the response with at most `limit` results, and
/// the position of the index of each result; `None` if there is no response.
pub fn merge_responses(responses: Vec<SearchResponse>, limit: usize) -> Option<(SearchResponse, Vec<usize>)> {
    let mut all: Vec<(usize, Hit)> = Vec::new();
    let mut merged: Option<SearchResponse> = None;
    for (n, mut response) in responses.into_iter().enumerate() {
        all.extend(std::mem::take(&mut response.results).into_iter().map(|hit| (n, hit)));
        if let Some(merged) = &mut merged {
            merged.took_ms += response.took_ms;
            merged.fit = merged.fit.max(response.fit);
            merged.fits |= response.fits;
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
    all.sort_by(|(m, a), (n, b)| b.score.total_cmp(&a.score).then(a.rank.cmp(&b.rank)).then(m.cmp(n)));
    all.truncate(limit);
    let mut index_of_result = Vec::new();
    for (rank, (n, hit)) in all.into_iter().enumerate() {
        index_of_result.push(n);
        merged.results.push(Hit { rank: rank + 1, ..hit });
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

    fn response(scores: &[f32]) -> SearchResponse {
        let hit = |(at, &score): (usize, &f32)| Hit {
            rank: at + 1,
            score,
            reason: String::new(),
            repo: String::new(),
            path: String::new(),
            start_line: 1,
            end_line: 1,
            language: String::new(),
            kind: Kind::Function,
            name: None,
            qualified_name: None,
            chunk_id: ChunkId::default(),
            key: String::new(),
            parent: None,
            summary: None,
            related_hits: Vec::new(),
            block: None,
            snippet: String::new(),
            snippet_line: None,
            signals: Signals::default(),
        };
        SearchResponse {
            query: String::new(),
            class: QueryClass::Natural,
            fit: scores.first().copied().unwrap_or(0.0),
            fits: !scores.is_empty(),
            words: Vec::new(),
            took_ms: 1.0,
            strategy: Strategy::Rrf,
            available: Vec::new(),
            degraded: vec!["less".to_owned()],
            corrections: Vec::new(),
            results: scores.iter().enumerate().map(hit).collect(),
        }
    }

    #[test]
    fn the_best_matching_index_comes_first_and_keeps_its_order() {
        let both = vec![response(&[0.3, 0.2]), response(&[0.9, 0.4])];
        let (merged, index_of_result) = merge_responses(both, 3).unwrap();
        assert_eq!(index_of_result, [1, 1, 0]);
        assert_eq!(merged.results.iter().map(|hit| hit.rank).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(merged.results.is_sorted_by(|a, b| a.score >= b.score));
        assert_eq!((merged.degraded.len(), merged.took_ms > 1.5, merged.fit), (1, true, 0.9));
    }

    #[test]
    fn a_single_index_is_unchanged() {
        let (merged, index_of_result) = merge_responses(vec![response(&[0.9, 0.8])], 5).unwrap();
        assert_eq!(merged.results.iter().map(|hit| hit.score).collect::<Vec<_>>(), [0.9, 0.8]);
        assert_eq!(index_of_result, [0, 0]);
        assert!(merge_responses(Vec::new(), 5).is_none());
    }
}

//! Quality measures of a ranking, from the ranks of its relevant results. Pure functions.

/// Normalised discounted cumulative gain at `k` for binary relevance, 0 to 1 (Järvelin and Kekäläinen 2002). `ranks` are
/// those of the relevant results, from 1; `relevant` is the number of all relevant items.
#[must_use]
pub fn ndcg(ranks: &[usize], relevant: usize, k: usize) -> f64 {
    let gain = |rank: usize| 1.0 / ((rank + 1) as f64).log2();
    let best: f64 = (1..=relevant.min(k)).map(gain).sum();
    let found: f64 = ranks.iter().filter(|&&rank| rank <= k).map(|&rank| gain(rank)).sum();
    if best > 0.0 { found / best } else { 0.0 }
}

/// One over the rank of the first relevant result; 0 if there is none.
#[must_use]
pub fn reciprocal_rank(ranks: &[usize]) -> f64 {
    ranks.iter().min().map_or(0.0, |&rank| 1.0 / rank as f64)
}

/// The share of the relevant items that are among the first `k` results, 0 to 1.
#[must_use]
pub fn recall(ranks: &[usize], relevant: usize, k: usize) -> f64 {
    if relevant == 0 {
        return 0.0;
    }
    ranks.iter().filter(|&&rank| rank <= k).count() as f64 / relevant as f64
}

/// The mean; `None` for no values.
#[must_use]
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The value that a `share` (0 to 1) of all values does not exceed, by nearest rank; `None` for no values.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rank within the list")]
pub fn percentile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_have_their_known_values() {
        assert!((ndcg(&[1], 1, 10) - 1.0).abs() < 1e-9);
        assert!((ndcg(&[2], 1, 10) - 0.630_929_753).abs() < 1e-6);
        assert!((ndcg(&[1, 3], 2, 10) - 1.5 / 1.630_929_753).abs() < 1e-6);
        assert_eq!((ndcg(&[11], 1, 10), ndcg(&[], 0, 10)), (0.0, 0.0));
        assert_eq!((reciprocal_rank(&[4, 2]), reciprocal_rank(&[])), (0.5, 0.0));
        assert_eq!((recall(&[1, 12], 2, 10), recall(&[], 0, 10)), (0.5, 0.0));
        assert_eq!((percentile(&[3.0, 1.0, 2.0], 0.5), percentile(&[3.0, 1.0, 2.0], 0.99)), (Some(2.0), Some(3.0)));
        assert_eq!((percentile(&[], 0.5), mean(&[])), (None, None));
    }
}

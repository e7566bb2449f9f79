//! How likely it is that a query is about an index at all: the unit of scores.
//!
//! Ranking orders what an index has, and its numbers mean nothing outside of one answer. The words that the best files
//! contain and the cosine of the best chunks do: a logistic regression over these two tells questions about a code base
//! from questions about another one. docs/lab/agents.md describes the data and what it reaches.

use crate::weights::FitWeights;

/// What the best results share with the query.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FitEvidence {
    /// The largest share of the query's words that one of the best files contains, weighted by rarity, 0 to 1.
    pub coverage: f32,
    /// The largest cosine of the candidates in the best files; `None` without vectors.
    pub cosine: Option<f32>,
    /// How the best results are named in the query.
    pub name: NameEvidence,
}

/// How results are named in a query, the weakest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameEvidence {
    /// The query is a name that nothing has.
    Unknown,
    /// The query is not a name.
    #[default]
    None,
    /// By a name that begins like one of theirs, or differs from it in a letter or two.
    Similar,
    /// By their name.
    Name,
    /// By their name with its owner, or by their path.
    Qualified,
}

/// Returns the probability, 0 to 1, that a query is about the index rather than about another code base, if both are
/// equally likely.
#[must_use]
pub fn fit(evidence: &FitEvidence, weights: &FitWeights) -> f32 {
    let log_odds = match evidence.cosine {
        Some(cosine) => weights.fit_base + weights.fit_coverage * evidence.coverage + weights.fit_cosine * cosine,
        None => weights.fit_base_text + weights.fit_coverage_text * evidence.coverage,
    };
    let is_by_meaning_alone = evidence.cosine.is_some() && evidence.coverage <= 0.0;
    let by_words = 1.0 / (1.0 + (-log_odds).exp()) * if is_by_meaning_alone { weights.fit_no_words } else { 1.0 };
    let by_name = match evidence.name {
        NameEvidence::Unknown => return (by_words * weights.fit_unknown_name).clamp(0.0, 1.0),
        NameEvidence::None => 0.0,
        NameEvidence::Similar => weights.fit_similar_name,
        NameEvidence::Name => weights.fit_name,
        NameEvidence::Qualified => weights.fit_qualified_name,
    };
    by_words.max(by_name).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::Weights;

    #[test]
    fn more_evidence_fits_better() {
        let fit = |coverage, cosine, name| fit(&FitEvidence { coverage, cosine, name }, &Weights::STANDARD.fit);
        assert!(fit(0.0, Some(0.2), NameEvidence::None) < 0.05);
        assert!(fit(0.8, Some(0.6), NameEvidence::None) > 0.9);
        assert!(fit(0.01, Some(0.6), NameEvidence::None) > 2.0 * fit(0.0, Some(0.6), NameEvidence::None));
        assert!(fit(0.0, None, NameEvidence::None) < 0.1 && fit(1.0, None, NameEvidence::None) > 0.9);
        let by_name = [
            NameEvidence::Unknown,
            NameEvidence::None,
            NameEvidence::Similar,
            NameEvidence::Name,
            NameEvidence::Qualified,
        ];
        assert!(by_name.map(|name| fit(0.0, Some(0.0), name)).is_sorted());
    }
}

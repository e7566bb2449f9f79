//! The result of resolving a reference, and lists of candidates.

use sextant_format::ids::SymbolId;
use std::ops::Deref;
use std::rc::Rc;

use sextant_format::kinds::Tier;
use smallvec::{Array, SmallVec};

use crate::confidence;

/// With more candidates than this, a reference is unresolved instead of ambiguous.
pub(crate) const MAX_CANDIDATES: usize = 6;

/// The targets of one reference, and how they were found.
pub(crate) struct Resolution {
    pub(crate) tier: Tier,
    pub(crate) confidence: f32,
    pub(crate) targets: SymbolIds,
}

/// A small set of symbols.
pub(crate) type SymbolIds = SmallVec<[SymbolId; 4]>;

impl Resolution {
    /// A single target.
    pub(crate) fn single(tier: Tier, confidence: f32, target: SymbolId) -> Self {
        Self { tier, confidence, targets: SymbolIds::from_slice(&[target]) }
    }

    /// No target.
    pub(crate) fn unresolved() -> Self {
        Self { tier: Tier::Unresolved, confidence: 0.0, targets: SymbolIds::new() }
    }
}

/// Definitions that a reference may refer to; those of common names are shared with the cache.
pub(crate) enum Candidates {
    Owned(SmallVec<[SymbolId; 8]>),
    Shared(Rc<[SymbolId]>),
}

impl Deref for Candidates {
    type Target = [SymbolId];

    fn deref(&self) -> &[SymbolId] {
        match self {
            Self::Owned(ids) => ids,
            Self::Shared(ids) => ids,
        }
    }
}

/// Removes all but the preferred candidates, if any is preferred.
pub(crate) fn retain_preferred<A: Array<Item = SymbolId>>(
    candidates: &mut SmallVec<A>,
    preferred: impl Fn(SymbolId) -> bool,
) {
    if candidates.len() > 1 && candidates.iter().any(|&id| preferred(id)) {
        candidates.retain(|id| preferred(*id));
    }
}

/// A resolution to all candidates, which share the confidence; `None` if there are none or more than
/// [`MAX_CANDIDATES`].
pub(crate) fn ambiguous(candidates: &[SymbolId]) -> Option<Resolution> {
    (1..=MAX_CANDIDATES).contains(&candidates.len()).then(|| Resolution {
        tier: Tier::Ambiguous,
        confidence: confidence::AMBIGUOUS / candidates.len() as f32,
        targets: candidates.into(),
    })
}

//! What a use was resolved to, and the lists on the way there.

use std::ops::Deref;
use std::rc::Rc;

use sextant_format::kinds::Tier;
use smallvec::{Array, SmallVec};

use super::{MAX_CANDIDATES, confidence};

/// What one reference was resolved to.
pub(super) struct Resolution {
    pub(super) tier: Tier,
    pub(super) confidence: f32,
    pub(super) targets: SymbolIds,
}

/// Symbols, few as a rule.
pub(super) type SymbolIds = SmallVec<[u32; 4]>;

impl Resolution {
    /// One definition.
    pub(super) fn single(tier: Tier, confidence: f32, target: u32) -> Self {
        Self { tier, confidence, targets: SymbolIds::from_slice(&[target]) }
    }

    /// Nothing here.
    pub(super) fn unresolved() -> Self {
        Self { tier: Tier::Unresolved, confidence: 0.0, targets: SymbolIds::new() }
    }
}

/// Definitions that a use may mean; those of common names are shared.
pub(super) enum Candidates {
    Owned(SmallVec<[u32; 8]>),
    Shared(Rc<[u32]>),
}

impl Deref for Candidates {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        match self {
            Self::Owned(ids) => ids,
            Self::Shared(ids) => ids,
        }
    }
}

/// Keeps what is preferred, where there is any.
pub(super) fn retain_preferred<A: Array<Item = u32>>(candidates: &mut SmallVec<A>, preferred: impl Fn(u32) -> bool) {
    if candidates.len() > 1 && candidates.iter().any(|&id| preferred(id)) {
        candidates.retain(|id| preferred(*id));
    }
}

pub(super) fn ambiguous(candidates: &[u32]) -> Option<Resolution> {
    (1..=MAX_CANDIDATES).contains(&candidates.len()).then(|| Resolution {
        tier: Tier::Ambiguous,
        confidence: confidence::AMBIGUOUS / candidates.len() as f32,
        targets: candidates.into(),
    })
}

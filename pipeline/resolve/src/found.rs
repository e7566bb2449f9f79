//! What a use was resolved to, and the lists on the way there.

use std::ops::Deref;
use std::rc::Rc;

use sextant_format::kinds::Tier;
use smallvec::{Array, SmallVec};

use super::{MAX_CANDIDATES, confidence};

/// What one reference was resolved to.
pub(super) struct Found {
    pub(super) tier: Tier,
    pub(super) confidence: f32,
    pub(super) targets: Ids,
}

/// Symbols, few as a rule.
pub(super) type Ids = SmallVec<[u32; 4]>;

impl Found {
    /// One definition.
    pub(super) fn one(tier: Tier, confidence: f32, target: u32) -> Self {
        Self { tier, confidence, targets: Ids::from_slice(&[target]) }
    }

    /// Nothing here.
    pub(super) const fn nothing() -> Self {
        Self { tier: Tier::Unresolved, confidence: 0.0, targets: Ids::new_const() }
    }
}

/// Definitions that a use may mean; those of common names are shared.
pub(super) enum Meant {
    Few(SmallVec<[u32; 8]>),
    Many(Rc<[u32]>),
}

impl Deref for Meant {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        match self {
            Self::Few(ids) => ids,
            Self::Many(ids) => ids,
        }
    }
}

/// Keeps what is preferred, where there is any.
pub(super) fn prefer<A: Array<Item = u32>>(candidates: &mut SmallVec<A>, preferred: impl Fn(u32) -> bool) {
    if candidates.len() > 1 && candidates.iter().any(|&id| preferred(id)) {
        candidates.retain(|id| preferred(*id));
    }
}

pub(super) fn ambiguous(candidates: &[u32]) -> Option<Found> {
    (1..=MAX_CANDIDATES).contains(&candidates.len()).then(|| Found {
        tier: Tier::Ambiguous,
        confidence: confidence::AMBIGUOUS / candidates.len() as f32,
        targets: candidates.into(),
    })
}

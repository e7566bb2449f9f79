//! What was found out while the uses of one file are resolved, and of names that many share, for all files.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::members::BaseTypes;
use super::target_class::TargetClass;
use super::typing::CachedValues;

/// What was found out before.
#[derive(Default)]
pub(super) struct ResolverCache {
    /// By the first hint of what is said of something.
    pub(super) fact_values: RefCell<FxHashMap<usize, CachedValues>>,
    /// By scope, receiver, and whether the receiver is a variable although it reads like a keyword.
    pub(super) receivers: RefCell<FxHashMap<(u32, u32, bool), CachedValues>>,
    /// By type.
    pub(super) bases: RefCell<FxHashMap<u32, BaseTypes>>,
    /// Definitions that many uses may mean, by everything that decides them; these hold for every file.
    pub(super) candidates: RefCell<FxHashMap<CandidateKey, Rc<[u32]>>>,
    pub(super) steps: Cell<u32>,
}

/// What decides which definitions a name may mean: repository and language family, the name, the use.
pub(super) type CandidateKey = (u32, u32, UseKey);

/// What of a use decides which definitions it may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum UseKey {
    /// A use of this kind.
    Any(TargetClass),
    /// Of a value rather than of a type, where both have the name.
    PreferValue(TargetClass),
    /// Of a reference.
    Reference {
        /// The kind.
        target_class: TargetClass,
        /// Whether a definition comes before its declarations.
        prefers_body: bool,
        /// Whether it is in test code.
        is_test: bool,
        /// Whether members are left out.
        excludes_members: bool,
    },
}

impl ResolverCache {
    /// Begins a question.
    pub(super) fn reset_steps(&self) {
        self.steps.set(0);
    }

    /// Forgets everything that was found out for one file.
    pub(super) fn clear_file(&self) {
        self.fact_values.borrow_mut().clear();
        self.receivers.borrow_mut().clear();
        self.bases.borrow_mut().clear();
    }
}

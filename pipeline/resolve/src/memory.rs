//! What was found out while the uses of one file are resolved, and of names that many share, for all files.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::fits::Fits;
use super::members::Bases;
use super::typing::Values;

/// What was found out before.
#[derive(Default)]
pub(super) struct Memory {
    /// By the first hint of what is said of something.
    pub(super) hints: RefCell<FxHashMap<usize, Values>>,
    /// By scope and receiver.
    pub(super) receivers: RefCell<FxHashMap<(u32, u32), Values>>,
    /// By type.
    pub(super) bases: RefCell<FxHashMap<u32, Bases>>,
    /// Definitions that many uses may mean, by everything that decides them; these hold for every file.
    pub(super) meant: RefCell<FxHashMap<Meaning, Rc<[u32]>>>,
    pub(super) steps: Cell<u32>,
}

/// What decides which definitions a name may mean: repository and language family, the name, the use.
pub(super) type Meaning = (u32, u32, Use);

/// What of a use decides which definitions it may mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Use {
    /// A use of this kind.
    Plain(Fits),
    /// Of a value rather than of a type, where both have the name.
    Value(Fits),
    /// Of a reference.
    Reference {
        /// The kind.
        fits: Fits,
        /// Whether a definition comes before its declarations.
        prefers_body: bool,
        /// Whether it is in test code.
        is_test: bool,
        /// Whether members are left out.
        is_bare: bool,
    },
}

impl Memory {
    /// Begins a question.
    pub(super) fn begin(&self) {
        self.steps.set(0);
    }

    /// Forgets everything that was found out for one file.
    pub(super) fn forget(&self) {
        self.hints.borrow_mut().clear();
        self.receivers.borrow_mut().clear();
        self.bases.borrow_mut().clear();
    }
}

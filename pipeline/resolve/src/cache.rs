//! Memoised lookups of one worker thread: of the current file, and, for common names, of all files.

use crate::fingerprint;
use crate::interner::NameId;
use crate::raw_reference::MemberForm;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::included_files::IncludedFiles;
use crate::reads::{Questions, Reads};
use crate::served::CachedEndpoints;
use crate::value::{BaseTypes, CachedValues};

/// The type of each name in a file, with what was asked for it.
type NamedTypes = FxHashMap<(FileId, NameId), (Option<SymbolId>, Questions)>;

/// Steps after which the evaluation of one expression is given up.
const MAX_STEPS: u32 = 400;

/// Results of earlier lookups.
#[derive(Default)]
pub(crate) struct ResolverCache {
    /// Values by the index of a name's first type fact.
    pub(crate) fact_values: RefCell<FxHashMap<usize, CachedValues>>,
    /// The facts that are being evaluated, by the same index.
    pub(crate) open_facts: RefCell<FxHashSet<usize>>,
    /// Values by scope, receiver, and whether the receiver is a variable although it reads like a keyword.
    pub(crate) receivers: RefCell<FxHashMap<ReceiverKey, CachedValues>>,
    /// Objects whose members the file that is resolved imports, by the symbol that contains the import and its text.
    pub(crate) imported: RefCell<FxHashMap<(SymbolId, NameId), CachedValues>>,
    /// Main definitions of types that several places open, by the file that uses them and by all of these definitions.
    pub(crate) opened: RefCell<FxHashMap<FileId, MainDefinitions>>,
    /// Bases by type.
    pub(crate) bases: RefCell<FxHashMap<SymbolId, BaseTypes>>,
    /// Types by the file that names them and their name; valid for every file.
    pub(crate) named_types: RefCell<NamedTypes>,
    /// Candidates by everything that they depend on; valid for every file.
    pub(crate) candidates: RefCell<FxHashMap<CandidateKey, Rc<[SymbolId]>>>,
    /// Whether a name has a definition of a kind with a body; valid for every file.
    bodies: RefCell<FxHashMap<(NameId, Kind), bool>>,
    /// What the file that is resolved includes.
    pub(crate) included: RefCell<IncludedFiles>,
    /// The endpoints of all files; valid for every file.
    pub(crate) endpoints: RefCell<CachedEndpoints>,
    /// What the file that is resolved asked about others.
    pub(crate) reads: Reads,
    /// Names that the file looks up and no file contains, with their fingerprints.
    unknown_names: RefCell<IndexMap<Box<str>, u64>>,
    steps: Cell<u32>,
    /// Whether the path of an import is being evaluated.
    pub(crate) is_import_open: Cell<bool>,
}

/// The main one of several definitions, if they define one thing.
pub(crate) type MainDefinitions = FxHashMap<Box<[SymbolId]>, Option<SymbolId>>;

/// A receiver: its scope, its text, and whether it is a variable.
pub(crate) type ReceiverKey = (SymbolId, Option<NameId>, bool);

/// The candidates of a name depend on: linkage group, language (a group may have several), name, kind of use.
pub(crate) type CandidateKey = (u32, Option<&'static str>, NameId, UseKey);

/// The properties of a use on which its candidates depend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum UseKey {
    /// Any use of this kind.
    Any(EdgeKind),
    /// A use of this kind for which a value precedes a type of the same name.
    PreferValue(EdgeKind),
    /// A reference.
    Reference {
        kind: EdgeKind,
        /// Whether a definition precedes its declarations.
        prefers_body: bool,
        /// Whether it is in test code.
        is_test: bool,
        /// Whether members are left out.
        excludes_members: bool,
        /// How a member is used.
        form: MemberForm,
    },
}

impl ResolverCache {
    /// Whether the facts of which this is the first are being evaluated.
    pub(crate) fn is_being_evaluated(&self, at: usize) -> bool {
        self.open_facts.borrow().contains(&at)
    }

    /// The id of a name that is none of `known` names.
    pub(crate) fn unknown_name(&self, known: usize, text: &str) -> NameId {
        let mut unknown = self.unknown_names.borrow_mut();
        let at = unknown.get_index_of(text);
        NameId::new(known + at.unwrap_or_else(|| unknown.insert_full(text.into(), fingerprint::of_text(text)).0))
    }

    /// The fingerprint of the `n`th of these names.
    pub(crate) fn fingerprint_of_unknown(&self, n: usize) -> u64 {
        self.unknown_names.borrow().get_index(n).map_or(0, |(_, fingerprint)| *fingerprint)
    }

    /// Whether a name has a definition of a kind with a body, as `compute` says.
    pub(crate) fn has_body(&self, name: NameId, kind: Kind, compute: impl FnOnce() -> bool) -> bool {
        *self.bodies.borrow_mut().entry((name, kind)).or_insert_with(compute)
    }

    /// Begins the evaluation of an expression.
    pub(crate) fn reset_steps(&self) {
        self.steps.set(0);
    }

    /// Counts a step of the evaluation. Returns false if there were too many.
    pub(crate) fn take_step(&self) -> bool {
        self.steps.set(self.steps.get().saturating_add(1));
        !self.is_budget_exhausted()
    }

    /// Whether the evaluation was given up, so that its result is incomplete and must not be cached.
    pub(crate) fn is_budget_exhausted(&self) -> bool {
        self.steps.get() > MAX_STEPS
    }

    /// Begins a file: forgets everything that is valid for another one only.
    pub(crate) fn begin_file(&self, file: FileId) {
        self.fact_values.borrow_mut().clear();
        self.receivers.borrow_mut().clear();
        self.imported.borrow_mut().clear();
        self.opened.borrow_mut().clear();
        self.bases.borrow_mut().clear();
        self.included.borrow_mut().begin(file);
        self.reads.begin(file);
        self.unknown_names.borrow_mut().clear();
    }
}

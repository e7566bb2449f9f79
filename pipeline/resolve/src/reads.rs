//! What the resolution of one file asked about others: keys of everything that it looked up.
//!
//! Must not know how an answer is found. A key is 32 bits of a fingerprint: two questions that share one only cause work.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use sextant_format::ids::FileId;

use crate::classes::Classes;
use crate::fingerprint;

/// The hash of a name in keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct NameHash(u32);

impl NameHash {
    /// Of the fingerprint of a name.
    pub(crate) const fn new(name: u64) -> Self {
        Self((fingerprint::mix(0, name) >> 32) as u32)
    }
}

/// What can be asked of other files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key(pub(crate) u32);

impl Key {
    /// The symbols of a name whose kinds are of some classes.
    pub(crate) const fn named(name: NameHash, classes: Classes) -> Self {
        Self::new(1, name.0 as u64, classes.bits() as u64)
    }

    /// The symbols of a name in a file.
    pub(crate) const fn in_file(name: NameHash, file: u64) -> Self {
        Self::new(2, name.0 as u64, file)
    }

    /// The symbols of a name in a folder, package or namespace.
    pub(crate) const fn in_folder(name: NameHash, folder: u64) -> Self {
        Self::new(3, name.0 as u64, folder)
    }

    /// The symbols of a name in files that have a name as modules.
    pub(crate) const fn in_module(name: NameHash, module: u64) -> Self {
        Self::new(4, name.0 as u64, module)
    }

    /// The symbols of a name whose owner has this name.
    pub(crate) const fn member(name: NameHash, owner: NameHash) -> Self {
        Self::new(5, name.0 as u64, owner.0 as u64)
    }

    /// Those of them that are not inside of a type.
    pub(crate) const fn outside_of_types(name: NameHash, owner: NameHash) -> Self {
        Self::new(6, name.0 as u64, owner.0 as u64)
    }

    /// The symbols of a name and of one class that have a body, or that have none.
    pub(crate) const fn with_body(name: NameHash, class: Classes, has_body: bool) -> Self {
        Self::new(if has_body { 7 } else { 8 }, name.0 as u64, class.bits() as u64)
    }

    /// Whether a group of files has more functions of a name than a list of candidates may have.
    pub(crate) const fn is_common(name: NameHash, group: u64) -> Self {
        Self::new(9, name.0 as u64, group)
    }

    /// The bases of the types of a name, as they are written in the file that defines them.
    pub(crate) const fn bases(name: NameHash, file: u64) -> Self {
        Self::new(15, name.0 as u64, file)
    }

    /// The bases that types of a name get outside of their definition; where definitions add up, those of each of them.
    pub(crate) const fn bases_elsewhere(name: NameHash) -> Self {
        Self::new(16, name.0 as u64, 0)
    }

    /// The functions that types of a name leave to others.
    pub(crate) const fn left_to_others(name: NameHash) -> Self {
        Self::new(10, name.0 as u64, 0)
    }

    /// The type facts about a name in a file.
    pub(crate) const fn fact(file: u64, name: u64) -> Self {
        Self::new(11, file, name)
    }

    /// The imports of a file.
    pub(crate) const fn imports(file: u64) -> Self {
        Self::new(12, file, 0)
    }

    /// Whether types of a name have extensions.
    pub(crate) const fn extensions(name: NameHash) -> Self {
        Self::new(13, name.0 as u64, 0)
    }

    /// All endpoints that files serve.
    pub(crate) const fn endpoints() -> Self {
        Self::new(14, 0, 0)
    }

    const fn new(tag: u64, a: u64, b: u64) -> Self {
        let hash = fingerprint::mix(fingerprint::mix(fingerprint::mix(0, tag), a), b);
        Self((hash >> 32) as u32)
    }
}

/// The questions of the file that is being resolved.
#[derive(Default)]
pub(crate) struct Reads {
    file: Cell<FileId>,
    keys: RefCell<FxHashSet<Key>>,
    /// Whether modules were looked up by names that no import has.
    asked_modules: Cell<bool>,
}

/// The questions behind one answer.
#[derive(Clone)]
pub(crate) struct Questions {
    keys: Rc<[Key]>,
    asked_modules: bool,
}

impl Reads {
    /// Begins a file.
    pub(crate) fn begin(&self, file: FileId) {
        self.file.set(file);
        self.keys.borrow_mut().clear();
        self.asked_modules.set(false);
    }

    /// The file that is being resolved.
    pub(crate) fn file(&self) -> FileId {
        self.file.get()
    }

    pub(crate) fn ask(&self, key: Key) {
        self.keys.borrow_mut().insert(key);
    }

    pub(crate) fn ask_modules(&self) {
        self.asked_modules.set(true);
    }

    /// Computes an answer that may be used for other files, with the questions behind it.
    pub(crate) fn record<T>(&self, compute: impl FnOnce() -> T) -> (T, Questions) {
        let outer = self.keys.take();
        // The file itself is another one where the answer is used again.
        let file = self.file.replace(FileId::new(u32::MAX));
        let asked_before = self.asked_modules.replace(false);
        let found = compute();
        let keys: Rc<[Key]> = self.keys.borrow().iter().copied().collect();
        let questions = Questions { keys, asked_modules: self.asked_modules.get() };
        self.file.set(file);
        self.keys.borrow_mut().extend(outer);
        self.asked_modules.set(asked_before || questions.asked_modules);
        (found, questions)
    }

    /// Asks what an earlier answer asked.
    pub(crate) fn repeat(&self, questions: &Questions) {
        self.keys.borrow_mut().extend(questions.keys.iter());
        self.asked_modules.set(self.asked_modules.get() || questions.asked_modules);
    }

    /// The questions of the file, in ascending order, and whether it asked for modules.
    pub(crate) fn finish(&self) -> (Vec<u32>, bool) {
        let mut keys: Vec<u32> = self.keys.borrow().iter().map(|key| key.0).collect();
        keys.sort_unstable();
        (keys, self.asked_modules.get())
    }
}

//! Compares two trees: which files were added or changed, and which were renamed without a change.

use gix_diff::tree::{Recorder, State, Visit, recorder::Change, visit};
use gix_hash::ObjectId;
use gix_object::bstr::{BStr, BString};
use gix_object::{FindExt as _, TreeRefIter};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Entries of trees that one comparison may report. Trees may be nested so that they have more entries than any
/// memory; a commit of more says nothing about a file.
const MAX_ENTRIES: usize = 100_000;

/// What a commit changed. Paths are relative to the folder, under the names after the commit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Changes {
    /// Files that were added, changed or renamed.
    pub(crate) paths: Vec<String>,
    /// Files that were renamed and nothing else: the names before and after.
    pub(crate) renames: Vec<(String, String)>,
}

/// Records changes, up to a number.
struct Bounded(Recorder);

impl Visit for Bounded {
    fn pop_front_tracked_path_and_set_current(&mut self) {
        self.0.pop_front_tracked_path_and_set_current();
    }

    fn push_back_tracked_path_component(&mut self, component: &BStr) {
        self.0.push_back_tracked_path_component(component);
    }

    fn push_path_component(&mut self, component: &BStr) {
        self.0.push_path_component(component);
    }

    fn pop_path_component(&mut self) {
        self.0.pop_path_component();
    }

    fn visit(&mut self, change: visit::Change) -> visit::Action {
        if self.0.records.len() >= MAX_ENTRIES { visit::Action::Break(()) } else { self.0.visit(change) }
    }
}

/// The changes from one tree to another; none if one of them cannot be read, or if they are too many.
pub(crate) fn between(objects: &gix_odb::Handle, before: Option<ObjectId>, after: Option<ObjectId>) -> Option<Changes> {
    if before == after {
        return Some(Changes::default());
    }
    let (mut old, mut new) = (Vec::new(), Vec::new());
    let before = match before {
        Some(tree) => objects.find_tree_iter(&tree, &mut old).ok()?,
        None => TreeRefIter::from_bytes(&[], after?.kind()),
    };
    let after = match after {
        Some(tree) => objects.find_tree_iter(&tree, &mut new).ok()?,
        None => return Some(Changes::default()),
    };
    let mut recorder = Bounded(Recorder::default());
    gix_diff::tree(before, after, State::default(), objects, &mut recorder).ok()?;
    Some(of_records(recorder.0.records))
}

fn of_records(records: Vec<Change>) -> Changes {
    let name = |path: BString| String::from_utf8(path.into()).ok();
    let mut changes = Changes::default();
    let mut added: Vec<(ObjectId, String)> = Vec::new();
    let mut removed: FxHashMap<ObjectId, Vec<String>> = FxHashMap::default();
    for record in records {
        match record {
            Change::Addition { entry_mode, oid, path, .. } if entry_mode.is_blob() => {
                added.extend(name(path).map(|path| (oid, path)));
            }
            Change::Deletion { entry_mode, oid, path, .. } if entry_mode.is_blob() => {
                removed.entry(oid).or_default().extend(name(path));
            }
            Change::Modification { entry_mode, path, .. } if entry_mode.is_blob() => changes.paths.extend(name(path)),
            _ => {}
        }
    }
    for (id, path) in added {
        // Of several equal files, each is renamed to one.
        if let Some(from) = removed.get_mut(&id).and_then(Vec::pop) {
            changes.renames.push((from, path.clone()));
        }
        changes.paths.push(path);
    }
    changes
}

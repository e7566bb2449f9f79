//! Visits commits from the newest to the oldest, and compares their trees.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::str::FromStr as _;

use gix_hash::ObjectId;
use gix_object::{CommitRef, Find, FindExt as _, Kind};
use rustc_hash::FxHashSet;

use crate::changes::{self, Changes};
use crate::model::{Checkout, Unreadable};

/// Commits that are visited at most. It bounds the time where few commits change the files that count.
pub(crate) const MAX_COMMITS: usize = 20_000;
/// The largest object that is read, in bytes: a folder with a million entries has some 40 MB.
const MAX_OBJECT_BYTES: usize = 64 << 20;
/// The longest list of a shallow clone's last commits, in bytes.
const MAX_SHALLOW_BYTES: u64 = 16 << 20;
/// The longest subject or name of an author, in bytes; longer ones are cut.
const MAX_TEXT_BYTES: usize = 300;

/// A commit that was visited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) id: ObjectId,
    pub(crate) time: u64,
    pub(crate) author: String,
    pub(crate) subject: String,
    tree: ObjectId,
    parents: Vec<ObjectId>,
}

impl Ord for Found {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.time, self.id).cmp(&(other.time, other.id))
    }
}

impl PartialOrd for Found {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Commits in the order of their times, newest first. Of equal times, the larger hash comes first, so the order
/// follows from the commit that is checked out.
pub(crate) struct Walk {
    objects: gix_odb::Handle,
    hash: gix_hash::Kind,
    pending: BinaryHeap<Found>,
    seen: FxHashSet<ObjectId>,
    /// Commits whose parents are not there.
    shallow: FxHashSet<ObjectId>,
    buffer: Vec<u8>,
}

impl Walk {
    /// Begins with the commit of a checkout.
    pub(crate) fn open(checkout: &Checkout) -> Result<Self, Unreadable> {
        let unreadable = |what: &dyn std::fmt::Display| Unreadable(what.to_string());
        let head = ObjectId::from_hex(checkout.commit.as_bytes()).map_err(|error| unreadable(&error))?;
        let options = gix_odb::store::init::Options { alloc_limit_bytes: Some(MAX_OBJECT_BYTES), ..Default::default() };
        let objects = gix_odb::at_opts(&checkout.objects, head.kind(), None, options).map_err(|e| unreadable(&e))?;
        let is_small = |found: &std::fs::Metadata| found.is_file() && found.len() <= MAX_SHALLOW_BYTES;
        let shallow = fs_err::metadata(&checkout.shallow).is_ok_and(|found| is_small(&found));
        let shallow =
            if shallow { fs_err::read_to_string(&checkout.shallow).unwrap_or_default() } else { String::new() };
        let mut walk = Self {
            objects,
            hash: head.kind(),
            pending: BinaryHeap::new(),
            seen: FxHashSet::default(),
            shallow: shallow.lines().filter_map(|line| ObjectId::from_str(line.trim()).ok()).collect(),
            buffer: Vec::new(),
        };
        walk.push(head).map_err(Unreadable)?;
        Ok(walk)
    }

    /// The next commit; none after the last one.
    ///
    /// # Errors
    /// One of its parents cannot be read.
    pub(crate) fn next(&mut self) -> Result<Option<Found>, String> {
        let Some(found) = self.pending.pop() else { return Ok(None) };
        if !self.shallow.contains(&found.id) {
            for parent in &found.parents {
                self.push(*parent)?;
            }
        }
        Ok(Some(found))
    }

    fn push(&mut self, id: ObjectId) -> Result<(), String> {
        if self.seen.insert(id) {
            let found = self.read(id)?;
            self.pending.push(found);
        }
        Ok(())
    }

    fn read(&mut self, id: ObjectId) -> Result<Found, String> {
        let data = self.objects.find(&id, &mut self.buffer).map_err(|error| format!("lacks commit {id}: {error}"))?;
        if data.kind != Kind::Commit {
            return Err(format!("has no commit {id}"));
        }
        let commit = CommitRef::from_bytes(data.data, self.hash);
        let commit = commit.map_err(|error| format!("has a damaged commit {id}: {error}"))?;
        let author = commit.author().map(|author| text(author.name)).unwrap_or_default();
        let time = commit.time().map(|time| time.seconds).unwrap_or_default();
        Ok(Found {
            id,
            time: u64::try_from(time).unwrap_or(0),
            author,
            subject: text(&commit.message().summary()),
            tree: commit.tree(),
            parents: commit.parents().collect(),
        })
    }

    /// What a commit changed in a folder. None of a merge, which says nothing that the commits before it do not, and
    /// where a tree cannot be read.
    pub(crate) fn changes(&mut self, commit: &Found, folder: &str) -> Option<Changes> {
        let before = match commit.parents.as_slice() {
            _ if self.shallow.contains(&commit.id) => return None,
            [] => None,
            // It was visited, and read, by now.
            [parent] => Some(self.tree_of(*parent)?),
            _ => return None,
        };
        let before = before.map(|tree| self.below(tree, folder)).unwrap_or_default();
        let after = self.below(Some(commit.tree), folder);
        changes::between(&self.objects, before, after)
    }

    fn tree_of(&mut self, commit: ObjectId) -> Option<Option<ObjectId>> {
        let data = self.objects.try_find(&commit, &mut self.buffer).ok()??;
        let commit = (data.kind == Kind::Commit).then(|| CommitRef::from_bytes(data.data, self.hash).ok())??;
        Some(Some(commit.tree()))
    }

    /// The tree of a folder below a tree.
    fn below(&mut self, tree: Option<ObjectId>, folder: &str) -> Option<ObjectId> {
        folder.split('/').filter(|part| !part.is_empty()).try_fold(tree?, |tree, part| {
            let mut entries = self.objects.find_tree_iter(&tree, &mut self.buffer).ok()?;
            let entry = entries.find(|entry| entry.as_ref().is_ok_and(|entry| entry.filename == part))?.ok()?;
            entry.mode.is_tree().then(|| entry.oid.to_owned())
        })
    }
}

/// A line of at most [`MAX_TEXT_BYTES`] bytes.
fn text(bytes: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(bytes).split_whitespace().collect::<Vec<_>>().join(" ");
    text.truncate(text.floor_char_boundary(MAX_TEXT_BYTES));
    text
}

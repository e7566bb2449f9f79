//! Which files are resolved again after an edit.

use sextant_format::ids::FileId;
use sextant_format::keys::ShortHash;
use sextant_format::tables::{BorrowedEdgeRow, ExternalRow};

use super::table_of;
use crate::{EdgeSink, Error, Result};

const PROJECT: &str = "\
//- a.py
from b import make
def use():
    return make().run()
//- b.py
from c import Thing
def make() -> Thing:
    return Thing()
//- c.py
class Thing:
    def run(self):
        return 1
//- d.py
def other():
    return len('d')
//- e.py
def last():
    return max(1, 2)
";

/// Keeps the edges of every file for which it is asked.
#[derive(Default)]
struct Kept(Vec<usize>);

impl EdgeSink<'_, Error> for Kept {
    fn push(&mut self, _: BorrowedEdgeRow<'_>, _: Option<ShortHash>) -> Result<()> {
        Ok(())
    }

    fn keep(&mut self, number: usize, _: FileId, _: &mut dyn FnMut(&ExternalRow) -> u32) -> Result<bool> {
        self.0.push(number);
        Ok(true)
    }
}

/// The paths of the files that need not be resolved after an edit of the project.
fn kept_after(from: &str, to: &str) -> Vec<&'static str> {
    let (mut before, _) = table_of(PROJECT);
    let readers = before.resolve(1, || false, None, &mut Vec::new()).unwrap().readers;
    assert!(PROJECT.contains(from));
    let (mut after, _) = table_of(&PROJECT.replacen(from, to, 1));
    let mut kept = Kept::default();
    let resolved = after.resolve(1, || false, Some(&readers), &mut kept).unwrap();
    assert_eq!(resolved.resolved_files + kept.0.len(), resolved.readers.len());
    kept.0.into_iter().map(|number| ["a", "b", "c", "d", "e"][number]).collect()
}

#[test]
fn files_are_resolved_again_if_they_asked_about_what_changed() {
    // Nothing, and what no other file sees.
    assert_eq!(kept_after("return 1", "return 1"), ["a", "b", "c", "d", "e"]);
    assert_eq!(kept_after("len('d')", "min('d')"), ["a", "b", "c", "e"]);
    // `a` asks for the members of the type that `make` returns.
    assert_eq!(kept_after("def run(self)", "def run(self, fast)"), ["b", "d", "e"]);
    assert_eq!(kept_after("def run", "def walk"), ["b", "d", "e"]);
    // `a` and `b` ask about `Thing`.
    assert_eq!(kept_after("class Thing", "class Thong"), ["d", "e"]);
    // Another definition of a name that `a` asks for, and `c` that defines it.
    assert_eq!(kept_after("def other", "def run"), ["b", "e"]);
}

#[test]
fn another_target_of_an_import_counts() {
    let (mut before, _) =
        table_of("//- pkg/a.py\nfrom b import f\nf()\n//- x/b.py\ndef f(): pass\n//- z/y.py\nz = 1\n");
    let readers = before.resolve(1, || false, None, &mut Vec::new()).unwrap().readers;
    let moved = "//- pkg/a.py\nfrom b import f\nf()\n//- pkg/b.py\n\n//- x/b.py\ndef f(): pass\n//- z/y.py\nz = 1\n";
    let (mut after, _) = table_of(moved);
    let mut kept = Kept::default();
    after.resolve(1, || false, Some(&readers), &mut kept).unwrap();
    assert_eq!(kept.0, [1, 2], "pkg/a.py imports another file now");
}

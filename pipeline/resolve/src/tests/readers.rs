//! Which files are resolved again after an edit, and that external symbols are those of a build from scratch.

use std::path::PathBuf;

use sextant_format::ids::{FileId, SymbolId};
use sextant_format::keys::{ShortHash, SymbolNames as _};
use sextant_format::kinds::Tier;
use sextant_format::tables::{BorrowedEdgeRow, ExternalRow};
use sextant_records::Records;

use super::table_of;
use crate::table::{FileContext, SymbolTable};
use crate::{EarlierEdges, EdgeSink, Error, Interfaces, Readers, ResolvedEdges, Result, StoredSymbols};

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

    fn can_keep(&self, _: FileId) -> bool {
        true
    }

    fn keep(&mut self, file: FileId, _: &[(Tier, u32)], _: bool) -> Result<()> {
        self.0.push(file.index());
        Ok(())
    }
}

/// What a build stores, as the next one reads it.
fn stored_of(table: &SymbolTable) -> StoredSymbols {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("symbols");
    table.store(fs_err::File::create(&path).unwrap()).unwrap();
    StoredSymbols::open(Records::open(&path, None).unwrap()).unwrap()
}

/// What the next build keeps of a build.
struct Earlier {
    dir: tempfile::TempDir,
    readers: Readers,
    interfaces: Interfaces,
    externals: Vec<ExternalRow>,
}

impl Earlier {
    fn new(build: &ResolvedEdges<'_>) -> Self {
        Self::after(build, None)
    }

    /// What is kept of a build that kept something of an earlier one.
    fn after(build: &ResolvedEdges<'_>, earlier: Option<&Self>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let parts =
            ["readers", "questions"].map(|name| [".base", ".update"].map(|end| dir.path().join(name.to_owned() + end)));
        let readers = earlier.map(|earlier| &earlier.readers);
        let is_update = build.readers.is_update(readers);
        for [base, _] in parts.iter().filter(|_| is_update) {
            fs_err::copy(earlier.unwrap().dir.path().join(base.file_name().unwrap()), base).unwrap();
        }
        let [out, questions] =
            parts.each_ref().map(|parts| fs_err::File::create(&parts[usize::from(is_update)]).unwrap());
        build.readers.store(readers, out, questions).unwrap();
        let open = |[base, update]: &[PathBuf; 2]| Records::open(base, update.exists().then_some(update)).unwrap();
        let readers = Readers::open(&open(&parts[0]), open(&parts[1])).unwrap();
        let (mut stored, mut now) = (stored_of(build.table), SymbolTable::default());
        now.begin_with(&mut stored);
        Self { dir, interfaces: readers.interfaces(&stored, &now), readers, externals: build.externals.clone() }
    }

    /// Bytes of the base and of the update, 0 without one.
    fn bytes(&self) -> [u64; 2] {
        let bytes =
            |end: &str| fs_err::metadata(self.dir.path().join(format!("readers.{end}"))).map_or(0, |found| found.len());
        ["base", "update"].map(bytes)
    }

    fn edges(&self) -> EarlierEdges<'_> {
        let Self { readers, interfaces, externals, .. } = self;
        EarlierEdges { readers, interfaces, externals, references: &|_| None }
    }
}

/// The paths of the files that need not be resolved after an edit of the project.
fn kept_after(from: &str, to: &str) -> Vec<&'static str> {
    let (mut before, _) = table_of(PROJECT);
    let before = before.resolve(1, || false, None, &mut Vec::new()).unwrap();
    assert!(PROJECT.contains(from));
    let (mut after, _) = table_of(&PROJECT.replacen(from, to, 1));
    let mut kept = Kept::default();
    let resolved = after.resolve(1, || false, Some(Earlier::new(&before).edges()), &mut kept).unwrap();
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
    // Another definition of the name of a member: `a` asks for that of `Thing`.
    assert_eq!(kept_after("def other", "def run"), ["a", "b", "c", "e"]);
}

#[test]
fn requests_depend_on_all_that_is_served() {
    let project = "//- ask.py\ndef load():\n    requests.get('http://shop/api/items/1')\n\
                   //- serve.py\nfrom views import one\napp.add_url_rule('/api/items/<id>', view_func=one)\n\
                   //- views.py\ndef one(): pass\n//- z.py\nz = 1\n//- z1.py\n//- z2.py\n";
    let kept_after = |from: &str, to: &str| {
        let (mut before, _) = table_of(project);
        let before = before.resolve(1, || false, None, &mut Vec::new()).unwrap();
        let (mut after, _) = table_of(&project.replacen(from, to, 1));
        let mut kept = Kept::default();
        after.resolve(1, || false, Some(Earlier::new(&before).edges()), &mut kept).unwrap();
        kept.0
    };
    assert_eq!(kept_after("z = 1", "def z(): pass"), [0, 1, 2, 4, 5]);
    // Another route, and another function behind the name of its handler.
    assert_eq!(kept_after("/api/items/<id>", "/api/things/<id>"), [2, 3, 4, 5]);
    assert_eq!(kept_after("def one", "def two"), [3, 4, 5]);
}

#[test]
fn bases_of_another_definition_of_a_type_count() {
    let project = "//- a.rb\nmodule Shop\n  def self.close; end\nend\n\
                   //- b.rb\nmodule Rules\n  def define; end\nend\n\
                   //- c.rb\nmodule Shop\n  1\nend\n\
                   //- use.rb\ndef run\n  Shop.define\nend\n//- z.rb\nz = 1\n//- z1.rb\nz1 = 1\n";
    let (mut before, _) = table_of(project);
    let before = before.resolve(1, || false, None, &mut Vec::new()).unwrap();
    let (mut after, _) = table_of(&project.replacen("  1", "  extend Rules", 1));
    let mut kept = Kept::default();
    after.resolve(1, || false, Some(Earlier::new(&before).edges()), &mut kept).unwrap();
    assert!(!kept.0.contains(&3) && kept.0.contains(&4), "{:?}", kept.0);
}

#[test]
fn another_target_of_an_import_counts() {
    let (mut before, _) =
        table_of("//- pkg/a.py\nfrom b import f\nf()\n//- x/b.py\ndef f(): pass\n//- z/y.py\nz = 1\n");
    let before = before.resolve(1, || false, None, &mut Vec::new()).unwrap();
    let moved = "//- pkg/a.py\nfrom b import f\nf()\n//- pkg/b.py\n\n//- x/b.py\ndef f(): pass\n//- z/y.py\nz = 1\n";
    let (mut after, _) = table_of(moved);
    let mut kept = Kept::default();
    after.resolve(1, || false, Some(Earlier::new(&before).edges()), &mut kept).unwrap();
    assert_eq!(kept.0, [2, 3], "pkg/a.py imports another file now");
}

#[test]
fn external_symbols_of_kept_files_are_counted() {
    // `a` reaches `os.path.join` through another module than `b`, and `c` no longer uses anything.
    let source = |last: &str| {
        format!(
            "//- a.py\nimport os.path\nos.path.join('a')\nos.path.join('b')\n\
             //- b.py\nfrom os.path import join\njoin('c')\nlen('d')\n//- c.py\n{last}\n\
             //- d.py\nmax(1)\n//- e.py\nmin(1)\n"
        )
    };
    let resolve = |text: &str, before: Option<&Earlier>| -> ResolvedEdges<'static> {
        let (table, _) = table_of(text);
        // The edges of a build borrow its table.
        let table = Box::leak(Box::new(table));
        table.resolve(1, || false, before.map(Earlier::edges), &mut Kept::default()).unwrap()
    };
    let first = resolve(&source("from os import path\npath.join('e')\nlen('f')"), None);
    let base = Earlier::new(&first);
    let second = resolve(&source("x = 1"), Some(&base));
    assert_eq!(second.resolved_files, 1);
    let rows = |build: &ResolvedEdges<'_>| {
        let mut rows: Vec<_> =
            build.externals.iter().map(|row| (row.name.clone(), row.module.clone(), row.uses)).collect();
        rows.sort();
        rows
    };
    let full = resolve(&source("x = 1"), None);
    assert_eq!(rows(&second), rows(&full));
    assert!(rows(&first).iter().map(|row| row.2).sum::<u32>() > rows(&full).iter().map(|row| row.2).sum());
    // What the next builds store are updates of the same base, with external symbols that it lacks.
    let mut earlier = Earlier::after(&second, Some(&base));
    for text in ["x = 1", "import re\nre.compile('x')", "import re\nre.match('y', 'z')", "len('f')"] {
        let text = source(text);
        let next = resolve(&text, Some(&earlier));
        assert_eq!(rows(&next), rows(&resolve(&text, None)));
        earlier = Earlier::after(&next, Some(&earlier));
        let [of_base, of_update] = earlier.bytes();
        assert!(of_base == base.bytes()[0] && (1..of_base).contains(&of_update), "{of_base} {of_update}");
    }
}

#[test]
fn a_table_from_stored_files_is_the_same() {
    let project = "//- a.py\nfrom b import make\nclass A(B):\n    def run(self, x: int = 1):\n        y = make()\n\
                   //- b.py\ndef make() -> int: ...\n//- c.cs\nnamespace N { class C { int F; } }\n";
    let edges = |stored: Option<StoredSymbols>| {
        let (mut table, _) = table_of(project);
        if let Some(mut stored) = stored {
            let mut again = SymbolTable::default();
            again.begin_with(&mut stored);
            let files: Vec<usize> = (0..table.files.len()).filter(|&file| stored.has(file)).collect();
            for file in files {
                let info = &table.files[file];
                let language = info.language.unwrap().name;
                let scope = FileContext { repo: info.repo, path: &info.path, language, is_test: info.is_test };
                let first = SymbolId::at(again.symbols.len());
                let one = stored.table().files().read(file).unwrap();
                again.add_stored(scope, first, &one, info.state.content).unwrap();
                assert_eq!(again.files.last().unwrap().state, info.state);
            }
            assert_eq!(again.files.len(), 2, "what namespaces contain is not stored");
            again.type_facts.sort(again.symbols.len());
            let interface = |table: &SymbolTable, file| table.interface_of(FileId::at(file));
            table.type_facts.sort(table.symbols.len());
            assert_eq!([0, 1].map(|file| interface(&again, file)), [0, 1].map(|file| interface(&table, file)));
            let names = |table: &SymbolTable| -> Vec<(String, Option<u32>)> {
                let containers = table.containers_from(SymbolId::new(0));
                (0..).map(SymbolId::new).map(|id| table.name_of(id).to_owned()).zip(containers).collect()
            };
            assert!(names(&table).starts_with(&names(&again)));
            return None;
        }
        Some(stored_of(table.resolve(1, || false, None, &mut Vec::new()).unwrap().table))
    };
    edges(edges(None));
}

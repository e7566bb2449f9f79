//! Edges: every reference records how it was resolved, and comments and strings have no references.

use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;

use crate::harness::Dir;
use crate::tables::Tables;

/// Asserts that the edges of a file of a fixture are exactly these.
#[track_caller]
fn check(fixture: &str, path: &str, expected: &[&str]) {
    let dir = Dir::with(fixture);
    dir.build(&["src", "--model", "none"]).code(0);
    dir.assert_whole();
    let found = Tables::open(&dir.index()).edges(path);
    assert_eq!(found, expected, "{found:#?}");
}

#[test]
fn each_tier_is_named() {
    check(
        "
//- /app.py
from lib import imported
import os

def local():
    pass

def use(thing):
    local()
    imported()
    thing.unique()
    doubled()
    os.getcwd()
//- /lib.py
def imported():
    pass
//- /other.py
class Other:
    def unique(self):
        pass

def doubled():
    pass
//- /third.py
def doubled():
    pass
",
        "app.py",
        &[
            "1 import imported -> lib.py imported (import)",
            "2 import os -> os (external)",
            "8 call local -> local (scope)",
            "9 call imported -> lib.py imported (import)",
            "10 call unique -> other.py Other.unique (ambiguous)",
            "11 call doubled -> other.py doubled (ambiguous)",
            "11 call doubled -> third.py doubled (ambiguous)",
            "12 call getcwd -> os.getcwd (external)",
        ],
    );
}

#[test]
fn methods_are_found_by_their_receivers() {
    check(
        "
//- /app.rs
struct Counter {
    n: u32,
}

impl Counter {
    fn new() -> Self {
        Self { n: 0 }
    }

    fn step(&mut self) {
        self.add(1);
    }

    fn add(&mut self, n: u32) {
        self.n += n;
    }
}

fn main() {
    let mut counter = Counter::new();
    counter.step();
}
//- /other.rs
struct Other;

impl Other {
    fn new() -> Self {
        Self
    }

    fn add(&mut self) {}
}
",
        "app.rs",
        &[
            "5 type Counter -> Counter (scope)",
            "7 reference n -> Counter::n (scope)",
            "11 call add -> Counter::add (scope)",
            "15 reference n -> Counter::n (scope)",
            "20 reference Counter -> Counter (scope)",
            "20 call new -> Counter::new (scope)",
            "21 call step -> Counter::step (receiver)",
        ],
    );
}

#[test]
fn inheritance_goes_to_the_base() {
    check(
        "
//- /Base.java
package shop;
public class Base {}
//- /Item.java
package shop;
public interface Item {}
//- /Book.java
package shop;
public class Book extends Base implements Item {
    Base other() {
        return new Base();
    }
}
",
        "Book.java",
        &[
            "2 inherit Base -> Base.java Base (package)",
            "2 implement Item -> Item.java Item (package)",
            "3 type Base -> Base.java Base (package)",
            "4 instantiate Base -> Base.java Base (package)",
        ],
    );
}

#[test]
fn a_go_package_is_one_scope() {
    check(
        "
//- /store/a.go
package store

func Open() int {
	return helper()
}
//- /store/b.go
package store

func helper() int {
	return 1
}
//- /other/c.go
package other

func helper() int {
	return 2
}
",
        "store/a.go",
        &["4 call helper -> store/b.go helper (package)"],
    );
}

#[test]
fn a_go_type_implements_interfaces_that_it_does_not_name() {
    let dir = Dir::with(
        "
//- /store/store.go
package store

type index interface {
	Keep(rev int64) bool
	closer
}

type closer interface {
	Close() error
	Compact(rev int64) bool
}

type store struct {
	kv index
}

func (s *store) Hash() bool {
	return s.kv.Keep(1)
}
//- /store/tree.go
package store

type base struct{}

func (b *base) Close() error { return nil }

type tree struct {
	base
}

func (t *tree) Keep(rev int64) bool { return true }

func (t *tree) Compact(rev int64) bool { return true }
//- /store/others.go
package store

type partial struct{}

func (p *partial) Keep(rev int64) bool { return true }

type odd struct{}

func (o *odd) Keep(rev, at int64) bool { return true }

func (o *odd) Compact(rev int64) bool { return true }

func (o *odd) Close() error { return nil }
",
    );
    let overrides = || -> Vec<String> {
        let tables = Tables::open(&dir.index());
        let edges = tables.edges.iter().filter(|edge| edge.kind == EdgeKind::Override);
        let name = |id: SymbolId| tables.symbols[id.index()].qualified_name.clone();
        let mut found: Vec<String> =
            edges.map(|edge| format!("{} -> {}", name(edge.source_id), name(edge.target_id.unwrap()))).collect();
        found.sort();
        found
    };
    dir.build(&["src", "--model", "none"]).code(0);
    let all = ["odd.Close -> closer.Close", "odd.Compact -> closer.Compact"];
    let tree = ["tree.Compact -> closer.Compact", "tree.Keep -> index.Keep"];
    assert_eq!(overrides(), [all.as_slice(), &tree].concat());
    let callers = dir.cmd(&["callers", "tree.Keep"]).run().code(0);
    assert!(callers.stdout.contains("store.Hash"), "{}", callers.all());
    assert!(!dir.cmd(&["callers", "partial.Keep"]).run().stdout.contains("store.Hash"));
    for (name, types) in [("index", ["tree"].as_slice()), ("closer", &["index", "odd", "tree"])] {
        let subtypes = |command: &str| -> Vec<String> {
            let answer = dir.cmd(&[command, name, "--format", "json"]).run().code(0).json();
            let found = answer["results"][0]["subtypes"].as_array().unwrap().iter();
            let mut found: Vec<String> = found.map(|one| one["name"].as_str().unwrap().to_owned()).collect();
            found.sort();
            found
        };
        assert_eq!([subtypes("hover"), subtypes("references")], [types, types], "{name}");
        let text = dir.cmd(&["references", name]).run().code(0).stdout;
        assert!(text.contains("implemented by ") && text.contains("tree (store/tree.go:7)"), "{text}");
    }
    // A further method of the interface, and its implementation in another file, are noticed by builds that follow.
    let source = fs_err::read_to_string(dir.path("src/store/store.go")).unwrap();
    dir.write("src/store/store.go", source.replace("\tcloser\n", "\tcloser\n\tSize() int\n"));
    dir.build(&["src", "--model", "none"]).code(0);
    assert_eq!(overrides(), [all.as_slice(), &tree[..1]].concat());
    dir.write("src/store/size.go", "package store\n\nfunc (t *tree) Size() int { return 0 }\n");
    dir.build(&["src", "--model", "none"]).code(0);
    let again = ["tree.Compact -> closer.Compact", "tree.Keep -> index.Keep", "tree.Size -> index.Size"];
    assert_eq!(overrides(), [all.as_slice(), &again].concat());
}

#[test]
fn comments_and_strings_have_no_references() {
    let dir = Dir::with(
        "
//- /words.py
def target():
    \"\"\"Call target() and Words().\"\"\"
    # target() is called here
    text = 'target() and Words()'
    return f'{len(text)} target()'

class Words:
    pass
//- /words.go
package words

// target() calls target()
func target() string {
	return \"target()\" + `target()`
}
//- /words.rs
/// Calls [`target`] and target().
fn target() -> &'static str {
    // target()
    /* target() */
    \"target()\"
}
//- /Words.java
/** target() */
class Target {
    // target()
    String target() {
        return \"target()\";
    }
}
//- /words.ts
/* target() */
function target(): string {
    // target()
    return \"target()\" + `target()`;
}
//- /words.cpp
// target()
const char *target() {
    /* target() */
    return \"target()\";
}
",
    );
    dir.build(&["src", "--model", "none"]).code(0);
    let tables = Tables::open(&dir.index());
    let wrong: Vec<_> = tables
        .edges
        .iter()
        .filter(|edge| edge.target_name.to_lowercase().contains("target") || edge.target_name == "Words")
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn guessed_edges_never_leave_a_repository() {
    let dir = Dir::empty();
    dir.write("one/a.py", "def use():\n    lonely()\n");
    dir.write("two/b.py", "def lonely():\n    pass\n");
    dir.build(&["one", "two", "--model", "none"]).code(0);
    assert_eq!(Tables::open(&dir.index()).edges("a.py"), ["2 call lonely -> lonely (external)"]);
}

#[test]
fn edges_between_repositories_stay_through_a_change_and_a_pack() {
    let dir = Dir::empty();
    dir.tree(
        "app",
        "//- /main.py
from kit import open_store

def run():
    store = open_store()
    return store.read()
",
    );
    dir.tree(
        "kit",
        "//- /pyproject.toml
[project]
name = \"kit\"
//- /kit/__init__.py
from .store import open_store
//- /kit/store.py
class Store:
    def read(self):
        return 1

def open_store():
    return Store()
",
    );
    let build = |index: &str| {
        dir.index_cmd(&["build", "app", "kit", "-o", index, "--model", "none"]).run().code(0);
        dir.index_cmd(&["verify", index]).run().code(0);
        Tables::open(&dir.path(index))
    };
    let found = build("index").edges("main.py");
    let expected = [
        "1 import open_store -> kit/store.py open_store (dependency)",
        "4 call open_store -> kit/store.py open_store (dependency)",
        "5 call read -> kit/store.py Store.read (dependency)",
    ];
    assert_eq!(found, expected, "{found:#?}");
    let callers = dir.cmd(&["callers", "Store.read", "--index", "index"]).run().code(0);
    let expected =
        "method Store.read  1 listed, by dependency\n  app/main.py:3  function run\n      5  return store.read()";
    assert!(callers.stdout.contains(expected), "{}", callers.stdout);

    // The file that refers to the method does not change, and its edge goes.
    dir.write("kit/kit/store.py", "class Store:\n    pass\n\ndef open_store():\n    return Store()\n");
    let changed = build("index");
    let found = changed.edges("main.py");
    assert!(!found.iter().any(|edge| edge.contains("Store.read")), "{found:#?}");
    let content_id = |tables: &Tables| tables.generation.manifest().content_id.clone();
    assert_eq!(content_id(&changed), content_id(&build("full")));
    dir.index_cmd(&["pack", "index", "-o", "packed"]).run().code(0);
    dir.cmd(&["pull", "packed", "-o", "pulled"]).run().code(0);
    let pulled = Tables::open(&dir.path("pulled"));
    assert_eq!(pulled.edges("main.py"), found);
    assert_eq!(content_id(&pulled), content_id(&changed));
}

#[test]
fn an_increment_sees_that_a_function_of_a_modules_name_appears_and_goes() {
    let dir = Dir::empty();
    dir.write("src/Cargo.toml", "[package]\nname = \"app\"\n");
    dir.write("src/src/lib.rs", "pub mod lower;\nmod used;\n");
    dir.write("src/src/lower.rs", "pub fn deep() {}\n");
    dir.write("src/src/used.rs", "use crate::lower;\nfn main() { lower(); lower::deep(); }\n");
    let build = |index: &str| {
        dir.index_cmd(&["build", "src", "-o", index, "--model", "none"]).run().code(0);
        Tables::open(&dir.path(index)).edges("src/used.rs")
    };
    let call = "2 call lower -> src/lib.rs lower (import)".to_owned();
    build("index");
    for (number, (text, has_function)) in
        [("pub mod lower;\nmod used;\npub fn lower() {}\n", true), ("pub mod lower;\nmod used;\n", false)]
            .into_iter()
            .enumerate()
    {
        dir.write("src/src/lib.rs", text);
        let found = build("index");
        assert_eq!(found.contains(&call), has_function, "{found:#?}");
        assert_eq!(found, build(&format!("full{number}")));
    }
}

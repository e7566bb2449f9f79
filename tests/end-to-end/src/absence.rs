//! What answers say of what is not there, and how they read names that are not written as the index has them.

use crate::harness::Dir;

const PROJECT: &str = "//- /store.py
class _OneToMany:
    def process(self, item):
        return first_of(item)

def first_of(items):
    return items[0]
//- /pkg/__init__.py
//- /other/pkg/__init__.py
def helper():
    return 1
//- /registry.ts
export class Registry<E, C> {
  find(key: E): C { return this.open(key) }
  open(key: E): C { return lookup(key) }
}
export function lookup(key) { return key }
";

#[test]
fn a_request_that_nothing_fits_says_why() {
    let dir = Dir::indexed(PROJECT);
    let nothing = |args: &[&str], why: &str| {
        let output = dir.cmd(args).run().code(1);
        assert!(output.stderr.contains(why), "{args:?}: {}", output.stderr);
    };
    nothing(
        &["search", "--language", "klingon", "--", "process"],
        "no file is in language 'klingon'; there are python",
    );
    nothing(&["search", "--repo", "nope", "--", "process"], "no repository is called 'nope'; there are src");
    nothing(&["references", "process", "--path", "nope/**"], "no path fits 'nope/**'");
    nothing(&["grep", "process", "nowhere"], "no path fits 'nowhere'");
    let output = dir.cmd(&["grep", "first_of|zzzz|qqqq"]).run().code(0);
    assert!(output.stderr.contains("no line matches 'zzzz' or 'qqqq'"), "{}", output.stderr);
    let output = dir.cmd(&["grep", "first_of|process"]).run().code(0);
    assert!(!output.stderr.contains("no line matches"), "{}", output.stderr);
}

#[test]
fn lines_beyond_the_end_and_empty_files_are_told() {
    let dir = Dir::indexed(PROJECT);
    let output = dir.cmd(&["show", "store.py:200-300"]).run().code(1);
    assert!(output.stdout.is_empty() && output.stderr.contains("the file has 6 lines"), "{}", output.stderr);
    let output = dir.cmd(&["show", "store.py:3-2"]).run().code(0);
    assert!(output.stdout.contains("def process"), "{}", output.stdout);
    let output = dir.cmd(&["show", "pkg/__init__.py"]).run().code(1);
    assert!(output.stdout.is_empty() && output.stderr.contains("pkg/__init__.py is empty"), "{}", output.stderr);
}

#[test]
fn names_are_understood_in_other_styles_and_with_type_arguments() {
    let dir = Dir::indexed(PROJECT);
    for (written, meant) in [
        ("OneToMany", "_OneToMany"),
        ("OneToMany.process", "_OneToMany.process"),
        ("firstOf", "first_of"),
        ("Registry<E, C>", "Registry"),
        ("Registry<K, V>.find", "Registry.find"),
        ("Registry$find", "Registry.find"),
    ] {
        let output = dir.cmd(&["definition", written]).run().code(0);
        assert!(output.stdout.lines().next().unwrap_or("").contains(meant), "{written}: {}", output.stdout);
    }
    dir.cmd(&["callers", "first_of!"]).run().code(1);
    let members = dir.cmd(&["symbols", "Registry."]).run().code(0).stdout;
    assert!(members.contains("Registry.find") && members.contains("Registry.open"), "{members}");
    let named = dir.cmd(&["symbols", "*of"]).run().code(0).stdout;
    assert!(named.contains("first_of"), "{named}");
}

#[test]
fn an_index_inside_of_a_source_is_not_indexed() {
    let dir = Dir::with(PROJECT);
    dir.index_cmd(&["build", "src", "-o", "src/index", "--threads", "2"]).run().code(0);
    dir.build_cmd(&["src"]).run().code(0);
    let found = dir.cmd(&["grep", "format_version"]).run();
    assert!(found.code == Some(1), "{}", found.stdout);
}

//! What an agent reads: several names in one call, ambiguity, uses of what is defined elsewhere, roles of matches, and
//! the admission that nothing fits.

use serde_json::json;

use crate::harness::Dir;
use crate::program::Output;

const PROJECT: &str = "
//- /src/pool.py
\"\"\"Pools of connections.\"\"\"

import threading

LIMIT = 3


class Pool:
    \"\"\"Lends connections and takes them back.\"\"\"

    def acquire(self):
        \"\"\"Lends a connection, and waits while there is none.\"\"\"
        with threading.Lock():
            return self.grow(LIMIT)

    def grow(self, count):
        return connect(\"x\", count)


def connect(url, count):
    # connect again and again
    return url * count
//- /src/queue.py
class Queue:
    def __init__(self):
        self.items = []

    def acquire(self):
        first = self.items[0]
        second = self.items[1]
        third = self.items[2]
        return [first, second, third]

    def release(self):
        pool = None
        return pool
//- /lib/queue.py
def main():
    return 1
//- /docs/guide.md
# Guide

## Add a driver

Write a class, and register it.
";

fn ask(dir: &Dir, args: &[&str]) -> Output {
    dir.cmd(&[&[args[0], "--index", "index", "--format", "json"], &args[1..]].concat()).run()
}

fn text(dir: &Dir, args: &[&str]) -> Output {
    dir.cmd(&[&[args[0], "--index", "index"], &args[1..]].concat()).run()
}

#[test]
fn show_takes_names_and_places_and_says_what_is_missing() {
    let dir = Dir::indexed(PROJECT);
    let args = ["show", "connect", "src/pool.py:5", "nothing_of_this_name", "--with", "callers,constants"];
    let shown = ask(&dir, &args).code(0).json();
    let results = shown["results"].as_array().unwrap();
    assert_eq!((results.len(), &results[1]["text"]), (2, &json!("LIMIT = 3")));
    assert_eq!(results[0]["callers"][0]["qualified_name"], "Pool.grow");
    assert_eq!(results[0]["callers"][0]["edge"], "call");
    assert!(results[0].get("tests").is_none() && results[0]["constants"].as_array().unwrap().is_empty());
    assert_eq!(shown["not_found"][0]["name"], "nothing_of_this_name");
    let with = ask(&dir, &["show", "Pool.acquire", "--with", "constants"]).code(0).json();
    assert_eq!(with["results"][0]["constants"][0]["text"], "LIMIT = 3");
    let constant = ask(&dir, &["show", "LIMIT", "--with", "callers"]).code(0).json();
    assert_eq!(constant["results"][0]["callers"][0]["qualified_name"], "Pool.acquire", "{constant}");
    ask(&dir, &["show", "nothing_of_this_name"]).code(1);
    let hovers = ask(&dir, &["hover", "Pool", "Queue.release"]).code(0).json();
    assert_eq!(hovers["results"].as_array().unwrap().len(), 2);
}

#[test]
fn show_keeps_to_a_budget_and_names_the_lines_that_it_cuts() {
    let dir = Dir::indexed(PROJECT);
    let whole = ask(&dir, &["show", "Queue", "connect"]).code(0).json();
    assert_eq!((whole["results"].as_array().unwrap().len(), whole.get("cut")), (2, None));
    let args = ["show", "Queue", "connect", "--max-tokens", "40"];
    let output = ask(&dir, &args).code(0);
    assert!(output.stdout.len() < 1000);
    let cut = output.json();
    let shown = &cut["results"][0];
    assert_eq!(shown["text"].as_str().unwrap().lines().count() as u64, shown["end_line"].as_u64().unwrap());
    let places: Vec<&str> = cut["cut"].as_array().unwrap().iter().map(|place| place.as_str().unwrap()).collect();
    assert_eq!(places, [format!("src/queue.py:{}-13", shown["end_line"].as_u64().unwrap() + 1)]);
    // What fits whole is whole.
    assert!(cut["results"][1]["text"].as_str().unwrap().ends_with("return url * count"), "{cut}");
    text(&dir, &args).code(0).says(&["cut at --max-tokens 40; the rest: show src/queue.py:"]);
    // What is cut can be pasted back.
    let rest = ask(&dir, &[&["show"], places.as_slice()].concat()).code(0).json();
    assert!(rest["results"][0]["text"].as_str().unwrap().ends_with("return pool"), "{rest}");
}

#[test]
fn show_prints_no_line_twice() {
    let dir = Dir::indexed(PROJECT);
    let args = ["show", "Pool.acquire", "Pool", "src/pool.py", "Pool.acquire", "Queue"];
    let shown = ask(&dir, &args).code(0).json();
    let places: Vec<&str> = shown["results"].as_array().unwrap().iter().map(|r| r["path"].as_str().unwrap()).collect();
    assert_eq!(places, ["src/pool.py", "src/queue.py"], "{shown}");
    text(&dir, &args).code(0).says(&["Pool.acquire (", ") is in src/pool.py:1-"]);
    // What is connected is not in the other lines.
    let with = ask(&dir, &["show", "Pool.acquire", "Pool", "--with", "callers"]).code(0).json();
    assert_eq!(with["results"].as_array().unwrap().len(), 2, "{with}");
}

#[test]
fn a_bare_name_means_the_product_before_tests() {
    let dir = Dir::indexed(
        "
//- /src/lib.rs
pub fn open() -> u32 {
    1
}
#[cfg(test)]
mod tests {
    fn open() -> u32 {
        super::open()
    }
    #[test]
    fn opens() {
        assert_eq!(open(), 1);
    }
}
//- /tests/helper.rs
pub fn open() {}
",
    );
    let shown = ask(&dir, &["show", "open"]).code(0);
    let results = shown.json()["results"].as_array().unwrap().clone();
    assert_eq!((results.len(), &results[0]["path"]), (1, &json!("src/lib.rs")));
    text(&dir, &["show", "open"]).code(0).says(&["left out: 2 called 'open' in tests; 'definition open' lists them"]);
    let all = ask(&dir, &["definition", "open"]).code(0).json();
    assert_eq!(all["results"].as_array().unwrap().len(), 3, "{all}");
}

#[test]
fn files_that_differ_from_the_checkout_at_hand_are_named() {
    let dir = Dir::indexed(PROJECT);
    let args = ["callers", "connect"];
    assert!(ask(&dir, &args).code(0).json().get("checkouts").is_none(), "no checkout");
    dir.write("src/.git/HEAD", "ref: refs/heads/main\n");
    let same = ask(&dir, &args).code(0).json();
    let expected = json!([{"repo": "src", "indexed_commit": null, "compared": 1, "changed": [], "missing": []}]);
    assert_eq!(same["checkouts"], expected);
    assert!(!text(&dir, &args).code(0).stderr.contains("changed since"));

    dir.write("src/src/pool.py", "def connect(url, count):\n    return url\n");
    let changed = ask(&dir, &args).code(0).json();
    assert_eq!(changed["checkouts"][0]["changed"], json!(["src/pool.py"]));
    text(&dir, &args).code(0).says(&["changed since the index: src/pool.py; --overlay answers for the files of now"]);
    fs_err::remove_file(dir.path("src/src/pool.py")).unwrap();
    let gone = ask(&dir, &args).code(0).json();
    assert_eq!(gone["checkouts"][0]["missing"], json!(["src/pool.py"]));
    text(&dir, &args).code(0).says(&["src/pool.py (gone)"]);

    // Another project's checkout is not compared.
    dir.write("deep/elsewhere/.git/HEAD", "ref: refs/heads/main\n");
    dir.write("deep/elsewhere/src/pool.py", "other = 1\n");
    let index = dir.path("index").display().to_string();
    let other = dir.cmd(&["callers", "connect", "--format", "json", "--index", &index]);
    let other = other.in_folder(&dir.path("deep/elsewhere")).run().code(0);
    assert!(other.json().get("checkouts").is_none(), "{}", other.all());
}

#[test]
fn a_name_in_a_file_may_be_one_that_it_uses() {
    let dir = Dir::indexed(
        "
//- /a.py
def connect():
    return 1
//- /b.py
from a import connect

def run():
    return connect()
//- /other.py
def connect():
    return 2
",
    );
    let shown = ask(&dir, &["show", "b.py:connect"]).code(0).json();
    let results = shown["results"].as_array().unwrap();
    assert_eq!((results.len(), &results[0]["path"]), (1, &json!("a.py")), "{shown}");
    ask(&dir, &["show", "b.py:nothing"]).code(1);
}

#[test]
fn grep_lists_code_before_tests_and_data() {
    let dir = Dir::indexed(
        "
//- /a_data.txt
retry retry
//- /tests/test_a.py
def test_retry():
    retry()
//- /z.py
def retry():
    return 1
",
    );
    let found = ask(&dir, &["grep", "retry"]).code(0).json();
    let files: Vec<&str> =
        found["results"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert_eq!(files, ["z.py", "a_data.txt", "tests/test_a.py"]);
    let first = ask(&dir, &["grep", "retry", "--limit", "1"]).code(0).json();
    assert_eq!((&first["results"][0]["path"], &first["total_lines"]), (&json!("z.py"), &found["total_lines"]));
}

#[test]
fn grep_of_many_tests_lists_their_lines_by_number() {
    let tests: String = (0..6).map(|n| format!("def test_{n}():\n    retry()\n\n\n")).collect();
    let dir = Dir::empty();
    dir.write("src/tests/test_a.py", tests);
    dir.write("src/z.py", "def retry():\n    return 1\n\n\nretry()\n");
    dir.build(&["src"]).code(0);
    let ask_text = |args: &[&str]| dir.cmd(args).run();
    let text = ask_text(&["grep", "retry"]).code(0).stdout;
    assert!(text.ends_with("tests/test_a.py  in tests: 2, 6, 10, 14, 18, 22\n"), "{text}");
    let cut = ask_text(&["grep", "retry", "--limit", "2"]).code(0).stdout;
    assert!(cut.contains("return") || cut.contains("def retry"), "{cut}");
    assert!(cut.ends_with("also in tests/test_a.py (6 lines)\n"), "{cut}");
    let alone = ask_text(&["grep", "retry", "--path", "tests"]).code(0).stdout;
    assert!(alone.contains("22      retry()"), "{alone}");
    // Other programs call it so.
    let read = ask_text(&["read", "z.py:1-2"]).code(0).stdout;
    assert_eq!(read, ask_text(&["show", "z.py:1-2"]).code(0).stdout);
}

#[test]
fn grep_shows_other_folders_and_what_people_wrote_first() {
    let dir = Dir::empty();
    for n in 0..9 {
        dir.write(&format!("src/migrations/{n}.py"), "def retry_count():\n    return 1\n");
    }
    dir.write("src/queue/models.py", "# Code generated by a tool. DO NOT EDIT.\ndef retry_count():\n    return 2\n");
    dir.write("src/worker/run.py", "def retry_count():\n    return 3\n");
    dir.write("src/CHANGES.md", "# Changes\n\nThe retry_count is new.\n");
    dir.build(&["src"]).code(0);
    let found = ask(&dir, &["grep", "retry_count", "--limit", "6"]).code(0).json();
    let files = |list: &str| -> Vec<String> {
        let files = found[list].as_array().unwrap().iter();
        files.map(|file| file["path"].as_str().unwrap().to_owned()).collect()
    };
    let shown = files("results");
    assert!(shown.len() == 6 && shown[..2] == ["migrations/0.py", "migrations/1.py"], "{found}");
    assert_eq!(shown[5], "worker/run.py", "{found}");
    let counted = files("more_files");
    assert_eq!(counted[counted.len() - 2..], ["queue/models.py", "CHANGES.md"], "{found}");
}

#[test]
fn a_block_of_a_long_function_is_named_with_its_head() {
    let step = |name: &str| {
        let lines = |n| format!("        total += {name}_{n}(item)\n        {name}_log.append(total)\n");
        format!("    for item in {name}_items:\n{}", (0..12).map(lines).collect::<String>())
    };
    let names = ["parcel", "invoice", "letter", "voucher", "receipt", "carton"];
    let body: String = names.map(step).concat();
    let dir = Dir::empty();
    dir.write("src/post.py", format!("def deliver(total):\n{body}    return total\n"));
    dir.build(&["src"]).code(0);
    let answer = ask(&dir, &["search", "voucher items log"]).code(0).json();
    let hit = &answer["results"][0];
    assert_eq!((&hit["qualified_name"], &hit["start_line"]), (&json!("deliver"), &json!(1)), "{hit}");
    let (block, first) = (&hit["block"], 2 + 3 * 25);
    assert_eq!((&block["kind"], block["start_line"].as_u64()), (&json!("loop"), Some(first)), "{hit}");
    assert!(hit["snippet_line"].as_u64().unwrap() >= first);
    text(&dir, &["search", "voucher items log"]).code(0).prints(&[&format!("best in loop {first}-")]);
}

#[test]
fn what_may_be_several_things_is_listed() {
    let dir = Dir::indexed(PROJECT);
    let file = ask(&dir, &["show", "queue.py:1-2"]).code(0).json();
    assert!(file["results"].as_array().unwrap().is_empty(), "{file}");
    let files: Vec<&str> =
        file["ambiguous"][0]["files"].as_array().unwrap().iter().map(|f| f["path"].as_str().unwrap()).collect();
    assert_eq!(files, ["lib/queue.py", "src/queue.py"]);
    let listed = text(&dir, &["show", "queue.py:1-2"]).code(0);
    assert!(listed.stdout.contains("lib/queue.py:1-2\n") && listed.stdout.contains("src/queue.py:1-2\n"));
    // Each listed place can be pasted back.
    let one = ask(&dir, &["show", "src/queue.py:1-2"]).code(0).json();
    assert_eq!(one["results"][0]["text"], "class Queue:\n    def __init__(self):");
}

#[test]
fn the_written_case_and_the_main_kinds_come_alone() {
    let dir = Dir::indexed(
        "
//- /a.ts
export interface Index { size: number }
export class Holder { Index: number = 1; index(): number { return this.Index; } }
//- /b.ts
export function receiver(): number { return 1; }
export const RECEIVER = 2;
",
    );
    let found = |name: &str| {
        let answer = ask(&dir, &["definition", name]).code(0).json();
        let kinds = answer["results"].as_array().unwrap().iter().map(|d| d["kind"].as_str().unwrap().to_owned());
        kinds.collect::<Vec<_>>()
    };
    assert_eq!(found("Index"), ["interface"]);
    assert_eq!(found("RECEIVER"), ["constant"]);
    assert_eq!(found("receiver"), ["function"]);
    let note = text(&dir, &["definition", "Index"]).code(0);
    assert!(note.stderr.contains("left out: 1 called 'Index'"), "{}", note.all());
}

#[test]
fn uses_of_what_is_defined_elsewhere_are_found() {
    let dir = Dir::indexed(PROJECT);
    let uses = ask(&dir, &["references", "threading.Lock", "--context", "1"]).code(0).json();
    let group = &uses["externals"][0];
    assert_eq!((&group["total"], &group["uses"][0]["start_line"]), (&json!(1), &json!(13)), "{uses}");
    let lines: Vec<u64> =
        group["uses"][0]["context"].as_array().unwrap().iter().map(|line| line["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [12, 13, 14]);
}

#[test]
fn grep_says_what_a_match_is() {
    let dir = Dir::indexed(PROJECT);
    let found = ask(&dir, &["grep", "-w", "connect"]).code(0).json();
    let lines = found["results"][0]["lines"].as_array().unwrap();
    let roles: Vec<(u64, &str)> =
        lines.iter().map(|line| (line["line"].as_u64().unwrap(), line["role"].as_str().unwrap_or(""))).collect();
    assert_eq!(roles, [(17, "call"), (20, "definition"), (21, "comment")]);
    let printed = text(&dir, &["grep", "-w", "connect"]).code(0);
    assert!(printed.stdout.contains(" in Pool.grow\n") && printed.stdout.contains("[call]"), "{}", printed.stdout);
}

#[test]
fn nonsense_fits_nothing() {
    let dir = Dir::indexed(PROJECT);
    for command in ["search", "explore"] {
        let refused = ask(&dir, &[command, "--", "zzqx wwvv"]).code(1).json();
        assert_eq!(refused["fits"], false, "{refused}");
        let printed = text(&dir, &[command, "--", "zzqx wwvv"]).code(1);
        assert!(printed.stderr.contains("nothing fits") && !printed.stdout.contains("return"), "{}", printed.all());
    }
    let forced = ask(&dir, &["search", "--min-score", "0", "--", "zzqx wwvv"]).code(0).json();
    assert!(!forced["results"].as_array().unwrap().is_empty());
    let sure = ask(&dir, &["search", "--", "Pool.acquire"]).code(0).json();
    assert!(sure["fit"].as_f64().unwrap() > 0.9, "{sure}");
    assert!(sure["results"][0]["reason"].as_str().unwrap().starts_with("owner and name; words acquire"), "{sure}");
}

#[test]
fn an_owner_and_a_method_are_found_among_other_words() {
    let dir = Dir::indexed(PROJECT);
    for query in ["Queue acquire first items second", "items Queue acquire", "acquire Queue", "Pool grow url again"] {
        let answer = ask(&dir, &["search", "--", query]).code(0).json();
        let expected = if query.contains("Queue") { "Queue.acquire" } else { "Pool.grow" };
        assert_eq!(answer["results"][0]["qualified_name"], expected, "{query}");
    }
}

#[test]
fn explore_shows_what_it_calls_and_the_section_of_that_title() {
    let dir = Dir::indexed(PROJECT);
    let answer = ask(&dir, &["explore", "--", "how does Pool acquire a connection"]).code(0).json();
    let shown: Vec<&str> =
        answer["entries"].as_array().unwrap().iter().filter_map(|entry| entry["qualified_name"].as_str()).collect();
    assert!(shown.contains(&"Pool.acquire") && shown.contains(&"Pool.grow"), "{shown:?}");
    let printed = text(&dir, &["explore", "--", "how do I add a driver and register it"]).code(0);
    assert!(printed.stdout.contains("Write a class, and register it."), "{}", printed.all());
}

/// A class of a project that has one copy for each version of a framework.
const ASPECT: &str = "package v1;

/** Wraps calls in a retry. */
public class RetryAspect {
    private final int attempts = 3;

    /** Calls the method again until it succeeds or no attempt is left. */
    public Object retryAround(Call call) throws Exception {
        Exception last = null;
        for (int attempt = 0; attempt < attempts; attempt++) {
            try {
                return call.proceed();
            } catch (Exception failure) {
                last = failure;
            }
        }
        throw last;
    }
}
";

#[test]
fn explore_shows_one_of_several_copies_and_names_the_others() {
    let second = ASPECT.replace("package v1;", "package v2;\n");
    let other = ASPECT.replace("RetryAspect", "LimitAspect").replace("retryAround", "limitAround");
    let files = [("v1/src/RetryAspect", ASPECT), ("v2/src/RetryAspect", &second), ("v1/src/LimitAspect", &other)];
    let dir = Dir::indexed(&files.map(|(path, source)| format!("//- /{path}.java\n{source}")).concat());
    let question = ["explore", "--", "how does the aspect retry around a call until an attempt succeeds"];
    let answer = ask(&dir, &question).code(0).json();
    let entries = answer["entries"].as_array().unwrap();
    let named = |name: &str| entries.iter().filter(|entry| entry["qualified_name"] == name).collect::<Vec<_>>();
    let [method] = named("RetryAspect.retryAround")[..] else { panic!("{answer:#}") };
    let copies = method["copies"].as_array().unwrap();
    assert_eq!(copies.len(), 1, "{answer:#}");
    let (shown, copied) = (method["path"].as_str().unwrap(), copies[0]["path"].as_str().unwrap());
    assert_ne!(shown, copied);
    assert!(copied.ends_with("/src/RetryAspect.java"), "{copied}");
    // A definition of another name is no copy, however similar.
    assert!(!answer["files"].to_string().contains(copied) && answer.to_string().contains("LimitAspect"), "{answer:#}");
    let printed = text(&dir, &question).code(0).stdout;
    assert_eq!(printed.matches("much the same in").count(), 1, "{printed}");
    assert_eq!(printed.matches("call.proceed()").count(), 1, "{printed}");
}

#[test]
fn a_type_with_the_same_head_and_other_methods_is_no_copy() {
    let dir = Dir::indexed(
        "
//- /a/handler.py
class RetryHandler:
    def handle_retry(self, request):
        return self.again(request, attempts=3)

//- /b/handler.py
class RetryHandler:
    def handle_retry(self, request):
        raise RuntimeError(\"a retry is refused for \" + request.name)
",
    );
    let answer = ask(&dir, &["explore", "--", "how does RetryHandler handle a retry of a request"]).code(0).json();
    let listed = answer["entries"].as_array().unwrap().iter().chain(answer["not_shown"].as_array().unwrap());
    let types: Vec<_> = listed.filter(|one| one["kind"] == "class").collect();
    assert_eq!(types.len(), 2, "{answer:#}");
    assert!(types.iter().all(|one| one["copies"].as_array().unwrap().is_empty()), "{answer:#}");
}

#[test]
fn what_an_answer_prints_is_an_argument() {
    let dir = Dir::indexed(PROJECT);
    let found = ask(&dir, &["references", "src/pool.py:5"]).code(0).json();
    assert_eq!(found["results"][0]["definition"]["qualified_name"], "LIMIT", "{found:#}");
    let hover = ask(&dir, &["hover", "src/pool.py:11-14"]).code(0).json();
    assert_eq!(hover["results"][0]["qualified_name"], "Pool.acquire", "{hover:#}");
    // Lines alone are of the file before them.
    for names in [&["src/pool.py:5", "8-9"][..], &["src/pool.py:5, 8-9"]] {
        let shown = ask(&dir, &[&["show"], names].concat()).code(0).json();
        let lines: Vec<_> = shown["results"].as_array().unwrap().iter().map(|part| &part["start_line"]).collect();
        assert_eq!(lines, [5, 8], "{shown:#}");
    }
    assert_eq!(ask(&dir, &["show", "8-9"]).code(1).json()["not_found"].as_array().unwrap().len(), 1);
}

#[test]
fn a_type_is_shown_with_its_constructors() {
    let dir = Dir::indexed(
        "
//- /a/Window.java
package a;

public class Window {
    private final int size;

    public Window() {
        this(10);
    }

    public Window(int size) {
        this.size = size;
    }
}
",
    );
    let shown = ask(&dir, &["show", "Window"]).code(0).json();
    let kinds: Vec<_> = shown["results"].as_array().unwrap().iter().map(|part| &part["symbol"]["kind"]).collect();
    assert_eq!(kinds, ["class"], "{shown:#}");
    assert_eq!(shown["ambiguous"].as_array().unwrap().len(), 0, "{shown:#}");
}

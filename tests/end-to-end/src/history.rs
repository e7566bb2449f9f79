//! The git history of an index: what it has of renames, merges and shallow clones, and what search makes of it.

use serde_json::{Value, json};

use crate::harness::Dir;
use crate::tables::Tables;

/// A repository with files that change together, one that is renamed, and a merge.
fn repository() -> Dir {
    let dir = Dir::empty();
    let function = |name: &str| format!("def {name}(value):\n    return value\n");
    for name in ["queue", "worker", "config", "report"] {
        dir.write(&format!("src/pkg/{name}.py"), function(name));
    }
    dir.commit("src", 0, "First files");
    for hour in 1..5 {
        dir.write("src/pkg/queue.py", format!("{}\nLIMIT = {hour}\n", function("queue")));
        dir.write("src/pkg/worker.py", format!("{}\nSIZE = {hour}\n", function("worker")));
        dir.commit("src", hour, &format!("Bounded backlog, step {hour}"));
    }
    dir.rename("src/pkg/config.py", "src/pkg/settings.py");
    dir.commit("src", 5, "Call it settings");
    dir.git("src", &["checkout", "--quiet", "-b", "side", "HEAD~1"], &[]);
    dir.write("src/pkg/report.py", function("summary"));
    dir.commit("src", 6, "Report a summary");
    dir.git("src", &["checkout", "--quiet", "main"], &[]);
    let date = [("GIT_AUTHOR_DATE", "1700030000 +0000"), ("GIT_COMMITTER_DATE", "1700030000 +0000")];
    dir.git("src", &["merge", "--quiet", "-m", "Merge it", "side"], &date);
    dir
}

fn context(dir: &Dir, index: &str, file: &str) -> Value {
    let output = dir.cmd(&["context", file, "--commits", "20", "--index", index, "--format", "json"]).run();
    output.code(0).json()["file"]["history"].clone()
}

fn subjects(history: &Value) -> Vec<&str> {
    history["commits"].as_array().unwrap().iter().map(|commit| commit["subject"].as_str().unwrap()).collect()
}

/// The rows of the table, as JSON would have them.
fn table(dir: &Dir, index: &str) -> Vec<u8> {
    fs_err::read(Tables::open(&dir.path(index)).generation.path("history.parquet")).unwrap()
}

#[test]
fn a_file_has_the_commits_that_changed_it() {
    let dir = repository();
    dir.build(&["src"]).code(0);
    dir.assert_whole();
    let queue = context(&dir, "index", "pkg/queue.py");
    assert_eq!(queue["count"], 5);
    assert_eq!(subjects(&queue)[0], "Bounded backlog, step 4");
    assert_eq!(subjects(&queue)[4], "First files");
    assert_eq!(queue["commits"][0]["author"], "test");
    assert_eq!(queue["commits"][0]["date"], "2023-11-15 02:13");
    assert_eq!(queue["commits"][0]["files"], 2);
    assert_eq!(queue["since"], "2023-11-14 22:13");
    assert_eq!(queue["changes_with"], json!([{"repo": "src", "path": "pkg/worker.py", "commits": 5}]));
    // A renamed file keeps its history; a merge says nothing that the commits before it do not.
    assert_eq!(subjects(&context(&dir, "index", "pkg/settings.py")), ["Call it settings", "First files"]);
    assert_eq!(subjects(&context(&dir, "index", "pkg/report.py")), ["Report a summary", "First files"]);
    dir.cmd(&["context", "pkg/queue.py", "--index", "index"]).run().code(0).prints(&[
        "changed by 5 commits since 2023-11-14",
        "Bounded backlog, step 4",
        "pkg/worker.py (5)",
    ]);
    dir.cmd(&["stats", "--index", "index"]).run().code(0).prints(&["7 commits since 2023-11-14 22:13"]);
}

#[test]
fn words_of_messages_find_files() {
    let dir = repository();
    dir.build(&["src"]).code(0);
    // No file has the word.
    let found = dir.search(&["--", "where is the backlog bounded for a value"]).json();
    let features = |path: &str| {
        let hits = found["results"].as_array().unwrap();
        let hit = hits.iter().find(|hit| hit["path"] == path).unwrap();
        let features = hit["signals"]["file_features"].as_array().unwrap().clone();
        let named = |name: &str| features.iter().find(|feature| feature["feature"] == name).unwrap()["value"].as_f64();
        (named("history").unwrap(), named("co_change").unwrap())
    };
    assert!(features("pkg/queue.py").0 > 0.1, "{found}");
    assert!(features("pkg/queue.py").1 > 0.0, "{found}");
    assert!(features("pkg/report.py").0 == 0.0, "{found}");
}

#[test]
fn a_review_misses_what_usually_changes_too() {
    let dir = repository();
    dir.build(&["src"]).code(0);
    dir.write("src/pkg/queue.py", "def queue(other):\n    return other\n");
    let diff = dir.git("src", &["diff"], &[]) + "\n";
    let review = |diff: &str, args: &[&str]| {
        dir.cmd(&[&["review", "--index", "index"], args].concat()).stdin(diff).run().code(0)
    };
    let missed = review(&diff, &["--format", "json"]).json()["usually_changed_too"].clone();
    let worker = json!({"repo": "src", "path": "pkg/worker.py", "with": "pkg/queue.py", "commits": 5, "of_commits": 5});
    assert_eq!(missed, json!([worker]));
    review(&diff, &[]).prints(&["usually changed too", "pkg/worker.py", "in 5 of 5 commits of pkg/queue.py"]);
    dir.write("src/pkg/worker.py", "def worker(other):\n    return other\n");
    let both = dir.git("src", &["diff"], &[]) + "\n";
    assert_eq!(review(&both, &["--format", "json"]).json()["usually_changed_too"], json!([]));
}

#[test]
fn increments_have_the_history_of_full_builds() {
    let dir = repository();
    let same = |what: &str| {
        dir.build(&["src"]).code(0);
        dir.assert_whole();
        dir.index_cmd(&["build", "src", "-o", "full", "--no-reuse"]).run().code(0);
        assert_eq!(table(&dir, "index"), table(&dir, "full"), "{what}");
        let of = |index: &str| Tables::open(&dir.path(index)).generation.manifest().repositories.clone();
        assert_eq!(of("index"), of("full"), "{what}");
    };
    same("first");
    dir.commit("src", 10, "Nothing changed");
    same("no file differs");
    dir.write("src/pkg/queue.py", "def queue(other):\n    return other\n");
    dir.commit("src", 11, "Other queue");
    same("one file differs");
    dir.rename("src/pkg/queue.py", "src/pkg/backlog.py");
    dir.commit("src", 12, "Rename the queue");
    same("a file is renamed");
    assert_eq!(context(&dir, "index", "pkg/backlog.py")["count"], 7);
    dir.git("src", &["reset", "--quiet", "--hard", "HEAD~3"], &[]);
    same("back");
}

#[test]
fn an_index_may_have_no_history() {
    let dir = repository();
    dir.build(&["src", "--no-history"]).code(0);
    dir.assert_whole();
    assert_eq!(context(&dir, "index", "pkg/queue.py"), Value::Null);
    let id = |dir: &Dir| Tables::open(&dir.index()).generation.manifest().content_id.clone();
    let without = id(&dir);
    // It appears and vanishes with the option, and is no part of the content id.
    dir.build(&["src"]).code(0);
    dir.assert_whole();
    assert_eq!(context(&dir, "index", "pkg/queue.py")["count"], 5);
    assert_eq!(id(&dir), without);
    dir.build(&["src", "--no-history"]).code(0);
    assert_eq!(context(&dir, "index", "pkg/queue.py"), Value::Null);
}

#[test]
fn a_folder_of_a_checkout_has_its_own_history() {
    let dir = repository();
    dir.index_cmd(&["build", "src/pkg", "-o", "index"]).run().code(0);
    assert_eq!(context(&dir, "index", "queue.py")["count"], 5);
    // A folder that git does not track has none.
    dir.write("src/other/new.py", "def new():\n    return 1\n");
    dir.index_cmd(&["build", "src/other", "-o", "other"]).run().code(0);
    assert_eq!(context(&dir, "other", "new.py"), Value::Null);
}

#[test]
fn a_shallow_clone_has_what_it_knows() {
    let dir = repository();
    let url = format!("file://{}", fs_err::canonicalize(dir.path("src")).unwrap().display());
    dir.git("", &["clone", "--quiet", "--depth", "3", &url, "clone"], &[]);
    dir.index_cmd(&["build", "clone", "-o", "index"]).run().code(0);
    dir.assert_whole();
    // The last commit that a shallow clone has seems to add every file.
    assert_eq!(subjects(&context(&dir, "index", "pkg/report.py")), ["Report a summary"]);
    assert_eq!(subjects(&context(&dir, "index", "pkg/settings.py")), ["Call it settings"]);
}

#[test]
fn a_damaged_history_ends_where_it_is_damaged() {
    let dir = repository();
    let parent = dir.git("src", &["rev-parse", "HEAD~4"], &[]);
    let object = format!("src/.git/objects/{}/{}", &parent[..2], &parent[2..]);
    fs_err::remove_file(dir.path(&object)).unwrap();
    dir.build(&["src"]).code(0).says(&["the git history ends after", "lacks commit"]);
    dir.assert_whole();
    assert_eq!(subjects(&context(&dir, "index", "pkg/settings.py")), ["Call it settings"]);
    // Not even the commit that is checked out is there.
    fs_err::remove_dir_all(dir.path("src/.git/objects")).unwrap();
    dir.index_cmd(&["build", "src", "-o", "none"]).run().code(0).says(&["git's objects cannot be read"]);
    assert_eq!(context(&dir, "none", "pkg/queue.py"), Value::Null);
}

#[test]
fn packs_and_overlays_have_the_history() {
    let dir = repository();
    dir.build(&["src"]).code(0);
    let before = context(&dir, "index", "pkg/queue.py");
    dir.index_cmd(&["pack", "index", "-o", "one.sxt", "--profile", "query"]).run().code(0);
    dir.cmd(&["pull", "one.sxt", "-o", "pulled"]).run().code(0);
    dir.cmd(&["verify", "--index", "pulled"]).run().code(0);
    assert_eq!(context(&dir, "pulled", "pkg/queue.py"), before);
    dir.write("src/pkg/queue.py", "def queue(other):\n    return other\n");
    let args =
        ["context", "pkg/queue.py", "--commits", "20", "--index", "pulled", "--overlay", "src", "--format", "json"];
    let cache = dir.path("cache").display().to_string();
    let overlaid = dir.cmd(&args).env("XDG_CACHE_HOME", &cache).run().code(0).json();
    assert_eq!(overlaid["file"]["edited"], true);
    assert_eq!(overlaid["file"]["history"], before);
}

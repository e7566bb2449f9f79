//! What people paste into a search: a path with a line, a setting, a message, a name in any form; and the paths that
//! answers print, as filters.

use crate::harness::Dir;

const PROJECT: &str = "//- /src/pool/worker.py
\"\"\"Workers of the pool.\"\"\"
import os

E_BLOCKED = \"\"\"
Never wait for a result inside of a worker!
It may never come.
\"\"\"


class Worker:
    def on_timer_tick(self, delay):
        return delay

    def size_of_pool(self):
        return int(os.environ.get(\"POOL_SIZE_MAX\", \"4\"))

    def wait(self, result):
        if result.blocked:
            raise RuntimeError(E_BLOCKED)
        return result
//- /src/pool/size.py
def pool_size(pool):
    \"\"\"The size of a pool, at most its max.\"\"\"
    return max(len(pool), pool.size)

def max_pool_size():
    return pool_size([])
//- /src/other/worker.py
def worker_result(result):
    return result
//- /docs/guide.md
# Guide
Set the size of the pool with the number of workers.
";

fn first(dir: &Dir, query: &str) -> String {
    let output = dir.cmd(&["search", "--index", "index", "--", query]).run().code(0);
    output.stdout.lines().next().unwrap_or("").to_owned()
}

#[test]
fn pasted_places_settings_messages_and_names_come_first() {
    let dir = Dir::with(PROJECT);
    dir.build_cmd(&["src"]).run().code(0);
    for (query, wanted) in [
        ("src/pool/size.py", "src/pool/size.py:"),
        ("pool/worker.py:11", "Worker.on_timer_tick"),
        ("pool/worker.py:15:8", "Worker.size_of_pool"),
        ("POOL_SIZE_MAX", "Worker.size_of_pool"),
        ("RuntimeError: Never wait for a result inside of a worker!", "src/pool/worker.py:"),
        ("on timer tick", "Worker.on_timer_tick"),
        ("onTimerTick", "Worker.on_timer_tick"),
        ("timer_tick", "Worker.on_timer_tick"),
        ("Worker.sizeOf", "Worker.size_of_pool"),
    ] {
        assert!(first(&dir, query).contains(wanted), "{query}: {}", first(&dir, query));
    }
    let definition = |name: &str| dir.cmd(&["definition", name]).run().code(0).stdout;
    assert!(definition("timer_tick").contains("Worker.on_timer_tick"));
    let symbols = |name: &str| dir.cmd(&["symbols", name]).run().code(0).stdout;
    assert!(symbols("pool.worker.Worker.on_timer_tick").contains("Worker.on_timer_tick"));
}

#[test]
fn heads_of_types_have_line_numbers() {
    let dir = Dir::with(PROJECT);
    dir.build_cmd(&["src"]).run().code(0);
    let shown = dir.cmd(&["search", "--index", "index", "--", "Worker"]).run().code(0).stdout;
    let body = shown.lines().find(|line| line.contains("class Worker:")).unwrap();
    assert!(body.trim_start().starts_with("10 "), "{shown}");
}

#[test]
fn printed_paths_are_filters() {
    let dir =
        Dir::with("//- /server/src/a.py\ndef run(): pass\n//- /ui/src/a.py\ndef run(): pass\ndef call(): run()\n");
    dir.build_cmd(&["server=src/server", "ui=src/ui"]).run().code(0);
    let places = |args: &[&str]| dir.cmd(args).run().code(0).stdout;
    for args in [
        ["grep", "def run", "ui/src/a.py"].as_slice(),
        &["grep", "def run", "ui"],
        &["symbols", "run", "--path", "ui/**"],
        &["search", "--path", "ui/src/**", "--", "run"],
        &["references", "run", "--path", "ui/src/*.py"],
    ] {
        let shown = places(args);
        assert!(shown.contains("ui/src/a.py") && !shown.contains("server/src/a.py\\n"), "{args:?}: {shown}");
    }
    let both = places(&["grep", "def run", "src/a.py"]);
    assert!(both.contains("ui/src/a.py") && both.contains("server/src/a.py"), "{both}");
}

#[test]
#[cfg(target_os = "linux")]
fn results_that_cannot_be_written_are_an_error() {
    let dir = Dir::with(PROJECT);
    dir.build_cmd(&["src"]).run().code(0);
    let full = |program: &str, args: &str| {
        let command = format!("exec \"{}\" {args} > /dev/full", dir.path_of(program).display());
        let output =
            std::process::Command::new("sh").args(["-c", &command]).current_dir(dir.path("")).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{program} {args}: {stderr}");
        assert!(stderr.contains("the results could not be written"), "{program} {args}: {stderr}");
    };
    full("sextant", "search --index index --format json -- worker");
    full("sextant", "stats --index index");
    full("sextant-index", "verify index --json");
}

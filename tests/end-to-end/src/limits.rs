//! Memory, file descriptors and threads stay bounded for any number of files and any running time.

use crate::harness::{Dir, effort};
use crate::serve::Mcp;

/// Number of files in a folder; with `SEXTANT_TEST_EFFORT=250` there are a million files in total.
const FILES: u64 = 4000;
const IN_FOLDER: u64 = 500;

/// The most memory of the tables of symbols and references for each of these files, in bytes.
const A_FILE: u64 = 2048;

fn many_files(dir: &Dir) -> u64 {
    let files = FILES * effort();
    for n in 0..files {
        let (folder, next) = (n / IN_FOLDER, (n + 1) % files);
        let text = format!("def f{n}(x):\n    return f{next}(x) + {n}\n\n\nclass C{n}:\n    limit = {n}\n");
        dir.write(&format!("src/d{folder}/m{n}.py"), text);
    }
    files
}

#[test]
fn many_small_files_stay_below_the_limit() {
    let dir = Dir::empty();
    let files = many_files(&dir);
    // The buffers of any build, plus the tables that grow with the symbols.
    let limit = (300 << 20) + files * A_FILE;
    let args = ["build", "src", "-o", "index", "--threads", "2", "--json", "--memory-limit", &limit.to_string()];
    // A build that leaks one descriptor for each file fails here.
    let build = dir.index_cmd(&args);
    let output = build.limit("-n", 96).run().code(0);
    let summary: serde_json::Value = serde_json::from_str(output.stdout.lines().last().unwrap()).unwrap();
    assert_eq!((summary["files"].as_u64(), summary["symbols"].as_u64()), (Some(files), Some(4 * files)), "{summary}");
    if cfg!(target_os = "linux") {
        println!("{files} files: {} MB at most", summary["peak_bytes"].as_u64().unwrap() / 1_000_000);
    }
    dir.assert_whole();
}

#[cfg(target_os = "linux")]
#[test]
fn a_limit_that_is_too_low_is_an_error_and_keeps_the_index() {
    let dir = Dir::polyglot();
    let before = dir.generation();
    dir.write("src/new.py", "def added():\n    return 1\n");
    for n in 0..200 {
        dir.write(&format!("src/more/m{n}.py"), format!("def g{n}():\n    return {n}\n"));
    }
    let build = |limit: &str| dir.index_cmd(&["build", "src", "-o", "index", "--memory-limit", limit]).run();
    build("1M").failed(&["the limit is 1 MB", "hint", "--memory-limit"]);
    assert_eq!(dir.generation(), before);
    dir.assert_whole();
    build("many").code(2).says(&["not a size"]);
    build("2G").code(0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_releases_old_generations() {
    let dir = Dir::polyglot();
    let mut mcp = Mcp::start(&dir);
    let mut counts = Vec::new();
    for n in 0..6 * effort() {
        dir.write("src/added.py", format!("def added{n}():\n    return {n}\n"));
        dir.build(&["src"]).code(0);
        let started = std::time::Instant::now();
        // The server looks for a new generation before each request.
        while !mcp.call("definition", serde_json::json!({"name": format!("added{n}")})).0.contains("added.py:1") {
            assert!(started.elapsed() < std::time::Duration::from_secs(40));
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        let count = |what: &str| fs_err::read_dir(format!("/proc/{}/{what}", mcp.process())).unwrap().count();
        let mapped = fs_err::read_to_string(format!("/proc/{}/maps", mcp.process())).unwrap();
        let generations: std::collections::BTreeSet<&str> = mapped
            .lines()
            .filter_map(|line| line.split_once("/index/gen-").and_then(|(_, rest)| rest.split('/').next()))
            .collect();
        counts.push((count("fd"), count("task"), generations.len()));
    }
    let (first, last) = (counts[1], counts[counts.len() - 1]);
    // A thread that has just answered may not be ready for the next request.
    assert!(last.0 <= first.0 && last.1 <= first.1 + 2 && last.2 <= 2, "{counts:?}");
}

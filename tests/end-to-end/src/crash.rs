//! Builds that end unexpectedly: killed, interrupted, or refused because another build runs.

use std::io::Read;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use sextant_format::generation::Generation;

use crate::harness::{Dir, Seeded, effort};
use crate::program::finish;

/// Number of kills in one run, multiplied by the effort.
const KILLS: u64 = 20;
/// The most time for all kills, multiplied by the effort; it ends the test early on a slow machine.
const MOST_TIME: Duration = Duration::from_secs(20);

/// Writes a tree whose build takes a while.
fn tree(dir: &Dir, files: usize) {
    for n in 0..files {
        let text = format!(
            "class C{n}:\n    def go(self):\n        return helper{n}()\n\n\ndef helper{n}():\n    return {n}\n\n\n"
        );
        dir.write(&format!("src/pkg/m{n}.py"), text.repeat(8));
    }
}

fn content_id(dir: &Dir) -> String {
    Generation::open(&dir.index()).unwrap().manifest().content_id.clone()
}

fn staging(dir: &Dir) -> Vec<String> {
    dir.names("index").into_iter().filter(|name| name.starts_with("staging-")).collect()
}

/// Whether a build has written its manifest, so that it renames the folder next.
fn is_publishing(dir: &Dir) -> bool {
    staging(dir).iter().any(|name| dir.index().join(name).join("manifest.json").exists())
}

/// Waits until a build with `--json` has begun a stage.
fn wait_for(child: &mut Child, stage: &str) {
    let wanted = format!("\"name\":\"{stage}\"");
    let pipe = child.stdout.as_mut().unwrap();
    let mut seen = Vec::new();
    let mut byte = [0];
    while pipe.read(&mut byte).unwrap() == 1 {
        seen.push(byte[0]);
        if seen.ends_with(wanted.as_bytes()) {
            return;
        }
    }
    panic!("the build ends without a stage {stage}: {}", String::from_utf8_lossy(&seen));
}

/// Sends a signal with the program `kill`.
#[cfg(unix)]
fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success(), "kill -s {name}");
}

#[test]
fn killed_at_any_moment_the_index_is_the_old_or_the_new_one() {
    let dir = Dir::empty();
    tree(&dir, 150);
    let started = Instant::now();
    dir.build(&["src"]).code(0);
    let took = started.elapsed();
    let mut seeded = Seeded(0xdead);
    let mut id = content_id(&dir);
    let (mut kept, mut replaced, mut left_over) = (0, 0, 0);
    let begun = Instant::now();
    for n in 0..KILLS * effort() {
        if begun.elapsed() > MOST_TIME.mul_f64(effort() as f64) {
            break;
        }
        dir.write("src/changes.py", format!("round = {n}\n"));
        let mut child = dir.build_cmd(&["src"]).spawn();
        match n % 3 {
            // At any moment; in the second half or soon after the usual end; while it publishes.
            0 => std::thread::sleep(took.mul_f64(seeded.below(100) as f64 / 100.0)),
            1 => std::thread::sleep(took.mul_f64((50 + seeded.below(100)) as f64 / 100.0)),
            _ => {
                while child.try_wait().unwrap().is_none() && !is_publishing(&dir) {}
                std::thread::sleep(Duration::from_micros(seeded.below(4000)));
            }
        }
        child.kill().unwrap();
        child.wait().unwrap();
        left_over += staging(&dir).len();
        dir.assert_whole();
        let now = content_id(&dir);
        if now == id {
            kept += 1
        } else {
            replaced += 1
        }
        id = now;
    }
    println!("kills: {kept} kept the old index, {replaced} came after the new one, {left_over} left a folder over");
    assert!(kept > 0 && left_over > 0, "no kill came in time");
    dir.build(&["src"]).code(0);
    assert_eq!(staging(&dir), Vec::<String>::new());
    let lasting: Vec<String> = dir.names("index").into_iter().filter(|name| name != "stamps").collect();
    assert!(lasting.len() <= 4, "{lasting:?}");
    dir.assert_whole();
    dir.search(&["--", "helper7"]).code(0);
}

#[test]
fn packs_pulls_and_publications_killed_at_any_moment_break_nothing() {
    let dir = Dir::empty();
    tree(&dir, 150);
    dir.build(&["src"]).code(0);
    let pack = ["pack", "index", "-o", "index.sxt", "--level", "1", "--profile", "full"];
    dir.index_cmd(&pack).run().code(0);
    let publish = ["publish", "index.sxt", "place", "--keep", "2", "--quiet"];
    dir.index_cmd(&publish).run().code(0);
    let pull = ["pull", "place", "-o", "pulled", "--profile", "full", "--quiet"];
    dir.cmd(&pull).run().code(0);
    let mut seeded = Seeded(0xfeed);
    let mut took = [Duration::from_millis(300); 3];
    let (mut kept, begun) = (0, Instant::now());
    for n in 0..KILLS * effort() {
        if begun.elapsed() > MOST_TIME.mul_f64(effort() as f64) {
            break;
        }
        dir.write("src/changes.py", format!("round = {n}\n"));
        dir.build(&["src"]).code(0);
        for (step, seconds) in took.iter_mut().enumerate() {
            let command = || match step {
                0 => dir.index_cmd(&pack),
                1 => dir.index_cmd(&publish),
                _ => dir.cmd(&pull),
            };
            let mut child = command().spawn();
            std::thread::sleep(seconds.mul_f64(seeded.below(110) as f64 / 100.0));
            kept += u64::from(child.try_wait().unwrap().is_none());
            child.kill().unwrap();
            child.wait().unwrap();
            // In every case the pack is valid, the latest pack can be pulled, and the index is intact.
            if step == 2 {
                dir.cmd(&["verify", "--index", "pulled"]).run().code(0);
            } else {
                dir.cmd(&["pull", if step == 0 { "index.sxt" } else { "place" }, "-o", "other"]).run().code(0);
            }
            // The next step needs the result of this one.
            let again = Instant::now();
            command().run().code(0);
            *seconds = again.elapsed();
        }
        assert_eq!(content_id(&dir), Generation::open(&dir.path("pulled")).unwrap().manifest().content_id);
    }
    println!("{kept} kills came in time");
    assert!(kept > 0, "no kill came in time");
    let names = dir.names("pulled");
    assert!(names.iter().all(|name| name == "CURRENT" || name == "LOCK" || name.starts_with("gen-")), "{names:?}");
}

#[test]
fn leftovers_of_every_kind_are_removed() {
    let dir = Dir::with("//- /a.py\nx = 1\n");
    dir.build(&["src", "--model", "none"]).code(0);
    dir.write("index/staging-1-abc/text/chunks/half", "x");
    dir.write("index/CURRENT.tmp", "gen-0000");
    // A build that was killed after it renamed its folder, before it replaced CURRENT.
    let unnamed = dir.index().join("gen-000002-0123456789ab");
    fs_err::create_dir(&unnamed).unwrap();
    dir.write("src/a.py", "x = 2\n");
    dir.build(&["src", "--model", "none"]).code(0);
    dir.assert_whole();
    assert_eq!(staging(&dir), Vec::<String>::new());
    assert!(dir.generation().file_name().unwrap().to_str().unwrap().starts_with("gen-000003-"));
    assert!(!dir.path("index/CURRENT.tmp").exists());
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_old_index() {
    let dir = Dir::empty();
    tree(&dir, 10);
    dir.build(&["src"]).code(0);
    let before = content_id(&dir);
    tree(&dir, 1500);
    for name in ["INT", "TERM"] {
        let mut child = dir.build_cmd(&["src", "--json", "--threads", "1"]).spawn();
        wait_for(&mut child, "index");
        signal(&child, name);
        let output = finish(child, format!("a build and SIG{name}")).code(130).says(&["previous index is unchanged"]);
        assert!(!output.stderr.contains("panicked"), "{}", output.all());
        assert_eq!(content_id(&dir), before);
        assert_eq!(staging(&dir), Vec::<String>::new(), "SIG{name}");
        dir.assert_whole();
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_without_an_index_leaves_none() {
    let dir = Dir::empty();
    tree(&dir, 1500);
    let mut child = dir.build_cmd(&["src", "--json", "--threads", "1"]).spawn();
    wait_for(&mut child, "index");
    signal(&child, "INT");
    finish(child, "a build and SIGINT".to_owned()).code(130);
    dir.assert_nothing_published("index");
}

#[cfg(unix)]
#[test]
fn one_of_two_builds_is_refused() {
    let dir = Dir::empty();
    tree(&dir, 300);
    let mut first = dir.build_cmd(&["src", "--json"]).spawn();
    wait_for(&mut first, "index");
    signal(&first, "STOP");
    let second = dir.build(&["src"]);
    let staged = staging(&dir);
    signal(&first, "CONT");
    second.failed(&["another build", "index"]);
    assert_eq!(staged.len(), 1, "the refused build leaves the other's folder alone");
    finish(first, "the first build".to_owned()).code(0);
    dir.assert_whole();
    // The lock is released when its owner ends.
    dir.build(&["src", "--model", "none"]).code(0);
}

#[test]
fn a_reader_keeps_the_generation_that_it_opened() {
    let dir = Dir::with("//- /a.py\nx = 1\n");
    dir.build(&["src", "--model", "none"]).code(0);
    let opened = Generation::open(&dir.index()).unwrap();
    dir.write("src/a.py", "x = 2\n");
    dir.build(&["src", "--model", "none"]).code(0);
    assert_ne!(opened.manifest().content_id, content_id(&dir));
    let report = sextant_verify::verify(&opened);
    assert!(report.problems.is_empty(), "{:?}", report.problems);
}

#[test]
fn a_search_finds_an_index_at_every_moment_of_a_rebuild() {
    let dir = Dir::empty();
    tree(&dir, 100);
    dir.build(&["src", "--model", "none"]).code(0);
    let mut searches = 0;
    for n in 0..3 {
        dir.write("src/changes.py", format!("round = {n}\n"));
        let mut child = dir.build_cmd(&["src", "--model", "none"]).spawn();
        while child.try_wait().unwrap().is_none() {
            dir.search(&["--mode", "text", "--", "helper7"]).code(0);
            searches += 1;
        }
    }
    assert!(searches > 3, "{searches}");
}

#[cfg(unix)]
#[test]
fn links_in_an_index_folder_are_not_followed() {
    use std::os::unix::fs::symlink;
    let dir = Dir::with("//- /a.py\nx = 1\n");
    dir.write("precious", "mine");
    fs_err::create_dir_all(dir.index()).unwrap();
    for name in ["LOCK", "CURRENT.tmp"] {
        symlink(dir.path("precious"), dir.index().join(name)).unwrap();
    }
    dir.build(&["src"]).code(0);
    dir.assert_whole();
    dir.index_cmd(&["pack", "index", "-o", "index.sxt"]).run().code(0);
    // An older index, so that the pull looks for blocks to reuse.
    dir.write("src/a.py", "x = 2\n");
    dir.build(&["src"]).code(0);
    fs_err::create_dir_all(dir.path("index/pull-parts")).unwrap();
    symlink(dir.path("precious"), dir.path("index/pull-parts/local")).unwrap();
    dir.cmd(&["pull", "index.sxt", "-o", "index"]).run().code(0);
    dir.assert_whole();
    symlink(dir.path("src"), dir.path("index/pull-parts")).unwrap();
    dir.build(&["src"]).code(0);
    dir.cmd(&["pull", "index.sxt", "-o", "index"]).run().failed(&["pull-parts is not a folder"]);
    fs_err::create_dir_all(dir.path("place")).unwrap();
    symlink(dir.path("precious"), dir.path("place/.lock")).unwrap();
    dir.index_cmd(&["publish", "index.sxt", "place"]).run().failed(&[".lock is a link"]);
    assert_eq!(fs_err::read_to_string(dir.path("precious")).unwrap(), "mine");
    assert_eq!(dir.names("src"), ["a.py"]);
}

#[test]
fn a_checkout_reveals_its_commit_and_no_other_file() {
    let dir = Dir::with("//- /a.py\nx = 1\n");
    dir.write("secret", "key = 1");
    let commit = || {
        dir.build(&["src", "--model", "none"]).code(0);
        Generation::open(&dir.index()).unwrap().manifest().repositories[0].commit.clone()
    };
    let hash = "1234567890123456789012345678901234567890";
    for (head, found) in [
        (hash.to_owned(), Some(hash.to_owned())),
        ("key = 1".to_owned(), None),
        (format!("ref: {}", dir.path("secret").display()), None),
        ("ref: refs/../../../secret".to_owned(), None),
        ("ref: refs/heads/main".to_owned(), None),
        ("x".repeat(10_000), None),
    ] {
        dir.write("src/.git/HEAD", &head);
        assert_eq!(commit(), found, "{head:.40}");
    }
    dir.write("src/.git/HEAD", "ref: refs/heads/main\n");
    dir.write("src/.git/packed-refs", format!("# pack-refs\n{hash} refs/heads/main\n"));
    assert_eq!(commit(), Some(hash.to_owned()));
    dir.write("src/.git/refs/heads/main", "key = 1");
    assert_eq!(commit(), Some(hash.to_owned()));
}

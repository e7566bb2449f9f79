//! Packs: created, pulled from folders and servers, resumed, pulled over an older index, and refused.

use std::path::Path;

use serde_json::Value;
use sextant_format::digest;

use crate::harness::{Dir, POLYGLOT, Seeded, effort, files, walk};
use crate::tables::Tables;
use crate::web::{Fate, serve};

/// Creates a folder with an index of many files, and a pack of it.
fn packed() -> Dir {
    let dir = Dir::empty();
    tree(&dir);
    dir.build(&["src"]).code(0);
    pack(&dir, "one.sxt", &[]);
    dir
}

fn tree(dir: &Dir) {
    for (path, text) in files(POLYGLOT) {
        dir.write(&format!("src/{path}"), text);
    }
    for n in 0..300 {
        dir.write(&format!("src/pkg{}/m{n}.py", n % 7), module(n, (n * 7 + 1) % 300));
    }
    dir.write("src/data/x.bin", b"a\0b");
}

fn module(n: u64, used: u64) -> String {
    let mut seeded = Seeded(0x9e37_79b9_7f4a_7c15 ^ n);
    let mut text = format!("from pkg{}.m{used} import f{used}\nimport os.path\n\n\n", used % 7);
    for m in 0..20 {
        let (a, b) = (seeded.below(10_000), seeded.below(10_000));
        text += &format!(
            "def f{n}_{m}(value_{a}):\n    \"\"\"Turns {a} into {b}.\"\"\"\n    other = os.path.join(value_{a}, \"{b}\")\n    for item in other:\n        f{used}(item, {b})\n    return other\n\n\n"
        );
    }
    text + &format!("def f{n}(x, y=0):\n    return f{n}_1(x)\n")
}

fn pack(dir: &Dir, out: &str, args: &[&str]) -> Value {
    let output = dir.index_cmd(&[&["pack", "index", "-o", out, "--json", "--level", "3"], args].concat()).run().code(0);
    serde_json::from_str(output.stdout.lines().last().unwrap()).unwrap()
}

fn pull(dir: &Dir, source: &str, index: &str, args: &[&str]) -> Value {
    dir.cmd(&[&["pull", source, "-o", index, "--format", "json"], args].concat()).run().code(0).json()
}

fn content_id(dir: &Dir, index: &str) -> String {
    Tables::open(&dir.path(index)).generation.manifest().content_id.clone()
}

/// Returns the digests of all parts whose bytes must be equal.
fn digests(dir: &Dir, index: &str) -> Vec<(String, String)> {
    let root = Tables::open(&dir.path(index)).generation.root().to_owned();
    let is_same = |path: &str| {
        !["text", "vectors.lance", "manifest.json", "facts", "build-info.json"].iter().any(|p| path.starts_with(p))
    };
    let files = walk(&root).into_iter().filter(|(path, _)| is_same(path));
    files.map(|(path, file)| (path, digest::hash_file(&file).unwrap().0.to_hex())).collect()
}

fn assert_whole(dir: &Dir, index: &str) {
    dir.cmd(&["verify", "--index", index]).run().code(0);
    dir.index_cmd(&["verify", index]).run().code(0);
}

#[cfg(unix)]
#[test]
fn a_pack_is_as_readable_as_any_new_file() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = Dir::polyglot();
    dir.index_cmd(&["pack", "index", "-o", "index.sxt"]).run().code(0);
    let other = dir.write("other", "x");
    let mode = |path: &std::path::Path| fs_err::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&dir.path("index.sxt")), mode(&other));
}

#[test]
fn a_pulled_index_is_the_one_that_was_packed() {
    let dir = packed();
    let pulled = pull(&dir, "one.sxt", "pulled", &[]);
    assert_eq!(pulled["content_id"], content_id(&dir, "index"));
    assert_eq!(digests(&dir, "pulled"), digests(&dir, "index"));
    assert_whole(&dir, "pulled");
    for query in ["f17", "where are paths joined", "Session.close"] {
        let found = |index: &str| dir.cmd(&["search", "--index", index, "--format", "json", "--", query]).run().json();
        assert_eq!(found("pulled")["results"], found("index")["results"], "{query}");
    }
    // The second pull fetches nothing.
    let again = pull(&dir, "one.sxt", "pulled", &[]);
    assert_eq!((&again["was_current"], &again["generation"]), (&Value::Bool(true), &pulled["generation"]));
}

#[test]
fn profiles_contain_their_parts() {
    let dir = packed();
    let refused = dir.cmd(&["pull", "one.sxt", "-o", "pulled", "--profile", "full"]).run();
    refused.failed(&["profile", "query", "full"]);
    let full = pack(&dir, "full.sxt", &["--profile", "full", "--base", "one.sxt"]);
    assert!(full["reused"]["blocks"].as_u64().unwrap() > 10, "{full}");
    pull(&dir, "full.sxt", "pulled", &[]);
    assert!(!dir.path("pulled").join(&dir.names("pulled")[1]).join("vectors.lance").exists());
    let pulled = pull(&dir, "full.sxt", "pulled", &["--profile", "full"]);
    let root = dir.path("pulled").join(pulled["generation"].as_str().unwrap());
    assert!(root.join("vectors.lance").exists() && root.join("facts").exists());
    assert_whole(&dir, "pulled");
    // The next build reuses an index that was pulled with the profile `full`.
    dir.write("src/new.py", "x = 1\n");
    let output = dir.index_cmd(&["build", "src", "-o", "pulled", "--json", "--threads", "2"]).run().code(0);
    let summary: Value = serde_json::from_str(output.stdout.lines().last().unwrap()).unwrap();
    assert!(summary["reuse"]["analyses"].as_u64().unwrap() > 300, "{summary}");
}

#[test]
fn the_table_of_a_full_pack_has_the_chunks_of_one_segment() {
    let dir = packed();
    dir.write("src/aaa.py", module(2001, 5));
    dir.build(&["src"]).code(0);
    pack(&dir, "full.sxt", &["--profile", "full"]);
    pull(&dir, "full.sxt", "pulled", &["--profile", "full"]);
    dir.index_cmd(&["verify", "pulled"]).run().code(0);
    // Onto an older index, and with a build after it.
    dir.write("src/aab.py", module(2002, 5));
    dir.build(&["src"]).code(0);
    pack(&dir, "next.sxt", &["--profile", "full"]);
    pull(&dir, "next.sxt", "pulled", &["--profile", "full"]);
    dir.index_cmd(&["verify", "pulled"]).run().code(0);
    dir.write("src/aac.py", module(2003, 5));
    dir.index_cmd(&["build", "src", "-o", "pulled", "--quiet", "--threads", "2"]).run().code(0);
    dir.index_cmd(&["verify", "pulled"]).run().code(0);
}

#[test]
fn only_what_is_new_is_fetched() {
    let dir = packed();
    pull(&dir, "one.sxt", "pulled", &[]);
    dir.write("src/pkg3/m3.py", module(1003, 5));
    fs_err::remove_file(dir.path("src/pkg5/m5.py")).unwrap();
    dir.build(&["src"]).code(0);
    pack(&dir, "two.sxt", &["--base", "one.sxt"]);
    let sent = serve(
        &dir.path(""),
        |_| Fate::Answered,
        |address| {
            let pulled = pull(&dir, &format!("{address}/two.sxt"), "pulled", &[]);
            assert_eq!(pulled["content_id"], content_id(&dir, "index"));
            assert!(pulled["reused"].as_u64() > pulled["blocks"].as_u64().map(|blocks| blocks / 2), "{pulled}");
        },
    );
    let all = fs_err::metadata(dir.path("two.sxt")).unwrap().len();
    assert!(sent < all / 2, "{sent} of {all}");
    assert_eq!(digests(&dir, "pulled"), digests(&dir, "index"));
    // A pull repairs a damaged index.
    let chunks = Tables::open(&dir.path("pulled")).generation.path("segments/000000/symbols.parquet");
    let mut bytes = fs_err::read(&chunks).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 100].fill(0x5a);
    fs_err::write(&chunks, bytes).unwrap();
    dir.write("src/pkg3/m3.py", module(1004, 5));
    dir.build(&["src"]).code(0);
    pack(&dir, "three.sxt", &[]);
    let pulled = pull(&dir, "three.sxt", "pulled", &[]);
    assert_eq!(pulled["content_id"], content_id(&dir, "index"));
    assert_whole(&dir, "pulled");
}

#[test]
fn servers_misbehave() {
    let dir = packed();
    type Fates<'a> = (&'a str, &'a (dyn Fn(u64) -> Fate + Sync));
    let kinds: [Fates<'_>; 4] = [
        ("errors", &|n| if n % 3 == 1 { Fate::Status(503) } else { Fate::Answered }),
        ("cut", &|n| if n % 3 == 1 { Fate::Cut } else { Fate::Answered }),
        ("garbled", &|n| if n == 1 || n == 2 { Fate::Garbled } else { Fate::Answered }),
        ("no parts", &|_| Fate::Whole),
    ];
    for (kind, fate) in kinds {
        serve(&dir.path(""), fate, |address| {
            let index = format!("pulled {kind}");
            let pulled = pull(&dir, &format!("{address}/one.sxt"), &index, &["--parallel", "3"]);
            assert_eq!(pulled["content_id"], content_id(&dir, "index"), "{kind}");
            assert_eq!(dir.names(&index).len(), 3, "{kind}: {:?}", dir.names(&index));
        });
    }
    serve(
        &dir.path(""),
        |_| Fate::Status(404),
        |address| {
            dir.cmd(&["pull", &format!("{address}/one.sxt"), "-o", "none"]).run().failed(&["does not exist", "hint"]);
            dir.assert_nothing_published("none");
        },
    );
}

#[test]
fn an_interrupted_pull_resumes() {
    let dir = packed();
    // The server answers three requests, then it returns only 404.
    let fate = |n| if n < 3 { Fate::Answered } else { Fate::Status(404) };
    let full = pack(&dir, "full.sxt", &["--profile", "full"]);
    let (mut first, source) = (0, "full.sxt");
    serve(&dir.path(""), fate, |address| {
        let pull = ["pull", &format!("{address}/{source}"), "-o", "pulled", "--profile", "full", "--parallel", "1"];
        dir.cmd(&pull).run().failed(&["does not exist"]);
        dir.assert_nothing_published("pulled");
        first = full["bytes"].as_u64().unwrap();
    });
    serve(
        &dir.path(""),
        |_| Fate::Answered,
        |address| {
            let pulled = pull(&dir, &format!("{address}/{source}"), "pulled", &["--profile", "full"]);
            let (fetched, resumed) = (pulled["fetched_bytes"].as_u64().unwrap(), pulled["resumed"].as_u64().unwrap());
            assert!(resumed > 0 && fetched < first, "{pulled}");
        },
    );
    assert_whole(&dir, "pulled");
    assert_eq!(digests(&dir, "pulled"), digests(&dir, "index"));
}

#[test]
fn signatures_are_checked_if_a_key_is_set() {
    let dir = packed();
    let public = dir.index_cmd(&["keys", "my.key"]).run().code(0).stdout.trim().to_owned();
    dir.index_cmd(&["keys", "other.key"]).env("SEXTANT_SIGN_PASSWORD", "secret").run().code(0);
    let other = fs_err::read_to_string(dir.path("other.pub")).unwrap().lines().last().unwrap().to_owned();
    dir.index_cmd(&["keys", "my.key"]).run().failed(&["never replaced"]);
    pack(&dir, "signed.sxt", &["--sign", "my.key"]);
    assert_eq!(pull(&dir, "signed.sxt", "a", &[])["signature_checked"], false);
    assert_eq!(pull(&dir, "signed.sxt", "b", &["--key", &public])["signature_checked"], true);
    assert_eq!(pull(&dir, "signed.sxt", "c", &["--key", "my.pub"])["signature_checked"], true);
    dir.cmd(&["pull", "signed.sxt", "-o", "d", "--key", &other]).run().failed(&["not trusted"]);
    dir.cmd(&["pull", "one.sxt", "-o", "d", "--key", &public]).run().failed(&["not signed"]);
    dir.cmd(&["pull", "one.sxt", "-o", "d", "--key", "nonsense"]).run().failed(&["cannot be used"]);
    dir.index_cmd(&["pack", "index", "-o", "x.sxt", "--sign", "other.key"]).run().failed(&["SEXTANT_SIGN_PASSWORD"]);
    let encrypted = ["pack", "index", "-o", "other.sxt", "--level", "1", "--sign", "other.key"];
    dir.index_cmd(&encrypted).env("SEXTANT_SIGN_PASSWORD", "secret").run().code(0);
    assert_eq!(pull(&dir, "other.sxt", "e", &["--key", &other])["signature_checked"], true);
    // The signature covers the pack's index, which names every block.
    let mut bytes = fs_err::read(dir.path("signed.sxt")).unwrap();
    let at = bytes.len() - 700;
    bytes[at] ^= 1;
    dir.write("changed.sxt", bytes);
    dir.cmd(&["pull", "changed.sxt", "-o", "f", "--key", &public]).run().failed(&["changed.sxt"]);
    dir.assert_nothing_published("f");
}

#[test]
fn damage_anywhere_in_a_pack_is_refused() {
    let dir = packed();
    pull(&dir, "one.sxt", "pulled", &[]);
    let before = content_id(&dir, "pulled");
    dir.write("src/new.py", "x = 1\n");
    dir.build(&["src"]).code(0);
    pack(&dir, "two.sxt", &[]);
    let whole = fs_err::read(dir.path("two.sxt")).unwrap();
    let mut seeded = Seeded(0xbad);
    for n in 0..40 * effort() {
        let mut damaged = whole.clone();
        match n % 4 {
            0 => damaged.truncate(seeded.below(whole.len() as u64) as usize),
            1 => damaged.extend(b"more"),
            // Most numbers are in the footer and the index.
            2 => {
                let at = whole.len() - 1 - seeded.below(3000.min(whole.len() as u64)) as usize;
                damaged[at] = damaged[at].wrapping_add(1 + seeded.below(255) as u8);
            }
            _ => damaged[seeded.below(whole.len() as u64) as usize] ^= 1 << seeded.below(8),
        }
        dir.write("damaged.sxt", &damaged);
        let output = dir.cmd(&["pull", "damaged.sxt", "-o", "pulled"]).limit_memory(4096).run();
        assert!(!output.stderr.contains("panicked") && !output.stderr.contains("unexpectedly"), "{}", output.all());
        if output.code == Some(0) {
            // The damaged block was reused from the older index instead.
            assert_eq!(content_id(&dir, "pulled"), content_id(&dir, "index"));
            fs_err::remove_dir_all(dir.path("pulled")).unwrap();
            pull(&dir, "one.sxt", "pulled", &[]);
        } else {
            assert_eq!(output.code, Some(2), "{}", output.all());
            assert_eq!(content_id(&dir, "pulled"), before);
        }
    }
    assert_whole(&dir, "pulled");
}

#[test]
fn sources_that_are_not_packs_are_refused() {
    let dir = packed();
    dir.write("text.sxt", "no pack, but long enough to have a footer that could be read as one. ".repeat(3));
    dir.write("empty.sxt", "");
    for (source, words) in [
        ("text.sxt", ["text.sxt", "truncated, or not a pack"]),
        ("empty.sxt", ["empty.sxt", "truncated, or not a pack"]),
        ("nowhere.sxt", ["nowhere.sxt", "No such file"]),
        ("ftp://example.org/x.sxt", ["ftp://", "not a supported scheme"]),
        ("index", ["index", "is an index, not a location"]),
    ] {
        dir.cmd(&["pull", source, "-o", "none"]).run().failed(&words);
    }
    // A folder with other files is not written to.
    dir.cmd(&["pull", "one.sxt", "-o", "src"]).run().failed(&["is not an index"]);
    assert!(!Path::new(&dir.path("src/CURRENT")).exists());
}

#[test]
fn a_remote_has_branches_and_keeps_the_latest_packs() {
    let dir = packed();
    let publish = |pack: &str, args: &[&str]| {
        let output = dir.index_cmd(&[&["publish", pack, "place", "--json"], args].concat()).run().code(0);
        serde_json::from_str::<Value>(output.stdout.lines().last().unwrap()).unwrap()
    };
    dir.cmd(&["list", "place"]).run().failed(&["does not exist"]);
    publish("one.sxt", &["--keep", "2"]);
    assert_eq!(publish("one.sxt", &["--keep", "2"])["already_latest"], true);
    // As if the first publication had been killed before it wrote the list of branches.
    fs_err::remove_file(dir.path("place/index.json")).unwrap();
    assert_eq!(publish("one.sxt", &["--keep", "2"])["already_latest"], true);
    pull(&dir, "place", "z", &[]);
    let mut ids = vec![content_id(&dir, "index")];
    for n in 0..3 {
        dir.write("src/new.py", format!("x = {n}\n"));
        dir.write("src/.git/HEAD", format!("{n}234567890123456789012345678901234567890"));
        dir.build(&["src"]).code(0);
        pack(&dir, "next.sxt", &[]);
        let published = publish("next.sxt", &["--keep", "2"]);
        assert_eq!(published["removed"].as_array().unwrap().len(), usize::from(n > 0), "{published}");
        ids.push(content_id(&dir, "index"));
    }
    publish("one.sxt", &["--branch", "feature/x"]);
    assert_eq!(dir.names("place/packs/main").len(), 2);
    let listed = dir.cmd(&["list", "place", "--format", "json"]).run().code(0).json();
    let main = &listed["branches"][1];
    assert_eq!(main["branch"], "main");
    let found: Vec<&str> =
        main["entries"].as_array().unwrap().iter().map(|entry| entry["content_id"].as_str().unwrap()).collect();
    assert_eq!(found, [&ids[3], &ids[2]]);
    let text = |args: &[&str]| dir.cmd(args).run().code(0).stdout;
    assert!(text(&["list", "place", "--branch", "main"]).contains("src 2234567890"));
    // The latest pack, one by its commit, one of a branch; then the same over HTTP.
    assert_eq!(pull(&dir, "place", "a", &[])["content_id"], ids[3].as_str());
    assert_eq!(pull(&dir, "place", "b", &["--commit", "1234"])["content_id"], ids[2].as_str());
    assert_eq!(pull(&dir, "place", "c", &["--branch", "feature/x"])["content_id"], ids[0].as_str());
    dir.cmd(&["pull", "place", "-o", "d", "--branch", "no"]).run().failed(&["does not exist"]);
    dir.cmd(&["pull", "place", "-o", "d", "--commit", "ffff"]).run().failed(&["ffff"]);
    // A list that assigns the commit to another pack.
    let list = dir.path("place/branches/main.json");
    let honest = fs_err::read_to_string(&list).unwrap();
    let mut lying: Value = serde_json::from_str(&honest).unwrap();
    lying["entries"][1]["pack"] = lying["entries"][0]["pack"].clone();
    fs_err::write(&list, lying.to_string()).unwrap();
    dir.cmd(&["pull", "place", "-o", "d", "--commit", "1234"]).run().failed(&["not built from the commit 1234"]);
    fs_err::write(&list, honest).unwrap();
    serve(
        &dir.path(""),
        |_| Fate::Answered,
        |address| {
            let place = format!("{address}/place");
            assert_eq!(pull(&dir, &place, "e", &[])["content_id"], ids[3].as_str());
            assert!(text(&["list", &place]).starts_with("feature/x\n"));
        },
    );
}

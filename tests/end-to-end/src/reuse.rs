//! Reuse of earlier builds: the index is the same with and without it.

use serde_json::Value;
use sextant_format::ids::ChunkId;

use crate::harness::{Dir, POLYGLOT, Seeded, effort, files, walk};
use crate::tables::Tables;

/// Runs `build --json` and returns its last event.
fn build(dir: &Dir, source: &str, index: &str, args: &[&str]) -> Value {
    let output =
        dir.index_cmd(&[&["build", source, "-o", index, "--json", "--threads", "2"], args].concat()).run().code(0);
    serde_json::from_str(output.stdout.lines().last().unwrap()).unwrap()
}

fn content_id(dir: &Dir, index: &str) -> String {
    Tables::open(&dir.path(index)).generation.manifest().content_id.clone()
}

/// Checks that two indexes have the same rows, vectors and graph, wherever they are stored.
fn assert_same_rows(dir: &Dir, index: &str, other: &str) {
    let (one, two) = (Tables::open(&dir.path(index)), Tables::open(&dir.path(other)));
    assert_eq!(one.files, two.files);
    assert_eq!(one.chunks, two.chunks);
    assert_eq!(one.symbols, two.symbols);
    assert_eq!(one.edges, two.edges);
    assert_eq!(one.externals, two.externals);
    assert_eq!(one.skipped, two.skipped);
    assert_eq!(one.generation.file_vectors().unwrap(), two.generation.file_vectors().unwrap());
    let graph = |tables: &Tables| fs_err::read(tables.generation.path("graph.arrow")).unwrap();
    assert_eq!(graph(&one), graph(&two));
    let (one, two) = [one, two].map(|tables| tables.generation.vectors().unwrap().unwrap()).into();
    assert_eq!(one.rows(), two.rows());
    for row in 0..one.rows() {
        assert_eq!((one.chunk_id(row), one.row(row)), (two.chunk_id(row), two.row(row)));
        assert_eq!((one.scale(row), one.level(row)), (two.scale(row), two.level(row)));
        assert_eq!(one.row_bits(row), two.row_bits(row));
    }
    for vectors in [&one, &two].into_iter().filter(|vectors| vectors.rows() > 0) {
        let (chunk, last) = (|row: usize| vectors.chunk_id(row), vectors.rows() - 1);
        for rows in [0..last + 1, 1..last / 2, last..last + 1] {
            let mut next = rows.start;
            for part in vectors.parts(rows.clone()) {
                for (at, row) in part.rows().enumerate() {
                    assert_eq!((part.chunk_id(at), row), (chunk(row), next));
                    assert_eq!((part.scales()[at], part.levels()[at]), (vectors.scale(row), vectors.level(row)));
                    assert_eq!(&part.values()[at * vectors.stride()..][..vectors.stride()], vectors.row(row));
                    next += 1;
                }
            }
            assert_eq!(next, rows.end.max(rows.start));
        }
        assert_eq!(vectors.rows_between(&(chunk(0)..chunk(last))), 0..last);
        assert!((0..=last).all(|row| vectors.row_of(chunk(row)) == Some(row)));
        let ids = ChunkId::new(0)..ChunkId::new(u32::MAX);
        assert_eq!(vectors.rows_between(&ids), 0..vectors.rows());
        let ids = ChunkId::range(ids).take(chunk(last).index());
        assert_eq!(ids.filter(|&id| vectors.row_of(id).is_none()).count(), chunk(last).index() - last);
    }
}

/// Writes Python files that use each other, and one file of each other language.
fn tree(dir: &Dir) {
    for (path, text) in files(POLYGLOT) {
        dir.write(&format!("src/{path}"), text);
    }
    for n in 0..40 {
        dir.write(&format!("src/pkg/m{n}.py"), module(n, n + 1));
    }
    dir.write("src/data/x.bin", b"a\0b");
}

fn module(n: u64, used: u64) -> String {
    format!(
        "from pkg.m{used} import f{used}, C{used}\n\n\nclass C{n}(C{used}):\n    \"\"\"Number {n}.\"\"\"\n\n    def go(self):\n        \
         value = C{used}()\n        return f{used}() + value.go()\n\n\ndef f{n}():\n    return {n}\n\n\ndef shared():\n    return f{n}()\n"
    )
}

/// Changes the tree in one of several realistic ways.
fn change(dir: &Dir, seeded: &mut Seeded, step: u64) {
    let files: Vec<String> = walk(&dir.path("src")).into_iter().map(|(path, _)| path).collect();
    let file = format!("src/{}", files[seeded.below(files.len() as u64) as usize]);
    let n = seeded.below(45);
    match seeded.below(6) {
        0 => drop(fs_err::remove_file(dir.path(&file))),
        1 => {
            let moved = format!("src/moved{step}/{}", file.rsplit('/').next().unwrap());
            fs_err::create_dir_all(dir.path(&format!("src/moved{step}"))).unwrap();
            dir.rename(&file, &moved);
        }
        2 => drop(dir.write(&format!("src/pkg/m{n}.py"), module(n, seeded.below(45)))),
        3 => drop(dir.write(&format!("src/new{step}.py"), format!("from pkg.m{n} import f{n}\n\nf{n}()\n"))),
        4 => {
            let text = fs_err::read(dir.path(&file)).unwrap();
            drop(dir.write(&file, [b"\n\n".as_slice(), &text].concat()));
        }
        _ => {
            let text = fs_err::read(dir.path(&file)).unwrap();
            drop(dir.write(&format!("src/copy{step}/{}", file.rsplit('/').next().unwrap()), text));
        }
    }
}

#[test]
fn a_chain_of_changes_gives_what_full_builds_give() {
    let dir = Dir::empty();
    tree(&dir);
    let mut seeded = Seeded(0x1_2345);
    build(&dir, "src", "index", &["--cache", "cache"]);
    let (mut in_pieces, mut in_segments) = (0, 0);
    for step in 0..6 * effort() {
        for _ in 0..=seeded.below(4) {
            change(&dir, &mut seeded, step);
        }
        let summary = build(&dir, "src", "index", &[]);
        assert!(summary["reuse"]["analyses"].as_u64().unwrap() > 20, "{summary}");
        build(&dir, "src", &format!("full{step}"), &["--no-reuse"]);
        assert_eq!(content_id(&dir, "index"), content_id(&dir, &format!("full{step}")), "step {step}");
        assert_same_rows(&dir, "index", &format!("full{step}"));
        in_segments += u64::from(Tables::open(&dir.index()).generation.manifest().segments.len() > 1);
        dir.assert_whole();
        in_pieces += u64::from(dir.generation().join("text/pieces.json").exists());
        assert_same_answers(&dir, "index", &format!("full{step}"));
    }
    assert!(in_pieces > 3 && in_segments > 3, "{in_pieces} {in_segments}");
}

/// Checks that two indexes of one state give the same answers.
fn assert_same_answers(dir: &Dir, index: &str, other: &str) {
    for question in QUESTIONS {
        let answer = |index: &str| {
            let output = dir.cmd(&[question, &["--index", index, "--format", "json"][..]].concat()).run();
            // If a step has removed the symbol in question, the answer is an error message.
            let mut answer = serde_json::from_str(&output.stdout).unwrap_or(Value::from(output.stderr));
            answer.as_object_mut().map(|answer| answer.remove("took_ms"));
            (output.code, answer)
        };
        assert_eq!(answer(index), answer(other), "{other}: {question:?}");
    }
}

#[test]
fn small_segments_become_one_and_the_first_one_stays() {
    let dir = Dir::empty();
    tree(&dir);
    for n in 45..500 {
        dir.write(&format!("src/pkg/m{n}.py"), module(n, n % 40));
    }
    build(&dir, "src", "index", &[]);
    let mut seeded = Seeded(7);
    for step in 0..30 {
        // One file, every third time one that was changed before.
        let n = if step % 3 == 0 { 50 } else { 45 + seeded.below(400) };
        dir.write(&format!("src/pkg/m{n}.py"), format!("{}\n\n# step {step}\n", module(n, n % 39)));
        let summary = build(&dir, "src", "index", &[]);
        assert!(summary["reuse"]["analyses"].as_u64().unwrap() > 400, "{summary}");
        if step % 10 == 9 {
            let full = format!("full{step}");
            build(&dir, "src", &full, &["--no-reuse"]);
            assert_eq!(content_id(&dir, "index"), content_id(&dir, &full), "step {step}");
            assert_same_rows(&dir, "index", &full);
            assert_same_answers(&dir, "index", &full);
            dir.assert_whole();
        }
    }
    let segments = Tables::open(&dir.index()).generation.manifest().segments.clone();
    assert_eq!(segments[0].name, "000000", "everything was written again");
    assert!((2..=12).contains(&segments.len()), "{segments:?}");
    for part in ["text/chunks", "text/symbols", "text/removed"] {
        let names = dir.names(&format!("{}/{part}", dir.generation().strip_prefix(dir.path("")).unwrap().display()));
        let count = names.iter().filter(|name| name.ends_with(".store")).count();
        assert!((1..=16).contains(&count), "{part}: {names:?}");
    }
}

#[test]
fn edges_of_a_file_that_begin_in_another_one_follow_it() {
    let dir = Dir::empty();
    let shape = "pub struct House;\n\npub trait Draw {\n    fn draw(&self);\n}\n\npub fn keep(house: &House) {\n    house.draw();\n}\n";
    let walls = "use crate::shape::{Draw, House};\n\nimpl Draw for House {\n    fn draw(&self) {}\n}\n";
    dir.write("src/lib.rs", "mod shape;\nmod walls;\nmod yard;\n");
    dir.write("src/yard.rs", "use crate::shape::House;\n\npub fn fence(_: House) {}\n");
    for n in 0..20 {
        dir.write(&format!("src/other{n}.rs"), format!("pub fn other{n}() -> u32 {{\n    {n}\n}}\n"));
    }
    dir.write("src/shape.rs", shape);
    dir.write("src/walls.rs", walls);
    build(&dir, "src", "index", &[]);
    let steps = [
        ("src/yard.rs", String::new()),
        ("src/walls.rs", format!("// Thick.\n{walls}")),
        ("src/walls.rs", "use crate::shape::House;\n\npub fn paint(_: House) {}\n".to_owned()),
        ("src/walls.rs", walls.to_owned()),
        ("src/shape.rs", format!("{shape}// Done.\n")),
    ];
    let mut keeping = 0;
    for (step, (path, text)) in steps.into_iter().enumerate() {
        dir.write(path, text);
        let summary = build(&dir, "src", "index", &[]);
        keeping += u32::from(summary["reuse"]["resolved_files"].as_u64().unwrap() < 10);
        let full = format!("full{step}");
        build(&dir, "src", &full, &["--no-reuse"]);
        assert_same_rows(&dir, "index", &full);
    }
    assert!(keeping > 2, "{keeping}");
}

/// Frequent and rare words, names, filters, a misspelling, the end of a path.
const QUESTIONS: &[&[&str]] = &[
    &["search", "value of shared", "--explain"],
    &["search", "number", "--mode", "text", "--limit", "50"],
    &["search", "retry with a longer wait", "--language", "go", "--explain"],
    &["search", "C7.go", "--path", "pkg"],
    &["search", "retrun the valeu", "--mode", "text"],
    &["search", "shared", "--mode", "structural", "--limit", "40"],
    &["definition", "f3"],
    &["references", "f5"],
    &["symbols", "go"],
    &["read", "m7.py"],
];

#[test]
fn an_unchanged_tree_keeps_its_generation() {
    let dir = Dir::empty();
    tree(&dir);
    let first = build(&dir, "src", "index", &[]);
    let second = build(&dir, "src", "index", &[]);
    assert_eq!(second["reuse"]["unchanged"], true);
    assert_eq!(second["generation"], first["generation"]);
    for count in ["files", "bytes", "lines", "chunks", "symbols", "edges", "vectors", "languages", "skipped"] {
        assert_eq!(second[count], first[count], "{count}");
    }
    // Leftovers of a killed build are removed nevertheless.
    for n in 2..4 {
        fs_err::create_dir(dir.path(&format!("index/gen-00000{n}-0123456789ab"))).unwrap();
    }
    build(&dir, "src", "index", &[]);
    assert_eq!(dir.names("index").iter().filter(|name| name.starts_with("gen-")).count(), 2);
    // Another modification time is not a change. Another byte is, also in a skipped file.
    dir.write("src/pkg/m1.py", module(1, 2));
    assert_eq!(build(&dir, "src", "index", &[])["reuse"]["unchanged"], true);
    dir.write("src/data/x.bin", "text now");
    let changed = build(&dir, "src", "index", &[]);
    assert_eq!(changed["reuse"]["unchanged"], false);
    assert_ne!(changed["content_id"], first["content_id"]);
}

#[test]
fn another_commit_of_the_same_files_is_recorded() {
    let dir = Dir::empty();
    tree(&dir);
    dir.write("src/.git/HEAD", "1111111111111111111111111111111111111111\n");
    let first = build(&dir, "src", "index", &[]);
    dir.write("src/.git/HEAD", "2222222222222222222222222222222222222222\n");
    let second = build(&dir, "src", "index", &[]);
    assert_eq!(second["content_id"], first["content_id"]);
    assert_ne!(second["generation"], first["generation"]);
    let commit = Tables::open(&dir.index()).generation.manifest().repositories[0].commit.clone();
    assert_eq!(commit.unwrap(), "2".repeat(40));
    dir.assert_whole();
    dir.search(&["shared"]).code(0);
}

#[test]
fn other_settings_reuse_what_they_can() {
    let dir = Dir::empty();
    tree(&dir);
    build(&dir, "src", "index", &[]);
    // Another encoder: analyses are reused, vectors are not.
    let none = build(&dir, "src", "index", &["--model", "none"]);
    assert_eq!((&none["reuse"]["analyses"], &none["reuse"]["vectors"]), (&none["files"], &0.into()));
    // Another selection: the remaining files are reused.
    let fewer = build(&dir, "src", "index", &["--exclude", "m1.py"]);
    assert_eq!(fewer["reuse"]["analyses"], fewer["files"]);
    // Other chunk limits: nothing is reused.
    let other = build(&dir, "src", "index", &["--window-lines", "10"]);
    assert_eq!(other["reuse"]["analyses"], 0);
    build(&dir, "src", "full", &["--no-reuse", "--window-lines", "10"]);
    assert_eq!(content_id(&dir, "index"), content_id(&dir, "full"));
}

#[test]
fn a_macro_that_changes_changes_the_files_that_use_it() {
    let dir = Dir::empty();
    let header = |prefix: &str| format!("#define CALL(name, type, arg) long {prefix}_##name(type arg)\n");
    dir.write("src/call.h", header("sys"));
    dir.write("src/open.c", "#include \"call.h\"\nCALL(open, int, flags)\n{\n    return flags;\n}\n");
    for n in 0..8 {
        dir.write(&format!("src/plain{n}.c"), format!("int plain{n}(void)\n{{\n    return {n};\n}}\n"));
    }
    build(&dir, "src", "index", &[]);
    assert!(dir.cmd(&["definition", "sys_open"]).run().code(0).stdout.contains("open.c:2  function sys_open"));
    dir.write("src/call.h", header("do"));
    let changed = build(&dir, "src", "index", &[]);
    // The header, and the file whose text is the same but whose macro is not.
    assert_eq!((&changed["reuse"]["analyses"], &changed["reuse"]["resolved_files"]), (&8.into(), &2.into()));
    build(&dir, "src", "full", &["--no-reuse"]);
    assert_eq!(content_id(&dir, "index"), content_id(&dir, "full"));
    assert!(dir.cmd(&["definition", "do_open"]).run().code(0).stdout.contains("open.c:2  function do_open"));
    assert!(!dir.cmd(&["definition", "sys_open"]).run().stdout.contains("function sys_open"));
    dir.assert_whole();
}

#[test]
fn a_cache_serves_other_checkouts_and_interrupted_builds() {
    let dir = Dir::empty();
    tree(&dir);
    build(&dir, "src", "index", &["--cache", "cache"]);
    fs_err::create_dir_all(dir.path("deep/er")).unwrap();
    dir.rename("src", "deep/er/checkout");
    let elsewhere = build(&dir, "src=deep/er/checkout", "other", &["--cache", "cache"]);
    assert_eq!(elsewhere["reuse"]["analyses"], elsewhere["files"]);
    assert_eq!(elsewhere["reuse"]["vectors"], elsewhere["files"]);
    assert_eq!(content_id(&dir, "index"), content_id(&dir, "other"));
    // A damaged store counts as missing, and is reported.
    for (_, path) in walk(&dir.path("cache")) {
        let bytes = fs_err::read(&path).unwrap();
        fs_err::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    }
    let damaged = build(&dir, "src=deep/er/checkout", "third", &["--cache", "cache"]);
    assert_eq!(damaged["reuse"]["analyses"], 0);
    assert!(damaged["reuse"]["reasons"][0].as_str().unwrap().contains("is damaged"), "{damaged}");
    assert_eq!(content_id(&dir, "index"), content_id(&dir, "third"));
}

#[test]
fn a_damaged_previous_index_is_not_trusted() {
    let dir = Dir::empty();
    tree(&dir);
    build(&dir, "src", "index", &[]);
    let expected = content_id(&dir, "index");
    // The first file of the analysis cache.
    let facts = || {
        let (_, path) = walk(&dir.generation().join("facts")).into_iter().next().unwrap();
        path
    };
    for part in [3, 2, 1] {
        let path = facts();
        let mut damaged = fs_err::read(&path).unwrap();
        let at = (damaged.len() / part).min(damaged.len() - 40);
        damaged[at] ^= 0x55;
        fs_err::write(path, &damaged).unwrap();
        dir.write("src/pkg/m1.py", format!("x = {at}\n"));
        build(&dir, "src", "index", &[]);
        dir.write("src/pkg/m1.py", module(1, 2));
        build(&dir, "src", "index", &[]);
        assert_eq!(content_id(&dir, "index"), expected);
    }
    // Nothing is reused if the file is empty or the previous index is missing.
    fs_err::write(facts(), b"").unwrap();
    let cut = build(&dir, "src", "index", &[]);
    assert_eq!((cut["reuse"]["analyses"].as_u64(), content_id(&dir, "index")), (Some(0), expected.clone()));
    let absent = build(&dir, "src", "new", &["--base", "nowhere"]);
    assert!(!absent["reuse"]["reasons"].as_array().unwrap().is_empty());
    assert_eq!(content_id(&dir, "new"), expected);
}

/// The files of an index that have more than one name.
#[cfg(unix)]
fn shared_files(dir: &Dir, index: &str) -> Vec<String> {
    use std::os::unix::fs::MetadataExt;
    let files = walk(&dir.path(index)).into_iter();
    files.filter(|(_, path)| fs_err::metadata(path).unwrap().nlink() > 1).map(|(name, _)| name).collect()
}

#[cfg(unix)]
#[test]
fn the_index_of_a_worktree_shares_the_files_of_its_base() {
    let dir = Dir::empty();
    tree(&dir);
    build(&dir, "src", "index", &[]);
    // A worktree of the same state, in a folder with another name, is the same index.
    tree(&dir);
    dir.rename("src", "branch");
    dir.write("branch/.git", "gitdir: /somewhere/.git/worktrees/branch\n");
    let same = build(&dir, "branch", "other", &["--base", "index"]);
    assert_eq!((&same["reuse"]["from_base"], &same["reuse"]["unchanged"]), (&true.into(), &false.into()), "{same}");
    assert_eq!(content_id(&dir, "other"), content_id(&dir, "index"));
    let names: Vec<String> = walk(&dir.path("other")).into_iter().map(|(name, _)| name).collect();
    let own = |shared: &[String]| -> Vec<String> {
        let is_own = |name: &&String| !shared.contains(name);
        names.iter().filter(is_own).map(|name| name.rsplit('/').next().unwrap().to_owned()).collect()
    };
    let mut written = own(&shared_files(&dir, "other"));
    written.sort();
    assert_eq!(written, ["CURRENT", "LOCK", "manifest.json"], "{names:?}");
    // From then on it is nearer to its own index than to the base.
    dir.write("branch/pkg/m3.py", module(3, 9));
    let edited = build(&dir, "branch", "other", &["--base", "index"]);
    assert_eq!(edited["reuse"]["from_base"], false, "{edited}");
    build(&dir, "src=branch", "full", &["--no-reuse"]);
    assert_eq!(content_id(&dir, "other"), content_id(&dir, "full"));
    assert_same_rows(&dir, "other", "full");
    // A new one that differs shares segments, facts and text.
    let near = build(&dir, "branch", "third", &["--base", "index"]);
    assert_eq!(
        (&near["reuse"]["from_base"], &near["reuse"]["analyses"]),
        (&true.into(), &near["files"].as_u64().map(|files| files - 1).into())
    );
    assert_eq!(content_id(&dir, "third"), content_id(&dir, "full"));
    let shared = shared_files(&dir, "third");
    for part in ["segments/000000/chunks.parquet", "segments/000000/vectors.i8", "facts/0000.arrow", "text/chunks/"] {
        assert!(shared.iter().any(|name| name.contains(part)), "{part} of {shared:?}");
    }
    // Deleting the base deletes nothing of the others.
    fs_err::remove_dir_all(dir.path("index")).unwrap();
    for index in ["other", "third"] {
        dir.cmd(&["verify", "--index", index]).run().code(0);
    }
}

#[cfg(unix)]
#[test]
fn another_project_keeps_its_name_and_a_damaged_base_is_not_shared() {
    let dir = Dir::empty();
    tree(&dir);
    build(&dir, "src", "index", &[]);
    dir.write("app/main.py", "def main():\n    return 1\n");
    dir.write("app/other.py", "def other():\n    return 2\n");
    build(&dir, "app", "app-index", &["--base", "index"]);
    let names = |index: &str| {
        let manifest = Tables::open(&dir.path(index)).generation.manifest().clone();
        manifest.repositories.into_iter().map(|repository| repository.name).collect::<Vec<_>>()
    };
    assert_eq!(names("app-index"), ["app"]);
    let expected = content_id(&dir, "index");
    let graph = dir.generation().join("graph.arrow");
    let mut bytes = fs_err::read(&graph).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs_err::write(&graph, bytes).unwrap();
    let built = build(&dir, "src", "again", &["--base", "index"]);
    assert!(built["reuse"]["reasons"][0].as_str().unwrap().contains("graph.arrow"), "{built}");
    assert_eq!(content_id(&dir, "again"), expected);
    dir.cmd(&["verify", "--index", "again"]).run().code(0);
}

#[test]
fn the_doctor_reports_what_a_build_would_redo() {
    let dir = Dir::empty();
    tree(&dir);
    dir.write("src/.git/HEAD", "1111111111111111111111111111111111111111\n");
    build(&dir, "src", "index", &[]);
    let doctor = |args: &[&str]| dir.index_cmd(&[&["doctor", "index", "--json"], args].concat()).run();
    let fresh = doctor(&["src"]).code(0).json();
    assert_eq!((fresh["rebuild"].as_array().unwrap().len(), &fresh["stale_vectors"]), (0, &0.into()), "{fresh}");
    assert_eq!(fresh["checkouts"][0]["indexed_commit"], fresh["checkouts"][0]["commit"]);
    dir.write("src/pkg/m1.py", "x = 1\n");
    dir.write("src/pkg/new.py", "x = 1\n");
    fs_err::remove_file(dir.path("src/pkg/m2.py")).unwrap();
    let stale = doctor(&["src"]).code(1).json();
    let checkout = &stale["checkouts"][0];
    let paths = |kind: &str| checkout[kind].as_array().unwrap().iter().map(|p| p.as_str().unwrap()).collect::<Vec<_>>();
    assert_eq!(
        (paths("added"), paths("changed"), paths("removed")),
        (vec!["pkg/new.py"], vec!["pkg/m1.py"], vec!["pkg/m2.py"])
    );
    let other = doctor(&["--model", "none"]).code(1).json();
    assert!(other["stale_vectors"].as_u64().unwrap() > 0 && other["rebuild"][0].as_str().unwrap().contains("encoder"));
    let text = dir.index_cmd(&["doctor", "index", "src"]).run().code(1).stdout;
    assert!(text.contains("~ pkg/m1.py") && text.contains("to build"), "{text}");
}

/// Variables that the scripts set for cargo must not configure the programs.
#[test]
fn scripts_set_no_variable_of_the_programs() {
    let dir = Dir::empty();
    let help = dir.index_cmd(&["build", "--help"]).run().code(0).stdout;
    assert!(help.contains("[env: SEXTANT_CACHE="), "{help}");
    let scripts = fs_err::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/environment")).unwrap();
    for set in scripts.lines().filter_map(|line| line.trim_start().strip_prefix("export ")) {
        let name = set.split('=').next().unwrap();
        assert!(!help.contains(&format!("[env: {name}=")), "scripts/environment sets {name}");
    }
}

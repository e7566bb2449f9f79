//! Indexes of other versions and with false manifests: they are refused with a reason and a hint.

use serde_json::{Value, json};

use crate::harness::Dir;
use crate::program::Output;

const SMALL: &str = "//- /a.py\ndef a():\n    return 1\n";

/// Creates an index whose manifest was changed after it was published.
fn with_manifest(change: impl FnOnce(&mut Value)) -> Dir {
    let dir = Dir::indexed(SMALL);
    let path = dir.generation().join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&fs_err::read(&path).unwrap()).unwrap();
    change(&mut manifest);
    fs_err::write(path, manifest.to_string()).unwrap();
    dir
}

/// Runs all commands that open an index.
fn open_all(dir: &Dir) -> Vec<Output> {
    vec![
        dir.search(&["--", "a"]),
        dir.cmd(&["stats", "--index", "index"]).run(),
        dir.cmd(&["verify", "--index", "index"]).run(),
        dir.index_cmd(&["verify", "index"]).run(),
    ]
}

/// Asserts that a damaged index is refused, or reported by `verify`, with these words; the first is that of the report.
fn says_damaged(output: Output, words: &[&str]) {
    match output.code {
        Some(1) => assert!(output.stdout.contains(words[0]), "{}", output.all()),
        _ => {
            output.failed(words);
        }
    }
}

#[test]
fn a_newer_format_is_refused_with_both_versions() {
    let dir = with_manifest(|manifest| manifest["format_version"] = json!(999));
    for output in open_all(&dir) {
        output.failed(&["format version 999", "reads 5 to 9", "\n\nhint: ", "update sextant"]);
    }
}

#[test]
fn a_newer_format_may_have_another_shape() {
    let dir = with_manifest(|manifest| *manifest = json!({"format_version": 999, "everything": "else"}));
    for output in open_all(&dir) {
        output.failed(&["format version 999", "\n\nhint: "]);
    }
}

#[test]
fn an_older_format_needs_a_rebuild() {
    let dir = with_manifest(|manifest| manifest["format_version"] = json!(0));
    for output in open_all(&dir) {
        output.failed(&["format version 0", "\n\nhint: ", "sextant-index build"]);
    }
    // A rebuild repairs it.
    dir.build(&["src"]).code(0);
    dir.assert_whole();
}

#[test]
fn an_unknown_reader_feature_is_refused_by_name() {
    let dir = with_manifest(|manifest| manifest["reader_features"] = json!(["holograms"]));
    for output in open_all(&dir) {
        output.failed(&["reader feature 'holograms'", "\n\nhint: "]);
    }
}

#[test]
fn an_unknown_field_is_ignored() {
    let dir = with_manifest(|manifest| manifest["later"] = json!({"more": 1}));
    dir.search(&["--", "a"]).code(0);
    dir.assert_whole();
}

#[test]
fn a_path_out_of_the_index_is_refused() {
    for path in
        ["../../etc/passwd", "/etc/passwd", "text/../../../CURRENT", "C:/x", "a\\..\\b", "", ".", "./files.parquet"]
    {
        let dir = with_manifest(|manifest| manifest["files"][0]["path"] = json!(path));
        for output in open_all(&dir) {
            says_damaged(output, &["manifest.json is damaged", "leaves the index"]);
        }
    }
}

#[test]
fn a_pointer_out_of_the_index_is_refused() {
    let dir = Dir::indexed(SMALL);
    let good = dir.generation().file_name().unwrap().to_str().unwrap().to_owned();
    let outside = dir.path("gen-000001-0123456789ab");
    fs_err::create_dir(&outside).unwrap();
    let absolute = dir.generation().display().to_string();
    let nested = format!("../index/{good}");
    for text in [
        "../gen-000001-0123456789ab",
        &absolute,
        &nested,
        "/etc",
        "",
        "\n",
        ".",
        "gen-000009-0123456789ab",
        "gen-1-0123456789ab/../../gen-000001-0123456789ab",
        &"gen-".repeat(100_000),
    ] {
        dir.write("index/CURRENT", text);
        for output in open_all(&dir) {
            says_damaged(output, &["CURRENT is damaged", "\n\nhint: "]);
        }
    }
    dir.write("index/CURRENT", b"\xff\xfe");
    for output in open_all(&dir) {
        says_damaged(output, &["CURRENT"]);
    }
    dir.write("index/CURRENT", format!("{good}\n"));
    dir.assert_whole();
}

#[cfg(unix)]
#[test]
fn a_link_instead_of_a_part_is_refused() {
    let dir = Dir::indexed(SMALL);
    let part = dir.generation().join("graph.arrow");
    let elsewhere = dir.path("graph.arrow");
    fs_err::copy(&part, &elsewhere).unwrap();
    fs_err::remove_file(&part).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &part).unwrap();
    for output in open_all(&dir) {
        says_damaged(output, &["graph.arrow"]);
    }
}

#[test]
fn a_generation_without_a_manifest_is_damaged() {
    let dir = Dir::indexed(SMALL);
    fs_err::remove_file(dir.generation().join("manifest.json")).unwrap();
    for output in open_all(&dir) {
        says_damaged(output, &["manifest.json", "\n\nhint: "]);
    }
}

#[test]
fn a_manifest_with_wrong_row_counts_is_damaged() {
    for (pointer, value) in [
        ("/tables/files", json!(7)),
        ("/repositories/0/rows_hash", json!("00")),
        ("/content_id", json!("0000000000000000000000000000000000000000000000000000000000000000")),
        ("/content_id", json!("\u{e9}")),
        ("/repositories/0/name", json!("other")),
        ("/repositories", json!([])),
        ("/model", json!(null)),
        ("/model/dimensions", json!(7)),
        ("/files/0/blake3", json!("00")),
        ("/config_hash", json!("00")),
    ] {
        let dir = with_manifest(|manifest| *manifest.pointer_mut(pointer).unwrap() = value);
        for verify in [dir.cmd(&["verify", "--index", "index"]).run(), dir.index_cmd(&["verify", "index"]).run()] {
            assert!(matches!(verify.code, Some(1 | 2)), "{pointer}: {}", verify.all());
            assert!(!verify.stderr.contains("panicked"), "{pointer}: {}", verify.all());
        }
        let search = dir.search(&["--", "a"]);
        assert!(
            matches!(search.code, Some(0..=2)) && !search.stderr.contains("unexpectedly"),
            "{pointer}: {}",
            search.all()
        );
    }
}

#[test]
fn a_build_repairs_a_damaged_index() {
    let dir = Dir::indexed(SMALL);
    dir.write("index/CURRENT", "nonsense");
    dir.build(&["src"]).code(0);
    dir.assert_whole();
    fs_err::remove_file(dir.index().join("CURRENT")).unwrap();
    dir.build(&["src"]).code(0);
    dir.assert_whole();
}

//! Input that cannot be indexed: it becomes rows of skipped.parquet, or an error that publishes nothing.

use std::process::Command;

use crate::harness::Dir;
use crate::tables::Tables;

#[test]
fn files_without_text_are_skipped_with_a_reason() {
    let dir = Dir::empty();
    dir.write("src/good.py", "x = 1\n");
    dir.write("src/image.png", b"\x89PNG\0\0");
    dir.write("src/latin.txt", b"caf\xe9\n");
    dir.write("src/wide.c", "int wide(void);\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>());
    dir.write("src/noise.txt", b"\xff\x01\x02\x03\x04\n");
    dir.write("src/packed.js", "x=1;".repeat(5000));
    dir.write("src/empty.py", "");
    dir.write("src/blank.py", " \n\n");
    // A sparse file of 200 MiB.
    let huge = dir.write("src/huge.txt", "text\n");
    fs_err::OpenOptions::new().write(true).open(huge).unwrap().set_len(200 << 20).unwrap();
    let output = dir.build(&["src"]).code(0).says(&["skipped 4", "1 too-large"]);
    assert_eq!(output.stdout, "");
    dir.assert_whole();
    let tables = Tables::open(&dir.index());
    assert_eq!(tables.skips(), ["huge.txt too-large", "image.png binary", "noise.txt not-utf8", "packed.js minified"]);
    assert!(tables.skipped.iter().all(|row| row.repo == "src" && !row.detail.is_empty()));
    let statuses: Vec<String> =
        tables.files.iter().map(|file| format!("{} {}", file.path, file.parse_status)).collect();
    assert_eq!(statuses, ["blank.py empty", "empty.py empty", "good.py parsed", "latin.txt windows", "wide.c parsed"]);
    let encodings: Vec<&str> = tables.files.iter().map(|file| file.encoding.as_str()).collect();
    assert_eq!(encodings, ["utf-8", "utf-8", "utf-8", "windows-1252", "utf-16le"]);
    assert!(dir.search(&["wide"]).code(0).stdout.contains("int wide(void);"));
}

#[test]
fn the_size_limit_is_an_option() {
    let dir = Dir::empty();
    dir.write("src/ten.txt", "123456789\n");
    dir.write("src/eleven.txt", "1234567890\n");
    dir.build(&["src", "--max-file-bytes", "10", "--model", "none"]).code(0);
    let tables = Tables::open(&dir.index());
    assert_eq!(
        (tables.paths(), tables.skips()),
        (vec!["src/ten.txt".to_owned()], vec!["eleven.txt too-large".to_owned()])
    );
}

#[test]
fn a_large_text_file_is_indexed_if_it_is_allowed() {
    let dir = Dir::empty();
    dir.write("src/large.txt", "some words of a line that is not very long\n".repeat(200_000));
    dir.build(&["src", "--max-file-bytes", "100000000", "--model", "none"]).code(0);
    dir.assert_whole();
    assert_eq!(Tables::open(&dir.index()).files[0].lines, 200_000);
}

#[test]
fn source_with_syntax_errors_is_indexed() {
    let dir = Dir::with(
        "
//- /broken.py
def fine():
    return 1

def broken(:
    ((((

class Also:
    def method(self):
        pass
//- /noise.rs
}}}} fn { ((( impl struct
//- /deep.js
f(
",
    );
    let deep = format!("{}x{}", "(".repeat(60_000), ")".repeat(60_000));
    dir.write("src/deep.py", deep.replace("((((", "((((\n"));
    dir.build(&["src", "--model", "none"]).code(0);
    dir.assert_whole();
    let tables = Tables::open(&dir.index());
    tables.symbol("broken.py", "fine");
    let status = |path: &str| tables.files.iter().find(|file| file.path == path).map(|file| file.parse_status.as_str());
    assert_eq!(status("broken.py"), Some("partial"));
    assert_eq!(status("noise.rs"), Some("partial"));
}

#[cfg(unix)]
#[test]
fn links_loops_and_pipes_become_rows() {
    use std::os::unix::fs::symlink;
    let dir = Dir::empty();
    dir.write("src/real/a.py", "x = 1\n");
    symlink("nowhere", dir.path("src/dangling.py")).unwrap();
    symlink("real/a.py", dir.path("src/link.py")).unwrap();
    symlink("..", dir.path("src/real/loop")).unwrap();
    symlink("/etc", dir.path("src/outside")).unwrap();
    let piped = Command::new("mkfifo").arg(dir.path("src/pipe.py")).status().is_ok_and(|status| status.success());
    dir.build(&["src", "--model", "none"]).code(0);
    dir.assert_whole();
    let tables = Tables::open(&dir.index());
    assert_eq!(tables.paths(), ["src/real/a.py"]);
    let mut expected = vec!["dangling.py not-a-file", "link.py not-a-file", "outside not-a-file"];
    if piped {
        expected.push("pipe.py not-a-file");
    }
    expected.push("real/loop not-a-file");
    assert_eq!(tables.skips(), expected);
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf8_become_rows() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let dir = Dir::empty();
    dir.write("src/a.py", "x = 1\n");
    fs_err::write(dir.path("src").join(OsStr::from_bytes(b"caf\xe9.py")), "x = 1\n").unwrap();
    dir.write("src/sp ace/\u{fc}n\u{ef} \u{1f600}\n.py", "def odd():\n    pass\n");
    dir.build(&["src", "--model", "none"]).code(0);
    dir.assert_whole();
    let tables = Tables::open(&dir.index());
    assert_eq!(tables.paths(), ["src/a.py", "src/sp ace/\u{fc}n\u{ef} \u{1f600}\n.py"]);
    assert_eq!(tables.skips(), ["caf\u{fffd}.py path-not-utf8"]);
    dir.search(&["--", "odd"]).code(0);
}

#[cfg(unix)]
#[test]
fn unreadable_files_become_rows() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let dir = Dir::empty();
    let secret = dir.write("src/secret.py", "x = 1\n");
    dir.write("src/closed/b.py", "x = 1\n");
    dir.write("src/a.py", "x = 1\n");
    if fs_err::metadata(&secret).unwrap().uid() == 0 {
        // Root can read every file.
        return;
    }
    fs_err::set_permissions(&secret, PermissionsExt::from_mode(0o000)).unwrap();
    fs_err::set_permissions(dir.path("src/closed"), PermissionsExt::from_mode(0o000)).unwrap();
    let output = dir.build(&["src", "--model", "none"]);
    fs_err::set_permissions(dir.path("src/closed"), PermissionsExt::from_mode(0o700)).unwrap();
    output.code(0);
    let tables = Tables::open(&dir.index());
    assert_eq!(
        (tables.paths(), tables.skips()),
        (vec!["src/a.py".to_owned()], vec!["closed unreadable".to_owned(), "secret.py unreadable".to_owned()],)
    );
}

#[test]
fn fail_on_skip_publishes_and_exits_with_1() {
    let dir = Dir::empty();
    dir.write("src/good.py", "x = 1\n");
    dir.write("src/image.png", b"\x89PNG\0\0");
    // Binary files do not count for --fail-on-skip.
    dir.build(&["src", "--model", "none", "--fail-on-skip"]).code(0);
    dir.write("src/noise.txt", b"\xff\x01\x02\x03\x04\n");
    let before = dir.generation();
    dir.build(&["src", "--model", "none", "--fail-on-skip"]).code(1).says(&["error: 1 file", "--fail-on-skip"]);
    assert_ne!(dir.generation(), before);
    dir.assert_whole();
    let output = dir.build(&["src", "--model", "none", "--fail-on-skip", "--json"]).code(1);
    assert_eq!(output.json_lines().last().unwrap()["type"], "summary");
}

#[test]
fn a_missing_folder_is_an_error_and_leaves_nothing() {
    let dir = Dir::with("//- /a.py\nx = 1\n");
    let output = dir.build(&["src", "missing"]).failed(&["missing cannot be indexed", "\n  cause: ", "\n\nhint: "]);
    assert!(!output.stderr.trim_end().ends_with('.'));
    assert!(!dir.index().exists());
}

#[test]
fn a_file_is_not_a_folder() {
    let dir = Dir::with("//- /a.py\nx = 1\n");
    dir.build(&["src/a.py"]).failed(&["src/a.py", "folder"]);
    assert!(!dir.index().exists());
}

#[test]
fn empty_files_make_an_empty_index() {
    let dir = Dir::with("");
    dir.build(&["src"]).failed(&["no file to index", "src"]);
    dir.write("src/empty.py", "");
    let output = dir.build(&["src"]).code(0);
    assert!(output.stderr.contains("1 files"), "{}", output.all());
    dir.assert_whole();
    let output = dir.search(&["--", "anything"]).code(1);
    assert_eq!(output.json()["results"], serde_json::json!([]));
}

#[test]
fn an_index_is_not_written_to_a_folder_with_other_files() {
    let dir = Dir::with("//- /a.py\nx = 1\n");
    dir.write("index/thesis.txt", "years of work");
    dir.build(&["src"]).failed(&["thesis.txt", "-o"]);
    assert_eq!(dir.names("index"), ["thesis.txt"]);
    // This includes the folder with the sources.
    dir.index_cmd(&["build", "src", "-o", "src"]).run().failed(&["a.py"]);
    assert_eq!(dir.names("src"), ["a.py"]);
}

#[test]
fn an_index_does_not_replace_a_file() {
    let dir = Dir::with("//- /a.py\nx = 1\n");
    dir.write("index", "a file");
    dir.build(&["src"]).failed(&["index"]);
    assert_eq!(fs_err::read_to_string(dir.index()).unwrap(), "a file");
}

#[test]
fn wrong_options_exit_with_2() {
    let dir = Dir::with("//- /a.py\nx = 1\n");
    for args in [
        &["src", "--threads", "0"][..],
        &["src", "--max-file-bytes", "-1"],
        &["src", "--max-file-bytes", "134217729"],
        &["src", "--nonsense"],
        &[],
    ] {
        dir.build(args).code(2);
    }
    assert!(!dir.index().exists());
    dir.index_cmd(&["--help"]).run().code(0);
    dir.index_cmd(&["--version"]).run().code(0);
}

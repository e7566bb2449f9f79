//! A full disk: a clear error, and the existing index stays.

use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use crate::harness::{Dir, walk};

/// A small file system in memory, unmounted when it is dropped.
struct Disk {
    at: PathBuf,
}

impl Disk {
    /// Mounts it; none if this user is not allowed to.
    fn mount(dir: &Dir, mib: u32) -> Option<Self> {
        let at = dir.path("disk");
        fs_err::create_dir(&at).unwrap();
        let size = format!("size={mib}m");
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&at).output();
        if mounted.is_ok_and(|mounted| mounted.status.success()) {
            return Some(Self { at });
        }
        let _ = writeln!(std::io::stderr(), "not tried: only root can mount the small disk of this test");
        None
    }

    /// Fills it until this many bytes are free.
    fn leave(&self, dir: &Dir, free: usize) {
        let ballast = self.at.join("ballast");
        let _ = fs_err::remove_file(&ballast);
        let mut file = fs_err::File::create(&ballast).unwrap();
        let block = vec![0u8; 1 << 16];
        while file.write_all(&block).is_ok() {}
        let full = file.metadata().unwrap().len();
        file.set_len(full.saturating_sub(free as u64)).unwrap();
        assert!(dir.path("disk/ballast").exists());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.at).status();
    }
}

#[test]
fn no_space_left_is_an_error_and_the_index_stays() {
    let dir = Dir::empty();
    let Some(disk) = Disk::mount(&dir, 32) else { return };
    let text: String =
        (0..5000).map(|n| format!("def function_{n}(argument):\n    return argument + {n}\n\n\n")).collect();
    dir.write("src/large.py", &text);
    let build = |args: &[&str]| {
        dir.index_cmd(
            &[&["build", "src", "-o", "disk/index", "--threads", "2", "--vector-symbol-lines", "0"], args].concat(),
        )
        .run()
    };
    build(&[]).code(0);
    let before = fs_err::read(dir.path("disk/index/CURRENT")).unwrap();
    // The next generation shares the files of the encoder.
    let files = walk(&dir.path("disk/index"));
    let written = files.iter().filter(|(name, _)| !name.contains("/model/"));
    let size: u64 = written.map(|(_, path)| fs_err::metadata(path).unwrap().len()).sum();
    dir.write("src/small.py", "x = 1\n");
    let mut without_hint = Vec::new();
    // The disk is full while the tables, the text index, or the LanceDB table is written, or at the end.
    let size = usize::try_from(size).unwrap();
    let steps = [0, 100 << 10, 1 << 20, size / 4, size / 2, size - (1 << 20), size - (256 << 10), size - (64 << 10)];
    for free in steps {
        disk.leave(&dir, free);
        // Reused files need no space, so only with very little space must a build with reuse fail, too.
        let builds: &[&[&str]] = &[&["--no-reuse"], &[]];
        for args in builds.iter().take(if free < 1 << 20 { 2 } else { 1 }) {
            let output = build(args).failed(&["No space left on device"]);
            if !output.stderr.contains("\n\nhint: free some space") {
                without_hint.push(output.stderr);
            }
        }
        assert_eq!(fs_err::read(dir.path("disk/index/CURRENT")).unwrap(), before, "{free} bytes free");
        assert!(dir.names("disk/index").iter().all(|name| !name.starts_with("staging-")), "{free} bytes free");
        dir.cmd(&["verify", "--index", "disk/index"]).run().code(0);
    }
    disk.leave(&dir, 2 * size);
    build(&[]).code(0);
    dir.cmd(&["verify", "--index", "disk/index"]).run().code(0);
    assert!(without_hint.is_empty(), "{without_hint:#?}");
}

#[test]
fn no_space_left_for_a_pull_is_an_error_and_the_index_stays() {
    let dir = Dir::empty();
    let Some(disk) = Disk::mount(&dir, 48) else { return };
    let text = |n: u32| -> String {
        (0..4000).map(|m| format!("def function_{n}_{m}(argument):\n    return argument + {m}\n\n\n")).collect()
    };
    dir.write("src/large.py", text(1));
    dir.build(&["src"]).code(0);
    dir.index_cmd(&["pack", "index", "-o", "one.sxt", "--level", "1"]).run().code(0);
    dir.cmd(&["pull", "one.sxt", "-o", "disk/index"]).run().code(0);
    dir.write("src/larger.py", text(2));
    dir.build(&["src"]).code(0);
    dir.index_cmd(&["pack", "index", "-o", "two.sxt", "--level", "1"]).run().code(0);
    let before = fs_err::read(dir.path("disk/index/CURRENT")).unwrap();
    for free in [0, 50 << 10, 100 << 10, 400 << 10] {
        disk.leave(&dir, free);
        let output = dir.cmd(&["pull", "two.sxt", "-o", "disk/index"]).run().failed(&["No space left on device"]);
        assert!(output.stderr.contains("\n\nhint: free some space"), "{free} bytes free: {}", output.stderr);
        assert_eq!(fs_err::read(dir.path("disk/index/CURRENT")).unwrap(), before, "{free} bytes free");
        dir.cmd(&["verify", "--index", "disk/index"]).run().code(0);
    }
    fs_err::remove_file(dir.path("disk/ballast")).unwrap();
    dir.cmd(&["pull", "two.sxt", "-o", "disk/index"]).run().code(0);
    dir.cmd(&["verify", "--index", "disk/index"]).run().code(0);
    assert!(dir.names("disk/index").iter().all(|name| !name.starts_with("staging-") && !name.starts_with("pull-")));
}

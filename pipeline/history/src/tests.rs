//! Damaged and hostile objects: a history ends, or cannot be read; no reader hangs or ends the process. The libraries
//! that decode git's objects may panic; a build catches that.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Checkout, KnownChanges, Limits, read};

fn git(folder: &Path, args: &[&str]) -> String {
    let identity = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"];
    let output = Command::new("git").args(identity).arg("-C").arg(folder).args(args).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A repository with twenty commits, whose objects are in one pack.
fn repository(folder: &Path) -> Checkout {
    git(folder, &["init", "--quiet"]);
    for n in 0..20 {
        let below = folder.join(format!("src/part{}", n % 3));
        fs_err::create_dir_all(&below).unwrap();
        fs_err::write(below.join(format!("f{}.py", n % 7)), format!("value = {n}\n").repeat(n + 1)).unwrap();
        git(folder, &["add", "."]);
        git(folder, &["commit", "--quiet", "-m", &format!("Change number {n}")]);
    }
    git(folder, &["gc", "--quiet"]);
    let git_folder = folder.join(".git");
    Checkout {
        objects: git_folder.join("objects"),
        shallow: git_folder.join("shallow"),
        commit: git(folder, &["rev-parse", "HEAD"]),
        folder: String::new(),
    }
}

fn paths() -> rustc_hash::FxHashSet<String> {
    (0..3).flat_map(|part| (0..7).map(move |file| format!("src/part{part}/f{file}.py"))).collect()
}

/// The number of commits that are read; none if nothing can be read.
fn commits(checkout: &Checkout) -> Option<usize> {
    let limits = Limits { commits: 1000, files_per_commit: 100 };
    let read = || read(checkout, &paths(), limits, &mut KnownChanges::default(), || false);
    catch_unwind(AssertUnwindSafe(read)).ok()?.ok().map(|history| history.commits.len())
}

fn packs(checkout: &Checkout) -> Vec<PathBuf> {
    let entries = fs_err::read_dir(checkout.objects.join("pack")).unwrap();
    let mut packs: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    packs.retain(|path| path.extension().is_some_and(|end| end == "pack" || end == "idx"));
    packs.sort();
    packs
}

#[test]
fn flipped_bits_and_cuts_shorten_a_history() {
    let folder = tempfile::tempdir().unwrap();
    let checkout = repository(folder.path());
    assert_eq!(commits(&checkout), Some(20));
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let mut shorter = 0;
    for path in packs(&checkout) {
        let bytes = fs_err::read(&path).unwrap();
        let mut permissions = fs_err::metadata(&path).unwrap().permissions();
        #[expect(clippy::permissions_set_readonly_false, reason = "a file of this test")]
        permissions.set_readonly(false);
        fs_err::set_permissions(&path, permissions).unwrap();
        let mut place = 12345_usize;
        for _ in 0..200 {
            place = place.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (at, bit) = ((place >> 20) % bytes.len(), (place >> 8) % 8);
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            fs_err::write(&path, &damaged).unwrap();
            shorter += usize::from(commits(&checkout).is_none_or(|found| found < 20));
        }
        for end in [0, 1, 8, 40, bytes.len() / 2, bytes.len() - 1] {
            fs_err::write(&path, &bytes[..end]).unwrap();
            assert!(commits(&checkout).is_none_or(|found| found <= 20));
        }
        fs_err::write(&path, &bytes).unwrap();
    }
    std::panic::set_hook(hook);
    assert!(shorter > 40, "{shorter} of 400 flips were noticed");
    assert_eq!(commits(&checkout), Some(20));
}

#[test]
fn a_checkout_may_name_anything() {
    let folder = tempfile::tempdir().unwrap();
    let checkout = repository(folder.path());
    let tree = git(folder.path(), &["rev-parse", "HEAD^{tree}"]);
    for commit in ["", "no hash", "0123", &"0".repeat(40), &"f".repeat(64), &tree] {
        assert_eq!(commits(&Checkout { commit: commit.to_owned(), ..checkout.clone() }), None, "{commit}");
    }
    let elsewhere = Checkout { objects: folder.path().join("nothing"), ..checkout.clone() };
    assert_eq!(commits(&elsewhere), None);
    // A shallow clone's list may be anything, too.
    fs_err::write(&checkout.shallow, b"\xff\xfe\nnot a hash\n").unwrap();
    assert_eq!(commits(&checkout), Some(20));
    fs_err::write(&checkout.shallow, format!("{}\n", checkout.commit)).unwrap();
    assert_eq!(commits(&checkout), Some(0));
}

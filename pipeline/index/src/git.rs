//! Turns what git wrote into `.git` into the commit and the tracked files of a checkout, without the program `git`.
//! Knows nothing of walks and ignore files. All of it is untrusted: damaged, hostile, or of a later version.

use std::path::{Path, PathBuf};

use gix_index::entry::Mode;
use sextant_history::Checkout;

/// The largest git file with one line that is read, in bytes.
const MAX_LINE_BYTES: u64 = 4 << 10;
/// The largest file with all references that is read, in bytes.
const MAX_PACKED_REFS_BYTES: u64 = 256 << 20;
/// The largest list of tracked files that is read, in bytes: some ten million files.
const MAX_INDEX_BYTES: u64 = 1 << 30;

/// Returns the commit that is checked out in a git checkout, read from the files in `.git`. These files are untrusted:
/// only text in the form of a commit hash is returned.
pub(crate) fn head_commit(root: &Path) -> Option<String> {
    let git = git_folder(root)?;
    let head = read_line(&git.join("HEAD"))?;
    let head = head.trim();
    let Some(reference) = head.strip_prefix("ref:").map(str::trim) else { return parse_commit(head) };
    if !reference.starts_with("refs/") || reference.split('/').any(|part| part == "..") {
        return None;
    }
    let common = common_folder(&git);
    [&git, &common].into_iter().find_map(|folder| {
        let loose = read_line(&folder.join(reference)).and_then(|text| parse_commit(text.trim()));
        loose.or_else(|| {
            let packed = read_bounded(&folder.join("packed-refs"), MAX_PACKED_REFS_BYTES)?;
            packed.lines().find_map(|line| parse_commit(line.strip_suffix(reference)?.strip_suffix(' ')?))
        })
    })
}

/// Returns where the history of a folder is, which is a git checkout or lies in one; none if it is not, or has no commit.
pub(crate) fn checkout_of(root: &Path) -> Option<Checkout> {
    let top = root.ancestors().find(|folder| folder.join(".git").exists())?;
    let commit = head_commit(top)?;
    let below = root.strip_prefix(top).ok()?;
    let parts: Option<Vec<&str>> = below.components().map(|part| part.as_os_str().to_str()).collect();
    let common = common_folder(&git_folder(top)?);
    Some(Checkout {
        objects: common.join("objects"),
        shallow: common.join("shallow"),
        commit,
        folder: parts?.join("/"),
    })
}

/// Returns the folder with what the worktrees of a repository share.
fn common_folder(git: &Path) -> PathBuf {
    read_line(&git.join("commondir")).map_or_else(|| git.to_owned(), |below| git.join(below.trim()))
}

fn read_line(path: &Path) -> Option<String> {
    read_bounded(path, MAX_LINE_BYTES)
}

/// Returns the text of a regular file of at most `bytes` bytes.
fn read_bounded(path: &Path, bytes: u64) -> Option<String> {
    let is_small = fs_err::metadata(path).is_ok_and(|found| found.is_file() && found.len() <= bytes);
    is_small.then(|| fs_err::read_to_string(path).ok()).flatten()
}

fn parse_commit(text: &str) -> Option<String> {
    let is_hash = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| text.to_owned())
}

/// Returns the paths of the regular files that git tracks in the checkout at `root`, relative to it, with `/`; none if
/// it is no checkout. Paths that are not UTF-8 and the files of submodules are left out.
///
/// # Errors
/// git's list of them cannot be read. The text says why and names no path.
pub(crate) fn tracked_files(root: &Path) -> Result<Vec<String>, String> {
    let Some(path) = git_folder(root).map(|folder| folder.join("index")) else { return Ok(Vec::new()) };
    match fs_err::metadata(&path) {
        Ok(found) if found.is_file() && found.len() <= MAX_INDEX_BYTES => {}
        Ok(_) => return Err("it is no regular file, or too large".to_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error.kind().to_string()),
    }
    // The file does not say which hash its object ids are of.
    let open = |kind| gix_index::File::at(&path, kind, false, gix_index::decode::Options::default()).ok();
    let index = open(gix_hash::Kind::Sha1).or_else(|| open(gix_hash::Kind::Sha256));
    let index = index.ok_or("it is damaged or of an unknown version")?;
    let entries = index.entries().iter().filter(|entry| [Mode::FILE, Mode::FILE_EXECUTABLE].contains(&entry.mode));
    Ok(entries.filter_map(|entry| String::from_utf8(entry.path(&index).to_vec()).ok()).collect())
}

/// Returns the folder in which git keeps its own files of a checkout, whether it exists or not.
fn git_folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    match read_line(&git) {
        // A worktree's `.git` is a file that names the folder.
        Some(text) => Some(root.join(text.strip_prefix("gitdir:")?.trim())),
        None => Some(git),
    }
}

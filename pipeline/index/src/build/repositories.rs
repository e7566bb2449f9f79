//! The folders to index, and the commit that is checked out in each.

use std::path::Path;

use anyhow::{Context, bail};

use crate::model::Source;
use crate::walk;

/// Splits `NAME=PATH` or `PATH` into name and path.
pub(crate) fn parse_named_path(given: &str) -> (Option<&str>, &str) {
    match given.split_once('=') {
        Some((name, path)) if !name.contains('/') && !name.is_empty() => (Some(name), path),
        _ => (None, given),
    }
}

/// Returns the folders to index and their names, by default the name of the folder.
///
/// # Errors
/// A path is not a readable folder, or two folders have the same name.
pub(crate) fn repositories(paths: &[String]) -> anyhow::Result<Vec<walk::Repository>> {
    let mut repositories: Vec<walk::Repository> = Vec::new();
    for path in paths {
        let (name, path) = parse_named_path(path);
        let root = fs_err::canonicalize(path).with_context(|| format!("{path} cannot be indexed"))?;
        if !root.is_dir() {
            bail!("{path} is not a folder");
        }
        fs_err::read_dir(&root).with_context(|| format!("{path} cannot be indexed"))?;
        let name = name.map(str::to_owned).or_else(|| root.file_name().map(|name| name.to_string_lossy().into_owned()));
        let name = name.unwrap_or_else(|| "root".to_owned());
        if repositories.iter().any(|other| other.name == name) {
            bail!("two folders are called '{name}'; give one of them another name with NAME={path}");
        }
        repositories.push(walk::Repository { name, root });
    }
    Ok(repositories)
}

/// Removes the files of the index in `output`, which may lie inside an indexed folder.
pub(crate) fn without_output(sources: Vec<Source>, output: &Path) -> Vec<Source> {
    let Ok(output) = fs_err::canonicalize(output) else { return sources };
    sources.into_iter().filter(|source| !source.absolute.starts_with(&output)).collect()
}

/// Returns the commit that is checked out in a git checkout, read from the files in `.git`. These files are untrusted:
/// only text in the form of a commit hash is returned.
pub(crate) fn head_commit(root: &Path) -> Option<String> {
    let git = root.join(".git");
    let git = match read_git_line(&git) {
        // A worktree's `.git` is a file that names the folder.
        Some(text) => root.join(text.strip_prefix("gitdir:")?.trim()),
        None => git,
    };
    let head = read_git_line(&git.join("HEAD"))?;
    let head = head.trim();
    let Some(reference) = head.strip_prefix("ref:").map(str::trim) else { return parse_commit(head) };
    if !reference.starts_with("refs/") || reference.split('/').any(|part| part == "..") {
        return None;
    }
    let common = read_git_line(&git.join("commondir")).map_or(git.clone(), |below| git.join(below.trim()));
    [&git, &common].into_iter().find_map(|folder| {
        let loose = read_git_line(&folder.join(reference)).and_then(|text| parse_commit(text.trim()));
        loose.or_else(|| {
            let packed = read_bounded(&folder.join("packed-refs"), MAX_PACKED_REFS_BYTES)?;
            packed.lines().find_map(|line| parse_commit(line.strip_suffix(reference)?.strip_suffix(' ')?))
        })
    })
}

/// The largest git file with one line that is read, in bytes.
const MAX_GIT_LINE_BYTES: u64 = 4 << 10;
/// The largest file with all references that is read, in bytes.
const MAX_PACKED_REFS_BYTES: u64 = 256 << 20;

fn read_git_line(path: &Path) -> Option<String> {
    read_bounded(path, MAX_GIT_LINE_BYTES)
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

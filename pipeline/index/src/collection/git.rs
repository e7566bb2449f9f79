//! Asks git about repositories, and checks out commits. Repositories and their servers are untrusted: git runs without
//! hooks, prompts and other programs than its own transports.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, bail};

/// Bytes of a file that is not at hand, on average.
const AVERAGE_FILE_BYTES: u64 = 8 << 10;

fn git(args: &[&str], folder: Option<&Path>) -> anyhow::Result<Vec<u8>> {
    let mut command = Command::new("git");
    command.args([
        "-c",
        "protocol.ext.allow=never",
        "-c",
        "core.hooksPath=/dev/null",
        "-c",
        "advice.detachedHead=false",
    ]);
    if let Some(folder) = folder {
        command.arg("-C").arg(folder);
    }
    command.args(args).env("GIT_TERMINAL_PROMPT", "0").env("GIT_LFS_SKIP_SMUDGE", "1").stdin(Stdio::null());
    let output = command.output().context("git cannot be started")?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        let is_reason = |line: &&str| line.starts_with("fatal: ") || line.starts_with("error: ");
        let reason = stderr.lines().find(is_reason).or_else(|| stderr.lines().last()).unwrap_or("no reason");
        bail!("git {} failed: {reason}", args.first().unwrap_or(&""));
    }
    Ok(output.stdout)
}

/// The commit of a reference in a folder's repository; none if the folder is not the root of a git checkout or a bare
/// repository.
pub(super) fn commit_in_folder(folder: &Path, reference: &str) -> Option<String> {
    let is_root = folder.join(".git").exists() || folder.join("HEAD").is_file() && folder.join("objects").is_dir();
    is_root.then_some(())?;
    let commit = git(&["rev-parse", "--verify", "--end-of-options", &format!("{reference}^{{commit}}")], Some(folder));
    commit.ok().map(|commit| String::from_utf8_lossy(&commit).trim().to_owned())
}

/// The commit of a reference at a remote.
pub(super) fn commit_at_remote(url: &str, reference: Option<&str>) -> anyhow::Result<String> {
    if let Some(commit) = reference.filter(|reference| is_commit(reference)) {
        return Ok(commit.to_owned());
    }
    let wanted = reference.unwrap_or("HEAD");
    let found = git(&["ls-remote", "--", url, wanted, &format!("{wanted}^{{}}")], None)?;
    let found = String::from_utf8_lossy(&found);
    let lines: Vec<(&str, &str)> = found.lines().filter_map(|line| line.split_once('\t')).collect();
    // An annotated tag comes with the commit that it names.
    let tagged = lines.iter().find(|(_, name)| name.ends_with("^{}"));
    let exact = ["HEAD".to_owned(), format!("refs/heads/{wanted}"), format!("refs/tags/{wanted}"), wanted.to_owned()];
    let plain = exact.iter().find_map(|exact| lines.iter().find(|(_, name)| name == exact));
    match tagged.or(plain) {
        Some((commit, _)) if is_commit(commit) => Ok((*commit).to_owned()),
        _ => bail!("{url} has no '{wanted}'"),
    }
}

fn is_commit(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Bytes of the files of a commit that have at most `max_file_bytes`.
pub(super) fn bytes_in_folder(folder: &Path, commit: &str, max_file_bytes: u64) -> anyhow::Result<u64> {
    let listed = git(&["ls-tree", "-r", "-l", "-z", commit], Some(folder))?;
    let sizes = listed.split(|&byte| byte == 0).filter_map(|line| {
        let fields = line.split(|&byte| byte == b'\t').next()?;
        std::str::from_utf8(fields).ok()?.split_ascii_whitespace().nth(3)?.parse::<u64>().ok()
    });
    Ok(sizes.filter(|&bytes| bytes <= max_file_bytes).sum())
}

/// Estimates the bytes of a commit at a remote by its number of files. Their contents are not fetched, where the server
/// can leave them out.
pub(super) fn bytes_at_remote(url: &str, commit: &str) -> anyhow::Result<u64> {
    let scratch = tempfile::tempdir()?;
    let folder = Some(scratch.path());
    git(&["init", "--quiet", "--bare"], folder)?;
    git(&["fetch", "--quiet", "--depth=1", "--filter=blob:none", "--no-tags", "--", url, commit], folder)?;
    let listed = git(&["ls-tree", "-r", "-z", "--name-only", "FETCH_HEAD"], folder)?;
    let files = listed.iter().filter(|&&byte| byte == 0).count() as u64;
    Ok(files * AVERAGE_FILE_BYTES)
}

/// Checks out a commit into a new or existing folder.
pub(super) fn check_out(from: &str, commit: &str, folder: &Path) -> anyhow::Result<()> {
    if commit_in_folder(folder, "HEAD").as_deref() != Some(commit) {
        fs_err::create_dir_all(folder)?;
        git(&["init", "--quiet"], Some(folder))?;
        let fetched = git(&["fetch", "--quiet", "--depth=1", "--no-tags", "--", from, commit], Some(folder));
        // Some servers give only what a branch or tag names.
        if fetched.is_err() {
            git(&["fetch", "--quiet", "--tags", "--", from, "+refs/heads/*:refs/remotes/origin/*"], Some(folder))?;
        }
    }
    git(&["checkout", "--quiet", "--force", "--detach", commit], Some(folder))?;
    // What an interrupted run or a build has left.
    git(&["clean", "--quiet", "-ffdx"], Some(folder))?;
    Ok(())
}

//! The folders to index.

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

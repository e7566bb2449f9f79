//! Which files of an index differ in the checkout that the user stands in.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use sextant_format::digest::Digest;
use sextant_format::tables::FileRow;
use sextant_search::{Index, Navigator, Result};

/// Files that are compared at most.
const MAX_FILES: usize = 100;
/// Larger files are not read, in bytes.
const MAX_BYTES: u64 = 4 << 20;

/// The files of one repository, compared with its checkout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Freshness {
    /// The repository's name.
    pub repository: String,
    /// The commit that was indexed, if it was a git checkout.
    pub commit: Option<String>,
    /// The number of files that were compared.
    pub compared: usize,
    /// Those whose bytes differ.
    pub changed: Vec<String>,
    /// Those that are not there.
    pub missing: Vec<String>,
}

/// Compares files of an index, by repository and path, with the git checkout around `folder`, by digest. Returns the
/// repositories whose checkout it is: it has their name, or a file as it is in the index. Files that cannot be read are
/// not compared.
///
/// # Errors
/// The index is damaged.
pub fn freshness(index: &Index, folder: &Path, files: &[(String, String)]) -> Result<Vec<Freshness>> {
    let repositories = &index.generation().manifest().repositories;
    let mut by_repository: BTreeMap<&str, Vec<&FileRow>> = BTreeMap::new();
    let is_at_hand = |name: &str| checkout(folder, name, repositories.len() == 1).is_some();
    if !repositories.iter().any(|repository| is_at_hand(&repository.name)) {
        return Ok(Vec::new());
    }
    let files = files.get(..MAX_FILES).unwrap_or(files);
    let paths: Vec<String> = files.iter().map(|(_, path)| path.clone()).collect();
    let rows = Navigator::new(index).files_at(&paths)?;
    for row in &rows {
        if files.iter().any(|(repository, path)| *repository == row.repo && *path == row.path) {
            by_repository.entry(&row.repo).or_default().push(row);
        }
    }
    let mut compared = Vec::new();
    for repository in repositories {
        let Some(rows) = by_repository.get(repository.name.as_str()) else { continue };
        let Some((root, has_name)) = checkout(folder, &repository.name, repositories.len() == 1) else { continue };
        let mut found = Freshness {
            repository: repository.name.clone(),
            commit: repository.commit.clone(),
            ..Freshness::default()
        };
        for row in rows {
            match read(&root.join(&row.path)) {
                Some(Some(bytes)) if Digest::hash_bytes(&bytes) == row.content_hash => {}
                Some(Some(_)) => found.changed.push(row.path.clone()),
                Some(None) => found.missing.push(row.path.clone()),
                None => continue,
            }
            found.compared += 1;
        }
        let differs = found.changed.len() + found.missing.len();
        if found.compared > 0 && (has_name || differs < found.compared) {
            compared.push(found);
        }
    }
    Ok(compared)
}

/// The root of a git checkout that may be a repository's, and whether it has its name: the one around a folder, or one of
/// that name in it or beside it.
fn checkout(folder: &Path, name: &str, is_only: bool) -> Option<(PathBuf, bool)> {
    let is_root = |folder: &Path| folder.join(".git").exists();
    let around = folder.ancestors().find(|folder| is_root(folder));
    if let Some(root) = around.filter(|root| root.file_name().is_some_and(|own| own == name)) {
        return Some((root.to_owned(), true));
    }
    let beside = around.and_then(Path::parent).into_iter().chain([folder]).map(|parent| parent.join(name));
    let named = beside.into_iter().find(|root| is_root(root)).map(|root| (root, true));
    named.or_else(|| around.filter(|_| is_only).map(|root| (root.to_owned(), false)))
}

/// The bytes of a file; `Some(None)` if it is not there, `None` if it cannot be compared.
#[expect(clippy::option_option, reason = "absent and unreadable are different answers")]
fn read(path: &Path) -> Option<Option<Vec<u8>>> {
    let metadata = match std::fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Some(None),
        Err(_) => return None,
    };
    if !metadata.is_file() || metadata.len() > MAX_BYTES {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    Some(Some(bytes))
}

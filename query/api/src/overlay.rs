//! Overlays: indexes of checkouts with local edits. `sextant-index` builds them in the user's cache, and answers mark the
//! files that differ from the index below.
//!
//! This module starts `sextant-index` and parses its output.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use sextant_format::generation::Generation;

use sextant_search::{DirtyFiles, Index};

use crate::{Error, Result, indexer};

/// An index folder, the checkouts of its repositories, and the encoder to open it with. Without checkouts it stands for
/// the index alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverlayIndex {
    index: PathBuf,
    /// `NAME=PATH`, or `PATH` for the only repository of an index.
    checkouts: Vec<String>,
    /// The folder of the encoder, for an index that does not contain it.
    encoder: Option<PathBuf>,
}

impl AsRef<Path> for OverlayIndex {
    fn as_ref(&self) -> &Path {
        &self.index
    }
}

/// The index folder that matches the checkouts at this moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrentIndex {
    /// The folder to open.
    pub folder: PathBuf,
    /// The generation's content id.
    pub content_id: String,
    /// The files that differ from the index below.
    pub dirty_files: DirtyFiles,
}

/// The output of `sextant-index overlay --json`.
#[derive(Deserialize)]
struct OverlaySummary {
    schema_version: u32,
    index: PathBuf,
    content_id: String,
    added: Vec<File>,
    changed: Vec<File>,
}

#[derive(Deserialize)]
struct File {
    repo: String,
    path: String,
}

impl OverlayIndex {
    /// Assigns each checkout to the index that contains its repository, and returns one entry for each index folder. A
    /// checkout is `NAME=PATH`, or the path of a folder named like its repository. If there is only one index, it gets
    /// all checkouts.
    ///
    /// # Errors
    /// An index cannot be opened, or no index contains the repository of a checkout.
    pub fn assign(folders: &[PathBuf], checkouts: &[String]) -> Result<Vec<Self>> {
        let mut indexes: Vec<Self> =
            folders.iter().map(|index| Self { index: index.clone(), checkouts: Vec::new(), encoder: None }).collect();
        if checkouts.is_empty() {
            return Ok(indexes);
        }
        let mut repositories: Vec<Vec<String>> = Vec::with_capacity(folders.len());
        for folder in folders {
            let manifest = Generation::open(folder)?.manifest().clone();
            repositories.push(manifest.repositories.into_iter().map(|repository| repository.name).collect());
        }
        for checkout in checkouts {
            let name = repository_name(checkout);
            let position = match repositories.as_slice() {
                [_] => Some(0),
                several => several.iter().position(|names| names.contains(&name)),
            };
            let position = position.ok_or_else(|| {
                let known = repositories.concat().join(", ");
                Error::Parameter(format!(
                    "no index contains a repository '{name}'; write NAME={checkout}, where NAME is one of {known}"
                ))
            })?;
            indexes[position].checkouts.push(checkout.clone());
        }
        Ok(indexes)
    }

    /// Sets the folder of the encoder to open the index with; without one the index must contain its encoder.
    #[must_use]
    pub fn with_encoder(mut self, encoder: Option<&Path>) -> Self {
        self.encoder = encoder.map(Path::to_owned);
        self
    }

    /// The folders of the checkouts.
    #[must_use]
    pub fn checkout_folders(&self) -> Vec<PathBuf> {
        let path = |checkout: &String| PathBuf::from(named_checkout(checkout).map_or(&**checkout, |(_, path)| path));
        self.checkouts.iter().map(path).map(|path| fs_err::canonicalize(&path).unwrap_or(path)).collect()
    }

    /// Returns whether there are checkouts, so that local edits must be looked for.
    #[must_use]
    pub const fn has_checkouts(&self) -> bool {
        !self.checkouts.is_empty()
    }

    /// Brings the overlay up to date and returns its folder. Progress is shown on standard error unless `is_quiet`.
    ///
    /// # Errors
    /// The index cannot be opened, or `sextant-index` is missing, fails or is another version.
    pub fn refresh(&self, is_quiet: bool) -> Result<CurrentIndex> {
        if !self.has_checkouts() {
            let content_id = Generation::open(&self.index)?.manifest().content_id.clone();
            return Ok(CurrentIndex { folder: self.index.clone(), content_id, dirty_files: DirtyFiles::default() });
        }
        let program = indexer::program();
        let mut command = Command::new(&program);
        command.arg("overlay").arg("--json").stdin(Stdio::null()).stderr(Stdio::inherit());
        if is_quiet {
            command.stderr(Stdio::piped());
        }
        if let Some(encoder) = &self.encoder {
            command.arg("--encoder").arg(encoder);
        }
        let output = command.arg("--").arg(&self.index).args(&self.checkouts).output();
        let output =
            output.map_err(|error| Error::Overlay(format!("{} cannot be started: {error}", program.display())))?;
        if !output.status.success() {
            let stderr = String::from_utf8_lossy(&output.stderr);
            let reason = stderr.lines().next().map(|line| format!(": {line}")).unwrap_or_default();
            return Err(Error::Overlay(format!(
                "{} could not index the checkout ({}){reason}",
                indexer::NAME,
                output.status
            )));
        }
        let summary: OverlaySummary = serde_json::from_slice(&output.stdout)
            .ok()
            .filter(|summary: &OverlaySummary| summary.schema_version == 1)
            .ok_or_else(|| Error::Overlay(format!("{} is not the same version as this program", program.display())))?;
        let dirty_files = summary.added.into_iter().chain(summary.changed).map(|file| (file.repo, file.path)).collect();
        Ok(CurrentIndex { folder: summary.index, content_id: summary.content_id, dirty_files })
    }

    /// Brings the overlay up to date and opens it.
    ///
    /// # Errors
    /// As [`OverlayIndex::refresh`] and [`OverlayIndex::open_current`].
    pub fn open(&self) -> Result<Index> {
        self.open_current(&self.refresh(false)?)
    }

    /// Opens the index that [`OverlayIndex::refresh`] returned.
    ///
    /// # Errors
    /// The index cannot be opened.
    pub fn open_current(&self, current: &CurrentIndex) -> Result<Index> {
        let index = Index::open(&current.folder)?.with_dirty_files(current.dirty_files.clone());
        Ok(match &self.encoder {
            Some(encoder) => index.with_encoder(encoder.clone()),
            None => index,
        })
    }
}

/// Returns the repository name of a checkout: NAME of `NAME=PATH`, else the folder's name.
fn repository_name(checkout: &str) -> String {
    if let Some((name, _)) = named_checkout(checkout) {
        return name.to_owned();
    }
    let path = fs_err::canonicalize(checkout).unwrap_or_else(|_| PathBuf::from(checkout));
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Splits `NAME=PATH`.
fn named_checkout(checkout: &str) -> Option<(&str, &str)> {
    checkout.split_once('=').filter(|(name, _)| !name.is_empty() && !name.contains('/'))
}

/// The folder in which `sextant-index` keeps overlays; none if the user has no cache folder.
#[must_use]
pub fn cache_folder() -> Option<PathBuf> {
    dirs::cache_dir().map(|folder| folder.join("sextant"))
}

#[cfg(test)]
mod tests {
    use super::repository_name;

    #[test]
    fn checkouts_are_named_explicitly_or_after_their_folders() {
        assert_eq!(repository_name("server=/src/x"), "server");
        assert_eq!(repository_name("/no/such/place/ui"), "ui");
        assert_eq!(repository_name("/no/such=place/ui"), "ui");
    }
}

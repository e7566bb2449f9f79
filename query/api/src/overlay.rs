//! Indexes with a checkout's local edits laid over them: `sextant-index` makes an index of the checkout, in the user's
//! cache, and what differs is marked in answers.
//!
//! The two programs meet on the command line only: this module starts one and reads what it prints.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use sextant_format::generation::Generation;

use sextant_search::{Edited, Index};

use crate::{Error, Result};

/// The program that makes overlays.
const PROGRAM: &str = "sextant-index";

/// An index folder, the checkouts that are laid over it, and what it is opened with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Laid {
    index: PathBuf,
    /// `NAME=PATH`, or `PATH` for the only repository of an index.
    checkouts: Vec<String>,
    /// The folder of the encoder, where the index does not carry it.
    encoder: Option<PathBuf>,
}

impl AsRef<Path> for Laid {
    fn as_ref(&self) -> &Path {
        &self.index
    }
}

/// An index folder that is as a checkout is now, with what differs from the index it was laid over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fresh {
    /// The folder to open.
    pub folder: PathBuf,
    /// The generation's content id.
    pub content_id: String,
    /// What differs.
    pub edited: Edited,
}

/// What `sextant-index overlay --json` prints.
#[derive(Deserialize)]
struct Printed {
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

impl Laid {
    /// Lays checkouts over the indexes that hold their repositories. A checkout is `NAME=PATH`, or a folder that is
    /// called like its repository; that of an index with one repository may be called anything.
    pub fn over(folders: &[PathBuf], checkouts: &[String]) -> Result<Vec<Self>> {
        let mut laid: Vec<Self> =
            folders.iter().map(|index| Self { index: index.clone(), checkouts: Vec::new(), encoder: None }).collect();
        if checkouts.is_empty() {
            return Ok(laid);
        }
        let mut names: Vec<Vec<String>> = Vec::with_capacity(folders.len());
        for folder in folders {
            let manifest = Generation::open(folder)?.manifest().clone();
            names.push(manifest.repositories.into_iter().map(|repository| repository.name).collect());
        }
        for checkout in checkouts {
            let name = name(checkout);
            let at = match names.as_slice() {
                [_] => Some(0),
                several => several.iter().position(|names| names.contains(&name)),
            };
            let at = at.ok_or_else(|| {
                let known = names.concat().join(", ");
                Error::Parameter(format!("no index holds '{name}'; name the checkout as NAME={checkout}, of {known}"))
            })?;
            laid[at].checkouts.push(checkout.clone());
        }
        Ok(laid)
    }

    /// Opens the index with the encoder of this folder, where one is given.
    #[must_use]
    pub fn with_encoder(mut self, encoder: Option<&Path>) -> Self {
        self.encoder = encoder.map(Path::to_owned);
        self
    }

    /// Whether nothing is laid over the index.
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        self.checkouts.is_empty()
    }

    /// Brings the overlay up to date. How that goes is shown on a terminal's standard error, unless it is to be quiet.
    pub fn refresh(&self, is_quiet: bool) -> Result<Fresh> {
        if self.is_plain() {
            let content_id = Generation::open(&self.index)?.manifest().content_id.clone();
            return Ok(Fresh { folder: self.index.clone(), content_id, edited: Edited::default() });
        }
        let program = program();
        let mut command = Command::new(&program);
        command.arg("overlay").arg("--json").stdin(Stdio::null()).stderr(Stdio::inherit());
        if is_quiet {
            command.stderr(Stdio::piped());
        }
        if let Some(encoder) = &self.encoder {
            command.arg("--encoder").arg(encoder);
        }
        let done = command.arg("--").arg(&self.index).args(&self.checkouts).output();
        let done = done.map_err(|error| Error::Overlay(format!("{} cannot be started: {error}", program.display())))?;
        if !done.status.success() {
            let said = String::from_utf8_lossy(&done.stderr);
            let said = said.lines().next().map(|line| format!(": {line}")).unwrap_or_default();
            return Err(Error::Overlay(format!("{PROGRAM} could not index the checkout ({}){said}", done.status)));
        }
        let printed: Printed = serde_json::from_slice(&done.stdout)
            .ok()
            .filter(|printed: &Printed| printed.schema_version == 1)
            .ok_or_else(|| Error::Overlay(format!("{} is of another version than this program", program.display())))?;
        let files = printed.added.into_iter().chain(printed.changed).map(|file| (file.repo, file.path)).collect();
        Ok(Fresh { folder: printed.index, content_id: printed.content_id, edited: files })
    }

    /// Brings the overlay up to date and opens it.
    pub fn open(&self) -> Result<Index> {
        self.open_fresh(&self.refresh(false)?)
    }

    /// Opens what a refresh has found.
    pub fn open_fresh(&self, fresh: &Fresh) -> Result<Index> {
        let index = Index::open(&fresh.folder)?.with_edited(fresh.edited.clone());
        Ok(match &self.encoder {
            Some(encoder) => index.with_encoder(encoder.clone()),
            None => index,
        })
    }
}

/// What a checkout's repository is called.
fn name(checkout: &str) -> String {
    if let Some((name, _)) = checkout.split_once('=').filter(|(name, _)| !name.is_empty() && !name.contains('/')) {
        return name.to_owned();
    }
    let path = fs_err::canonicalize(checkout).unwrap_or_else(|_| PathBuf::from(checkout));
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The program beside this one, else the one on PATH.
fn program() -> PathBuf {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().and_then(|own| Some(own.parent()?.join(&name)));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(name))
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn checkouts_are_called_like_their_folders_or_as_is_said() {
        assert_eq!(name("server=/src/x"), "server");
        assert_eq!(name("/no/such/place/ui"), "ui");
        assert_eq!(name("/no/such=place/ui"), "ui");
    }
}

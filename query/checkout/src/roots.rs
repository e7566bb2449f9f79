//! The checkouts of an index's repositories.

use std::path::{Path, PathBuf};

use sextant_search::{Index, Navigator, Result};

/// Files of a repository that are looked for in a folder, to see whether it is a checkout of the repository.
const PROBES: usize = 40;

/// The checkout of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// The repository's name.
    pub repository: String,
    /// Its folder on this machine.
    pub folder: PathBuf,
}

impl Root {
    /// The path of a file within the repository, with `/`; `None` if it is elsewhere.
    #[must_use]
    pub fn relative(&self, path: &Path) -> Option<String> {
        let relative = path.strip_prefix(&self.folder).ok()?;
        let parts: Vec<_> = relative.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        Some(parts.join("/"))
    }
}

/// Looks for the checkout of each repository of an index: one of the folders, one above it, or one in it that has the
/// repository's name, whichever has most of the repository's files. A repository without one is left out.
///
/// # Errors
/// The index is damaged.
pub fn find_roots(index: &Index, folders: &[PathBuf]) -> Result<Vec<Root>> {
    let mut roots = Vec::new();
    for repository in &index.generation().manifest().repositories {
        let probes = Navigator::new(index).some_files(&repository.name, PROBES)?;
        let count = |folder: &Path| probes.iter().filter(|path| folder.join(path).is_file()).count();
        let mut best: Option<(usize, PathBuf)> = None;
        for folder in folders {
            let above = folder.ancestors().map(Path::to_owned);
            for candidate in above.chain([folder.join(&repository.name)]) {
                let files = count(&candidate);
                if files > best.as_ref().map_or(0, |(files, _)| *files) {
                    best = Some((files, candidate));
                }
            }
        }
        roots.extend(best.map(|(_, folder)| Root { repository: repository.name.clone(), folder }));
    }
    Ok(roots)
}

//! Finds ONNX Runtime's shared library.

use std::env;
use std::path::{Path, PathBuf};

/// The library was not found.
#[derive(Debug, thiserror::Error)]
#[error("ONNX Runtime was not found; searched {}", searched.join(", "))]
pub struct LibraryNotFound {
    searched: Vec<String>,
}

impl LibraryNotFound {
    /// Actions that provide the library.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        "run 'scripts/fetch-model minilm', or 'pip install onnxruntime==1.31.1', or set ORT_DYLIB_PATH to the library"
    }
}

#[cfg(target_os = "windows")]
const LIBRARY_NAME: &str = "onnxruntime.dll";
#[cfg(target_os = "macos")]
const LIBRARY_NAME: &str = "libonnxruntime.dylib";
#[cfg(not(any(target_os = "windows", target_os = "macos")))]
const LIBRARY_NAME: &str = "libonnxruntime.so";

/// Finds the library: `explicit`, `ORT_DYLIB_PATH`, the program's folder, Sextant's cache folder, a Python
/// installation's `site-packages/onnxruntime/capi`, in this order.
///
/// # Errors
/// The library is in none of these, or an explicitly named one does not exist.
pub fn find_library(explicit: Option<&Path>) -> Result<PathBuf, LibraryNotFound> {
    let mut searched = Vec::new();
    if let Some(path) = explicit.map(Path::to_owned).or_else(|| env_path("ORT_DYLIB_PATH")) {
        if path.is_file() {
            return Ok(path);
        }
        // A library that was named explicitly is not silently replaced by another.
        return Err(LibraryNotFound { searched: vec![path.display().to_string()] });
    }
    let mut folders = Vec::new();
    folders.extend(env::current_exe().ok().and_then(|exe| exe.parent().map(Path::to_owned)));
    folders.extend(cache_dir().map(|cache| cache.join("sextant/onnxruntime")));
    for python in ["VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT"].into_iter().filter_map(env_path) {
        folders.extend(site_packages(&python));
    }
    for root in ["/usr/local", "/usr"].map(Path::new) {
        folders.extend(site_packages(root));
    }
    for folder in folders {
        if let Some(found) = library_in(&folder) {
            return Ok(found);
        }
        searched.push(folder.display().to_string());
    }
    Err(LibraryNotFound { searched })
}

#[expect(clippy::disallowed_methods, reason = "the documented search list names these variables")]
fn env_path(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

fn cache_dir() -> Option<PathBuf> {
    env_path("XDG_CACHE_HOME")
        .or_else(|| env_path("HOME").map(|home| home.join(".cache")))
        .or_else(|| env_path("LOCALAPPDATA"))
}

/// The folders `site-packages/onnxruntime/capi` of every Python installation below a root.
fn site_packages(root: &Path) -> Vec<PathBuf> {
    let mut roots = vec![root.to_owned()];
    roots.extend(sorted_children(&root.join("versions")));
    let mut found = Vec::new();
    for root in roots {
        for python in sorted_children(&root.join("lib")) {
            for packages in ["site-packages", "dist-packages"] {
                let capi = python.join(packages).join("onnxruntime/capi");
                if capi.is_dir() {
                    found.push(capi);
                }
            }
        }
    }
    found
}

/// The library in a folder; wheels append a version to its name.
fn library_in(folder: &Path) -> Option<PathBuf> {
    let exact = folder.join(LIBRARY_NAME);
    if exact.is_file() {
        return Some(exact);
    }
    sorted_children(folder).into_iter().rfind(|path| {
        path.file_name()
            .and_then(|name| name.to_str())
            .and_then(|name| name.strip_prefix(LIBRARY_NAME))
            .is_some_and(|rest| rest.starts_with('.') && rest[1..].starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// The entries of a folder, sorted; empty if it cannot be read.
fn sorted_children(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs_err::read_dir(folder)
        .map(|entries| entries.filter_map(Result::ok).map(|entry| entry.path()).collect())
        .unwrap_or_default();
    paths.sort();
    paths
}

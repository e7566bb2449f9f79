//! Where the other program is. The two communicate through the command line, standard input and output only.

use std::path::PathBuf;

/// The program that builds indexes, and that has the grammars.
pub(crate) const NAME: &str = "sextant-index";

/// Returns the program in the folder of this one, else the one on PATH.
pub(crate) fn program() -> PathBuf {
    let name = format!("{NAME}{}", std::env::consts::EXE_SUFFIX);
    let sibling = std::env::current_exe().ok().and_then(|own| Some(own.parent()?.join(&name)));
    sibling.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(name))
}

//! `sextant-index keys`: generates a key pair for signatures.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::progress::print_line;

/// Generate a key pair to sign packs with
///
/// The secret key is written to FILE, for 'pack --sign'. The public key is printed and written next to it with the
/// extension .pub, for 'sextant pull --key'. Keys are in minisign's format, and keys that minisign generated work too. If
/// SEXTANT_SIGN_PASSWORD is set, it encrypts the secret key.
#[derive(clap::Args)]
#[command(after_help = "Example:
  sextant-index keys ~/.config/sextant/server.key
  sextant-index pack ./index -o server.sxt --sign ~/.config/sextant/server.key")]
pub(super) struct Keys {
    /// File of the secret key; it must not exist yet
    file: PathBuf,
}

pub(super) fn run(args: &Keys) -> anyhow::Result<ExitCode> {
    print_line(&sextant_sync::sign::generate(&args.file)?);
    let file = fs_err::canonicalize(&args.file)?;
    if let Some(repository) = file.ancestors().skip(1).find(|folder| folder.join(".git").exists()) {
        anstream::eprintln!(
            "warning: the secret key is in the repository {}: an index of it, and its packs, contain the key unless \
             .gitignore names it",
            repository.display()
        );
    }
    Ok(ExitCode::SUCCESS)
}

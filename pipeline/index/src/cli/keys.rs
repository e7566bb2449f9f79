//! `sextant-index keys`: a pair of keys for signatures.

use std::path::PathBuf;
use std::process::ExitCode;

/// Make a pair of keys: FILE signs packs, what ends with .pub is what 'sextant pull --key' checks them with.
///
/// The keys are minisign's, and keys that minisign made do as well. The secret one is encrypted where
/// SEXTANT_SIGN_PASSWORD holds a password.
#[derive(clap::Args)]
#[command(after_help = "Example:
  sextant-index keys server.key
  sextant-index pack ./index -o server.sxt --sign server.key")]
pub(super) struct Keys {
    /// The file of the secret key; it must not exist
    file: PathBuf,
}

pub(super) fn run(args: &Keys) -> anyhow::Result<ExitCode> {
    anstream::println!("{}", sextant_sync::sign::generate(&args.file)?);
    Ok(ExitCode::SUCCESS)
}

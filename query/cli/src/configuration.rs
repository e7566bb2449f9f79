//! `sextant config`, and how the other commands load the configuration.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::error::Error;
use crate::output::{Format, print};
use sextant_api::config::Config;
use sextant_sync::collection::Collection;

/// Print the effective settings and where each was set
///
/// Settings come from the nearest sextant.toml in the working folder or above it, then from sextant.toml in the user's
/// configuration folder (such as ~/.config/sextant). Options on the command line override both.
#[derive(clap::Args)]
#[command(after_help = "Example of a sextant.toml:
  index = \"build/index\"        # relative to this file

  [search]
  limit = 20
  mode = \"fusion\"              # fusion, text, vector, structural
  strategy = \"rrf\"             # rrf, staged, binary, hybrid
  graph = true
  vectors = true
  languages = [\"rust\"]
  paths = [\"src/**\"]

  [weights]                    # like --set NAME=VALUE
  damping = 0.85")]
pub(crate) struct Show {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Loads the settings that apply in the working folder.
pub(crate) fn load() -> Result<Config, Error> {
    let folder = std::env::current_dir()
        .map_err(|error| Error::Usage(format!("the working folder cannot be determined: {error}")))?;
    let user = dirs::config_dir().map(|folder| folder.join("sextant"));
    Ok(Config::load(&folder, user.as_deref())?)
}

/// The folders that are given, else that of the configuration.
pub(crate) fn named_folders(given: &[PathBuf], config: &Config) -> Vec<PathBuf> {
    if given.is_empty() { vec![config.index.value.clone()] } else { given.to_vec() }
}

/// The index folders that are given, else that of the configuration. A folder into which a collection was pulled stands
/// for the indexes in it.
pub(crate) fn index_folders(given: &[PathBuf], config: &Config) -> Result<Vec<PathBuf>, Error> {
    let named = named_folders(given, config);
    let mut folders = Vec::with_capacity(named.len());
    for folder in named {
        match Collection::pulled(&folder)? {
            Some(pulled) => folders.extend(pulled.members.iter().map(|member| folder.join(member.folder()))),
            None => folders.push(folder),
        }
    }
    Ok(folders)
}

pub(crate) fn show(args: &Show) -> Result<ExitCode, Error> {
    let config = load()?;
    match args.format {
        Format::Json => print(&format!("{}\n", sextant_render::config_json(&config))),
        Format::Text => print(&sextant_render::config_text(&config)),
    }
    Ok(ExitCode::SUCCESS)
}

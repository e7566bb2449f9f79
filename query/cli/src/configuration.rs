//! `sextant config`: what holds, and from where; and how the other commands get it.

use std::process::ExitCode;

use crate::commands::{Format, print};
use crate::error::Error;
use sextant_api::config::Config;

/// Print the settings that hold here, and where each is from
///
/// Settings are read from the nearest sextant.toml, from the working folder upwards, then from sextant.toml in the
/// user's folder for configuration (such as ~/.config/sextant). What the command line says comes before both.
#[derive(clap::Args)]
#[command(after_help = "Example of a sextant.toml:
  index = \"build/index\"        # relative to the file

  [search]
  limit = 20
  mode = \"fusion\"              # fusion, text, vector, structural
  strategy = \"rrf\"             # rrf, staged, binary, hybrid
  graph = true
  vectors = true
  languages = [\"rust\"]
  paths = [\"src/**\"]

  [weights]                    # as --set NAME=VALUE
  damping = 0.85")]
pub(crate) struct Show {
    /// How the settings are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// What holds in the working folder.
pub(crate) fn load() -> Result<Config, Error> {
    let folder = std::env::current_dir().map_err(|error| Error::Usage(format!("the working folder: {error}")))?;
    let user = dirs::config_dir().map(|folder| folder.join("sextant"));
    Ok(Config::load(&folder, user.as_deref())?)
}

pub(crate) fn show(args: &Show) -> Result<ExitCode, Error> {
    let config = load()?;
    match args.format {
        Format::Json => print(&format!("{}\n", sextant_render::config_json(&config))),
        Format::Text => print(&sextant_render::config_text(&config)),
    }
    Ok(ExitCode::SUCCESS)
}

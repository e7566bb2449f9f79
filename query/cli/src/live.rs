//! Language servers: which are used, and for which checkouts.

use std::path::PathBuf;
use std::sync::Arc;

use sextant_api::config::Config;
use sextant_search::live::LanguageServers;

use crate::error::Error;

/// Where the checkouts are that language servers are asked about.
#[derive(clap::Args)]
pub(crate) struct CheckoutArgs {
    /// Checkout that language servers are asked about, or a folder in or around it (repeatable) [default: the working
    /// folder]
    #[arg(long, value_name = "PATH")]
    checkout: Vec<PathBuf>,
}

impl CheckoutArgs {
    /// The language servers for the checkouts.
    #[cfg(feature = "live")]
    pub(crate) fn servers(&self, config: &Config) -> Result<Option<Arc<dyn LanguageServers>>, Error> {
        let mut table = sextant_servers::ServerTable::built_in()?;
        for (name, settings) in &config.servers {
            if let Some(command) = &settings.command {
                table.set_command(name, command)?;
            }
            if settings.enabled == Some(false) {
                table.remove(name)?;
            }
        }
        let mut folders = self.checkout.clone();
        if folders.is_empty() {
            folders.extend(std::env::current_dir());
        }
        if let Some(missing) = folders.iter().find(|folder| !folder.is_dir()) {
            return Err(Error::Usage(format!("the checkout {} is not a folder", missing.display())));
        }
        #[expect(clippy::disallowed_methods, reason = "programs are looked up where the system looks them up")]
        let path = std::env::var_os("PATH");
        let servers = Arc::new(sextant_live::LiveServers::new(table, &folders, path));
        Ok(Some(servers))
    }

    /// This build of the program asks none.
    #[cfg(not(feature = "live"))]
    pub(crate) fn servers(&self, _config: &Config) -> Result<Option<Arc<dyn LanguageServers>>, Error> {
        Err(Error::Usage("this build of sextant does not include the feature 'live'".to_owned()))
    }
}

//! From a command's options to a request, and from its response to the terminal.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use supports_hyperlinks::Stream;

use sextant_api::config::Config;
use sextant_api::overlay::Laid;
use sextant_api::requests::{Affected, Explore, Request, Search};
use sextant_api::{Error as RequestError, IndexSet};
use sextant_render::TextRenderer;
use sextant_search::Index;

use crate::commands::{Format, print};
use crate::configuration;
use crate::error::Error;

/// Where the index is, and how results are written.
#[derive(clap::Args)]
pub(crate) struct IndexArgs {
    /// The index folder; several are searched as one (repeatable) [default: that of sextant.toml, else ./index]
    #[arg(long, env = "SEXTANT_INDEX", value_name = "INDEX")]
    index: Vec<PathBuf>,
    /// How results are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
}

impl IndexArgs {
    /// The folders of the indexes: as said, else as configured.
    pub(crate) fn folders(&self, config: &Config) -> Vec<PathBuf> {
        if self.index.is_empty() { vec![config.index.value.clone()] } else { self.index.clone() }
    }

    /// The one index that a command is about.
    pub(crate) fn folder(&self, config: &Config) -> Result<PathBuf, Error> {
        match self.folders(config).as_slice() {
            [one] => Ok(one.clone()),
            _ => Err(Error::Usage("this command takes one --index".to_owned())),
        }
    }
}

/// Checkouts that are laid over the indexes.
#[derive(clap::Args)]
struct OverlayArgs {
    /// Search a checkout with its local edits: what differs from the index is indexed first, beside it, and marked in
    /// the results (repeatable). PATH, or NAME=PATH where the folder is not called like the repository
    #[arg(long, env = "SEXTANT_OVERLAY", value_name = "PATH")]
    overlay: Vec<String>,
}

impl OverlayArgs {
    /// The indexes of a place, each with the checkouts over it.
    fn over(&self, indexes: &IndexArgs, config: &Config) -> Result<Vec<Laid>, Error> {
        Ok(Laid::over(&indexes.folders(config), &self.overlay)?)
    }
}

/// What turns questions into vectors.
#[derive(clap::Args)]
pub(crate) struct EncoderArgs {
    /// The folder of the encoder, for an index that does not carry it
    #[arg(long, env = "SEXTANT_ENCODER", value_name = "DIR")]
    encoder: Option<PathBuf>,
}

impl EncoderArgs {
    /// The folder, where one is named.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.encoder.as_deref()
    }
}

/// A command whose options are those of its request.
#[derive(clap::Args)]
pub(crate) struct CommandArgs<T: clap::Args> {
    #[command(flatten)]
    indexes: IndexArgs,
    #[command(flatten)]
    overlays: OverlayArgs,
    #[command(flatten)]
    request: T,
}

/// A command whose query is the rest of the line.
#[derive(clap::Args)]
pub(crate) struct QueryArgs<T: clap::Args> {
    #[command(flatten)]
    indexes: IndexArgs,
    #[command(flatten)]
    overlays: OverlayArgs,
    #[command(flatten)]
    request: T,
    #[command(flatten)]
    encoder: EncoderArgs,
    /// Ask the LanceDB table for nearest vectors: the index's own, or the one at an address
    #[cfg(feature = "lancedb")]
    #[arg(long, value_name = "URI", num_args = 0..=1, require_equals = true)]
    lancedb: Option<Option<String>>,
    /// The query; put '--' before it when it begins with a dash
    #[arg(required = true, value_name = "QUERY")]
    words: Vec<String>,
}

/// A request whose query is the rest of the line.
pub(crate) trait HasQuery {
    fn set_query(&mut self, query: String);
}

impl HasQuery for Search {
    fn set_query(&mut self, query: String) {
        self.query = query;
    }
}

impl HasQuery for Explore {
    fn set_query(&mut self, query: String) {
        self.query = query;
    }
}

pub(crate) fn ask<T: Request + clap::Args>(args: &CommandArgs<T>) -> Result<ExitCode, Error> {
    let config = configuration::load()?;
    let indexes = IndexSet::open_with(&args.overlays.over(&args.indexes, &config)?, config, Laid::open)?;
    answer(&args.request, &indexes, args.indexes.format)
}

pub(crate) fn query<T: Request + HasQuery + clap::Args>(mut args: QueryArgs<T>) -> Result<ExitCode, Error> {
    args.request.set_query(args.words.join(" "));
    let config = configuration::load()?;
    let laid = args.overlays.over(&args.indexes, &config)?;
    let laid: Vec<Laid> = laid.into_iter().map(|laid| laid.with_encoder(args.encoder.folder())).collect();
    let open = |laid: &Laid| -> Result<Index, RequestError> {
        let index = laid.open()?;
        #[cfg(feature = "lancedb")]
        if let Some(uri) = &args.lancedb {
            return Ok(index.with_lancedb(uri.as_deref())?);
        }
        Ok(index)
    };
    let indexes = IndexSet::open_with(&laid, config, open)?;
    answer(&args.request, &indexes, args.indexes.format)
}

/// The tests that a change reaches; a diff is read from standard input where no name is given.
pub(crate) fn affected(mut args: CommandArgs<Affected>) -> Result<ExitCode, Error> {
    if args.request.names.is_empty() {
        let mut diff = Vec::new();
        if !std::io::stdin().is_terminal() {
            std::io::stdin()
                .read_to_end(&mut diff)
                .map_err(|error| Error::Usage(format!("standard input: {error}")))?;
        }
        args.request.diff = Some(String::from_utf8_lossy(&diff).into_owned());
    }
    ask(&args)
}

fn answer(request: &impl Request, indexes: &IndexSet, format: Format) -> Result<ExitCode, Error> {
    let response = request.run(indexes)?;
    match format {
        Format::Json => print(&format!("{}\n", sextant_render::json(&response))),
        Format::Text => {
            let here = std::env::current_dir().ok().filter(|_| supports_hyperlinks::on(Stream::Stdout));
            print(&TextRenderer { links: here.as_deref() }.render(&response));
            for note in &response.notes {
                if response.found {
                    anstream::eprintln!("note: {note}");
                } else {
                    anstream::eprintln!("{note}");
                }
            }
        }
    }
    Ok(ExitCode::from(u8::from(!response.found)))
}

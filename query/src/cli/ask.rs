//! From a command's options to a call, and from its answer to the terminal.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use supports_hyperlinks::Stream;

use super::{Format, configuration, print};
use crate::calls::{Affected, Call, Explore, Form, Search, Sources};
use crate::config::Config;
use crate::overlay::Laid;
use crate::{Error, Index, render};

/// Where the index is, and how results are written.
#[derive(clap::Args)]
pub(super) struct Place {
    /// The index folder; several are searched as one (repeatable) [default: that of sextant.toml, else ./index]
    #[arg(long, env = "SEXTANT_INDEX", value_name = "INDEX")]
    index: Vec<PathBuf>,
    /// How results are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
}

impl Place {
    /// The folders of the indexes: as said, else as configured.
    pub(super) fn folders(&self, config: &Config) -> Vec<PathBuf> {
        if self.index.is_empty() { vec![config.index.value.clone()] } else { self.index.clone() }
    }

    /// The one index that a command is about.
    pub(super) fn folder(&self, config: &Config) -> Result<PathBuf, Error> {
        match self.folders(config).as_slice() {
            [one] => Ok(one.clone()),
            _ => Err(Error::Filter("this command takes one --index".to_owned())),
        }
    }
}

/// Checkouts that are laid over the indexes.
#[derive(clap::Args)]
struct Overlays {
    /// Search a checkout with its local edits: what differs from the index is indexed first, beside it, and marked in
    /// the results (repeatable). PATH, or NAME=PATH where the folder is not called like the repository
    #[arg(long, env = "SEXTANT_OVERLAY", value_name = "PATH")]
    overlay: Vec<String>,
}

impl Overlays {
    /// The indexes of a place, each with the checkouts over it.
    fn over(&self, place: &Place, config: &Config) -> Result<Vec<Laid>, Error> {
        Laid::over(&place.folders(config), &self.overlay)
    }
}

/// What turns questions into vectors.
#[derive(clap::Args)]
pub(super) struct Encoder {
    /// The folder of the encoder, for an index that does not carry it
    #[arg(long, env = "SEXTANT_ENCODER", value_name = "DIR")]
    encoder: Option<PathBuf>,
}

impl Encoder {
    /// The folder, where one is named.
    pub(super) fn folder(&self) -> Option<&Path> {
        self.encoder.as_deref()
    }
}

/// A command that is a call as it is.
#[derive(clap::Args)]
pub(super) struct Ask<T: clap::Args> {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    overlays: Overlays,
    #[command(flatten)]
    call: T,
}

/// A command whose query is the rest of the line.
#[derive(clap::Args)]
pub(super) struct Query<T: clap::Args> {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    overlays: Overlays,
    #[command(flatten)]
    call: T,
    #[command(flatten)]
    encoder: Encoder,
    /// Ask the LanceDB table for nearest vectors: the index's own, or the one at an address
    #[cfg(feature = "lancedb")]
    #[arg(long, value_name = "URI", num_args = 0..=1, require_equals = true)]
    lancedb: Option<Option<String>>,
    /// The query; put '--' before it when it begins with a dash
    #[arg(required = true, value_name = "QUERY")]
    words: Vec<String>,
}

/// A call whose query comes from the rest of the line.
pub(super) trait Worded {
    fn set_query(&mut self, query: String);
}

impl Worded for Search {
    fn set_query(&mut self, query: String) {
        self.query = query;
    }
}

impl Worded for Explore {
    fn set_query(&mut self, query: String) {
        self.query = query;
    }
}

pub(super) fn ask<T: Call + clap::Args>(args: &Ask<T>) -> Result<ExitCode, Error> {
    let config = configuration::load()?;
    let sources = Sources::with(&args.overlays.over(&args.place, &config)?, config, Laid::open)?;
    answer(&args.call, &sources, args.place.format)
}

pub(super) fn query<T: Call + Worded + clap::Args>(mut args: Query<T>) -> Result<ExitCode, Error> {
    args.call.set_query(args.words.join(" "));
    let config = configuration::load()?;
    let laid = args.overlays.over(&args.place, &config)?;
    let laid: Vec<Laid> = laid.into_iter().map(|laid| laid.with_encoder(args.encoder.folder())).collect();
    let open = |laid: &Laid| -> Result<Index, Error> {
        let index = laid.open()?;
        #[cfg(feature = "lancedb")]
        if let Some(uri) = &args.lancedb {
            return index.with_lancedb(uri.as_deref());
        }
        Ok(index)
    };
    let sources = Sources::with(&laid, config, open)?;
    answer(&args.call, &sources, args.place.format)
}

/// The tests that a change reaches; a diff is read from standard input where no name is given.
pub(super) fn affected(mut args: Ask<Affected>) -> Result<ExitCode, Error> {
    if args.call.names.is_empty() {
        let mut diff = Vec::new();
        if !std::io::stdin().is_terminal() {
            std::io::stdin()
                .read_to_end(&mut diff)
                .map_err(|error| Error::Filter(format!("standard input: {error}")))?;
        }
        args.call.diff = Some(String::from_utf8_lossy(&diff).into_owned());
    }
    ask(&args)
}

fn answer(call: &impl Call, sources: &Sources, format: Format) -> Result<ExitCode, Error> {
    let form = match format {
        Format::Text => Form::Text,
        Format::Json => Form::Json,
    };
    let answer = sources.answer(call, form)?;
    match form {
        Form::Json => print(&format!("{}\n", answer.body.trim_end_matches('\n'))),
        Form::Text => {
            let here = std::env::current_dir().ok().filter(|_| supports_hyperlinks::on(Stream::Stdout));
            print(&here.map_or_else(|| answer.body.clone(), |here| render::linked(&answer.body, &here)));
            for note in &answer.notes {
                if answer.found {
                    anstream::eprintln!("note: {note}");
                } else {
                    anstream::eprintln!("{note}");
                }
            }
        }
    }
    Ok(ExitCode::from(u8::from(!answer.found)))
}

//! `sextant mcp`, `sextant serve` and `sextant lsp`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use crate::ask::EncoderArgs;
use crate::collection::CollectionArgs;
use crate::configuration;
use crate::error::Error;
use crate::live::CheckoutArgs;
use crate::output::print;
use sextant_api::config::Config;
use sextant_api::overlay::OverlayIndex;
use sextant_collection::PulledAnswers;
use sextant_server::{Answers, CLIENTS, Http, Live, ServedIndexes, Teams, install, install_hook, serve, serve_stdio};

/// Serve agents over the Model Context Protocol (MCP)
///
/// By default the client starts this program and communicates over standard input and output. Every command is a tool,
/// every file a resource. A new generation of an index is used as soon as it is published.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant mcp --index ./index
  sextant mcp --install claude-code --index ./index
  sextant mcp --install cursor --write --index ./index
  sextant mcp --install claude-code --hook --write --index ./index
  sextant mcp --listen 127.0.0.1:7800 --index ./index      # at /mcp")]
pub(crate) struct Mcp {
    #[command(flatten)]
    indexes: Indexes,
    #[command(flatten)]
    collection: CollectionArgs,
    /// Print the configuration with which this client starts the server
    #[arg(long, value_name = "CLIENT", value_parser = clap::builder::PossibleValuesParser::new(CLIENTS.iter().map(|c| c.name)))]
    install: Option<String>,
    /// Configure a hook instead: it adds what the index knows to the results of the client's own grep and read
    #[arg(long, requires = "install")]
    hook: bool,
    /// Write the configuration into the client's project file in the working folder
    #[arg(long, requires = "install")]
    write: bool,
    /// Serve over HTTP at this address instead, under /mcp
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    #[command(flatten)]
    live: LiveArgs,
    #[command(flatten)]
    limits: Limits,
}

/// Where `serve` listens, and `open` looks for a server.
pub(crate) const DEFAULT_ADDRESS: &str = "127.0.0.1:7700";

/// Serve the web page, and every command over HTTP, as JSON
///
/// / is a page to search and read; /api/v1/COMMAND answers GET with a query string and POST with JSON. /openapi.json describes the API, /health and
/// /metrics are for operators, and /mcp serves agents. A new generation of an index is used as soon as it is published,
/// and no request is lost.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant serve --index ./index
  sextant serve --index server/index --index client/index --listen 127.0.0.1:8000
  sextant serve --collection s3://indexes/all --teams teams.toml --listen 0.0.0.0:7700
  curl 'http://127.0.0.1:7700/api/v1/search?query=where+is+retry+handled&limit=3'
  curl http://127.0.0.1:7700/api/v1/definition -d '{\"name\": \"Session.close\"}'")]
pub(crate) struct Serve {
    #[command(flatten)]
    indexes: Indexes,
    #[command(flatten)]
    collection: CollectionArgs,
    /// Address to listen on; any other than loopback is reachable by others
    #[arg(long, value_name = "ADDRESS", default_value = DEFAULT_ADDRESS)]
    listen: SocketAddr,
    #[command(flatten)]
    live: LiveArgs,
    #[command(flatten)]
    limits: Limits,
}

/// Serve editors over the Language Server Protocol
///
/// The editor starts this program and communicates over standard input and output. Definitions, references, hovers,
/// symbols, calls and types come from the index: nothing is analysed, and guesses are left out. Lines of edited files are
/// mapped to those that were indexed; --overlay brings saved edits into the answers. docs/editors.md has settings for
/// VS Code, Neovim, Helix and Emacs.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant lsp --index ./index
  sextant lsp --index ./index --overlay .")]
pub(crate) struct Lsp {
    #[command(flatten)]
    indexes: Indexes,
    /// Ignored: editors that start several servers the same way add it
    #[arg(long, hide = true)]
    stdio: bool,
}

#[derive(clap::Args)]
pub(crate) struct Indexes {
    /// Index folder; several are searched together (repeatable) [default: from sextant.toml, else ./index]
    #[arg(long, env = "SEXTANT_INDEX", value_name = "INDEX")]
    index: Vec<PathBuf>,
    /// Answer for this checkout with its local edits (repeatable); the checkout is watched while this runs. PATH, or
    /// NAME=PATH if the folder's name is not the repository's
    #[arg(long, env = "SEXTANT_OVERLAY", value_name = "PATH")]
    overlay: Vec<String>,
    #[command(flatten)]
    encoder: EncoderArgs,
}

#[derive(clap::Args)]
pub(crate) struct LiveArgs {
    /// Start language servers, found in PATH, when a request can use them
    #[arg(long)]
    live: bool,
    #[command(flatten)]
    checkouts: CheckoutArgs,
}

#[derive(clap::Args)]
pub(crate) struct Limits {
    /// File with the bearer token that requests must contain
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// File with teams, each with a token and the indexes that it may ask (TOML; docs/serving.md)
    #[arg(long, value_name = "FILE", conflicts_with = "token_file")]
    teams: Option<PathBuf>,
    /// Add a line of JSON to this file for each request: who, which command, status, time, bytes; not what was asked
    #[arg(long, value_name = "FILE")]
    access_log: Option<PathBuf>,
    /// Maximum size of a request in bytes
    #[arg(long, default_value_t = 1 << 20, value_name = "BYTES")]
    max_body: usize,
    /// Maximum duration of a request in seconds
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// Maximum number of concurrent requests; more are rejected immediately
    #[arg(long, default_value_t = 64, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    max_requests: u16,
}

impl Indexes {
    /// The index folders, each with those of the checkouts that are of its repositories; `default` are the checkouts if
    /// none is given.
    pub(crate) fn overlays(&self, config: &Config, default: &[String]) -> Result<Vec<OverlayIndex>, Error> {
        let folders = configuration::index_folders(&self.index, config)?;
        let checkouts = if self.overlay.is_empty() { default } else { &self.overlay };
        let overlays = OverlayIndex::assign(&folders, checkouts)?.into_iter();
        Ok(overlays.map(|overlay| overlay.with_encoder(self.encoder.folder())).collect())
    }

    pub(crate) fn open(&self, live: Option<&LiveArgs>) -> Result<Arc<Live>, Error> {
        let config = configuration::load()?;
        let overlays = self.overlays(&config, &[])?;
        let servers = match live {
            Some(live) if live.live => live.checkouts.servers(&config)?,
            _ => None,
        };
        Ok(Arc::new(Live::open(overlays, config, servers)?))
    }
}

impl Limits {
    pub(crate) fn http(&self, listen: SocketAddr) -> Result<Http, Error> {
        let teams = match (&self.teams, &self.token_file) {
            (Some(path), _) => Teams::read(path)?,
            (None, Some(path)) => {
                let text = fs_err::read_to_string(path)
                    .map_err(|error| Error::Usage(format!("the token cannot be read: {error}")))?;
                let token = text.trim();
                if token.is_empty() {
                    return Err(Error::Usage(format!("the token file {} is empty", path.display())));
                }
                Teams::with_token(token)
            }
            (None, None) => Teams::default(),
        };
        if teams.is_everyone() && !listen.ip().is_loopback() {
            anstream::eprintln!(
                "warning: {listen} is reachable by others without a token; require one with --token-file or --teams"
            );
        }
        Ok(Http {
            listen,
            teams,
            access_log: self.access_log.clone(),
            max_body: self.max_body,
            timeout: Duration::from_secs(self.timeout),
            max_requests: usize::from(self.max_requests),
        })
    }
}

pub(crate) fn mcp(args: &Mcp) -> Result<ExitCode, Error> {
    if let Some(name) = &args.install {
        let config = configuration::load()?;
        let folders = if args.indexes.index.is_empty() { vec![config.index.value] } else { args.indexes.index.clone() };
        let Some(client) = CLIENTS.iter().find(|client| client.name == name) else {
            return Err(Error::Usage(format!("there is no client '{name}'")));
        };
        let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("sextant"));
        let folder = std::env::current_dir()
            .map_err(|error| Error::Usage(format!("the working folder cannot be determined: {error}")))?;
        let project = args.write.then_some(folder.as_path());
        let indexes = ServedIndexes {
            folders: &folders,
            overlays: &args.indexes.overlay,
            encoder: args.indexes.encoder.folder(),
        };
        if args.hook {
            print(&install_hook(client, &program, &folders, project)?);
            return Ok(ExitCode::SUCCESS);
        }
        print(&install(client, &program, &indexes, project)?);
        return Ok(ExitCode::SUCCESS);
    }
    let answers = answers(&args.collection, &args.indexes, &args.live)?;
    match args.listen {
        Some(listen) => serve(answers, &args.limits.http(listen)?)?,
        None => serve_stdio(answers)?,
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn http(args: &Serve) -> Result<ExitCode, Error> {
    // First, so that what is wrong with the options does not wait for a list.
    let http = args.limits.http(args.listen)?;
    serve(answers(&args.collection, &args.indexes, &args.live)?, &http)?;
    Ok(ExitCode::SUCCESS)
}

/// What a server answers from: a collection, or indexes.
fn answers(collection: &CollectionArgs, indexes: &Indexes, live: &LiveArgs) -> Result<Arc<dyn Answers>, Error> {
    match collection.open()? {
        Some(collection) => Ok(collection),
        None => {
            let live = indexes.open(Some(live))?;
            let folders = configuration::named_folders(&indexes.index, &configuration::load()?);
            match PulledAnswers::open(Arc::clone(&live), &folders, collection.most())? {
                Some(pulled) => Ok(Arc::new(pulled)),
                None => Ok(live),
            }
        }
    }
}

pub(crate) fn lsp(args: &Lsp) -> Result<ExitCode, Error> {
    let live = args.indexes.open(None)?;
    sextant_lsp::serve_stdio(env!("CARGO_PKG_VERSION"), &|| live.indexes())?;
    Ok(ExitCode::SUCCESS)
}

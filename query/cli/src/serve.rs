//! `sextant mcp` and `sextant serve`.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use crate::ask::EncoderArgs;
use crate::commands::print;
use crate::configuration;
use crate::error::Error;
use sextant_api::overlay::Laid;
use sextant_server::{CLIENTS, Http, Indexed, Live, install, serve, serve_stdio};

/// Serve agents by the Model Context Protocol
///
/// Without --listen the client starts the program and speaks with it by standard input and output. Every command is
/// a tool, every file a resource. A new generation of an index is used as soon as it is published.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant mcp --index ./index
  sextant mcp --install claude-code --index ./index
  sextant mcp --install cursor --write --index ./index
  sextant mcp --listen 127.0.0.1:7800 --index ./index      # at /mcp")]
pub(crate) struct Mcp {
    #[command(flatten)]
    indexes: Indexes,
    /// Print the configuration with which a client starts this server
    #[arg(long, value_name = "CLIENT", value_parser = clap::builder::PossibleValuesParser::new(CLIENTS.iter().map(|c| c.name)))]
    install: Option<String>,
    /// Write it into the client's file of the project in the working folder
    #[arg(long, requires = "install")]
    write: bool,
    /// Serve by HTTP at this address instead
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    #[command(flatten)]
    limits: Limits,
}

/// Serve every command by HTTP, as JSON
///
/// /api/v1/COMMAND answers GET with a query and POST with JSON; /openapi.json describes it, /health and /metrics are
/// for whoever runs it, and /mcp serves agents. A new generation of an index is used as soon as it is published, and
/// no request is lost.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant serve --index ./index
  sextant serve --index server/index --index client/index --listen 127.0.0.1:8000
  curl 'http://127.0.0.1:7700/api/v1/search?query=where+is+retry+handled&limit=3'
  curl http://127.0.0.1:7700/api/v1/definition -d '{\"name\": \"Session.close\"}'")]
pub(crate) struct Serve {
    #[command(flatten)]
    indexes: Indexes,
    /// Where to listen; another address than loopback is open to others
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7700")]
    listen: SocketAddr,
    #[command(flatten)]
    limits: Limits,
}

#[derive(clap::Args)]
struct Indexes {
    /// The index folder; several are searched as one (repeatable) [default: that of sextant.toml, else ./index]
    #[arg(long, env = "SEXTANT_INDEX", value_name = "INDEX")]
    index: Vec<PathBuf>,
    /// Answer for a checkout with its local edits, which are looked for again when a request comes (repeatable). PATH,
    /// or NAME=PATH where the folder is not called like the repository
    #[arg(long, env = "SEXTANT_OVERLAY", value_name = "PATH")]
    overlay: Vec<String>,
    #[command(flatten)]
    encoder: EncoderArgs,
}

#[derive(clap::Args)]
struct Limits {
    /// A file with the token that requests must bear
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Bytes of a request at most
    #[arg(long, default_value_t = 1 << 20, value_name = "BYTES")]
    max_body: usize,
    /// Seconds that a request may take
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,
    /// Requests under way at most; what is more is told so at once
    #[arg(long, default_value_t = 64, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    max_requests: u16,
}

impl Indexes {
    fn open(&self) -> Result<Arc<Live>, Error> {
        let config = configuration::load()?;
        let folders = if self.index.is_empty() { vec![config.index.value.clone()] } else { self.index.clone() };
        let laid = Laid::over(&folders, &self.overlay)?.into_iter();
        Ok(Arc::new(Live::open(laid.map(|laid| laid.with_encoder(self.encoder.folder())).collect(), config)?))
    }
}

impl Limits {
    fn http(&self, listen: SocketAddr) -> Result<Http, Error> {
        let token = match &self.token_file {
            None => None,
            Some(path) => {
                let text = fs_err::read_to_string(path).map_err(|error| Error::Usage(format!("the token: {error}")))?;
                let token = text.trim().to_owned();
                if token.is_empty() {
                    return Err(Error::Usage(format!("the token file {} is empty", path.display())));
                }
                Some(token)
            }
        };
        if token.is_none() && !listen.ip().is_loopback() {
            anstream::eprintln!("warning: {listen} is open to others; --token-file asks them for a token");
        }
        Ok(Http {
            listen,
            token,
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
        let here = std::env::current_dir().map_err(|error| Error::Usage(format!("the working folder: {error}")))?;
        let project = args.write.then_some(here.as_path());
        let indexes =
            Indexed { folders: &folders, overlays: &args.indexes.overlay, encoder: args.indexes.encoder.folder() };
        print(&install(client, &program, &indexes, project)?);
        return Ok(ExitCode::SUCCESS);
    }
    let live = args.indexes.open()?;
    match args.listen {
        Some(listen) => serve(live, &args.limits.http(listen)?)?,
        None => serve_stdio(live)?,
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn http(args: &Serve) -> Result<ExitCode, Error> {
    let live = args.indexes.open()?;
    serve(live, &args.limits.http(args.listen)?)?;
    Ok(ExitCode::SUCCESS)
}

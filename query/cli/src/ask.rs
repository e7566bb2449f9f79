//! Turns a command's options into a request, and prints the response.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use globset::{Glob, GlobSetBuilder};
use supports_hyperlinks::Stream;

use sextant_api::config::Config;
use sextant_api::overlay::OverlayIndex;
use sextant_api::requests::{
    Affected, Callers, Definition, Explore, Hover, HybridSearch, References, Request, Review, Search, VectorFunction,
    Vectors,
};
use sextant_api::responses::{Coverage, HowToAsk, Response};
use sextant_api::{Error as RequestError, IndexSet};
use sextant_collection::Pulled;
use sextant_render::TextRenderer;
use sextant_search::Index;
use sextant_search::live::LanguageServers;

use crate::configuration;
use crate::error::Error;
use crate::live::CheckoutArgs;
use crate::output::{Format, print};

/// The index and the output format.
#[derive(clap::Args)]
pub(crate) struct IndexArgs {
    /// Index folder; several are searched together (repeatable) [default: from sextant.toml, else ./index]
    #[arg(long, env = "SEXTANT_INDEX", value_name = "INDEX")]
    index: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Of a folder into which a collection was pulled, ask only members whose names match this glob (repeatable); `*`
    /// includes `/`
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Of such a folder, ask at most so many members about a text: those whose words fit best
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    max_indexes: u16,
}

impl IndexArgs {
    /// Returns the index folders from the command line, else from the configuration.
    pub(crate) fn folders(&self, config: &Config) -> Result<Vec<PathBuf>, Error> {
        configuration::index_folders(&self.index, config)
    }

    /// Returns the index folders that a request asks: of a pulled collection the members that may have an answer. Says which
    /// these are if there is a choice.
    fn chosen(&self, config: &Config, request: &impl Request) -> Result<(Vec<PathBuf>, Option<Coverage>), Error> {
        let (mut folders, mut covered) = (Vec::new(), None);
        let mut globs = GlobSetBuilder::new();
        for glob in &self.only {
            globs.add(Glob::new(glob).map_err(|error| Error::Usage(error.to_string()))?);
        }
        let globs = globs.build().map_err(|error| Error::Usage(error.to_string()))?;
        let is_wanted = |name: &str| self.only.is_empty() || globs.is_match(name);
        for folder in configuration::named_folders(&self.index, config) {
            let Some(pulled) = Pulled::open(&folder)? else {
                folders.push(folder);
                continue;
            };
            let (chosen, coverage) = pulled.choose(request, is_wanted, usize::from(self.max_indexes));
            folders.extend(chosen);
            let whole: &mut Coverage =
                covered.get_or_insert_with(|| Coverage { how: HowToAsk::Options, ..Coverage::default() });
            whole.add(coverage);
        }
        Ok((folders, covered))
    }

    /// Returns the folder of the only index; an error if there are several.
    pub(crate) fn folder(&self, config: &Config) -> Result<PathBuf, Error> {
        match self.folders(config)?.as_slice() {
            [one] => Ok(one.clone()),
            _ => Err(Error::Usage("this command works on one index: give --index once".to_owned())),
        }
    }
}

/// Checkouts with local edits.
#[derive(clap::Args)]
struct OverlayArgs {
    /// Answer for this checkout with its local edits (repeatable). Files that differ from the index are indexed into the
    /// user's cache and marked in results. PATH, or NAME=PATH if the folder's name is not the repository's
    #[arg(long, env = "SEXTANT_OVERLAY", value_name = "PATH")]
    overlay: Vec<String>,
}

impl OverlayArgs {
    /// Returns the indexes that a request asks, each with its checkouts, and which of a pulled collection these are.
    fn overlay_indexes(
        &self,
        indexes: &IndexArgs,
        config: &Config,
        request: &impl Request,
    ) -> Result<(Vec<OverlayIndex>, Option<Coverage>), Error> {
        // A checkout may be of any of them.
        if !self.overlay.is_empty() {
            return Ok((OverlayIndex::assign(&indexes.folders(config)?, &self.overlay)?, None));
        }
        let (folders, coverage) = indexes.chosen(config, request)?;
        Ok((OverlayIndex::assign(&folders, &[])?, coverage))
    }
}

/// The encoder of queries.
#[derive(clap::Args)]
pub(crate) struct EncoderArgs {
    /// Folder of the encoder, for an index built with --model-by-reference
    #[arg(long, env = "SEXTANT_ENCODER", value_name = "DIR")]
    encoder: Option<PathBuf>,
}

impl EncoderArgs {
    /// Returns the folder, if one is given.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.encoder.as_deref()
    }
}

/// The arguments of a command whose options are the parameters of its request.
#[derive(clap::Args)]
pub(crate) struct CommandArgs<T: clap::Args> {
    #[command(flatten)]
    indexes: IndexArgs,
    #[command(flatten)]
    overlays: OverlayArgs,
    #[command(flatten)]
    request: T,
}

/// The arguments of a command that may ask language servers, too.
#[derive(clap::Args)]
pub(crate) struct LiveArgs<T: clap::Args> {
    #[command(flatten)]
    command: CommandArgs<T>,
    #[command(flatten)]
    checkouts: CheckoutArgs,
}

/// A request that may ask language servers, too.
pub(crate) trait AsksServers {
    /// Whether it does.
    fn asks_servers(&self) -> bool;
}

macro_rules! asks_servers {
    ($($request:ty),+) => {
        $(impl AsksServers for $request {
            fn asks_servers(&self) -> bool {
                self.live.live
            }
        })+
    };
}
asks_servers!(Callers, Definition, Hover, References);

/// The arguments of a command whose query is the rest of the line.
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
    /// Find nearest vectors with the LanceDB table: the index's own, or the one at this URI
    #[cfg(feature = "lancedb")]
    #[arg(long, value_name = "URI", num_args = 0..=1, require_equals = true)]
    lancedb: Option<Option<String>>,
    /// The query; write '--' before it if it starts with a dash
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

impl HasQuery for HybridSearch {
    fn set_query(&mut self, query: String) {
        self.query = query;
    }
}

/// The arguments of `hybrid-search`.
#[derive(clap::Args)]
pub(crate) struct HybridArgs {
    #[command(flatten)]
    query: QueryArgs<HybridSearch>,
    /// Take all relations from the index
    #[arg(long)]
    no_live: bool,
    #[command(flatten)]
    checkouts: CheckoutArgs,
}

/// Runs `hybrid-search`.
pub(crate) fn hybrid(args: HybridArgs) -> Result<ExitCode, Error> {
    let config = configuration::load()?;
    let servers = if args.no_live { None } else { args.checkouts.servers(&config)? };
    query_with(args.query, servers)
}

/// Runs a command whose options are the parameters of its request.
pub(crate) fn ask<T: Request + clap::Args>(args: &CommandArgs<T>) -> Result<ExitCode, Error> {
    ask_with(args, configuration::load()?, None)
}

/// Runs a command that may ask language servers, too.
pub(crate) fn ask_live<T: Request + AsksServers + clap::Args>(args: &LiveArgs<T>) -> Result<ExitCode, Error> {
    let config = configuration::load()?;
    let servers = if args.command.request.asks_servers() { args.checkouts.servers(&config)? } else { None };
    ask_with(&args.command, config, servers)
}

fn ask_with<T: Request + clap::Args>(
    args: &CommandArgs<T>,
    config: Config,
    servers: Option<Arc<dyn LanguageServers>>,
) -> Result<ExitCode, Error> {
    let (overlays, coverage) = args.overlays.overlay_indexes(&args.indexes, &config, &args.request)?;
    if let (true, Some(coverage)) = (overlays.is_empty(), &coverage) {
        return nothing(&args.request, coverage, args.indexes.format);
    }
    let indexes = IndexSet::open_with(&overlays, config, OverlayIndex::open)?.with_servers(servers);
    answer(&args.request, indexes, coverage, args.indexes.format)
}

/// The answer of a collection of which no member has what a request names.
fn nothing(request: &impl Request, coverage: &Coverage, format: Format) -> Result<ExitCode, Error> {
    let response = Response::nothing(&request.subject()).covering(coverage.clone());
    print_response(&response, format);
    Ok(ExitCode::from(1))
}

/// Runs a command whose query is the rest of the line.
pub(crate) fn query<T: Request + HasQuery + clap::Args>(args: QueryArgs<T>) -> Result<ExitCode, Error> {
    query_with(args, None)
}

/// Runs a command whose query is the rest of the line; language servers may be asked.
fn query_with<T: Request + HasQuery + clap::Args>(
    mut args: QueryArgs<T>,
    servers: Option<Arc<dyn LanguageServers>>,
) -> Result<ExitCode, Error> {
    args.request.set_query(args.words.join(" "));
    if let Some(option) = args.words.iter().find(|word| is_option::<T>(word)) {
        anstream::eprintln!("note: '{option}' is a word of the query, because it stands after '--'");
    }
    let config = configuration::load()?;
    let (overlays, coverage) = args.overlays.overlay_indexes(&args.indexes, &config, &args.request)?;
    if let (true, Some(coverage)) = (overlays.is_empty(), &coverage) {
        return nothing(&args.request, coverage, args.indexes.format);
    }
    let overlays: Vec<OverlayIndex> =
        overlays.into_iter().map(|overlay| overlay.with_encoder(args.encoder.folder())).collect();
    let open = |overlay: &OverlayIndex| -> Result<Index, RequestError> {
        let index = overlay.open()?;
        #[cfg(feature = "lancedb")]
        if let Some(uri) = &args.lancedb {
            return Ok(index.with_lancedb(uri.as_deref())?);
        }
        Ok(index)
    };
    let indexes = IndexSet::open_with(&overlays, config, open)?.with_servers(servers);
    answer(&args.request, indexes, coverage, args.indexes.format)
}

/// Whether a word of a query is an option of the command: its writer may have meant it.
fn is_option<T: Request + HasQuery + clap::Args>(word: &str) -> bool {
    let Some(name) = word.strip_prefix("--").filter(|name| !name.is_empty()) else { return false };
    let name = name.split_once('=').map_or(name, |(name, _)| name);
    <QueryArgs<T> as clap::Args>::augment_args(clap::Command::new("query"))
        .get_arguments()
        .any(|argument| argument.get_long() == Some(name))
}

/// Runs `affected`. Without names, a diff is read from standard input.
pub(crate) fn affected(mut args: CommandArgs<Affected>) -> Result<ExitCode, Error> {
    if args.request.names.is_empty() {
        args.request.diff = Some(read_diff()?);
    }
    ask(&args)
}

/// Runs `review` on the diff on standard input.
pub(crate) fn review(mut args: CommandArgs<Review>) -> Result<ExitCode, Error> {
    args.request.diff = read_diff()?;
    ask(&args)
}

/// Reads standard input; empty if it is a terminal.
fn read_diff() -> Result<String, Error> {
    let mut diff = Vec::new();
    if !std::io::stdin().is_terminal() {
        std::io::stdin()
            .read_to_end(&mut diff)
            .map_err(|error| Error::Usage(format!("standard input cannot be read: {error}")))?;
    }
    Ok(String::from_utf8_lossy(&diff).into_owned())
}

/// Runs `vectors`. A text that begins with `@` is read from the file of this name.
pub(crate) fn vectors(mut args: CommandArgs<Vectors>) -> Result<ExitCode, Error> {
    use VectorFunction::{Contrast, Difference, Nearest};
    if matches!(args.request.function, Nearest | Contrast | Difference) {
        for text in args.request.inputs.iter_mut().chain(&mut args.request.unlike) {
            if let Some(path) = text.strip_prefix('@') {
                let read =
                    fs_err::read(path).map_err(|error| Error::Usage(format!("the text cannot be read: {error}")))?;
                *text = String::from_utf8_lossy(&read).into_owned();
            }
        }
    }
    ask(&args)
}

/// Answers a request and prints the response; `coverage` says which indexes these are, if there was a choice.
fn answer(
    request: &impl Request,
    indexes: IndexSet,
    coverage: Option<Coverage>,
    format: Format,
) -> Result<ExitCode, Error> {
    let mut response = request.answer(&indexes)?;
    if let Ok(folder) = std::env::current_dir() {
        response.compare(&indexes, &folder)?;
    }
    if let Some(coverage) = coverage {
        response = response.covering(coverage);
    }
    print_response(&response, format);
    // The process ends now, and the system takes back memory and mappings faster as a whole than part by part. What else
    // the set has is dropped, so that language servers are stopped.
    let IndexSet { indexes, .. } = indexes;
    std::mem::forget(indexes);
    Ok(ExitCode::from(u8::from(!response.found)))
}

/// Prints a response, with notes on standard error.
fn print_response(response: &Response, format: Format) {
    match format {
        Format::Json => print(&format!("{}\n", sextant_render::json(response))),
        Format::Text => {
            let folder = std::env::current_dir().ok().filter(|_| supports_hyperlinks::on(Stream::Stdout));
            print(&TextRenderer { links: folder.as_deref() }.render(response));
            for note in &response.notes {
                // Notes name what is indexed.
                let note = sextant_diagnostics::sanitise(note);
                if response.found {
                    anstream::eprintln!("note: {note}");
                } else {
                    anstream::eprintln!("{note}");
                }
            }
        }
    }
}

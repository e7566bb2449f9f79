//! `sextant pull`: downloads a pack into an index.

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use sextant_collection::Pulled;
use sextant_sync::collection::{self, Collection, Member, repository_of};
use sextant_sync::pack::{Profile, limit};

use crate::error::Error;
use crate::output::{Format, print};
use sextant_sync::pull::{self, Reporter};

/// Download an index, or update one
///
/// SOURCE is a pack: a path, a URL (such as a release asset) or s3://BUCKET/KEY. Or it is a remote that sextant-index
/// publishes to, from which the latest pack of a branch is pulled. If the index folder already has an older index, only
/// changed blocks are fetched. An interrupted pull resumes. Every byte is verified before the index changes. Of a
/// collection, the members that --only names are pulled, or all; the folder then stands for all of them.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant pull https://example.org/server.sxt
  sextant pull s3://indexes/server --branch main -o ~/indexes/server
  sextant pull s3://indexes/all --only 'team/*' -o ~/indexes/team
  sextant pull ./server.sxt --key RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3

If SEXTANT_TOKEN is set, it is sent to web servers as a bearer token. Object stores use the AWS_* variables.
Exit codes: 0 the index matches the pack, 2 error, and the index is unchanged.")]
pub(crate) struct Pull {
    /// The pack or the remote
    source: String,
    /// Pull this branch of a remote [default: the remote's default branch]
    #[arg(long, value_name = "NAME")]
    branch: Option<String>,
    /// Pull the branch's pack of this commit [default: the latest pack]
    #[arg(long, value_name = "COMMIT")]
    commit: Option<String>,
    /// Of a collection, pull the members whose names match this glob (repeatable); `*` includes `/`
    #[arg(long, value_name = "GLOB", conflicts_with_all = ["branch", "commit"])]
    only: Vec<String>,
    /// Index folder
    #[arg(short, long, default_value = "index", value_name = "INDEX")]
    output: PathBuf,
    /// 'query' is enough to search; 'overlay' adds what the first answer with --overlay needs in order not to analyse
    /// the whole checkout; 'full' also adds the LanceDB table and what later builds reuse
    #[arg(long, default_value = "query", value_name = "query|overlay|full")]
    profile: Profile,
    /// Public minisign key that must have signed the pack: the key itself, or its file
    #[arg(long, value_name = "KEY", env = "SEXTANT_KEY")]
    key: Option<String>,
    /// Number of concurrent downloads
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=64))]
    parallel: u8,
    /// Refuse a pack that would unpack to more bytes than this
    #[arg(long, default_value_t = limit::TOTAL_BYTES, value_name = "BYTES")]
    max_bytes: u64,
    /// Format of the summary
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Print errors only
    #[arg(short, long)]
    quiet: bool,
}

/// A progress bar on a terminal, nothing elsewhere.
struct Bar(ProgressBar);

impl Bar {
    fn new(is_quiet: bool) -> Self {
        let is_shown = !is_quiet && std::io::stderr().is_terminal();
        let target = if is_shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        Self(ProgressBar::with_draw_target(None, target))
    }
}

impl Reporter for Bar {
    fn stage(&self, name: &'static str, steps: Option<u64>) {
        let template = match (name, steps) {
            ("fetch", Some(_)) => "{prefix:8} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta:>4}",
            ("fetch", None) => "{prefix:8} {spinner} {bytes} {bytes_per_sec}",
            (_, Some(_)) => "{prefix:8} {wide_bar} {pos}/{len} {eta:>4}",
            _ => "{prefix:8} {spinner} {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.0.set_style(style);
        }
        self.0.set_prefix(name);
        self.0.set_position(0);
        match steps {
            Some(steps) => self.0.set_length(steps),
            None => self.0.enable_steady_tick(std::time::Duration::from_millis(200)),
        }
    }

    fn step(&self, steps: u64) {
        self.0.inc(steps);
    }
}

pub(crate) fn pull(args: Pull) -> Result<ExitCode, Error> {
    let bar = Bar::new(args.quiet);
    let is_collection = !args.only.is_empty() || args.branch.is_none() && args.commit.is_none();
    let found = if is_collection { pull::collection(&args.source, !args.only.is_empty())? } else { None };
    if let Some(collection) = found {
        return pull_members(&args, &collection, &bar);
    }
    if !args.only.is_empty() {
        return Err(Error::Usage(format!("{} is no collection, so --only has no meaning", args.source)));
    }
    let (output, format, is_quiet) = (args.output.clone(), args.format, args.quiet);
    let pulled = pull::pull(&options(&args, args.source.clone(), args.output.clone(), Vec::new()), &bar);
    bar.0.finish_and_clear();
    let pulled = pulled?;
    if let Format::Json = format {
        let summary = json!({
            "schema_version": 1,
            "generation": pulled.generation,
            "content_id": pulled.content_id,
            "was_current": pulled.was_current,
            "pack_bytes": pulled.pack_bytes,
            "fetched_bytes": pulled.fetched_bytes,
            "blocks": pulled.blocks,
            "reused": pulled.reused,
            "resumed": pulled.resumed,
            "signature_checked": pulled.signature,
        });
        print(&format!("{summary}\n"));
        return Ok(ExitCode::SUCCESS);
    }
    if is_quiet {
        return Ok(ExitCode::SUCCESS);
    }
    let name = format!("{}/{}", output.display(), pulled.generation);
    if pulled.was_current {
        print(&format!("{name} is up to date\n"));
    } else {
        let share = 100.0 * pulled.fetched_bytes as f64 / pulled.pack_bytes.max(1) as f64;
        let (fetched, pack) = (pulled.fetched_bytes, pulled.pack_bytes);
        print(&format!("{name}: {fetched} of {pack} bytes fetched ({share:.1} %)\n"));
    }
    if pulled.signature == Some(false) {
        anstream::eprintln!("note: the pack is signed; verify the signature with --key KEY");
    }
    Ok(ExitCode::SUCCESS)
}

fn options(args: &Pull, source: String, index: PathBuf, near: Vec<PathBuf>) -> pull::PullOptions {
    pull::PullOptions {
        source,
        branch: args.branch.clone(),
        commit: args.commit.clone(),
        index,
        near,
        profile: args.profile,
        key: args.key.clone(),
        parallel: usize::from(args.parallel),
        max_bytes: args.max_bytes,
    }
}

/// Pulls members of a collection, each into a folder of its own. The list of the folder is written last, so an
/// interrupted pull leaves the members that were there.
fn pull_members(args: &Pull, collection: &Collection, bar: &Bar) -> Result<ExitCode, Error> {
    let mut globs = globset::GlobSetBuilder::new();
    for glob in &args.only {
        globs.add(globset::Glob::new(glob).map_err(|error| Error::Usage(error.to_string()))?);
    }
    let globs = globs.build().map_err(|error| Error::Usage(error.to_string()))?;
    let is_wanted = |member: &&Member| args.only.is_empty() || globs.is_match(&member.name);
    let members: Vec<Member> = collection.members.iter().filter(is_wanted).cloned().collect();
    if members.is_empty() {
        let names: Vec<&str> = collection.members.iter().map(|member| member.name.as_str()).take(10).collect();
        return Err(Error::Usage(format!("no member has such a name; there are {}, ...", names.join(", "))));
    }
    if args.output.join("CURRENT").exists() {
        return Err(Error::Usage(format!("{} is an index, not a folder for several", args.output.display())));
    }
    fs_err::create_dir_all(&args.output).map_err(sextant_sync::Error::from)?;
    let (mut fetched, mut pulled) = (0, Vec::new());
    for member in &members {
        let source = pull::location_of(&args.source, &member.pack)?;
        // Another state of the repository shares its files, and any member its encoder.
        let before = members.iter().filter(|other| other.name != member.name);
        let is_state_of_same = |other: &&Member| repository_of(&other.name) == repository_of(&member.name);
        let (mut near, others): (Vec<&Member>, Vec<&Member>) = before.partition(is_state_of_same);
        let has_index = |other: &&Member| args.output.join(other.folder()).join("CURRENT").exists();
        near.extend(others.into_iter().find(has_index));
        let near = near.into_iter().map(|other| args.output.join(other.folder())).collect();
        let summary = pull::pull(&options(args, source, args.output.join(member.folder()), near), bar);
        let summary = summary.inspect_err(|_| {
            bar.0.finish_and_clear();
            anstream::eprintln!("error: {} cannot be pulled", member.name);
        })?;
        fetched += summary.fetched_bytes;
        pulled.push(json!({
            "name": member.name,
            "folder": member.folder(),
            "content_id": summary.content_id,
            "was_current": summary.was_current,
            "fetched_bytes": summary.fetched_bytes,
        }));
    }
    bar.0.finish_and_clear();
    let of_folder = Collection { members, ..collection.clone() };
    Pulled::fetch_vocabularies(&args.source, &of_folder, &args.output)?;
    collection::write_pulled(&args.output, &of_folder)?;
    match args.format {
        Format::Json => {
            print(&format!("{}\n", json!({"schema_version": 1, "members": pulled, "fetched_bytes": fetched})));
        }
        Format::Text if args.quiet => {}
        Format::Text => {
            let (folder, count, all) = (args.output.display(), pulled.len(), collection.members.len());
            print(&format!("{folder}: {count} of {all} members, {fetched} bytes fetched\n"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

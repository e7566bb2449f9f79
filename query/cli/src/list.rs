//! `sextant list`: the packs of a remote.

use std::process::ExitCode;

use serde_json::json;

use sextant_api::date::date_time;
use sextant_sync::collection::Collection;
use sextant_sync::pull;

use crate::error::Error;
use crate::output::{Format, print};
use sextant_diagnostics::sanitise;

/// List the packs that a remote contains, or the members of a collection
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant list s3://indexes/server
  sextant list https://example.org/indexes --branch main --format json

Exit codes: 0 there are packs, 1 there are none, 2 error.")]
pub(crate) struct List {
    /// The remote: a folder, a URL, or s3://BUCKET/PREFIX
    remote: String,
    /// List only this branch
    #[arg(long, value_name = "NAME")]
    branch: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(crate) fn list(args: &List) -> Result<ExitCode, Error> {
    if args.branch.is_none()
        && let Some(collection) = pull::collection(&args.remote, false)?
    {
        list_members(&collection, args.format);
        return Ok(ExitCode::from(u8::from(collection.members.is_empty())));
    }
    let branches = pull::list(&args.remote, args.branch.as_deref())?;
    match args.format {
        Format::Json => print(&format!("{}\n", json!({ "schema_version": 1, "branches": branches }))),
        Format::Text => {
            for branch in &branches {
                print(&format!("{}\n", sanitise(&branch.branch)));
                for entry in &branch.entries {
                    let commits = entry.repositories.iter().map(|repository| {
                        let commit = repository.commit.as_deref().and_then(|commit| commit.get(..10)).unwrap_or("-");
                        sanitise(&format!("{} {commit}", repository.name)).into_owned()
                    });
                    print(&format!(
                        "  {}  {}  {:>9.1} MB  {:5}  {} files  {}\n",
                        date_time(entry.published_unix_seconds),
                        sanitise(entry.content_id.get(..12).unwrap_or("")),
                        entry.bytes as f64 / 1e6,
                        sanitise(&entry.profile),
                        entry.files,
                        commits.collect::<Vec<_>>().join(", "),
                    ));
                }
            }
        }
    }
    Ok(ExitCode::from(u8::from(branches.iter().all(|branch| branch.entries.is_empty()))))
}

fn list_members(collection: &Collection, format: Format) {
    match format {
        Format::Json => print(&format!("{}\n", json!({ "schema_version": 1, "collection": collection }))),
        Format::Text => {
            for member in &collection.members {
                let commit = member.commit.as_deref().and_then(|commit| commit.get(..10)).unwrap_or("-");
                print(&format!(
                    "{}  {}  {:>9.1} MB  {:5}  {} files  {}\n",
                    sanitise(&member.name),
                    sanitise(member.content_id.get(..12).unwrap_or("")),
                    member.bytes as f64 / 1e6,
                    sanitise(&member.profile),
                    member.files,
                    sanitise(commit),
                ));
            }
            for name in &collection.missing {
                let is_old = collection.members.iter().any(|member| member.name == *name);
                let note = if is_old { "of an earlier plan" } else { "missing" };
                print(&format!("{}  {note}\n", sanitise(name)));
            }
        }
    }
}

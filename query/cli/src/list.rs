//! `sextant list`: the packs of a remote.

use std::process::ExitCode;

use serde_json::json;

use sextant_api::date::date_time;
use sextant_sync::pull;

use crate::error::Error;
use crate::output::{Format, print};

/// List the packs that a remote contains
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
    let branches = pull::list(&args.remote, args.branch.as_deref())?;
    match args.format {
        Format::Json => print(&format!("{}\n", json!({ "schema_version": 1, "branches": branches }))),
        Format::Text => {
            for branch in &branches {
                print(&format!("{}\n", escape_controls(&branch.branch)));
                for entry in &branch.entries {
                    let commits = entry.repositories.iter().map(|repository| {
                        let commit = repository.commit.as_deref().and_then(|commit| commit.get(..10)).unwrap_or("-");
                        escape_controls(&format!("{} {commit}", repository.name))
                    });
                    print(&format!(
                        "  {}  {}  {:>9.1} MB  {:5}  {} files  {}\n",
                        date_time(entry.published_unix_seconds),
                        escape_controls(entry.content_id.get(..12).unwrap_or("")),
                        entry.bytes as f64 / 1e6,
                        escape_controls(&entry.profile),
                        entry.files,
                        commits.collect::<Vec<_>>().join(", "),
                    ));
                }
            }
        }
    }
    Ok(ExitCode::from(u8::from(branches.iter().all(|branch| branch.entries.is_empty()))))
}

/// Escapes the control characters of a text from a remote, so that it cannot control the terminal.
fn escape_controls(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() }).collect()
}

#[cfg(test)]
mod tests {
    use super::escape_controls;

    #[test]
    fn text_from_a_remote_cannot_control_the_terminal() {
        assert_eq!(escape_controls("main\u{1b}[2J\u{9b}"), "main\\u{1b}[2J\\u{9b}");
        assert_eq!(escape_controls("grün"), "grün");
    }
}

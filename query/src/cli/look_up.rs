//! The commands that look up names, and what is near to them.

use std::process::ExitCode;

use sextant_formats::kinds::Kind;

use super::graph::{nothing, one_repo};
use super::{Format, Place, parse_kind, print};
use crate::navigate::Likeness;
use crate::rank::Weights;
use crate::{Error, render};

/// Show where a name is defined
///
/// Without a definition of just that name, those whose names begin with it are shown, then those that differ from
/// it in a letter or two.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant definition Session.close
  sextant definition open --kind function --from src/pool.rs
  sextant definition src/pool.rs:120 --format json

Exit codes: 0 found, 1 nothing found, 2 error.")]
pub(super) struct Asked {
    #[command(flatten)]
    place: Place,
    /// Definitions of this kind before all others, e.g. function, class (repeatable)
    #[arg(long, value_parser = parse_kind)]
    kind: Vec<Kind>,
    /// A file of the index: what it imports, and what lies near to it, comes first
    #[arg(long, value_name = "FILE")]
    from: Option<String>,
    /// How many results at most
    #[arg(short = 'n', long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
    limit: u16,
    /// The symbol: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`, or a path for all that a
    /// file defines
    #[arg(value_name = "NAME")]
    name: String,
}

/// Show what belongs to a symbol: what it is joined to in the graph more than to anything else
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant related Session.close
  sextant related src/pool.rs:120

Exit codes: 0 found, 1 nothing found, 2 error.")]
pub(super) struct Near {
    #[command(flatten)]
    place: Place,
    /// How many results at most
    #[arg(short = 'n', long, default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=100))]
    limit: u16,
    /// The symbol: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`, or a path for all that a
    /// file defines
    #[arg(value_name = "NAME")]
    name: String,
}

pub(super) fn definition(args: &Asked) -> Result<ExitCode, Error> {
    let index = args.place.open()?;
    let mut named = index.definition(&args.name, &args.kind, args.from.as_deref())?;
    let limit = usize::from(args.limit);
    let is_cut = named.definitions.len() > limit;
    named.definitions.truncate(limit);
    match args.place.format {
        Format::Json => print(&format!("{}\n", render::definitions_json(&named, is_cut))),
        Format::Text => {
            print(&render::definitions_text(&named.definitions, one_repo(&index)));
            match named.likeness {
                _ if named.definitions.is_empty() => anstream::eprintln!("no definition is called '{}'", args.name),
                Likeness::Exact => {}
                Likeness::OtherKind => anstream::eprintln!("note: '{}' is of another kind", args.name),
                Likeness::Prefix | Likeness::Fuzzy => {
                    anstream::eprintln!("note: no definition is called '{}'; these are like it", args.name);
                }
            }
            if is_cut {
                anstream::eprintln!("note: there is more; --limit raises how much is shown");
            }
        }
    }
    Ok(ExitCode::from(u8::from(named.definitions.is_empty())))
}

pub(super) fn related(args: &Near) -> Result<ExitCode, Error> {
    let index = args.place.open()?;
    let found = index.resolve(&args.name)?;
    if found.definitions.is_empty() {
        return Ok(nothing(&args.name, &found));
    }
    let ids: Vec<u32> = found.definitions.iter().map(|d| d.symbol_id).collect();
    let related = index.related(&ids, &Weights::STANDARD, usize::from(args.limit))?;
    match args.place.format {
        Format::Json => print(&format!("{}\n", render::related_json(&found.definitions, &related))),
        Format::Text => {
            print(&render::related_text(&related, &found.definitions, one_repo(&index)));
            if related.is_empty() {
                anstream::eprintln!("nothing found");
            }
        }
    }
    Ok(ExitCode::from(u8::from(related.is_empty())))
}

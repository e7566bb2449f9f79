//! `sextant export`: a map and symbols as web pages that need neither a server nor a script.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sextant_api::requests::{self, Request};
use sextant_api::responses::{Body, Definition, Excerpt, Hover, MapAnswer, ReachAnswer};
use sextant_api::{Error as RequestError, IndexSet};
use sextant_format::kinds::Kind;
use sextant_render::{Links, STYLE_SHEETS, SymbolParts, map_page, symbol_page};

use crate::ask::IndexArgs;
use crate::configuration;
use crate::error::Error;
use crate::output::{Format, print};

/// The size of a symbol's source on its page, in tokens of four bytes.
const MAX_SOURCE_TOKENS: usize = 20_000;
/// Callers and callees of a page.
const MAX_CALLS: u16 = 40;
/// Characters of a file's name that tell which symbol it is.
const MAX_NAME: usize = 60;
/// The mark of a page that this command wrote.
const MARK: &str = "content=\"sextant export\"";

/// Write a map and symbols as web pages that need no server
///
/// The folder gets index.html, the map with its modules, and a page for each symbol with its source, a drawing of its
/// callers and callees, and lists of them. Without names, those are the most used symbols. The pages have no script, and
/// load nothing from elsewhere.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant export --html ./pages
  sextant export --html ./pages --map src/http
  sextant export --html ./pages Session.close Pool.take

Exit codes: 0 written, 1 a name was not found, 2 error.")]
pub(crate) struct Export {
    #[command(flatten)]
    indexes: IndexArgs,
    /// Folder for the pages: a new or empty one, or one that this command wrote before
    #[arg(long, required = true, value_name = "DIR")]
    html: PathBuf,
    /// Symbols: names or keys
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Draw the map of this folder
    #[arg(long, value_name = "FOLDER")]
    map: Option<String>,
    /// Maximum size of the map in tokens of four bytes: about one module for 70
    #[arg(long, default_value_t = 2000, value_name = "N")]
    max_tokens: usize,
}

/// A symbol and what is asked about it.
struct Asked {
    definition: Definition,
    file: String,
    hover: Option<Hover>,
    excerpt: Option<Excerpt>,
    callers: Option<ReachAnswer>,
    callees: Option<ReachAnswer>,
}

/// Writes the pages.
pub(crate) fn export(args: &Export) -> Result<ExitCode, Error> {
    let config = configuration::load()?;
    let indexes = IndexSet::open(&args.indexes.folders(&config)?, config)?;
    check_folder(&args.html)?;
    let parameters = json!({ "path": args.map, "max_tokens": args.max_tokens, "communities": true, "draw": "svg" });
    let maps: Vec<MapAnswer> = bodies::<requests::Map>(parameters, &indexes)?.into_iter().filter_map(map).collect();
    let (found, missing) = definitions(&args.names, &maps, &indexes)?;
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for definition in &found {
        let file = file_name(definition, &files);
        files.insert(definition.key.clone(), file);
    }
    let links: Links<'_> = &|key| files.get(key).cloned();
    let source = source_of(&indexes);
    let asked = found.into_iter().map(|one| ask(one, &files, &indexes)).collect::<Result<Vec<_>, _>>()?;
    let write = |name: &str, bytes: &[u8]| {
        let path = args.html.join(name);
        fs_err::write(path, bytes).map_err(|error| Error::Usage(error.to_string()))
    };
    fs_err::create_dir_all(&args.html).map_err(|error| Error::Usage(error.to_string()))?;
    remove_old_pages(&args.html, &files)?;
    // First, so that a folder that is not finished can be recognised.
    let title = args.map.as_deref().map_or_else(|| "Map".to_owned(), |folder| format!("Map of {folder}"));
    let listed: Vec<&Definition> = asked.iter().map(|one| &one.definition).collect();
    let shown: Vec<&MapAnswer> = maps.iter().filter(|map| !map.modules.is_empty()).collect();
    write("index.html", map_page(&title, &shown, &listed, &source, links).as_bytes())?;
    for name in STYLE_SHEETS {
        write(name, sextant_server::style_sheet(name).unwrap_or_default())?;
    }
    for one in &asked {
        let parts = SymbolParts {
            definition: &one.definition,
            hover: one.hover.as_ref(),
            source: one.excerpt.as_ref(),
            callers: one.callers.as_ref(),
            callees: one.callees.as_ref(),
        };
        write(&one.file, symbol_page(parts, &source, links).as_bytes())?;
    }
    let first = args.html.join("index.html");
    let pages: Vec<&str> = asked.iter().map(|one| one.file.as_str()).collect();
    print(&match args.indexes.format {
        Format::Text => format!("{}\n", first.display()),
        Format::Json => {
            format!("{}\n", json!({ "schema_version": 1, "index": first, "pages": pages, "not_found": missing }))
        }
    });
    for name in &missing {
        anstream::eprintln!("nothing has the name '{name}'");
    }
    Ok(ExitCode::from(u8::from(!missing.is_empty())))
}

/// Rejects a folder with files that this command did not write.
fn check_folder(folder: &Path) -> Result<(), Error> {
    let Ok(mut entries) = fs_err::read_dir(folder) else { return Ok(()) };
    let is_ours = || fs_err::read_to_string(folder.join("index.html")).is_ok_and(|page| page.contains(MARK));
    if entries.next().is_some() && !is_ours() {
        let folder = folder.display();
        return Err(Error::Usage(format!(
            "{folder} has files that 'sextant export' did not write; name another folder"
        )));
    }
    Ok(())
}

/// Removes pages of an earlier export that this one does not write.
fn remove_old_pages(folder: &Path, files: &BTreeMap<String, String>) -> Result<(), Error> {
    let io = |error: std::io::Error| Error::Usage(error.to_string());
    for entry in fs_err::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_old = name.ends_with(".html") && name != "index.html" && files.values().all(|known| known != name);
        if is_old && fs_err::read_to_string(&path).is_ok_and(|page| page.contains(MARK)) {
            fs_err::remove_file(&path).map_err(io)?;
        }
    }
    Ok(())
}

/// The answers to a request, one for each index that has any.
fn bodies<T: Request + DeserializeOwned>(parameters: Value, indexes: &IndexSet) -> Result<Vec<Body>, Error> {
    let request: T = serde_json::from_value(parameters)
        .map_err(|error| RequestError::Parameter(format!("invalid parameters: {error}")))?;
    Ok(request.run(indexes)?.bodies.iter().cloned().collect())
}

fn map(body: Body) -> Option<MapAnswer> {
    if let Body::Map(map) = body { Some(map) } else { None }
}

/// The definitions of names, and the names that have none; without names, the most used symbols of the maps.
fn definitions(
    names: &[String],
    maps: &[MapAnswer],
    indexes: &IndexSet,
) -> Result<(Vec<Definition>, Vec<String>), Error> {
    if names.is_empty() {
        let used = maps.iter().flat_map(|map| &map.important).map(|export| export.definition.clone());
        return Ok((used.collect(), Vec::new()));
    }
    let (mut found, mut missing): (Vec<Definition>, Vec<String>) = (Vec::new(), Vec::new());
    for name in names {
        let answers = bodies::<requests::Definition>(json!({ "name": name }), indexes)?;
        let exact = answers.into_iter().find_map(|body| match body {
            Body::Definitions(all) if all.match_kind == "exact" => all.results.into_iter().next(),
            _ => None,
        });
        match exact {
            Some(one) if found.iter().all(|known| known.key != one.definition.key) => found.push(one.definition),
            Some(_) => {}
            None => missing.push(name.clone()),
        }
    }
    Ok((found, missing))
}

/// A name for the page of a symbol that no other page has.
fn file_name(definition: &Definition, files: &BTreeMap<String, String>) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let plain: String = definition.qualified_name.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    let start = plain.len().saturating_sub(MAX_NAME);
    let plain = plain[start..].trim_matches('-');
    let stem = if plain.is_empty() { "symbol" } else { plain };
    // Some file systems do not tell cases apart.
    let is_free = |name: &String| name != "index.html" && files.values().all(|known| !known.eq_ignore_ascii_case(name));
    let numbered = (2..).map(|n| format!("{stem}-{n}.html"));
    std::iter::once(format!("{stem}.html")).chain(numbered).find(is_free).unwrap_or_default()
}

fn ask(definition: Definition, files: &BTreeMap<String, String>, indexes: &IndexSet) -> Result<Asked, Error> {
    let key = &definition.key;
    let hover =
        bodies::<requests::Hover>(json!({ "names": [key] }), indexes)?.into_iter().find_map(|body| match body {
            Body::Hovers(all) => all.results.into_iter().next(),
            _ => None,
        });
    let shown = json!({ "names": [key], "spans": true, "max_tokens": MAX_SOURCE_TOKENS });
    let excerpt = bodies::<requests::Show>(shown, indexes)?.into_iter().find_map(|body| match body {
        Body::Show(all) => all.results.into_iter().next(),
        _ => None,
    });
    let calls = json!({ "names": [key], "limit": MAX_CALLS, "draw": "svg" });
    let reach = |bodies: Vec<Body>| {
        let reached =
            bodies.into_iter().filter_map(|body| if let Body::Reach(reached) = body { Some(reached) } else { None });
        reached.max_by_key(|reached| (!reached.definitions.is_empty(), reached.results.len()))
    };
    // What cannot be called is used.
    let is_called = definition.kind.parse::<Kind>().is_ok_and(|kind| kind.is_callable() || kind.is_type());
    let callers = if is_called {
        reach(bodies::<requests::Callers>(calls.clone(), indexes)?)
    } else {
        let direct = json!({ "names": [key], "limit": MAX_CALLS, "draw": "svg", "depth": 1 });
        reach(bodies::<requests::Impact>(direct, indexes)?)
    };
    let callees = reach(bodies::<requests::Callees>(calls, indexes)?);
    let file = files.get(key).cloned().unwrap_or_default();
    Ok(Asked { definition, file, hover, excerpt, callers, callees })
}

/// What the pages were made of: repositories with their commits.
fn source_of(indexes: &IndexSet) -> String {
    let manifests = indexes.indexes.iter().map(|named| named.index.generation().manifest());
    let repositories = manifests.flat_map(|manifest| &manifest.repositories).map(|one| match &one.commit {
        Some(commit) => format!("{} at {commit}", one.name),
        None => one.name.clone(),
    });
    format!("Made by sextant {} of {}.", env!("CARGO_PKG_VERSION"), repositories.collect::<Vec<_>>().join(", "))
}

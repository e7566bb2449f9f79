//! `sextant open`: the web page in the user's browser, with a server for it if none runs.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::ExitCode;
use std::time::Duration;

use serde_json::Value;

use crate::error::Error;
use crate::output::print;
use crate::serve::{DEFAULT_ADDRESS, Indexes, Limits};
use sextant_server::{Live, serve_when_ready};

/// How long another program may take to say whether it is a server of these indexes.
const PROBE: Duration = Duration::from_millis(500);
/// More is not the answer of a server.
const MAX_HEALTH_BYTES: u64 = 1 << 20;

/// Open the web page in a browser: search, symbols, files, paths, maps
///
/// Uses the server that already serves these indexes at 127.0.0.1:7700; otherwise serves them on a free port of this
/// machine until Ctrl-C.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  sextant open
  sextant open -- where is retry handled
  sextant open --index server/index --index client/index
  sextant open --no-browser            # prints the address")]
pub(crate) struct Open {
    /// What to search for first
    #[arg(value_name = "QUERY")]
    query: Vec<String>,
    #[command(flatten)]
    indexes: Indexes,
    /// Print the address instead of starting a browser
    #[arg(long)]
    no_browser: bool,
    #[command(flatten)]
    limits: Limits,
}

/// Opens the page.
pub(crate) fn open(args: &Open) -> Result<ExitCode, Error> {
    let live = args.indexes.open(None)?;
    let page = |address: SocketAddr| page_address(address, &args.query.join(" "));
    let default: SocketAddr = DEFAULT_ADDRESS.parse().map_err(|error| Error::Usage(format!("{error}")))?;
    if serves(default, &live) {
        show(&page(default), args.no_browser);
        return Ok(ExitCode::SUCCESS);
    }
    let free = SocketAddr::new(default.ip(), 0);
    serve_when_ready(live, &args.limits.http(free)?, |address| show(&page(address), args.no_browser))?;
    Ok(ExitCode::SUCCESS)
}

fn page_address(address: SocketAddr, query: &str) -> String {
    let query: String = url::form_urlencoded::byte_serialize(query.trim().as_bytes()).collect();
    if query.is_empty() { format!("http://{address}/") } else { format!("http://{address}/#/search?q={query}") }
}

/// Starts a browser; if there is none, prints the address for the user to open.
fn show(page: &str, no_browser: bool) {
    if no_browser || open::that_detached(page).is_err() {
        print(&format!("{page}\n"));
    } else {
        anstream::eprintln!("opened {page}");
    }
}

/// Whether the server at an address serves the current generations of these indexes without a token.
fn serves(address: SocketAddr, live: &Live) -> bool {
    let wanted: BTreeSet<String> =
        live.indexes().indexes.iter().map(|named| named.index.generation().name().to_owned()).collect();
    let health = get(address, "/health").unwrap_or_default();
    let generations = health["indexes"].as_array().into_iter().flatten();
    let found: BTreeSet<String> =
        generations.filter_map(|index| index["generation"].as_str().map(str::to_owned)).collect();
    // With a token, the page would ask for it.
    found == wanted && get(address, "/api/v1/stats").is_some_and(|stats| stats["error"].is_null())
}

/// The JSON that a server on this machine answers; none if it answers anything else.
fn get(address: SocketAddr, path: &str) -> Option<Value> {
    let mut stream = TcpStream::connect_timeout(&address, PROBE).ok()?;
    stream.set_read_timeout(Some(PROBE)).ok()?;
    stream.set_write_timeout(Some(PROBE)).ok()?;
    // The older version of the protocol sends no chunks.
    write!(stream, "GET {path} HTTP/1.0\r\nHost: {address}\r\n\r\n").ok()?;
    let mut text = String::new();
    stream.take(MAX_HEALTH_BYTES).read_to_string(&mut text).ok()?;
    serde_json::from_str(text.split_once("\r\n\r\n")?.1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_is_part_of_the_address() {
        let address: SocketAddr = "127.0.0.1:7700".parse().unwrap();
        assert_eq!(page_address(address, " "), "http://127.0.0.1:7700/");
        assert_eq!(page_address(address, "a & b?#"), "http://127.0.0.1:7700/#/search?q=a+%26+b%3F%23");
    }

    #[test]
    fn nothing_serves_where_nothing_listens() {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        assert!(get(free, "/health").is_none());
    }
}

//! The answer of `hybrid-search`.

use std::fmt::Write;

use sextant_api::responses::{HybridAnswer, HybridCluster, HybridSymbol};

use super::locations::Locations;
use crate::style::{FAINT, NAME};

/// Symbols of a cluster that have a line of their own.
const MAX_LINES: usize = 6;
/// Further symbols that are named.
const MAX_NAMES: usize = 12;

impl Locations<'_> {
    /// The clusters with their best symbols, and where their relations come from.
    pub(super) fn hybrid(&self, answer: &HybridAnswer) -> String {
        let mut out = String::new();
        for cluster in &answer.results {
            self.cluster(&mut out, cluster);
        }
        let live = &answer.live;
        if live.live_symbols + live.index_symbols > 0 {
            let from =
                |symbols: usize, edges: usize, whom: &str| format!("{edges} of {symbols} symbols, named by {whom}");
            let mut parts = Vec::new();
            if live.live_symbols > 0 {
                parts.push(from(live.live_symbols, live.live_edges, "language servers"));
            }
            if live.index_symbols > 0 {
                parts.push(from(live.index_symbols, live.index_edges, "the index"));
            }
            let _ = writeln!(out, "{FAINT}relations: {}{FAINT:#}", parts.join(", "));
        }
        for server in &live.servers {
            let _ = writeln!(out, "{FAINT}{}: {}{FAINT:#}", server.server, server.state);
        }
        out
    }

    fn cluster(&self, out: &mut String, cluster: &HybridCluster) {
        let symbols = &cluster.symbols;
        let count = if symbols.len() == 1 { "1 symbol".to_owned() } else { format!("{} symbols", symbols.len()) };
        let _ = writeln!(out, "{NAME}{}{NAME:#}  {FAINT}{:.2}, {count}{FAINT:#}", cluster.title, cluster.score);
        for symbol in symbols.iter().take(MAX_LINES) {
            let HybridSymbol { repo, file_path, range, kind, qualified_name, score, edited, .. } = symbol;
            let place = self.styled(repo, file_path, &format!(":{}-{}", range.start.line, range.end.line), *edited);
            let found = if symbol.is_seed { ", found" } else { "" };
            let _ = writeln!(out, "  {place}  {kind} {qualified_name}  {FAINT}{score:.2}{found}{FAINT:#}");
        }
        let rest = &symbols[symbols.len().min(MAX_LINES)..];
        if !rest.is_empty() {
            let names: Vec<&str> = rest.iter().take(MAX_NAMES).map(|symbol| symbol.qualified_name.as_str()).collect();
            let more = rest.len() - names.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let _ = writeln!(out, "  {FAINT}also{FAINT:#} {}{more}", names.join(", "));
        }
    }
}

//! Answers of requests that traverse the graph.

use std::fmt::Write;

use sextant_api::responses::{PathAnswer, ReachAnswer};

use super::locations::Locations;
use super::names;
use crate::style::FAINT;

/// Lines of an edge that are listed.
const MAX_LINES: usize = 8;

impl Locations<'_> {
    /// The start, then the reached symbols, indented by depth.
    pub(super) fn reach(&self, answer: &ReachAnswer) -> String {
        let mut out = String::new();
        for definition in &answer.definitions {
            let _ = writeln!(out, "{}", self.definition(definition));
        }
        for external in &answer.externals {
            let _ = writeln!(out, "{}", names::external(external));
        }
        for reached in &answer.results {
            // The other end of the edge, unless it is the one symbol that was asked about.
            let reached_ones = answer.results.iter().map(|other| &other.definition);
            let start = answer.definitions.iter().filter(|_| answer.definitions.len() > 1);
            let via = Some(reached.via).filter(|&id| id != reached.definition.symbol_id);
            let via = via.and_then(|id| start.chain(reached_ones).find(|other| other.symbol_id == id));
            let via = via.map_or_else(String::new, |via| format!(" of {}", via.qualified_name));
            let (edge, resolution, confidence) = (reached.edge, reached.resolution, reached.confidence);
            let at: Vec<String> = reached.edge_lines.iter().take(MAX_LINES).map(u32::to_string).collect();
            let more = if reached.edge_lines.len() > at.len() { " and more" } else { "" };
            // A field's type is on the line that is printed anyway.
            let is_same = reached.edge_lines == [reached.definition.location.start_line];
            let at = if at.is_empty() || is_same { String::new() } else { format!(" at {}{more}", at.join(", ")) };
            let _ = writeln!(
                out,
                "{:indent$}{}  {FAINT}{edge}{via}{at}, {resolution} {confidence:.2}{FAINT:#}",
                "",
                self.definition(&reached.definition),
                indent = 2 * reached.depth as usize
            );
        }
        out.push_str(&self.live_only(&answer.live_only));
        if !answer.near_tests.is_empty() {
            let _ = writeln!(out, "{FAINT}not in the graph, but near by meaning{FAINT:#}");
            for near in &answer.near_tests {
                let _ = writeln!(out, "{:6.2}  {}", near.score, self.file(&near.file));
            }
        }
        out
    }

    /// A path, with the edge to each symbol on the line before it.
    pub(super) fn path(&self, answer: &PathAnswer) -> String {
        let mut out = String::new();
        for step in &answer.steps {
            if let (Some(edge), Some(resolution), Some(confidence)) = (step.edge, step.resolution, step.confidence) {
                let _ = writeln!(out, "  {FAINT}{edge}, {resolution} {confidence:.2}{FAINT:#}");
            }
            let _ = writeln!(out, "{}", self.definition(&step.definition));
        }
        out
    }
}

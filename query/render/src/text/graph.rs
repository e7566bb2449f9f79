//! Answers of requests that traverse the graph.

use std::fmt::Write;

use sextant_api::responses::{PathAnswer, ReachAnswer};

use super::locations::Locations;
use super::names;
use crate::style::FAINT;

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
            let via = answer.definitions.iter().all(|d| d.symbol_id != reached.via).then_some(reached.via);
            let via = via.filter(|&id| id != reached.definition.symbol_id);
            let via = via.and_then(|id| answer.results.iter().find(|other| other.definition.symbol_id == id));
            let via = via.map_or_else(String::new, |via| format!(" of {}", via.definition.qualified_name));
            let (edge, resolution, confidence) = (reached.edge, reached.resolution, reached.confidence);
            let at = reached.edge_line.map_or_else(String::new, |line| format!(" at {line}"));
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

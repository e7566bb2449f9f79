//! Answers of the graph.

use std::fmt::Write;

use sextant_api::responses::{PathAnswer, ReachAnswer};

use super::{FAINT, Locations, NAME, PATH};

impl Locations<'_> {
    /// What was asked for, then what was reached, indented by its distance.
    pub(super) fn reach(&self, answer: &ReachAnswer) -> String {
        let mut out = String::new();
        for definition in &answer.definitions {
            let _ = writeln!(out, "{}", self.definition(definition));
        }
        for external in &answer.externals {
            let (name, family, uses) = (&external.name, &external.family, external.uses);
            let _ = writeln!(out, "{PATH}external{PATH:#}  {family} {NAME}{name}{NAME:#}  {FAINT}{uses} uses{FAINT:#}");
        }
        for found in &answer.results {
            let via = answer.definitions.iter().all(|d| d.symbol_id != found.via).then_some(found.via);
            let via = via.filter(|&id| id != found.definition.symbol_id);
            let via = via.and_then(|id| answer.results.iter().find(|other| other.definition.symbol_id == id));
            let via = via.map_or_else(String::new, |via| format!(" of {}", via.definition.qualified_name));
            let (edge, resolution, confidence) = (found.edge, found.resolution, found.confidence);
            let _ = writeln!(
                out,
                "{:indent$}{}  {FAINT}{edge}{via}, {resolution} {confidence:.2}{FAINT:#}",
                "",
                self.definition(&found.definition),
                indent = 2 * found.depth as usize
            );
        }
        out
    }

    /// A path, a step a line.
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

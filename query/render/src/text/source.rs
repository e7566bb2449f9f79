//! Answers that contain source text.

use std::fmt::Write;

use sextant_api::responses::{Ambiguous, Connections, GoesOn, Neighbour, OutlineAnswer, ShowAnswer};

use sextant_search::overview::{common_indent, short_name};

use super::locations::{Locations, neighbour};
use super::signature::signature;
use crate::style::{FAINT, NAME};

impl Locations<'_> {
    /// The symbols of files, indented by nesting.
    pub(super) fn outline(&self, answer: &OutlineAnswer) -> String {
        let mut out = String::new();
        for outline in &answer.results {
            let _ = writeln!(out, "{}", self.file(&outline.file));
            for symbol in &outline.symbols {
                let d = &symbol.definition;
                let indent = 2 * symbol.depth as usize;
                let (line, kind, name) = (d.location.start_line, d.kind, &d.name);
                let text = d.signature.as_deref().filter(|signature| *signature != d.name);
                let text = text.map_or_else(String::new, |s| format!("  {FAINT}{}{FAINT:#}", signature(s)));
                let more = match symbol.left_out {
                    0 => String::new(),
                    count => format!("  {FAINT}and {count} in it{FAINT:#}"),
                };
                let _ = writeln!(out, "{line:>6}  {:indent$}{kind} {NAME}{name}{NAME:#}{text}{more}", "");
            }
        }
        out
    }

    /// Excerpts with line numbers, without the white space that all lines of one share, then what the names may mean of which nothing is shown.
    pub(super) fn show(&self, answer: &ShowAnswer) -> String {
        let mut out = String::new();
        let mut previous = None;
        let mut named: Option<&str> = None;
        for excerpt in &answer.results {
            out.push_str(&self.next_range(previous, &excerpt.location));
            previous = Some(&excerpt.location);
            let within = excerpt.within.as_deref();
            if let Some(symbol) = &excerpt.symbol {
                let _ = write!(out, "  {} {NAME}{}{NAME:#}", symbol.kind, symbol.qualified_name);
            } else if let Some(within) = within.filter(|_| within != named) {
                let _ = write!(out, "  {FAINT}in{FAINT:#} {NAME}{within}{NAME:#}");
            }
            named = excerpt.symbol.as_ref().map(|symbol| symbol.qualified_name.as_str()).or(within);
            if let Some(GoesOn { qualified_name, end_line }) = &excerpt.goes_on {
                let is_named = within == Some(qualified_name);
                let name = if is_named { String::new() } else { format!("ends in {}, ", short_name(qualified_name)) };
                let _ = write!(out, "  {FAINT}({name}to {end_line}){FAINT:#}");
            }
            out.push('\n');
            self.connections(&mut out, &excerpt.connections);
            let indent = common_indent(excerpt.text.split('\n'));
            numbered(&mut out, &excerpt.text, indent, excerpt.location.start_line, excerpt.location.end_line);
            out.push('\n');
        }
        for ambiguous in &answer.ambiguous {
            let Ambiguous { name, definitions, more_definitions, files } = ambiguous;
            let count = definitions.len() + more_definitions + files.len();
            let _ = writeln!(out, "'{name}' may be {count} things; show one of them by its location");
            let lines = name.rsplit_once(':').map_or("", |(path, _)| &name[path.len()..]);
            for file in files {
                let _ = writeln!(out, "  {}", self.styled(&file.repo, &file.path, lines, file.edited));
            }
            let mut above = None;
            for definition in definitions {
                let text = definition.signature.as_ref().filter(|text| **text != definition.name);
                let text = text.map_or_else(String::new, |text| format!("  {FAINT}{}{FAINT:#}", signature(text)));
                let (place, kind) = (self.next_range(above, &definition.location), definition.kind);
                above = Some(&definition.location);
                let _ = writeln!(out, "  {place}  {kind} {NAME}{}{NAME:#}{text}", definition.qualified_name);
            }
            if *more_definitions > 0 {
                let _ = writeln!(out, "  {FAINT}and {more_definitions} more; a higher limit lists them{FAINT:#}");
            }
        }
        out
    }

    /// What is connected with a symbol, one line for each kind of connection.
    fn connections(&self, out: &mut String, connections: &Connections) {
        let named = |n: &Neighbour| format!("{} ({})", short_name(&n.qualified_name), neighbour(n));
        let lists =
            [("called by", &connections.callers), ("calls", &connections.callees), ("tested by", &connections.tests)];
        for (what, neighbours) in lists.into_iter().filter_map(|(what, list)| Some((what, list.as_ref()?))) {
            let (more, possible) = match what {
                "called by" => ("may be called by", connections.possible_callers.as_slice()),
                "calls" => ("may call", connections.possible_callees.as_slice()),
                _ => ("", &[][..]),
            };
            if !neighbours.is_empty() || possible.is_empty() {
                let names: Vec<String> = neighbours.iter().map(named).collect();
                let names = if names.is_empty() { "nothing known".to_owned() } else { names.join(", ") };
                let _ = writeln!(out, "  {FAINT}{what}{FAINT:#} {names}");
            }
            if !possible.is_empty() {
                let names: Vec<String> = possible.iter().map(named).collect();
                let _ = writeln!(out, "  {FAINT}{more}{FAINT:#} {}", names.join(", "));
            }
        }
        for constant in connections.constants.iter().flatten() {
            let (place, users) = (self.start(&constant.definition.location), constant.users);
            let _ = writeln!(out, "  {place}  {}  {FAINT}used by {users}{FAINT:#}", constant.text);
        }
    }
}

/// Writes lines with their numbers, without the first `indent` bytes, which are white space. The first is `first`; numbers are
/// as wide as `last`.
pub(super) fn numbered(out: &mut String, text: &str, indent: usize, first: u32, last: u32) {
    let width = last.checked_ilog10().map_or(1, |log| log as usize + 1);
    for (line, text) in (first..).zip(text.split('\n')) {
        let text = text.get(indent..).unwrap_or_else(|| text.trim_start());
        let _ = writeln!(out, "{FAINT}{line:>width$}{FAINT:#}  {text}");
    }
}

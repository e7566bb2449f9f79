//! Answers of requests that traverse the graph.

use std::collections::BTreeSet;
use std::fmt::Write;

use sextant_api::location::{FileLocation, Location};
use sextant_api::responses::{Definition, PathAnswer, ReachAnswer, ReachedSymbol, SourceLine};
use sextant_search::overview::short_name;

use super::locations::Locations;
use super::names::{self, SURE};
use crate::draw;
use crate::style::{FAINT, NAME, PATH};

/// Symbols that are listed below one method through which calls may lead: an interface may have dozens of implementations.
const MAX_POSSIBLE: usize = 10;
/// Symbols that were asked about, of which all are printed.
const MAX_STARTS: usize = 5;
/// Lines of an edge that are listed.
const MAX_LINES: usize = 8;
/// The kind of most edges, which is not printed.
const PLAIN_EDGE: &str = "call";
/// So many tests of one file are printed as lines alone.
const MANY_TESTS: usize = 3;
/// Symbols without anything whose names are printed.
const MAX_LEFT_OUT: usize = 5;

impl Locations<'_> {
    /// The start, then the reached symbols: direct ones below the symbol that they use, by file; others indented by depth.
    pub(super) fn reach(&self, answer: &ReachAnswer) -> String {
        if let Some(drawn) = draw::graph(answer.draw, || answer.graph(), answer.drawing.as_ref()) {
            return drawn;
        }
        let mut out = String::new();
        let is_direct = answer.results.iter().all(|reached| reached.depth == 1);
        let is_below = |reached: &&ReachedSymbol, start: &Definition| is_direct && reached.via == start.key;
        // Of many symbols, such as those of a file, only those are printed below which something stands.
        let (mut left_out, mut printed) = (Vec::new(), BTreeSet::new());
        for (nth, start) in answer.definitions.iter().enumerate() {
            let below: Vec<&ReachedSymbol> = answer.results.iter().filter(|reached| is_below(reached, start)).collect();
            let has_possible = answer.through.iter().any(|through| through.of == start.key);
            let is_many = answer.definitions.len() > MAX_STARTS;
            if is_many && below.is_empty() && !has_possible && (is_direct || nth >= MAX_STARTS) {
                left_out.push(short_name(&start.qualified_name));
                continue;
            }
            let _ = writeln!(out, "{}{}", self.definition(start), known_by(&below));
            self.by_file(&mut out, &below, answer);
            self.possible(&mut out, answer, start, &mut printed);
        }
        if !left_out.is_empty() {
            let what = if is_direct && !answer.truncated { "nothing of" } else { "not printed:" };
            let names = left_out[..left_out.len().min(MAX_LEFT_OUT)].join(", ");
            let more = left_out.len().saturating_sub(MAX_LEFT_OUT);
            let more = if more == 0 { String::new() } else { format!(" and {more} more symbols") };
            let _ = writeln!(out, "{FAINT}{what} {names}{more}{FAINT:#}");
        }
        for external in &answer.externals {
            let _ = writeln!(out, "{}", names::external(external));
        }
        let is_printed = |reached: &&ReachedSymbol| answer.definitions.iter().any(|start| is_below(reached, start));
        let mut above: Option<&ReachedSymbol> = None;
        for reached in answer.results.iter().filter(|reached| !is_printed(reached)) {
            // The other end of the edge, unless it is the one symbol that was asked about.
            let reached_ones = answer.results.iter().map(|other| &other.definition);
            let start = answer.definitions.iter().filter(|_| answer.definitions.len() > 1);
            let via = Some(&reached.via).filter(|&key| *key != reached.definition.key);
            let via = via.and_then(|key| start.chain(reached_ones).find(|other| other.key == *key));
            let via = via.map_or_else(String::new, |via| format!(" of {}", via.qualified_name));
            let (definition, indent) = (&reached.definition, 2 * reached.depth as usize);
            // The path of consecutive ones is printed once.
            let is_same_file =
                above.is_some_and(|above| above.depth == reached.depth && file_of(above) == file_of(reached));
            above = Some(reached);
            let definition = if is_same_file {
                format!("{PATH}:{}{PATH:#}  {}", definition.location.start_line, names::symbol(definition))
            } else {
                self.definition(definition)
            };
            let _ = writeln!(out, "{:indent$}{definition}  {}", "", edge(reached, &via, false));
            calls(&mut out, reached, answer.has_conditions);
        }
        for mentions in &answer.mentions {
            out.push_str(&self.mentions(mentions, " more"));
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

    /// What may call a definition, or what it may call, below the methods through which such calls lead.
    /// `printed` has the keys of those whose calls are printed above.
    fn possible<'a>(
        &self,
        out: &mut String,
        answer: &'a ReachAnswer,
        start: &Definition,
        printed: &mut BTreeSet<&'a str>,
    ) {
        let may = if answer.command == "callees" { "may call, through" } else { "may be called through" };
        for through in answer.through.iter().filter(|through| through.of == start.key) {
            let is_below = |one: &&ReachedSymbol| one.via == through.definition.key;
            // What was asked about has its own list.
            let is_asked = answer.definitions.iter().any(|asked| asked.key == through.definition.key);
            if is_asked || !printed.insert(&through.definition.key) {
                let name = &through.definition.qualified_name;
                let _ =
                    writeln!(out, "{FAINT}{may}{FAINT:#} {NAME}{name}{NAME:#}{FAINT}, which is listed here{FAINT:#}");
                continue;
            }
            let below: Vec<&ReachedSymbol> = answer.possible.iter().filter(is_below).collect();
            let _ = writeln!(out, "{FAINT}{may}{FAINT:#} {}", self.definition(&through.definition));
            self.by_file(out, &below[..below.len().min(MAX_POSSIBLE)], answer);
            if let more @ 1.. = below.len().saturating_sub(MAX_POSSIBLE) {
                let _ = writeln!(out, "  {FAINT}and {more} more{FAINT:#}");
            }
        }
    }

    /// Reached symbols; the path of a file with several is printed once, and many tests of a file are its lines alone if they
    /// may be brief.
    fn by_file(&self, out: &mut String, reached: &[&ReachedSymbol], answer: &ReachAnswer) {
        let are_tests_brief = are_tests_brief(answer);
        let mut files: Vec<(FileLocation, Vec<&ReachedSymbol>)> = Vec::new();
        for &one in reached {
            match files.iter_mut().find(|(known, _)| *known == file_of(one)) {
                Some((_, of_file)) => of_file.push(one),
                None => files.push((file_of(one), vec![one])),
            }
        }
        for (file, of_file) in files {
            if let [only] = of_file.as_slice() {
                let edge = spaced(&edge(only, "", true));
                let _ = writeln!(out, "  {}{edge}", self.definition(&only.definition));
                calls(out, only, answer.has_conditions);
                continue;
            }
            let is_brief = are_tests_brief && of_file.len() >= MANY_TESTS;
            if is_brief && of_file.iter().all(|one| one.definition.is_test) {
                let first = |one: &&ReachedSymbol| one.edge_lines.first().copied();
                let mut lines: Vec<u32> = of_file.iter().filter_map(first).collect();
                lines.sort_unstable();
                let at: Vec<String> = lines.iter().take(MAX_LINES).map(u32::to_string).collect();
                let more = if lines.len() > at.len() { " and more" } else { "" };
                let (file, tests, at) = (self.file(&file), of_file.len(), at.join(", "));
                let _ = writeln!(out, "  {file}  {FAINT}{tests} tests, at {at}{more}{FAINT:#}");
                continue;
            }
            let _ = writeln!(out, "  {}", self.file(&file));
            for one in of_file {
                let (line, symbol) = (one.definition.location.start_line, names::symbol(&one.definition));
                let edge = spaced(&edge(one, "", true));
                let _ = writeln!(out, "    {PATH}{line}{PATH:#}  {symbol}{edge}");
                calls(out, one, answer.has_conditions);
            }
        }
    }

    /// A path, with the edge to each symbol on the line before it.
    pub(super) fn path(&self, answer: &PathAnswer) -> String {
        if let Some(drawn) = draw::graph(answer.draw, || answer.graph(), answer.drawing.as_ref()) {
            return drawn;
        }
        let mut out = String::new();
        for step in &answer.steps {
            if let (Some(edge), Some(resolution), Some(confidence)) = (step.edge, step.resolution, step.confidence) {
                // The step leads from the method that is called to one that may run instead.
                let edge = if edge == "override" { "overridden by" } else { edge };
                let _ = writeln!(out, "  {FAINT}{edge}, {resolution} {confidence:.2}{FAINT:#}");
            }
            let _ = writeln!(out, "{}", self.definition(&step.definition));
        }
        out
    }
}

/// Writes the lines around the calls of a reached symbol, or what says when they are reached, without the white space that
/// all of them share.
fn calls(out: &mut String, reached: &ReachedSymbol, has_conditions: bool) {
    let Some(last) = reached.context.last() else { return };
    let width = last.line.checked_ilog10().map_or(1, |log| log as usize + 1);
    let texts = reached.context.iter().map(|line| line.text.as_str());
    let indent = texts.map(|text| text.len() - text.trim_start().len()).min().unwrap_or(0);
    let mut above = None;
    for SourceLine { line, text } in &reached.context {
        if above.is_some_and(|above: u32| *line > above + 1 && !has_conditions) {
            out.push('\n');
        }
        above = Some(*line);
        let text = text.get(indent..).unwrap_or(text).trim_end();
        let _ = writeln!(out, "      {FAINT}{line:>width$}{FAINT:#}  {text}");
    }
}

/// How those of some edges are known that do not say so themselves.
fn known_by(reached: &[&ReachedSymbol]) -> String {
    let sure = reached.iter().filter(|reached| reached.confidence >= SURE);
    let sure: BTreeSet<&str> = sure.map(|reached| reached.resolution).collect();
    if sure.is_empty() {
        return String::new();
    }
    format!("  {FAINT}{} listed, by {}{FAINT:#}", reached.len(), Vec::from_iter(sure).join(", "))
}

/// A text after others of its line, if there is one.
fn spaced(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("  {text}") }
}

fn file_of(reached: &ReachedSymbol) -> FileLocation {
    let Location { repo, path, edited, .. } = &reached.definition.location;
    FileLocation { repo: repo.clone(), path: path.clone(), edited: *edited }
}

/// Whether tests may be lines alone: not if they are what is asked for, or all that is found.
fn are_tests_brief(answer: &ReachAnswer) -> bool {
    let is_product = |reached: &ReachedSymbol| !reached.definition.is_test;
    answer.command != "affected" && answer.results.iter().chain(&answer.possible).any(is_product)
}

/// The last edge to a reached symbol: its kind, `via`, its lines as far as they are not printed below it, and how it is
/// known. Of a direct edge, what is the same for most is left out: that it is a call, and how, if it is sure.
fn edge(reached: &ReachedSymbol, via: &str, is_direct: bool) -> String {
    let ReachedSymbol { edge, resolution, confidence, edge_lines, context, .. } = reached;
    let at: Vec<String> = edge_lines.iter().take(MAX_LINES).map(u32::to_string).collect();
    let more = if edge_lines.len() > at.len() { " and more" } else { "" };
    // A field's type is on the line that is printed anyway.
    let is_same = edge_lines.as_slice() == [reached.definition.location.start_line];
    let is_below = edge_lines.iter().all(|line| context.iter().any(|below| below.line == *line));
    let is_plain = is_direct && *edge == PLAIN_EDGE;
    let kind = if is_plain { "" } else { edge };
    let at = if is_same || is_below { String::new() } else { format!("at {}{more}", at.join(", ")) };
    let doubt = if is_direct && *confidence >= SURE { String::new() } else { format!("{resolution} {confidence:.2}") };
    let what = format!("{kind}{via}");
    let what = [what.as_str(), &at].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    let all = [what, doubt].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    if all.is_empty() { all } else { format!("{FAINT}{all}{FAINT:#}") }
}

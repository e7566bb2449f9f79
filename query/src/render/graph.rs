//! Answers of the graph, for people and for programs.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use super::json::{SCHEMA_VERSION, line};
use crate::navigate::{Definition, Reached, Step};

const PLACE: Style = AnsiColor::Magenta.on_default();
const NAME: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

fn place(out: &mut String, definition: &Definition, one_repo: bool) {
    let repo = if one_repo { String::new() } else { format!("{}/", definition.repo) };
    let Definition { path, start_line, kind, qualified_name, .. } = definition;
    let _ = write!(out, "{PLACE}{repo}{path}:{start_line}{PLACE:#}  {kind} {NAME}{qualified_name}{NAME:#}");
}

/// What was asked for, then what was reached, indented by its distance.
pub(crate) fn reach_text(start: &[Definition], reached: &[Reached], one_repo: bool) -> String {
    let mut out = String::new();
    for definition in start {
        place(&mut out, definition, one_repo);
        out.push('\n');
    }
    for found in reached {
        let _ = write!(out, "{:indent$}", "", indent = 2 * found.depth as usize);
        place(&mut out, &found.definition, one_repo);
        let via = start.iter().all(|d| d.symbol_id != found.via).then_some(found.via);
        let via = via.and_then(|id| reached.iter().find(|other| other.definition.symbol_id == id));
        let via = via.map_or_else(String::new, |via| format!(" of {}", via.definition.qualified_name));
        let _ = writeln!(out, "  {FAINT}{}{via}, {} {:.2}{FAINT:#}", found.kind, found.tier, found.confidence);
    }
    out
}

/// A way, a step a line.
pub(crate) fn path_text(steps: &[Step], one_repo: bool) -> String {
    let mut out = String::new();
    for step in steps {
        if let Some((kind, tier, confidence)) = &step.edge {
            let _ = writeln!(out, "  {FAINT}{kind}, {tier} {confidence:.2}{FAINT:#}");
        }
        place(&mut out, &step.definition, one_repo);
        out.push('\n');
    }
    out
}

#[derive(Serialize)]
struct ReachShape<'a> {
    schema_version: u32,
    command: &'a str,
    definitions: Vec<DefinitionShape<'a>>,
    results: Vec<ReachedShape<'a>>,
    truncated: bool,
}

#[derive(Serialize)]
struct PathShape<'a> {
    schema_version: u32,
    command: &'a str,
    steps: Vec<StepShape<'a>>,
}

#[derive(Serialize)]
struct DefinitionShape<'a> {
    symbol_id: u32,
    name: &'a str,
    qualified_name: &'a str,
    kind: &'static str,
    repo: &'a str,
    path: &'a str,
    start_line: u32,
    end_line: u32,
    signature: Option<&'a str>,
    is_test: bool,
}

#[derive(Serialize)]
struct ReachedShape<'a> {
    #[serde(flatten)]
    definition: DefinitionShape<'a>,
    depth: u32,
    via: u32,
    edge: &'static str,
    tier: &'static str,
    confidence: f32,
}

#[derive(Serialize)]
struct StepShape<'a> {
    #[serde(flatten)]
    definition: DefinitionShape<'a>,
    edge: Option<&'static str>,
    tier: Option<&'static str>,
    confidence: Option<f32>,
}

fn shape(definition: &Definition) -> DefinitionShape<'_> {
    DefinitionShape {
        symbol_id: definition.symbol_id,
        name: &definition.name,
        qualified_name: &definition.qualified_name,
        kind: definition.kind.as_str(),
        repo: &definition.repo,
        path: &definition.path,
        start_line: definition.start_line,
        end_line: definition.end_line,
        signature: definition.signature.as_deref(),
        is_test: definition.is_test,
    }
}

/// What was asked for and what was reached, on one line.
pub(crate) fn reach_json(command: &str, start: &[Definition], reached: &[Reached], truncated: bool) -> String {
    let results = reached.iter().map(|found| ReachedShape {
        definition: shape(&found.definition),
        depth: found.depth,
        via: found.via,
        edge: found.kind.as_str(),
        tier: found.tier.as_str(),
        confidence: found.confidence,
    });
    line(&ReachShape {
        schema_version: SCHEMA_VERSION,
        command,
        definitions: start.iter().map(shape).collect(),
        results: results.collect(),
        truncated,
    })
}

/// A way on one line.
pub(crate) fn path_json(steps: &[Step]) -> String {
    let steps = steps.iter().map(|step| StepShape {
        definition: shape(&step.definition),
        edge: step.edge.map(|(kind, ..)| kind.as_str()),
        tier: step.edge.map(|(_, tier, _)| tier.as_str()),
        confidence: step.edge.map(|(.., confidence)| confidence),
    });
    line(&PathShape { schema_version: SCHEMA_VERSION, command: "path", steps: steps.collect() })
}

//! Answers of the graph, for people and for programs.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use sextant_formats::tables::ExternalRow;

use super::json::{SCHEMA_VERSION, line};
use crate::navigate::{Definition, Named, Reached, Related, Step};

const PLACE: Style = AnsiColor::Magenta.on_default();
const NAME: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

fn place(out: &mut String, definition: &Definition, one_repo: bool) {
    let repo = if one_repo { String::new() } else { format!("{}/", definition.repo) };
    let Definition { path, start_line, kind, qualified_name, .. } = definition;
    let _ = write!(out, "{PLACE}{repo}{path}:{start_line}{PLACE:#}  {kind} {NAME}{qualified_name}{NAME:#}");
}

/// What a name means.
#[derive(Clone, Copy)]
pub(crate) struct Meant<'a> {
    /// What the index defines.
    pub(crate) definitions: &'a [Definition],
    /// What it only uses.
    pub(crate) externals: &'a [ExternalRow],
}

/// What was asked for, then what was reached, indented by its distance.
pub(crate) fn reach_text(meant: Meant<'_>, reached: &[Reached], one_repo: bool) -> String {
    let mut out = String::new();
    let start = meant.definitions;
    for definition in start {
        place(&mut out, definition, one_repo);
        out.push('\n');
    }
    for external in meant.externals {
        let ExternalRow { name, family, uses, .. } = external;
        let _ = writeln!(out, "{PLACE}external{PLACE:#}  {family} {NAME}{name}{NAME:#}  {FAINT}{uses} uses{FAINT:#}");
    }
    for found in reached {
        let _ = write!(out, "{:indent$}", "", indent = 2 * found.depth as usize);
        place(&mut out, &found.definition, one_repo);
        let via = start.iter().all(|d| d.symbol_id != found.via).then_some(found.via);
        let via = via.filter(|&id| id != found.definition.symbol_id);
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

/// Definitions with their signatures.
pub(crate) fn definitions_text(definitions: &[Definition], one_repo: bool) -> String {
    let mut out = String::new();
    for definition in definitions {
        place(&mut out, definition, one_repo);
        out.push('\n');
        if let Some(signature) = &definition.signature {
            let _ = writeln!(out, "    {signature}");
        }
    }
    out
}

/// What belongs to something, strongest first.
pub(crate) fn related_text(related: &[Related], start: &[Definition], one_repo: bool) -> String {
    let mut out = String::new();
    let known = |id: u32| start.iter().chain(related.iter().map(|r| &r.definition)).find(|d| d.symbol_id == id);
    for found in related {
        place(&mut out, &found.definition, one_repo);
        let (kind, is_from) = found.edge;
        let via = known(found.via).map_or("", |d| d.qualified_name.as_str());
        let arrow = if is_from { format!("{via} -{kind}->") } else { format!("-{kind}-> {via}") };
        let _ = writeln!(out, "  {FAINT}{:.2}  {arrow}{FAINT:#}", found.association);
    }
    out
}

#[derive(Serialize)]
struct NamedShape<'a> {
    schema_version: u32,
    command: &'a str,
    likeness: &'static str,
    results: Vec<DefinitionShape<'a>>,
    truncated: bool,
}

#[derive(Serialize)]
struct RelatedShape<'a> {
    schema_version: u32,
    command: &'a str,
    definitions: Vec<DefinitionShape<'a>>,
    results: Vec<RelatedOne<'a>>,
}

#[derive(Serialize)]
struct RelatedOne<'a> {
    #[serde(flatten)]
    definition: DefinitionShape<'a>,
    association: f32,
    via: u32,
    edge: &'static str,
    is_from_via: bool,
}

#[derive(Serialize)]
struct ReachShape<'a> {
    schema_version: u32,
    command: &'a str,
    definitions: Vec<DefinitionShape<'a>>,
    externals: Vec<ExternalShape<'a>>,
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
struct ExternalShape<'a> {
    external_id: u32,
    name: &'a str,
    module: Option<&'a str>,
    family: &'a str,
    uses: u32,
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
pub(crate) fn reach_json(command: &str, meant: Meant<'_>, reached: &[Reached], truncated: bool) -> String {
    let results = reached.iter().map(|found| ReachedShape {
        definition: shape(&found.definition),
        depth: found.depth,
        via: found.via,
        edge: found.kind.as_str(),
        tier: found.tier.as_str(),
        confidence: found.confidence,
    });
    let externals = meant.externals.iter().map(|row| ExternalShape {
        external_id: row.external_id,
        name: &row.name,
        module: row.module.as_deref(),
        family: &row.family,
        uses: row.uses,
    });
    line(&ReachShape {
        schema_version: SCHEMA_VERSION,
        command,
        definitions: meant.definitions.iter().map(shape).collect(),
        externals: externals.collect(),
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

/// The definitions of a name on one line.
pub(crate) fn definitions_json(named: &Named, truncated: bool) -> String {
    let results = named.definitions.iter().map(shape).collect();
    let likeness = named.likeness.as_str();
    line(&NamedShape { schema_version: SCHEMA_VERSION, command: "definition", likeness, results, truncated })
}

/// What belongs to something on one line.
pub(crate) fn related_json(start: &[Definition], related: &[Related]) -> String {
    let results = related.iter().map(|found| RelatedOne {
        definition: shape(&found.definition),
        association: found.association,
        via: found.via,
        edge: found.edge.0.as_str(),
        is_from_via: found.edge.1,
    });
    line(&RelatedShape {
        schema_version: SCHEMA_VERSION,
        command: "related",
        definitions: start.iter().map(shape).collect(),
        results: results.collect(),
    })
}

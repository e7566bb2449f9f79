//! Answers about names and of the graph, for people and models.

use std::fmt::Write;

use sextant_formats::tables::ExternalRow;

use super::shapes::Meant;
use super::{FAINT, NAME, PLACE};
use crate::navigate::{Definition, Hover, Reached, References, Related, Step};

pub(super) fn place(out: &mut String, definition: &Definition, one_repo: bool) {
    let repo = if one_repo { String::new() } else { format!("{}/", definition.repo) };
    let Definition { path, start_line, kind, qualified_name, .. } = definition;
    let _ = write!(out, "{PLACE}{repo}{path}:{start_line}{PLACE:#}  {kind} {NAME}{qualified_name}{NAME:#}");
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
            let _ = writeln!(out, "    {}", super::signature(signature));
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

/// Uses by definition and file, with their lines.
pub(crate) fn references_text(references: &[References], one_repo: bool) -> String {
    let mut out = String::new();
    for of in references {
        place(&mut out, &of.definition, one_repo);
        let _ = writeln!(out, "  {FAINT}{} uses{FAINT:#}", of.total);
        let mut last: Option<(&str, &str)> = None;
        for found in &of.uses {
            let source = &found.source;
            if last != Some((&source.repo, &source.path)) {
                let repo = if one_repo { String::new() } else { format!("{}/", source.repo) };
                let _ = writeln!(out, "  {PLACE}{repo}{}{PLACE:#}", source.path);
                last = Some((&source.repo, &source.path));
            }
            let inside = if source.kind == sextant_formats::kinds::Kind::File {
                String::new()
            } else {
                format!(" in {}", source.qualified_name)
            };
            let _ = writeln!(
                out,
                "  {:>6}  {}  {FAINT}{}{inside}, {} {:.2}{FAINT:#}",
                found.line, found.text, found.kind, found.tier, found.confidence
            );
        }
    }
    out
}

/// What there is to know of symbols.
pub(crate) fn hover_text(hovers: &[Hover], one_repo: bool) -> String {
    let mut out = String::new();
    for hover in hovers {
        place(&mut out, &hover.definition, one_repo);
        let visible = if hover.exported { "exported" } else { "not exported" };
        let container = hover.container.as_ref().map_or_else(String::new, |name| format!(", in {name}"));
        let _ = writeln!(out, "  {FAINT}{}, {visible}{container}{FAINT:#}", hover.language);
        if let Some(signature) = &hover.definition.signature {
            let _ = writeln!(out, "    {}", super::signature(signature));
        }
        if let Some(doc) = &hover.doc {
            out.push('\n');
            doc.lines().for_each(|line| {
                let _ = writeln!(out, "    {line}");
            });
        }
        if !hover.members.is_empty() {
            let _ = writeln!(out, "\n  members");
            for member in &hover.members {
                let text = super::signature(member.signature.as_ref().unwrap_or(&member.name));
                let _ = writeln!(out, "  {:>6}  {} {text}", member.start_line, member.kind);
            }
        }
        let Hover { callers, callees, users, .. } = hover;
        let _ = writeln!(out, "  {FAINT}called by {callers}, calls {callees}, used by {users}{FAINT:#}\n");
    }
    out
}

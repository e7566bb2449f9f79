//! Overviews for people and models.

use std::fmt::Write;

use super::source::numbered;
use super::{FAINT, NAME, PLACE};
use crate::calls::Detail;
use crate::navigate::{Context, Definition, InContext, Reached};
use crate::overview::{Explore, Map, Module, TOKEN_BYTES};

/// Names of one kind that are told in a line.
const MOST_NAMES: usize = 8;

fn place(repo: &str, path: &str, line: u32, one_repo: bool) -> String {
    if one_repo { format!("{path}:{line}") } else { format!("{repo}/{path}:{line}") }
}

fn place_of(d: &Definition, one_repo: bool) -> String {
    place(&d.repo, &d.path, d.start_line, one_repo)
}

/// A file with its surroundings.
pub(crate) fn context_text(context: &Context, detail: Detail, one_repo: bool) -> String {
    let mut out = String::new();
    let repo = if one_repo { String::new() } else { format!("{}/", context.repo) };
    let Context { path, language, lines, resolved, ambiguous, external, unresolved, .. } = context;
    let _ = writeln!(out, "{PLACE}{repo}{path}{PLACE:#}  {FAINT}{language}, {lines} lines{FAINT:#}");
    for (what, files) in [("imports", &context.imports), ("imported by", &context.imported_by)] {
        if !files.is_empty() {
            let _ = writeln!(out, "  {what} {}", listed(files.iter().map(String::as_str)));
        }
    }
    for symbol in &context.symbols {
        let _ = of_symbol(&mut out, symbol, detail, one_repo);
    }
    let _ = writeln!(
        out,
        "{FAINT}uses: {resolved} resolved, {ambiguous} ambiguous, {external} of what is outside, {unresolved} not resolved{FAINT:#}"
    );
    out
}

fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let rest = names.len().saturating_sub(MOST_NAMES);
    let told: Vec<&str> = names.take(MOST_NAMES).collect();
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    format!("{}{more}", told.join(", "))
}

fn of_symbol(out: &mut String, symbol: &InContext, detail: Detail, one_repo: bool) -> std::fmt::Result {
    let d = &symbol.definition;
    let indent = 2 * symbol.depth as usize;
    write!(out, "{:>6}  {:indent$}{} {NAME}{}{NAME:#}", d.start_line, "", d.kind, d.name)?;
    let (calls, callers) = (&symbol.calls, &symbol.callers);
    if detail == Detail::Brief {
        if !calls.is_empty() || !callers.is_empty() {
            write!(out, "  {FAINT}calls {}, called by {}{FAINT:#}", calls.len(), callers.len())?;
        }
        return writeln!(out);
    }
    if let Some(signature) = d.signature.as_ref().filter(|signature| **signature != d.name) {
        write!(out, "  {FAINT}{}{FAINT:#}", super::signature(signature))?;
    }
    writeln!(out)?;
    for (what, reached) in [("calls", calls), ("called by", callers)] {
        for found in reached {
            let deeper = if detail == Detail::Tree { 2 * (found.depth as usize - 1) } else { 0 };
            let at = place_of(&found.definition, one_repo);
            let depth =
                if found.depth > 1 && detail != Detail::Tree { format!(" at {}", found.depth) } else { String::new() };
            writeln!(
                out,
                "        {:indent$}  {:deeper$}{FAINT}{what}{depth}{FAINT:#} {}  {PLACE}{at}{PLACE:#}{}",
                "",
                "",
                found.definition.qualified_name,
                sure(found)
            )?;
        }
    }
    if !symbol.not_resolved.is_empty() {
        let names = listed(symbol.not_resolved.iter().map(String::as_str));
        writeln!(out, "        {:indent$}  {FAINT}outside or not resolved: {names}{FAINT:#}", "")?;
    }
    Ok(())
}

/// What is less than certain says so.
fn sure(found: &Reached) -> String {
    if found.confidence < 0.9 { format!("  {FAINT}{:.2}{FAINT:#}", found.confidence) } else { String::new() }
}

/// Where to begin with a question, within a number of tokens.
pub(crate) fn explore_text(explore: &Explore, one_repo: bool, max_tokens: usize) -> String {
    let mut out = String::new();
    for entry in &explore.entries {
        let at = place(&entry.repo, &entry.path, entry.start_line, one_repo);
        let _ = write!(out, "{PLACE}{at}-{}{PLACE:#}  {}", entry.end_line, entry.kind);
        let name = entry.qualified_name.as_ref().map_or_else(String::new, |name| format!(" {NAME}{name}{NAME:#}"));
        let _ = writeln!(out, "{name}");
        for (what, reached) in [("called by", &entry.callers), ("calls", &entry.callees)] {
            if !reached.is_empty() {
                let names: Vec<String> = reached
                    .iter()
                    .map(|r| format!("{} ({})", r.definition.qualified_name, place_of(&r.definition, one_repo)))
                    .collect();
                let _ = writeln!(out, "  {FAINT}{what}{FAINT:#} {}", names.join(", "));
            }
        }
        if let Some(source) = &entry.source {
            numbered(&mut out, source, entry.source_line);
        }
        if entry.lines_left > 0 {
            let _ = writeln!(out, "  {FAINT}{} more lines: show {}{FAINT:#}", entry.lines_left, entry.chunk_id);
        }
        out.push('\n');
    }
    if !explore.ways.is_empty() {
        let _ = writeln!(out, "ways along calls");
        for way in &explore.ways {
            let names: Vec<String> = way
                .iter()
                .map(|step| format!("{} ({})", step.definition.qualified_name, place_of(&step.definition, one_repo)))
                .collect();
            let _ = writeln!(out, "  {}", names.join(" -> "));
        }
        out.push('\n');
    }
    if !explore.files.is_empty() {
        let _ = writeln!(out, "files that matter");
        for file in &explore.files {
            let repo = if one_repo { String::new() } else { format!("{}/", file.repo) };
            let names = listed(file.symbols.iter().map(String::as_str));
            let _ = writeln!(out, "  {PLACE}{repo}{}{PLACE:#}  {names}", file.path);
        }
    }
    within(out, max_tokens)
}

/// A text cut at a line where it is longer than so many tokens.
fn within(mut text: String, max_tokens: usize) -> String {
    let most = max_tokens.saturating_mul(TOKEN_BYTES);
    if anstream::adapter::strip_str(&text).to_string().len() <= most {
        return text;
    }
    let end = text[..text.floor_char_boundary(most)].rfind('\n').map_or(0, |at| at + 1);
    text.truncate(end);
    text
}

/// What is indexed, by modules.
pub(crate) fn map_text(map: &Map, one_repo: bool) -> String {
    let mut out = String::new();
    let name =
        |module: &Module| if one_repo { module.path.clone() } else { format!("{}/{}", module.repo, module.path) };
    for (n, module) in map.modules.iter().enumerate() {
        let languages: Vec<&str> = module.languages.iter().take(2).map(|(language, _)| language.as_str()).collect();
        let tests = if module.is_test { ", tests" } else { "" };
        let _ = writeln!(
            out,
            "{PLACE}{}{PLACE:#}  {FAINT}{} files, {} lines, {} symbols, {}{tests}{FAINT:#}",
            name(module),
            module.files,
            module.lines,
            module.symbols,
            languages.join(" and ")
        );
        if !module.exports.is_empty() {
            let exports: Vec<String> = module
                .exports
                .iter()
                .map(|export| format!("{} ({})", export.definition.qualified_name, export.used_by))
                .collect();
            let _ = writeln!(out, "    {}", exports.join(", "));
        }
        let uses: Vec<String> = map
            .connections
            .iter()
            .filter(|connection| connection.from == n)
            .filter_map(|connection| Some(format!("{} ({})", name(map.modules.get(connection.to)?), connection.uses)))
            .collect();
        if !uses.is_empty() {
            let _ = writeln!(out, "    {FAINT}uses{FAINT:#} {}", uses.join(", "));
        }
    }
    if !map.important.is_empty() {
        let _ = writeln!(out, "\nmost used, by the number of files");
        for export in &map.important {
            let d = &export.definition;
            let _ = writeln!(
                out,
                "{:>6}  {} {NAME}{}{NAME:#}  {PLACE}{}{PLACE:#}",
                export.used_by,
                d.kind,
                d.qualified_name,
                place_of(d, one_repo)
            );
        }
    }
    out
}

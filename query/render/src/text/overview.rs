//! Answers that combine several kinds of results.

use std::fmt::Write;

use sextant_api::requests::{Detail, MapFormat};
use sextant_api::responses::{ContextAnswer, ContextSymbol, Explore, MapAnswer, Module, Neighbour};
use sextant_search::overview::TOKEN_BYTES;

use super::locations::Locations;
use super::signature::signature;
use super::source::numbered;
use crate::draw;
use crate::style::{FAINT, NAME, PATH};

/// Maximum number of names in one line.
const MAX_NAMES: usize = 8;

impl Locations<'_> {
    /// A file with its imports, symbols and calls.
    pub(super) fn context(&self, answer: &ContextAnswer) -> String {
        let mut out = String::new();
        let Some(context) = &answer.file else { return out };
        let (language, lines) = (&context.language, context.lines);
        let _ = writeln!(out, "{}  {FAINT}{language}, {lines} lines{FAINT:#}", self.file(&context.file));
        for (what, files) in [("imports", &context.imports), ("imported by", &context.imported_by)] {
            if !files.is_empty() {
                let _ = writeln!(out, "  {what} {}", listed(files.iter().map(String::as_str)));
            }
        }
        for symbol in &context.symbols {
            let _ = self.context_symbol(&mut out, symbol, answer.detail);
        }
        let (resolved, ambiguous) = (context.resolved, context.ambiguous);
        let (external, unresolved) = (context.external, context.unresolved);
        let _ = writeln!(
            out,
            "{FAINT}uses: {resolved} resolved, {ambiguous} ambiguous, {external} external, {unresolved} not resolved{FAINT:#}"
        );
        out
    }

    fn context_symbol(&self, out: &mut String, symbol: &ContextSymbol, detail: Detail) -> std::fmt::Result {
        let d = &symbol.definition;
        let indent = 2 * symbol.depth as usize;
        write!(out, "{:>6}  {:indent$}{} {NAME}{}{NAME:#}", d.location.start_line, "", d.kind, d.name)?;
        let (calls, callers) = (&symbol.calls, &symbol.callers);
        if detail == Detail::Brief {
            if !calls.is_empty() || !callers.is_empty() {
                write!(out, "  {FAINT}calls {}, called by {}{FAINT:#}", calls.len(), callers.len())?;
            }
            return writeln!(out);
        }
        if let Some(text) = d.signature.as_ref().filter(|signature| **signature != d.name) {
            write!(out, "  {FAINT}{}{FAINT:#}", signature(text))?;
        }
        writeln!(out)?;
        for (what, neighbours) in [("calls", calls), ("called by", callers)] {
            for neighbour in neighbours {
                let deeper = if detail == Detail::Tree { 2 * (neighbour.depth as usize - 1) } else { 0 };
                let shows_depth = neighbour.depth > 1 && detail != Detail::Tree;
                let depth = if shows_depth { format!(" at {}", neighbour.depth) } else { String::new() };
                writeln!(
                    out,
                    "        {:indent$}  {:deeper$}{FAINT}{what}{depth}{FAINT:#} {}  {}{}",
                    "",
                    "",
                    neighbour.qualified_name,
                    self.start(&neighbour.location),
                    uncertainty(neighbour)
                )?;
            }
        }
        if !symbol.unresolved_names.is_empty() {
            let names = listed(symbol.unresolved_names.iter().map(String::as_str));
            writeln!(out, "        {:indent$}  {FAINT}external or not resolved: {names}{FAINT:#}", "")?;
        }
        Ok(())
    }

    /// Entry points, call paths and relevant files, within a number of tokens.
    pub(super) fn explore(&self, explore: &Explore) -> String {
        let mut out = String::new();
        for entry in &explore.entries {
            let name = entry.qualified_name.as_ref().map_or_else(String::new, |name| format!(" {NAME}{name}{NAME:#}"));
            let _ = writeln!(out, "{}  {}{name}", self.range(&entry.location), entry.kind);
            for (what, neighbours) in [("called by", &entry.callers), ("calls", &entry.callees)] {
                if !neighbours.is_empty() {
                    let name = |n: &Neighbour| format!("{} ({})", n.qualified_name, self.plain(&n.location));
                    let names: Vec<String> = neighbours.iter().map(name).collect();
                    let _ = writeln!(out, "  {FAINT}{what}{FAINT:#} {}", names.join(", "));
                }
            }
            if let Some(source) = &entry.source {
                numbered(&mut out, source, entry.source_line);
            }
            if entry.omitted_lines > 0 {
                let (lines, chunk) = (entry.omitted_lines, entry.chunk_id);
                let _ = writeln!(out, "  {FAINT}{lines} more lines: show {chunk}{FAINT:#}");
            }
            out.push('\n');
        }
        if !explore.paths.is_empty() {
            let _ = writeln!(out, "paths along calls");
            for path in &explore.paths {
                let steps = path.iter().map(|step| &step.definition);
                let names: Vec<String> =
                    steps.map(|d| format!("{} ({})", d.qualified_name, self.plain(&d.location))).collect();
                let _ = writeln!(out, "  {}", names.join(" -> "));
            }
            out.push('\n');
        }
        if !explore.files.is_empty() {
            let _ = writeln!(out, "relevant files");
            for file in &explore.files {
                let names = listed(file.symbols.iter().map(String::as_str));
                let _ = writeln!(out, "  {}  {names}", self.file(&file.file));
            }
        }
        truncated(out, explore.max_tokens)
    }

    /// Modules with their exports and dependencies.
    pub(super) fn map(&self, map: &MapAnswer) -> String {
        match map.format {
            MapFormat::Mermaid => return draw::map_mermaid(map),
            MapFormat::Dot => return draw::map_dot(map),
            MapFormat::Svg => return draw::map_svg(map),
            MapFormat::Text => {}
        }
        let mut out = String::new();
        let name = |module: &Module| self.name(&module.repo, &module.path);
        for (n, module) in map.modules.iter().enumerate() {
            let languages: Vec<&str> = module.languages.iter().take(2).map(|count| count.language.as_str()).collect();
            let tests = if module.is_test { ", tests" } else { "" };
            let _ = writeln!(
                out,
                "{PATH}{}{PATH:#}  {FAINT}{} files, {} lines, {} symbols, {}{tests}{FAINT:#}",
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
                .filter(|connection| connection.from_module == n)
                .filter_map(|connection| {
                    Some(format!("{} ({})", name(map.modules.get(connection.to_module)?), connection.uses))
                })
                .collect();
            if !uses.is_empty() {
                let _ = writeln!(out, "    {FAINT}uses{FAINT:#} {}", uses.join(", "));
            }
        }
        if !map.important.is_empty() {
            let _ = writeln!(out, "\nmost used, by the number of files");
            for export in &map.important {
                let d = &export.definition;
                let (used_by, kind, name) = (export.used_by, d.kind, &d.qualified_name);
                let _ = writeln!(out, "{used_by:>6}  {kind} {NAME}{name}{NAME:#}  {}", self.start(&d.location));
            }
        }
        out
    }
}

/// Joins the first [`MAX_NAMES`] names and counts the rest.
fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let rest = names.len().saturating_sub(MAX_NAMES);
    let shown: Vec<&str> = names.take(MAX_NAMES).collect();
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

/// Returns the confidence of a neighbour if it is below 0.9.
fn uncertainty(neighbour: &Neighbour) -> String {
    if neighbour.confidence < 0.9 { format!("  {FAINT}{:.2}{FAINT:#}", neighbour.confidence) } else { String::new() }
}

/// Cuts a text after the last line that fits into a number of tokens.
fn truncated(mut text: String, max_tokens: usize) -> String {
    let max_bytes = max_tokens.saturating_mul(TOKEN_BYTES);
    if anstream::adapter::strip_str(&text).to_string().len() <= max_bytes {
        return text;
    }
    let end = text[..text.floor_char_boundary(max_bytes)].rfind('\n').map_or(0, |at| at + 1);
    text.truncate(end);
    text
}

//! Answers that combine several kinds of results.

use std::fmt::Write;

use sextant_api::location::FileLocation;
use sextant_api::requests::Detail;
use sextant_api::responses::{Communities, ContextAnswer, ContextSymbol, FileHistory, MapAnswer, Module, Neighbour};

use super::locations::Locations;
use super::signature::signature;
use crate::draw;
use crate::style::{FAINT, NAME, PATH};

/// Maximum number of names in one line.
const MAX_NAMES: usize = 8;

/// A number with its noun.
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

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
        if let Some(history) = &context.history {
            self.file_history(&mut out, history);
        }
        if !context.parts.is_empty() {
            let starts = context.parts.iter().skip(1).map(|part| part.location.start_line.to_string());
            let _ = writeln!(
                out,
                "  {FAINT}the subject changes at lines{FAINT:#} {}",
                starts.collect::<Vec<_>>().join(", ")
            );
        }
        for symbol in &context.symbols {
            let _ = self.context_symbol(&mut out, symbol, &context.file, answer.detail);
        }
        let (resolved, ambiguous) = (context.resolved, context.ambiguous);
        let (external, unresolved) = (context.external, context.unresolved);
        let _ = writeln!(
            out,
            "{FAINT}uses: {resolved} resolved, {ambiguous} ambiguous, {external} external, {unresolved} not resolved{FAINT:#}"
        );
        out
    }

    /// The newest commits of a file, and what changes with it.
    fn file_history(&self, out: &mut String, history: &FileHistory) {
        let day = |date: &str| date.split(' ').next().unwrap_or_default().to_owned();
        let since = day(&history.since);
        if history.count == 0 {
            let _ = writeln!(out, "  {FAINT}no commit since {since} changed it{FAINT:#}");
        } else {
            let commits = counted(history.count, "commit");
            let _ = writeln!(out, "  changed by {commits} {FAINT}since {since}{FAINT:#}");
        }
        for commit in &history.commits {
            let id = commit.commit.get(..10).unwrap_or(&commit.commit);
            let (day, author) = (day(&commit.date), &commit.author);
            let _ = writeln!(out, "    {FAINT}{day} {id}{FAINT:#} {}  {FAINT}{author}{FAINT:#}", commit.subject);
        }
        if !history.changes_with.is_empty() {
            let with = history.changes_with.iter().map(|with| format!("{} ({})", with.file.path, with.commits));
            let _ = writeln!(out, "  changes together with {}", with.collect::<Vec<_>>().join(", "));
        }
    }

    fn context_symbol(
        &self,
        out: &mut String,
        symbol: &ContextSymbol,
        file: &FileLocation,
        detail: Detail,
    ) -> std::fmt::Result {
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
        let sides = [("calls", calls, symbol.has_more_calls), ("called by", callers, symbol.has_more_callers)];
        for (what, neighbours, has_more) in sides {
            if neighbours.is_empty() {
                continue;
            }
            if detail == Detail::Tree {
                for neighbour in as_tree(neighbours, &d.key) {
                    let deeper = 2 * (neighbour.depth as usize - 1);
                    let (name, place) = (&neighbour.qualified_name, self.start(&neighbour.location));
                    let uncertainty = uncertainty(neighbour);
                    writeln!(
                        out,
                        "        {:indent$}  {:deeper$}{FAINT}{what}{FAINT:#} {name}  {place}{uncertainty}",
                        "", ""
                    )?;
                }
                if has_more {
                    writeln!(out, "        {:indent$}  {FAINT}and more{FAINT:#}", "")?;
                }
                continue;
            }
            let shown = neighbours.iter().take(MAX_NAMES);
            let shown: Vec<String> = shown.map(|neighbour| self.near_or_far(neighbour, file)).collect();
            let rest = neighbours.len() - shown.len();
            let more = match (rest, has_more) {
                (0, false) => String::new(),
                (0, true) => format!(" {FAINT}and more{FAINT:#}"),
                (rest, false) => format!(" {FAINT}and {rest} more{FAINT:#}"),
                (rest, true) => format!(" {FAINT}and more than {rest} others{FAINT:#}"),
            };
            writeln!(out, "        {:indent$}  {FAINT}{what}{FAINT:#} {}{more}", "", shown.join(", "))?;
        }
        if !symbol.unresolved_names.is_empty() {
            let names = listed(symbol.unresolved_names.iter().map(String::as_str));
            writeln!(out, "        {:indent$}  {FAINT}external or not resolved: {names}{FAINT:#}", "")?;
        }
        Ok(())
    }

    /// A neighbour with its place: of one in the same file, its line.
    fn near_or_far(&self, neighbour: &Neighbour, file: &FileLocation) -> String {
        let location = &neighbour.location;
        let is_near = (&location.repo, &location.path) == (&file.repo, &file.path);
        let place = if is_near { format!("{FAINT}:{}{FAINT:#}", location.start_line) } else { self.start(location) };
        let depth = if neighbour.depth > 1 { format!(" at {}", neighbour.depth) } else { String::new() };
        // The code of a file outside of its symbols is called like the file.
        let name = if is_near && neighbour.kind == "file" { "the file" } else { &neighbour.qualified_name };
        format!("{name} {place}{}{depth}", uncertainty(neighbour).replace("  ", " "))
    }

    /// Modules with their exports and dependencies.
    pub(super) fn map(&self, map: &MapAnswer) -> String {
        if let Some(drawn) = draw::graph(map.draw, || map.graph(), map.drawing.as_ref()) {
            return drawn;
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
        if let Some(found) = &map.communities {
            self.communities(&mut out, map, found);
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

impl Locations<'_> {
    fn communities(&self, out: &mut String, map: &MapAnswer, found: &Communities) {
        let _ = writeln!(out, "\ncommunities, files that use each other and are alike");
        for community in &found.communities {
            let folders: Vec<String> = community
                .folders
                .iter()
                .map(|folder| format!("{} ({})", self.name(&folder.repo, &folder.path), folder.files))
                .collect();
            let more = if community.more_folders > 0 {
                format!(" and {} more", community.more_folders)
            } else {
                String::new()
            };
            let terms = community.terms.join(", ");
            let _ = writeln!(out, "{:>6} files  {NAME}{terms}{NAME:#}  {}{more}", community.files, folders.join(", "));
        }
        let (rest, alone) = (found.not_listed, found.alone);
        let _ = writeln!(out, "{FAINT}{rest} smaller communities; {alone} files in none{FAINT:#}");
        let pairs =
            found.couplings.iter().filter_map(|c| Some((c.cosine, map.modules.get(c.a)?, map.modules.get(c.b)?)));
        let _ = writeln!(out, "\nmodules that are alike");
        for (cosine, a, b) in pairs {
            let _ = writeln!(out, "{cosine:6.2}  {}  {}", self.name(&a.repo, &a.path), self.name(&b.repo, &b.path));
        }
    }
}

/// Neighbours in the order of a tree: each after the one through which it is reached. `root` is the symbol whose
/// neighbours they are.
fn as_tree<'a>(neighbours: &'a [Neighbour], root: &'a str) -> Vec<&'a Neighbour> {
    let mut ordered = Vec::with_capacity(neighbours.len());
    let below = |parent: &'a str, depth: u32| {
        let of_parent = move |n: &&Neighbour| n.via == parent && n.depth == depth;
        neighbours.iter().filter(of_parent).collect::<Vec<_>>()
    };
    let mut stack = below(root, 1);
    stack.reverse();
    while let Some(next) = stack.pop() {
        ordered.push(next);
        stack.extend(below(&next.key, next.depth + 1).into_iter().rev());
    }
    ordered
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_has_each_callee_below_its_caller() {
        let neighbour = |key: &str, via: &str, depth| Neighbour {
            key: key.to_owned(),
            qualified_name: String::new(),
            kind: "function",
            location: sextant_api::location::Location::default(),
            depth,
            via: via.to_owned(),
            edge: "call",
            edge_line: None,
            resolution: "scope",
            confidence: 1.0,
        };
        // Breadth first, as the graph returns them: b and c below a, d below b, e below c.
        let flat = [neighbour("b", "a", 1), neighbour("c", "a", 1), neighbour("d", "b", 2), neighbour("e", "c", 2)];
        let keys: Vec<&str> = as_tree(&flat, "a").iter().map(|n| n.key.as_str()).collect();
        assert_eq!(keys, ["b", "d", "c", "e"]);
    }
}

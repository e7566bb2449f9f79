//! The answer of `explore`. Its size in bytes is at most what `sextant_search::overview` counted when it chose what to
//! show.

use std::collections::BTreeSet;
use std::fmt::Write;

use sextant_api::location::{FileLocation, Location};
use sextant_api::responses::{Candidate, Entry, Explore, LineRange, Member, Neighbour};
use sextant_search::overview::{MAX_COPIES, MAX_FILE_NAMES, MAX_HEAD_BYTES, common_indent, short_name};

use super::locations::{Locations, brief, neighbour};
use super::source::numbered;
use crate::style::{FAINT, NAME, PATH};

/// The heading of the files that matter and of what fits in them without being shown.
const RELEVANT_FILES: &str = "relevant files, and what fits in them but is not shown";
/// The same where nothing fits.
const NEAREST_FILES: &str = "nothing fits; what is nearest";

impl Locations<'_> {
    /// Entry points with source, constants, call paths, relevant files, and what else fits.
    pub(super) fn explore(&self, explore: &Explore) -> String {
        let mut out = String::new();
        let mut previous = None;
        let mut copied = CopiedFiles::default();
        for entry in &explore.entries {
            let copies = self.copies(&entry.candidate, &mut copied);
            self.entry(&mut out, previous, entry, copies);
            previous = Some(&entry.candidate.location);
            out.push('\n');
        }
        let mut section = |title: &str, lines: Vec<String>| {
            if !lines.is_empty() {
                let _ = writeln!(out, "{title}");
                lines.iter().for_each(|line| {
                    let _ = writeln!(out, "  {line}");
                });
                out.push('\n');
            }
        };
        let keys = explore.keys.iter().flat_map(|key| {
            let line = |indent: &str, location: &Location, text: &str| {
                format!("{indent}{PATH}{}{PATH:#}  {}", brief(location), clipped(text))
            };
            let uses = key.uses.iter().map(move |one| line("  ", &one.location, &one.text));
            std::iter::once(line("", &key.definition.location, &key.text)).chain(uses)
        });
        section("values asked for, with uses", keys.collect());
        let constants = explore.constants.iter().map(|constant| {
            let (place, text) = (brief(&constant.definition.location), clipped(&constant.text));
            format!("{PATH}{place}{PATH:#}  {text}  {FAINT}used by {}{FAINT:#}", constant.users)
        });
        section("constants", constants.collect());
        let paths = explore.paths.iter().map(|path| {
            let steps = path.iter().map(|step| &step.definition);
            let names = steps.map(|d| format!("{} ({})", short_name(&d.qualified_name), brief(&d.location)));
            names.collect::<Vec<_>>().join(" -> ")
        });
        section("paths along calls", paths.collect());
        section(if explore.fits { RELEVANT_FILES } else { NEAREST_FILES }, self.heads_by_file(explore, &mut copied));
        out.truncate(out.trim_end().len());
        if !out.is_empty() {
            out.push('\n');
        }
        out
    }

    /// The relevant files, each with the heads in it that are not shown above. A file with one of them is one line.
    fn heads_by_file<'e>(&self, explore: &'e Explore, copied: &mut CopiedFiles<'e>) -> Vec<String> {
        let mut files: Vec<(FileLocation, Vec<&Candidate>)> =
            explore.files.iter().map(|file| (file.file.clone(), Vec::new())).collect();
        for candidate in &explore.not_shown {
            let Location { repo, path, edited, .. } = &candidate.location;
            let file = FileLocation { repo: repo.clone(), path: path.clone(), edited: *edited };
            match files.iter_mut().find(|(known, _)| *known == file) {
                Some((_, heads)) => heads.push(candidate),
                None => files.push((file, vec![candidate])),
            }
        }
        let mut lines = Vec::new();
        for (file, heads) in files {
            if let [only] = heads.as_slice() {
                lines.push(format!("{}  {}", self.range(&only.location), self.head(only, copied)));
                continue;
            }
            if heads.is_empty() {
                lines.extend(self.file_alone(explore, &file));
                continue;
            }
            lines.push(self.file(&file));
            let range = |at: &Location| format!("{}-{}", at.start_line, at.end_line);
            for one in heads {
                lines.push(format!("  {}  {}", range(&one.location), self.head(one, copied)));
            }
        }
        lines
    }

    /// A relevant file of which no heads are listed, with names; nothing if its source is above, with its path.
    fn file_alone(&self, explore: &Explore, file: &FileLocation) -> Option<String> {
        let is_shown = |entry: &Entry| {
            let at = &entry.candidate.location;
            at.repo == file.repo && at.path == file.path
        };
        if explore.entries.iter().any(is_shown) {
            return None;
        }
        let symbols = explore.files.iter().find(|known| known.file == *file).map_or(&[][..], |known| &known.symbols);
        let names = symbols[..symbols.len().min(MAX_FILE_NAMES)].join(", ");
        let gap = if names.is_empty() { "" } else { "  " };
        Some(format!("{}{gap}{names}", self.file(file)))
    }

    /// Kind, name, head and copies of a candidate.
    fn head<'e>(&self, candidate: &'e Candidate, copied: &mut CopiedFiles<'e>) -> String {
        let copies = self.copies(candidate, copied).map_or_else(String::new, |copies| format!("  {copies}"));
        let Candidate { kind, qualified_name, signature, doc, best_lines, .. } = candidate;
        let name = qualified_name.as_deref().map_or("", short_name);
        let best = best_lines
            .map_or_else(String::new, |LineRange { start_line, end_line }| format!("  best {start_line}-{end_line}"));
        let head = doc.as_deref().or_else(|| signature.as_deref().filter(|signature| !name.ends_with(signature)));
        let head = head.map_or_else(String::new, |head| format!("  {FAINT}{}{FAINT:#}", clipped(head)));
        format!("{kind} {NAME}{name}{NAME:#}{best}{head}{copies}")
    }

    /// The copies of something, unless lines before name their files: what one file copies is mostly all in another one.
    fn copies<'e>(&self, candidate: &'e Candidate, copied: &mut CopiedFiles<'e>) -> Option<String> {
        let listed = &candidate.copies[..candidate.copies.len().min(MAX_COPIES)];
        let mut has_new = false;
        for copy in listed {
            has_new |= copied.insert((&copy.repo, &copy.path));
        }
        let listed = listed.iter().map(|copy| self.range(copy));
        let more = candidate.copies.len().saturating_sub(MAX_COPIES);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let listed = listed.collect::<Vec<_>>().join(", ");
        has_new.then(|| format!("{FAINT}much the same in{FAINT:#} {listed}{more}"))
    }

    fn entry(&self, out: &mut String, previous: Option<&Location>, entry: &Entry, copies: Option<String>) {
        let Candidate { location, kind, qualified_name, .. } = &entry.candidate;
        let name = qualified_name.as_deref().map(short_name);
        let name = name.map_or_else(String::new, |name| format!(" {NAME}{name}{NAME:#}"));
        let _ = writeln!(out, "{}  {kind}{name}", self.next_range(previous, location));
        if let Some(copies) = copies {
            let _ = writeln!(out, "  {copies}");
        }
        let called = if entry.called_through_base { "may be called by" } else { "called by" };
        let lists = [
            (called, &entry.callers, entry.more_callers),
            ("calls", &entry.callees, entry.more_callees),
            ("may call", &entry.possible_callees, false),
        ];
        for (what, neighbours, has_more) in lists {
            if !neighbours.is_empty() {
                let is_here = |n: &Neighbour| n.location.path == location.path && n.location.repo == location.repo;
                let name = |n: &Neighbour| match (is_here(n), n.edge_line) {
                    (true, None) => short_name(&n.qualified_name).to_owned(),
                    (true, Some(line)) => format!("{} ({line})", short_name(&n.qualified_name)),
                    (false, _) => format!("{} ({})", short_name(&n.qualified_name), neighbour(n)),
                };
                let names: Vec<String> = neighbours.iter().map(name).collect();
                let more = if has_more { " and more" } else { "" };
                let _ = writeln!(out, "  {FAINT}{what}{FAINT:#} {}{more}", names.join(", "));
            }
        }
        if !entry.members.is_empty() {
            let name = |Member { name, start_line, end_line }: &Member| format!("{name} {start_line}-{end_line}");
            let names: Vec<String> = entry.members.iter().map(name).collect();
            let more = entry.more_members;
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let _ = writeln!(out, "  {FAINT}members{FAINT:#} {}{more}", names.join(", "));
        }
        // The lines of members are no gap.
        let has_gaps = entry.members.is_empty() && entry.more_members == 0;
        let indent = common_indent(entry.source.iter().flat_map(|part| part.text.split('\n')));
        let mut next = Some(location.start_line);
        for part in &entry.source {
            if let Some(next) = next.filter(|next| has_gaps && *next < part.start_line) {
                let _ = writeln!(out, "  {FAINT}... {next}-{}{FAINT:#}", part.start_line - 1);
            }
            numbered(out, &part.text, indent, part.start_line, location.end_line);
            next = part.end_line.checked_add(1);
        }
        if let Some(next) = next.filter(|next| has_gaps && *next <= location.end_line) {
            let _ = writeln!(out, "  {FAINT}... {next}-{}{FAINT:#}", location.end_line);
        }
        if !has_gaps && entry.cut_lines > 0 {
            let _ = writeln!(out, "  {FAINT}... {} lines of its own{FAINT:#}", entry.cut_lines);
        }
    }
}

/// Files of copies that are named already, each with its repository.
type CopiedFiles<'e> = BTreeSet<(&'e str, &'e str)>;

fn clipped(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_HEAD_BYTES)]
}

//! Answers about names.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;

use sextant_api::location::Location;
use sextant_api::responses::{
    Definition, External, Hovers, LivePlace, Mentions, Reference, ReferencesAnswer, RelatedAnswer, SourceLine,
};
use sextant_search::overview::short_name;

use super::locations::Locations;
use super::signature::signature;
use crate::style::{FAINT, NAME, PATH};

/// From this confidence on a use does not say how it is known: the head of the list does.
pub(super) const SURE: f32 = 0.9;
/// Fewer uses in tests are shown like others.
const MIN_BRIEF_USES: usize = 3;
/// Types below one that are listed.
const MAX_SUBTYPES: usize = 12;
/// Of a longer line, so much around the name is printed.
const MAX_LINE_BYTES: usize = 160;
/// Bytes of it before the name.
const BEFORE_NAME: usize = 60;

fn uses(count: usize) -> String {
    if count == 1 { "1 use".to_owned() } else { format!("{count} uses") }
}

/// How the listed ones of so many uses are known, as far as they do not say so themselves.
fn known_by(listed: &[Reference], total: usize) -> String {
    let sure = listed.iter().filter(|reference| reference.confidence >= SURE);
    let sure: BTreeSet<&str> = sure.map(|reference| reference.resolution).collect();
    if sure.is_empty() {
        return String::new();
    }
    let which = if listed.len() < total { "those listed " } else { "" };
    format!(", {which}by {}", Vec::from_iter(sure).join(", "))
}

/// The part of a line around a name; the whole line if it is short.
fn around<'l>(line: &'l str, name: &str) -> Cow<'l, str> {
    if line.len() <= MAX_LINE_BYTES {
        return line.into();
    }
    let at = line.find(name).unwrap_or(0);
    let start = line.floor_char_boundary(at.saturating_sub(BEFORE_NAME).min(line.len() - MAX_LINE_BYTES));
    // A character has at most four bytes.
    let is_to_end = line.len() - start < MAX_LINE_BYTES + 4;
    let end = if is_to_end { line.len() } else { line.floor_char_boundary(start + MAX_LINE_BYTES) };
    let [before, after] = [start > 0, end < line.len()].map(|is_cut| if is_cut { "..." } else { "" });
    format!("{before}{}{after}", &line[start..end]).into()
}

impl Locations<'_> {
    /// The location, kind and qualified name of a definition.
    pub(super) fn definition(&self, definition: &Definition) -> String {
        format!("{}  {}", self.start(&definition.location), symbol(definition))
    }

    /// Places that only a language server names.
    pub(super) fn live_only(&self, places: &[LivePlace]) -> String {
        let mut out = String::new();
        if !places.is_empty() {
            let _ = writeln!(out, "{FAINT}named by a language server alone{FAINT:#}");
        }
        for place in places {
            let symbol = match (&place.qualified_name, place.kind) {
                (Some(name), Some(kind)) if place.text.is_some() => format!("  {FAINT}{kind} {name}{FAINT:#}"),
                (Some(name), Some(kind)) => format!("  {kind} {NAME}{name}{NAME:#}"),
                _ => String::new(),
            };
            let text = place.text.as_ref().map_or_else(String::new, |text| format!("  {text}"));
            let _ = writeln!(out, "  {}{text}{symbol}", self.start(&place.location));
        }
        out
    }

    /// Definitions with their signatures.
    pub(super) fn definitions<'a>(&self, definitions: impl IntoIterator<Item = &'a Definition>) -> String {
        let mut out = String::new();
        for definition in definitions {
            let _ = writeln!(out, "{}", self.definition(definition));
            if let Some(text) = &definition.signature {
                let _ = writeln!(out, "    {}", signature(text));
            }
        }
        out
    }

    /// Connected symbols with their associations, strongest first.
    pub(super) fn related(&self, answer: &RelatedAnswer) -> String {
        let mut out = String::new();
        let all = || answer.definitions.iter().chain(answer.results.iter().map(|related| &related.definition));
        for related in &answer.results {
            let via = all().find(|d| d.key == related.via).map_or("", |d| d.qualified_name.as_str());
            let edge = related.edge;
            let arrow = if related.is_from_via { format!("{via} -{edge}->") } else { format!("-{edge}-> {via}") };
            let head = self.definition(&related.definition);
            let _ = writeln!(out, "{head}  {FAINT}{:.2}  {arrow}{FAINT:#}", related.association);
        }
        out
    }

    /// The uses of each definition by file, with their lines.
    pub(super) fn references(&self, answer: &ReferencesAnswer) -> String {
        let mut out = String::new();
        for group in &answer.results {
            let (count, how) = (uses(group.total), known_by(&group.uses, group.total));
            let _ = writeln!(out, "{}  {FAINT}{count}{how}{FAINT:#}", self.definition(&group.definition));
            out.push_str(&self.subtypes(&group.definition, &group.subtypes, group.more_subtypes));
            self.uses(&mut out, &group.uses, &group.definition.name);
            out.push_str(&self.live_only(&group.live_only));
        }
        for group in &answer.externals {
            let _ = writeln!(out, "{}", external(&group.external));
            let last = group.external.name.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next();
            self.uses(&mut out, &group.uses, last.unwrap_or_default());
        }
        for mentions in answer.mentions.iter().chain(&answer.more_mentions).filter(|mentions| mentions.total > 0) {
            out.push_str(&self.mentions(mentions, " more"));
        }
        out
    }

    /// The types below one, each with its place.
    fn subtypes(&self, of: &Definition, types: &[Definition], has_more: bool) -> String {
        if types.is_empty() {
            return String::new();
        }
        let verb = if matches!(of.kind, "interface" | "trait") { "implemented" } else { "extended" };
        let (tests, others): (Vec<&Definition>, Vec<&Definition>) = types.iter().partition(|found| found.is_test);
        let listed = others.iter().take(MAX_SUBTYPES).map(|found| {
            let place = self.plain(&found.location);
            format!("{NAME}{}{NAME:#} ({place})", found.qualified_name)
        });
        let mut parts: Vec<String> = listed.collect();
        let left = others.len().saturating_sub(MAX_SUBTYPES);
        if left > 0 || has_more {
            parts.push(format!("{left}{} more", if has_more { " or" } else { "" }));
        }
        if !tests.is_empty() {
            parts.push(format!("{} in tests", tests.len()));
        }
        format!("  {FAINT}{verb} by{FAINT:#} {}\n", parts.join(", "))
    }

    /// Uses of a name by file, each with its line; those in tests last, as lines of numbers if there are other ones.
    fn uses(&self, out: &mut String, uses: &[Reference], name: &str) {
        let mut last: Option<(&str, &str)> = None;
        let is_brief = |reference: &&Reference| {
            let is_sure = reference.confidence >= SURE;
            reference.is_test && is_sure && reference.context.is_empty() && !reference.live
        };
        let (brief, mut whole): (Vec<&Reference>, Vec<&Reference>) = uses.iter().partition(is_brief);
        let brief = if whole.is_empty() || brief.len() < MIN_BRIEF_USES {
            whole = uses.iter().collect();
            Vec::new()
        } else {
            brief
        };
        for reference in whole {
            let file = (reference.location.repo.as_str(), reference.location.path.as_str());
            if last != Some(file) {
                let _ = writeln!(out, "  {}", self.styled(file.0, file.1, "", reference.location.edited));
                last = Some(file);
            }
            let container = match reference.container_kind {
                "file" => String::new(),
                _ => format!(" in {}", short_name(&reference.container)),
            };
            let (line, kind) = (reference.location.start_line, reference.kind);
            let live = live(reference.live, reference.line_now);
            let doubt = match reference.confidence {
                sure if sure >= SURE => String::new(),
                doubtful => format!(", {} {doubtful:.2}", reference.resolution),
            };
            let how = format!("{FAINT}{kind}{container}{doubt}{FAINT:#}{live}");
            if reference.context.is_empty() {
                let _ = writeln!(out, "  {line:>6}  {}  {how}", around(&reference.text, name));
                continue;
            }
            let _ = writeln!(out, "  {line:>6}  {how}");
            for SourceLine { line, text } in &reference.context {
                let _ = writeln!(out, "  {FAINT}{line:>6}{FAINT:#}  {text}");
            }
        }
        let is_same_file =
            |a: &Location, b: &Location| (a.repo.as_str(), a.path.as_str()) == (b.repo.as_str(), b.path.as_str());
        for of_file in brief.chunk_by(|a, b| is_same_file(&a.location, &b.location)) {
            let location = &of_file[0].location;
            let path = self.styled(&location.repo, &location.path, "", location.edited);
            let lines: Vec<String> =
                of_file.iter().map(|reference| reference.location.start_line.to_string()).collect();
            let _ = writeln!(out, "  {path}  {FAINT}in tests:{FAINT:#} {}", lines.join(", "));
        }
    }

    /// Lines that contain a name and that no edge explains.
    pub(super) fn mentions(&self, mentions: &Mentions, more: &str) -> String {
        let mut out = String::new();
        let (count, name) = (mentions.total, &mentions.name);
        let lines = if count == 1 { format!("1{more} line mentions") } else { format!("{count}{more} lines mention") };
        let list = if mentions.lines.len() < count { "; references with mentions lists them" } else { "" };
        let them = if count == 1 { "it" } else { "them" };
        let _ = writeln!(out, "{FAINT}{lines} '{name}', and no edge explains {them}{list}{FAINT:#}");
        let mut last: Option<(&str, &str)> = None;
        for mention in &mentions.lines {
            let file = (mention.location.repo.as_str(), mention.location.path.as_str());
            if last != Some(file) {
                let _ = writeln!(out, "  {}", self.styled(file.0, file.1, "", mention.location.edited));
                last = Some(file);
            }
            let _ = writeln!(out, "  {:>6}  {}", mention.location.start_line, mention.text);
        }
        out
    }

    /// Descriptions of symbols.
    pub(super) fn hovers(&self, answer: &Hovers) -> String {
        let mut out = String::new();
        for hover in &answer.results {
            let visible = if hover.exported { "exported" } else { "not exported" };
            let container = hover.container.as_ref().map_or_else(String::new, |name| format!(", in {name}"));
            let head = self.definition(&hover.definition);
            let _ = writeln!(out, "{head}  {FAINT}{}, {visible}{container}{FAINT:#}", hover.language);
            if let Some(text) = &hover.definition.signature {
                let _ = writeln!(out, "    {}", signature(text));
            }
            if let Some(doc) = &hover.doc {
                out.push('\n');
                doc.lines().for_each(|line| {
                    let _ = writeln!(out, "    {line}");
                });
            }
            if let Some(text) = &hover.live_text {
                out.push('\n');
                text.lines().for_each(|line| {
                    let _ = writeln!(out, "    {line}");
                });
                let _ = writeln!(out, "    {FAINT}(by a language server){FAINT:#}");
            }
            if let Some(summary) = &hover.summary {
                let _ = writeln!(out, "\n    {} {FAINT}(by {}){FAINT:#}", summary.summary, summary.model);
            }
            if !hover.types.is_empty() {
                let types = hover.types.iter().map(|found| format!("{} ({})", found.name, self.plain(&found.location)));
                let _ = writeln!(out, "  {FAINT}types {}{FAINT:#}", types.collect::<Vec<_>>().join(", "));
            }
            if !hover.members.is_empty() {
                let _ = writeln!(out, "\n  members");
                for member in &hover.members {
                    let text = signature(member.signature.as_ref().unwrap_or(&member.name));
                    let _ = writeln!(out, "  {:>6}  {} {text}", member.location.start_line, member.kind);
                }
            }
            out.push_str(&self.subtypes(&hover.definition, &hover.subtypes, hover.more_subtypes));
            let (callers, callees, users) = (hover.callers, hover.callees, hover.users);
            let _ = writeln!(out, "  {FAINT}called by {callers}, calls {callees}, used by {users}{FAINT:#}\n");
        }
        out
    }
}

/// The mark of what a language server names, too, with its line in the checkout if that is another one.
fn live(is_live: bool, line_now: Option<u32>) -> String {
    match line_now {
        _ if !is_live => String::new(),
        Some(line) => format!("  {FAINT}live, now line {line}{FAINT:#}"),
        None => format!("  {FAINT}live{FAINT:#}"),
    }
}

/// Kind and qualified name of a definition.
pub(super) fn symbol(definition: &Definition) -> String {
    let Definition { kind, qualified_name, .. } = definition;
    format!("{kind} {NAME}{qualified_name}{NAME:#}{}", live(definition.live, definition.line_now))
}

/// A symbol that the index does not define.
pub(super) fn external(external: &External) -> String {
    let External { name, family, uses, definition, .. } = external;
    let definition = definition.as_ref().map_or_else(String::new, |key| format!(" of {key}"));
    format!("{PATH}external{PATH:#}  {family} {NAME}{name}{NAME:#}  {FAINT}{uses} uses{definition}{FAINT:#}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_line_the_part_around_the_name_is_printed() {
        assert_eq!(around("let a = b();", "b"), "let a = b();");
        let line = format!("{} name {}", "x".repeat(300), "y".repeat(300));
        let part = around(&line, "name");
        assert!(part.starts_with("...x") && part.contains(" name y") && part.ends_with("y..."), "{part}");
        assert_eq!(part.len(), MAX_LINE_BYTES + 6);
        assert!(around(&line, "none").starts_with("xxx"));
        assert!(around(&"ü".repeat(200), "ü").ends_with("ü..."));
        let end = format!("{} name", "ü".repeat(200));
        assert!(around(&end, "name").ends_with(" name"));
    }
}

//! Matching lines as text.

use std::collections::BTreeMap;
use std::fmt::Write;

use sextant_api::responses::{FileMatches, GrepAnswer, SourceLine};
use sextant_search::overview::short_name;

use super::locations::Locations;
use crate::style::{FAINT, NAME};

/// The role of most matches, which is not printed.
const PLAIN_USE: &str = "reference";
/// Fewer matches in tests are shown like others.
const MIN_BRIEF_LINES: usize = 4;
/// Files with the same matches as others of their folder that are shown in full.
const WHOLE_ALIKE: usize = 2;
/// Fewer of these files beyond those are shown like others.
const MIN_ALIKE: usize = 3;
/// What follows a name that is given a value, a list of parameters or the like.
const ENDS_OF_NAMES: [char; 5] = [':', '=', '(', ')', '>'];

impl Locations<'_> {
    /// Matching lines by file and symbol, each with what the match is.
    pub(super) fn grep(&self, answer: &GrepAnswer) -> String {
        let mut out = String::new();
        // Next to other matches, those in tests are listed by line number only, unless they are few.
        let in_tests: usize = answer.results.iter().filter(|file| file.is_test).map(|file| file.lines.len()).sum();
        let are_brief = in_tests >= MIN_BRIEF_LINES && answer.results.iter().any(|file| !file.is_test);
        let is_brief = |file: &FileMatches| file.is_test && are_brief;
        // Translations, or what a tool wrote many times.
        let mut alike: BTreeMap<Matched<'_>, Vec<usize>> = BTreeMap::new();
        let may_be_alike = |file: &FileMatches| !is_brief(file) && !file.file.edited;
        for (at, file) in answer.results.iter().enumerate().filter(|(_, file)| may_be_alike(file)) {
            alike.entry(matched(file)).or_default().push(at);
        }
        alike.retain(|_, files| files.len() >= WHOLE_ALIKE + MIN_ALIKE);
        let of_alike: BTreeMap<usize, &[usize]> =
            alike.values().flat_map(|files| files.iter().map(move |&at| (at, files.as_slice()))).collect();
        for (at, file) in answer.results.iter().enumerate() {
            if is_brief(file) {
                let _ = writeln!(out, "{}  {FAINT}in tests:{FAINT:#} {}", self.file(&file.file), numbers(file));
                continue;
            }
            let group = of_alike.get(&at).copied().unwrap_or_default();
            match group.iter().position(|&other| other == at) {
                Some(nth) if nth > WHOLE_ALIKE => continue,
                Some(WHOLE_ALIKE) => {
                    let rest = &group[WHOLE_ALIKE..];
                    let (folder, _) = split(&file.file.path);
                    let folder = self.name(&file.file.repo, folder);
                    let of = |&at: &usize| {
                        let file = &answer.results[at];
                        format!("{}:{}", split(&file.file.path).1, numbers(file))
                    };
                    let files: Vec<String> = rest.iter().map(of).collect();
                    let count = rest.len();
                    let _ = writeln!(
                        out,
                        "{FAINT}the same in {count} more files of {FAINT:#}{folder}{FAINT}:{FAINT:#} {}",
                        files.join(", ")
                    );
                }
                _ => self.matches_of(&mut out, file, answer.has_conditions),
            }
        }
        self.counts(&mut out, answer);
        out
    }

    /// The matching lines of a file, with the lines around them, or with what says when they are reached.
    fn matches_of(&self, out: &mut String, file: &FileMatches, has_conditions: bool) {
        let _ = writeln!(out, "{}", self.file(&file.file));
        let mut symbol: Option<&str> = None;
        let last = file.lines.last().map_or(1, |line| line.line);
        let width = last.checked_ilog10().map_or(1, |log| log as usize + 1);
        let mut context = file.context.iter().peekable();
        let mut above = 0;
        for line in &file.lines {
            let mut before: Vec<&SourceLine> = Vec::new();
            while let Some(next) = context.next_if(|next| next.line < line.line) {
                before.push(next);
            }
            if !has_conditions {
                before.drain(..).for_each(|next| around(out, &mut above, width, next));
            }
            if line.symbol.as_deref() != symbol {
                symbol = line.symbol.as_deref();
                let _ = match symbol.map(short_name) {
                    Some(name) => writeln!(out, " {FAINT}in{FAINT:#} {NAME}{name}{NAME:#}"),
                    None => writeln!(out, " {FAINT}at the level of the file{FAINT:#}"),
                };
            }
            for next in before {
                let _ = writeln!(out, "{FAINT}{:>width$}  {}{FAINT:#}", next.line, next.text);
            }
            above = line.line;
            let role = line.role.filter(|role| *role != PLAIN_USE);
            let role = role.map_or_else(String::new, |role| format!("  {FAINT}[{role}]{FAINT:#}"));
            let _ = writeln!(out, "{FAINT}{:>width$}{FAINT:#}  {}{role}", line.line, line.text);
        }
        context.for_each(|next| around(out, &mut above, width, next));
        if file.more_lines > 0 {
            let _ = writeln!(out, " {FAINT}and {} more{FAINT:#}", lines(file.more_lines));
        }
    }

    /// The files of which no line is shown; those of a folder after its name.
    fn counts(&self, out: &mut String, answer: &GrepAnswer) {
        let mut counts: Vec<String> = Vec::new();
        let mut above: Option<(&str, &str)> = None;
        for more in &answer.more_files {
            let (folder, name) = split(&more.file.path);
            let place = (more.file.repo.as_str(), folder);
            let file = if above == Some(place) { name.to_owned() } else { self.file(&more.file) };
            above = Some(place);
            counts.push(format!("{file} ({})", lines(more.lines)));
        }
        let unlisted = answer.files.saturating_sub((answer.results.len() + counts.len()) as u64);
        let unlisted = if unlisted > 0 { format!(" and {unlisted} more files") } else { String::new() };
        if !counts.is_empty() {
            let _ = writeln!(out, "{FAINT}also in{FAINT:#} {}{unlisted}", counts.join(", "));
        }
    }
}

/// Writes a line around matches, after a blank line if lines between it and the line above are left out.
fn around(out: &mut String, above: &mut u32, width: usize, line: &SourceLine) {
    if *above != 0 && line.line > *above + 1 {
        out.push('\n');
    }
    *above = line.line;
    let _ = writeln!(out, "{FAINT}{:>width$}  {}{FAINT:#}", line.line, line.text);
}

/// What the matches of a file are: its repository and folder, and each line up to what follows the matched name.
type Matched<'a> = (&'a str, &'a str, Vec<&'a str>);

fn matched(file: &FileMatches) -> Matched<'_> {
    let lines = file.lines.iter().map(|line| {
        let start = line.text.floor_char_boundary(line.column as usize);
        let end = line.text[start..].find(ENDS_OF_NAMES).map_or(line.text.len(), |end| start + end);
        line.text[..end].trim_start()
    });
    (&file.file.repo, split(&file.file.path).0, lines.collect())
}

/// The numbers of the lines of a file.
fn numbers(file: &FileMatches) -> String {
    let numbers: Vec<String> = file.lines.iter().map(|line| line.line.to_string()).collect();
    let more =
        if file.more_lines > 0 { format!(" {FAINT}and {} more{FAINT:#}", file.more_lines) } else { String::new() };
    format!("{}{more}", numbers.join(", "))
}

/// The folder and the name of a path.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

fn lines(count: u64) -> String {
    if count == 1 { "1 line".to_owned() } else { format!("{count} lines") }
}

#[cfg(test)]
mod tests {
    use sextant_api::location::FileLocation;
    use sextant_api::responses::{FileMatches, LineMatch};

    use super::matched;

    #[test]
    fn lines_are_alike_up_to_what_follows_the_name() {
        let line =
            |column: u32, text: &str| LineMatch { line: 3, column, text: text.to_owned(), symbol: None, role: None };
        let file = |path: &str, line: LineMatch| FileMatches {
            file: FileLocation { repo: "r".to_owned(), path: path.to_owned(), edited: false },
            lines: vec![line],
            context: Vec::new(),
            more_lines: 0,
            is_test: false,
        };
        let translated = file("a/de.json", line(8, "    \"an_arrow\": \"Pfeil\""));
        assert_eq!(matched(&translated), ("r", "a", vec!["\"an_arrow\""]));
        assert_eq!(matched(&file("a/en.json", line(5, "  \"an_arrow\": \"\""))), ("r", "a", vec!["\"an_arrow\""]));
        assert_eq!(matched(&file("a.py", line(0, "def f10(a): ..."))).2, ["def f10"]);
        assert_eq!(matched(&file("a.py", line(9, "é"))).2, ["é"]);
    }
}

//! Finds the symbols that a unified diff touches. The index is the state before the diff.

use sextant_format::ids::SymbolId;

use super::lookup::symbols_at_lines;
use super::navigator::Navigator;
use crate::Result;

/// Lines of a file that a diff changes, numbered as before the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedLines {
    /// The path before the change, without git's prefix.
    pub path: String,
    /// First line, from 1.
    pub first: u32,
    /// Last line, inclusive; a pure addition touches the lines around it.
    pub last: u32,
}

/// Returns the changes of a unified diff. Added files are left out, because the index cannot know them.
#[must_use]
pub fn parse_diff(text: &str) -> Vec<ChangedLines> {
    let mut changes = Vec::new();
    let mut path: Option<String> = None;
    let mut remaining = (0_u32, 0_u32);
    let mut at = 0;
    for line in text.lines() {
        if remaining == (0, 0) {
            if let Some(name) = line.strip_prefix("--- ") {
                let name = name.split('\t').next().unwrap_or(name).trim_matches('"');
                path = (name != "/dev/null").then(|| name.strip_prefix("a/").unwrap_or(name).to_owned());
            } else if let Some(hunk) = hunk(line) {
                at = hunk.0;
                remaining = (hunk.1, hunk.2);
            }
            continue;
        }
        let mut touch = |first: u32, last: u32| {
            let Some(path) = &path else { return };
            let (first, last) = (first.max(1), last.max(1));
            match changes.last_mut() {
                Some(ChangedLines { path: known, last: end, .. }) if known == path && first <= *end + 1 => {
                    *end = last.max(*end)
                }
                _ => changes.push(ChangedLines { path: path.clone(), first, last }),
            }
        };
        match line.as_bytes().first() {
            Some(b'-') => {
                touch(at, at);
                at += 1;
                remaining.0 = remaining.0.saturating_sub(1);
            }
            Some(b'+') => {
                touch(at.saturating_sub(1), at);
                remaining.1 = remaining.1.saturating_sub(1);
            }
            Some(b'\\') => {}
            _ => {
                at += 1;
                remaining = (remaining.0.saturating_sub(1), remaining.1.saturating_sub(1));
            }
        }
    }
    changes
}

/// The lines that a diff adds to a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddedText {
    /// The path after the change, without git's prefix.
    pub path: String,
    /// Runs of consecutive added lines, without the diff's marks.
    pub runs: Vec<Vec<String>>,
}

impl AddedText {
    /// The number of added lines.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.runs.iter().map(Vec::len).sum()
    }

    /// All added lines; a blank line is between two runs.
    #[must_use]
    pub fn text(&self) -> String {
        self.runs.iter().map(|run| run.join("\n")).collect::<Vec<_>>().join("\n\n")
    }
}

/// Returns the lines that a unified diff adds, by file; files without added lines are left out.
#[must_use]
pub fn added_texts(text: &str) -> Vec<AddedText> {
    let mut files: Vec<AddedText> = Vec::new();
    let mut remaining = (0_u32, 0_u32);
    let mut continues = false;
    for line in text.lines() {
        if remaining == (0, 0) {
            continues = false;
            if let Some(name) = line.strip_prefix("+++ ") {
                let name = name.split('\t').next().unwrap_or(name).trim_matches('"');
                files.push(AddedText { path: name.strip_prefix("b/").unwrap_or(name).to_owned(), runs: Vec::new() });
            } else if let Some((_, old, new)) = hunk(line) {
                remaining = (old, new);
            }
            continue;
        }
        match (line.as_bytes().first(), files.last_mut()) {
            (Some(b'+'), Some(file)) => {
                remaining.1 = remaining.1.saturating_sub(1);
                let added = line[1..].to_owned();
                match file.runs.last_mut().filter(|_| continues) {
                    Some(run) => run.push(added),
                    None => file.runs.push(vec![added]),
                }
                continues = true;
            }
            (Some(b'+'), None) => remaining.1 = remaining.1.saturating_sub(1),
            (Some(b'-'), _) => remaining.0 = remaining.0.saturating_sub(1),
            (Some(b'\\'), _) => {}
            _ => {
                continues = false;
                remaining = (remaining.0.saturating_sub(1), remaining.1.saturating_sub(1));
            }
        }
    }
    files.retain(|file| !file.runs.is_empty());
    files
}

/// Parses `@@ -start,count +start,count @@` into the first old line and the numbers of old and new lines.
fn hunk(line: &str) -> Option<(u32, u32, u32)> {
    let mut words = line.strip_prefix("@@ -")?.split(' ');
    let range = |text: &str| -> Option<(u32, u32)> {
        let (start, count) = text.split_once(',').unwrap_or((text, "1"));
        Some((start.parse().ok()?, count.parse().ok()?))
    };
    let (start, old) = range(words.next()?)?;
    let (_, new) = range(words.next()?.strip_prefix('+')?)?;
    // Without old lines, the named line is the one before the addition.
    Some((if old == 0 { start + 1 } else { start }, old, new))
}

impl Navigator<'_> {
    /// Returns the innermost symbols that changes touch, ascending, and the paths of changes that the index does not
    /// know.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn touched_symbols(&self, changes: &[ChangedLines]) -> Result<(Vec<SymbolId>, Vec<String>)> {
        let mut ids = Vec::new();
        let mut unknown = Vec::new();
        for change in changes {
            let found = symbols_at_lines(self.index, std::slice::from_ref(&change.path), change.first, change.last)?;
            if found.is_empty() && !unknown.contains(&change.path) {
                unknown.push(change.path.clone());
            }
            ids.extend(found);
        }
        ids.sort_unstable();
        ids.dedup();
        Ok((ids, unknown))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diff_touches_lines_of_the_state_before() {
        let diff = "diff --git a/src/a.rs b/src/a.rs\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -10,4 +10,5 @@ fn f\n a\n-b\n+c\n+d\n e\n f\n\
                    @@ -30,2 +31 @@\n-x\n y\n--- a/old.py\t2020\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n\
                    --- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+a\n+b\n";
        let added: Vec<(String, Vec<Vec<String>>)> =
            added_texts(diff).into_iter().map(|added| (added.path, added.runs)).collect();
        let run = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<String>>();
        assert_eq!(
            added,
            [("src/a.rs".to_owned(), vec![run(&["c", "d"])]), ("new.py".to_owned(), vec![run(&["a", "b"])])]
        );
        let change = |path: &str, first, last| ChangedLines { path: path.to_owned(), first, last };
        assert_eq!(parse_diff(diff), [change("src/a.rs", 11, 12), change("src/a.rs", 30, 30), change("old.py", 1, 1)]);
        // A line of a hunk may look like a header.
        let odd = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- gone\n+++ here\n z\n";
        assert_eq!(parse_diff(odd), [change("x", 1, 2)]);
        for text in ["", "@@", "@@ -", "@@ -1 @@", "--- ", "@@ -a,b +c,d @@", "@@ -1,1 +1,1 @@\n-x"] {
            assert!(parse_diff(text).is_empty(), "{text}");
        }
    }
}

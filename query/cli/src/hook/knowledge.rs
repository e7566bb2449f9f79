//! What the index knows of a search or of a file that was read, in a few lines of text. Says nothing about lines of a file
//! that differs from the index.

use std::path::{Path, PathBuf};

use sextant_format::digest::hash_file;
use sextant_format::ids::SymbolId;
use sextant_format::tables::{FileRow, SymbolRow};
use sextant_search::{Index, Navigator};

use super::event::Asked;
use crate::error::Error;

/// Bytes of an answer at most.
const MAX_BYTES: usize = 1024;
/// Definitions of one name that are listed.
const MAX_DEFINITIONS: usize = 3;
/// Files of a search whose lines are looked up.
const MAX_FILES: usize = 6;
/// Symbols of a file that are listed.
const MAX_SYMBOLS: usize = 8;
/// Callers of one symbol that are named.
const MAX_CALLERS: usize = 2;
/// Guesses are not told.
const MIN_CONFIDENCE: f32 = 0.5;
/// Larger files are not compared with the index.
const MAX_FILE_BYTES: u64 = 4 << 20;

/// Returns what the index knows; empty if nothing.
pub(super) fn knowledge(index: &Index, asked: &Asked, cwd: &Path) -> Result<String, Error> {
    let navigator = Navigator::new(index);
    let mut lines = Vec::new();
    for name in &asked.names {
        lines.extend(definitions(navigator, name, cwd)?);
    }
    let mut files: Vec<&PathBuf> = Vec::new();
    for (path, _) in &asked.places {
        if !files.contains(&path) && files.len() < MAX_FILES {
            files.push(path);
        }
    }
    for path in files {
        let wanted: Vec<u32> = asked.places.iter().filter(|(other, _)| other == path).map(|&(_, line)| line).collect();
        lines.extend(around_lines(navigator, &cwd.join(path), &wanted)?);
    }
    if let Some((path, first, last)) = &asked.read {
        lines.extend(used_elsewhere(navigator, &cwd.join(path), *first, *last)?);
    }
    Ok(within_budget(&lines))
}

/// Where a name is defined, and how often it is called.
fn definitions(navigator: Navigator<'_>, name: &str, cwd: &Path) -> Result<Vec<String>, Error> {
    let mut found = navigator.resolve(name)?.definitions;
    // Words of a pattern such as `func` are names of locals in tests; what a reader looks for is the product's.
    found.retain(|d| d.name.eq_ignore_ascii_case(name) && !d.is_test);
    let total = found.len();
    let shown: Vec<_> = found.into_iter().take(MAX_DEFINITIONS).collect();
    let mut lines = Vec::new();
    for hover in navigator.hover(&shown)? {
        let d = &hover.definition;
        let callers = match hover.callers {
            0 => String::new(),
            1 => ", 1 caller".to_owned(),
            n => format!(", {n} callers"),
        };
        let here = cwd.ancestors().map(|folder| folder.join(&d.path)).find(|path| path.is_file());
        let is_changed =
            here.map(|path| unchanged_file(navigator, &path)).transpose()?.is_some_and(|file| file.is_none());
        let (kind, name, path) = (d.kind.as_str(), &d.qualified_name, &d.path);
        lines.push(if is_changed {
            format!("{kind} {name} is defined in {path}, which has changed since it was indexed{callers}")
        } else {
            format!("{kind} {name} is defined at {path}:{}-{}{callers}", d.start_line, d.end_line)
        });
    }
    if !shown.is_empty() && total > shown.len() {
        lines.push(format!("{name} has {} more definitions: sextant definition {name}", total - shown.len()));
    }
    Ok(lines)
}

/// The symbols around lines that a search found, with their callers.
fn around_lines(navigator: Navigator<'_>, path: &Path, wanted: &[u32]) -> Result<Vec<String>, Error> {
    let Some(file) = unchanged_file(navigator, path)? else { return Ok(Vec::new()) };
    let symbols = navigator.symbols_of(file.file_id)?;
    let mut around: Vec<(&SymbolRow, Vec<u32>)> = Vec::new();
    for &line in wanted {
        let is_around = |symbol: &&SymbolRow| {
            symbol.start_line <= line && line <= symbol.end_line && symbol.end_line > symbol.start_line
        };
        let Some(innermost) = symbols.iter().filter(is_around).min_by_key(|s| s.end_line - s.start_line) else {
            continue;
        };
        match around.iter_mut().find(|(symbol, _)| symbol.symbol_id == innermost.symbol_id) {
            Some((_, lines)) => lines.push(line),
            None => around.push((innermost, vec![line])),
        }
    }
    let mut lines = Vec::new();
    for (symbol, numbers) in around {
        let numbers: Vec<String> = numbers.iter().take(4).map(u32::to_string).collect();
        let callers = navigator.callers_in_other_files(symbol, MIN_CONFIDENCE)?;
        let callers =
            in_words(navigator, &callers)?.map_or_else(String::new, |callers| format!(", called by {callers}"));
        lines.push(format!(
            "{}:{} in {} ({}-{}){callers}",
            file.path,
            numbers.join(","),
            symbol.qualified_name,
            symbol.start_line,
            symbol.end_line
        ));
    }
    Ok(lines)
}

/// The symbols of a range that other files call, the most called first.
fn used_elsewhere(navigator: Navigator<'_>, path: &Path, first: u32, last: u32) -> Result<Vec<String>, Error> {
    let Some(file) = unchanged_file(navigator, path)? else { return Ok(Vec::new()) };
    let symbols = navigator.symbols_of(file.file_id)?;
    let mut used = Vec::new();
    for symbol in symbols.iter().filter(|s| s.start_line <= last && first <= s.end_line) {
        let callers = navigator.callers_in_other_files(symbol, MIN_CONFIDENCE)?;
        if !callers.is_empty() {
            used.push((symbol, callers));
        }
    }
    used.sort_by_key(|(symbol, callers)| (std::cmp::Reverse(callers.len()), symbol.symbol_id));
    let count = used.len();
    let mut lines = Vec::new();
    for (symbol, callers) in used.into_iter().take(MAX_SYMBOLS) {
        if let Some(callers) = in_words(navigator, &callers)? {
            let (name, first, last) = (&symbol.qualified_name, symbol.start_line, symbol.end_line);
            lines.push(format!("{name} ({first}-{last}) is called by {callers}"));
        }
    }
    if count > MAX_SYMBOLS {
        lines.push(format!("{} more are called from other files: sextant context {}", count - MAX_SYMBOLS, file.path));
    }
    Ok(lines)
}

/// The first callers in words; `None` if there are none.
fn in_words(navigator: Navigator<'_>, callers: &[SymbolId]) -> Result<Option<String>, Error> {
    let named = navigator.definitions(&callers[..callers.len().min(MAX_CALLERS)])?;
    let named: Vec<String> =
        named.iter().map(|caller| format!("{} {}:{}", caller.qualified_name, caller.path, caller.start_line)).collect();
    Ok(match callers.len() {
        0 => None,
        n if n > named.len() => Some(format!("{} and {} more", named.join(", "), n - named.len())),
        _ => Some(named.join(", ")),
    })
}

/// The file of the index that has exactly this content: its path ends with the path in the index.
fn unchanged_file(navigator: Navigator<'_>, path: &Path) -> Result<Option<FileRow>, Error> {
    let is_small = fs_err::metadata(path).is_ok_and(|data| data.is_file() && data.len() <= MAX_FILE_BYTES);
    let Some((hash, _)) = is_small.then(|| hash_file(path).ok()).flatten() else { return Ok(None) };
    let parts: Vec<String> = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    for start in 1..parts.len() {
        let found = navigator.files(&parts[start..].join("/"))?;
        if let Some(file) = found.into_iter().find(|file| file.content_hash == hash) {
            return Ok(Some(file));
        }
    }
    Ok(None)
}

/// Whole lines within the budget; the last one says how many were left out.
fn within_budget(lines: &[String]) -> String {
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate() {
        let rest = format!("{} more lines were left out\n", lines.len() - at);
        if text.len() + line.len() + 1 + rest.len() > MAX_BYTES {
            text.push_str(&rest);
            break;
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_stays_within_its_budget_and_says_what_it_left_out() {
        let lines: Vec<String> = (0..50).map(|n| format!("line {n} {}", "x".repeat(40))).collect();
        let text = within_budget(&lines);
        assert!(text.len() <= MAX_BYTES && text.ends_with("more lines were left out\n"), "{text}");
        assert_eq!(within_budget(&lines[..2]).lines().count(), 2);
        assert_eq!(within_budget(&[]), "");
    }
}

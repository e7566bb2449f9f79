//! Every fixture of every language: what is found in it, and what it is divided into.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::*;
use crate::chunk::{self, Limits, Lines};
use crate::language;

fn languages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("languages")
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs_err::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn dump(name: &str, text: &str) -> String {
    let language = language::detect(name, text).unwrap();
    let mut extraction = Extractor::new().extract(language, name, text);
    let chunks = chunk::chunk(&Lines::new(text), &mut extraction.symbols, &extraction.blocks, &Limits::STANDARD);
    let mut out = format!("{} {}\n\nsymbols\n", language.name, extraction.status);
    for symbol in &extraction.symbols {
        let lines = if symbol.lead_line < symbol.start_line {
            format!("{}..{}-{}", symbol.lead_line, symbol.start_line, symbol.end_line)
        } else {
            format!("{}-{}", symbol.start_line, symbol.end_line)
        };
        let exported = if symbol.exported { "+" } else { "-" };
        let container = symbol.container.map_or("", |id| &extraction.symbols[id as usize].qualified_name);
        let _ = writeln!(out, "{lines:12} {exported} {:11} {}  <{container}>", symbol.kind, symbol.qualified_name);
        if let Some(signature) = &symbol.signature {
            let _ = writeln!(out, "{:26} {signature}", "");
        }
        if let Some(doc) = &symbol.doc {
            let _ = writeln!(out, "{:26} \"{}\"", "", doc.lines().next().unwrap_or(""));
        }
    }
    out.push_str("\nreferences\n");
    for reference in &extraction.references {
        let owner = reference.owner.as_ref().map_or(String::new(), |owner| format!("{owner} | "));
        let alias = reference.alias.as_ref().map_or(String::new(), |alias| format!(" as {alias}"));
        let source = &extraction.symbols[reference.source as usize].qualified_name;
        let _ = writeln!(
            out,
            "{:4}:{:<3} {:11} {owner}{}{alias}  <{source}>",
            reference.line, reference.column, reference.kind, reference.name
        );
    }
    out.push_str("\nchunks\n");
    for chunk in &chunks {
        let symbol = chunk.symbol.map_or("", |id| &extraction.symbols[id as usize].qualified_name);
        let parent = chunk.parent.map_or(String::new(), |parent| format!("  in {parent}"));
        let _ = writeln!(
            out,
            "{} {:4}-{:<4} {:11} {symbol}{parent}",
            chunk.level, chunk.start_line, chunk.end_line, chunk.kind
        );
    }
    out
}

#[test]
fn fixtures_give_their_snapshots() {
    let mut seen = 0;
    for folder in sorted(&languages()) {
        let fixtures = folder.join("fixtures");
        if !fixtures.is_dir() {
            continue;
        }
        for path in sorted(&fixtures) {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let text = fs_err::read_to_string(&path).unwrap();
            let mut settings = insta::Settings::clone_current();
            settings.set_snapshot_path(folder.join("snapshots"));
            settings.set_prepend_module_to_snapshot(false);
            settings.set_omit_expression(true);
            settings.bind(|| insta::assert_snapshot!(name.clone(), dump(&name, &text)));
            seen += 1;
        }
    }
    assert!(seen >= 20, "only {seen} fixtures were found");
}

#[test]
fn every_language_has_fixtures_and_its_hooks_are_counted() {
    for language in &language::LANGUAGES {
        let found = sorted(&languages()).iter().any(|folder| {
            let fixtures = folder.join("fixtures");
            fixtures.is_dir()
                && sorted(&fixtures)
                    .iter()
                    .any(|path| path.extension().is_some_and(|e| language.extensions.iter().any(|known| e == *known)))
        });
        assert!(found, "{} has no fixture", language.name);
    }
    insta::assert_snapshot!("hooks", HOOKS.join("\n"));
}

#[test]
fn cut_off_and_mangled_sources_never_panic() {
    for folder in sorted(&languages()) {
        let fixtures = folder.join("fixtures");
        if !fixtures.is_dir() {
            continue;
        }
        for path in sorted(&fixtures) {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let text = fs_err::read_to_string(&path).unwrap();
            for part in 1..8 {
                let cut = &text[..text.floor_char_boundary(text.len() * part / 8)];
                dump(&name, cut);
                dump(&name, &cut.chars().rev().collect::<String>());
            }
        }
    }
}

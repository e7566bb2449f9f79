//! Prints what was extracted from a file, for the snapshots of the fixtures and `examples/inspect.rs`.

use std::fmt::Write;

use crate::chunk::{self, Limits, LineIndex};
use crate::extract::Extractor;
use crate::language::Language;
use crate::learn::own_macros;

/// Returns the symbols, references, type facts and chunks of a text as readable lines.
#[must_use]
pub fn dump(language: &'static Language, name: &str, text: &str) -> String {
    let macros = own_macros(name, text, language);
    let mut extraction = Extractor::new().extract_with_macros(language, name, &LineIndex::new(text), macros);
    let chunks = chunk::chunk(
        &LineIndex::new(text),
        &mut extraction.symbols,
        &extraction.blocks,
        &extraction.error_ranges,
        &Limits::STANDARD,
    );
    let mut out = format!("{} {}\n\nsymbols\n", language.name, extraction.status);
    for symbol in &extraction.symbols {
        let lines = if symbol.lead_line < symbol.start_line {
            format!("{}..{}-{}", symbol.lead_line, symbol.start_line, symbol.end_line)
        } else {
            format!("{}-{}", symbol.start_line, symbol.end_line)
        };
        let exported = if symbol.exported { "+" } else { "-" };
        let embedded = if symbol.embedded { " embedded" } else { "" };
        let container = symbol.container.map_or("", |id| &extraction.symbols[id as usize].qualified_name);
        let _ = writeln!(
            out,
            "{lines:12} {exported} {:11} {}  <{container}>{embedded}",
            symbol.kind, symbol.qualified_name
        );
        if let Some(signature) = &symbol.signature {
            let _ = writeln!(out, "{:26} {signature}", "");
        }
        if let Some(doc) = &symbol.doc {
            let _ = writeln!(out, "{:26} \"{}\"", "", doc.lines().next().unwrap_or(""));
        }
    }
    out.push_str("\nreferences\n");
    for reference in &extraction.references {
        let owner = reference.qualifier.as_ref().map_or(String::new(), |owner| format!("{owner} | "));
        let alias = reference.alias.as_ref().map_or(String::new(), |alias| format!(" as {alias}"));
        let source = &extraction.symbols[reference.source as usize].qualified_name;
        let _ = writeln!(
            out,
            "{:4}:{:<3} {:11} {owner}{}{alias}  <{source}>",
            reference.line, reference.column, reference.kind, reference.name
        );
    }
    if !extraction.type_facts.is_empty() {
        out.push_str("\ntypes\n");
    }
    for fact in extraction.type_facts.iter().filter(|fact| !fact.text.is_empty()) {
        let name = fact.name.as_ref().map_or(String::new(), |name| format!(" | {name}"));
        let sign = if fact.is_declared { ':' } else { '=' };
        let _ = writeln!(
            out,
            "{}{name} {sign} {}  <{}>",
            extraction.symbols[fact.symbol as usize].qualified_name,
            fact.text,
            extraction.symbols[fact.scope as usize].qualified_name
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

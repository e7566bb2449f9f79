//! Captures into an [`Extraction`]: symbols, references, type facts and blocks. Must not know how captures are found.

use rustc_hash::FxHashMap;
use sextant_format::kinds::{Kind, ParseStatus};

use super::alternatives;
use super::bindings;
use super::captures::RawCaptures;
use super::doc_types;
use super::extraction::{Extraction, file_symbol};
use super::locals::{LocalBindings, Locals};
use super::parsed_source::ParsedSource;
use super::references::{add_hidden_uses, build_references};
use super::symbols::{attach_to_containers, build_symbols, dedup_by_first_pattern, mark_exported};
use super::type_facts;
use crate::endpoints;
use crate::language::Language;
use crate::model::{Block, Symbol};

/// Builds the extraction from the captures: symbols, references, type facts and blocks in the order of the text.
pub(super) fn assemble(
    language: &'static Language,
    path: &str,
    source: &ParsedSource<'_>,
    mut raw: RawCaptures,
    status: ParseStatus,
) -> Extraction {
    let mut symbols = vec![file_symbol(path, source.text)];
    raw.definitions.retain(|definition| !raw.undefined.contains(&source.nodes.range(definition.name.node).start));
    dedup_by_first_pattern(source, &mut raw.definitions);
    let (owners, symbol_at) = build_symbols(language, source, &raw, &mut symbols);
    attach_to_containers(language, &mut symbols, &owners);
    mark_exported(source, &raw.exports, &mut symbols);
    if language.has_preprocessor && language.links_definitions {
        step_back_if_left_out(source, &symbol_at, &mut symbols);
    }
    let values = raw.typed.iter().filter_map(|typed| typed.value_of_name()).collect();
    let defined = raw.defined.iter().filter_map(|(at, names)| Some((*symbol_at.get(at)?, names.as_slice()))).collect();
    let known = type_facts::Known { locals: &raw.locals, pointers: &raw.pointers, symbol_at: &symbol_at, defined };
    let (mut type_facts, bound) = type_facts::collect(language, source, raw.typed, &known, &symbols);
    doc_types::add(language, source.text, &raw.leading, &symbols, &mut type_facts);
    let locals = Locals {
        values: LocalBindings::new(source, raw.locals, &values, &symbols),
        types: LocalBindings::new(source, raw.local_types, &FxHashMap::default(), &symbols),
    };
    let mut references =
        build_references(language, source, &raw.definitions, raw.reference_matches, &symbols, &symbol_at, &locals);
    add_hidden_uses(source, &raw.hidden_uses, &symbols, &mut references);
    endpoints::add(language, path, source.lines, &symbols, &type_facts, &mut references);
    bindings::separate(language, source, &symbols, &bound, &mut type_facts, &mut references);
    let mut blocks: Vec<Block> = raw
        .blocks
        .iter()
        .map(|&(kind, node)| {
            let (start_line, end_line) = source.line_range(node);
            Block { kind, start_line, end_line }
        })
        .collect();
    blocks.sort_by_key(|block| (block.start_line, std::cmp::Reverse(block.end_line)));
    blocks.dedup_by_key(|block| (block.start_line, block.end_line));
    Extraction { symbols, references, type_facts, blocks, status, error_ranges: Vec::new() }
}

/// Of definitions of one name in the file, those that a usual compiler leaves out are like declarations, and a macro that
/// it takes is like a definition with a body.
fn step_back_if_left_out(source: &ParsedSource<'_>, symbol_at: &FxHashMap<usize, u32>, symbols: &mut [Symbol]) {
    let left_out = alternatives::left_out(source.text);
    if left_out.is_empty() {
        return;
    }
    let is_left_out = |at: usize| {
        let next = left_out.partition_point(|range| range.start <= at);
        next.checked_sub(1).is_some_and(|before| left_out[before].contains(&at))
    };
    let of_symbol = |(&at, &symbol): (&usize, &u32)| (symbols[symbol as usize].name.as_str(), is_left_out(at), symbol);
    let is_definition = |(_, symbol): &(&usize, &u32)| !matches!(symbols[**symbol as usize].kind, Kind::Namespace);
    let mut named: Vec<(&str, bool, u32)> = symbol_at.iter().filter(is_definition).map(of_symbol).collect();
    named.sort_unstable();
    let are_alternatives = |same: &&[(&str, bool, u32)]| same.iter().any(|one| one.1) && same.iter().any(|one| !one.1);
    let alternatives = named.chunk_by(|a, b| a.0 == b.0).filter(are_alternatives).flatten();
    let (out, taken): (Vec<_>, Vec<_>) =
        alternatives.map(|&(_, is_out, symbol)| (is_out, symbol)).partition(|&(is_out, _)| is_out);
    for (_, symbol) in out {
        symbols[symbol as usize].has_body = false;
    }
    for (_, symbol) in taken {
        let symbol = &mut symbols[symbol as usize];
        symbol.has_body |= symbol.kind == Kind::Macro;
    }
}

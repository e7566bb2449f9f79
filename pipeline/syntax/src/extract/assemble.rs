//! Captures into an [`Extraction`]: symbols, references, type facts and blocks. Must not know how captures are found.

use rustc_hash::FxHashMap;
use sextant_format::kinds::ParseStatus;

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
use crate::model::Block;

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
    let values = raw.typed.iter().filter_map(|typed| typed.value_of_name()).collect();
    let defined = raw.defined.iter().filter_map(|(at, names)| Some((*symbol_at.get(at)?, names.as_slice()))).collect();
    let known = type_facts::Known { locals: &raw.locals, pointers: &raw.pointers, symbol_at: &symbol_at, defined };
    let mut type_facts = type_facts::collect(language, source, raw.typed, &known, &symbols);
    doc_types::add(language, source.text, &raw.leading, &symbols, &mut type_facts);
    let locals = Locals {
        values: LocalBindings::new(source, raw.locals, &values, &symbols),
        types: LocalBindings::new(source, raw.local_types, &FxHashMap::default(), &symbols),
    };
    let mut references =
        build_references(language, source, &raw.definitions, raw.reference_matches, &symbols, &symbol_at, &locals);
    add_hidden_uses(source, &raw.hidden_uses, &symbols, &mut references);
    endpoints::add(language, path, source.lines, &symbols, &type_facts, &mut references);
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

//! Merges the extraction of embedded languages into that of their file.

use super::extraction::Extraction;
use crate::model::Symbol;

/// At most this many embedded texts of a file are parsed.
pub(super) const MAX_EMBEDDED_RANGES: usize = 2_000;

/// Adds the symbols, references, type facts and blocks of an embedded text. Its outermost symbols are contained in
/// the file's innermost symbol around them.
pub(super) fn insert(file: &mut Extraction, embedded: Extraction) {
    let outer = file.symbols.iter().take_while(|symbol| !symbol.embedded).count();
    let first = u32::try_from(file.symbols.len()).unwrap_or(u32::MAX);
    for mut symbol in embedded.symbols.into_iter().skip(1) {
        // The first symbol of the embedded text represents the whole file, which exists already.
        symbol.container = Some(match symbol.container {
            Some(id) if id > 0 => first + id - 1,
            _ => innermost_at(&file.symbols[..outer], symbol.start_line),
        });
        symbol.embedded = true;
        file.symbols.push(symbol);
    }
    for mut reference in embedded.references {
        reference.source = match reference.source {
            0 => innermost_at(&file.symbols[..outer], reference.line),
            id => first + id - 1,
        };
        file.references.push(reference);
    }
    for mut fact in embedded.type_facts {
        // Facts about the embedded text as a whole are dropped: it has no symbol here.
        if fact.symbol > 0 {
            fact.symbol += first - 1;
            fact.scope = if fact.scope == 0 { 0 } else { first + fact.scope - 1 };
            file.type_facts.push(fact);
        }
    }
    file.blocks.extend(embedded.blocks);
}

/// The innermost symbol around a line. `symbols` are in the order of the text, outer before inner.
fn innermost_at(symbols: &[Symbol], line: u32) -> u32 {
    let found = symbols.iter().rposition(|symbol| symbol.start_line <= line && line <= symbol.end_line);
    u32::try_from(found.unwrap_or(0)).unwrap_or(0)
}

/// Restores the order of the text, and renumbers symbols accordingly.
pub(super) fn sort_by_position(file: &mut Extraction) {
    let mut order: Vec<u32> = (0..u32::try_from(file.symbols.len()).unwrap_or(u32::MAX)).collect();
    order[1..].sort_by_key(|&id| {
        let symbol = &file.symbols[id as usize];
        (symbol.start_byte, std::cmp::Reverse(symbol.end_byte), id)
    });
    let mut new_ids = vec![0; order.len()];
    for (at, &id) in order.iter().enumerate() {
        new_ids[id as usize] = u32::try_from(at).unwrap_or(0);
    }
    let mut symbols: Vec<Option<Symbol>> = std::mem::take(&mut file.symbols).into_iter().map(Some).collect();
    file.symbols = order.iter().filter_map(|&id| symbols[id as usize].take()).collect();
    for symbol in &mut file.symbols {
        symbol.container = symbol.container.map(|container| new_ids[container as usize]);
    }
    for reference in &mut file.references {
        reference.source = new_ids[reference.source as usize];
    }
    for fact in &mut file.type_facts {
        fact.symbol = new_ids[fact.symbol as usize];
        fact.scope = new_ids[fact.scope as usize];
    }
    file.references.sort_by_key(|reference| (reference.line, reference.column));
    file.blocks.sort_by_key(|block| (block.start_line, std::cmp::Reverse(block.end_line)));
    file.blocks.dedup_by_key(|block| (block.start_line, block.end_line));
}

//! What a piece of another language holds, put among what its file holds.

use crate::extract::Extraction;
use crate::model::Symbol;

/// More pieces of one file are left as text.
pub(super) const MAX_EMBEDDED_RANGES: usize = 2_000;

/// Adds a piece's symbols, uses and blocks. The innermost symbol of the file around a piece contains
/// what the piece has outermost.
pub(super) fn insert(file: &mut Extraction, piece: Extraction) {
    let outer = file.symbols.iter().take_while(|symbol| !symbol.embedded).count();
    let first = u32::try_from(file.symbols.len()).unwrap_or(u32::MAX);
    for mut symbol in piece.symbols.into_iter().skip(1) {
        // The piece's own first symbol stands for the whole file, which is here already.
        symbol.container = Some(match symbol.container {
            Some(id) if id > 0 => first + id - 1,
            _ => innermost_at(&file.symbols[..outer], symbol.start_line),
        });
        symbol.embedded = true;
        file.symbols.push(symbol);
    }
    for mut reference in piece.references {
        reference.source = match reference.source {
            0 => innermost_at(&file.symbols[..outer], reference.line),
            id => first + id - 1,
        };
        file.references.push(reference);
    }
    for mut fact in piece.type_facts {
        // What holds for the whole piece is left out: it has no symbol of its own here.
        if fact.symbol > 0 {
            fact.symbol += first - 1;
            fact.scope = if fact.scope == 0 { 0 } else { first + fact.scope - 1 };
            file.type_facts.push(fact);
        }
    }
    file.blocks.extend(piece.blocks);
}

/// The innermost symbol around a line: symbols are in the order of the text, outer before inner.
fn innermost_at(symbols: &[Symbol], line: u32) -> u32 {
    let found = symbols.iter().rposition(|symbol| symbol.start_line <= line && line <= symbol.end_line);
    u32::try_from(found.unwrap_or(0)).unwrap_or(0)
}

/// Puts everything into the order of the text again.
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

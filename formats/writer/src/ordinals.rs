//! Numbers the rows of a file that share a name or a symbol, so that keys can tell them apart.

use sextant_format::tables::{ChunkRow, SymbolRow};

/// Sets the ordinals of a file's symbols: from 1 among those of one name, 0 for the only one.
pub(crate) fn number_symbols(symbols: &mut [SymbolRow]) {
    let positions = positions(symbols, |symbol| symbol.qualified_name.as_str());
    for (symbol, (position, of)) in symbols.iter_mut().zip(positions) {
        symbol.ordinal = if of == 1 { 0 } else { position + 1 };
    }
}

/// Sets the ordinals of a file's chunks: from 0 among those of one symbol, or of none.
pub(crate) fn number_chunks(chunks: &mut [ChunkRow]) {
    let positions = positions(chunks, |chunk| chunk.symbol_id);
    chunks.iter_mut().zip(positions).for_each(|(chunk, (position, _))| chunk.ordinal = position);
}

/// The position of each row among those of the same name, from 0, and the number of these.
fn positions<'a, R, N: Ord>(rows: &'a [R], name: impl Fn(&'a R) -> N) -> Vec<(u32, u32)> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    // The sort is stable.
    order.sort_by_cached_key(|&at| name(&rows[at]));
    let mut positions = vec![(0, 0); rows.len()];
    for same in order.chunk_by(|&a, &b| name(&rows[a]) == name(&rows[b])) {
        let count = u32::try_from(same.len()).unwrap_or(u32::MAX);
        (0..).zip(same).for_each(|(position, &at)| positions[at] = (position, count));
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_one_name_are_numbered_in_order() {
        let found = positions(&["f", "x", "y", "x", "x", "f"], |name| *name);
        assert_eq!(found, [(0, 2), (0, 3), (0, 1), (1, 3), (2, 3), (1, 2)]);
        assert!(positions(&[], |name: &&str| *name).is_empty());
    }
}

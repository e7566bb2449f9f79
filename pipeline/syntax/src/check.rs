//! Invariants of every analysis, for property tests and fuzz targets.

use crate::analyze::Analysis;
use crate::text;

/// Asserts the invariants of an analysis: every id and line is in range, parents precede their children,
/// and every non-blank line is in the text of exactly one chunk of level 1.
///
/// # Panics
/// If the analysis breaks an invariant.
pub fn assert_invariants(analysis: &Analysis, bytes: &[u8]) {
    let text = text::decode(bytes.to_vec()).expect("the analysis decoded it before").text;
    let lines = analysis.lines;
    let symbols = &analysis.symbols;
    assert!(symbols[0].container.is_none(), "the file has no container");
    for (id, symbol) in symbols.iter().enumerate().skip(1) {
        let container = symbol.container.expect("only the file has no container") as usize;
        assert!(container < symbols.len() && container != id, "container of {symbol:?}");
        assert!(symbol.lead_line >= 1 && symbol.lead_line <= symbol.start_line, "lead of {symbol:?}");
        assert!(symbol.start_line <= symbol.end_line && symbol.end_line <= lines, "lines of {symbol:?}");
        assert!(symbol.start_byte <= symbol.end_byte && symbol.end_byte <= text.len(), "bytes of {symbol:?}");
        assert!(!symbol.name.is_empty(), "name of {symbol:?}");
        assert!(symbol.chunk.is_none_or(|chunk| (chunk as usize) < analysis.chunks.len()), "chunk of {symbol:?}");
    }
    for reference in &analysis.references {
        assert!((reference.source as usize) < symbols.len(), "source of {reference:?}");
        assert!(reference.line >= 1 && reference.line <= lines.max(1), "line of {reference:?}");
    }
    for (id, chunk) in analysis.chunks.iter().enumerate() {
        assert!(chunk.start_line >= 1 && chunk.start_line <= chunk.end_line && chunk.end_line <= lines, "{chunk:?}");
        assert!(chunk.symbol.is_none_or(|symbol| (symbol as usize) < symbols.len()), "symbol of {chunk:?}");
        if let Some(parent) = chunk.parent {
            assert!((parent as usize) < id, "chunk {id} precedes its parent {parent}");
        }
    }
    assert_covered(&text, analysis);
    assert_numbered(&text, analysis);
}

/// The lines of a chunk of level 1 are those of its range without those of the chunks inside of it: a reader numbers them
/// so.
fn assert_numbered(text: &str, analysis: &Analysis) {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let level_1 = || analysis.chunks.iter().enumerate().filter(|(_, chunk)| chunk.level == 1);
    for (id, chunk) in level_1() {
        let mut numbers: Vec<usize> = (chunk.start_line as usize..=chunk.end_line as usize).collect();
        for (_, inner) in level_1().filter(|&(other, _)| other > id) {
            if chunk.start_line <= inner.start_line && inner.end_line <= chunk.end_line {
                numbers.retain(|&line| line < inner.start_line as usize || line > inner.end_line as usize);
            }
        }
        let numbered: Vec<&str> = numbers.into_iter().filter_map(|line| lines.get(line - 1).copied()).collect();
        let own: Vec<&str> = chunk.content.lines().map(str::trim_end).collect();
        assert_eq!(own, numbered, "lines of chunk {id} (left) and of its range (right) differ: {chunk:?}");
    }
}

/// Every non-blank line is in the text of exactly one chunk of level 1.
fn assert_covered(text: &str, analysis: &Analysis) {
    let is_text = |line: &&str| !line.trim().is_empty();
    let level_1 = analysis.chunks.iter().filter(|chunk| chunk.level == 1);
    let mut own: Vec<&str> = level_1.flat_map(|chunk| chunk.content.lines()).filter(is_text).collect();
    let mut all: Vec<&str> = text.lines().filter(is_text).collect();
    own.sort_unstable();
    all.sort_unstable();
    assert_eq!(own, all, "lines of the chunks (left) and of the text (right) differ");
}

/// Compares the parents of symbols' chunks with the nesting of the symbols' extents. Returns the number of
/// correct parents and the indices of chunks with a wrong one. A block's parent must have the same symbol.
#[must_use]
pub fn compare_parents(analysis: &Analysis) -> (u64, Vec<usize>) {
    let (symbols, chunks) = (&analysis.symbols, &analysis.chunks);
    // The chunk of each symbol.
    let mut own = vec![None; symbols.len()];
    for (id, chunk) in chunks.iter().enumerate().filter(|(_, chunk)| chunk.level == 1) {
        if let Some(symbol) = chunk.symbol {
            own[symbol as usize].get_or_insert(id);
        }
    }
    let mut right = 0;
    let mut wrong = Vec::new();
    for (id, chunk) in chunks.iter().enumerate() {
        let Some(symbol) = chunk.symbol.map(|id| id as usize) else { continue };
        let is_right = if chunk.level == 2 {
            chunk.parent.is_some_and(|parent| chunks[parent as usize].symbol == chunk.symbol)
        } else {
            let extent = &symbols[symbol];
            // The innermost symbol around this one that has a chunk, by bytes.
            let enclosing = (1..symbol).rev().find(|&outer| {
                own[outer].is_some()
                    && symbols[outer].start_byte <= extent.start_byte
                    && extent.end_byte <= symbols[outer].end_byte
            });
            match enclosing {
                Some(outer) => chunk.parent.map(|parent| parent as usize) == own[outer],
                // A member outside its type has the type's chunk as parent, if the type comes first.
                None => {
                    let container = extent.container.and_then(|container| own[container as usize]);
                    let parent = chunk.parent.map(|parent| parent as usize);
                    parent == container || (parent.is_none() && container.is_some_and(|container| container > id))
                }
            }
        };
        if is_right { right += 1 } else { wrong.push(id) }
    }
    (right, wrong)
}

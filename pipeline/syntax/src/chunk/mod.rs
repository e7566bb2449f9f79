//! Divides a text into chunks, by its symbols and blocks.
//!
//! Chunks consist of whole lines. Each non-blank line belongs to exactly one chunk of level 1, its
//! *owner*. A symbol's chunk owns the symbol's lines, except for those of chunks inside it. Lines
//! outside of all symbols become left-over chunks. Chunks of level 2 repeat parts of large symbols and
//! own nothing. This module must not know any language.

mod leftover;
mod limits;
mod line_index;
mod plan;
mod windows;

use sextant_format::kinds::Kind;

use crate::model::{Block, Chunk, Symbol};

pub use limits::Limits;
pub use line_index::LineIndex;
use plan::{ChunkPlan, UNOWNED};

/// Divides a text into chunks, and sets `Symbol::chunk`.
///
/// `symbols` are in the order of the text, the file first. `error_ranges` are runs of lines with syntax errors, from
/// 1, inclusive: left-over text is a window there and code elsewhere.
#[must_use]
pub fn chunk(
    lines: &LineIndex<'_>,
    symbols: &mut [Symbol],
    blocks: &[Block],
    error_ranges: &[(u32, u32)],
    limits: &Limits,
) -> Vec<Chunk> {
    let count = lines.count();
    let mut plans: Vec<ChunkPlan> = Vec::new();
    let mut owner = vec![UNOWNED; count as usize + 1];
    let own_chunk = plan_symbols(symbols, limits, count, &mut plans, &mut owner);
    leftover::plan_leftovers(lines, symbols, error_ranges, limits, &mut plans, &mut owner);
    windows::split_sections(lines, limits, &mut plans, &mut owner);
    plan_blocks(symbols, blocks, limits, &mut plans, &owner);
    link_members(symbols, &own_chunk, &mut plans);
    build_chunks(lines, symbols, &own_chunk, plans, &owner)
}

/// Divides a text without symbols into windows. `file` is the symbol of the file.
#[must_use]
pub fn windows(lines: &LineIndex<'_>, file: &mut Symbol, limits: &Limits) -> Vec<Chunk> {
    let chunks = chunk(lines, std::slice::from_mut(file), &[], &[], limits);
    chunks.into_iter().map(|chunk| Chunk { kind: Kind::Window, ..chunk }).collect()
}

/// Whether a symbol gets a chunk of its own. Others are part of the enclosing symbol's chunk or of
/// left-over code.
fn is_chunkable(symbol: &Symbol) -> bool {
    match symbol.kind {
        kind if kind.is_transparent() => false,
        Kind::EnumMember | Kind::Field => false,
        Kind::Section => true,
        _ => symbol.has_body || symbol.end_line > symbol.lead_line,
    }
}

/// Plans the chunks of symbols, outer before inner. Returns the plan of each symbol, if it has one.
fn plan_symbols(
    symbols: &[Symbol],
    limits: &Limits,
    count: u32,
    plans: &mut Vec<ChunkPlan>,
    owner: &mut [u32],
) -> Vec<Option<usize>> {
    let mut own_chunk = vec![None; symbols.len()];
    // The enclosing plans, outer before inner.
    let mut stack: Vec<usize> = Vec::new();
    // The first line after all closed plans.
    let mut free_from = 1;
    for (id, symbol) in symbols.iter().enumerate() {
        if !is_chunkable(symbol) {
            continue;
        }
        let mut end = symbol.end_line.min(count);
        // A plan that ends before this symbol does not contain it, even if the two share a line.
        while let Some(&open) = stack.last()
            && (plans[open].end < symbol.start_line || plans[open].end < end)
        {
            free_from = free_from.max(plans[open].end + 1);
            stack.pop();
        }
        let mut start = symbol.lead_line.max(free_from);
        let mut parent = None;
        if let Some(&open) = stack.last() {
            let outer = &plans[open];
            // A definition in a fenced block belongs to the text around it.
            if symbol.embedded && outer.kind == Kind::Section {
                continue;
            }
            let divisible =
                outer.kind.is_type() || outer.kind == Kind::Section || outer.end - outer.start >= limits.divide_lines;
            if !divisible {
                continue;
            }
            // The outer chunk keeps its first line, so that it is not empty.
            start = start.max(outer.start + 1);
            end = end.min(outer.end);
            parent = Some(open);
        }
        if start > end {
            // All its lines belong to earlier chunks.
            continue;
        }
        for line in start..=end {
            owner[line as usize] = u32::try_from(plans.len()).unwrap_or(UNOWNED);
        }
        own_chunk[id] = Some(plans.len());
        stack.push(plans.len());
        plans.push(ChunkPlan { level: 1, kind: symbol.kind, start, end, symbol: u32::try_from(id).ok(), parent });
    }
    own_chunk
}

/// Plans level 2: the blocks of large callables.
fn plan_blocks(symbols: &[Symbol], blocks: &[Block], limits: &Limits, plans: &mut Vec<ChunkPlan>, owner: &[u32]) {
    let level_1 = plans.len();
    // Enclosing blocks, outer before inner: last line, containing plan of level 1, plan of the block.
    let mut stack: Vec<(u32, usize, usize)> = Vec::new();
    for block in blocks {
        if block.end_line - block.start_line + 1 < limits.block_lines {
            continue;
        }
        let Some(&containing) = owner.get(block.start_line as usize).filter(|&&containing| containing != UNOWNED)
        else {
            continue;
        };
        let containing = containing as usize;
        let plan = &plans[containing];
        let lines = plan.end - plan.start + 1;
        let is_body = plan.symbol.is_some_and(|id| symbols[id as usize].kind.is_callable());
        let is_whole = owner[block.start_line as usize..=(block.end_line as usize).min(owner.len() - 1)]
            .iter()
            .all(|&line| line as usize == containing);
        if !is_body || !is_whole || lines <= limits.divide_lines || lines == block.end_line - block.start_line + 1 {
            continue;
        }
        while stack.last().is_some_and(|&(end, owner, _)| end < block.start_line || owner != containing) {
            stack.pop();
        }
        let depth = if lines > limits.outermost_lines { 1 } else { 2 };
        if stack.len() < depth {
            let parent = stack.last().map_or(containing, |&(_, _, plan)| plan);
            let symbol = plan.symbol;
            stack.push((block.end_line, containing, plans.len()));
            plans.push(ChunkPlan {
                level: 2,
                kind: block.kind,
                start: block.start_line,
                end: block.end_line,
                symbol,
                parent: Some(parent),
            });
        }
    }
    debug_assert!(plans[level_1..].iter().all(|plan| plan.level == 2));
}

/// Makes the type's chunk the parent of methods defined outside the type, if it comes before them.
fn link_members(symbols: &[Symbol], own_chunk: &[Option<usize>], plans: &mut [ChunkPlan]) {
    for (id, symbol) in symbols.iter().enumerate() {
        let Some(plan) = own_chunk[id] else { continue };
        let Some(container) = symbol.container else { continue };
        if plans[plan].parent.is_none() {
            plans[plan].parent = own_chunk[container as usize].filter(|&owner| plans[owner].start < plans[plan].start);
        }
    }
}

/// Sorts the plans, extracts their texts, and sets each symbol's chunk.
fn build_chunks(
    lines: &LineIndex<'_>,
    symbols: &mut [Symbol],
    own_chunk: &[Option<usize>],
    plans: Vec<ChunkPlan>,
    owner: &[u32],
) -> Vec<Chunk> {
    let mut order: Vec<usize> = (0..plans.len()).collect();
    order.sort_by_key(|&n| (plans[n].start, plans[n].level, std::cmp::Reverse(plans[n].end), n));
    let mut chunk_index = vec![0_u32; plans.len()];
    for (at, &n) in order.iter().enumerate() {
        chunk_index[n] = u32::try_from(at).unwrap_or(u32::MAX);
    }
    for (id, symbol) in symbols.iter_mut().enumerate() {
        symbol.chunk = own_chunk[id].map(|plan| chunk_index[plan]).or_else(|| {
            let containing = *owner.get(symbol.start_line as usize)?;
            (containing != UNOWNED).then(|| chunk_index[containing as usize])
        });
    }
    order
        .into_iter()
        .map(|n| {
            let plan = &plans[n];
            let byte_ranges = byte_ranges(lines, plan, n, owner);
            Chunk {
                parent: plan.parent.map(|parent| chunk_index[parent]),
                level: plan.level,
                kind: plan.kind,
                start_line: plan.start,
                end_line: plan.end,
                start_byte: lines.start(plan.start),
                end_byte: lines.start(plan.end + 1),
                symbol: plan.symbol,
                content: join_byte_ranges(lines.text(), &byte_ranges).unwrap_or_default(),
                byte_ranges,
            }
        })
        .collect()
}

/// Concatenates byte ranges of a text. Returns `None` if they overlap, are out of order or do not fit the text.
pub(crate) fn join_byte_ranges(text: &str, byte_ranges: &[(usize, usize)]) -> Option<String> {
    if let &[(from, to)] = byte_ranges {
        return text.get(from..to).map(str::to_owned);
    }
    if byte_ranges.windows(2).any(|pair| pair[0].1 > pair[1].0) {
        return None;
    }
    let parts: Option<Vec<&str>> = byte_ranges.iter().map(|&(from, to)| text.get(from..to)).collect();
    Some(parts?.concat())
}

/// The bytes of the lines that a plan owns; for a block, of all its lines.
fn byte_ranges(lines: &LineIndex<'_>, plan: &ChunkPlan, n: usize, owner: &[u32]) -> Vec<(usize, usize)> {
    let bytes = |first: u32, last: u32| (lines.start(first), lines.start(last + 1));
    if plan.level == 2 {
        return vec![bytes(plan.start, plan.end)];
    }
    let mut byte_ranges = Vec::new();
    let mut line = plan.start;
    while line <= plan.end {
        let is_own = |line: u32| owner[line as usize] as usize == n;
        let mut end = line;
        while end < plan.end && is_own(end + 1) == is_own(line) {
            end += 1;
        }
        if is_own(line) {
            byte_ranges.push(bytes(line, end));
        }
        line = end + 1;
    }
    byte_ranges
}

#[cfg(test)]
mod tests;

//! A query that is the path of a file, with or without a line: `src/pool.rs`, `src/pool.rs:40`. The chunks at that place
//! come first.

use sextant_format::ids::ChunkId;

use crate::lines::{line_range, normal_place};
use crate::paths::{chunks_of_files, files_with_suffix};
use crate::query_analysis::{AnalyzedQuery, QueryClass};
use crate::retrieve::ChunkFilter;
use crate::{Index, Result};

/// Files that a path may name at most: `mod.rs` alone says nothing.
const MAX_FILES: usize = 8;
/// Chunks of the files that are raised.
const MAX_CHUNKS: usize = 40;

/// Returns the chunks at the place that a query names, best first: the innermost around the line, or those of the file
/// from the top. Empty if no file of the index has the path.
pub(super) fn chunks_at_place(index: &Index, query: &AnalyzedQuery, allowed: &ChunkFilter) -> Result<Vec<ChunkId>> {
    let text = query.text.trim();
    let may_be_path = matches!(query.class, QueryClass::Path | QueryClass::Symbol) && text.contains(['/', '.']);
    if !may_be_path || text.contains(char::is_whitespace) {
        return Ok(Vec::new());
    }
    let text = &*normal_place(text);
    let (path, lines) = text.rsplit_once(':').map_or((text, None), |(path, lines)| (path, line_range(lines)));
    let files = files_with_suffix(index, path)?;
    if files.is_empty() || files.len() > MAX_FILES {
        return Ok(Vec::new());
    }
    let mut chunks = chunks_of_files(index, &files)?;
    chunks.retain(|info| info.level == 1 && allowed.allows(info.chunk_id));
    if let Some((first, last)) = lines {
        let distance = |start: u32, end: u32| start.saturating_sub(last).max(first.saturating_sub(end));
        chunks.sort_by_key(|info| {
            let lines = info.end_line.saturating_sub(info.start_line);
            (distance(info.start_line, info.end_line), lines, info.chunk_id)
        });
    }
    Ok(chunks.into_iter().map(|info| info.chunk_id).take(MAX_CHUNKS).collect())
}

//! Looks up what is shown of results: names, locations, parents, and the lines that match best.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use sextant_format::ids::{ChunkId, FileId, RowId, SymbolId};
use sextant_format::names::{chunk_key, symbol_key};
use sextant_format::tables::SymbolRow;

use super::ranked::Ranked;
use super::reason::reason;
use super::response::{Hit, ParentChunk, RelatedHit};
use crate::catalog::ChunkInfo;
use crate::lines::{file_chunks, line_numbers};
use crate::query_analysis::AnalyzedQuery;
use crate::snippet::{self, Snippet};
use crate::summaries::ChunkSummary;
use crate::threads::join;
use crate::{Index, Result};

/// What is shown of a symbol.
struct SymbolNames {
    name: String,
    qualified: String,
    ordinal: u32,
    signature: Option<String>,
}

/// What is known of the symbols and chunks that are shown.
struct Known {
    symbols: FxHashMap<SymbolId, SymbolNames>,
    summaries: FxHashMap<ChunkId, ChunkSummary>,
    /// The ordinals of chunks.
    ordinals: FxHashMap<ChunkId, u32>,
}

impl Known {
    fn symbol(&self, info: &ChunkInfo) -> Option<&SymbolNames> {
        info.symbol_id.and_then(|id| self.symbols.get(&id))
    }

    /// The key of a chunk of a file.
    fn key(&self, info: &ChunkInfo, repo: &str, path: &str) -> String {
        let symbol = self.symbol(info).map(|names| symbol_key(repo, path, &names.qualified, names.ordinal));
        let ordinal = self.ordinals.get(&info.chunk_id).copied().unwrap_or(0);
        let is_symbol = symbol.is_some();
        chunk_key(&symbol.unwrap_or_else(|| format!("{repo}/{path}")), is_symbol, ordinal)
    }

    fn related_hit(&self, info: &ChunkInfo, repo: &str, path: &str) -> RelatedHit {
        RelatedHit {
            chunk_id: info.chunk_id,
            key: self.key(info, repo, path),
            kind: info.kind,
            qualified_name: self.symbol(info).map(|names| names.qualified.clone()),
            start_line: info.start_line,
            end_line: info.end_line,
        }
    }

    fn parent(&self, info: &ChunkInfo, repo: &str, path: &str) -> ParentChunk {
        let symbol = self.symbol(info);
        ParentChunk {
            chunk_id: info.chunk_id,
            key: self.key(info, repo, path),
            kind: info.kind,
            name: symbol.map(|names| names.name.clone()),
            qualified_name: symbol.map(|names| names.qualified.clone()),
            signature: symbol.and_then(|names| names.signature.clone()),
            start_line: info.start_line,
            end_line: info.end_line,
            summary: self.summaries.get(&info.chunk_id).cloned(),
        }
    }
}

/// Looks up what is shown of the chosen chunks.
pub(super) fn hydrate(index: &Index, chosen: Vec<Ranked>, query: &AnalyzedQuery) -> Result<Vec<Hit>> {
    let catalog = &index.chunks()?.catalog;
    let ids =
        sorted(chosen.iter().flat_map(|r| [Some(r.info.chunk_id), r.block.map(|block| block.chunk_id)]).flatten());
    let mut parents: FxHashMap<ChunkId, ChunkInfo> = FxHashMap::default();
    for parent in chosen.iter().filter_map(|r| r.info.parent_id) {
        parents.insert(parent, catalog.info(parent)?);
    }
    let mut wanted: Vec<SymbolId> = chosen.iter().filter_map(|r| r.info.symbol_id).collect();
    wanted.extend(chosen.iter().filter_map(|r| parents.get(&r.info.parent_id?)?.symbol_id));
    wanted.extend(chosen.iter().flat_map(|r| r.graph_path.iter().map(|(id, _)| *id)));
    wanted.extend(chosen.iter().flat_map(|r| r.related_hits.iter().filter_map(|info| info.symbol_id)));
    let related = chosen.iter().flat_map(|r| r.related_hits.iter().map(|info| info.chunk_id));
    let numbered = sorted(ids.iter().copied().chain(parents.keys().copied()).chain(related));
    let contents = || -> Result<(Vec<String>, Vec<u32>)> {
        let rows = index.chunk_rows()?;
        Ok((rows.column("content", &ids)?, rows.column("ordinal", &numbered)?))
    };
    let named = named_symbols(index, &chosen)?;
    let (symbols, contents) = join(|| names(index, sorted(wanted.into_iter())), contents);
    let (contents, ordinals) = contents?;
    let contents: FxHashMap<ChunkId, String> = ids.iter().copied().zip(contents).collect();
    let summarised: Vec<ChunkId> = ids.iter().copied().chain(parents.keys().copied()).collect();
    let known = Known {
        symbols: symbols?,
        summaries: index.summaries(&summarised)?,
        ordinals: numbered.into_iter().zip(ordinals).collect(),
    };
    let mut hits = Vec::with_capacity(chosen.len());
    let best = chosen.iter().map(|r| r.score).fold(0.0, f32::max);
    let mut members: FxHashMap<FileId, Vec<ChunkInfo>> = FxHashMap::default();
    for (n, mut r) in chosen.into_iter().enumerate() {
        let max_lines = snippet::max_lines(r.score / best);
        let name_of = |id: &SymbolId| known.symbols.get(id).map_or_else(String::new, |names| names.qualified.clone());
        r.signals.path_from_seed = r.graph_path.iter().map(|(id, kind)| (name_of(id), *kind)).collect();
        let (repo, language) = catalog.repo_and_language(r.info.chunk_id)?;
        let symbol = known.symbol(&r.info);
        let content = contents.get(&r.info.chunk_id).map_or("", String::as_str);
        let is_whole =
            content.lines().count() == (r.info.end_line.saturating_sub(r.info.start_line) as usize).saturating_add(1);
        // What is cut out of a type is its members, which are chunks of their own.
        let numbers = if is_whole { Vec::new() } else { own_lines(index, &r.info, content, &mut members)? };
        let Snippet { skipped, text } = match numbers.is_empty() {
            true => snippet::best_window(content, &query.words, max_lines),
            false => snippet::best_run(content, &numbers, &query.words, max_lines),
        };
        let number = |skipped: usize| match numbers.get(skipped) {
            Some(&line) => Some(line),
            None => is_whole.then(|| r.info.start_line + u32::try_from(skipped).unwrap_or(0)),
        };
        let path = catalog.path(r.info.chunk_id)?;
        let mut hit = Hit {
            rank: n + 1,
            score: r.score,
            reason: reason(&r.signals, content, &path, query),
            start_line: r.info.start_line,
            end_line: r.info.end_line,
            language,
            kind: r.info.kind,
            name: symbol.map(|names| names.name.clone()),
            qualified_name: symbol.map(|names| names.qualified.clone()),
            chunk_id: r.info.chunk_id,
            key: known.key(&r.info, &repo, &path),
            related_hits: r.related_hits.iter().map(|info| known.related_hit(info, &repo, &path)).collect(),
            parent: r.info.parent_id.and_then(|id| parents.get(&id)).map(|info| known.parent(info, &repo, &path)),
            block: r.block.as_ref().map(|block| known.related_hit(block, &repo, &path)),
            summary: known.summaries.get(&r.info.chunk_id).cloned(),
            snippet: text,
            snippet_line: number(skipped),
            signals: r.signals,
            repo,
            path,
        };
        if let Some(block) = r.block {
            let content = contents.get(&block.chunk_id).map_or("", String::as_str);
            let Snippet { skipped, text } = snippet::best_window(content, &query.words, max_lines);
            hit.snippet = text;
            hit.snippet_line = Some(block.start_line + u32::try_from(skipped).unwrap_or(0));
        }
        // What the query names is the result; the chunk that contains it is what is around it.
        if let Some(row) = r.named_symbol.and_then(|id| named.get(&id)) {
            hit.parent = Some(known.parent(&r.info, &hit.repo, &hit.path));
            hit.key = symbol_key(&hit.repo, &hit.path, &row.qualified_name, row.ordinal);
            hit.summary = None;
            hit.name = Some(row.name.clone());
            hit.qualified_name = Some(row.qualified_name.clone());
            (hit.kind, hit.start_line, hit.end_line) = (row.kind, row.start_line, row.end_line);
            let own = (0..).zip(content.lines()).filter_map(|(at, line)| Some((number(at)?, line)));
            let own: Vec<(u32, &str)> =
                own.filter(|(number, _)| (row.start_line..=row.end_line).contains(number)).collect();
            let (numbers, lines): (Vec<u32>, Vec<&str>) = own.into_iter().unzip();
            if !lines.is_empty() {
                let Snippet { skipped, text } = snippet::best_run(&lines.join("\n"), &numbers, &query.words, max_lines);
                hit.snippet = text;
                hit.snippet_line = numbers.get(skipped).copied();
            } else if hit.snippet_line.is_some() {
                hit.snippet_line = None;
            }
        }
        hits.push(hit);
    }
    Ok(hits)
}

/// The numbers of the lines of a chunk that are in no chunk inside of it. `members` are the chunks of files seen so far.
fn own_lines(
    index: &Index,
    info: &ChunkInfo,
    content: &str,
    members: &mut FxHashMap<FileId, Vec<ChunkInfo>>,
) -> Result<Vec<u32>> {
    let chunks = match members.entry(info.file_id) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(free) => free.insert(file_chunks(index, info.chunk_id)?),
    };
    Ok(line_numbers(info, chunks, content))
}

/// Returns the symbols that the query names and that have no chunk of their own.
fn named_symbols(index: &Index, chosen: &[Ranked]) -> Result<FxHashMap<SymbolId, SymbolRow>> {
    let ids = sorted(chosen.iter().filter_map(|r| r.named_symbol));
    Ok(index.symbol_rows()?.rows(&ids)?.into_iter().map(|row| (row.symbol_id, row)).collect())
}

/// Returns the names of symbols. `ids` are ascending.
fn names(index: &Index, ids: Vec<SymbolId>) -> Result<FxHashMap<SymbolId, SymbolNames>> {
    let rows = index.symbol_rows()?;
    let names: Vec<String> = rows.column("name", &ids)?;
    let qualified: Vec<String> = rows.column("qualified_name", &ids)?;
    let ordinals: Vec<u32> = rows.column("ordinal", &ids)?;
    let signatures: Vec<Option<String>> = rows.column("signature", &ids)?;
    let names = names.into_iter().zip(qualified).zip(ordinals).zip(signatures);
    let names =
        names.map(|(((name, qualified), ordinal), signature)| SymbolNames { name, qualified, ordinal, signature });
    Ok(ids.into_iter().zip(names).collect())
}

/// Returns ids in ascending order without duplicates: the order in which a table returns its rows.
fn sorted<I: RowId>(ids: impl Iterator<Item = I>) -> Vec<I> {
    let mut ids: Vec<I> = ids.collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

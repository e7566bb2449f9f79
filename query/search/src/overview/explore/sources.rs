//! The files that an exploration shows, each read once.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use sextant_format::ids::{ChunkId, FileId, SymbolId};

use super::answer::Member;
use super::candidates::Candidate;
use super::excerpt::SymbolLines;
use crate::catalog::ChunkInfo;
use crate::read::{FileText, SourceReader};
use crate::{Index, Result};

/// Consecutive blank lines at most that are kept.
const MAX_BLANK_LINES: u32 = 8;

/// Files by their ids, with their chunks of level 1.
#[derive(Default)]
pub(super) struct Sources {
    files: FxHashMap<FileId, (FileText, Vec<ChunkInfo>)>,
}

impl Sources {
    /// Reads the file of a chunk unless it was read already.
    pub(super) fn read(&mut self, index: &Index, file: FileId, chunk: ChunkId) -> Result<()> {
        if let Entry::Vacant(free) = self.files.entry(file) {
            free.insert(SourceReader::new(index).file_of_chunk(chunk)?);
        }
        Ok(())
    }

    /// All lines of a candidate, those of its members too; empty if its file was not read.
    pub(super) fn text(&self, candidate: &Candidate) -> String {
        let place = &candidate.place;
        self.files
            .get(&candidate.file_id)
            .map_or_else(String::new, |(file, _)| file.text(place.start_line, place.end_line))
    }

    /// The lines of a candidate whose file was read. A type has its own lines, without those of its members.
    pub(super) fn lines(&self, candidate: &Candidate) -> SymbolLines<'_> {
        let place = &candidate.place;
        let mut lines = Vec::new();
        if let Some((text, chunks)) = self.files.get(&candidate.file_id) {
            let is_member = |info: &&ChunkInfo| {
                place.kind.is_type() && info.parent_id == Some(place.chunk_id) && info.chunk_id != place.chunk_id
            };
            let members: Vec<(u32, u32)> =
                chunks.iter().filter(is_member).map(|info| (info.start_line, info.end_line)).collect();
            let is_own = |line: u32| !members.iter().any(|&(first, last)| (first..=last).contains(&line));
            let mut previous = place.start_line;
            for (&line, content) in text.lines.range(place.start_line..=place.end_line.max(place.start_line)) {
                // Blank lines separate statements; between members they separate nothing that is shown.
                if members.is_empty() && line - previous <= MAX_BLANK_LINES {
                    lines.extend((previous..line).map(|blank| (blank, "")));
                }
                if is_own(line) {
                    lines.push((line, content.as_str()));
                }
                previous = line.saturating_add(1);
            }
        }
        SymbolLines { lines, definition_line: candidate.definition_line, found_blocks: candidate.found_blocks.clone() }
    }

    /// The members of a type that have chunks of their own: functions, then others, each in the order of the text.
    pub(super) fn members(&self, index: &Index, candidate: &Candidate) -> Result<Vec<Member>> {
        let (place, Some((_, chunks))) = (&candidate.place, self.files.get(&candidate.file_id)) else {
            return Ok(Vec::new());
        };
        let is_member = |info: &&ChunkInfo| {
            place.kind.is_type() && info.parent_id == Some(place.chunk_id) && info.chunk_id != place.chunk_id
        };
        let mut members: Vec<(SymbolId, &ChunkInfo)> =
            chunks.iter().filter(is_member).filter_map(|info| Some((info.symbol_id?, info))).collect();
        members.sort_by_key(|(id, _)| *id);
        members.dedup_by_key(|(id, _)| *id);
        let ids: Vec<SymbolId> = members.iter().map(|(id, _)| *id).collect();
        let names: Vec<String> = index.symbol_rows()?.column("name", &ids)?;
        let mut named: Vec<(&ChunkInfo, String)> = members.into_iter().map(|(_, info)| info).zip(names).collect();
        // Functions first: constants and fields rarely answer a question.
        named.sort_by_key(|(info, _)| (!info.kind.is_callable(), info.start_line, info.end_line));
        let member =
            |(info, name): (&ChunkInfo, String)| Member { name, start_line: info.start_line, end_line: info.end_line };
        Ok(named.into_iter().map(member).collect())
    }
}

//! Which matching lines an answer has where not all fit. This module must not know how lines are matched.

use std::ops::Range;

use regex::Regex;
use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::ids::{ChunkId, FileId};
use sextant_format::kinds::Kind;

use super::source_reader::SourceReader;
use crate::Result;
use crate::catalog::ChunkInfo;

/// So many lines of a file are returned on average before the next file has any.
const LINES_OF_A_FILE: usize = 3;

/// A matching line before its number is known.
pub(super) struct RawMatch {
    pub(super) chunk: ChunkId,
    /// The line of the chunk's content, from 0.
    pub(super) at: usize,
    /// The bytes of the first match in the line.
    pub(super) matched: Range<usize>,
    pub(super) text: String,
}

impl SourceReader<'_> {
    /// At most `limit` of the matches: each alternative of the pattern has some, as [`Self::spread`] chooses them.
    pub(super) fn share(
        &self,
        raw: Vec<RawMatch>,
        limit: usize,
        alternatives: &[Regex],
        is_generated: impl Fn(FileId) -> bool,
    ) -> Result<Vec<RawMatch>> {
        let catalog = &self.index.chunks()?.catalog;
        let mut order: FxHashMap<(ChunkId, usize), usize> = FxHashMap::default();
        let mut groups: Vec<Vec<RawMatch>> = alternatives.iter().map(|_| Vec::new()).collect();
        groups.resize_with(alternatives.len().max(1), Vec::new);
        for (position, one) in raw.into_iter().enumerate() {
            order.insert((one.chunk, one.at), position);
            groups[first_matching(alternatives, &one.text)].push(one);
        }
        if groups.iter().filter(|group| !group.is_empty()).count() < 2 {
            return self.spread(groups.into_iter().flatten().collect(), limit, &is_generated);
        }
        let counts: Vec<usize> = groups.iter().map(Vec::len).collect();
        let mut shared = Vec::new();
        for (group, share) in groups.into_iter().zip(in_turn(&counts, limit)) {
            shared.extend(self.spread(group, share, &is_generated)?);
        }
        // Files in the order of their first lines.
        let position = |one: &RawMatch| order.get(&(one.chunk, one.at)).copied().unwrap_or(usize::MAX);
        let file = |one: &RawMatch| catalog.info(one.chunk).map(|info| info.file_id);
        let mut first: FxHashMap<FileId, usize> = FxHashMap::default();
        for one in &shared {
            let first = first.entry(file(one)?).or_insert(usize::MAX);
            *first = (*first).min(position(one));
        }
        let first = |one: &RawMatch| file(one).ok().and_then(|file| first.get(&file).copied());
        shared.sort_by_key(|one| (first(one), position(one)));
        Ok(shared)
    }

    /// At most `limit` of the matches, of some of the files, each with some: what is cut of a file is counted, so that a
    /// reader sees where else to look. One folder after the other gives a file, so that one with many does not hide the
    /// others.
    fn spread(
        &self,
        raw: Vec<RawMatch>,
        limit: usize,
        is_generated: &impl Fn(FileId) -> bool,
    ) -> Result<Vec<RawMatch>> {
        let catalog = &self.index.chunks()?.catalog;
        let mut by_file: Vec<(FileId, [bool; 2], Vec<RawMatch>)> = Vec::new();
        let mut position: FxHashMap<FileId, usize> = FxHashMap::default();
        for one in raw {
            let info = catalog.info(one.chunk)?;
            let at = *position.entry(info.file_id).or_insert(by_file.len());
            match by_file.get_mut(at) {
                Some((_, _, of_file)) => of_file.push(one),
                None => by_file.push((info.file_id, [steps_back(&info), is_generated(info.file_id)], vec![one])),
            }
        }
        let most = (limit / LINES_OF_A_FILE).max(1);
        if by_file.len() > most {
            let mut ids: Vec<FileId> = by_file.iter().map(|(file, _, _)| *file).collect();
            ids.sort_unstable();
            let paths: Vec<String> = self.index.file_rows()?.column("path", &ids)?;
            let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
            let folders: FxHashMap<FileId, String> =
                ids.iter().copied().zip(paths.iter().map(|path| folder(path))).collect();
            let mut nth: FxHashMap<([bool; 2], &str), usize> = FxHashMap::default();
            let mut turns: Vec<([bool; 2], usize, usize)> = Vec::with_capacity(by_file.len());
            for (at, (file, class, _)) in by_file.iter().enumerate() {
                let turn = nth.entry((*class, folders.get(file).map_or("", String::as_str))).or_default();
                turns.push((*class, *turn, at));
                *turn += 1;
            }
            turns.sort_unstable();
            let mut lines = 0;
            let chosen = turns.iter().enumerate().take_while(|(nth, (_, _, at))| {
                // More files where the first ones have few lines.
                let is_full = *nth >= most && lines >= limit;
                lines += by_file[*at].2.len();
                !is_full
            });
            let chosen: FxHashSet<usize> = chosen.map(|(_, &(_, _, at))| at).collect();
            let mut at = 0;
            by_file.retain(|_| {
                at += 1;
                chosen.contains(&(at - 1))
            });
        }
        // Tests have what the others leave.
        let is_test = |matches: &[RawMatch]| {
            matches.first().is_some_and(|one| catalog.info(one.chunk).is_ok_and(|info| info.is_test))
        };
        let are_tests: Vec<bool> = by_file.iter().map(|(_, _, of_file)| is_test(of_file)).collect();
        let count = |tests: bool| {
            let counts = by_file.iter().zip(&are_tests);
            counts.map(|((_, _, of_file), is_test)| if *is_test == tests { of_file.len() } else { 0 }).collect()
        };
        let (of_others, of_tests): (Vec<usize>, Vec<usize>) = (count(false), count(true));
        let kept = in_turn(&of_others, limit);
        let kept_of_tests = in_turn(&of_tests, limit - kept.iter().sum::<usize>());
        let kept = kept.into_iter().zip(kept_of_tests).map(|(others, tests)| others + tests);
        Ok(by_file.into_iter().zip(kept).flat_map(|((_, _, of_file), kept)| of_file.into_iter().take(kept)).collect())
    }
}

/// Whether matches in a chunk come after those in others: who greps looks for code.
pub(super) const fn steps_back(info: &ChunkInfo) -> bool {
    info.is_test || matches!(info.kind, Kind::Window | Kind::Section)
}

/// The position of the first alternative that matches a line.
pub(super) fn first_matching(alternatives: &[Regex], line: &str) -> usize {
    alternatives.iter().position(|alternative| alternative.is_match(line)).unwrap_or(0)
}

/// How many of each are taken if one after the other gives one until there are `limit`.
#[must_use]
pub fn in_turn(counts: &[usize], limit: usize) -> Vec<usize> {
    let mut taken = vec![0; counts.len()];
    let mut left = limit.min(counts.iter().sum());
    while left > 0 {
        for (taken, &count) in taken.iter_mut().zip(counts) {
            if left > 0 && *taken < count {
                *taken += 1;
                left -= 1;
            }
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_gives_one_in_turn() {
        assert_eq!(in_turn(&[5, 1, 9], 7), [3, 1, 3]);
        assert_eq!(in_turn(&[5, 1, 9], 2), [1, 1, 0]);
        assert_eq!(in_turn(&[2, 1], 10), [2, 1]);
        assert_eq!(in_turn(&[], 10), [0_usize; 0]);
    }
}

//! Gathers the features of files from their chunks, the text index, the vectors and the graph.

use std::collections::BTreeMap;
use std::ops::Range;

use rustc_hash::FxHashMap;
use sextant_format::ids::{ChunkId, FileId};

use super::chunk_features::FileParts;
use super::file_edges::{FileEdges, file_edges};
use super::file_names::defined_names;
use super::ranked::Ranked;
use crate::history::HistoryFile;
use crate::query_analysis::AnalyzedQuery;
use crate::rank::{ChunkModel, FileFeatures, frame_match, share};
use crate::retrieve::{self, FileWords, QueryVectors, WordCosines, Words};
use crate::threads::{join, map_ranges_parallel};
use crate::weights::{Weights, count};
use crate::{Index, Result};

/// Files that justify a thread.
const MIN_FILES_PER_THREAD: usize = 16;

/// The signals of a file's candidates, combined.
#[derive(Default)]
struct FileAggregate {
    any_chunk: ChunkId,
    chunk: f32,
    bm25_scores: Vec<f32>,
    vector: f32,
    path: f32,
    graph: f32,
    demotion: f32,
    /// The scores of its chunks.
    fused: FxHashMap<ChunkId, f32>,
}

impl FileAggregate {
    fn add(&mut self, r: &Ranked) {
        let signals = &r.signals;
        self.any_chunk = r.info.chunk_id;
        self.chunk = self.chunk.max(r.score);
        self.fused.insert(r.info.chunk_id, r.score);
        self.bm25_scores.extend(signals.bm25);
        self.vector = self.vector.max(signals.cosine.unwrap_or(0.0));
        self.path = self.path.max(signals.path - 1.0);
        self.graph = self.graph.max(signals.graph);
        self.demotion = self.demotion.max(signals.demotion);
    }

    fn text(&self) -> f32 {
        self.bm25_scores.iter().fold(0.0, |sum, score| sum + score)
    }
}

/// A file with its features and its chunks.
pub(super) struct FileEvidence {
    pub(super) features: FileFeatures,
    pub(super) parts: FileParts,
    /// The file in the git history.
    pub(super) history: Option<HistoryFile>,
}

/// Returns the features of the files of candidates, which have their scores and signals, by file id; all but
/// `co_change`, which depends on the scores of the others.
pub(super) fn gather_evidence<'a>(
    index: &Index,
    candidates: impl Iterator<Item = &'a Ranked>,
    query: &AnalyzedQuery,
    query_vectors: Option<&QueryVectors>,
    weights: &Weights,
    model: &ChunkModel,
) -> Result<BTreeMap<FileId, FileEvidence>> {
    let mut files: BTreeMap<FileId, FileAggregate> = BTreeMap::new();
    for r in candidates {
        files.entry(r.info.file_id).or_default().add(r);
    }
    for aggregate in files.values_mut() {
        aggregate.bm25_scores.sort_by(|a, b| b.total_cmp(a));
        aggregate.bm25_scores.truncate(count(weights.file.file_text_chunks, 1000));
    }
    let catalog = &index.chunks()?.catalog;
    let ranges: Vec<Range<ChunkId>> =
        files.values().map(|aggregate| catalog.file_range(aggregate.any_chunk)).collect::<Result<_>>()?;
    let words_and_cosines = || {
        let words = retrieve::shared_words(index, query, &ranges)?;
        let (means, cosines) = match (query_vectors, index.vectors()?) {
            (Some(QueryVectors { query, words: vectors }), Some(matrix)) => {
                let Words { rarities, chunk_rarities, .. } = &words;
                (
                    retrieve::mean_cosines(matrix, query, &ranges, &weights.retrieval),
                    retrieve::word_cosines(matrix, vectors, rarities, chunk_rarities, &ranges, &weights.retrieval),
                )
            }
            _ => (vec![0.0; ranges.len()], vec![WordCosines::default(); ranges.len()]),
        };
        Ok((words, means, cosines))
    };
    let facts = || {
        let paths: Vec<String> =
            files.values().map(|aggregate| catalog.path(aggregate.any_chunk)).collect::<Result<_>>()?;
        let history = index.history()?;
        let changed = files.values().zip(&paths).map(|(aggregate, path)| {
            if history.is_empty() {
                return Ok(None);
            }
            let (repo, _) = catalog.repo_and_language(aggregate.any_chunk)?;
            Ok(history.file(&repo, path))
        });
        let changed = changed.collect::<Result<Vec<_>>>()?;
        let messages = history.messages(query, &changed);
        let (edges, symbols) = file_edges(index, &ranges)?;
        let defined = defined_names(index, query, &symbols, ranges.len())?;
        Ok((paths, changed, messages, edges, defined))
    };
    let (words_and_cosines, facts): (Result<_>, Result<_>) = join(words_and_cosines, facts);
    let (Words { files: words, chunks: chunk_words, .. }, means, word_cosines) = words_and_cosines?;
    let (paths, changed, messages, edges, defined) = facts?;

    let max_of = |value_of: &dyn Fn(&FileAggregate) -> f32| files.values().map(value_of).fold(0.0, f32::max);
    let (max_chunk, max_text) = (max_of(&|f| f.chunk), max_of(&FileAggregate::text));
    let (max_vector, max_graph) = (max_of(&|f| f.vector), max_of(&|f| f.graph));
    let max_file_text = words.iter().map(|words| words.bm25).fold(0.0, f32::max);
    let files: Vec<(&FileId, &FileAggregate)> = files.iter().collect();
    // Where the words of each file's chunks begin.
    let first_words: Vec<usize> =
        ranges.iter().scan(0, |next, range| Some(std::mem::replace(next, *next + chunks_of(range)))).collect();
    let evidence = |n: usize| {
        let (&file, aggregate) = files[n];
        let FileWords { coverage, chunk_coverage, name_coverage, bm25 } = words[n];
        let FileEdges { uses, users, lines } = edges[n];
        let chunks = chunks_of(&ranges[n]);
        let words_of_file = &chunk_words[first_words[n]..first_words[n] + chunks];
        let cosines = &word_cosines[n];
        let parts = FileParts::new(index, &ranges[n], words_of_file, &cosines.chunks, &aggregate.fused, model)?;
        let features = FileFeatures {
            chunk: share(aggregate.chunk, max_chunk),
            best_chunks: parts.mean_of_best(),
            text: share(aggregate.text(), max_text),
            file_text: share(bm25, max_file_text),
            vector: share(aggregate.vector, max_vector),
            vector_mean: means[n],
            word_vectors: cosines.each,
            rare_vector: cosines.together,
            path: aggregate.path,
            frame: frame_match(query, &paths[n], &weights.fusion),
            graph: share(aggregate.graph, max_graph),
            demotion: aggregate.demotion,
            coverage,
            chunk_coverage,
            name_coverage,
            defined_names: defined[n],
            out_degree: log_scale(uses),
            in_degree: log_scale(users),
            lines: log_scale(lines),
            chunks: log_scale(chunks),
            depth: paths[n].matches('/').count() as f32 / 10.0,
            history: messages[n],
            co_change: 0.0,
        };
        Ok((file, FileEvidence { features, parts, history: changed[n] }))
    };
    let parts = map_ranges_parallel(files.len(), MIN_FILES_PER_THREAD, |part| part.map(evidence).collect::<Vec<_>>());
    parts.into_iter().flatten().collect()
}

fn chunks_of(file: &Range<ChunkId>) -> usize {
    file.end.rows_after(file.start).unwrap_or(0) as usize
}

fn log_scale(count: usize) -> f32 {
    (1.0 + count as f32).ln() / 10.0
}

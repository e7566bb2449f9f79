//! What a search returns.

use sextant_format::ids::ChunkId;
use sextant_format::kinds::{EdgeKind, Kind};

use super::request::Strategy;
use crate::query_analysis::QueryClass;
use crate::rank::{ChunkFeatures, FileFeatures};
use crate::summaries::ChunkSummary;

/// A corrected word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// As it was typed.
    pub original: String,
    /// The word that was searched for instead.
    pub corrected: String,
}

/// The signals of a result.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signals {
    /// The raw score of full text: BM25 over the fields.
    pub bm25: Option<f32>,
    /// The raw score of vectors: the cosine.
    pub cosine: Option<f32>,
    /// The raw score of symbols: how exactly the name matches.
    pub name_score: Option<f32>,
    /// Contribution of full text to the fused score.
    pub text: f32,
    /// Contribution of vectors to the fused score; imputed from the other lists for a chunk without a vector.
    pub vector: f32,
    /// Contribution of symbols to the fused score.
    pub symbol: f32,
    /// Factor for the match of the file's path, at least 1 with the default weights.
    pub path: f32,
    /// Factor for the match of the name.
    pub name: f32,
    /// Factor for test code and prose.
    pub demotion: f32,
    /// Added because the query names the symbol with its owner.
    pub exact: f32,
    /// What was added for the text of the query, word for word.
    pub verbatim: f32,
    /// Added for the file's further hits.
    pub file: f32,
    /// Added by PageRank, or by similarity to the best hits if there is no graph.
    pub graph: f32,
    /// The features of its file and what each adds to the file's score, if files were ranked.
    pub file_features: Option<(FileFeatures, [f32; FileFeatures::NAMES.len()])>,
    /// Its features among the chunks of its file and what each adds to its score there, if files were ranked.
    pub chunk_features: Option<(ChunkFeatures, [f32; ChunkFeatures::NAMES.len()])>,
    /// The log-odds that the reranker added, if it read the chunk's file.
    pub rerank: Option<f32>,
    /// The path in the graph from one of the best hits, as qualified names and edge kinds, if the graph found or raised it.
    pub path_from_seed: Vec<(String, EdgeKind)>,
}

/// A chunk that a search ranked.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The path of its file.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Its signals.
    pub signals: Signals,
}

/// The chunk around a result.
#[derive(Clone, Debug, PartialEq)]
pub struct ParentChunk {
    /// Its id.
    pub chunk_id: ChunkId,
    /// Its key, which is the same in other generations.
    pub key: String,
    /// Its kind.
    pub kind: Kind,
    /// Its symbol's name.
    pub name: Option<String>,
    /// Its symbol's qualified name.
    pub qualified_name: Option<String>,
    /// Its symbol's head: the text before the body, on one line.
    pub signature: Option<String>,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// Summary by a language model, if the index was enriched.
    pub summary: Option<ChunkSummary>,
}

/// A further hit of a result's file.
#[derive(Clone, Debug, PartialEq)]
pub struct RelatedHit {
    /// Its id.
    pub chunk_id: ChunkId,
    /// Its key, which is the same in other generations.
    pub key: String,
    /// Its kind.
    pub kind: Kind,
    /// Its symbol's qualified name.
    pub qualified_name: Option<String>,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
}

/// A result.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// Its rank, from 1.
    pub rank: usize,
    /// Its score, 0 to 1: the probability that the query is about the index, times the result's share of the best
    /// result's score.
    pub score: f32,
    /// Why it was found, in words.
    pub reason: String,
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// The language.
    pub language: String,
    /// Its kind.
    pub kind: Kind,
    /// The symbol's name; `None` for left-over text.
    pub name: Option<String>,
    /// The symbol's qualified name.
    pub qualified_name: Option<String>,
    /// The chunk.
    pub chunk_id: ChunkId,
    /// Its key, which is the same in other generations.
    pub key: String,
    /// The chunk around it.
    pub parent: Option<ParentChunk>,
    /// The block in a long symbol that fits about as well as the whole, from which the snippet is taken.
    pub block: Option<RelatedHit>,
    /// The best further hits of its file that are not results themselves.
    pub related_hits: Vec<RelatedHit>,
    /// Summary by a language model, if the index was enriched.
    pub summary: Option<ChunkSummary>,
    /// The lines that match the query best.
    pub snippet: String,
    /// The number of the snippet's first line, if the chunk's content is contiguous in the file.
    pub snippet_line: Option<u32>,
    /// Its signals.
    pub signals: Signals,
}

/// The response to a search.
#[derive(Clone, Debug)]
pub struct SearchResponse {
    /// The query as typed.
    pub query: String,
    /// The query's class.
    pub class: QueryClass,
    /// The probability, 0 to 1, that the query is about the index.
    pub fit: f32,
    /// Whether that is enough; if not, the results are only the nearest that there are.
    pub fits: bool,
    /// The query's words, for highlighting.
    pub words: Vec<String>,
    /// Time inside the library, in milliseconds.
    pub took_ms: f64,
    /// How the lists were fused.
    pub strategy: Strategy,
    /// The components that were used: `text`, `vectors`, `symbols`, `graph`, `reranker`.
    pub available: Vec<&'static str>,
    /// What was missing, as notes for the reader.
    pub degraded: Vec<String>,
    /// Words that the index does not contain, with their corrections.
    pub corrections: Vec<Correction>,
    /// The results, best first.
    pub results: Vec<Hit>,
}

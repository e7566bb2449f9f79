//! Summaries of chunks by a language model, kept from generation to generation: rows of an index to a look-up by the text
//! of a chunk, and back to the chunks of a file. This module must not know how a model is asked ([`crate::enrich`]).

mod describe;
mod table;

pub(crate) use self::describe::{ChunkFacts, DescribedChunk, SymbolFacts, chunk_facts, describe, symbol_facts};
pub(crate) use self::table::{StoredSummary, Summaries, summaries_digest};

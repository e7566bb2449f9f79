//! Scores how well passages of code answer a query, with a cross-encoder: a small transformer that reads the query and
//! one passage together, so that it sees which words of one explain words of the other.
//!
//! The model is part of the program. It has three layers of 384 dimensions with weights of 8 bits, was distilled from
//! six layers that began as all-MiniLM-L6-v2 (Apache-2.0), and learnt from commits which files a described change
//! touches (docs/lab/reranker.md). `input` turns texts into what it reads. This crate must not know what an index is or
//! how scores are used.

mod input;

use std::io::Read as _;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool};
use rten_tensor::NdTensor;
use rten_tensor::prelude::*;

pub use crate::input::Passage;

use crate::input::Input;

/// The model, an ONNX file compressed with zstd.
const MODEL: &[u8] = include_bytes!("../model/reranker.onnx.zst");
/// Its word pieces, one for each line.
const VOCABULARY: &str = include_str!("../model/vocab.txt");
/// Threads at most: a search has few passages.
const MAX_THREADS: usize = 8;

/// The model that the program contains cannot be used.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the reranker cannot be used: {0}")]
pub struct Error(String);

fn wrong(error: impl std::fmt::Display) -> Error {
    Error(error.to_string())
}

/// A loaded model.
pub struct Reranker {
    model: Model,
    /// The inputs: ids of pieces, which of two texts each is of, and which count.
    inputs: [NodeId; 3],
    output: NodeId,
    input: Input,
}

impl Reranker {
    /// Returns the model that the program contains; the first call loads it.
    ///
    /// # Errors
    /// The model cannot be loaded.
    pub fn shipped() -> Result<&'static Self, Error> {
        static SHIPPED: OnceLock<Result<Reranker, Error>> = OnceLock::new();
        SHIPPED.get_or_init(Self::load).as_ref().map_err(Clone::clone)
    }

    fn load() -> Result<Self, Error> {
        let mut onnx = Vec::new();
        zstd::Decoder::new(MODEL).and_then(|mut decoder| decoder.read_to_end(&mut onnx)).map_err(wrong)?;
        let model = ModelOptions::with_all_ops().prepack_weights(true).load(onnx).map_err(wrong)?;
        let node = |name| model.node_id(name).map_err(wrong);
        let inputs = [node("input_ids")?, node("token_type_ids")?, node("attention_mask")?];
        let output = node("score")?;
        Ok(Self { model, inputs, output, input: Input::new(VOCABULARY).map_err(wrong)? })
    }

    /// Returns a score for each passage: the difference of two scores is the log-odds that the first passage is the
    /// better answer. A score does not depend on the other passages.
    ///
    /// # Errors
    /// The model cannot be run.
    pub fn score(&self, query: &str, passages: &[Passage<'_>]) -> Result<Vec<f32>, Error> {
        let query = self.input.query(query);
        let next = AtomicUsize::new(0);
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(MAX_THREADS).min(passages.len());
        // One passage at a time on one thread: activations are quantised by their range in the whole batch, so in a
        // batch a score would depend on the others, and a pair is too small to be shared between threads.
        let work = || -> Result<Vec<(usize, f32)>, Error> {
            let pool = Arc::new(ThreadPool::with_num_threads(1));
            let mut scores = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(passage) = passages.get(at) else { return Ok(scores) };
                scores.push((at, self.score_one(&query, passage, &pool)?));
            }
        };
        let found: Vec<Result<Vec<(usize, f32)>, Error>> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let panicked = || Err(Error("a thread panicked".to_owned()));
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|_| panicked())).collect()
        });
        let mut scores = vec![0.0; passages.len()];
        for found in found {
            for (at, score) in found? {
                scores[at] = score;
            }
        }
        Ok(scores)
    }

    fn score_one(&self, query: &[u32], passage: &Passage<'_>, pool: &Arc<ThreadPool>) -> Result<f32, Error> {
        let (ids, second_from) = self.input.pair(query, &self.input.passage(passage));
        let shape = [1, ids.len()];
        let id = |at: usize| i32::try_from(ids[at]).unwrap_or(0);
        let ids = NdTensor::<i32, 2>::from_fn(shape, |[_, at]| id(at));
        let kinds = NdTensor::<i32, 2>::from_fn(shape, |[_, at]| i32::from(at >= second_from));
        let mask = NdTensor::<i32, 2>::full(shape, 1);
        let [ids_node, kinds_node, mask_node] = self.inputs;
        let inputs = vec![(ids_node, ids.into()), (kinds_node, kinds.into()), (mask_node, mask.into())];
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(pool)));
        let outputs = self.model.run(inputs, &[self.output], Some(options)).map_err(wrong)?;
        let scores: NdTensor<f32, 1> =
            outputs.into_iter().next().ok_or_else(|| wrong("no output"))?.try_into().map_err(wrong)?;
        scores.iter().next().copied().filter(|score| score.is_finite()).ok_or_else(|| wrong("no finite score"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RETRY: Passage<'static> = Passage {
        path: "src/http/retry.py",
        name: "RetryPolicy.backoff",
        text: "def backoff(self, attempt):\n    delay = self.base * 2 ** attempt\n    return min(delay, self.limit)\n",
    };
    const COLOUR: Passage<'static> = Passage {
        path: "src/theme/colour.py",
        name: "parse_colour",
        text: "def parse_colour(text):\n    return tuple(int(text[i:i + 2], 16) for i in (1, 3, 5))\n",
    };

    #[test]
    fn a_passage_that_answers_scores_higher_whatever_its_place() {
        let reranker = Reranker::shipped().unwrap();
        let query = "Requests are retried without any delay\n\nThe backoff between two attempts is always 0.";
        let scores = reranker.score(query, &[COLOUR, RETRY]).unwrap();
        assert!(scores[1] > scores[0] + 1.0, "{scores:?}");
        let [retry, colour] = reranker.score(query, &[RETRY, COLOUR]).unwrap()[..] else { panic!("two passages") };
        assert_eq!([colour.to_bits(), retry.to_bits()], [scores[0].to_bits(), scores[1].to_bits()]);
        assert!(reranker.score(query, &[]).unwrap().is_empty());
    }

    #[test]
    fn hostile_texts_have_scores() {
        let reranker = Reranker::shipped().unwrap();
        let long = "\u{202e}x\0\u{fffd} ".repeat(20_000);
        let hostile = Passage { path: &long, name: &long, text: &long };
        let empty = Passage { path: "", name: "", text: "" };
        for query in ["", "\n", &long] {
            assert_eq!(reranker.score(query, &[hostile, empty]).unwrap().len(), 2);
        }
    }
}

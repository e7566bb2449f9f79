//! Runs any ONNX encoder as a [`sextant_encoder::Encoder`].
//!
//! This is the only crate that loads a foreign library, ONNX Runtime, and it does so at run time: users of other
//! encoders neither link nor install it. Each worker has one session, each session one thread, and texts are encoded
//! one at a time: on CPUs that is faster than padded batches, and the result does not depend on the rest of a batch.

mod library;

use std::path::{Path, PathBuf};

use ort::environment::Environment;
use ort::session::Session;
use ort::session::builder::GraphOptimizationLevel;
use ort::value::Tensor;
use sextant_encoder::{Encoder, EncoderDir, ModelJson, ONNX_FILE, Passage, Pooling, l2_normalize};
use tokenizers::Tokenizer;

pub use library::{LibraryNotFound, find_library};

/// An error of opening an ONNX encoder.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// ONNX Runtime was not found.
    #[error(transparent)]
    LibraryNotFound(#[from] LibraryNotFound),
    /// ONNX Runtime was found but cannot be loaded.
    #[error("{} cannot be loaded as ONNX Runtime: {what}", path.display())]
    Load {
        /// The library.
        path: PathBuf,
        /// Description of the problem.
        what: String,
    },
    /// The model's own files are invalid.
    #[error(transparent)]
    Model(#[from] sextant_encoder::Error),
}

/// A loaded ONNX model, which creates an encoder for each worker.
pub struct OnnxModel {
    environment: Environment,
    graph: PathBuf,
    tokenizer: Tokenizer,
    json: ModelJson,
}

/// The model's tokenizer, without truncation and padding: encoders cut texts into windows themselves.
fn tokenizer(dir: &EncoderDir) -> sextant_encoder::Result<Tokenizer> {
    let path = dir.path(&dir.json().tokenizer);
    let wrong = |error: tokenizers::Error| sextant_encoder::Error::model(&path, error);
    let mut tokenizer = Tokenizer::from_file(&path).map_err(wrong)?;
    tokenizer.with_padding(None);
    tokenizer.with_truncation(None).map_err(wrong)?;
    Ok(tokenizer)
}

impl OnnxModel {
    /// Loads ONNX Runtime (from `library`, or from where [`find_library`] finds it) and the model's tokenizer.
    ///
    /// # Errors
    /// ONNX Runtime is missing or cannot be loaded, or the tokenizer cannot be read.
    pub fn open(dir: &EncoderDir, library: Option<&Path>) -> Result<Self, Error> {
        let path = find_library(library)?;
        let load = |what: String| Error::Load { path: path.clone(), what };
        let environment = ort::environment::init_from(&path)
            .map_err(|error| load(error.to_string()))?
            .build()
            .map_err(|error| load(error.to_string()))?;
        Ok(Self { environment, graph: dir.path(ONNX_FILE), tokenizer: tokenizer(dir)?, json: dir.json().clone() })
    }

    /// Creates an encoder with its own session.
    ///
    /// # Errors
    /// The graph cannot be loaded, or lacks an input.
    pub fn encoder(&self) -> sextant_encoder::Result<OnnxEncoder> {
        let wrong = |error: &dyn std::fmt::Display| sextant_encoder::Error::model(&self.graph, error.to_string());
        let session = Session::builder(&self.environment)
            .and_then(|builder| {
                let builder = builder.with_intra_threads(1)?.with_inter_threads(1)?;
                builder.with_optimization_level(GraphOptimizationLevel::All)?.commit_from_file(&self.graph)
            })
            .map_err(|error| wrong(&error))?;
        let named = |name: &str| session.inputs().iter().any(|input| input.name() == name);
        if let Some(missing) = self.json.inputs.iter().find(|name| !named(name)) {
            return Err(wrong(&format!("it has no input '{missing}'")));
        }
        Ok(OnnxEncoder {
            session,
            graph: self.graph.clone(),
            tokenizer: self.tokenizer.clone(),
            json: self.json.clone(),
            evaluated: 0,
        })
    }
}

/// An encoder for one thread.
pub struct OnnxEncoder {
    session: Session,
    graph: PathBuf,
    tokenizer: Tokenizer,
    json: ModelJson,
    evaluated: u64,
}

/// Maximum number of windows of a long text that are encoded: the beginning of a chunk usually states what it is about,
/// and each window costs a run of the transformer.
const MAX_WINDOWS: usize = 8;

impl OnnxEncoder {
    /// The vector of a text. A text longer than the model's input is cut into windows, whose vectors are averaged,
    /// weighted by length.
    fn encode(&mut self, text: &str) -> sextant_encoder::Result<Vec<f32>> {
        let wrong = |error| sextant_encoder::Error::model(&self.graph, error);
        let encoding = self.tokenizer.encode(text, true).map_err(wrong)?;
        let ids: Vec<i64> = encoding.get_ids().iter().map(|&id| i64::from(id)).collect();
        let windows = windows(&ids, encoding.get_special_tokens_mask(), self.json.max_tokens);
        let mut vector = vec![0.0; self.json.dimensions];
        for window in &windows {
            let weight = window.len() as f32;
            let part = self.run(window)?;
            self.evaluated += window.len() as u64;
            vector.iter_mut().zip(part).for_each(|(sum, x)| *sum += weight * x);
        }
        if self.json.normalize || windows.len() > 1 {
            l2_normalize(&mut vector);
        } else if let Some(only) = windows.first() {
            vector.iter_mut().for_each(|x| *x /= only.len() as f32);
        }
        Ok(vector)
    }

    /// The vector of one window of tokens.
    fn run(&mut self, ids: &[i64]) -> sextant_encoder::Result<Vec<f32>> {
        let graph = self.graph.clone();
        let wrong = |error: &dyn std::fmt::Display| sextant_encoder::Error::model(&graph, error.to_string());
        let shape = [1, i64::try_from(ids.len()).unwrap_or(i64::MAX)];
        let mut inputs = Vec::with_capacity(self.json.inputs.len());
        for name in &self.json.inputs {
            let values = match name.as_str() {
                "attention_mask" => vec![1; ids.len()],
                "token_type_ids" => vec![0; ids.len()],
                _ => ids.to_vec(),
            };
            inputs.push((name.clone(), Tensor::from_array((shape, values)).map_err(|error| wrong(&error))?));
        }
        let outputs = self.session.run(inputs).map_err(|error| wrong(&error))?;
        let output = match &self.json.output {
            Some(name) => outputs.get(name.as_str()),
            None => outputs.values().next().map(|_| &outputs[0]),
        }
        .ok_or_else(|| wrong(&"it has no such output"))?;
        let (shape, values) = output.try_extract_tensor::<f32>().map_err(|error| wrong(&error))?;
        pool(self.json.pooling, self.json.dimensions, values).ok_or_else(|| {
            wrong(&format!(
                "its output has the shape {shape:?}, model.json declares {} dimensions",
                self.json.dimensions
            ))
        })
    }
}

/// Cuts a text's tokens into windows of at most `max_tokens`, each with the special tokens that the tokenizer puts
/// before and after a text.
fn windows(ids: &[i64], special: &[u32], max_tokens: usize) -> Vec<Vec<i64>> {
    let lead = special.iter().take_while(|&&mark| mark == 1).count();
    let trail = special[lead..].iter().rev().take_while(|&&mark| mark == 1).count();
    let (before, after) = (&ids[..lead], &ids[ids.len() - trail..]);
    let text = &ids[lead..ids.len() - trail];
    let room = max_tokens.saturating_sub(lead + trail).max(1);
    if text.is_empty() {
        return vec![ids.to_vec()];
    }
    text.chunks(room).take(MAX_WINDOWS).map(|window| [before, window, after].concat()).collect()
}

/// Combines a graph's output, which has one row, or one row for each token, into one vector. None if the shape is
/// wrong.
fn pool(pooling: Pooling, dims: usize, values: &[f32]) -> Option<Vec<f32>> {
    let rows = values.len() / dims;
    match pooling {
        _ if values.is_empty() || rows * dims != values.len() => None,
        Pooling::None if rows != 1 => None,
        Pooling::None | Pooling::Cls => Some(values[..dims].to_vec()),
        Pooling::Mean => {
            let mut mean = vec![0.0; dims];
            for row in values.chunks_exact(dims) {
                mean.iter_mut().zip(row).for_each(|(sum, x)| *sum += x / rows as f32);
            }
            Some(mean)
        }
    }
}

impl Encoder for OnnxEncoder {
    fn dimensions(&self) -> usize {
        self.json.dimensions
    }

    fn encode_query(&mut self, text: &str) -> sextant_encoder::Result<Vec<f32>> {
        let text = format!("{}{text}", self.json.query_prefix);
        self.encode(&text)
    }

    fn encode_passage(&mut self, passage: &Passage<'_>) -> sextant_encoder::Result<Vec<f32>> {
        let mut text = self.json.passage_prefix.clone();
        for field in [passage.path, passage.name, passage.doc, passage.code] {
            if !field.is_empty() {
                text.push_str(field);
                text.push('\n');
            }
        }
        self.encode(&text)
    }

    fn tokens_evaluated(&self) -> u64 {
        self.evaluated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_keep_special_tokens() {
        let ids = [101, 1, 2, 3, 4, 5, 102];
        let special = [1, 0, 0, 0, 0, 0, 1];
        assert_eq!(windows(&ids, &special, 7), [ids]);
        let cut = [vec![101, 1, 2, 102], vec![101, 3, 4, 102], vec![101, 5, 102]];
        assert_eq!(windows(&ids, &special, 4), cut);
        assert_eq!(windows(&[101, 102], &[1, 1], 4), [[101, 102]]);
        assert_eq!(windows(&[1, 2], &[0, 0], 1), [[1], [2]]);
        let long: Vec<i64> = (0..100).collect();
        assert_eq!(windows(&long, &[0; 100], 3).len(), MAX_WINDOWS);
    }

    #[test]
    fn pooling_checks_the_output_shape() {
        let two_rows = [1.0, 2.0, 3.0, 6.0];
        assert_eq!(pool(Pooling::Mean, 2, &two_rows), Some(vec![2.0, 4.0]));
        assert_eq!(pool(Pooling::Cls, 2, &two_rows), Some(vec![1.0, 2.0]));
        assert_eq!(pool(Pooling::None, 2, &two_rows), None);
        assert_eq!(pool(Pooling::None, 4, &two_rows), Some(two_rows.to_vec()));
        assert_eq!(pool(Pooling::Mean, 3, &two_rows), None);
    }
}

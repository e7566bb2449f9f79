//! What the vectors of whole files say about a query: the cosines of all of their chunks.

use std::ops::Range;

use sextant_format::ids::ChunkId;
use sextant_format::segments::Vectors;
use sextant_format::vectors::quantize;

use super::kernels;
use crate::rank::share;
use crate::weights::RetrievalWeights;

/// Vectors of a query.
#[derive(Clone, Debug, Default)]
pub(crate) struct QueryVectors {
    /// That of the query.
    pub(crate) query: Vec<f32>,
    /// Those of its words, in their order; empty if the encoder is too slow for them.
    pub(crate) words: Vec<Vec<f32>>,
}

/// How near the words of a query are to the chunks of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct WordCosines {
    /// The best cosine of each word, averaged by the words' rarity.
    pub(crate) each: f32,
    /// The best chunk's average over the words.
    pub(crate) together: f32,
    /// For each chunk its average over the words by their rarity in the file; 0 without a vector.
    pub(crate) chunks: Vec<f32>,
}

/// Returns how near the words of a query are to files, given by the ranges of their chunks. A word has a rarity among the
/// files, and one in each file.
pub(crate) fn word_cosines(
    matrix: &Vectors,
    words: &[Vec<f32>],
    rarities: &[f32],
    chunk_rarities: &[Vec<f32>],
    files: &[Range<ChunkId>],
    weights: &RetrievalWeights,
) -> Vec<WordCosines> {
    let is_known = |word: &Vec<f32>| word.len() == matrix.dims() && word.iter().any(|&x| x != 0.0);
    let words: Vec<(usize, PaddedQuery)> = (words.iter().enumerate())
        .filter(|(_, word)| is_known(word))
        .map(|(n, word)| (n, PaddedQuery::new(word, matrix)))
        .collect();
    let total_of = |rarities: &[f32]| words.iter().map(|(word, _)| rarities[*word]).sum::<f32>();
    let total = total_of(rarities);
    let of_file = |(file, rarities_in_file): (&Range<ChunkId>, &Vec<f32>)| {
        let rows = matrix.rows_between(file);
        let mut each = 0.0;
        let (mut together, mut in_file) = (vec![0.0_f32; rows.len()], vec![0.0_f32; rows.len()]);
        for (word, query) in &words {
            let (rarity, rarity_in_file) = (rarities[*word], rarities_in_file[*word]);
            let cosines = query.cosines(matrix, rows.clone(), weights);
            each += rarity * cosines.iter().copied().fold(0.0, f32::max);
            for ((cosine, together), in_file) in cosines.into_iter().zip(&mut together).zip(&mut in_file) {
                *together += rarity * cosine;
                *in_file += rarity_in_file * cosine;
            }
        }
        let total_in_file = total_of(rarities_in_file);
        let mut chunks = vec![0.0; file.end.rows_after(file.start).unwrap_or(0) as usize];
        for (row, sum) in rows.zip(in_file) {
            let chunk = matrix.chunk_id(row).rows_after(file.start);
            if let Some(cosine) = chunk.and_then(|chunk| chunks.get_mut(chunk as usize)) {
                *cosine = share(sum, total_in_file);
            }
        }
        let together = together.into_iter().fold(0.0, f32::max);
        WordCosines { each: share(each, total), together: share(together, total), chunks }
    };
    files.iter().zip(chunk_rarities).map(of_file).collect()
}

/// A quantised query, padded to the stride of a matrix.
struct PaddedQuery {
    values: Vec<i8>,
    scale: f32,
}

impl PaddedQuery {
    fn new(query: &[f32], matrix: &Vectors) -> Self {
        let quantized = quantize(query);
        let mut values = quantized.values;
        values.resize(matrix.stride(), 0);
        Self { values, scale: quantized.scale }
    }

    fn cosines(&self, matrix: &Vectors, rows: Range<usize>, weights: &RetrievalWeights) -> Vec<f32> {
        let mut dots = vec![0; rows.len()];
        let mut cosines = Vec::with_capacity(rows.len());
        for part in matrix.parts(rows) {
            let dots = &mut dots[..part.rows().len()];
            kernels::dot_products(part.values(), &self.values, dots);
            let facts = part.scales().iter().zip(part.levels());
            let cosine =
                |(&dot, (&scale, &level)): (&i32, (&f32, &u8))| dot as f32 * self.scale * scale * weights.level(level);
            cosines.extend(dots.iter().zip(facts).map(cosine));
        }
        cosines
    }
}

/// Returns the mean cosine of each of ranges of chunks, each the chunks of a file, multiplied by the factors of their
/// levels; 0 for a file without vectors.
pub(crate) fn mean_cosines(
    matrix: &Vectors,
    query: &[f32],
    ranges: &[Range<ChunkId>],
    weights: &RetrievalWeights,
) -> Vec<f32> {
    if query.len() != matrix.dims() {
        return vec![0.0; ranges.len()];
    }
    let query = PaddedQuery::new(query, matrix);
    let mean = |range: &Range<ChunkId>| {
        let cosines = query.cosines(matrix, matrix.rows_between(range), weights);
        if cosines.is_empty() { 0.0 } else { cosines.iter().sum::<f32>() / cosines.len() as f32 }
    };
    ranges.iter().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::Weights;
    use sextant_format::vectors::{VectorMatrix, VectorWriter};

    const WEIGHTS: &RetrievalWeights = &Weights::STANDARD.retrieval;

    #[test]
    fn a_file_has_the_cosines_of_its_chunks() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("vectors.i8");
        let mut writer = VectorWriter::create(&path, 4).unwrap();
        // Chunk 3 has no vector.
        for (chunk, vector) in [(0, [1.0, 0.0, 0.0, 0.0]), (1, [0.6, 0.8, 0.0, 0.0]), (4, [0.0, 1.0, 0.0, 0.0])] {
            writer.push(ChunkId::new(chunk), 1, &quantize(&vector)).unwrap();
        }
        writer.finish().unwrap();
        let matrix = Vectors::whole(VectorMatrix::open(&path).unwrap());
        let ranges = [(0, 2), (2, 4), (4, 9)].map(|(from, to)| ChunkId::new(from)..ChunkId::new(to));
        let found = mean_cosines(&matrix, &[1.0, 0.0, 0.0, 0.0], &ranges, WEIGHTS);
        assert!((found[0] - 0.8).abs() < 0.02 && found[1] == 0.0 && found[2].abs() < 0.02, "{found:?}");
        assert_eq!(mean_cosines(&matrix, &[1.0], &ranges, WEIGHTS), [0.0; 3]);

        let words = [vec![1.0, 0.0, 0.0, 0.0], vec![0.0, 1.0, 0.0, 0.0], vec![0.0; 4]];
        let chunk_rarities = [vec![3.0, 1.0, 9.0], vec![1.0; 3], vec![1.0; 3]];
        let found = word_cosines(&matrix, &words, &[1.0, 1.0, 5.0], &chunk_rarities, &ranges, WEIGHTS);
        // Each word has its best chunk; together they fit the second best.
        assert!((found[0].each - 0.9).abs() < 0.02 && (found[0].together - 0.7).abs() < 0.02, "{found:?}");
        assert!((found[0].chunks[0] - 0.75).abs() < 0.02 && (found[0].chunks[1] - 0.65).abs() < 0.02, "{found:?}");
        assert_eq!(found[1], WordCosines { chunks: vec![0.0; 2], ..WordCosines::default() });
    }
}

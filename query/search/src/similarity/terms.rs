//! What files are about: the names in them that are nearest to their centroid.

use std::collections::BTreeMap;

use sextant_format::ids::FileId;
use sextant_format::kinds::Kind;
use sextant_format::tables::SymbolRow;
use sextant_text::tokens::split_identifier;

use super::matrix::{FileName, Similarity, cosine, unit};
use super::select::Selection;
use crate::Result;

/// Files whose names are read at most; of more, the heaviest.
const MAX_FILES: usize = 500;
/// How much of the centroid of the whole index is subtracted from that of the files, so that their terms are those that
/// distinguish them.
const BACKGROUND: f64 = 0.5;
/// Words of a name at most: longer names are sentences, such as those of tests.
const MAX_WORDS: usize = 4;

/// A term of a set of files.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// The words of the name, in lower case.
    pub term: String,
    /// Its cosine with the direction from the centroid of the index to that of the files.
    pub score: f32,
    /// The number of these files that define such a name.
    pub files: usize,
    /// The first file that defines it.
    pub source: FileName,
}

impl Similarity<'_> {
    /// Returns the names of symbols that are nearest to what distinguishes files from the rest of the index, best first.
    ///
    /// # Errors
    /// There is no encoder, or the index is damaged.
    pub fn terms(&mut self, files: &Selection, limit: usize) -> Result<Vec<Term>> {
        let mut rows = files.rows.clone();
        rows.sort_by(|&a, &b| self.weight(b).total_cmp(&self.weight(a)).then(a.cmp(&b)));
        rows.truncate(MAX_FILES);
        rows.sort_unstable();
        let all: Vec<usize> = (0..self.rows()).collect();
        let own = self.mean(&rows);
        // All files have nothing to be distinguished from.
        let background = if rows.len() * 2 > all.len() { 0.0 } else { BACKGROUND };
        let rest = self.mean(&all);
        let difference: Vec<f64> =
            own.iter().zip(&rest).map(|(&own, &rest)| f64::from(own) - background * f64::from(rest)).collect();
        let direction = unit(&difference);
        let mut found: BTreeMap<String, (usize, FileId)> = BTreeMap::new();
        let ids: Vec<FileId> = rows.iter().map(|&row| self.file(row)).collect();
        let symbols = self.index.symbol_rows()?;
        let symbols = symbols.rows(&symbols.rows_of_files(&ids)?)?;
        for of_file in symbols.chunk_by(|a, b| a.file_id == b.file_id) {
            let mut terms: Vec<String> = of_file.iter().filter_map(term_of).collect();
            terms.sort_unstable();
            terms.dedup();
            let Some(file) = of_file.first().map(|symbol| symbol.file_id) else { continue };
            for term in terms {
                found.entry(term).or_insert((0, file)).0 += 1;
            }
        }
        let mut terms = Vec::with_capacity(found.len());
        for (term, (files, source)) in found {
            let score = cosine(&self.vector_of_text(&term)?, &direction);
            terms.push((Term { term, score, files, source: FileName::default() }, source));
        }
        // A name in several of the files is more of a term than one that is used once.
        let rank = |term: &Term| term.score * (1.0 + (term.files as f32).ln() / 4.0);
        terms.sort_by(|(a, _), (b, _)| rank(b).total_cmp(&rank(a)).then_with(|| a.term.cmp(&b.term)));
        let mut best: Vec<Term> = Vec::new();
        for (term, source) in terms {
            if best.len() == limit {
                break;
            }
            // `retry policy` says what `retry policies` says.
            if !best.iter().any(|other| stems(&other.term) == stems(&term.term)) {
                best.push(Term { source: self.file_name(source)?, ..term });
            }
        }
        Ok(best)
    }
}

/// The words of a symbol's name; none for names that are no terms: parameters and fields, tests, sentences, single
/// letters.
fn term_of(symbol: &SymbolRow) -> Option<String> {
    if !(symbol.kind.is_callable() || symbol.kind.is_type()) || symbol.kind == Kind::Test {
        return None;
    }
    let mut words: Vec<String> = Vec::new();
    split_identifier(&symbol.name, &mut String::new(), |word| {
        if word.len() > 1 {
            words.push(word.to_owned());
        }
    });
    let is_test = words.first().is_some_and(|word| word == "test");
    let letters: usize = words.iter().map(String::len).sum();
    (!is_test && letters > 3 && words.len() <= MAX_WORDS).then(|| words.join(" "))
}

fn stems(term: &str) -> Vec<&str> {
    term.split(' ').map(|word| word.strip_suffix("ies").or_else(|| word.strip_suffix('s')).unwrap_or(word)).collect()
}

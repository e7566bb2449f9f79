//! Which names of a query files define.

use sextant_format::ids::SymbolId;
use tantivy::Term;
use tantivy::query::TermQuery;
use tantivy::schema::IndexRecordOption;

use super::file_edges::FileSymbols;
use crate::query_analysis::AnalyzedQuery;
use crate::{Index, Result};

/// Names with more definitions say nothing about a file.
const MAX_DEFINITIONS: u64 = 200;

/// Returns the share of the query's names and compounds, of those that the index defines, that each of some files defines.
/// Names with fewer definitions count more.
pub(super) fn defined_names(
    index: &Index,
    query: &AnalyzedQuery,
    symbols: &FileSymbols,
    files: usize,
) -> Result<Vec<f32>> {
    let text = index.symbols()?;
    let mut names: Vec<String> = query.names.iter().map(|name| name.name.to_lowercase()).collect();
    names.extend(query.compounds.iter().map(|compound| compound.to_lowercase()));
    names.sort_unstable();
    names.dedup();
    let all = index.graph()?.nodes() as f32;
    let (mut shares, mut total) = (vec![0.0_f32; files], 0.0_f32);
    for name in names {
        let term = Term::from_field_text(text.fields.name, &name);
        let definitions = text.searcher.doc_freq(&term)?;
        if definitions == 0 || definitions > MAX_DEFINITIONS {
            continue;
        }
        let rarity: f32 = (1.0 + all / definitions as f32).ln();
        total += rarity;
        let found: Vec<SymbolId> = text.rows(&TermQuery::new(term, IndexRecordOption::Basic))?;
        let mut of_files: Vec<usize> = found.into_iter().filter_map(|symbol| symbols.file_of(symbol)).collect();
        of_files.sort_unstable();
        of_files.dedup();
        of_files.into_iter().for_each(|file| shares[file] += rarity);
    }
    if total > 0.0 {
        shares.iter_mut().for_each(|share| *share /= total);
    }
    Ok(shares)
}

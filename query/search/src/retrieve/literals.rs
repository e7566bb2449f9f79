//! Finds where a literal of a query is written: a key of a configuration, a path, an option.

use sextant_format::ids::ChunkId;
use sextant_format::kinds::Kind;
use sextant_text::tokens::identifiers;
use tantivy::Term;
use tantivy::query::{BooleanQuery, Query, TermQuery};
use tantivy::schema::IndexRecordOption;

use super::filter::ChunkFilter;
use crate::catalog::ChunkInfo;
use crate::lines::is_comment;
use crate::{Index, Result};

/// Chunks with all words of a literal whose text is read.
const MAX_READ: usize = 400;

/// A literal of a query.
pub(crate) struct Literal {
    pub(crate) text: String,
    /// The chunks in which it is written, see [`chunks_with_literal`].
    pub(crate) chunks: Vec<ChunkInfo>,
}

/// Finds where literals are written, among the chunks that a filter allows.
pub(crate) fn find_literals(index: &Index, literals: &[String], allowed: &ChunkFilter) -> Result<Vec<Literal>> {
    let find = |text: &String| {
        let mut chunks = chunks_with_literal(index, text)?;
        chunks.retain(|info| allowed.allows(info.chunk_id));
        Ok(Literal { text: text.clone(), chunks })
    };
    literals.iter().map(find).collect()
}

/// Whether a text has a literal with quotes around it, outside of comments: there a program means it.
fn has_quoted(text: &str, literal: &str) -> bool {
    let is_quoted = |line: &str| {
        let is_quote = |c: char| matches!(c, '"' | '\'' | '`');
        let mut places = line.match_indices(literal);
        places.any(|(at, _)| line[..at].ends_with(is_quote) && line[at + literal.len()..].starts_with(is_quote))
    };
    text.lines().any(|line| !is_comment(line) && is_quoted(line))
}

/// Returns the chunks of code of level 1 in which a literal is written, in any case; only those with quotes around it, if
/// there are any; none if its words are too common.
fn chunks_with_literal(index: &Index, literal: &str) -> Result<Vec<ChunkInfo>> {
    let text = index.chunks()?;
    let terms = identifiers(literal).map(|(_, word)| Term::from_field_text(text.fields.body, &word.to_lowercase()));
    let queries: Vec<Box<dyn Query>> =
        terms.map(|term| Box::new(TermQuery::new(term, IndexRecordOption::Basic)) as Box<dyn Query>).collect();
    if queries.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<ChunkId> = text.rows(&BooleanQuery::intersection(queries))?;
    let mut chunks = Vec::new();
    for id in ids {
        let info = text.catalog.info(id)?;
        if info.level == 1 && !matches!(info.kind, Kind::Section | Kind::Window) {
            chunks.push(info);
        }
    }
    if chunks.len() > MAX_READ {
        return Ok(Vec::new());
    }
    let ids: Vec<ChunkId> = chunks.iter().map(|info| info.chunk_id).collect();
    let contents: Vec<String> = index.chunk_rows()?.column("content", &ids)?;
    // A program may compare a key in lower case that its users write as `core.commentChar`.
    let literal = literal.to_lowercase();
    let lowercase = contents.iter().map(|content| content.to_lowercase());
    let with_literal = chunks.into_iter().zip(lowercase).filter(|(_, content)| content.contains(&literal));
    let (quoted, other): (Vec<_>, Vec<_>) = with_literal.partition(|(_, content)| has_quoted(content, &literal));
    let chosen = if quoted.is_empty() { other } else { quoted };
    Ok(chosen.into_iter().map(|(info, _)| info).collect())
}

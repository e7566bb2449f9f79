//! Values that a question names: constants whose names are neighbouring words of it ("default pack size"), and constants
//! that have a key of a configuration as value; each with the lines that use it, where defaults are set and keys are read.

use rustc_hash::FxHashSet;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_text::tokens::identifiers;
use tantivy::Term;
use tantivy::query::TermQuery;
use tantivy::schema::IndexRecordOption;

use super::answer::{AskedKey, KeyUse};
use super::size::MAX_HEAD_BYTES;
use crate::lines::{definition_texts, line_texts};
use crate::navigate::{Definition, Navigator, Reference, UseFilter, read_definitions};
use crate::overview::limits::MIN_EDGE_CONFIDENCE;
use crate::query_analysis::AnalyzedQuery;
use crate::retrieve::{ChunkFilter, Literal};
use crate::{Index, PathGlobs, Result};

/// Chunks with a literal in quotes in which its constant is looked for; one in more chunks is hardly the key of a constant.
const MAX_CHUNKS: usize = 16;
/// Definitions of a name at most that is looked up by neighbouring words.
const MAX_DEFINITIONS: u64 = 3;
/// Constants of one answer.
const MAX_KEYS: usize = 3;
/// Lines of a definition in which its value is looked for.
const VALUE_LINES: u32 = 3;
/// Uses of a key that are returned.
const MAX_USES: usize = 6;
/// Uses of one constant that are looked at.
const MAX_LOOKED_AT: usize = 40;
/// Constants that such uses name.
const MAX_NAMED: usize = 3;
/// Lines after the first one that belong to a use if its parentheses go on.
const FURTHER_LINES: u32 = 4;

/// Returns the constants that neighbouring words of a question name or whose values are literals of it, with their uses.
pub(super) fn asked_keys(
    index: &Index,
    query: &AnalyzedQuery,
    literals: &[Literal],
    allowed: &ChunkFilter,
) -> Result<Vec<AskedKey>> {
    let (mut keys, wants_tests): (Vec<AskedKey>, bool) = (Vec::new(), query.wants_tests);
    for found in std::iter::once(named_in_words(index, query, allowed))
        .chain(literals.iter().map(|literal| constants_with_value(index, literal)))
    {
        for (definition, text) in found? {
            let is_known = keys.iter().any(|key| key.definition.symbol_id == definition.symbol_id);
            if keys.len() < MAX_KEYS && !is_known && (wants_tests || !definition.is_test) {
                let uses = uses_of(index, &definition, wants_tests)?;
                keys.push(AskedKey { definition, text, uses });
            }
        }
    }
    // One that nothing uses says no more than the line in which it is found.
    keys.retain(|key| !key.uses.is_empty());
    Ok(keys)
}

const fn is_constant(kind: Kind) -> bool {
    matches!(kind, Kind::Constant | Kind::Variable | Kind::Field | Kind::Property | Kind::EnumMember)
}

/// The constants that are called like neighbouring words of a question, and the text of each.
fn named_in_words(index: &Index, query: &AnalyzedQuery, allowed: &ChunkFilter) -> Result<Vec<(Definition, String)>> {
    let symbols = index.symbols()?;
    let mut ids: Vec<SymbolId> = Vec::new();
    for compound in &query.compounds {
        let term = Term::from_field_text(symbols.fields.name, compound);
        if (1..=MAX_DEFINITIONS).contains(&symbols.searcher.doc_freq(&term)?) {
            ids.extend(symbols.rows(&TermQuery::new(term, IndexRecordOption::Basic))?);
        }
    }
    let is_value = |id: &SymbolId| symbols.catalog.kind(*id).is_some_and(|kind| kind == Kind::Constant);
    let is_allowed = |id: &SymbolId| symbols.catalog.chunk(*id).is_some_and(|chunk| allowed.allows(chunk));
    ids.retain(|id| is_value(id) && is_allowed(id));
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    ids.sort_unstable();
    ids.dedup();
    with_texts(index, &ids)
}

/// The constants whose definitions have a literal in quotes in their first lines, and the text of each.
fn constants_with_value(index: &Index, literal: &Literal) -> Result<Vec<(Definition, String)>> {
    if literal.chunks.len() > MAX_CHUNKS {
        return Ok(Vec::new());
    }
    let navigator = Navigator::new(index);
    // The definition of each constant, with the lines in which its value may be.
    let mut constants: Vec<(SymbolId, (FileId, u32, u32))> = Vec::new();
    for info in &literal.chunks {
        for row in navigator.symbols_of(info.file_id)? {
            let is_inside = info.start_line <= row.start_line && row.start_line <= info.end_line;
            if is_inside && is_constant(row.kind) {
                constants.push((row.symbol_id, (info.file_id, row.start_line, row.end_line)));
            }
        }
    }
    constants.sort_unstable();
    constants.dedup();
    let value_lines = |&(_, (file, first, last)): &(SymbolId, (FileId, u32, u32))| {
        (first..=last.min(first.saturating_add(VALUE_LINES - 1))).map(move |line| (file, line))
    };
    let wanted: Vec<(FileId, u32)> = constants.iter().flat_map(value_lines).collect();
    let texts = line_texts(index, &wanted)?;
    let quoted = ['"', '\'', '`'].map(|quote| format!("{quote}{}{quote}", literal.text).to_lowercase());
    let has_value = |text: &String| quoted.iter().any(|value| text.to_lowercase().contains(value));
    constants.retain(|constant| value_lines(constant).any(|line| texts.get(&line).is_some_and(has_value)));
    with_texts(index, &constants.into_iter().map(|(id, _)| id).collect::<Vec<_>>())
}

/// Constants, whose ids are ascending, with the texts of their definitions.
fn with_texts(index: &Index, ids: &[SymbolId]) -> Result<Vec<(Definition, String)>> {
    let rows = index.symbol_rows()?.rows(ids)?;
    let texts = definition_texts(index, &rows)?;
    let definitions = read_definitions(index, ids)?.into_iter().zip(rows);
    let with_text = definitions
        .filter_map(|(definition, row)| Some((definition, texts.get(&(row.file_id, row.start_line))?.clone())));
    Ok(with_text.collect())
}

/// The best uses of a constant, and of those that are defined as it.
fn uses_of(index: &Index, constant: &Definition, wants_tests: bool) -> Result<Vec<KeyUse>> {
    let filter = UseFilter {
        kinds: Vec::new(),
        min_confidence: MIN_EDGE_CONFIDENCE,
        paths: PathGlobs::default(),
        limit: MAX_LOOKED_AT,
        context: FURTHER_LINES,
    };
    let navigator = Navigator::new(index);
    let references = |of: &[Definition]| -> Result<Vec<Reference>> {
        let found = navigator.references(of, &filter)?;
        let uses = found.into_iter().flat_map(|found| found.uses);
        Ok(uses.filter(|one| one.kind != EdgeKind::Import && (wants_tests || !one.source.is_test)).collect())
    };
    let mut uses = references(std::slice::from_ref(constant))?;
    let is_alias = |one: &Reference| is_constant(one.source.kind) && one.source.start_line == one.line;
    let aliases: Vec<Definition> = uses.iter().filter(|one| is_alias(one)).map(|one| one.source.clone()).collect();
    uses.extend(references(&aliases)?);
    uses.sort_by_key(|one| one.source.kind.is_callable());
    let mut seen: FxHashSet<(String, String, u32)> = FxHashSet::default();
    uses.retain(|one| seen.insert((one.source.repo.clone(), one.source.path.clone(), one.line)));
    let key_use = |one: Reference| KeyUse {
        text: whole_text(&one),
        repo: one.source.repo,
        path: one.source.path,
        line: one.line,
    };
    let mut uses: Vec<KeyUse> = uses.into_iter().take(MAX_USES).map(key_use).collect();
    let named = named_constants(index, &uses, &constant.name)?;
    uses.extend(named);
    Ok(uses)
}

/// The constants that uses of a key name in their lines, such as its default, where they are defined in the same file as
/// something else than a text.
fn named_constants(index: &Index, uses: &[KeyUse], key: &str) -> Result<Vec<KeyUse>> {
    let (navigator, mut found) = (Navigator::new(index), Vec::new());
    let mut paths: Vec<(&str, &str)> = uses.iter().map(|one| (one.repo.as_str(), one.path.as_str())).collect();
    paths.sort_unstable();
    paths.dedup();
    for (repo, path) in paths {
        let in_file = uses.iter().filter(|one| one.path == path && one.repo == repo);
        let names: FxHashSet<&str> =
            in_file.flat_map(|one| identifiers(&one.text)).map(|(_, name)| name).filter(|name| *name != key).collect();
        let Some(file) = navigator.files(path)?.into_iter().find(|file| file.repo == repo && file.path == path) else {
            continue;
        };
        let mut rows = navigator.symbols_of(file.file_id)?;
        rows.retain(|row| is_constant(row.kind) && names.contains(row.name.as_str()));
        let lines: Vec<(FileId, u32)> = rows.iter().map(|row| (file.file_id, row.start_line)).collect();
        let texts = line_texts(index, &lines)?;
        for row in rows.iter().filter(|row| !uses.iter().any(|one| one.path == path && one.line == row.start_line)) {
            let Some(text) = texts.get(&(file.file_id, row.start_line)) else { continue };
            let value = text.split_once('=').map(|(_, value)| value);
            if value.is_some_and(|value| !value.trim().is_empty() && !value.contains(['"', '\'', '`'])) {
                let (repo, path, text) = (repo.to_owned(), path.to_owned(), text.clone());
                found.push(KeyUse { repo, path, line: row.start_line, text });
            }
        }
    }
    found.truncate(MAX_NAMED);
    Ok(found)
}

/// The text of a use with the lines after it, as far as its parentheses go on.
fn whole_text(one: &Reference) -> String {
    let mut text = one.text.trim().to_owned();
    for (_, line) in one.context.iter().filter(|(line, _)| *line > one.line) {
        let count = |c: char| text.matches(c).count();
        if count('(') <= count(')') || text.len() + line.trim().len() >= MAX_HEAD_BYTES {
            break;
        }
        text.push(' ');
        text.push_str(line.trim());
    }
    text
}

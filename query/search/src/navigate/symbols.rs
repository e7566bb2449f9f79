//! Finds symbols in the whole index by a prefix, a substring or an approximation of their names.

use std::cmp::Reverse;

use sextant_format::ids::SymbolId;
use sextant_format::names;
use tantivy::Term;
use tantivy::query::{FuzzyTermQuery, RegexQuery};

use super::definition::{Definition, read_definitions};
use super::lookup::{kind_order, symbol_ids};
use super::navigator::Navigator;
use crate::retrieve::{ChunkFilter, fuzzy_name_query};
use crate::{Filters, Result};

/// Symbols that are considered for one request.
const MAX_CANDIDATES: usize = 20_000;

/// Symbols, and whether there are more.
pub type SymbolPage = (Vec<Definition>, bool);

impl Navigator<'_> {
    /// Returns the symbols whose names begin with a text, contain it, or differ from it in a letter or two: the first of
    /// these rules that finds any. If the text has owners (`Owner.na`, `Owner.`), the symbols have them too; `*` stands for
    /// any letters. Where there are none, what `definition` finds. Short names come first, so exact ones do, and the least different ones of those that differ; then types
    /// before functions before others, then the most used.
    ///
    /// # Errors
    /// A filter is invalid, or the index is damaged.
    pub fn find_symbols(&self, text: &str, filters: &Filters, limit: usize) -> Result<SymbolPage> {
        let found = self.symbols_like(text.trim(), filters, limit)?;
        if !found.0.is_empty() {
            return Ok(found);
        }
        // What `definition` understands: another style, modules in front, types or parameters.
        let meant = self.meant(text)?;
        let mut definitions: Vec<Definition> = meant.definitions.into_iter().chain(meant.minor).collect();
        if !filters.is_empty() {
            let allowed = ChunkFilter::new(self.index, &Filters { kinds: Vec::new(), ..filters.clone() })?;
            let catalog = &self.index.symbols()?.catalog;
            let is_kind = |kind| filters.kinds.is_empty() || filters.kinds.contains(&kind);
            definitions.retain(|definition| {
                let chunk = catalog.chunk(definition.symbol_id);
                is_kind(definition.kind) && chunk.is_some_and(|chunk| allowed.allows(chunk))
            });
        }
        let has_more = definitions.len() > limit;
        definitions.truncate(limit);
        Ok((definitions, has_more))
    }

    fn symbols_like(&self, text: &str, filters: &Filters, limit: usize) -> Result<SymbolPage> {
        let segments = names::segments(text);
        let Some((&name, owners)) = segments.split_last() else { return Ok((Vec::new(), false)) };
        // `Owner.` asks for all members.
        let (name, owners) =
            if text.ends_with(['.', ':', '#', '\\']) { ("", segments.as_slice()) } else { (name, owners) };
        let lower = name.to_lowercase();
        let fields = &self.index.symbols()?.fields;
        let field = fields.name;
        let by_pattern = |pattern: &str| {
            let query = RegexQuery::from_pattern(pattern, field);
            query.map_or_else(|_| Ok(Vec::new()), |query| symbol_ids(self.index, &query))
        };
        let mut misspelt = None;
        let mut ids = if name.is_empty() {
            let members = format!("{}.", owners.join(".").to_lowercase());
            let members = FuzzyTermQuery::new_prefix(Term::from_field_text(fields.paths, &members), 0, true);
            symbol_ids(self.index, &members)?
        } else if lower.contains('*') && lower.chars().any(char::is_alphanumeric) {
            by_pattern(&lower.split('*').map(regex::escape).collect::<Vec<_>>().join(".*"))?
        } else {
            let prefix = FuzzyTermQuery::new_prefix(Term::from_field_text(field, &lower), 0, true);
            symbol_ids(self.index, &prefix)?
        };
        if ids.is_empty() && !name.is_empty() {
            ids = self.symbols_with_part(&lower)?;
        }
        if ids.is_empty()
            && let Some(fuzzy) = fuzzy_name_query(field, &lower).filter(|_| !name.is_empty())
        {
            ids = symbol_ids(self.index, &fuzzy)?;
            misspelt = Some(lower);
        }
        if !filters.is_empty() {
            let kinds = filters.kinds.clone();
            let allowed = ChunkFilter::new(self.index, &Filters { kinds: Vec::new(), ..filters.clone() })?;
            let catalog = &self.index.symbols()?.catalog;
            let is_kind = |id: SymbolId| kinds.is_empty() || catalog.kind(id).is_some_and(|kind| kinds.contains(&kind));
            ids.retain(|&id| is_kind(id) && catalog.chunk(id).is_some_and(|chunk| allowed.allows(chunk)));
        }
        let is_cut = ids.len() > MAX_CANDIDATES;
        let graph = self.index.graph()?;
        if is_cut {
            ids.sort_by_key(|&id| (Reverse(graph.in_edges(id).count()), id));
            ids.truncate(MAX_CANDIDATES);
            ids.sort_unstable();
        }
        let mut names: Vec<(SymbolId, String)> =
            ids.iter().copied().zip(self.index.symbol_rows()?.column::<String>("qualified_name", &ids)?).collect();
        let owners: Vec<String> = owners.iter().map(|owner| owner.to_lowercase()).collect();
        names.retain(|(_, qualified)| has_owners(qualified, &owners));
        let catalog = &self.index.symbols()?.catalog;
        let key = |(id, qualified): &(SymbolId, String)| {
            let own = names::segments(qualified).last().copied().unwrap_or_default();
            let edits = misspelt.as_ref().map_or(0, |name| strsim::osa_distance(name, &own.to_lowercase()));
            let own = (edits, own.len());
            let kind = catalog.kind(*id).map_or(u8::MAX, kind_order);
            (own, kind, Reverse(graph.in_edges(*id).count()), *id)
        };
        names.sort_by_cached_key(key);
        let has_more = is_cut || names.len() > limit;
        names.truncate(limit);
        let wanted: Vec<SymbolId> = names.iter().map(|(id, _)| *id).collect();
        let mut definitions = read_definitions(self.index, &wanted)?;
        let position = |id: SymbolId| wanted.iter().position(|&other| other == id);
        definitions.sort_by_key(|d| position(d.symbol_id));
        Ok((definitions, has_more))
    }
}

/// Whether a name has owners that begin with these, in this order, perhaps with others in between.
fn has_owners(qualified: &str, owners: &[String]) -> bool {
    let mut wanted = owners.iter().peekable();
    let segments = names::segments(qualified);
    for segment in segments.split_last().map_or(&[][..], |(_, owners)| owners) {
        if wanted.peek().is_some_and(|owner| segment.to_lowercase().starts_with(owner.as_str())) {
            wanted.next();
        }
    }
    wanted.peek().is_none()
}

#[cfg(test)]
mod tests {
    use super::has_owners;

    #[test]
    fn owners_must_precede_the_name_in_order() {
        let has = |qualified: &str, owners: &[&str]| {
            has_owners(qualified, &owners.iter().map(|owner| (*owner).to_owned()).collect::<Vec<_>>())
        };
        assert!(has("net::Client::get", &["client"]) && has("net::Client::get", &["net", "cl"]));
        assert!(has("get", &[]) && !has("get", &["client"]) && !has("net::Client::get", &["client", "net"]));
    }
}

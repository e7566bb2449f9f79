//! External symbols: used in the index and defined elsewhere. Looks them up by name, and finds their users.

use std::collections::{BTreeMap, BTreeSet};

use sextant_format::endpoints::{self, fits};
use sextant_format::ids::SymbolId;
use sextant_format::kinds::Tier;
use sextant_format::names::segments;
use sextant_format::tables::{EdgeRow, ExternalRow};

use super::definition::read_definitions;
use super::endpoints::endpoint_name;
use super::navigator::Navigator;
use super::reach::{ReachedSymbol, TraversalOptions, add_members};
use super::relation::Relation;
use crate::Result;

/// External symbols that a name resolves to at most.
const MAX_EXTERNALS: usize = 20;

impl Navigator<'_> {
    /// Returns the external symbols with this full name, else those whose names end with it; the most used first.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn externals(&self, text: &str) -> Result<Vec<ExternalRow>> {
        let wanted: Vec<String> = segments(text.trim()).into_iter().map(str::to_lowercase).collect();
        let mut found = Vec::new();
        if wanted.is_empty() {
            return Ok(found);
        }
        if let Some(name) = endpoint_name(text) {
            let is_meant = |row: &&ExternalRow| {
                endpoints::is_family(&row.family)
                    && (fits(&name, &row.name).is_some() || fits(&row.name, &name).is_some())
            };
            found.extend(self.index.externals()?.iter().filter(is_meant).cloned());
            found.truncate(MAX_EXTERNALS);
            return Ok(found);
        }
        found.extend(self.index.externals()?.iter().filter(|row| has_name_suffix(&row.name, &wanted)).cloned());
        let exact = |row: &ExternalRow| row.name == text.trim();
        if found.iter().any(exact) {
            found.retain(exact);
        }
        found.sort_by(|a, b| b.uses.cmp(&a.uses).then_with(|| (&a.name, &a.family).cmp(&(&b.name, &b.family))));
        found.truncate(MAX_EXTERNALS);
        Ok(found)
    }

    /// Returns the users of external symbols, as [`Self::reach`] does for symbols of the index. For a direct user, `via`
    /// is the user itself.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn reach_externals(
        &self,
        externals: &[ExternalRow],
        relation: Relation,
        walk: TraversalOptions,
    ) -> Result<(Vec<ReachedSymbol>, bool)> {
        let ids = externals.iter().map(|row| row.external_id).collect();
        self.reach_from_uses(self.external_uses(&ids)?, relation, walk)
    }

    /// Returns the edges that lead to external symbols, given by their ids.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn external_uses(&self, externals: &BTreeSet<u32>) -> Result<Vec<EdgeRow>> {
        let table = self.index.edge_rows()?;
        let is_wanted = |id: &Option<u32>| id.is_some_and(|id| externals.contains(&id));
        Ok(table.rows(&table.find::<Option<u32>>("external_id", is_wanted)?)?)
    }

    /// The same as [`Self::reach_externals`], given the edges that lead to external symbols.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn reach_from_uses(
        &self,
        rows: Vec<EdgeRow>,
        relation: Relation,
        walk: TraversalOptions,
    ) -> Result<(Vec<ReachedSymbol>, bool)> {
        // The use of the highest confidence by each symbol.
        let mut users: BTreeMap<SymbolId, EdgeRow> = BTreeMap::new();
        for row in rows {
            if !relation.follows(row.kind) || row.confidence < walk.min_confidence || walk.depth == 0 {
                continue;
            }
            let known = users.entry(row.source_id).or_insert_with(|| row.clone());
            if row.confidence > known.confidence {
                *known = row;
            }
        }
        let start: Vec<SymbolId> = users.keys().copied().collect();
        let mut near: Vec<ReachedSymbol> = Vec::with_capacity(start.len());
        for definition in read_definitions(self.index, &start)? {
            let Some(row) = users.get(&definition.symbol_id) else { continue };
            let (via, via_key) = (definition.symbol_id, definition.key.clone());
            let (kind, confidence) = (row.kind, row.confidence);
            near.push(ReachedSymbol {
                definition,
                depth: 1,
                via,
                via_key,
                kind,
                resolution: Tier::External,
                confidence,
                lines: vec![row.line],
                context: Vec::new(),
            });
        }
        near.sort_by(|a, b| {
            b.confidence.total_cmp(&a.confidence).then(a.definition.symbol_id.cmp(&b.definition.symbol_id))
        });
        let mut is_cut = near.len() > walk.limit;
        near.truncate(walk.limit);
        if walk.depth > 1 && !is_cut {
            let rest = TraversalOptions { depth: walk.depth - 1, limit: walk.limit - near.len(), ..walk };
            let (far, cut) = self.reach(&start, relation, rest)?;
            near.extend(far.into_iter().map(|reached| ReachedSymbol { depth: reached.depth + 1, ..reached }));
            is_cut = cut;
        }
        Ok((near, is_cut))
    }

    /// Returns the external symbols that some symbols use, each use with its kind, line and confidence, in the order of the
    /// index.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn used_externals(&self, symbols: &[SymbolId]) -> Result<Vec<(ExternalRow, EdgeRow)>> {
        let mut sources = symbols.to_vec();
        sources.sort_unstable();
        sources.dedup();
        let rows = self.edges_from(&sources)?;
        let externals = self.index.externals()?;
        let external = |row: EdgeRow| {
            let external = ExternalRow::find(externals, row.external_id?)?;
            Some((external.clone(), row))
        };
        Ok(rows.into_iter().filter_map(external).collect())
    }

    /// Returns some symbols with the members of types among them, at any depth.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn with_members(&self, symbols: &[SymbolId]) -> Result<Vec<SymbolId>> {
        let mut all = symbols.to_vec();
        add_members(self.index.graph()?, &mut all);
        Ok(all)
    }
}

/// Whether the last segments of a name are `wanted`, which is lower case.
fn has_name_suffix(name: &str, wanted: &[String]) -> bool {
    let parts = segments(name);
    parts.len() >= wanted.len()
        && parts[parts.len() - wanted.len()..].iter().zip(wanted).all(|(a, b)| a.to_lowercase() == *b)
}

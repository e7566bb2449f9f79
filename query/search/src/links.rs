//! Links between indexes: external symbols of one, and their definitions in another that publishes the package.
//!
//! An index knows what it publishes (`packages` of a repository in the manifest), and the full names of the external
//! symbols that it uses. A name begins with a package; what follows is looked up from the package's root along
//! definitions, members and imports that export something again. Two indexes need not know of each other before. An
//! endpoint (`sextant_format::endpoints`) has the same name where it is asked and where it is served.

use std::collections::{BTreeMap, BTreeSet};

use sextant_format::endpoints;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;
use sextant_format::names::segments;
use sextant_format::tables::ExternalRow;

use crate::navigate::{Navigator, Published, handlers_of, has_endpoints, read_definitions};
use crate::{Index, Result};

/// The endpoints that some symbols of an index handle, each with its handler.
fn served_endpoints(index: &Index, symbols: &[SymbolId]) -> Result<Vec<(String, SymbolId)>> {
    if !has_endpoints(index)? {
        return Ok(Vec::new());
    }
    let used = Navigator::new(index).used_externals(symbols)?.into_iter();
    let served = used.filter(|(row, edge)| edge.kind == EdgeKind::Serve && endpoints::is_family(&row.family));
    Ok(served.map(|(row, edge)| (row.name, edge.source_id)).collect())
}

/// Finds links between several indexes.
pub struct Linker<'a> {
    indexes: Vec<(&'a Index, Published<'a>)>,
}

/// An external symbol of one index that is a definition of another.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkedExternal {
    /// The external symbol.
    pub external: ExternalRow,
    /// Its definition in the other index.
    pub target: SymbolId,
    /// How many indexes define the name: with more than one it is not known which of them is meant.
    pub owners: usize,
}

impl<'a> Linker<'a> {
    /// Borrows indexes; they are known by their positions.
    #[must_use]
    pub fn new(indexes: impl IntoIterator<Item = &'a Index>) -> Self {
        Self { indexes: indexes.into_iter().map(|index| (index, Published::new(index))).collect() }
    }

    /// The definitions of an external symbol of the index at `from`: positions of other indexes, each with its symbols.
    ///
    /// # Errors
    /// An index is damaged.
    pub fn definitions(&self, from: usize, external: &ExternalRow) -> Result<Vec<(usize, Vec<SymbolId>)>> {
        let mut found = Vec::new();
        for (at, (index, published)) in self.indexes.iter().enumerate().filter(|(at, _)| *at != from) {
            if endpoints::is_family(&external.family) {
                let symbols = handlers_of(index, &external.name)?;
                if !symbols.is_empty() {
                    found.push((at, symbols));
                }
                continue;
            }
            let symbols = published.find(&external.family, &external.name)?;
            if !symbols.is_empty() {
                found.push((at, symbols));
            }
        }
        Ok(found)
    }

    /// For each other index, its external symbols that are one of some definitions of the index at `at`, ascending.
    ///
    /// # Errors
    /// An index is damaged.
    pub fn uses(&self, at: usize, definitions: &[SymbolId]) -> Result<Vec<Vec<LinkedExternal>>> {
        let mut uses = vec![Vec::new(); self.indexes.len()];
        let Some((index, published)) = self.indexes.get(at).filter(|_| self.indexes.len() > 1) else { return Ok(uses) };
        let wanted: BTreeSet<SymbolId> = definitions.iter().copied().collect();
        let sorted: Vec<SymbolId> = wanted.iter().copied().collect();
        let served = served_endpoints(index, &sorted)?;
        let names: BTreeSet<String> = read_definitions(index, &sorted)?.into_iter().map(|d| d.name).collect();
        // Several indexes use the same names.
        let mut known: BTreeMap<(String, String), (Vec<SymbolId>, usize)> = BTreeMap::new();
        for (other, ((index, _), uses)) in
            self.indexes.iter().zip(&mut uses).enumerate().filter(|(other, _)| *other != at)
        {
            for external in index.externals()? {
                if endpoints::is_family(&external.family) {
                    for (name, target) in &served {
                        if endpoints::fits(&external.name, name).is_some() {
                            let owners = self.definitions(other, external)?.len().max(1);
                            uses.push(LinkedExternal { external: external.clone(), target: *target, owners });
                        }
                    }
                    continue;
                }
                let is_wanted = segments(&external.name).last().is_some_and(|last| names.contains(*last));
                if !is_wanted || !published.has_family(&external.family) {
                    continue;
                }
                let key = (external.family.clone(), external.name.clone());
                if !known.contains_key(&key) {
                    let mut targets = published.find(&external.family, &external.name)?;
                    targets.retain(|target| wanted.contains(target));
                    let owners = if targets.is_empty() { 0 } else { self.definitions(other, external)?.len() };
                    known.insert(key.clone(), (targets, owners.max(1)));
                }
                let Some((targets, owners)) = known.get(&key) else { continue };
                let linked =
                    |&target: &SymbolId| LinkedExternal { external: external.clone(), target, owners: *owners };
                uses.extend(targets.iter().map(linked));
            }
            uses.sort_by(|a, b| (&a.external.name, a.target).cmp(&(&b.external.name, b.target)));
        }
        Ok(uses)
    }
}

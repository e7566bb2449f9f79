//! Names as people write them from memory: without a type between (`Reporter.send` for `Reporter.Sender.send`), on a type
//! that inherits the member, or with types of parameters (`replay(Record)`).

use rustc_hash::FxHashSet;
use sextant_format::graph::Neighbour;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;
use sextant_format::names;

use super::definition::{Definition, read_definitions};
use super::navigator::Navigator;
use crate::Result;

/// Definitions of one name that are read.
const MAX_SAME_NAME: usize = 5_000;
/// Types of which members are looked up.
const MAX_TYPES: usize = 64;
/// Edges of lower confidence are guesses.
const MIN_CONFIDENCE: f32 = 0.5;

impl Navigator<'_> {
    /// The symbols that a name means if it leaves something out, or says which parameters they have.
    pub(super) fn loosely_named(&self, text: &str) -> Result<Vec<SymbolId>> {
        for reading in [Self::with_parameters, Self::nested, Self::inherited] {
            let found = reading(self, text)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// The symbols of a name before types of parameters in parentheses: those whose signatures have the types, if any has
    /// them.
    fn with_parameters(&self, text: &str) -> Result<Vec<SymbolId>> {
        let Some((name, types)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) else {
            return Ok(Vec::new());
        };
        let mut ids = self.symbols_named(name)?;
        if ids.is_empty() {
            ids = self.nested(name)?;
        }
        ids.truncate(MAX_SAME_NAME);
        let named = read_definitions(self.index, &ids)?;
        let wanted: Vec<&str> = words(types).collect();
        let has_types = |definition: &&Definition| {
            let own: FxHashSet<&str> = definition.signature.as_deref().map(words).into_iter().flatten().collect();
            wanted.iter().all(|word| own.contains(word))
        };
        let fitting: Vec<SymbolId> = named.iter().filter(has_types).map(|definition| definition.symbol_id).collect();
        Ok(if fitting.is_empty() { ids } else { fitting })
    }

    /// The symbols with the owners of a name and others between; none if these have different names.
    fn nested(&self, text: &str) -> Result<Vec<SymbolId>> {
        let wanted = names::segments(text);
        let Some((name, owners)) = wanted.split_last().filter(|(_, owners)| !owners.is_empty()) else {
            return Ok(Vec::new());
        };
        let mut ids = self.symbols_named(name)?;
        ids.truncate(MAX_SAME_NAME);
        let mut found = read_definitions(self.index, &ids)?;
        found.retain(|definition| {
            let own = names::segments(&definition.qualified_name);
            let mut own = own.iter().take(own.len().saturating_sub(1));
            owners.iter().all(|owner| own.any(|segment| segment == owner))
        });
        let is_one = found.windows(2).all(|pair| pair[0].qualified_name == pair[1].qualified_name);
        Ok(if is_one { found.iter().map(|definition| definition.symbol_id).collect() } else { Vec::new() })
    }

    /// The members of a name that a type has from the nearest type above it.
    fn inherited(&self, text: &str) -> Result<Vec<SymbolId>> {
        let segments = names::segments(text);
        let Some((name, owner)) = segments.split_last().filter(|(_, owner)| !owner.is_empty()) else {
            return Ok(Vec::new());
        };
        let graph = self.index.graph()?;
        let mut level = self.symbols_named(&owner.join("."))?;
        let mut seen: FxHashSet<SymbolId> = level.iter().copied().collect();
        while !level.is_empty() && seen.len() <= MAX_TYPES {
            let is_above = |edge: &Neighbour| {
                matches!(edge.kind, EdgeKind::Inherit | EdgeKind::Implement) && edge.confidence >= MIN_CONFIDENCE
            };
            let mut above: Vec<SymbolId> =
                level.iter().flat_map(|&of| graph.out_edges(of).filter(is_above)).map(|edge| edge.node).collect();
            above.retain(|&id| seen.insert(id));
            above.sort_unstable();
            let mut found = Vec::new();
            for base in read_definitions(self.index, &above)?.iter().filter(|base| base.kind.is_type()) {
                let members = self.symbols_named(&format!("{}.{name}", base.name))?;
                let members = read_definitions(self.index, &members)?;
                let own = members.iter().filter(|member| (&member.repo, &member.path) == (&base.repo, &base.path));
                found.extend(own.map(|member| member.symbol_id));
            }
            if !found.is_empty() {
                return Ok(found);
            }
            level = above;
        }
        Ok(Vec::new())
    }
}

/// The words of a signature or of types: identifiers.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

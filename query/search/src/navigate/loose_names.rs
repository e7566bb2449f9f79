//! Names as people write them from memory: without a type between (`Reporter.send` for `Reporter.Sender.send`), on a type
//! that inherits the member, with types (`replay(Record)`, `Registry<E, C>`), or in another style (`Pool` for `_Pool`,
//! `openFile` for `open_file`).

use rustc_hash::FxHashSet;
use sextant_format::graph::Neighbour;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;
use sextant_format::names;
use tantivy::query::RegexQuery;

use super::definition::{Definition, read_definitions};
use super::lookup::symbol_ids;
use super::navigator::Navigator;
use crate::Result;

/// Definitions of one name that are read.
const MAX_SAME_NAME: usize = 5_000;
/// Types of which members are looked up.
const MAX_TYPES: usize = 64;
/// Edges of lower confidence are guesses.
const MIN_CONFIDENCE: f32 = 0.5;
/// Letters and digits of a name that is looked for in other styles.
const STYLED_CHARS: std::ops::RangeInclusive<usize> = 3..=64;

impl Navigator<'_> {
    /// The symbols that a name means if it leaves something out, or says which parameters they have.
    pub(super) fn loosely_named(&self, text: &str) -> Result<Vec<SymbolId>> {
        for reading in
            [Self::with_type_arguments, Self::with_parameters, Self::nested, Self::inherited, Self::in_another_style]
        {
            let found = reading(self, text)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }

    /// The symbols of a name with type arguments (`Registry<E, C>.find`), or with `$` before an inner type as in Java's class
    /// files.
    fn with_type_arguments(&self, text: &str) -> Result<Vec<SymbolId>> {
        let Some(plain) = without_type_arguments(text) else { return Ok(Vec::new()) };
        for reading in [Self::symbols_named, Self::nested, Self::inherited] {
            let found = reading(self, &plain)?;
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
        found.retain(|definition| has_owners(definition, owners, |segment, owner| segment == owner));
        let is_one = found.windows(2).all(|pair| pair[0].qualified_name == pair[1].qualified_name);
        Ok(if is_one { found.iter().map(|definition| definition.symbol_id).collect() } else { Vec::new() })
    }

    /// The symbols whose names and owners have the same letters and digits, whatever their case and the punctuation between;
    /// none if these have different names.
    fn in_another_style(&self, text: &str) -> Result<Vec<SymbolId>> {
        let wanted = names::segments(text);
        let Some((name, owners)) = wanted.split_last() else { return Ok(Vec::new()) };
        let letters = plain(name);
        // `save!` is another method than `save`.
        let is_plain = !text.contains('/') && !name.ends_with(['!', '?']);
        if !STYLED_CHARS.contains(&letters.chars().count()) || !is_plain {
            return Ok(Vec::new());
        }
        let between = letters.chars().map(String::from).collect::<Vec<_>>().join("[_$@-]*");
        let pattern = format!("[_$@-]*{between}[_$@?!-]*");
        let Ok(query) = RegexQuery::from_pattern(&pattern, self.index.symbols()?.fields.name) else {
            return Ok(Vec::new());
        };
        let mut ids = symbol_ids(self.index, &query)?;
        ids.truncate(MAX_SAME_NAME);
        let mut found = read_definitions(self.index, &ids)?;
        found.retain(|definition| has_owners(definition, owners, |segment, owner| plain(segment) == plain(owner)));
        Ok(if_of_one_name(&found))
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

/// Whether a symbol has these owners in this order, perhaps with others between.
pub(super) fn has_owners(definition: &Definition, owners: &[&str], is_same: impl Fn(&str, &str) -> bool) -> bool {
    let own = names::segments(&definition.qualified_name);
    let mut own = own.iter().take(own.len().saturating_sub(1));
    owners.iter().all(|owner| own.any(|segment| is_same(segment, owner)))
}

/// The symbols, if all have the same name.
fn if_of_one_name(found: &[Definition]) -> Vec<SymbolId> {
    let is_one = found.windows(2).all(|pair| pair[0].name == pair[1].name);
    if is_one { found.iter().map(|definition| definition.symbol_id).collect() } else { Vec::new() }
}

/// A name without the type arguments in it, and with dots for `$` within; `None` if it has neither.
fn without_type_arguments(name: &str) -> Option<String> {
    let (mut plain, mut open) = (String::with_capacity(name.len()), 0_usize);
    for (at, c) in name.char_indices() {
        let follows_name = name[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        match c {
            '<' | '[' if open > 0 || follows_name => open += 1,
            '>' | ']' if open > 0 => open -= 1,
            '$' if open == 0 && follows_name => plain.push('.'),
            _ if open == 0 => plain.push(c),
            _ => {}
        }
    }
    (open == 0 && plain != name && !plain.is_empty()).then_some(plain)
}

/// The letters and digits of a name in lower case.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The words of a signature or of types: identifiers.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_arguments_are_no_part_of_a_name() {
        let plain = |name| without_type_arguments(name);
        assert_eq!(plain("Registry<E, Map<K, V>>.find").as_deref(), Some("Registry.find"));
        assert_eq!(plain("Decoder[F, T]").as_deref(), Some("Decoder"));
        assert_eq!(plain("Breaker$Metrics").as_deref(), Some("Breaker.Metrics"));
        for none in ["operator<", "a.b", "$scope", "<=>", "[]"] {
            assert_eq!(plain(none), None, "{none}");
        }
    }

    #[test]
    fn names_of_another_style_have_the_same_letters() {
        assert_eq!(plain("_OneToManyDP"), plain("one_to_many_dp"));
        assert_ne!(plain("open_file"), plain("open_files"));
    }
}

//! Constants in use: the constants and variables outside of functions that symbols use, with their values.

use std::collections::BTreeMap;

use sextant_format::ids::SymbolId;
use sextant_format::kinds::{EdgeKind, Kind};

use super::definition::{Definition, read_definitions};
use super::navigator::Navigator;
use crate::Result;
use crate::lines::definition_texts;

/// Uses of lower confidence are ignored: guesses among several candidates are below it.
const MIN_USE_CONFIDENCE: f32 = 0.5;

/// A constant or variable that symbols use.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    /// Its definition.
    pub definition: Definition,
    /// Its definition as one line, if it is short; else the first line.
    pub text: String,
    /// The number of symbols that use it.
    pub users: usize,
    /// The position of the first symbol that uses it among those that were given.
    pub nth_user: usize,
}

impl Constant {
    /// Whether its line says its value: the head of a table does not, nor does `logger = get_logger(__name__)`.
    #[must_use]
    pub fn has_value(&self) -> bool {
        let value =
            self.text.split_once('=').map_or(self.text.as_str(), |(_, value)| value.trim_start_matches(['=', '>']));
        let is_literal = |c: char| matches!(c, '"' | '\'' | '`') || c.is_ascii_digit();
        let words = || value.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        let is_constant = |word: &str| word.len() > 1 && !word.contains(char::is_lowercase) && !word.starts_with("__");
        let is_switch = |word: &str| matches!(word, "true" | "false" | "True" | "False");
        let shows = value.contains(is_literal) || words().any(|word| is_constant(word) || is_switch(word));
        shows && !self.text.trim_end().ends_with(['=', '{', '(', '['])
    }
}

impl Navigator<'_> {
    /// Returns the constants and variables outside of functions that symbols use, those of the first symbol first, and of
    /// one symbol those with the most uses by all of them.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn constants(&self, users: &[SymbolId], limit: usize) -> Result<Vec<Constant>> {
        let graph = self.index.graph()?;
        let symbols = &self.index.symbols()?.catalog;
        let is_constant = |id: SymbolId| {
            matches!(symbols.kind(id), Some(Kind::Constant | Kind::Variable))
                && graph.owner(id).is_none_or(|owner| !symbols.kind(owner).is_some_and(Kind::is_callable))
        };
        let mut found: BTreeMap<SymbolId, (usize, usize)> = BTreeMap::new();
        for (nth, &user) in users.iter().enumerate() {
            let uses = graph.out_edges(user).filter(|edge| edge.kind.is_use() && edge.kind != EdgeKind::Import);
            for edge in uses.filter(|edge| edge.confidence >= MIN_USE_CONFIDENCE && !users.contains(&edge.node)) {
                if is_constant(edge.node) {
                    found.entry(edge.node).or_insert((nth, 0)).1 += 1;
                }
            }
        }
        let mut ids: Vec<(SymbolId, (usize, usize))> = found.into_iter().collect();
        ids.sort_by_key(|&(id, (first, uses))| (first, std::cmp::Reverse(uses), id));
        ids.truncate(limit);
        let mut wanted: Vec<SymbolId> = ids.iter().map(|(id, _)| *id).collect();
        wanted.sort_unstable();
        let rows = self.index.symbol_rows()?.rows(&wanted)?;
        let texts = definition_texts(self.index, &rows)?;
        let mut constants = Vec::new();
        for (definition, row) in read_definitions(self.index, &wanted)?.into_iter().zip(&rows) {
            let Some(text) = texts.get(&(row.file_id, row.start_line)) else { continue };
            let mut by: Vec<SymbolId> = graph
                .in_edges(definition.symbol_id)
                .filter(|edge| edge.kind.is_use() && edge.confidence >= MIN_USE_CONFIDENCE)
                .map(|edge| edge.node)
                .collect();
            by.sort_unstable();
            by.dedup();
            let of = ids.iter().find(|(id, _)| *id == definition.symbol_id);
            let nth_user = of.map_or(users.len(), |(_, (first, _))| *first);
            constants.push(Constant { definition, text: text.clone(), users: by.len(), nth_user });
        }
        constants.sort_by_key(|constant| ids.iter().position(|(id, _)| *id == constant.definition.symbol_id));
        Ok(constants)
    }
}

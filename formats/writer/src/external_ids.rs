//! Numbers external symbols. A symbol keeps its id from generation to generation while it is used, because edges that are
//! kept name it by this id.

use rustc_hash::FxHashMap;
use sextant_format::keys::{ShortHash, external_key};
use sextant_format::tables::ExternalRow;

/// The ids of external symbols, by their keys.
#[derive(Default)]
pub(crate) struct ExternalIds {
    ids: FxHashMap<ShortHash, u32>,
    next: u32,
}

impl ExternalIds {
    /// The ids that symbols had in an earlier generation. New ones follow.
    pub(crate) fn continued(rows: &[ExternalRow]) -> Self {
        let ids = rows.iter().map(|row| (external_key(&row.family, &row.name), row.external_id)).collect();
        Self { ids, next: rows.last().map_or(0, |row| row.external_id.saturating_add(1)) }
    }

    /// The id of a symbol.
    pub(crate) fn id(&mut self, key: ShortHash) -> u32 {
        *self.ids.entry(key).or_insert_with(|| {
            let id = self.next;
            self.next = id.saturating_add(1);
            id
        })
    }

    /// Sets the ids of the symbols of a generation, and puts them in the order of their ids.
    pub(crate) fn number(mut self, mut rows: Vec<ExternalRow>) -> Vec<ExternalRow> {
        for row in &mut rows {
            row.external_id = self.id(external_key(&row.family, &row.name));
        }
        rows.sort_unstable_by_key(|row| row.external_id);
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(external_id: u32, name: &str) -> ExternalRow {
        ExternalRow { external_id, name: name.to_owned(), module: None, family: "go".to_owned(), uses: 1 }
    }

    #[test]
    fn symbols_keep_their_ids_and_new_ones_follow() {
        let mut ids = ExternalIds::continued(&[row(2, "a"), row(7, "b")]);
        assert_eq!(["b", "c", "a", "c"].map(|name| ids.id(external_key("go", name))), [7, 8, 2, 8]);
        let rows = ids.number(vec![row(0, "c"), row(1, "a"), row(2, "d")]);
        assert_eq!(rows, [row(2, "a"), row(8, "c"), row(9, "d")]);
    }
}

//! Names as numbers: every name that is defined or used, once.

use rustc_hash::FxHashMap;

/// No name.
pub(super) const NO_NAME: u32 = u32::MAX;

/// The names and their numbers.
#[derive(Default)]
pub(super) struct Names {
    ids: FxHashMap<Box<str>, u32>,
    texts: Vec<Box<str>>,
}

impl Names {
    /// The number of a name, new or not.
    pub(super) fn intern(&mut self, text: &str) -> u32 {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = u32::try_from(self.texts.len()).unwrap_or(NO_NAME);
        self.ids.insert(text.into(), id);
        self.texts.push(text.into());
        id
    }

    /// The number of a name that is known.
    pub(super) fn find(&self, text: &str) -> Option<u32> {
        self.ids.get(text).copied()
    }

    /// The text of a number.
    pub(super) fn text(&self, id: u32) -> &str {
        self.texts.get(id as usize).map_or("", |text| text)
    }

    /// How many names there are.
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }
}

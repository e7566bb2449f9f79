//! Reads the map of ARCHITECTURE.md: the modules that it lists for each crate.
//!
//! A crate's section begins with a line that starts with the crate's folder, ``**`name`**``, and ends at the next such
//! line or heading. In it the first column of a table has the paths of modules in backticks, below `src` and without
//! `.rs` or `/mod.rs`.
//!
//! This module must not know which modules there are.

use std::collections::{BTreeMap, BTreeSet};

/// Returns the listed modules by the folder of their crate.
pub(crate) fn listed_modules(text: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut listed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut section = None;
    for line in text.lines() {
        if let Some((name, _)) = line.strip_prefix("**`").and_then(|rest| rest.split_once("`**")) {
            listed.entry(name.to_owned()).or_default();
            section = Some(name);
        } else if line.starts_with('#') {
            section = None;
        } else if let Some(name) = section
            && let Some(row) = line.strip_prefix('|')
        {
            let first_column = row.split('|').next().unwrap_or_default();
            listed.entry(name.to_owned()).or_default().extend(in_backticks(first_column).map(str::to_owned));
        }
    }
    listed
}

/// Returns the parts of a text that are in backticks.
pub(crate) fn in_backticks(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

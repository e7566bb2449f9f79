//! Filters that nothing in the indexes fits, so that "nothing found" says why: most of them are misspelt.

use std::collections::BTreeSet;

use sextant_search::{Filters, retrieve};

use crate::{IndexSet, Result};

/// Languages or repositories that a note lists.
const MAX_LISTED: usize = 12;

/// The notes about what a request is restricted to and no index has.
pub(super) fn unmatched_notes(indexes: &IndexSet, filters: &Filters) -> Result<Vec<String>> {
    let mut common: Option<Filters> = None;
    for named in &indexes.indexes {
        let own = retrieve::unmatched(&named.index, filters)?;
        common = Some(match common {
            None => own,
            Some(others) => Filters {
                languages: shared(others.languages, &own.languages),
                repos: shared(others.repos, &own.repos),
                paths: shared(others.paths, &own.paths),
                kinds: Vec::new(),
            },
        });
    }
    let Filters { languages, repos, paths, .. } = common.unwrap_or_default();
    let mut notes = Vec::new();
    if !languages.is_empty() {
        let mut known = BTreeSet::new();
        for named in &indexes.indexes {
            known.extend(retrieve::languages(&named.index)?);
        }
        notes.push(format!("no file is in language {}; there are {}", quoted(&languages), listed(&known)));
    }
    if !repos.is_empty() {
        let manifests = indexes.indexes.iter().map(|named| named.index.generation().manifest());
        let known = manifests.flat_map(|manifest| &manifest.repositories).map(|repository| repository.name.clone());
        notes.push(format!("no repository is called {}; there are {}", quoted(&repos), listed(&known.collect())));
    }
    if !paths.is_empty() {
        notes.push(format!("no path fits {}", quoted(&paths)));
    }
    Ok(notes)
}

fn shared(words: Vec<String>, others: &[String]) -> Vec<String> {
    words.into_iter().filter(|word| others.contains(word)).collect()
}

fn quoted(words: &[String]) -> String {
    words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" or ")
}

fn listed(words: &BTreeSet<String>) -> String {
    let more = words.len().saturating_sub(MAX_LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", words.iter().take(MAX_LISTED).cloned().collect::<Vec<_>>().join(", "))
}

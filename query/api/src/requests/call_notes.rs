//! Notes of answers about calls: what was not found, not followed, or not looked for.

use sextant_format::ids::SymbolId;
use sextant_search::Navigator;
use sextant_search::navigate::{self, TraversalOptions};

use crate::Result;

/// Names that were not looked for, and that a note lists.
const MAX_UNEXAMINED_NAMES: usize = 5;

/// The first of some names, and how many more there are.
fn listed(names: impl ExactSizeIterator<Item = String>, max: usize) -> String {
    let more = names.len().saturating_sub(max);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names.take(max).collect::<Vec<_>>().join(", "))
}

/// Says which names were not looked for in lines without an edge.
pub(super) fn unexamined_note(names: &[String]) -> Option<String> {
    let listed = listed(names.iter().map(|name| format!("'{name}'")), MAX_UNEXAMINED_NAMES);
    let note = format!(
        "lines that mention {listed} without an edge were not looked for: too common for 'callers', or not an \
         identifier; 'references' looks further"
    );
    (!names.is_empty()).then_some(note)
}

/// Says that something is used although no call was found.
pub(super) fn other_uses(users: usize) -> Option<String> {
    let users_of = if users == 1 { "1 symbol uses" } else { &format!("{users} symbols use") };
    (users > 0).then(|| format!("no call was found, but {users_of} it: 'references' lists the lines"))
}

/// Says of which names nothing was found while something was found of others: those without any use, and those that are
/// used otherwise.
pub(super) fn unreached_notes(unreached: &[(String, usize)]) -> Vec<String> {
    let names = |are_used: bool| {
        let names = unreached.iter().filter(|(_, users)| (*users > 0) == are_used).map(|(name, _)| name.as_str());
        names.collect::<Vec<_>>().join(", ")
    };
    let used = Some(names(true)).filter(|names| !names.is_empty());
    let used = used.map(|names| format!("no call was found of {names}, but other uses: 'references' lists them"));
    let rest = Some(names(false)).filter(|names| !names.is_empty());
    used.into_iter().chain(rest.map(|names| format!("nothing found for {names}"))).collect()
}

/// What finds more than was found.
pub(super) const fn guesses_hint(min_confidence: f32) -> &'static str {
    if min_confidence > 0.0 { "; --min-confidence 0 includes guesses" } else { "" }
}

/// Names that [`guesses_note`] lists.
const MAX_GUESSES: usize = 5;

/// Says what is called as well, by edges that are less sure than the request wants.
pub(super) fn guesses_note(
    navigator: Navigator<'_>,
    definitions: &[navigate::Definition],
    min_confidence: f32,
) -> Result<Option<String>> {
    let ids: Vec<SymbolId> = definitions.iter().map(|d| d.symbol_id).collect();
    let names = navigator.guessed_callees(&ids, min_confidence)?;
    let listed = listed(names.iter().cloned(), MAX_GUESSES);
    let note = format!("what calls of {listed} mean is less sure than {min_confidence}: --min-confidence 0 lists it");
    Ok((!names.is_empty()).then_some(note))
}

/// Methods that [`called_below_note`] names.
const MAX_BELOW: usize = 4;

/// Says which methods override or implement those whose callers are listed, and have callers of their own.
pub(super) fn called_below_note(
    navigator: Navigator<'_>,
    definitions: &[navigate::Definition],
    min_confidence: f32,
) -> Result<Option<String>> {
    let ids: Vec<SymbolId> = definitions.iter().map(|d| d.symbol_id).collect();
    let (below, calls) = navigator.called_below(&ids, min_confidence)?;
    let listed = listed(below.iter().map(|d| d.qualified_name.clone()), MAX_BELOW);
    let calls = if calls == 1 { "1 call".to_owned() } else { format!("{calls} calls") };
    let note = format!("not listed: {calls} of what overrides or implements it; ask for the callers of {listed}");
    Ok((!below.is_empty()).then_some(note))
}

/// Methods that [`unfollowed_note`] names.
const MAX_UNFOLLOWED: usize = 5;

/// Says whose callers are not followed because too many methods override or implement them.
pub(super) fn unfollowed_note(
    navigator: Navigator<'_>,
    definitions: &[navigate::Definition],
    walk: TraversalOptions,
) -> Result<Option<String>> {
    let ids: Vec<SymbolId> = definitions.iter().map(|d| d.symbol_id).collect();
    let above = navigator.not_followed(&ids, walk.min_confidence)?;
    let listed = listed(above.iter().map(|d| d.qualified_name.clone()), MAX_UNFOLLOWED);
    let note = format!("calls through {listed} are not followed: many methods override or implement it");
    Ok((!above.is_empty()).then_some(note))
}

//! The anchor of a link into the heading to which it leads, as hosts of repositories make anchors of headings.

use rustc_hash::FxHashMap;

/// The heading, of all headings of a document in order, to which an anchor leads. Of equal headings, the second one has
/// the anchor of the first with `-1`, and so on.
pub(super) fn position_of_anchor(headings: &[String], anchor: &str) -> Option<usize> {
    let wanted = anchor.to_lowercase();
    let mut seen: FxHashMap<String, usize> = FxHashMap::default();
    headings.iter().position(|heading| {
        let base = anchor_of(heading);
        let earlier = seen.entry(base.clone()).or_default();
        let is_wanted = if *earlier == 0 { base == wanted } else { format!("{base}-{earlier}") == wanted };
        *earlier += 1;
        is_wanted
    })
}

/// The heading in lower case, with hyphens for blanks and without punctuation.
fn anchor_of(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(|c| if c == ' ' { '-' } else { c }.to_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_lead_to_headings() {
        let headings = ["First steps", "What's `new` in 2.0?", "Notes", "Größe", "Notes"].map(str::to_owned);
        let at = |anchor| position_of_anchor(&headings, anchor);
        assert_eq!(
            [at("first-steps"), at("First-Steps"), at("whats-new-in-20"), at("größe")].map(Option::unwrap),
            [0, 0, 1, 3]
        );
        assert_eq!([at("notes"), at("notes-1"), at("notes-2"), at("")], [Some(2), Some(4), None, None]);
    }
}

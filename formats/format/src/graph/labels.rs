//! The labels of edges: how each of them is, by a number, because a graph has millions of edges and some hundred
//! combinations of kind, tier and confidence. This module must not know where edges lead.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::kinds::{EdgeKind, Tier};

/// What edges of a label have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Label {
    pub(super) kind: EdgeKind,
    pub(super) tier: Tier,
    pub(super) confidence: f32,
}

/// A label as the file names it.
#[derive(Serialize, Deserialize)]
struct Named<'a> {
    kind: Cow<'a, str>,
    tier: Cow<'a, str>,
    confidence: f32,
}

impl Label {
    /// What orders labels and tells them apart.
    const fn key(self) -> (u8, u8, u32) {
        (self.kind.code(), self.tier.code(), self.confidence.to_bits())
    }
}

/// The labels that were met so far.
#[derive(Default)]
pub(super) struct Labels {
    labels: Vec<Label>,
    numbers: FxHashMap<(u8, u8, u32), u16>,
    /// Whether there were more than numbers.
    are_too_many: bool,
}

impl Labels {
    /// The number of a label.
    pub(super) fn number(&mut self, label: Label) -> u16 {
        if let Some(&number) = self.numbers.get(&label.key()) {
            return number;
        }
        let Ok(number) = u16::try_from(self.labels.len()) else {
            self.are_too_many = true;
            return 0;
        };
        self.labels.push(label);
        self.numbers.insert(label.key(), number);
        number
    }

    pub(super) fn get(&self, number: u16) -> Label {
        self.labels[usize::from(number)]
    }

    /// Whether each label has a number of its own.
    pub(super) const fn are_distinct(&self) -> bool {
        !self.are_too_many
    }

    /// The labels that are in use, in their order, and the position of each number among them.
    pub(super) fn sorted(&self, numbers: &[u16]) -> (Vec<Label>, Vec<u16>) {
        let mut is_used = vec![false; self.labels.len()];
        for &number in numbers {
            is_used[usize::from(number)] = true;
        }
        let mut used: Vec<u16> = (0_u16..).zip(is_used).filter_map(|(number, used)| used.then_some(number)).collect();
        used.sort_unstable_by_key(|&number| self.get(number).key());
        let mut positions = vec![0; self.labels.len()];
        for (position, &number) in (0_u16..).zip(&used) {
            positions[usize::from(number)] = position;
        }
        (used.into_iter().map(|number| self.get(number)).collect(), positions)
    }
}

/// The text that lists labels in the file.
pub(super) fn encode(labels: &[Label]) -> String {
    let named = |label: &Label| Named {
        kind: label.kind.as_str().into(),
        tier: label.tier.as_str().into(),
        confidence: label.confidence,
    };
    serde_json::to_string(&labels.iter().map(named).collect::<Vec<_>>()).unwrap_or_default()
}

/// The labels of a file; none where a word is unknown.
pub(super) fn decode(text: &str) -> Result<Vec<Option<Label>>, String> {
    let named: Vec<Named<'_>> = serde_json::from_str(text).map_err(|error| format!("its labels: {error}"))?;
    let label = |named: &Named<'_>| {
        let (kind, tier) = (named.kind.parse().ok()?, named.tier.parse().ok()?);
        Some(Label { kind, tier, confidence: named.confidence })
    };
    Ok(named.iter().map(label).collect())
}

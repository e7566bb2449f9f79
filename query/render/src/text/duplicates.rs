//! The answer of `duplicates` as text.

use std::fmt::Write;

use sextant_api::responses::DuplicatesAnswer;

use super::locations::Locations;
use crate::style::{FAINT, NAME};

/// Members of a group that are listed.
const MAX_MEMBERS: usize = 10;

impl Locations<'_> {
    /// Groups of copies.
    pub(super) fn duplicates(&self, answer: &DuplicatesAnswer) -> String {
        let mut out = String::new();
        for group in &answer.groups {
            let how = if group.identical {
                "identical".to_owned()
            } else {
                format!("{:.0} % alike", 100.0 * group.similarity)
            };
            let _ = writeln!(
                out,
                "{NAME}{} functions, {how}{NAME:#}  {FAINT}{} lines repeated{FAINT:#}",
                group.members.len(),
                group.lines
            );
            for member in group.members.iter().take(MAX_MEMBERS) {
                let _ = writeln!(out, "    {}  {}", self.range(&member.location), member.qualified_name);
            }
            if group.members.len() > MAX_MEMBERS {
                let _ = writeln!(out, "    {FAINT}and {} more{FAINT:#}", group.members.len() - MAX_MEMBERS);
            }
        }
        let (shown, total) = (answer.groups.len(), answer.total);
        if total > shown {
            let _ = writeln!(out, "{FAINT}{} more groups among {} functions{FAINT:#}", total - shown, answer.compared);
        }
        out
    }
}

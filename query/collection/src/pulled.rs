//! Members of a collection that were pulled into a folder: which of them a request asks.

use std::path::{Path, PathBuf};

use sextant_api::requests::Request;
use sextant_api::responses::{Coverage, HowToAsk};
use sextant_sync::collection::Collection;

use crate::Result;
use crate::choose::{Choice, Described, choose, is_of_repositories};
use crate::list::{List, Listed, one_state_each};

/// The folder of the vocabularies, below that of the members. No member's folder begins with a dot.
const VOCABULARIES: &str = ".vocabularies";

/// The members in a folder.
pub struct Pulled {
    folder: PathBuf,
    list: List,
}

impl Pulled {
    /// Fetches the vocabularies of pulled members from the location of their collection.
    ///
    /// # Errors
    /// The folder cannot be written. A vocabulary that cannot be fetched costs a warning.
    pub fn fetch_vocabularies(location: &str, pulled: &Collection, folder: &Path) -> Result<()> {
        List::of(pulled.clone(), location, &folder.join(VOCABULARIES), None).map(drop)
    }

    /// Reads the list and the vocabularies of a folder; none if no collection was pulled into it.
    ///
    /// # Errors
    /// The list is invalid.
    pub fn open(folder: &Path) -> Result<Option<Self>> {
        let Some(pulled) = Collection::pulled(folder)? else { return Ok(None) };
        let list = List::of_pulled(pulled, &folder.join(VOCABULARIES));
        Ok(Some(Self { folder: folder.to_owned(), list }))
    }

    /// The members, each with its folder.
    pub(crate) fn folders(&self) -> impl Iterator<Item = (&str, PathBuf)> {
        let members = self.list.members.iter().map(|listed| &listed.member);
        members.map(|member| (member.name.as_str(), self.folder.join(member.folder())))
    }

    /// The folders of the members that a request asks, by name, and what they cover: all that have what it names, or of
    /// those whose words fit a text, the best `most`. Of members whose names `is_wanted` does not accept none is asked.
    #[must_use]
    pub fn choose(
        &self,
        request: &dyn Request,
        is_wanted: impl Fn(&str) -> bool,
        most: usize,
    ) -> (Vec<PathBuf>, Coverage) {
        let may_be_asked = |listed: &&Listed| {
            let name = &listed.member.name;
            is_wanted(name) && is_of_repositories(name, request.repositories())
        };
        let (members, other_states) = one_state_each(self.list.members.iter().filter(may_be_asked));
        let described: Vec<Described<'_>> = members.iter().map(|listed| listed.described()).collect();
        let Choice { members: order, is_complete } = choose(request, &described);
        let mut order: Vec<_> = order.into_iter().map(|at| members[at]).collect();
        // Without vocabularies the order says nothing.
        let mut left_out =
            if is_complete || request.leads_further() || members.iter().all(|listed| !listed.has_vocabulary()) {
                Vec::new()
            } else {
                order.split_off(order.len().min(most))
            };
        let coverage = Coverage {
            indexes: self.list.members.len(),
            asked: order.iter().map(|listed| listed.member.name.clone()).collect(),
            not_asked: left_out.drain(..).map(|listed| listed.member.name.clone()).collect(),
            not_asked_are_less_likely: !is_complete,
            other_states,
            how: HowToAsk::Options,
            ..Coverage::default()
        };
        order.sort_by(|a, b| a.member.name.cmp(&b.member.name));
        (order.into_iter().map(|listed| self.folder.join(listed.member.folder())).collect(), coverage)
    }
}

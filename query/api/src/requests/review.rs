//! `review`: what to look at in a change.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_format::ids::SymbolId;
use sextant_search::duplicates::repeated_functions;
use sextant_search::navigate::{AddedText, Navigator, Relation, TraversalOptions, added_texts, parse_diff};
use sextant_search::similarity::{FileName, Novelty, Similarity};
use sextant_search::{DirtyFiles, Index};

use super::affected::{affected_tests, near_tests};
use super::defaults::{sure, twenty};
use super::graph::Reach;
use super::{Request, Subject};
use crate::index_set::Answer;
use crate::responses::{Body, Response, ReviewAnswer, ReviewParts};
use crate::{Error, IndexSet, Result};

/// Fewer added lines say nothing about novelty or copies.
const MIN_ADDED_LINES: usize = 6;

/// Parameters of `review`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// A git diff from the indexed state; the command line reads it from standard input
    #[arg(skip)]
    pub diff: String,
    /// Maximum number of results of each kind
    #[arg(short = 'n', long, default_value_t = twenty(), value_parser = clap::value_parser!(u16).range(1..))]
    #[serde(default = "twenty")]
    pub limit: u16,
    /// Ignore edges below this confidence, 0 to 1; guesses by a name alone are below 0.5
    #[arg(long, default_value_t = sure(), value_name = "0..1")]
    #[serde(default = "sure")]
    pub min_confidence: f32,
}

impl Request for Review {
    fn subject(&self) -> Subject {
        Subject::of_diff(&self.diff)
    }

    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        let changes = parse_diff(&self.diff);
        let added = added_texts(&self.diff);
        if changes.is_empty() && added.is_empty() && !self.diff.trim().is_empty() {
            return Err(Error::Parameter("the diff is not in git's format; pipe 'git diff'".to_owned()));
        }
        indexes.answer_each(|index, dirty_files| self.review(index, dirty_files, &added))
    }
}

impl Review {
    fn review(&self, index: &Index, dirty_files: &DirtyFiles, added: &[AddedText]) -> Result<Answer> {
        let navigator = Navigator::new(index);
        let (ids, unknown) = navigator.touched_symbols(&parse_diff(&self.diff))?;
        let start = navigator.definitions(&ids)?;
        let limit = usize::from(self.limit);
        let reach = Reach { depth: None, min_confidence: self.min_confidence, limit: self.limit };
        let affected = affected_tests(navigator, &start, &reach)?;
        let near = near_tests(index, &start, &affected)?;
        let (tests, more_tests) = (affected.tests, affected.truncated);
        let touched: BTreeSet<SymbolId> = ids.iter().copied().collect();
        // The limit applies to callers that are neither tests nor changed themselves, so the traversal has none.
        let options = TraversalOptions { depth: 1, min_confidence: self.min_confidence, limit: usize::MAX };
        let (mut callers, _) = navigator.reach(&ids, Relation::Callers, options)?;
        callers.retain(|caller| !caller.definition.is_test && !touched.contains(&caller.definition.symbol_id));
        let more_callers = callers.len() > limit;
        callers.truncate(limit);
        let mut changed: Vec<String> = parse_diff(&self.diff).into_iter().map(|change| change.path).collect();
        changed.extend(added.iter().map(|added| added.path.clone()));
        let mut missed = index.history()?.usual_companions(&changed);
        missed.truncate(limit);
        let (novelty, copies) = Self::compare(index, added, limit)?;
        let degraded = (!index.has_file_vectors()).then(|| {
            "the index has no vectors of files: novelty, near tests and repeated functions are unknown".to_owned()
        });
        let parts =
            ReviewParts { start, unknown, tests, more_tests, near, callers, more_callers, missed, novelty, copies };
        let answer = ReviewAnswer::new(parts, degraded.into_iter().collect(), dirty_files);
        let notes = answer.degraded.clone();
        Ok(Answer { body: Body::Review(Box::new(answer)), notes, found: true })
    }

    /// Compares added lines with the index: how new they are, and which functions they repeat, each with the file that
    /// repeats it.
    fn compare(
        index: &Index,
        added: &[AddedText],
        limit: usize,
    ) -> Result<(Novelty, Vec<(String, sextant_search::duplicates::Repeated)>)> {
        let Some(mut similarity) = Similarity::open(index)? else { return Ok(Default::default()) };
        if similarity.check_encoder().is_err() {
            return Ok(Default::default());
        }
        let repo = index.generation().manifest().repositories.first().map_or("", |repository| &repository.name);
        let large = added.iter().filter(|added| added.lines() >= MIN_ADDED_LINES);
        let texts: Vec<(FileName, String)> =
            large.map(|added| (FileName { repo: repo.to_owned(), path: added.path.clone() }, added.text())).collect();
        let except: Vec<(String, String)> =
            texts.iter().map(|(name, _)| (name.repo.clone(), name.path.clone())).collect();
        let mut copies = Vec::new();
        for (name, text) in &texts {
            for repeated in repeated_functions(index, text, &except)? {
                copies.push((name.path.clone(), repeated));
            }
        }
        copies.sort_by(|(_, a), (_, b)| b.share.total_cmp(&a.share));
        copies.truncate(limit);
        let mut novelty = similarity.novelty_of_texts(&texts)?;
        novelty.files.truncate(limit);
        Ok((novelty, copies))
    }
}

//! `affected`: the tests that a change can affect.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Deserialize;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::Kind;
use sextant_search::navigate::{
    self, MentionOptions, Navigator, ReachedSymbol, Relation, ResolvedName, TraversalOptions, parse_diff,
};
use sextant_search::similarity::{FileName, NearFile, Similarity};
use sextant_search::{Index, PathGlobs};

use super::call_notes::unfollowed_note;
use super::graph::{Reach, reach_answer};
use super::names::not_found;
use super::parameter::texts;
use super::{Request, Subject};
use crate::links::Links;
use crate::responses::{ReachAnswer, Response};
use crate::{Error, IndexSet, Result};

/// The default number of edges between a change and a test in `affected`.
const AFFECTED_DEPTH: u32 = 6;

/// Parameters of `affected`.
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct Affected {
    /// Symbols and files; without any, the command line reads a diff from standard input
    #[arg(value_name = "NAME")]
    #[serde(default, deserialize_with = "texts")]
    pub names: Vec<String>,
    /// A git diff from the indexed state
    #[arg(skip)]
    pub diff: Option<String>,
    /// Limits of the traversal.
    #[command(flatten)]
    #[serde(flatten)]
    pub reach: Reach,
}

impl Request for Affected {
    fn subject(&self) -> Subject {
        match &self.diff {
            Some(diff) if self.names.is_empty() => Subject::of_diff(diff),
            _ => Subject::Names(self.names.clone()),
        }
    }

    fn leads_further(&self) -> bool {
        true
    }

    fn run(&self, indexes: &IndexSet) -> Result<Response> {
        let starts = indexes.indexes.iter().map(|named| self.start(&named.index));
        let starts: Vec<Start> = starts.collect::<Result<_>>()?;
        let elsewhere = self.tests_of_others(indexes, &starts)?;
        indexes.answer_numbered(|at, index, dirty_files| {
            let Start { definitions, notes, missing } = starts[at].clone();
            let others = elsewhere[at].clone();
            if let Some((name, resolved)) = missing.filter(|_| others.is_empty()) {
                return Ok(not_found(&name, resolved));
            }
            let found = affected_tests(Navigator::new(index), &definitions, &self.reach)?;
            let near = near_tests(index, &definitions, &found)?;
            let AffectedTests { tests, truncated, users, .. } = found;
            let walk = self.reach.traversal(AFFECTED_DEPTH);
            let navigator = Navigator::new(index);
            let unfollowed = unfollowed_note(navigator, &definitions, walk)?;
            let mentions = if tests.is_empty() { unexplained_lines(navigator, &definitions, walk)? } else { None };
            let unseen = tests.is_empty().then(|| unseen_note(&users, mentions, walk));
            let mut answer = ReachAnswer::new("affected", definitions, Vec::new(), tests, truncated, dirty_files);
            answer.add_linked(Vec::new(), others, usize::from(self.reach.limit), dirty_files);
            let mut answer = reach_answer(answer.with_near_tests(near, dirty_files), self.reach.min_confidence);
            answer.notes.splice(0..0, notes);
            answer.notes.extend(unfollowed);
            answer.notes.extend(unseen.filter(|_| !answer.found));
            Ok(answer)
        })
    }
}

/// What changes in one index.
#[derive(Clone, Default)]
struct Start {
    definitions: Vec<navigate::Definition>,
    notes: Vec<String>,
    /// The first name that the index does not define.
    missing: Option<(String, ResolvedName)>,
}

impl Affected {
    fn start(&self, index: &Index) -> Result<Start> {
        let navigator = Navigator::new(index);
        let mut start = Start::default();
        if let Some(diff) = &self.diff {
            let changes = parse_diff(diff);
            if changes.is_empty() && self.names.is_empty() {
                let message = "the diff changes no file that existed before; name symbols or files, or pipe 'git diff'";
                return Err(Error::Parameter(message.to_owned()));
            }
            let (ids, unknown) = navigator.touched_symbols(&changes)?;
            let note = |path: &String| format!("the index has no symbol at the changed lines of {path}");
            start.notes.extend(unknown.iter().map(note));
            start.definitions.extend(navigator.definitions(&ids)?);
        } else if self.names.is_empty() {
            return Err(Error::Parameter("name symbols or files, or pass a diff".to_owned()));
        }
        for name in &self.names {
            let resolved = navigator.resolve(name)?;
            if resolved.definitions.is_empty() {
                start.missing = Some((name.clone(), resolved));
                break;
            }
            start.definitions.extend(resolved.definitions);
        }
        Ok(start)
    }

    /// For each index, its tests of what changes in others.
    fn tests_of_others(&self, indexes: &IndexSet, starts: &[Start]) -> Result<Vec<Vec<ReachedSymbol>>> {
        let Some(links) = Links::new(indexes) else { return Ok(vec![Vec::new(); starts.len()]) };
        let ids = |start: &Start| start.definitions.iter().map(|d| d.symbol_id).collect();
        let ids: Vec<Vec<SymbolId>> = starts.iter().map(ids).collect();
        let all = TraversalOptions { limit: usize::MAX, ..self.reach.traversal(AFFECTED_DEPTH) };
        let linked = links.reached(Relation::Impact, &ids, all)?.into_iter();
        let is_test = |reached: &ReachedSymbol| reached.definition.is_test && reached.definition.kind != Kind::File;
        Ok(linked.map(|linked| linked.reached.into_iter().filter(is_test).collect()).collect())
    }
}

/// Near test files that `affected` adds at most.
const MAX_NEAR_TESTS: usize = 5;
/// Their lowest cosine with the changed file.
const MIN_NEAR_TEST: f32 = 0.6;

/// Returns test files whose vectors are near to those of the files of symbols, without files in which `tests` are and
/// files that change themselves; none for an index without vectors of files.
pub(super) fn near_tests(
    index: &Index,
    start: &[navigate::Definition],
    tests: &AffectedTests,
) -> Result<Vec<NearFile>> {
    let Some(similarity) = Similarity::open(index)? else { return Ok(Vec::new()) };
    let changed: BTreeSet<FileName> = start.iter().filter(|d| !d.is_test).map(file_name).collect();
    let known: BTreeSet<FileName> = start.iter().map(file_name).chain(tests.files.iter().cloned()).collect();
    Ok(similarity.near_tests(&changed, &known, MIN_NEAR_TEST, MAX_NEAR_TESTS)?)
}

fn file_name(definition: &navigate::Definition) -> FileName {
    FileName { repo: definition.repo.clone(), path: definition.path.clone() }
}

/// The tests that a change can affect.
pub(super) struct AffectedTests {
    /// The tests, up to the limit.
    pub(super) tests: Vec<ReachedSymbol>,
    /// Whether there are more.
    pub(super) truncated: bool,
    /// The files of all of them.
    files: BTreeSet<FileName>,
    /// What else the change reaches, nearest first.
    users: Vec<ReachedSymbol>,
}

/// Functions that are named where no test was found.
const MAX_NAMED_USERS: usize = 3;

/// Functions whose names are looked for in lines without an edge.
const MAX_MENTIONED: usize = 5;
/// A name in more chunks than this is not looked for.
const MAX_MENTION_CHUNKS: usize = 200;

/// How many lines mention some functions without an edge; none if they are not all looked for.
fn unexplained_lines(
    navigator: Navigator<'_>,
    functions: &[navigate::Definition],
    walk: TraversalOptions,
) -> Result<Option<usize>> {
    let paths = PathGlobs::default();
    let (min_confidence, max_chunks) = (walk.min_confidence, MAX_MENTION_CHUNKS);
    let options = MentionOptions { paths: &paths, min_confidence, max_chunks, limit: 0 };
    let names: BTreeSet<&str> = functions.iter().filter(|d| d.kind.is_callable()).map(|d| d.name.as_str()).collect();
    if names.len() > MAX_MENTIONED {
        return Ok(None);
    }
    let lines: Vec<_> = names.into_iter().map(|name| navigator.mentions(name, options)).collect::<Result<_, _>>()?;
    Ok(lines.into_iter().map(|found| Some(found?.total)).sum())
}

/// Says what is known where no test was found: what else uses the symbols, how many lines mention them without an edge,
/// and which tests cannot be seen.
fn unseen_note(users: &[ReachedSymbol], mentions: Option<usize>, walk: TraversalOptions) -> String {
    let (depth, confidence) = (walk.depth, walk.min_confidence);
    let functions: Vec<&ReachedSymbol> = users.iter().filter(|user| user.definition.kind.is_callable()).collect();
    let outermost = functions.iter().rev().take(MAX_NAMED_USERS);
    let names: Vec<String> = outermost.map(|user| user.definition.qualified_name.clone()).collect();
    let others = match (functions.len(), mentions) {
        (0, None) => {
            "no other function does either; lines that mention it without an edge were not looked for".to_owned()
        }
        (0, Some(0)) => "no other function does either, and no line mentions it without an edge".to_owned(),
        (0, Some(lines)) => format!("lines that mention it without an edge: {lines}, which 'callers' lists"),
        (count, _) => format!("{count} other functions do, the outermost: {}", names.join(", ")),
    };
    format!(
        "no test reaches it by at most {depth} edges of confidence {confidence} or more; {others}. Tests that go through \
         HTTP or another process, reflection or a framework are not seen"
    )
}

/// Returns the tests that a change to symbols can affect.
pub(super) fn affected_tests(
    navigator: Navigator<'_>,
    start: &[navigate::Definition],
    reach: &Reach,
) -> Result<AffectedTests> {
    let ids: Vec<SymbolId> = start.iter().map(|d| d.symbol_id).collect();
    // The limit applies to tests, so the traversal itself has none.
    let all = TraversalOptions { limit: usize::MAX, ..reach.traversal(AFFECTED_DEPTH) };
    let (reached, _) = navigator.reach(&ids, Relation::Impact, all)?;
    let (mut tests, users): (Vec<ReachedSymbol>, Vec<ReachedSymbol>) =
        reached.into_iter().partition(|reached| reached.definition.is_test);
    // A file symbol stands for its top-level code; omit it if one of the file's tests is listed.
    let files_with_tests: BTreeSet<(String, String)> = tests
        .iter()
        .map(|r| &r.definition)
        .filter(|d| d.kind != Kind::File)
        .map(|d| (d.repo.clone(), d.path.clone()))
        .collect();
    tests.retain(|r| {
        r.definition.kind != Kind::File
            || !files_with_tests.contains(&(r.definition.repo.clone(), r.definition.path.clone()))
    });
    let files = tests.iter().map(|reached| file_name(&reached.definition)).collect();
    let limit = usize::from(reach.limit);
    let truncated = tests.len() > limit;
    tests.truncate(limit);
    Ok(AffectedTests { tests, truncated, files, users })
}

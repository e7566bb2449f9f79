//! Asks the servers of some symbols, all servers at the same time.

use std::collections::BTreeMap;
use std::thread::scope;
use std::time::Instant;

use sextant_checkout::Encoding;
use sextant_format::digest::Digest;
use sextant_search::Result;
use sextant_search::hybrid::{Asked, Node};

use super::files::{Files, LiveFile};
use crate::Failure;
use crate::cache::Cache;
use crate::operations::{self, At, Place};
use crate::pool::{Pool, ServerFor};
use crate::session::Phase;

/// Places with the unit of their columns, or why there are none.
pub(super) type Places = Asked<(Encoding, Vec<Place>)>;

/// What servers answered about one symbol.
#[derive(Clone)]
pub(super) struct RawRelations {
    pub(super) references: Places,
    pub(super) callers: Places,
}

/// A symbol's place, as its server is asked about it.
struct Question {
    /// The position of the symbol among those that are asked about.
    node: usize,
    at: At,
    digest: Digest,
    text: String,
}

/// Asks servers, and keeps what they say.
pub(super) struct Asker {
    pub(super) pool: Pool,
    places: Cache<Vec<Place>>,
}

impl Asker {
    pub(super) const fn new(pool: Pool) -> Self {
        Self { pool, places: Cache::new() }
    }

    /// Asks for the references and callers of symbols.
    pub(super) fn relations(&self, files: &Files<'_>, nodes: &[Node], deadline: Instant) -> Result<Vec<RawRelations>> {
        let mut answers: Vec<Option<RawRelations>> = vec![None; nodes.len()];
        // One group for each server and workspace, which the address of the session stands for.
        let mut groups: BTreeMap<u32, (ServerFor, Vec<Question>)> = BTreeMap::new();
        for (at, node) in nodes.iter().enumerate() {
            match self.question(files, at, node, deadline)? {
                Ok((server, question)) => {
                    groups.entry(server.session.process_id()).or_insert_with(|| (server, Vec::new())).1.push(question);
                }
                Err(why) => answers[at] = Some(RawRelations { references: Err(why.clone()), callers: Err(why) }),
            }
        }
        scope(|threads| {
            let ask = |(server, questions): &(ServerFor, Vec<Question>)| self.ask_server(server, questions, deadline);
            let asked: Vec<_> = groups.values().map(|group| threads.spawn(move || ask(group))).collect();
            for ((_, questions), asked) in groups.values().zip(asked) {
                let found = asked.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                for (question, found) in questions.iter().zip(found) {
                    answers[question.node] = Some(found);
                }
            }
        });
        let none = || Err("nothing was asked".to_owned());
        Ok(answers.into_iter().map(|a| a.unwrap_or(RawRelations { references: none(), callers: none() })).collect())
    }

    /// The server of a symbol and where the symbol is for it; or why it cannot be asked.
    fn question(
        &self,
        files: &Files<'_>,
        at: usize,
        node: &Node,
        deadline: Instant,
    ) -> Result<Asked<(ServerFor, Question)>> {
        let Some(file) = files.of(node)? else {
            let why = if files.roots.iter().any(|root| root.repository == node.repo) {
                format!("{} is not in the checkout", node.path)
            } else {
                format!("no checkout of {} was found", node.repo)
            };
            return Ok(Err(why));
        };
        let server = match self.pool.server_for(&node.language, &file.root.folder, &file.path) {
            Ok(server) => server,
            Err(why) => return Ok(Err(why)),
        };
        match server.session.wait_until_ready(deadline) {
            Phase::Ready => {}
            Phase::Starting => return Ok(Err(format!("{} is starting", server.name))),
            Phase::Indexing(what) => return Ok(Err(format!("{} is not ready: {what}", server.name))),
            Phase::Ended(why) => return Ok(Err(format!("{} ended: {why}", server.name))),
        }
        let Some((line, column)) = name_place(node, &file, server.session.encoding()) else {
            return Ok(Err(format!("{} was edited since the index was built", node.path)));
        };
        let at_name = At { file: file.path.clone(), line, column };
        let question = Question { node: at, at: at_name, digest: file.digest, text: file.text.clone() };
        Ok(Ok((server, question)))
    }

    /// Asks one server about its symbols.
    fn ask_server(&self, server: &ServerFor, questions: &[Question], deadline: Instant) -> Vec<RawRelations> {
        for question in questions {
            // A failure shows in the answers.
            let _ = server.session.open(&question.at.file, &server.language, &question.text);
        }
        let references = self.cached(server, "references", questions, |places| {
            operations::references(&server.session, places, deadline)
        });
        let callers =
            self.cached(server, "callers", questions, |places| operations::callers(&server.session, places, deadline));
        references.into_iter().zip(callers).map(|(references, callers)| RawRelations { references, callers }).collect()
    }

    /// Answers from the cache, the others by asking.
    fn cached(
        &self,
        server: &ServerFor,
        operation: &'static str,
        questions: &[Question],
        ask: impl FnOnce(&[At]) -> Vec<std::result::Result<Vec<Place>, Failure>>,
    ) -> Vec<Places> {
        let now = Instant::now();
        let key = |question: &Question| {
            let At { file, line, column } = &question.at;
            (operation, file.clone(), question.digest, *line, *column)
        };
        let known: Vec<Option<Vec<Place>>> =
            questions.iter().map(|question| self.places.get(&key(question), now)).collect();
        let unknown: Vec<At> =
            questions.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(q, _)| q.at.clone()).collect();
        let asked = if unknown.is_empty() { Vec::new() } else { ask(&unknown) };
        self.pool.note(server, &asked);
        let mut asked = asked.into_iter();
        let encoding = server.session.encoding();
        let answer = |(question, known): (&Question, Option<Vec<Place>>)| {
            if let Some(places) = known {
                return Ok((encoding, places));
            }
            match asked.next().unwrap_or(Err(Failure::TimedOut)) {
                Ok(places) => {
                    self.places.insert(key(question), places.clone(), now);
                    Ok((encoding, places))
                }
                Err(failure) => Err(format!("{}: {failure}", server.name)),
            }
        };
        questions.iter().zip(known).map(answer).collect()
    }
}

/// Where a symbol's name is now, in the server's terms; `None` if its line was edited.
fn name_place(node: &Node, file: &LiveFile, encoding: Encoding) -> Option<(u32, u32)> {
    let line = node.name_at.line.checked_sub(1)?;
    let now = match (&node.symbol, &file.indexed) {
        (Some(_), Some((_, text))) => text.line_now(line)?,
        _ => line,
    };
    let byte = usize::try_from(node.name_at.column).ok()?;
    Some((now, encoding.column(file.line(now)?, byte)))
}

//! Puts questions about symbols to their servers, all servers at the same time, and keeps the answers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread::scope;
use std::time::Instant;

use sextant_format::digest::Digest;
use sextant_protocol::Encoding;
use sextant_search::Result;
use sextant_search::live::{Asked, Node};
use sextant_servers::operations::{self, At, Place, WorkspaceItem};
use sextant_servers::{Failure, Phase, Pool, ServerFor};

use crate::cache::Cache;
use crate::files::{Files, LiveFile};

/// Places with the unit of their columns, or why there are none.
pub(super) type Places = Asked<(Encoding, Vec<Place>)>;

/// What a server answered about one symbol: references and callers.
pub(super) type RawRelations = (Places, Places);

/// A symbol's place, as its server is asked about it.
struct Question {
    /// The position of the symbol among those that are asked about.
    node: usize,
    at: At,
    digest: Digest,
    text: String,
}

/// The position of a symbol among those that are asked about, and its file.
type Located = (usize, Arc<LiveFile>);

/// Asks servers, and keeps what they say.
pub(super) struct Asker {
    pub(super) pool: Pool,
    places: Cache<Vec<Place>>,
    texts: Cache<Option<String>>,
}

impl Asker {
    pub(super) const fn new(pool: Pool) -> Self {
        Self { pool, places: Cache::new(), texts: Cache::new() }
    }

    /// Asks about symbols, all servers at the same time: `ask` puts the questions to one of them and answers each.
    fn ask<T: Send>(
        &self,
        files: &Files<'_>,
        nodes: &[Node],
        deadline: Instant,
        ask: impl Fn(&ServerFor, &[Question]) -> Vec<T> + Sync,
    ) -> Result<Vec<Asked<T>>> {
        let mut answers: Vec<Asked<T>> = nodes.iter().map(|_| Err("nothing was asked".to_owned())).collect();
        // One group for each server and workspace, which the id of the process stands for. All are started before one is
        // waited for.
        let mut groups: BTreeMap<u32, (ServerFor, Vec<Located>)> = BTreeMap::new();
        for (at, node) in nodes.iter().enumerate() {
            match self.server_of(files, node)? {
                Ok((server, file)) => {
                    let id = server.session.process_id();
                    groups.entry(id).or_insert_with(|| (server, Vec::new())).1.push((at, file));
                }
                Err(why) => answers[at] = Err(why),
            }
        }
        let ask = |server: &ServerFor, symbols: &[Located]| -> Vec<(usize, Asked<T>)> {
            if let Err(why) = ready(server, deadline) {
                return symbols.iter().map(|&(at, _)| (at, Err(why.clone()))).collect();
            }
            let encoding = server.session.encoding();
            let (mut questions, mut found) = (Vec::new(), Vec::new());
            for (at, file) in symbols {
                match question(*at, &nodes[*at], file, encoding) {
                    Ok(question) => questions.push(question),
                    Err(why) => found.push((*at, Err(why))),
                }
            }
            for question in &questions {
                // A failure shows in the answers.
                let _ = server.session.open(&question.at.file, &server.language, &question.text);
            }
            let asked = ask(server, &questions);
            found.extend(questions.iter().zip(asked).map(|(question, answer)| (question.node, Ok(answer))));
            found
        };
        scope(|threads| {
            let ask = &ask;
            let asked: Vec<_> =
                groups.values().map(|(server, symbols)| threads.spawn(move || ask(server, symbols))).collect();
            for asked in asked {
                for (at, answer) in asked.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)) {
                    answers[at] = answer;
                }
            }
        });
        Ok(answers)
    }

    /// Asks for the references and callers of symbols.
    pub(super) fn relations(
        &self,
        files: &Files<'_>,
        nodes: &[Node],
        deadline: Instant,
    ) -> Result<Vec<Asked<RawRelations>>> {
        self.ask(files, nodes, deadline, |server, questions| {
            let references = self.references_of(server, questions, deadline);
            let callers = self.cached(&self.places, server, "callers", questions, |places| {
                operations::callers(&server.session, places, deadline)
            });
            let encoding = server.session.encoding();
            let callers = callers.into_iter().map(|callers| Ok((encoding, callers?)));
            references.into_iter().zip(callers).collect()
        })
    }

    /// Asks for the references of symbols.
    pub(super) fn references(&self, files: &Files<'_>, nodes: &[Node], deadline: Instant) -> Result<Vec<Places>> {
        let answers =
            self.ask(files, nodes, deadline, |server, questions| self.references_of(server, questions, deadline))?;
        Ok(answers.into_iter().map(Asked::flatten).collect())
    }

    fn references_of(&self, server: &ServerFor, questions: &[Question], deadline: Instant) -> Vec<Places> {
        let encoding = server.session.encoding();
        let references = self.cached(&self.places, server, "references", questions, |places| {
            operations::references(&server.session, places, deadline)
        });
        references.into_iter().map(|references| Ok((encoding, references?))).collect()
    }

    /// Asks for the definitions of symbols.
    pub(super) fn definitions(&self, files: &Files<'_>, nodes: &[Node], deadline: Instant) -> Result<Vec<Places>> {
        let answers = self.ask(files, nodes, deadline, |server, questions| {
            let encoding = server.session.encoding();
            let found = self.cached(&self.places, server, "definitions", questions, |places| {
                operations::definitions(&server.session, places, deadline)
            });
            found.into_iter().map(|found| Ok((encoding, found?))).collect::<Vec<Places>>()
        })?;
        Ok(answers.into_iter().map(Asked::flatten).collect())
    }

    /// Asks for descriptions of symbols.
    pub(super) fn hovers(
        &self,
        files: &Files<'_>,
        nodes: &[Node],
        deadline: Instant,
    ) -> Result<Vec<Asked<Option<String>>>> {
        let answers = self.ask(files, nodes, deadline, |server, questions| {
            self.cached(&self.texts, server, "hover", questions, |places| {
                operations::hovers(&server.session, places, deadline)
            })
        })?;
        Ok(answers.into_iter().map(Asked::flatten).collect())
    }

    /// Asks the server of a language for the symbols of exactly a name. A server that reads no project until a file of it
    /// is open gets `file`.
    pub(super) fn symbols(
        &self,
        name: &str,
        language: &str,
        file: &LiveFile,
        deadline: Instant,
    ) -> Asked<(Encoding, Vec<WorkspaceItem>)> {
        let server = self.pool.server_for(language, &file.root.folder, &file.path)?;
        ready(&server, deadline)?;
        let _ = server.session.open(&file.path, &server.language, &file.text);
        let outcome = operations::workspace_symbols(&server.session, name, deadline);
        self.pool.note(&server, std::slice::from_ref(&outcome));
        let mut items = outcome.map_err(|failure| format!("{}: {failure}", server.name))?;
        items.retain(|item| item.name.split('(').next() == Some(name));
        Ok((server.session.encoding(), items))
    }

    /// The server of a symbol, started if need be, and the symbol's file; or why it cannot be asked.
    fn server_of(&self, files: &Files<'_>, node: &Node) -> Result<Asked<(ServerFor, Arc<LiveFile>)>> {
        let Some(file) = files.of(node)? else {
            let why = if files.roots.iter().any(|root| root.repository == node.repo) {
                format!("{} is not in the checkout", node.path)
            } else {
                format!("no checkout of {} was found", node.repo)
            };
            return Ok(Err(why));
        };
        Ok(self.pool.server_for(&node.language, &file.root.folder, &file.path).map(|server| (server, file)))
    }

    /// Answers from the cache, the others by asking.
    fn cached<T: Clone>(
        &self,
        cache: &Cache<T>,
        server: &ServerFor,
        operation: &'static str,
        questions: &[Question],
        ask: impl FnOnce(&[At]) -> Vec<std::result::Result<T, Failure>>,
    ) -> Vec<Asked<T>> {
        let now = Instant::now();
        let key = |question: &Question| {
            let At { file, line, column } = &question.at;
            (operation, file.clone(), question.digest, *line, *column)
        };
        let known: Vec<Option<T>> = questions.iter().map(|question| cache.get(&key(question), now)).collect();
        let unknown: Vec<At> =
            questions.iter().zip(&known).filter(|(_, known)| known.is_none()).map(|(q, _)| q.at.clone()).collect();
        let asked = if unknown.is_empty() { Vec::new() } else { ask(&unknown) };
        self.pool.note(server, &asked);
        let mut asked = asked.into_iter();
        let answer = |(question, known): (&Question, Option<T>)| {
            if let Some(answer) = known {
                return Ok(answer);
            }
            match asked.next().unwrap_or(Err(Failure::TimedOut)) {
                Ok(answer) => {
                    cache.insert(key(question), answer.clone(), now);
                    Ok(answer)
                }
                Err(failure) => Err(format!("{}: {failure}", server.name)),
            }
        };
        questions.iter().zip(known).map(answer).collect()
    }
}

/// Waits until a server is ready; or why it is not.
fn ready(server: &ServerFor, deadline: Instant) -> Asked<()> {
    match server.session.wait_until_ready(deadline) {
        Phase::Ready => Ok(()),
        Phase::Starting => Err(format!("{} is starting", server.name)),
        Phase::Indexing(what) => Err(format!("{} is not ready: {what}", server.name)),
        Phase::Ended(why) => Err(format!("{} ended: {why}", server.name)),
    }
}

/// A symbol as its server is asked about it; or why it cannot be.
fn question(at: usize, node: &Node, file: &LiveFile, encoding: Encoding) -> Asked<Question> {
    let Some((line, column)) = name_place(node, file, encoding) else {
        return Err(format!("{} was edited since the index was built", node.path));
    };
    let at_name = At { file: file.path.clone(), line, column };
    Ok(Question { node: at, at: at_name, digest: file.digest, text: file.text.clone() })
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

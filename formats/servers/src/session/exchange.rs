//! What goes back and forth with a server: requests that wait for answers, what the server reports about its work, and
//! the answers that it gets to requests of its own.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sextant_protocol::Encoding;

use super::message::{self, AnswerContext, Incoming};
use super::phase::Phase;
use crate::Failure;
use crate::server::{Readiness, ServerSpec};

/// Requests of ours that may be under way.
const MAX_UNDER_WAY: usize = 10;
/// Time that a server has for one request.
const REQUEST_TIME: Duration = Duration::from_secs(2);
/// A server that is ready while it reports no work gets this long to begin a report.
const SETTLING_TIME: Duration = Duration::from_millis(150);
/// Messages that may wait to be read by the server.
const MAX_QUEUED: usize = 256;
/// Reports of work that are followed.
const MAX_REPORTS: usize = 1_000;
/// The id of the request that begins the handshake.
const INITIALIZE: i64 = 0;

/// The state of an exchange.
struct State {
    next_id: i64,
    /// Requests that were sent; `None` until the answer is there.
    pending: BTreeMap<i64, Option<Vec<u8>>>,
    /// The server's capabilities, once it has answered `initialize`.
    capabilities: Option<Value>,
    /// When it answered.
    initialized: Instant,
    /// The work that the server reports, by token.
    work: BTreeMap<String, String>,
    /// Whether it has reported any.
    has_reported: bool,
    /// The last state that `experimental/serverStatus` reported.
    quiescent: bool,
    /// Why there will be no more answers.
    ended: Option<String>,
    /// To the thread that writes; `None` once the session is closed.
    outgoing: Option<SyncSender<Vec<u8>>>,
}

/// An exchange of messages with one server.
pub(super) struct Exchange {
    state: Mutex<State>,
    /// An answer came, a request became possible, or the phase changed.
    changed: Condvar,
    to_write: Mutex<Option<Receiver<Vec<u8>>>>,
    ready: Readiness,
    keeps_requests: bool,
    workspace: String,
    settings: BTreeMap<String, Value>,
}

impl Exchange {
    pub(super) fn new(server: &ServerSpec, workspace: &str) -> Self {
        let (outgoing, to_write) = sync_channel(MAX_QUEUED);
        let state = State {
            next_id: INITIALIZE + 1,
            pending: BTreeMap::new(),
            capabilities: None,
            initialized: Instant::now(),
            work: BTreeMap::new(),
            has_reported: false,
            quiescent: false,
            ended: None,
            outgoing: Some(outgoing),
        };
        Self {
            state: Mutex::new(state),
            changed: Condvar::new(),
            to_write: Mutex::new(Some(to_write)),
            ready: server.ready,
            keeps_requests: server.keeps_requests,
            workspace: workspace.to_owned(),
            settings: server.settings.clone(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The messages to write, for the one thread that writes them.
    pub(super) fn take_outgoing(&self) -> Option<Receiver<Vec<u8>>> {
        self.to_write.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Begins the handshake.
    pub(super) fn initialize(&self, params: Value) {
        let mut state = self.state();
        state.pending.insert(INITIALIZE, None);
        let _ = state.write(message::request(INITIALIZE, "initialize", &params));
    }

    /// How far the server is.
    pub(super) fn phase(&self) -> Phase {
        self.state().phase(self.ready)
    }

    /// Waits until the server is ready or has ended, or until a time.
    pub(super) fn wait_until_ready(&self, deadline: Instant) -> Phase {
        let mut state = self.state();
        loop {
            let phase = state.phase(self.ready);
            let now = Instant::now();
            if matches!(phase, Phase::Ready | Phase::Ended(_)) || now >= deadline {
                return phase;
            }
            let time = if state.is_settling(now) { SETTLING_TIME.min(deadline - now) } else { deadline - now };
            state = self.changed.wait_timeout(state, time).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Whether the server has a capability: one that is there and not false.
    pub(super) fn can(&self, capability: &str) -> bool {
        let state = self.state();
        let value = state.capabilities.as_ref().and_then(|all| all.get(capability));
        value.is_some_and(|value| !matches!(value, Value::Null | Value::Bool(false)))
    }

    /// The unit of columns that the server chose.
    pub(super) fn encoding(&self) -> Encoding {
        let state = self.state();
        let chosen = state.capabilities.as_ref().and_then(|all| all.get("positionEncoding")).and_then(Value::as_str);
        if chosen == Some("utf-8") { Encoding::Utf8 } else { Encoding::Utf16 }
    }

    /// Sends a request as soon as fewer than ten are under way, and returns its id.
    pub(super) fn send(&self, method: &'static str, params: &Value, deadline: Instant) -> Result<i64, Failure> {
        let mut state = self.state();
        loop {
            if let Some(why) = &state.ended {
                return Err(Failure::Ended(why.clone()));
            }
            let now = Instant::now();
            if now >= deadline {
                return Err(Failure::TimedOut);
            }
            if state.pending.values().filter(|answer| answer.is_none()).count() < MAX_UNDER_WAY {
                break;
            }
            state = self.changed.wait_timeout(state, deadline - now).unwrap_or_else(PoisonError::into_inner).0;
        }
        let id = state.next_id;
        state.next_id += 1;
        state.write(message::request(id, method, params))?;
        state.pending.insert(id, None);
        Ok(id)
    }

    /// Sends a notification.
    pub(super) fn notify(&self, method: &str, params: &Value) -> Result<(), Failure> {
        self.state().write(message::notification(method, params))
    }

    /// Waits for the answer to a request, two seconds at most, or half of the time until a later deadline; without one the
    /// request is withdrawn.
    pub(super) fn wait<T: DeserializeOwned>(&self, id: i64, deadline: Instant) -> Result<T, Failure> {
        let now = Instant::now();
        let most = REQUEST_TIME.max(deadline.saturating_duration_since(now) / 2);
        let deadline = deadline.min(now + most);
        let mut state = self.state();
        loop {
            if let Some(Some(_)) = state.pending.get(&id) {
                let body = state.pending.remove(&id).flatten().unwrap_or_default();
                drop(state);
                return message::result(&body);
            }
            if let Some(why) = state.ended.clone() {
                state.pending.remove(&id);
                return Err(Failure::Ended(why));
            }
            let now = Instant::now();
            if now >= deadline {
                state.pending.remove(&id);
                if !self.keeps_requests {
                    let _ = state.write(message::notification("$/cancelRequest", &json!({ "id": id })));
                }
                self.changed.notify_all();
                return Err(Failure::TimedOut);
            }
            state = self.changed.wait_timeout(state, deadline - now).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes what the server sent.
    pub(super) fn receive(&self, body: Vec<u8>) -> Result<(), serde_json::Error> {
        let incoming = message::sort(body)?;
        let mut state = self.state();
        match incoming {
            Incoming::Answer { id: INITIALIZE, body } => {
                state.pending.remove(&INITIALIZE);
                match message::result::<Value>(&body) {
                    Ok(answer) => {
                        state.initialized = Instant::now();
                        state.capabilities = Some(answer.get("capabilities").cloned().unwrap_or(Value::Null));
                        let _ = state.write(message::notification("initialized", &json!({})));
                        let settings = json!({ "settings": self.settings });
                        let _ = state.write(message::notification("workspace/didChangeConfiguration", &settings));
                    }
                    Err(failure) => state.end(format!("it refused to be initialized: {failure}")),
                }
            }
            Incoming::Answer { id, body } => {
                // An answer that nobody waits for any more is dropped.
                if let Some(answer) = state.pending.get_mut(&id) {
                    *answer = Some(body);
                }
            }
            Incoming::Request { id, method, params } => {
                let context = AnswerContext { workspace: &self.workspace, settings: &self.settings };
                let _ = state.write(message::answer(&id, &method, &params, &context));
            }
            Incoming::Notification { method, params } => state.report(&method, &params),
            Incoming::Other => {}
        }
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    /// Ends the exchange: nothing more will come.
    pub(super) fn end(&self, why: &str) {
        self.state().end(why.to_owned());
        self.changed.notify_all();
    }

    /// Closes the stream to the server.
    pub(super) fn close(&self) {
        self.state().outgoing = None;
    }
}

impl State {
    fn phase(&self, ready: Readiness) -> Phase {
        if let Some(why) = &self.ended {
            return Phase::Ended(why.clone());
        }
        if self.capabilities.is_none() {
            return Phase::Starting;
        }
        let work = || self.work.values().next().cloned();
        match ready {
            Readiness::Answers => Phase::Ready,
            Readiness::Progress if self.is_settling(Instant::now()) => Phase::Indexing("settles".to_owned()),
            Readiness::Progress => work().map_or(Phase::Ready, Phase::Indexing),
            Readiness::Status if self.quiescent => Phase::Ready,
            Readiness::Status => Phase::Indexing(work().unwrap_or_else(|| "reads its workspace".to_owned())),
        }
    }

    /// Whether the server may still begin to report its work.
    fn is_settling(&self, now: Instant) -> bool {
        !self.has_reported && now.saturating_duration_since(self.initialized) < SETTLING_TIME
    }

    fn end(&mut self, why: String) {
        self.ended.get_or_insert(why);
        self.outgoing = None;
    }

    /// Queues a message. A server that does not read fills the queue, and is given up.
    fn write(&mut self, body: Vec<u8>) -> Result<(), Failure> {
        let sent = match &self.outgoing {
            Some(outgoing) => outgoing.try_send(body),
            None => Err(TrySendError::Disconnected(body)),
        };
        if let Err(TrySendError::Full(_)) = sent {
            self.end("it does not read what it is sent".to_owned());
        }
        match sent {
            Ok(()) => Ok(()),
            Err(_) => Err(Failure::Ended(self.ended.clone().unwrap_or_else(|| "it was closed".to_owned()))),
        }
    }

    /// Follows what the server reports about its work.
    fn report(&mut self, method: &str, params: &Value) {
        if method == "experimental/serverStatus" {
            self.quiescent = params.get("quiescent").and_then(Value::as_bool).unwrap_or(false);
            return;
        }
        let Some(token) = params.get("token").map(Value::to_string) else { return };
        let value = params.get("value");
        match value.and_then(|value| value.get("kind")).and_then(Value::as_str) {
            Some("begin") if self.work.len() < MAX_REPORTS => {
                let title = value.and_then(|value| value.get("title")).and_then(Value::as_str).unwrap_or("works");
                self.has_reported = true;
                self.work.insert(token, title.chars().take(80).collect());
            }
            Some("end") => drop(self.work.remove(&token)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::ServerTable;

    fn exchange(ready: &str) -> (Exchange, Receiver<Vec<u8>>) {
        let text =
            format!("[[server]]\nname = 'a'\ncommand = ['a']\nlanguages = {{ python = 'python' }}\nready = '{ready}'");
        let table = ServerTable::parse(&text).unwrap();
        let exchange = Exchange::new(table.for_language("python").next().unwrap(), "file:///w");
        let outgoing = exchange.take_outgoing().unwrap();
        exchange.initialize(Value::Null);
        (exchange, outgoing)
    }

    fn receive(exchange: &Exchange, message: &Value) {
        exchange.receive(message.to_string().into_bytes()).unwrap();
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_millis(20)
    }

    #[test]
    fn readiness_follows_what_the_server_reports() {
        let (exchange, _outgoing) = exchange("progress");
        assert_eq!(exchange.phase(), Phase::Starting);
        receive(
            &exchange,
            &json!({"id": 0, "result": {"capabilities": {"referencesProvider": true, "hoverProvider": false}}}),
        );
        assert!(matches!(exchange.phase(), Phase::Indexing(_)));
        assert_eq!(exchange.wait_until_ready(Instant::now() + 10 * SETTLING_TIME), Phase::Ready);
        assert!(exchange.can("referencesProvider") && !exchange.can("hoverProvider") && !exchange.can("x"));
        let report = |kind: &str| json!({"method": "$/progress", "params": {"token": 1, "value": {"kind": kind, "title": "Loading"}}});
        receive(&exchange, &report("begin"));
        assert_eq!(exchange.wait_until_ready(soon()), Phase::Indexing("Loading".to_owned()));
        receive(&exchange, &report("end"));
        assert_eq!(exchange.wait_until_ready(soon()), Phase::Ready);

        let (exchange, _outgoing) = super::tests::exchange("status");
        receive(&exchange, &json!({"id": 0, "result": {"capabilities": {"positionEncoding": "utf-8"}}}));
        assert!(matches!(exchange.phase(), Phase::Indexing(_)) && exchange.encoding() == Encoding::Utf8);
        receive(&exchange, &json!({"method": "experimental/serverStatus", "params": {"quiescent": true}}));
        assert_eq!(exchange.phase(), Phase::Ready);
    }

    #[test]
    fn ten_requests_are_under_way_and_late_answers_are_dropped() {
        let (exchange, outgoing) = exchange("answers");
        receive(&exchange, &json!({"id": 0, "result": {}}));
        let ids: Vec<i64> = (0..10).map(|_| exchange.send("m", &Value::Null, soon()).unwrap()).collect();
        assert_eq!(exchange.send("m", &Value::Null, soon()), Err(Failure::TimedOut));
        receive(&exchange, &json!({"id": ids[3], "result": "third"}));
        assert_eq!(exchange.wait::<String>(ids[3], soon()), Ok("third".to_owned()));
        assert!(exchange.send("m", &Value::Null, soon()).is_ok());
        // The request is withdrawn; its answer changes nothing.
        assert_eq!(exchange.wait::<String>(ids[0], soon()), Err(Failure::TimedOut));
        receive(&exchange, &json!({"id": ids[0], "result": "late"}));
        assert!(!exchange.state().pending.contains_key(&ids[0]));
        let sent: Vec<String> = outgoing.try_iter().map(|body| String::from_utf8(body).unwrap()).collect();
        assert!(sent.last().unwrap().contains("$/cancelRequest"), "{sent:?}");

        exchange.end("it crashed");
        assert_eq!(exchange.wait::<String>(ids[1], soon()), Err(Failure::Ended("it crashed".to_owned())));
        assert_eq!(exchange.phase(), Phase::Ended("it crashed".to_owned()));
    }

    #[test]
    fn a_server_that_does_not_read_is_given_up() {
        let (exchange, _outgoing) = exchange("answers");
        let mut outcomes = (0..MAX_QUEUED + 1).map(|_| exchange.notify("m", &Value::Null));
        assert!(outcomes.any(|outcome| outcome.is_err()));
        assert!(matches!(exchange.phase(), Phase::Ended(why) if why.contains("does not read")));
    }
}

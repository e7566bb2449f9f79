//! A running language server: its process, the handshake, requests with their deadlines, the documents that it knows,
//! and what it says about its readiness. Must not know indexes.
//!
//! Two threads belong to a session: one reads what the server writes, one writes what it reads, so that a server that
//! does neither can never block a caller. Both end when the process does, and the session joins them.

mod documents;
mod exchange;
mod frame;
mod message;
mod phase;
mod process;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::Failure;
use crate::server::ServerSpec;
use documents::Documents;
use exchange::Exchange;
use process::ServerProcess;

pub use phase::Phase;

/// Time that a server has to shut down.
const SHUTDOWN_TIME: Duration = Duration::from_millis(500);

/// A running language server.
pub struct Session {
    exchange: Arc<Exchange>,
    process: ServerProcess,
    documents: Documents,
}

impl Session {
    /// Starts a server and begins the handshake; [`Self::phase`] says how far it is.
    ///
    /// # Errors
    /// The program cannot be started.
    pub fn start(server: &ServerSpec, program: &Path, workspace: &Path) -> std::io::Result<Self> {
        let workspace_uri = sextant_protocol::uri_of_path(workspace).unwrap_or_default();
        let exchange = Arc::new(Exchange::new(server, &workspace_uri));
        let process = ServerProcess::start(program, &server.command[1..], workspace, &exchange)?;
        exchange.initialize(initialize_parameters(server, workspace, &workspace_uri));
        tracing::info!(server = server.name, workspace = %workspace.display(), "language server started");
        Ok(Self { exchange, process, documents: Documents::default() })
    }

    /// How far the server is.
    pub fn phase(&self) -> Phase {
        self.exchange.phase()
    }

    /// Waits until the server is ready or has ended, or until a time; returns how far it is then.
    pub fn wait_until_ready(&self, deadline: Instant) -> Phase {
        self.exchange.wait_until_ready(deadline)
    }

    /// Whether the server says that it has a capability.
    pub fn can(&self, capability: &str) -> bool {
        self.exchange.can(capability)
    }

    /// Whether columns are bytes; else they are UTF-16 code units.
    pub fn encoding(&self) -> sextant_protocol::Encoding {
        self.exchange.encoding()
    }

    /// Sends a request and waits for its answer.
    ///
    /// # Errors
    /// There is no answer.
    pub fn ask<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: &Value,
        deadline: Instant,
    ) -> Result<T, Failure> {
        let id = self.exchange.send(method, params, deadline)?;
        self.exchange.wait(id, deadline)
    }

    /// Sends requests one after the other, without waiting for answers in between, and returns the answers in their
    /// order. At most ten are under way.
    pub fn ask_all<T: DeserializeOwned>(
        &self,
        requests: &[(&'static str, Value)],
        deadline: Instant,
    ) -> Vec<Result<T, Failure>> {
        let sent: Vec<Result<i64, Failure>> =
            requests.iter().map(|(method, params)| self.exchange.send(method, params, deadline)).collect();
        sent.into_iter().map(|id| self.exchange.wait(id?, deadline)).collect()
    }

    /// Tells the server the text of a file, if it does not know it yet.
    ///
    /// # Errors
    /// The server has ended or does not read.
    pub fn open(&self, file: &Path, language: &str, text: &str) -> Result<(), Failure> {
        for (method, params) in self.documents.changes(file, language, text) {
            self.exchange.notify(method, &params)?;
        }
        Ok(())
    }

    /// The process's id.
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let mut deadline = Instant::now();
        if matches!(self.phase(), Phase::Ready | Phase::Indexing(_)) {
            deadline += SHUTDOWN_TIME;
            let _ = self.ask::<Value>("shutdown", &Value::Null, deadline);
            let _ = self.exchange.notify("exit", &Value::Null);
        }
        self.exchange.close();
        self.process.end(deadline);
    }
}

/// What the server learns about this client.
fn initialize_parameters(server: &ServerSpec, workspace: &Path, uri: &str) -> Value {
    let name = workspace.file_name().map_or_else(|| "workspace".to_owned(), |name| name.to_string_lossy().into_owned());
    json!({
        "processId": std::process::id(),
        "clientInfo": {"name": "sextant", "version": env!("CARGO_PKG_VERSION")},
        "rootUri": uri,
        "rootPath": workspace.to_string_lossy(),
        "workspaceFolders": [{"uri": uri, "name": name}],
        "initializationOptions": server.initialization,
        "capabilities": {
            "general": {"positionEncodings": ["utf-8", "utf-16"]},
            "window": {"workDoneProgress": true},
            "workspace": {"configuration": true, "symbol": {}, "workspaceFolders": true},
            "textDocument": {
                "synchronization": {},
                "references": {},
                "callHierarchy": {},
                "definition": {},
                "hover": {"contentFormat": ["plaintext", "markdown"]},
                "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
            },
            "experimental": {"serverStatusNotification": true},
        },
    })
}

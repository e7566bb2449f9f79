//! The server's loop: requests in the order of their arrival, each answered in milliseconds, so none waits for another.

use std::path::PathBuf;
use std::sync::Arc;

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, InitializeParams,
    PositionEncodingKind,
};
use serde_json::{Value, json};
use sextant_api::IndexSet;
use sextant_protocol::Encoding;

use crate::document::Document;
use crate::handlers;
use crate::workspace::{Workspace, path_of};
use crate::{Error, Result};

/// Serves one editor on standard input and output until it disconnects. `indexes` returns the current indexes; it is
/// called before each request.
///
/// # Errors
/// The client violates the protocol, or the index is damaged from the start.
pub fn serve_stdio(version: &str, indexes: &dyn Fn() -> Arc<IndexSet>) -> Result<()> {
    let (connection, threads) = Connection::stdio();
    let served = serve(&connection, version, indexes);
    // The writer ends when the last sender is gone.
    drop(connection);
    served?;
    threads.join().map_err(|error| Error::Protocol(error.to_string()))
}

fn serve(connection: &Connection, version: &str, indexes: &dyn Fn() -> Arc<IndexSet>) -> Result<()> {
    let protocol = |error: &dyn std::fmt::Display| Error::Protocol(error.to_string());
    let (id, parameters) = match connection.initialize_start() {
        Ok(started) => started,
        // An editor may disconnect before it sends anything.
        Err(error) if error.channel_is_disconnected() => return Ok(()),
        Err(error) => return Err(protocol(&error)),
    };
    let parameters: InitializeParams = serde_json::from_value(parameters).map_err(|error| protocol(&error))?;
    let encoding = encoding(&parameters);
    let answer = json!({
        "capabilities": capabilities(encoding),
        "serverInfo": {"name": "sextant", "version": version},
    });
    connection.initialize_finish(id, answer).map_err(|error| protocol(&error))?;
    let mut workspace = Workspace::new(indexes(), folders(&parameters), encoding)?;
    let missing = workspace.missing_repositories();
    if !missing.is_empty() {
        let text = format!("sextant: no folder of this window is a checkout of {}", missing.join(", "));
        let message = json!({"type": 2, "message": text});
        let _ = connection.sender.send(Notification::new("window/logMessage".to_owned(), message).into());
    }
    for message in &connection.receiver {
        match message {
            Message::Request(request) => {
                if connection.handle_shutdown(&request).map_err(|error| protocol(&error))? {
                    return Ok(());
                }
                let answer = match workspace.update(indexes()) {
                    Ok(()) => answer_to(&mut workspace, request),
                    Err(error) => Response::new_err(request.id, ErrorCode::RequestFailed as i32, error.to_string()),
                };
                if connection.sender.send(answer.into()).is_err() {
                    return Ok(());
                }
            }
            Message::Notification(notification) => notified(&mut workspace, notification),
            Message::Response(_) => {}
        }
    }
    Ok(())
}

/// Answers a request. An error is the answer to this request alone.
fn answer_to(workspace: &mut Workspace, Request { id, method, params }: Request) -> Response {
    let Some(handler) = handlers::handler(&method) else {
        return Response::new_err(id, ErrorCode::MethodNotFound as i32, format!("sextant does not know {method}"));
    };
    match handler(workspace, params) {
        Ok(result) => Response::new_ok(id, result),
        Err(handlers::Failure::Parameters(error)) => {
            Response::new_err(id, ErrorCode::InvalidParams as i32, error.to_string())
        }
        Err(handlers::Failure::Index(error)) => {
            tracing::warn!(%method, %error, "request failed");
            Response::new_err(id, ErrorCode::RequestFailed as i32, error.to_string())
        }
    }
}

/// Follows the documents that the editor has open. What cannot be read is ignored: a notification has no answer.
fn notified(workspace: &mut Workspace, Notification { method, params }: Notification) {
    match method.as_str() {
        "textDocument/didOpen" => {
            if let Ok(opened) = serde_json::from_value::<DidOpenTextDocumentParams>(params)
                && let Some(path) = path_of(&opened.text_document.uri)
            {
                workspace.documents.insert(path, Document { text: opened.text_document.text });
            }
        }
        "textDocument/didChange" => {
            if let Ok(changed) = serde_json::from_value::<DidChangeTextDocumentParams>(params)
                && let Some(path) = path_of(&changed.text_document.uri)
            {
                let encoding = workspace.encoding;
                if let Some(document) = workspace.documents.get_mut(&path) {
                    document.change(changed.content_changes, encoding);
                }
            }
        }
        "textDocument/didClose" => {
            if let Ok(closed) = serde_json::from_value::<DidCloseTextDocumentParams>(params)
                && let Some(path) = path_of(&closed.text_document.uri)
            {
                workspace.documents.remove(&path);
            }
        }
        _ => {}
    }
}

/// Bytes, if the client can count them; UTF-16 is what every client can.
fn encoding(parameters: &InitializeParams) -> Encoding {
    let general = parameters.capabilities.general.as_ref();
    let encodings = general.and_then(|general| general.position_encodings.as_ref());
    if encodings.is_some_and(|kinds| kinds.contains(&PositionEncodingKind::UTF8)) {
        Encoding::Utf8
    } else {
        Encoding::Utf16
    }
}

fn folders(parameters: &InitializeParams) -> Vec<PathBuf> {
    let folders = parameters.workspace_folders.iter().flatten().filter_map(|folder| path_of(&folder.uri));
    let mut folders: Vec<PathBuf> = folders.collect();
    #[expect(deprecated, reason = "older clients send only this")]
    if let (true, Some(root)) = (folders.is_empty(), &parameters.root_uri) {
        folders.extend(path_of(root));
    }
    if folders.is_empty() {
        folders.extend(std::env::current_dir());
    }
    folders
}

/// What the server can do. The types of the protocol's library lack hierarchies of types.
fn capabilities(encoding: Encoding) -> Value {
    let encoding = match encoding {
        Encoding::Utf8 => "utf-8",
        Encoding::Utf16 => "utf-16",
    };
    json!({
        "positionEncoding": encoding,
        // Changes are sent as edits.
        "textDocumentSync": {"openClose": true, "change": 2},
        "definitionProvider": true,
        "declarationProvider": true,
        "implementationProvider": true,
        "referencesProvider": true,
        "hoverProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "callHierarchyProvider": true,
        "typeHierarchyProvider": true,
    })
}

//! The requests of the protocol, one function each: parameters to result, as JSON.

mod hierarchy;
mod locate;
mod markdown;
mod navigation;
mod symbols;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::workspace::Workspace;

/// Why a request has no result.
pub(crate) enum Failure {
    /// Its parameters are invalid.
    Parameters(serde_json::Error),
    /// The index cannot answer.
    Index(crate::Error),
}

impl From<sextant_search::Error> for Failure {
    fn from(error: sextant_search::Error) -> Self {
        Self::Index(error.into())
    }
}

impl From<crate::Error> for Failure {
    fn from(error: crate::Error) -> Self {
        Self::Index(error)
    }
}

type Handler = fn(&mut Workspace, Value) -> Result<Value, Failure>;

/// Returns the function that answers a method.
pub(crate) fn handler(method: &str) -> Option<Handler> {
    Some(match method {
        "textDocument/definition" | "textDocument/declaration" => |w, p| answer(w, p, navigation::definition),
        "textDocument/implementation" => |w, p| answer(w, p, navigation::implementation),
        "textDocument/references" => |w, p| answer(w, p, navigation::references),
        "textDocument/hover" => |w, p| answer(w, p, navigation::hover),
        "textDocument/documentSymbol" => |w, p| answer(w, p, symbols::document_symbols),
        "workspace/symbol" => |w, p| answer(w, p, symbols::workspace_symbols),
        "textDocument/prepareCallHierarchy" => |w, p| answer(w, p, hierarchy::prepare_calls),
        "callHierarchy/incomingCalls" => |w, p| answer(w, p, hierarchy::incoming_calls),
        "callHierarchy/outgoingCalls" => |w, p| answer(w, p, hierarchy::outgoing_calls),
        "textDocument/prepareTypeHierarchy" => |w, p| answer(w, p, hierarchy::prepare_types),
        "typeHierarchy/supertypes" => |w, p| answer(w, p, hierarchy::supertypes),
        "typeHierarchy/subtypes" => |w, p| answer(w, p, hierarchy::subtypes),
        _ => return None,
    })
}

fn answer<P: DeserializeOwned, R: Serialize>(
    workspace: &mut Workspace,
    parameters: Value,
    handle: impl FnOnce(&mut Workspace, P) -> crate::Result<R>,
) -> Result<Value, Failure> {
    let parameters: P = serde_json::from_value(parameters).map_err(Failure::Parameters)?;
    serde_json::to_value(handle(workspace, parameters)?).map_err(Failure::Parameters)
}

//! Bodies of frames: which kind of message they are, and the typed results of answers.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::Failure;

/// What a server sent.
#[derive(Debug, PartialEq)]
pub(super) enum Incoming {
    /// The answer to our request with this id; the body is parsed by who asked.
    Answer { id: i64, body: Vec<u8> },
    /// A request of the server.
    Request { id: Value, method: String, params: Value },
    /// A notification that this client follows.
    Notification { method: String, params: Value },
    /// A message that does not matter here.
    Other,
}

#[derive(Deserialize)]
struct Head {
    id: Option<Value>,
    method: Option<String>,
}

#[derive(Deserialize)]
struct Params {
    #[serde(default)]
    params: Value,
}

/// Sorts a message. The content of answers, which may be large, is not kept as a tree.
pub(super) fn sort(body: Vec<u8>) -> Result<Incoming, serde_json::Error> {
    let head: Head = serde_json::from_slice(&body)?;
    Ok(match (head.method, head.id) {
        (Some(method), Some(id)) => {
            Incoming::Request { id, method, params: serde_json::from_slice::<Params>(&body)?.params }
        }
        (Some(method), None) if matches!(method.as_str(), "$/progress" | "experimental/serverStatus") => {
            Incoming::Notification { method, params: serde_json::from_slice::<Params>(&body)?.params }
        }
        (None, Some(id)) => id.as_i64().map_or(Incoming::Other, |id| Incoming::Answer { id, body }),
        _ => Incoming::Other,
    })
}

/// The result of an answer.
pub(super) fn result<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    #[derive(Deserialize)]
    struct Refusal {
        code: i64,
        #[serde(default)]
        message: String,
    }
    #[derive(Deserialize)]
    struct ErrorOnly {
        error: Option<Refusal>,
    }
    #[derive(Deserialize)]
    struct Answer<T> {
        result: T,
    }
    let invalid = |error: serde_json::Error| Failure::Invalid(error.to_string());
    if let Some(Refusal { code, mut message }) = serde_json::from_slice::<ErrorOnly>(body).map_err(invalid)?.error {
        message.truncate(message.floor_char_boundary(300));
        return Err(Failure::Refused { code, message });
    }
    Ok(serde_json::from_slice::<Answer<T>>(body).map_err(invalid)?.result)
}

/// The body of a request.
pub(super) fn request(id: i64, method: &str, params: &Value) -> Vec<u8> {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string().into_bytes()
}

/// The body of a notification.
pub(super) fn notification(method: &str, params: &Value) -> Vec<u8> {
    json!({"jsonrpc": "2.0", "method": method, "params": params}).to_string().into_bytes()
}

/// The body of our answer to a request of the server, which gets one for everything it asks: some wait for it.
pub(super) fn answer(id: &Value, method: &str, params: &Value, context: &AnswerContext<'_>) -> Vec<u8> {
    let result = match method {
        "workspace/configuration" => {
            let items = params.get("items").and_then(Value::as_array).into_iter().flatten();
            Ok(items.map(|item| context.setting(item.get("section").and_then(Value::as_str))).collect())
        }
        "workspace/workspaceFolders" => Ok(json!([{"uri": context.workspace, "name": "workspace"}])),
        "workspace/applyEdit" => Ok(json!({"applied": false, "failureReason": "this client only reads"})),
        "window/showDocument" => Ok(json!({"success": false})),
        "client/registerCapability"
        | "client/unregisterCapability"
        | "window/showMessageRequest"
        | "window/workDoneProgress/create" => Ok(Value::Null),
        method if method.starts_with("workspace/") && method.ends_with("/refresh") => Ok(Value::Null),
        _ => Err(json!({"code": -32601, "message": "this client does not support the request"})),
    };
    match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
    }
    .to_string()
    .into_bytes()
}

/// What answers to a server's requests need.
pub(super) struct AnswerContext<'a> {
    /// The workspace's URI.
    pub(super) workspace: &'a str,
    /// The server's settings by section.
    pub(super) settings: &'a std::collections::BTreeMap<String, Value>,
}

impl AnswerContext<'_> {
    /// The settings of a section, whose parts are separated by dots; null if there are none.
    fn setting(&self, section: Option<&str>) -> Value {
        let mut parts = section.unwrap_or_default().split('.');
        let mut found = parts.next().and_then(|part| self.settings.get(part));
        for part in parts {
            found = found.and_then(|found| found.get(part));
        }
        found.cloned().unwrap_or(Value::Null)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(value: &Value) -> Incoming {
        sort(value.to_string().into_bytes()).unwrap()
    }

    #[test]
    fn messages_are_sorted_by_their_fields() {
        let answer = json!({"id": 3, "result": [1]});
        assert_eq!(sorted(&answer), Incoming::Answer { id: 3, body: answer.to_string().into_bytes() });
        assert!(matches!(sorted(&json!({"id": "a", "method": "m"})), Incoming::Request { .. }));
        assert!(matches!(sorted(&json!({"method": "$/progress", "params": {}})), Incoming::Notification { .. }));
        assert_eq!(sorted(&json!({"method": "textDocument/publishDiagnostics"})), Incoming::Other);
        assert_eq!(sorted(&json!({"id": "ours?", "result": 1})), Incoming::Other);
        assert_eq!(sorted(&json!({})), Incoming::Other);
        assert!(sort(b"[1]".to_vec()).is_err() && sort(b"garbage".to_vec()).is_err());
    }

    #[test]
    fn results_and_refusals_are_told_apart() {
        let of = |value: &Value| result::<Option<Vec<u32>>>(value.to_string().as_bytes());
        assert_eq!(of(&json!({"id": 1, "result": [7]})), Ok(Some(vec![7])));
        assert_eq!(of(&json!({"id": 1, "result": null})), Ok(None));
        let refused = of(&json!({"id": 1, "error": {"code": -32601, "message": "no"}}));
        assert_eq!(refused, Err(Failure::Refused { code: -32601, message: "no".to_owned() }));
        assert!(matches!(of(&json!({"id": 1, "result": "text"})), Err(Failure::Invalid(_))));
    }

    #[test]
    fn every_request_of_a_server_gets_an_answer() {
        let settings = [("python".to_owned(), json!({"a": 1}))].into();
        let context = AnswerContext { workspace: "file:///w", settings: &settings };
        let of = |method: &str, params: &Value| -> Value {
            serde_json::from_slice(&answer(&json!("x"), method, params, &context)).unwrap()
        };
        let items = json!({"items": [{"section": "python"}, {"section": "python.a"}, {"section": "other"}, {}]});
        assert_eq!(of("workspace/configuration", &items)["result"], json!([{"a": 1}, 1, null, null]));
        assert_eq!(of("client/registerCapability", &Value::Null), json!({"jsonrpc": "2.0", "id": "x", "result": null}));
        assert_eq!(of("workspace/semanticTokens/refresh", &Value::Null)["result"], Value::Null);
        assert_eq!(of("workspace/applyEdit", &Value::Null)["result"]["applied"], false);
        assert_eq!(of("something/new", &Value::Null)["error"]["code"], -32601);
    }
}

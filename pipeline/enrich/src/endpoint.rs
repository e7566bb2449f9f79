//! One request to the endpoint: a prompt becomes a reply, or an error that says what to do next.

use std::time::Duration;

use reqwest::header::RETRY_AFTER;
use reqwest::{StatusCode, Url};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::prompt::SYSTEM;
use crate::{Error, Result, TokenCounts};

/// Longest body of a reply in bytes.
const MAX_REPLY_BYTES: usize = 8 << 20;
/// Longest part of a server's message that an error repeats, in characters.
const MAX_MESSAGE_CHARS: usize = 300;

/// A key for the endpoint. No message, log or file contains it.
#[derive(Clone)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key; none if it is empty.
    #[must_use]
    pub fn new(key: &str) -> Option<Self> {
        let key = key.trim();
        (!key.is_empty()).then(|| Self(key.to_owned()))
    }
}

impl std::fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ApiKey(..)")
    }
}

/// An endpoint that speaks chat completions.
#[derive(Debug)]
pub struct Endpoint {
    url: Url,
    model: String,
    key: Option<ApiKey>,
    client: reqwest::Client,
    /// Whether requests ask for a JSON object; not all servers know that.
    asks_for_json: AtomicBool,
}

/// A reply.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) text: String,
    /// Whether the model reached its limit before the end.
    pub(crate) was_cut: bool,
    /// Tokens as the server counted them; none if it does not say.
    pub(crate) tokens: Option<TokenCounts>,
}

/// Why a request failed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum CallError {
    /// It may work later; the server may ask for a pause. A request that was cut off may have been paid for.
    Later { what: String, pause: Option<Duration>, may_have_cost: bool },
    /// The prompt is too long for the model.
    TooLong,
    /// This prompt is refused.
    Refused(String),
    /// Every prompt will be refused.
    Fatal(String),
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    content: Option<String>,
}

#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    prompt_tokens: u64,
    #[serde(default)]
    completion_tokens: u64,
}

impl Endpoint {
    /// An endpoint by the base address of its API. A reply may take `timeout`.
    ///
    /// # Errors
    /// The address is not one of a web server, contains a user or a password, or would send a key in clear text to
    /// another machine.
    pub fn new(base: &str, model: &str, key: Option<ApiKey>, timeout: Duration) -> Result<Self> {
        let parsed = Url::parse(base);
        let shown = parsed.as_ref().map_or_else(|_| "that was given".to_owned(), shown_url);
        let wrong = |what: &str| Error::Address { url: shown.clone(), what: what.to_owned() };
        let mut url = parsed.map_err(|error| wrong(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(wrong("it does not begin with http:// or https:// and a host"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(wrong("it contains a user or a password"));
        }
        if key.is_some() && url.scheme() == "http" && !is_loopback(&url) {
            return Err(wrong("the key would cross the network in clear text; use https, or no key"));
        }
        let path = url.path().trim_end_matches('/').to_owned();
        if !path.ends_with("/chat/completions") {
            url.set_path(&format!("{path}/chat/completions"));
        }
        // A redirection would send the code, and perhaps the key, to a server that the user did not name.
        let client = sextant_sync::remote::client_builder()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(timeout)
            .build()
            .map_err(|error| Error::Client(error.to_string()))?;
        Ok(Self { url, model: model.to_owned(), key, client, asks_for_json: AtomicBool::new(true) })
    }

    /// The model's name.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The address without its query.
    #[must_use]
    pub fn shown(&self) -> String {
        shown_url(&self.url)
    }

    /// Sends one prompt.
    pub(crate) async fn ask(&self, prompt: &str) -> Result<Reply, CallError> {
        let asks_for_json = self.asks_for_json.load(Relaxed);
        match self.send(prompt, asks_for_json).await {
            Err(CallError::Refused(what)) if asks_for_json && what.contains("response_format") => {
                self.asks_for_json.store(false, Relaxed);
                self.send(prompt, false).await
            }
            result => result,
        }
    }

    async fn send(&self, prompt: &str, asks_for_json: bool) -> Result<Reply, CallError> {
        let mut body = json!({
            "model": self.model,
            "messages": [{"role": "system", "content": SYSTEM}, {"role": "user", "content": prompt}],
            "temperature": 0,
        });
        if asks_for_json {
            body["response_format"] = json!({"type": "json_object"});
        }
        let mut request =
            self.client.post(self.url.clone()).header("content-type", "application/json").body(body.to_string());
        if let Some(ApiKey(key)) = &self.key {
            request = request.bearer_auth(key);
        }
        let later = |error: reqwest::Error| CallError::Later {
            may_have_cost: !error.is_connect(),
            what: self.without_key(&sextant_sync::remote::error_chain(&error.without_url())),
            pause: None,
        };
        let mut response = request.send().await.map_err(later)?;
        let status = response.status();
        let pause = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
        let mut bytes = Vec::new();
        while let Some(part) = response.chunk().await.map_err(later)? {
            if bytes.len() + part.len() > MAX_REPLY_BYTES {
                return Err(CallError::Refused(format!("a reply has more than {MAX_REPLY_BYTES} bytes")));
            }
            bytes.extend_from_slice(&part);
        }
        if status.is_success() {
            let completion: Completion = serde_json::from_slice(&bytes).map_err(|_| CallError::Later {
                what: "the reply is not a chat completion".to_owned(),
                pause: None,
                may_have_cost: true,
            })?;
            let tokens = completion
                .usage
                .map(|usage| TokenCounts { input: usage.prompt_tokens, output: usage.completion_tokens });
            let choice = completion.choices.into_iter().next();
            let was_cut = choice.as_ref().is_some_and(|choice| choice.finish_reason.as_deref() == Some("length"));
            let text = choice.and_then(|choice| choice.message.content).unwrap_or_default();
            return Ok(Reply { text, was_cut, tokens });
        }
        let message = self.without_key(&message(&bytes));
        Err(classify(status, &message, pause.map(Duration::from_secs)))
    }

    /// A text from the server in which the key, should it be there, is replaced.
    fn without_key(&self, text: &str) -> String {
        let text = match &self.key {
            Some(ApiKey(key)) => text.replace(key.as_str(), "[key]"),
            None => text.to_owned(),
        };
        text.chars().filter(|c| !c.is_control()).take(MAX_MESSAGE_CHARS).collect()
    }
}

fn shown_url(url: &Url) -> String {
    let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
    format!("{}://{}{port}{}", url.scheme(), url.host_str().unwrap_or(""), url.path())
}

fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or("").trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// The message in an error's body: that of the usual JSON, else the beginning of the text.
fn message(body: &[u8]) -> String {
    let value: Option<Value> = serde_json::from_slice(body).ok();
    let error = value.as_ref().map(|value| value.get("error").unwrap_or(value));
    let text = error.and_then(|error| error.get("message").unwrap_or(error).as_str().map(str::to_owned));
    text.unwrap_or_else(|| String::from_utf8_lossy(&body[..body.len().min(4 << 10)]).into_owned())
}

fn classify(status: StatusCode, message: &str, pause: Option<Duration>) -> CallError {
    let what =
        if message.trim().is_empty() { format!("status {status}") } else { format!("status {status}: {message}") };
    match status.as_u16() {
        408 | 409 | 425 | 429 | 500..=599 => {
            // An account without credit answers with 429, too.
            let is_over = message.contains("insufficient_quota") || message.contains("exceeded your current quota");
            if is_over { CallError::Fatal(what) } else { CallError::Later { what, pause, may_have_cost: false } }
        }
        413 => CallError::TooLong,
        400 | 422 if is_about_length(message) => CallError::TooLong,
        400 | 422 => CallError::Refused(what),
        // The key, the model or the address is wrong; a redirection is not followed.
        _ => CallError::Fatal(what),
    }
}

fn is_about_length(message: &str) -> bool {
    let message = message.to_ascii_lowercase();
    ["context length", "context_length", "context size", "maximum context", "too long", "too many tokens"]
        .iter()
        .any(|words| message.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endpoint(base: &str, key: Option<&str>) -> Result<Endpoint> {
        Endpoint::new(base, "m", key.and_then(ApiKey::new), Duration::from_secs(1))
    }

    #[test]
    fn addresses_are_completed_and_never_show_secrets() {
        assert_eq!(
            endpoint("http://localhost:8080/v1/", None).unwrap().shown(),
            "http://localhost:8080/v1/chat/completions"
        );
        let full = endpoint("https://example.com/api/chat/completions?api-version=1", Some("k")).unwrap();
        assert_eq!(full.shown(), "https://example.com/api/chat/completions");
        for (base, key) in [
            ("localhost:8080", None),
            ("ftp://example.com", None),
            ("", None),
            ("https://user:hunter2@example.com/v1", None),
            ("http://example.com/v1", Some("hunter2")),
        ] {
            let error = endpoint(base, key).unwrap_err();
            assert!(matches!(error, Error::Address { .. }) && !error.to_string().contains("hunter2"), "{error}");
        }
        for base in ["http://127.0.0.1:1/v1", "http://[::1]:1/v1", "http://localhost/v1", "https://example.com"] {
            assert!(endpoint(base, Some("k")).is_ok(), "{base}");
        }
        assert!(!format!("{:?}", endpoint("https://example.com", Some("hunter2")).unwrap()).contains("hunter2"));
    }

    #[test]
    fn statuses_say_what_to_do_next() {
        let classify = |status: u16, message: &str| classify(StatusCode::from_u16(status).unwrap(), message, None);
        assert!(matches!(classify(429, "slow down"), CallError::Later { .. }));
        assert!(matches!(classify(503, ""), CallError::Later { .. }));
        assert!(matches!(classify(429, "insufficient_quota"), CallError::Fatal(_)));
        assert!(matches!(classify(401, "bad key"), CallError::Fatal(_)));
        assert!(matches!(classify(302, ""), CallError::Fatal(_)));
        assert!(matches!(classify(400, "bad schema"), CallError::Refused(_)));
        assert_eq!(classify(400, "This model's maximum context length is 8192 tokens"), CallError::TooLong);
    }
}

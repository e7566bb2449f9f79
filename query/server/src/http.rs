//! The HTTP server: `/api/v1/COMMAND` by GET with a query or POST with JSON, health, metrics, the OpenAPI description,
//! MCP at `/mcp`, and the web page at `/`.
//!
//! It listens on loopback by default. The size and duration of a request and the number of concurrent requests are
//! limited; excess requests are rejected immediately and not queued.

use std::collections::BTreeMap;
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::error_handling::HandleErrorLayer;
use axum::extract::connect_info::Connected;
use axum::extract::{ConnectInfo, Path, RawQuery, Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::serve::{IncomingStream, Listener};
use axum::{BoxError, Extension, Router};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Map, Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::limit::RequestBodyLimitLayer;

use super::access::{Access, Caller, Teams};
use super::access_log::AccessLog;
use super::answers::{Answers, Chosen};
use super::mcp::Server;
use super::metrics::Metrics;
use super::{openapi, page};
use crate::error::stopped;
use crate::{Error, Result};
use sextant_api::requests::{RequestInfo, request};
use sextant_render::TextRenderer;

/// The settings of the HTTP server.
#[derive(Clone, Debug)]
pub struct Http {
    /// The address to listen on.
    pub listen: SocketAddr,
    /// Whose tokens `Authorization: Bearer` must contain.
    pub teams: Teams,
    /// The file to which each request adds a line; none for no log.
    pub access_log: Option<PathBuf>,
    /// Maximum size of a request's body in bytes.
    pub max_body: usize,
    /// Maximum duration of a request.
    pub timeout: Duration,
    /// Maximum number of concurrent requests.
    pub max_requests: usize,
}

/// How much longer than a request's maximum duration a silent connection is kept open.
const GRACE: Duration = Duration::from_secs(2);

struct Shared {
    answers: Arc<dyn Answers>,
    /// One permit per request being computed, even after its client has stopped waiting.
    work: Arc<Semaphore>,
    /// Whether the `Host` header must name this machine. A web page in a browser can let its own host name resolve to
    /// loopback (DNS rebinding).
    checks_host: bool,
    metrics: Arc<Metrics>,
    teams: Teams,
    timeout: Duration,
    openapi: String,
}

/// An error response.
struct Problem {
    status: StatusCode,
    error: String,
    hint: Option<String>,
}

impl Problem {
    fn new(status: StatusCode, error: impl Into<String>) -> Self {
        Self { status, error: error.into(), hint: None }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = json!({"error": self.error, "hint": self.hint}).to_string();
        (self.status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
    }
}

fn too_many() -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too many concurrent requests; try again later")
}

/// Returns the server's routes with their limits and checks.
fn router(shared: &Arc<Shared>, http: &Http, stop: &CancellationToken) -> Router {
    let (answers, work, metrics) = (Arc::clone(&shared.answers), Arc::clone(&shared.work), Arc::clone(&shared.metrics));
    let mcp = StreamableHttpService::new(
        move || Ok(Server::new(Arc::clone(&answers), Arc::clone(&work), Arc::clone(&metrics))),
        Arc::new(LocalSessionManager::default()),
        mcp_config(http, stop),
    );
    let limits = ServiceBuilder::new()
        .layer(HandleErrorLayer::new(|_: BoxError| async { too_many().into_response() }))
        .load_shed()
        .concurrency_limit(http.max_requests);
    let api = Router::new().route("/api/v1/{call}", get(answer_query).post(answer_body)).layer(limits);
    Router::new()
        .merge(api)
        .nest_service("/mcp", mcp)
        .route(
            "/openapi.json",
            get(|State(shared): State<Arc<Shared>>| async move {
                ([(header::CONTENT_TYPE, "application/json")], shared.openapi.clone())
            }),
        )
        .layer(from_fn_with_state(Arc::clone(shared), check_token))
        .route("/health", get(health))
        .route("/metrics", get(read_metrics))
        .fallback(page_file)
        .method_not_allowed_fallback(|| async { Problem::new(StatusCode::METHOD_NOT_ALLOWED, "use GET or POST") })
        .layer(from_fn_with_state(Arc::clone(shared), check_host))
        .layer(RequestBodyLimitLayer::new(http.max_body))
        .layer(CatchPanicLayer::new())
        .with_state(Arc::clone(shared))
}

fn mcp_config(http: &Http, stop: &CancellationToken) -> StreamableHttpServerConfig {
    let mut config = StreamableHttpServerConfig::default();
    config.cancellation_token = stop.clone();
    // A server on another address than loopback has other host names.
    if !http.listen.ip().is_loopback() {
        config.allowed_hosts = Vec::new();
    }
    config
}

/// Rejects requests without a token of a team, and says who sent the others.
async fn check_token(State(shared): State<Arc<Shared>>, mut request: Request, next: Next) -> Response {
    let Some(access) = shared.teams.access(bearer(request.headers())) else {
        return no_token();
    };
    let client = request.extensions().get::<ConnectInfo<ClientAddress>>().map(|ConnectInfo(address)| address.0.ip());
    request.extensions_mut().insert(Caller { access, client });
    next.run(request).await
}

/// The token of a request.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok())?.strip_prefix("Bearer ")
}

fn no_token() -> Response {
    let mut response = Problem::new(StatusCode::UNAUTHORIZED, "the bearer token is missing or wrong").into_response();
    response.headers_mut().insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("Bearer"));
    response
}

/// Rejects requests whose `Host` header does not name this machine, if the server checks it.
async fn check_host(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|value| value.to_str().ok());
    let host = host.or_else(|| request.uri().authority().map(Authority::as_str));
    if shared.checks_host && !host.is_none_or(is_loopback) {
        let mut problem = Problem::new(StatusCode::FORBIDDEN, "the Host header does not name this machine");
        problem.hint =
            Some("use 127.0.0.1 or localhost, or start the server with --token-file to allow other names".to_owned());
        return problem.into_response();
    }
    next.run(request).await
}

/// Returns whether a host, with or without a port, is loopback.
fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(""),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// The state of the server, and the indexes that the caller may ask. Without a token, a server that wants one names none.
async fn health(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    let access = shared.teams.access(bearer(&headers));
    let indexes: Vec<Value> = access.map_or_else(Vec::new, |access| shared.answers.health(&access));
    let body = json!({"status": "ok", "version": env!("CARGO_PKG_VERSION"), "indexes": indexes}).to_string();
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// The metrics. They count the requests of all teams, so not every team may read them.
async fn read_metrics(State(shared): State<Arc<Shared>>, headers: HeaderMap) -> Response {
    let may_read = shared.teams.access(bearer(&headers)).is_some_and(|access| access.reads_metrics());
    if shared.teams.has_names() && !may_read {
        return no_token();
    }
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], shared.metrics.text(&shared.answers.metrics())).into_response()
}

/// A file of the page. It needs no token, because it contains nothing of the indexes.
async fn page_file(method: Method, uri: Uri) -> Response {
    let found = page::file(uri.path().trim_start_matches('/')).filter(|_| method == Method::GET);
    found.unwrap_or_else(|| Problem::new(StatusCode::NOT_FOUND, "no such path; see /openapi.json").into_response())
}

async fn answer_query(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let parameters = |info: &RequestInfo| from_query(info, query.as_deref().unwrap_or(""));
    answer_and_count(&shared, &caller, &name, &headers, parameters).await
}

async fn answer_body(
    State(shared): State<Arc<Shared>>,
    Extension(caller): Extension<Caller>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    // Reading the body counts towards the time limit of the request.
    let read = tokio::time::timeout(shared.timeout, axum::body::to_bytes(body, usize::MAX)).await;
    let bytes = match read {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(error)) => {
            let is_large = error.to_string().contains("limit");
            let status = if is_large { StatusCode::PAYLOAD_TOO_LARGE } else { StatusCode::BAD_REQUEST };
            return Problem::new(status, format!("the body cannot be read: {error}")).into_response();
        }
        Err(_) => {
            return Problem::new(StatusCode::REQUEST_TIMEOUT, "the body was not received in time").into_response();
        }
    };
    let parameters = move |_: &RequestInfo| {
        if bytes.is_empty() {
            return Ok(json!({}));
        }
        serde_json::from_slice(&bytes)
            .map_err(|error| Problem::new(StatusCode::BAD_REQUEST, format!("the body is not valid JSON: {error}")))
    };
    answer_and_count(&shared, &caller, &name, &headers, parameters).await
}

/// Answers a request and updates the metrics.
async fn answer_and_count(
    shared: &Arc<Shared>,
    caller: &Caller,
    name: &str,
    headers: &HeaderMap,
    parameters: impl FnOnce(&RequestInfo) -> Result<Value, Problem>,
) -> Response {
    let Some(info) = request(name) else {
        return Problem::new(StatusCode::NOT_FOUND, format!("there is no request '{name}'; see /openapi.json"))
            .into_response();
    };
    let mut in_flight = shared.metrics.begin(info.name, caller.origin("http"));
    let answered = match parameters(info) {
        Ok(parameters) => answer(shared, &caller.access, info, headers, parameters).await,
        Err(problem) => Err(problem),
    };
    match answered {
        Ok((kind, body)) => {
            (in_flight.status, in_flight.bytes) = (StatusCode::OK.as_u16(), body.len());
            ([(header::CONTENT_TYPE, kind)], body).into_response()
        }
        Err(problem) => {
            in_flight.status = problem.status.as_u16();
            problem.into_response()
        }
    }
}

/// Answers a request as JSON, or as text if the client accepts text first. Returns the media type and the body.
async fn answer(
    shared: &Arc<Shared>,
    access: &Access,
    info: &'static RequestInfo,
    headers: &HeaderMap,
    mut parameters: Value,
) -> Result<(&'static str, String), Problem> {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("");
    let is_text = accepted.starts_with("text/plain");
    let of_team = access.begin().map_err(|()| {
        let what = "this team has as many concurrent requests as it may; try again later";
        Problem::new(StatusCode::TOO_MANY_REQUESTS, what)
    })?;
    let permit = Arc::clone(&shared.work).try_acquire_owned().map_err(|_| too_many())?;
    let (answers, access) = (Arc::clone(&shared.answers), access.clone());
    let work = tokio::task::spawn_blocking(move || {
        let _permits = (permit, of_team);
        let chosen = Chosen::take(&mut parameters)?;
        answers.answer(&access, info, parameters, &chosen)
    });
    match tokio::time::timeout(shared.timeout, work).await {
        Ok(Ok(Ok(response))) if is_text => {
            let text = TextRenderer::default().render(&response);
            Ok(("text/plain; charset=utf-8", anstream::adapter::strip_str(&text).to_string()))
        }
        Ok(Ok(Ok(response))) => Ok(("application/json", sextant_render::json(&response))),
        Ok(Ok(Err(error))) => {
            let status =
                if error.is_bad_request() { StatusCode::BAD_REQUEST } else { StatusCode::INTERNAL_SERVER_ERROR };
            Err(Problem { status, error: error.to_string(), hint: error.hint() })
        }
        Ok(Err(error)) => {
            let (what, hint) = stopped(error);
            let mut problem = Problem::new(StatusCode::INTERNAL_SERVER_ERROR, what);
            problem.hint = Some(hint.to_owned());
            Err(problem)
        }
        Err(_) => Err(Problem::new(StatusCode::GATEWAY_TIMEOUT, "the request took too long")),
    }
}

/// Parses parameters from a query string, converting each to its type in the schema.
fn from_query(info: &RequestInfo, query: &str) -> Result<Value, Problem> {
    let bad_request = |what: String| Problem::new(StatusCode::BAD_REQUEST, what);
    let pairs: Vec<(String, String)> = axum::extract::Query::try_from_uri(
        &format!("/?{query}").parse().map_err(|_| bad_request("the query string cannot be parsed".to_owned()))?,
    )
    .map(|axum::extract::Query(pairs)| pairs)
    .map_err(|error| bad_request(format!("the query string cannot be parsed: {error}")))?;
    let schema = (info.parameters)();
    let properties = schema.get("properties").and_then(Value::as_object);
    let mut lists: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut parameters = Map::new();
    for (name, text) in pairs {
        if name == "index" {
            lists.entry(name).or_default().push(Value::String(text));
            continue;
        }
        let kinds: Vec<&str> = match properties.and_then(|properties| properties.get(&name)?.get("type")) {
            Some(Value::String(kind)) => vec![kind],
            Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        };
        if kinds.contains(&"array") {
            lists.entry(name).or_default().push(Value::String(text));
        } else if ["integer", "number", "boolean"].iter().any(|kind| kinds.contains(kind)) {
            let text = if text.is_empty() { "true" } else { &text };
            let value = serde_json::from_str(text)
                .map_err(|_| bad_request(format!("invalid value for parameter {name}: '{text}'")))?;
            parameters.insert(name, value);
        } else {
            parameters.insert(name, Value::String(text));
        }
    }
    parameters.extend(lists.into_iter().map(|(name, list)| (name, Value::Array(list))));
    Ok(Value::Object(parameters))
}

/// A listener that closes connections after a time without data. Not every client sends a request.
struct IdleTimeoutListener {
    listener: TcpListener,
    timeout: Duration,
}

impl Listener for IdleTimeoutListener {
    type Io = Pin<Box<TimeoutStream<TcpStream>>>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, SocketAddr) {
        let (stream, from) = Listener::accept(&mut self.listener).await;
        let mut stream = TimeoutStream::new(stream);
        stream.set_read_timeout(Some(self.timeout));
        stream.set_write_timeout(Some(self.timeout));
        (Box::pin(stream), from)
    }

    fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// The address of a client.
#[derive(Clone, Copy)]
struct ClientAddress(SocketAddr);

impl Connected<IncomingStream<'_, IdleTimeoutListener>> for ClientAddress {
    fn connect_info(stream: IncomingStream<'_, IdleTimeoutListener>) -> Self {
        Self(*stream.remote_addr())
    }
}

/// Serves until a signal stops it.
///
/// # Errors
/// The address is not available, or the server fails.
pub fn serve(answers: Arc<dyn Answers>, http: &Http) -> Result<()> {
    serve_when_ready(answers, http, |_| ())
}

/// Like [`serve`]; `ready` is called with the address once requests are accepted.
///
/// # Errors
/// The address is not available, or the server fails.
pub fn serve_when_ready(answers: Arc<dyn Answers>, http: &Http, ready: impl FnOnce(SocketAddr)) -> Result<()> {
    let failed = |what: &str, error: &dyn std::fmt::Display| Error::Server(format!("{what}: {error}"));
    let log = http.access_log.as_deref().map(AccessLog::open).transpose()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| failed("the server cannot start", &error))?;
    runtime.block_on(async {
        let listener = TcpListener::bind(http.listen)
            .await
            .map_err(|error| failed(&format!("cannot listen on {}", http.listen), &error))?;
        let address = listener.local_addr().map_err(|error| failed("the server cannot start", &error))?;
        let shared = Arc::new(Shared {
            answers,
            work: Arc::new(Semaphore::new(http.max_requests)),
            checks_host: http.listen.ip().is_loopback() && http.teams.is_everyone(),
            metrics: Arc::new(Metrics::new(log)),
            teams: http.teams.clone(),
            timeout: http.timeout,
            openapi: openapi::document().to_string(),
        });
        let stop = CancellationToken::new();
        let routes = router(&shared, http, &stop);
        let stopped = stop_signal();
        anstream::eprintln!("listening on http://{address}");
        ready(address);
        let shutdown = async move {
            stopped.await;
            stop.cancel();
        };
        // A slow request gets its timeout response before the connection is closed.
        let listener = IdleTimeoutListener { listener, timeout: http.timeout + GRACE };
        axum::serve(listener, routes.into_make_service_with_connect_info::<ClientAddress>())
            .with_graceful_shutdown(shutdown)
            .await
            .map_err(|error| failed("the server stopped", &error))
    })?;
    runtime.shutdown_timeout(http.timeout);
    Ok(())
}

/// Completes on Ctrl-C or SIGTERM.
#[cfg(unix)]
fn stop_signal() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    // The handler is installed here and not when the future is first polled: from now on the signal ends nothing else.
    let handler = signal(SignalKind::terminate());
    async {
        let terminated = async {
            match handler {
                Ok(mut terminated) => terminated.recv().await,
                Err(_) => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminated => {}
        }
    }
}

/// Completes on Ctrl-C.
#[cfg(not(unix))]
async fn stop_signal() {
    let _ = tokio::signal::ctrl_c().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_parameters_get_the_types_of_the_schema() {
        let info = request("search").unwrap();
        let parse = |query: &str| from_query(info, query).map_err(|problem| problem.error);
        let parameters = parse("query=a+b%20c&limit=5&kind=class&kind=enum&explain=true&no_graph=").unwrap();
        let expected =
            json!({"query": "a b c", "limit": 5, "kind": ["class", "enum"], "explain": true, "no_graph": true});
        assert_eq!(parameters, expected);
        assert!((info.parse)(parameters).is_ok());
        assert!(parse("limit=many").is_err());
        assert!((info.parse)(parse("query=a&nonsense=1").unwrap()).is_err());
    }
}

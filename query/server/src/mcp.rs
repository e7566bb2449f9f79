//! The MCP server: every request is a tool, every file a resource.
//!
//! Answers are text for a model, cut to a number of tokens; `continue_from` requests the rest. Errors that a model can
//! fix (an unknown name, an invalid parameter) are tool errors rather than protocol errors, so that the model sees them.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, Resource, ResourceContents, ResourceTemplate, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Map, Value, json};
use sextant_format::tables::{FileRow, TableReader};
use tokio::sync::Semaphore;

use crate::access::{Access, Caller};
use crate::answers::{Answers, Chosen};
use crate::metrics::Metrics;
use sextant_api::requests::{REQUESTS, RequestInfo, request as request_named};
use sextant_render::TextRenderer;
use sextant_search::SourceReader;
use sextant_search::overview::TOKEN_BYTES;

use crate::error::stopped;
use crate::{Error, Result};

/// The default size of an answer in tokens.
const DEFAULT_TOKENS: u64 = 6_000;
/// The maximum size of an answer in tokens.
const MAX_TOKENS: u64 = 100_000;
/// Number of resources in one page of the list.
const PAGE: usize = 500;
/// Maximum number of concurrent requests of a client on standard input.
const MAX_REQUESTS: usize = 64;
/// The scheme of resource URIs: `sextant://INDEX/REPOSITORY/PATH`.
const SCHEME: &str = "sextant://";

const INSTRUCTIONS: &str = "Answers questions about indexed code. Start with `explore` for a question about how \
something works: it prints source, and lists what else fits; read that with one `show`. `search` finds code, `map` is \
an overview. Use `definition`, `references`, `callers`, `callees`, `impact` and `path` for names, `show` and \
`outline` to read source, and `grep` for exact text. Names and locations (`path:12-40`; `12-40` alone is in the file \
above it) of an answer are valid arguments. A name is `name`, `Owner.name`, `path:name` or `path:line`, or a path for \
all that a file defines; `names` takes several, of `show` and `hover` also `path:12-40`. `limit` is the number of \
results, `max_tokens` the size of an answer in tokens (1500 of `explore`, 2000 of `map` and `show`, else 6000); \
`continue_from` continues an answer that was cut, with the number at its end; `kind` (function, class, ...), \
`language`, `path` (a glob) and `repo` are filters; `references`, `callers`, `definition` and `hover` with `live` \
also ask language servers; results below `min_score` are left out; `from` is the file whose near definitions come \
first; edges below `min_confidence` are ignored; guesses are below 0.5.";

/// The server; one for each session.
#[derive(Clone)]
pub(crate) struct Server {
    answers: Arc<dyn Answers>,
    /// One permit per request being computed.
    work: Arc<Semaphore>,
    metrics: Arc<Metrics>,
}

impl Server {
    pub(crate) fn new(answers: Arc<dyn Answers>, work: Arc<Semaphore>, metrics: Arc<Metrics>) -> Self {
        Self { answers, work, metrics }
    }

    /// Runs blocking work on a thread of its own.
    async fn run_blocking<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, ErrorData> {
        let Ok(permit) = Arc::clone(&self.work).try_acquire_owned() else {
            return Err(internal(&"too many concurrent requests; try again later"));
        };
        let work = move || {
            let _permit = permit;
            work()
        };
        tokio::task::spawn_blocking(work).await.map_err(|error| {
            let (what, hint) = stopped(error);
            internal(&format!("{what}; {hint}"))
        })
    }

    /// Returns a page of the list of files, from a position on, and whether there are more.
    fn page(&self, access: &Access, from: usize) -> Result<(Vec<Resource>, bool)> {
        let mut resources = Vec::new();
        let mut position = 0;
        for named in &self.answers.indexes(access).indexes {
            for rows in TableReader::<FileRow>::open(&named.index.generation().table("files"))? {
                for row in rows? {
                    if position >= from {
                        if resources.len() == PAGE {
                            return Ok((resources, true));
                        }
                        let uri = format!("{SCHEME}{}/{}/{}", named.name, row.repo, row.path);
                        resources.push(Resource::new(uri, row.path).with_mime_type("text/plain"));
                    }
                    position += 1;
                }
            }
        }
        Ok((resources, false))
    }

    /// Returns the source of the file with a URI; none if no index has it.
    fn read(&self, access: &Access, uri: &str) -> Result<Option<String>> {
        let Some((index, rest)) = uri.strip_prefix(SCHEME).and_then(|rest| rest.split_once('/')) else {
            return Ok(None);
        };
        let indexes = self.answers.indexes(access);
        let Some(named) = indexes.indexes.iter().find(|named| named.name == index) else { return Ok(None) };
        Ok(SourceReader::new(&named.index).file_text(rest)?.map(|file| file.text(1, file.last_line())))
    }
}

/// Parameters that tune a search. Tools accept them, but do not describe them: a client pays for every byte of a
/// description in each session, and the defaults are measured.
const TUNING: &[&str] = &[
    "mode",
    "strategy",
    "no_graph",
    "no_vectors",
    "set",
    "rerank",
    "explain",
    "draw",
    "spans",
    "without_symbols",
    "without_tests",
    "max_nodes",
    "resolution",
    "weights",
    "config_overrides",
    "threshold",
    "lines",
    "min_lines",
    "generated",
    "communities",
    "commits",
    "definitions",
    "fusion",
    "live",
    "live_seconds",
];

/// Describes a request as a tool, with parameters for the size and continuation of the answer.
fn tool(info: &RequestInfo) -> Tool {
    let mut schema = (info.parameters)().to_value();
    if let Some(object) = schema.as_object_mut() {
        let definitions = object.remove("$defs").unwrap_or_default();
        object.retain(|key, _| matches!(key.as_str(), "type" | "properties" | "required"));
        let properties = object.entry("properties").or_insert_with(|| json!({}));
        if let Some(properties) = properties.as_object_mut() {
            properties.retain(|name, _| !TUNING.contains(&name.as_str()));
            if LONG_ANSWERS.contains(&info.name) {
                properties.entry("max_tokens").or_insert(json!({"type": "integer"}));
                properties.insert("continue_from".to_owned(), json!({"type": "integer"}));
            }
            for (name, parameter) in properties.iter_mut() {
                shorten(name, parameter, &definitions);
            }
        }
    }
    let schema: Map<String, Value> = schema.as_object().cloned().unwrap_or_default();
    Tool::new(info.name, info.about, Arc::new(schema)).with_annotations(ToolAnnotations::new().read_only(true))
}

/// Tools whose answers are often longer than an answer may be. All accept `max_tokens` and `continue_from`, which
/// [`INSTRUCTIONS`] describe, but only these list them.
const LONG_ANSWERS: &[&str] = &["search", "explore", "references", "outline", "show", "grep", "context", "map"];

/// Parameters that mean the same everywhere, which [`INSTRUCTIONS`] describe once, and those that their names and words
/// describe.
const COMMON: &[&str] = &[
    "context",
    "continue_from",
    "depth",
    "detail",
    "file",
    "fixed",
    "from",
    "function",
    "ignore_case",
    "kind",
    "language",
    "limit",
    "max_tokens",
    "min_confidence",
    "min_score",
    "name",
    "names",
    "path",
    "query",
    "repo",
    "to",
    "top_k",
    "with",
    "word",
];

/// Removes from a parameter's schema what a caller does not need: ranges, formats, defaults, what the instructions
/// or the command line say. Words are listed instead of referred to.
fn shorten(name: &str, parameter: &mut Value, definitions: &Value) {
    inline_words(parameter, definitions);
    let Some(object) = parameter.as_object_mut() else { return };
    if let Some(items) = object.get_mut("items") {
        inline_words(items, definitions);
        if let Some(items) = items.as_object_mut() {
            items.remove("description");
        }
    }
    object.retain(|key, _| !matches!(key.as_str(), "format" | "minimum" | "maximum" | "default"));
    // A nullable parameter is left out instead.
    if let Some(first) = object.get("type").and_then(Value::as_array).and_then(|types| types.first()).cloned() {
        object.insert("type".to_owned(), first);
    }
    let is_common = |text: &str| COMMON.contains(&name) && !text.starts_with("Show only uses");
    match object.get_mut("description") {
        Some(Value::String(text)) if is_common(text) => drop(object.remove("description")),
        Some(Value::String(text)) => *text = without_details(text),
        _ => {}
    }
}

/// A description without remarks in parentheses and after semicolons, on one line.
fn without_details(text: &str) -> String {
    let text = text.split(';').next().unwrap_or(text);
    let mut depth = 0_usize;
    let mut plain = String::new();
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ,", ",")
}

/// Replaces a list of described words, or a reference to one, by the words.
fn inline_words(schema: &mut Value, definitions: &Value) {
    let name = schema.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix("#/$defs/"));
    let described = name.map_or(Some(&*schema), |name| definitions.get(name)).and_then(|list| list.get("oneOf"));
    let Some(words) = described.and_then(Value::as_array) else { return };
    let words: Vec<Value> = words.iter().filter_map(|word| word.get("const").cloned()).collect();
    if let Some(object) = schema.as_object_mut() {
        object.retain(|key, _| key == "description");
        object.insert("type".to_owned(), json!("string"));
        object.insert("enum".to_owned(), Value::Array(words));
    }
}

/// Returns whether a request has a `max_tokens` parameter of its own.
fn has_budget(info: &RequestInfo) -> bool {
    let schema = (info.parameters)();
    schema.get("properties").and_then(|properties| properties.get("max_tokens")).is_some()
}

/// A note with the tool's parameters as clients write them: `--min-confidence` is `min_confidence`.
fn with_parameters(note: &str, info: &RequestInfo) -> String {
    let is_parameter = |name: &str| {
        let schema = (info.parameters)();
        schema.get("properties").is_some_and(|properties| properties.get(name).is_some())
    };
    let mut parts = note.split("--");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(part.len());
        let name = part[..end].replace('-', "_");
        if is_parameter(&name) {
            text.push_str(&name);
        } else {
            text.push_str("--");
            text.push_str(&part[..end]);
        }
        text.push_str(&part[end..]);
    }
    text
}

/// Removes a number from the arguments and returns it.
fn take_number(arguments: &mut Map<String, Value>, name: &str) -> Result<Option<u64>> {
    match arguments.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value.as_u64().map(Some).ok_or_else(|| {
            sextant_api::Error::Parameter(format!("invalid parameters: {name} is not a number: {value}")).into()
        }),
    }
}

/// Answers a tool call with text for the model.
///
/// The client is on this machine: the files that the answer names are compared with the checkout in which the server runs.
fn answer(
    answers: &dyn Answers,
    access: &Access,
    info: &RequestInfo,
    mut arguments: Map<String, Value>,
) -> Result<String> {
    let from = take_number(&mut arguments, "continue_from")?.unwrap_or(0);
    let budget = match arguments.get("max_tokens").and_then(Value::as_u64) {
        // It keeps to its budget by itself; notes come on top.
        Some(tokens) if has_budget(info) => tokens.saturating_add(tokens / 4),
        _ if has_budget(info) => DEFAULT_TOKENS,
        _ => take_number(&mut arguments, "max_tokens")?.unwrap_or(DEFAULT_TOKENS),
    };
    let mut parameters = Value::Object(arguments);
    let chosen = Chosen::take(&mut parameters)?;
    let mut response = answers.answer(access, info, parameters, &chosen)?;
    if let Ok(folder) = std::env::current_dir() {
        response.compare(&answers.indexes(access), &folder)?;
    }
    let text = TextRenderer::default().render(&response);
    let mut text = anstream::adapter::strip_str(&text).to_string();
    for note in &response.notes {
        text.push_str(if text.is_empty() || text.ends_with('\n') { "" } else { "\n" });
        text.push_str("note: ");
        text.push_str(&with_parameters(note, info));
        text.push('\n');
    }
    Ok(part(&text, usize::try_from(from).unwrap_or(usize::MAX), budget.clamp(1, MAX_TOKENS)))
}

/// Returns the text from byte `from` on. If it is longer than `budget` tokens, it is cut after a line, and a last line says
/// where to continue.
fn part(text: &str, from: usize, budget: u64) -> String {
    let rest = &text[text.floor_char_boundary(from)..];
    let max_bytes = usize::try_from(budget).unwrap_or(usize::MAX).saturating_mul(TOKEN_BYTES);
    if rest.len() <= max_bytes {
        return rest.to_owned();
    }
    let end = rest.floor_char_boundary(max_bytes);
    // A line longer than the budget is cut inside.
    let end = rest[..end].rfind('\n').map_or(end, |at| at + 1).max(1);
    let end = rest.ceil_char_boundary(end);
    let remaining = (rest.len() - end).div_ceil(TOKEN_BYTES);
    let next = text.len() - rest.len() + end;
    format!("{}[cut: about {remaining} more tokens; call again with \"continue_from\": {next}]\n", &rest[..end])
}

/// Who sent a request. A client on standard input has started this program, and may ask everything.
fn caller(context: &RequestContext<RoleServer>) -> Caller {
    let parts = context.extensions.get::<axum::http::request::Parts>();
    parts.and_then(|parts| parts.extensions.get::<Caller>()).cloned().unwrap_or_default()
}

fn internal(error: &dyn std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        let implementation = Implementation::new("sextant", env!("CARGO_PKG_VERSION"));
        ServerConfig::new(capabilities).with_server_info(implementation).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(REQUESTS.iter().map(tool).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        request_named(name).map(tool)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(info) = request_named(&request.name) else {
            return Err(ErrorData::invalid_params(format!("there is no tool '{}'", request.name), None));
        };
        let (answers, caller) = (Arc::clone(&self.answers), caller(&context));
        let mut in_flight = self.metrics.begin(info.name, caller.origin("mcp"));
        let Ok(permit) = caller.access.begin() else {
            in_flight.status = 429;
            return Err(internal(&"too many concurrent requests of this team; try again later"));
        };
        let arguments = request.arguments.unwrap_or_default();
        let answered = self.run_blocking(move || {
            let _permit = permit;
            answer(&*answers, &caller.access, info, arguments)
        });
        let answered = answered.await.inspect_err(|_| in_flight.status = 503)?;
        let result = match answered {
            Ok(text) => {
                (in_flight.status, in_flight.bytes) = (200, text.len());
                CallToolResult::success(vec![ContentBlock::text(text)])
            }
            Err(error) => {
                in_flight.status = if error.is_bad_request() { 400 } else { 500 };
                let hint = error.hint().map_or_else(String::new, |hint| format!("\nhint: {hint}"));
                CallToolResult::error(vec![ContentBlock::text(format!("{error}{hint}"))])
            }
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let from = match request.and_then(|request| request.cursor) {
            None => 0,
            Some(cursor) => cursor.parse().map_err(|_| ErrorData::invalid_params("invalid cursor", None))?,
        };
        let (server, access) = (self.clone(), caller(&context).access);
        let (resources, has_more) =
            self.run_blocking(move || server.page(&access, from)).await?.map_err(|error| internal(&error))?;
        let mut result = ListResourcesResult::with_all_items(resources);
        result.next_cursor = has_more.then(|| (from + PAGE).to_string());
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let template = ResourceTemplate::new(format!("{SCHEME}{{index}}/{{repo}}/{{+path}}"), "file")
            .with_description("The source of a file, as indexed")
            .with_mime_type("text/plain");
        Ok(ListResourceTemplatesResult::with_all_items(vec![template]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (server, uri, access) = (self.clone(), request.uri.clone(), caller(&context).access);
        let text = self.run_blocking(move || server.read(&access, &uri)).await?.map_err(|error| internal(&error))?;
        match text {
            Some(text) => Ok(ReadResourceResult::new(vec![ResourceContents::text(text, request.uri)]).into()),
            None => Err(ErrorData::resource_not_found(format!("there is no resource '{}'", request.uri), None)),
        }
    }
}

/// Serves one client on standard input and output until it disconnects.
///
/// # Errors
/// The server cannot start, or the client violates the protocol.
pub fn serve_stdio(answers: Arc<dyn Answers>) -> Result<()> {
    let failed = |error: &dyn std::fmt::Display| Error::Server(error.to_string());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| failed(&error))?;
    runtime.block_on(async {
        let work = Arc::new(Semaphore::new(MAX_REQUESTS));
        let service =
            match Server::new(answers, work, Arc::new(Metrics::new(None))).serve(rmcp::transport::stdio()).await {
                Ok(service) => service,
                // A client may disconnect before it sends anything.
                Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
                Err(error) => return Err(failed(&error)),
            };
        service.waiting().await.map(|_| ()).map_err(|error| failed(&error))
    })?;
    // The thread that reads standard input cannot be interrupted.
    runtime.shutdown_background();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_answer_is_returned_in_parts() {
        let text: String = (0..50).map(|n| format!("line {n} of ü\n")).collect();
        let (mut whole, mut from) = (String::new(), 0);
        for _ in 0..100 {
            let part = part(&text, from, 10);
            let Some((body, cut)) = part.split_once("[cut: ") else {
                whole.push_str(&part);
                break;
            };
            assert!(body.ends_with('\n') && body.len() <= 40);
            whole.push_str(body);
            from = cut.split_once("\"continue_from\": ").unwrap().1.trim_end_matches(['\n', ']']).parse().unwrap();
        }
        assert_eq!(whole, text);
        assert_eq!(part(&text, 1_000_000, 10), "");
        assert!(part(&"x".repeat(100), 0, 1).starts_with("xxxx[cut"));
    }

    #[test]
    fn notes_name_parameters_as_clients_write_them() {
        let callers = REQUESTS.iter().find(|info| info.name == "callers").unwrap();
        let of = |note| with_parameters(note, callers);
        assert_eq!(of("--min-confidence 0 includes guesses"), "min_confidence 0 includes guesses");
        let of_another = "changed: --overlay answers -- for the files as they are";
        assert_eq!(of(of_another), of_another);
    }

    #[test]
    fn every_tool_has_a_description_and_a_token_limit() {
        for info in REQUESTS {
            let tool = tool(info);
            let properties = tool.input_schema["properties"].as_object().unwrap();
            let lists = ["max_tokens", "continue_from"].map(|name| properties.contains_key(name));
            assert_eq!(lists, [LONG_ANSWERS.contains(&info.name); 2], "{}", info.name);
            assert!(tool.description.is_some_and(|about| about.len() > 20));
        }
        let bytes = serde_json::to_string(&REQUESTS.iter().map(tool).collect::<Vec<_>>()).unwrap().len();
        assert!(bytes <= 10_000, "the descriptions of the tools take {bytes} bytes");
    }
}

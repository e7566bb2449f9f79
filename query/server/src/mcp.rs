//! The MCP server: every call is a tool, every file a resource.
//!
//! Answers are text for a model, cut to a budget of tokens; what was cut off comes with `continue_from`. What a model
//! can mend itself (an unknown name, a wrong parameter) is a tool's error and no protocol error, so that it is read.

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

use super::Live;
use sextant_api::requests::{REQUESTS, RequestInfo, request as request_named};
use sextant_render::TextRenderer;
use sextant_search::overview::TOKEN_BYTES;

use crate::{Error, Result};

/// Tokens of an answer where nothing is said.
const USUAL_TOKENS: u64 = 6_000;
/// Tokens of an answer at most.
const MAX_TOKENS: u64 = 100_000;
/// Resources that are listed at once.
const PAGE: usize = 500;
/// Questions of one client that are worked on at once.
const MAX_QUESTIONS: usize = 64;
/// What resources are called: `sextant://INDEX/REPOSITORY/PATH`.
const SCHEME: &str = "sextant://";

const INSTRUCTIONS: &str = "Answers questions about indexed source code, offline. Begin with `explore` for a question \
about how something works, with `search` to find code, with `map` for an overview. Use `definition`, `references`, \
`callers`, `callees`, `impact` and `path` for names, `show` and `outline` to read, `grep` for exact texts. Places are \
path:line; every name and place in an answer can be asked for again.";

/// The server; one for each session.
#[derive(Clone)]
pub(crate) struct Server {
    live: Arc<Live>,
    /// A permit for each question that is worked on.
    work: Arc<Semaphore>,
}

impl Server {
    pub(crate) const fn new(live: Arc<Live>, work: Arc<Semaphore>) -> Self {
        Self { live, work }
    }

    /// Runs what reads files and computes where it holds up nobody.
    async fn apart<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, ErrorData> {
        let Ok(permit) = Arc::clone(&self.work).try_acquire_owned() else {
            return Err(internal(&"too many requests are under way"));
        };
        let work = move || {
            let _permit = permit;
            work()
        };
        tokio::task::spawn_blocking(work).await.map_err(|error| internal(&error))
    }

    fn page(&self, from: usize) -> Result<(Vec<Resource>, bool)> {
        let mut resources = Vec::new();
        let mut at = 0;
        for named in &self.live.indexes().indexes {
            for rows in TableReader::<FileRow>::open(&named.index.generation().table("files"))? {
                for row in rows? {
                    if at >= from {
                        if resources.len() == PAGE {
                            return Ok((resources, true));
                        }
                        let uri = format!("{SCHEME}{}/{}/{}", named.name, row.repo, row.path);
                        resources.push(Resource::new(uri, row.path).with_mime_type("text/plain"));
                    }
                    at += 1;
                }
            }
        }
        Ok((resources, false))
    }

    fn read(&self, uri: &str) -> Result<Option<String>> {
        let Some((index, rest)) = uri.strip_prefix(SCHEME).and_then(|rest| rest.split_once('/')) else {
            return Ok(None);
        };
        let indexes = self.live.indexes();
        let Some(named) = indexes.indexes.iter().find(|named| named.name == index) else { return Ok(None) };
        Ok(named.index.file_text(rest)?.map(|file| file.text(1, file.last_line())))
    }
}

/// A call as a tool. What has no budget of its own gets one here.
fn tool(info: &RequestInfo) -> Tool {
    let mut schema = (info.parameters)().to_value();
    if let Some(object) = schema.as_object_mut() {
        object.remove("$schema");
        object.remove("title");
        object.remove("description");
        let properties = object.entry("properties").or_insert_with(|| json!({}));
        if let Some(properties) = properties.as_object_mut() {
            let budget = "How many tokens the answer may take; one is counted as four bytes";
            properties.entry("max_tokens").or_insert_with(
                || json!({"description": budget, "type": "integer", "minimum": 1, "default": USUAL_TOKENS}),
            );
            let from = "Where to go on, from the end of an answer that was cut";
            properties
                .insert("continue_from".to_owned(), json!({"description": from, "type": "integer", "minimum": 0}));
        }
    }
    let schema: Map<String, Value> = schema.as_object().cloned().unwrap_or_default();
    Tool::new(info.name, info.about, Arc::new(schema))
        .with_annotations(ToolAnnotations::new().read_only(true).idempotent(true).open_world(false))
}

/// Whether a call has a budget itself.
fn has_budget(info: &RequestInfo) -> bool {
    let schema = (info.parameters)();
    schema.get("properties").and_then(|properties| properties.get("max_tokens")).is_some()
}

/// Takes a number out of the arguments.
fn number(arguments: &mut Map<String, Value>, name: &str) -> Result<Option<u64>> {
    match arguments.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => value.as_u64().map(Some).ok_or_else(|| {
            sextant_api::Error::Parameter(format!("the parameters: {name} is no number: {value}")).into()
        }),
    }
}

/// Answers a tool's call: the text for the model.
fn answer(live: &Live, info: &RequestInfo, mut arguments: Map<String, Value>) -> Result<String> {
    let from = number(&mut arguments, "continue_from")?.unwrap_or(0);
    let budget = match arguments.get("max_tokens").and_then(Value::as_u64) {
        Some(tokens) if has_budget(info) => tokens,
        _ if has_budget(info) => USUAL_TOKENS,
        _ => number(&mut arguments, "max_tokens")?.unwrap_or(USUAL_TOKENS),
    };
    let response = live.answer(info, Value::Object(arguments))?;
    let text = TextRenderer::default().render(&response);
    let mut text = anstream::adapter::strip_str(&text).to_string();
    for note in &response.notes {
        text.push_str(if text.is_empty() || text.ends_with('\n') { "" } else { "\n" });
        text.push_str("note: ");
        text.push_str(note);
        text.push('\n');
    }
    Ok(part(&text, usize::try_from(from).unwrap_or(usize::MAX), budget.clamp(1, MAX_TOKENS)))
}

/// The part of a text from a byte on that a budget holds, cut behind a line, with where to go on.
fn part(text: &str, from: usize, budget: u64) -> String {
    let rest = &text[text.floor_char_boundary(from)..];
    let most = usize::try_from(budget).unwrap_or(usize::MAX).saturating_mul(TOKEN_BYTES);
    if rest.len() <= most {
        return rest.to_owned();
    }
    let end = rest.floor_char_boundary(most);
    // A line that is longer than the budget is cut within.
    let end = rest[..end].rfind('\n').map_or(end, |at| at + 1).max(1);
    let end = rest.ceil_char_boundary(end);
    let left = (rest.len() - end).div_ceil(TOKEN_BYTES);
    let next = text.len() - rest.len() + end;
    format!("{}[cut: about {left} more tokens; call again with \"continue_from\": {next}]\n", &rest[..end])
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
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(info) = request_named(&request.name) else {
            return Err(ErrorData::invalid_params(format!("there is no tool '{}'", request.name), None));
        };
        let live = Arc::clone(&self.live);
        let arguments = request.arguments.unwrap_or_default();
        let answered = self.apart(move || answer(&live, info, arguments)).await?;
        let result = match answered {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(error) => {
                let hint = error.hint().map_or_else(String::new, |hint| format!("\nhint: {hint}"));
                CallToolResult::error(vec![ContentBlock::text(format!("{error}{hint}"))])
            }
        };
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let from = match request.and_then(|request| request.cursor) {
            None => 0,
            Some(cursor) => {
                cursor.parse().map_err(|_| ErrorData::invalid_params("the cursor is none of this server", None))?
            }
        };
        let server = self.clone();
        let (resources, has_more) = self.apart(move || server.page(from)).await?.map_err(|error| internal(&error))?;
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
            .with_description("The source of a file, as the index holds it")
            .with_mime_type("text/plain");
        Ok(ListResourceTemplatesResult::with_all_items(vec![template]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let (server, uri) = (self.clone(), request.uri.clone());
        let text = self.apart(move || server.read(&uri)).await?.map_err(|error| internal(&error))?;
        match text {
            Some(text) => Ok(ReadResourceResult::new(vec![ResourceContents::text(text, request.uri)]).into()),
            None => Err(ErrorData::resource_not_found(format!("there is no resource '{}'", request.uri), None)),
        }
    }
}

/// Serves one client on standard input and output, until it goes.
///
/// # Errors
/// The server cannot start, or the client breaks the protocol.
pub fn serve_stdio(live: Arc<Live>) -> Result<()> {
    let failed = |error: &dyn std::fmt::Display| Error::Server(error.to_string());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| failed(&error))?;
    runtime.block_on(async {
        let work = Arc::new(Semaphore::new(MAX_QUESTIONS));
        let service = match Server::new(live, work).serve(rmcp::transport::stdio()).await {
            Ok(service) => service,
            // A client that goes before it has said anything is no error.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(failed(&error)),
        };
        service.waiting().await.map(|_| ()).map_err(|error| failed(&error))
    })?;
    // Standard input is read by a thread that nothing can wake.
    runtime.shutdown_background();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_comes_in_parts() {
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
    fn every_tool_has_a_budget_and_says_what_it_does() {
        for info in REQUESTS {
            let tool = tool(info);
            let properties = tool.input_schema["properties"].as_object().unwrap();
            assert!(properties.contains_key("max_tokens") && properties.contains_key("continue_from"), "{}", info.name);
            assert!(tool.description.is_some_and(|about| about.len() > 20));
        }
    }
}

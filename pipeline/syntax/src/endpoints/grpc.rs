//! Services of Protocol Buffers: the methods that a `.proto` file declares, classes that implement them, and calls through
//! the clients that are generated from it. Must not know HTTP.
//!
//! Generators name what they make after the service: `GreeterServicer`, `GreeterStub`, `GreeterGrpc.GreeterImplBase`,
//! `UnimplementedGreeterServer`, `NewGreeterClient`. Only files that name gRPC itself are looked at.

use std::collections::BTreeMap;

use sextant_format::kinds::{EdgeKind, Kind};
use sextant_format::names::segments;

use super::file::{Found, Source};
use super::words::{last_name, words};
use crate::model::Reference;

/// Words of which a file that has to do with gRPC contains one.
const MARKS: &[&str] = &["grpc", "Grpc", "tonic", "connectrpc", "genproto", "pb.New"];
/// What generators put behind the name of a service for who serves it.
const SERVER_ENDINGS: &[&str] = &["Servicer", "CoroutineImplBase", "ImplBase", "Server", "Base"];
/// What they put before it.
const SERVER_BEGINNINGS: &[&str] = &["Unimplemented", "Unsafe"];
/// What they put behind it for who asks it.
const CLIENT_ENDINGS: &[&str] =
    &["BlockingV2Stub", "BlockingStub", "FutureStub", "CoroutineStub", "AsyncStub", "AsyncClient", "Stub", "Client"];

/// The methods that a file of Protocol Buffers declares.
pub(super) fn declared(source: &Source<'_>) -> Vec<Found> {
    let symbols = source.symbols.iter().enumerate().filter(|(_, symbol)| symbol.kind == Kind::Method);
    let method = |(at, symbol): (usize, &crate::model::Symbol)| {
        let service = source.symbols.get(symbol.container? as usize).filter(|s| s.kind == Kind::Interface)?;
        let name = format!("{}/{}", service.name, symbol.name);
        Some(Found {
            kind: EdgeKind::Serve,
            name,
            source: u32::try_from(at).ok()?,
            handler: None,
            at: source.lines.start(symbol.name_line) + symbol.name_column as usize,
        })
    };
    symbols.filter_map(method).collect()
}

/// The methods that a file implements, and those that it calls.
pub(super) fn endpoints(source: &Source<'_>, references: &[Reference]) -> Vec<Found> {
    if !MARKS.iter().any(|mark| memchr::memmem::find(source.text.as_bytes(), mark.as_bytes()).is_some()) {
        return Vec::new();
    }
    let mut found = implemented(source, references);
    found.extend(called(source, references));
    found
}

fn implemented(source: &Source<'_>, references: &[Reference]) -> Vec<Found> {
    // The service that each type implements, with the first line of the block that does.
    let mut services: BTreeMap<&str, Vec<(u32, &str)>> = BTreeMap::new();
    let is_rust = source.language.name == "rust";
    for reference in references {
        if !matches!(reference.kind, EdgeKind::Inherit | EdgeKind::Implement) {
            continue;
        }
        if is_rust {
            let Some(owner) = reference.qualifier.as_deref() else { continue };
            let service = if is_async_trait(source, reference) { reference.name.as_str() } else { "" };
            services.entry(last_name(owner.trim_start_matches('&'))).or_default().push((reference.line, service));
        } else if let Some(service) = service_of(&reference.name, reference.qualifier.as_deref().unwrap_or("")) {
            services.entry(&source.symbols[reference.source as usize].name).or_default().push((0, service));
        }
    }
    let mut found = Vec::new();
    for (at, symbol) in source.symbols.iter().enumerate() {
        if !symbol.kind.is_callable() || symbol.kind == Kind::Constructor || !symbol.has_body {
            continue;
        }
        let owner = segments(&symbol.qualified_name);
        let owner = owner.len().checked_sub(2).and_then(|at| owner.get(at)).copied().unwrap_or("");
        let blocks = services.get(owner).filter(|_| !symbol.name.starts_with('_'));
        let block = blocks.and_then(|blocks| blocks.iter().rfind(|(line, _)| *line <= symbol.name_line));
        let Some((_, service)) = block.filter(|(_, service)| !service.is_empty()) else { continue };
        // Methods of a service override those of the base; others are helpers.
        let is_override = symbol.signature.as_deref().is_some_and(|signature| has_modifier(signature, "override"));
        if source.language.name == "csharp" && !is_override {
            continue;
        }
        found.push(Found {
            kind: EdgeKind::Serve,
            name: format!("{service}/{}", method_name(&symbol.name)),
            source: u32::try_from(at).unwrap_or(0),
            handler: None,
            at: source.lines.start(symbol.name_line) + symbol.name_column as usize,
        });
    }
    found
}

fn has_modifier(signature: &str, word: &str) -> bool {
    signature.split_whitespace().any(|part| part == word)
}

/// Whether `#[tonic::async_trait]` stands before an `impl`: its trait may be a service.
fn is_async_trait(source: &Source<'_>, reference: &Reference) -> bool {
    let above = source.lines.start(reference.line.saturating_sub(3).max(1));
    source.text.get(above..source.lines.start(reference.line)).is_some_and(|text| text.contains("tonic::async_trait"))
}

/// The service whose generated base has a name, which is written behind a path.
fn service_of<'n>(base: &'n str, path: &str) -> Option<&'n str> {
    let ending = SERVER_ENDINGS.iter().find(|ending| base.len() > ending.len() && base.ends_with(*ending))?;
    let whole = base.strip_suffix(ending)?;
    let beginning = SERVER_BEGINNINGS.iter().find_map(|beginning| whole.strip_prefix(beginning));
    let service = beginning.unwrap_or(whole);
    let is_sure = beginning.is_some() || matches!(*ending, "Servicer" | "CoroutineImplBase" | "ImplBase");
    // `Basket.BasketBase`
    let is_inside = last_name(path.trim_end_matches(['.', ':'])) == service;
    let is_made = is_inside || *ending == "Server" && is_generated_path(path, service);
    (!service.is_empty() && (is_sure || is_made)).then_some(service)
}

/// Whether a path in front of a name is that of generated code: `pb`, `helloworld_pb2_grpc`, or the service's own name.
fn is_generated_path(path: &str, service: &str) -> bool {
    let last = last_name(path.trim_end_matches(['.', ':']));
    let lower = last.to_ascii_lowercase();
    lower.ends_with("pb")
        || lower.contains("proto")
        || lower.contains("grpc")
        || lower.contains("_pb2")
        || lower == service.to_ascii_lowercase()
        || lower == format!("{}_client", snake(service))
}

fn snake(name: &str) -> String {
    words(name).collect::<Vec<_>>().join("_")
}

fn called(source: &Source<'_>, references: &[Reference]) -> Vec<Found> {
    let marks = ["_grpc_pb", "_grpc_web_pb", "_pb_service", "/proto"];
    let bare = source.language.family == "ecma" && marks.iter().any(|mark| source.text.contains(mark));
    let mut clients: BTreeMap<&str, &str> = BTreeMap::new();
    for fact in source.type_facts {
        let name = fact.name.as_deref().unwrap_or(&source.symbols[fact.symbol as usize].name);
        if let Some(service) = client_in(&fact.text, bare) {
            clients.insert(last_name(name), service);
        }
    }
    for (name, service) in assigned(source.text, bare) {
        clients.entry(name).or_insert(service);
    }
    let mut found = Vec::new();
    for reference in references.iter().filter(|reference| reference.kind == EdgeKind::Call) {
        let Some(receiver) = reference.qualifier.as_deref() else { continue };
        // The receiver is the client itself, not what one of its methods returns.
        let last = last_name(receiver);
        let is_client = CLIENT_ENDINGS.iter().any(|ending| last.ends_with(ending))
            || ["new", "with"].iter().any(|start| last.starts_with(start));
        let made = client_in(receiver, bare).filter(|_| is_client);
        let service = made.or_else(|| clients.get(last).copied());
        let Some(service) = service else { continue };
        // What a client is made with, and what all of them have.
        if ["new", "New", "with", "connect"].iter().any(|start| reference.name.starts_with(start)) {
            continue;
        }
        found.push(Found {
            kind: EdgeKind::Request,
            name: format!("{service}/{}", method_name(reference.name.trim_end_matches("Async"))),
            source: reference.source,
            handler: None,
            at: source.lines.start(reference.line) + reference.column as usize,
        });
    }
    found
}

/// The variables that are given a client: `stub = pb.GreeterStub(channel)`, `c := pb.NewGreeterClient(conn)`.
fn assigned(text: &str, bare: bool) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for line in text.lines() {
        let Some(mark) = line.find('=') else { continue };
        let left = line[..mark].trim_end_matches([':', ' ', '\t']);
        let left = left.split(':').next().unwrap_or(left);
        // `c, err := ...` binds the client first.
        let name = last_name(left.split(',').next().unwrap_or(left).trim());
        if let Some(service) = client_in(&line[mark + 1..], bare).filter(|_| !name.is_empty()) {
            found.push((name, service));
        }
    }
    found
}

/// The service whose generated client a text names. A name that ends with `Client` needs the path of generated code in front
/// of it, unless `bare` says that the file imports such code.
fn client_in(text: &str, bare: bool) -> Option<&str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut rest = text;
    while let Some(start) = rest.find(is_name) {
        let before = &text[..text.len() - rest.len() + start];
        let end = rest[start..].find(|c| !is_name(c)).map_or(rest.len(), |n| start + n);
        let name = &rest[start..end];
        let after = &rest[end..];
        rest = after;
        // `GreeterGrpc.newBlockingStub(channel)`
        if let Some(service) = name.strip_suffix("Grpc").filter(|service| !service.is_empty())
            && after.starts_with(".new")
        {
            return Some(service);
        }
        let made = name.strip_prefix("New").unwrap_or(name);
        let ending = CLIENT_ENDINGS.iter().find(|ending| made.len() > ending.len() && made.ends_with(*ending));
        let Some(service) = ending.and_then(|ending| made.strip_suffix(ending)) else { continue };
        let is_stub = ending.is_some_and(|ending| ending.ends_with("Stub"));
        let path = before.trim_end_matches(|c: char| !is_name(c) && !matches!(c, '.' | ':'));
        let has_path = path.ends_with(['.', ':']) && is_generated_path(path, service);
        if service.starts_with(|c: char| c.is_ascii_uppercase()) && (is_stub || has_path || bare) {
            return Some(service);
        }
    }
    None
}

/// A method as a `.proto` file names it: `SayHello` of `sayHello` and `say_hello`.
fn method_name(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for part in name.split('_').filter(|part| !part.is_empty()) {
        let mut letters = part.chars();
        out.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        out.push_str(letters.as_str());
    }
    out
}

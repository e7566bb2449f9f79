//! The uses of a file into the endpoints that it serves and asks: routes and requests of HTTP, methods of services in
//! Protocol Buffers, topics of messages. Both sides must be written in the code: what is only known when the program runs
//! is a parameter, or no endpoint.
//!
//! Names are those of [`sextant_format::endpoints`]. A served endpoint is a reference of kind `serve` whose source is its
//! handler; where another name says who handles it, that name is its alias, and the receiver its qualifier; its arguments
//! are the name of the router, if there is one. A request is
//! a reference of kind `request` from the function that asks.

mod call;
mod file;
mod grpc;
mod http;
mod site;
mod topics;
mod value;
mod words;

use sextant_format::kinds::EdgeKind;

use crate::chunk::LineIndex;
use crate::language::Language;
use crate::model::{Reference, Symbol, TypeFact};
use file::{Found, Source};
pub use file::{MOUNT, UNKNOWN_PREFIX};
use site::Site;

/// The router whose method is called with an argument at a byte: `users` of `users.get("/x")`.
fn router_before(text: &str, at: usize) -> Option<&str> {
    let call = text.get(..at)?.trim_end().strip_suffix('(')?;
    let start = call.rfind(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$' | '.')).map_or(0, |at| at + 1);
    let (receiver, _) = call.get(start..)?.rsplit_once('.')?;
    Some(words::last_name(receiver)).filter(|name| !name.is_empty())
}

/// Adds the endpoints of a file to its references, which stay in the order of the text.
pub(crate) fn add(
    language: &'static Language,
    path: &str,
    lines: &LineIndex<'_>,
    symbols: &[Symbol],
    type_facts: &[TypeFact],
    references: &mut Vec<Reference>,
) {
    let text = lines.text();
    let source = Source { language, path, text, lines, symbols, type_facts, references };
    let mut found = Vec::new();
    if language.name == "protobuf" {
        found.extend(grpc::declared(&source));
    } else if !language.is_data {
        let sites: Vec<Site<'_>> = references.iter().filter_map(|reference| Site::read(&source, reference)).collect();
        if !sites.is_empty() {
            found.extend(http::endpoints(&source, &sites));
            found.extend(topics::endpoints(&sites));
        }
        found.extend(http::routes_of_file(&source));
        found.extend(grpc::endpoints(&source, references));
    }
    if found.is_empty() {
        return;
    }
    for Found { kind, name, source: from, handler, at } in found {
        let (line, column) = lines.position(at);
        let (qualifier, alias) = handler.map_or((None, None), |(owner, name)| (owner, Some(name)));
        references.push(Reference {
            source: from,
            kind,
            name,
            qualifier,
            alias,
            argument_count: None,
            arguments: (kind == EdgeKind::Serve).then(|| router_before(text, at).map(str::to_owned)).flatten(),
            is_local: false,
            is_path_qualified: false,
            line,
            column,
        });
    }
    references.sort_by_key(|reference| (reference.line, reference.column));
    references.dedup_by(|a, b| {
        matches!(a.kind, EdgeKind::Serve | EdgeKind::Request)
            && (a.kind, a.line, a.column, &a.name, a.source) == (b.kind, b.line, b.column, &b.name, b.source)
    });
}

#[cfg(test)]
mod tests;

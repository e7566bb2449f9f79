//! A path or URL in the code into the path of an endpoint, and words into methods of HTTP. Must not know calls.

use sextant_format::endpoints::{normal_path, written_segments};

use crate::endpoints::call::Argument;
use crate::endpoints::file::Source;
use crate::endpoints::site::Site;
use crate::endpoints::value::{self, HOLE};
use crate::endpoints::words::method;

/// Names of arguments that are a path or URL.
pub(super) const PATH_LABELS: &[&str] =
    &["path", "value", "url", "uri", "rule", "route", "pattern", "endpoint", "urlPatterns"];

/// Names of arguments that are methods.
pub(super) const METHOD_LABELS: &[&str] = &["method", "methods", "type"];

pub(super) const MAX_PATH: usize = 200;

/// A path as routes have it: normal, with what begins it in front.
pub(super) fn joined(prefix: &str, path: &str) -> String {
    normal_path(&format!("{prefix}/{path}"))
}

/// The path that a route or prefix is given. Without a slash in front it must look like a path, where `loose` allows it.
pub(super) fn served_path<'a>(
    source: &Source<'a>,
    site: &Site<'a>,
    argument: Argument<'a>,
    loose: bool,
) -> Option<String> {
    let text = site.text_of(source, argument)?;
    // Go 1.22: `HandleFunc("GET /users/{id}", ...)` is read by the caller.
    let is_path = text.len() <= MAX_PATH
        && !text.starts_with(HOLE)
        && !text.contains("://")
        && !text.contains(|c: char| c.is_whitespace() || c.is_control() || matches!(c, '\\' | '"' | '#'));
    let begins = text.starts_with('/') || loose;
    (is_path && begins).then_some(text)
}

/// The path of a URL that a client asks: without scheme, host, query, and without a base that is not written.
pub(super) fn asked_path(text: &str, needs_slash: bool) -> Option<String> {
    // A template of a page: `{{ .Base }}/x`.
    let of_page =
        text.strip_prefix("{{").and_then(|rest| rest.split_once("}}")).map(|(_, rest)| format!("{HOLE}{rest}"));
    let text = of_page.as_deref().unwrap_or(text);
    let text = text.split(['?', '#']).next().unwrap_or(text);
    if text.len() > MAX_PATH || text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return None;
    }
    let path = match text.split_once("://") {
        Some((scheme, rest)) => {
            let is_http = matches!(scheme, "http" | "https" | "ws" | "wss" | HOLE | "lb");
            let (host, path) = rest.split_once('/')?;
            // Another company's host is no part of what is indexed here.
            let is_own = host.contains(HOLE) || host.starts_with("127.") || !host.contains('.');
            (is_http && is_own).then_some(path)?
        }
        None => match text.strip_prefix(HOLE) {
            Some(rest) => rest.strip_prefix('/')?,
            None if needs_slash => text.strip_prefix('/')?,
            None => text.trim_start_matches('/'),
        },
    };
    let is_path = path.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '{' | '-' | '@' | '~'));
    let has_name = path.split('/').any(|part| !part.contains('{') && !part.is_empty());
    (is_path && has_name).then(|| normal_path(path))
}

/// Whether what is not written in front of a short path may be a part of the path: `pathQueue + "/info"`. What is called a
/// base, a host or a URL is none.
pub(super) fn is_partial(expression: &str, text: &str, path: &str) -> bool {
    let begins = text.starts_with(HOLE) && written_segments(&format!("* {path}")) < 2;
    let lower = expression.to_ascii_lowercase();
    let is_base = [
        "base", "url", "host", "addr", "server", "endpoint", "origin", "domain", "root", "service", "prefix", "api",
        "config", "settings", "env",
    ];
    begins && !is_base.iter().any(|word| lower.contains(word))
}

/// The path of a route of Django, without the marks of a pattern.
pub(super) fn django_path<'a>(source: &Source<'a>, site: &Site<'a>, argument: Argument<'a>) -> Option<String> {
    let text = value::literal(argument.text).or_else(|| site.text_of(source, argument))?;
    let text = text.trim_start_matches('^').trim_end_matches('$');
    Some(text.strip_suffix("/?").unwrap_or(text).to_owned())
}

/// The methods that an annotation or call names; every method if it names none.
pub(super) fn methods_of(site: &Site<'_>) -> Vec<&'static str> {
    let named = site.arguments.labelled(METHOD_LABELS);
    named.map_or_else(Vec::new, |argument| methods_in(argument.text))
}

/// The methods that a text names: `["GET", "POST"]`, `RequestMethod.GET`, `http.MethodGet`.
pub(super) fn methods_in(text: &str) -> Vec<&'static str> {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric());
    let names = parts.filter_map(|part| {
        let name = part.strip_prefix("Method").unwrap_or(part);
        method(&name.to_ascii_lowercase()).filter(|_| name.len() > 2 && name != "type")
    });
    names.collect()
}

//! Calls that ask a path or URL. Must not know routes.

use sextant_format::endpoints::ANY_METHOD;
use sextant_format::kinds::EdgeKind;

use super::paths::{METHOD_LABELS, asked_path, methods_in};
use crate::endpoints::call::fields;
use crate::endpoints::file::{Found, Source};
use crate::endpoints::site::Site;
use crate::endpoints::words::method;

/// So far around a URL its method is looked for: `.uri("/x").GET()`.
const CHAIN: usize = 200;

pub(super) fn request(site: &Site<'_>, method: &str, path: &str, at: usize) -> Found {
    let name = format!("{method} {path}");
    Found { kind: EdgeKind::Request, name, source: site.source, handler: None, at }
}

/// A request of `fetch(url, { method })`, `axios({ url, method })`.
pub(super) fn fetched<'a>(source: &Source<'a>, site: &Site<'a>) -> Option<Found> {
    let first = site.arguments.list.first().copied()?;
    let parts = fields(first);
    let field = |labels: &[&str]| parts.iter().find(|part| part.label.is_some_and(|l| labels.contains(&l))).copied();
    let (url, options) = match field(&["url"]) {
        Some(url) => (url, field(METHOD_LABELS)),
        None => {
            let second = site.arguments.list.get(1).copied().map(fields).unwrap_or_default();
            let named = second.into_iter().find(|part| part.label.is_some_and(|l| METHOD_LABELS.contains(&l)));
            (first, named.or_else(|| site.arguments.labelled(METHOD_LABELS)))
        }
    };
    let text = site.text_of(source, url)?;
    let method = match options {
        Some(options) => methods_in(options.text).first().copied().unwrap_or(ANY_METHOD),
        None => "GET",
    };
    // A page asks below its own path.
    let path = asked_path(&text, site.name != "ajax" || !text.contains('/'))?;
    Some(request(site, method, &path, url.at))
}

/// A request whose method is an argument: `request("GET", url)`, `http.NewRequest(http.MethodGet, url, nil)`.
pub(super) fn requested<'a>(source: &Source<'a>, site: &Site<'a>) -> Option<Found> {
    let list = &site.arguments.list;
    if let Some(url) = list
        .first()
        .copied()
        .map(fields)
        .unwrap_or_default()
        .into_iter()
        .find(|f| matches!(f.label, Some("url" | "path")))
    {
        let fields = fields(list[0]);
        let named = fields.iter().find(|field| field.label.is_some_and(|label| METHOD_LABELS.contains(&label)));
        let method = named.and_then(|named| methods_in(named.text).first().copied()).unwrap_or("GET");
        let path = asked_path(&site.text_of(source, url)?, true)?;
        return Some(request(site, method, &path, url.at));
    }
    let named = list.iter().take(3).position(|argument| {
        let text = argument.text.trim_matches(['"', '\'', ':']);
        let last = text.rsplit(['.', ':']).next().unwrap_or(text);
        let last = last.strip_prefix("Method").unwrap_or(last);
        (argument.text.len() < 32 && !last.is_empty()).then(|| method(&last.to_ascii_lowercase())).flatten().is_some()
    })?;
    let method = methods_in(list[named].text).first().copied()?;
    let url = list.get(named + 1).copied().or_else(|| named.checked_sub(1).and_then(|n| list.get(n).copied()))?;
    let path = asked_path(&site.text_of(source, url)?, true)?;
    Some(request(site, method, &path, url.at))
}

/// A URL in a chain of calls: `.uri(URI.create("http://users/x")).GET()`, `.get().uri("/x")`.
pub(super) fn chained<'a>(source: &Source<'a>, site: &Site<'a>) -> Option<Found> {
    let first = site.arguments.first()?;
    let path = asked_path(&site.text_of(source, first)?, true)?;
    let (from, to) = (site.at.saturating_sub(CHAIN), (site.arguments.end + CHAIN).min(source.text.len()));
    let before = source.text.get(from..site.at).unwrap_or("");
    let before = before.rsplit(';').next().unwrap_or(before);
    let after = source.text.get(site.arguments.end..to).unwrap_or("").split(';').next().unwrap_or("");
    let called = |text: &str| {
        let mut names =
            text.split('.').filter_map(|part| part.split_once('(')).map(|(name, _)| name.trim().to_ascii_lowercase());
        names.find_map(|name| method(&name))
    };
    let method = called(after).or_else(|| called(before)).unwrap_or(ANY_METHOD);
    Some(request(site, method, &path, first.at))
}

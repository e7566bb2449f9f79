//! Calls that serve a path, or ask it by the name of a method of HTTP.

use sextant_format::endpoints::ANY_METHOD;
use sextant_format::kinds::EdgeKind;

use super::handlers::{Handler, handler, handler_in, is_name, split_name};
use super::paths::{
    MAX_PATH, PATH_LABELS, asked_path, django_path, is_partial, joined, methods_in, methods_of, served_path,
};
use super::prefixes::{Prefix, is_made, prefix_at};
use super::requests::request;
use crate::endpoints::call::fields;
use crate::endpoints::file::{Found, Source};
use crate::endpoints::site::Site;
use crate::endpoints::value::{self, HOLE};
use crate::endpoints::words::{is_client, last_name, may_serve, method, words};

/// A route or a request by the name of a method: `app.get("/x", f)`, `client.get("/x")`.
pub(super) fn by_verb<'a>(
    source: &Source<'a>,
    site: &Site<'a>,
    method: &'static str,
    prefixes: &[Prefix<'a>],
    is_server: bool,
) -> Option<Found> {
    let list = &site.arguments.list;
    let is_bare = source.language.name == "elixir" && site.receiver.is_empty();
    // `get(conn, "/x")` of a test in Elixir.
    if is_bare && list.len() >= 2 && list[0].text == "conn" {
        let path = asked_path(&site.text_of(source, list[1])?, true)?;
        return Some(request(site, method, &path, list[1].at));
    }
    let asks = !is_server && is_client(site.receiver);
    let is_made = is_made(prefixes, site);
    let handler = (!asks || is_made || may_serve(site.receiver)).then(|| handler(source, site, is_made)).flatten();
    if let Some(handler) = handler {
        // `app.route("/x").get(f)`: the path is in front.
        let first = list.first().copied()?;
        let own = served_path(source, site, first, source.language.name == "ruby");
        // `users.GET("", list)` of a group.
        let is_same = is_made && value::literal(first.text).is_some_and(|text| text.is_empty());
        let own = own.or_else(|| is_same.then(String::new));
        let (path, at) = match own {
            Some(path) => (path, first.at),
            None => (route_in_front(site)?, site.at),
        };
        let name = format!("{method} {}", joined(&prefix_at(prefixes, site), &path));
        let (source, handler) = match handler {
            Handler::Inline => (site.source, None),
            Handler::Named(owner, name) => (site.source, Some((owner, name))),
        };
        return Some(Found { kind: EdgeKind::Serve, name, source, handler, at });
    }
    // `client.Get(ctx, path)` of Go.
    let first = if list.first().is_some_and(|first| first.text == "ctx") { list.get(1) } else { list.first() };
    let first = first.filter(|argument| argument.label.is_none()).copied();
    let argument = site.arguments.labelled(PATH_LABELS).or(first)?;
    // `client.get({ url: "/x" })` of a generated client.
    let of_object = fields(argument).into_iter().find(|field| field.label == Some("url"));
    if let Some(url) = of_object {
        let path = asked_path(&site.text_of(source, url)?, true)?;
        return Some(request(site, method, &path, url.at));
    }
    let text = site.text_of(source, argument)?;
    let is_url = text.contains("://") || text.starts_with(HOLE) && text[HOLE.len()..].starts_with('/');
    let is_own = matches!(last_name(site.receiver), "this" | "self");
    // A wrapper of the class: `this.get("/x")` of a client, `c.get(path)` in a method of one.
    let is_short = !site.receiver.is_empty() && site.receiver.len() <= 2 && source.language.name == "go";
    let in_client = (is_own || is_short) && is_client(source.owner_of(site.source));
    let in_test = source.is_test() && (is_own || site.receiver.is_empty() || last_name(site.receiver) == "c");
    if is_server || !(asks || is_url || in_test || in_client) {
        return None;
    }
    let path = asked_path(&text, !asks || !text.contains('/'))?;
    (!is_partial(argument.text, &text, &path)).then(|| request(site, method, &path, argument.at))
}

/// The path of `route("/x")` in the receiver of a call.
fn route_in_front(site: &Site<'_>) -> Option<String> {
    let at = site.receiver.find("route(").or_else(|| site.receiver.find("Route("))?;
    let inner = site.receiver.get(at + "route(".len()..)?;
    let end = inner.find([')', ','])?;
    value::literal(&inner[..end]).filter(|path| path.starts_with('/'))
}

/// Routes of `route("/x", f)`, `HandleFunc("GET /x", f)`, and `route("/x", get(f).post(g))` of axum.
pub(super) fn routes<'a>(source: &Source<'a>, site: &Site<'a>, prefixes: &[Prefix<'a>]) -> Vec<Found> {
    let list = &site.arguments.list;
    let Some(first) = site.arguments.labelled(PATH_LABELS).or_else(|| site.arguments.first()) else {
        return Vec::new();
    };
    let written = site.text_of(source, first).unwrap_or_default();
    let (named, rest) = match written.split_once(' ') {
        Some((name, rest)) => (method(&name.to_ascii_lowercase()), rest.to_owned()),
        None => (None, written),
    };
    // A host may stand in front of the path of Go's patterns.
    let path = rest.find('/').map(|at| &rest[at..]).filter(|path| path.len() <= MAX_PATH && !path.contains(' '));
    let Some(path) = path.filter(|_| !rest.contains("://") && !rest.starts_with(HOLE)) else { return Vec::new() };
    let path = joined(&prefix_at(prefixes, site), path);
    if source.language.name == "rust" {
        let Some(second) = list.get(1) else { return Vec::new() };
        return axum_methods(second.text)
            .into_iter()
            .filter_map(|(method, handler)| {
                let handler = match handler_in(handler, false)? {
                    Handler::Inline => None,
                    Handler::Named(owner, name) => Some((owner, name)),
                };
                let name = format!("{method} {path}");
                Some(Found { kind: EdgeKind::Serve, name, source: site.source, handler, at: first.at })
            })
            .collect();
    }
    let named_handler = site.arguments.labelled(&["view_func", "handler", "endpoint"]);
    let handler = match named_handler {
        Some(argument) => handler_in(argument.text, false),
        None => handler(source, site, is_made(prefixes, site)),
    };
    let Some(handler) = handler else { return Vec::new() };
    let handler = match handler {
        Handler::Inline => None,
        Handler::Named(owner, name) => Some((owner, name)),
    };
    // `.Methods("GET")` of gorilla follows the call.
    let after = source.text.get(site.arguments.end..).and_then(|rest| rest.strip_prefix(".Methods("));
    let mut methods: Vec<&str> = named.into_iter().collect();
    methods.extend(methods_of(site));
    methods.extend(after.and_then(|after| after.split(')').next()).map(methods_in).into_iter().flatten());
    if methods.is_empty() {
        methods.push(ANY_METHOD);
    }
    let found = methods.into_iter().map(|method| Found {
        kind: EdgeKind::Serve,
        name: format!("{method} {path}"),
        source: site.source,
        handler: handler.clone(),
        at: first.at,
    });
    found.collect()
}

/// The methods of a route of axum with their handlers: `get(list).post(create)`.
fn axum_methods(text: &str) -> Vec<(&'static str, &str)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('(') {
        let name = last_name(&rest[..open]);
        let inner = &rest[open + 1..];
        let mut depth = 1;
        let end = inner.char_indices().find_map(|(at, c)| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            (depth == 0).then_some(at)
        });
        let Some(end) = end else { break };
        if let Some(method) = method(name) {
            found.push((method, inner[..end].trim()));
        }
        rest = &inner[end + 1..];
    }
    found
}

/// A route of Django: `path("users/<int:id>/", views.detail)` in a file with `urlpatterns`.
pub(super) fn route_of_django<'a>(source: &Source<'a>, site: &Site<'a>, prefixes: &[Prefix<'a>]) -> Option<Found> {
    if source.language.name != "python" || !site.receiver.is_empty() || !source.text.contains("urlpatterns") {
        return None;
    }
    let [first, view, ..] = site.arguments.list.as_slice() else { return None };
    if view.text.starts_with("include") {
        return None;
    }
    let path = django_path(source, site, *first)?;
    let handler = match handler_in(view.text, false)? {
        Handler::Inline => None,
        Handler::Named(owner, name) => Some((owner, name)),
    };
    let name = format!("{ANY_METHOD} {}", joined(&prefix_at(prefixes, site), &path));
    Some(Found { kind: EdgeKind::Serve, name, source: site.source, handler, at: first.at })
}

/// The routes of a class that a router of Django REST framework registers: `router.register("users", UserViewSet)`.
pub(super) fn registered<'a>(source: &Source<'a>, site: &Site<'a>, prefixes: &[Prefix<'a>]) -> Vec<Found> {
    let [first, view, ..] = site.arguments.list.as_slice() else { return Vec::new() };
    let is_router = source.language.name == "python" && site.name == "register" && is_name(view.text);
    let path = value::literal(first.text).filter(|path| is_router && !path.contains(char::is_whitespace));
    let Some((path, Handler::Named(owner, name))) = path.zip(split_name(view.text)) else { return Vec::new() };
    if !words(last_name(site.receiver)).any(|word| word == "router") {
        return Vec::new();
    }
    let path = joined(&prefix_at(prefixes, site), &path);
    let paths = [path.clone(), format!("{path}/{}", sextant_format::endpoints::PARAMETER)];
    let found = paths.into_iter().map(|path| Found {
        kind: EdgeKind::Serve,
        name: format!("{ANY_METHOD} {path}"),
        source: site.source,
        handler: Some((owner.clone(), name.clone())),
        at: first.at,
    });
    found.collect()
}

//! Routes and requests of HTTP. A route is a path with who handles it: a decorated function, or a call whose last argument is
//! a function. A request is a path or URL that a client gets. What could be either is neither.

use std::ops::Range;

use sextant_format::endpoints::{ANY_METHOD, normal_path};
use sextant_format::kinds::{EdgeKind, Kind};

use super::call::{Argument, elements, fields};
use super::site::Site;
use super::value::{self, HOLE};
use super::words::{Role, is_client, is_router, last_name, may_serve, method, words};
use super::{Found, MOUNT, Source};

/// Names of arguments that are a path or URL.
const PATH_LABELS: &[&str] = &["path", "value", "url", "uri", "rule", "route", "pattern", "endpoint", "urlPatterns"];
/// Names of arguments that are methods.
const METHOD_LABELS: &[&str] = &["method", "methods", "type"];
/// Names of arguments that begin the paths of a router.
const PREFIX_LABELS: &[&str] = &["prefix", "url_prefix", "path", "value"];
const MAX_PATH: usize = 200;
/// So far around a URL its method is looked for: `.uri("/x").GET()`.
const CHAIN: usize = 200;

/// What begins the paths of some routes.
enum Prefix<'a> {
    /// Those inside of some bytes.
    Inside(Range<usize>, String),
    /// Those of a variable, from the byte on where it is made.
    Made(&'a str, String, usize),
    /// Those of a variable that is put below a path, anywhere.
    Mounted(&'a str, String),
}

/// The routes and requests of a file.
pub(super) fn endpoints<'a>(source: &Source<'a>, sites: &[Site<'a>]) -> Vec<Found> {
    let prefixes = prefixes(source, sites);
    let mut found = decorated(source, sites, &prefixes);
    found.extend(sites.iter().filter_map(|site| mount(source, site, &prefixes)));
    for site in sites.iter().filter(|site| site.decorated.is_none()) {
        match site.role {
            Role::Verb(method) => found.extend(by_verb(source, site, method, &prefixes, false)),
            Role::ServerVerb(method) => found.extend(by_verb(source, site, method, &prefixes, true)),
            // What has routes inside begins their paths.
            Role::Route if sites.iter().any(|inner| inner.at > site.at && site.range().contains(&inner.at)
                && source.language.name != "rust") => {}
            Role::Route => found.extend(routes(source, site, &prefixes)),
            Role::PathOfDjango => found.extend(route_of_django(source, site, &prefixes)),
            Role::Fetch => found.extend(fetched(source, site)),
            Role::Request => found.extend(requested(source, site)),
            Role::Uri => found.extend(chained(source, site)),
            Role::Mount => found.extend(registered(source, site, &prefixes)),
            Role::Prefix | Role::Publish | Role::Subscribe => {}
        }
    }
    found
}

/// A path as routes have it: normal, with what begins it in front.
fn joined(prefix: &str, path: &str) -> String {
    normal_path(&format!("{prefix}/{path}"))
}

/// The path that a route or prefix is given. Without a slash in front it must look like a path, where `loose` allows it.
fn served_path<'a>(source: &Source<'a>, site: &Site<'a>, argument: Argument<'a>, loose: bool) -> Option<String> {
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
fn asked_path(text: &str, needs_slash: bool) -> Option<String> {
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

fn request(site: &Site<'_>, method: &str, path: &str, at: usize) -> Found {
    let name = format!("{method} {path}");
    Found { kind: EdgeKind::Request, name, source: site.source, handler: None, at }
}

fn prefixes<'a>(source: &Source<'a>, sites: &[Site<'a>]) -> Vec<Prefix<'a>> {
    let mut found = Vec::new();
    // Groups may be made from groups: in the order of the text, a receiver's own prefix is known.
    for site in sites {
        let is_decoration = site.decorated.is_some();
        match site.role {
            Role::Prefix | Role::Route if !is_decoration => {
                let labelled = site.arguments.labelled(PREFIX_LABELS);
                // `new Router({ prefix: "/api" })`
                let field = site.arguments.first().and_then(|first| {
                    fields(first).into_iter().find(|field| field.label.is_some_and(|l| PREFIX_LABELS.contains(&l)))
                });
                let loose = matches!(site.name, "namespace" | "scope" | "MapGroup");
                let argument = labelled.or(field).or_else(|| site.arguments.first());
                let symbol = argument.filter(|a| loose && a.text.starts_with(':')).map(|a| a.text[1..].to_owned());
                let path = argument.and_then(|argument| served_path(source, site, argument, loose));
                // `Group("")` makes another router below the same path.
                let same = argument.filter(|a| site.role == Role::Prefix && a.text.len() == 2).map(|_| String::new());
                let Some(path) = symbol.or(path).or(same) else { continue };
                let path = format!("{}/{path}", of_variable(&found, site.receiver, site.at));
                if site.role == Role::Prefix
                    && let Some(variable) = site.variable(source.text)
                {
                    found.push(Prefix::Made(variable, path.clone(), site.at));
                }
                // `.nest("/api", routes())`: the routes of a function of this file.
                let made = site.arguments.list.get(1).and_then(|second| function_of(source, second.text));
                if let Some(range) = made.filter(|_| site.name == "nest") {
                    found.push(Prefix::Inside(range, path.clone()));
                }
                let is_axum = site.role == Role::Route && source.language.name == "rust";
                if !is_axum {
                    found.push(Prefix::Inside(site.range(), path));
                }
            }
            Role::Mount => {
                let labelled = site.arguments.labelled(&["prefix", "url_prefix"]);
                let list = &site.arguments.list;
                let (path, router) = match labelled {
                    Some(path) => (path, list.first()),
                    None => match list.first() {
                        Some(path) => (*path, list.get(1)),
                        None => continue,
                    },
                };
                let Some(path) = served_path(source, site, path, false) else { continue };
                let Some(router) = router.filter(|router| is_name(router.text)) else { continue };
                found.push(Prefix::Mounted(last_name(router.text), path));
            }
            // `path("api/", include([...]))`, and `include(router.urls)` of a router of this file.
            Role::PathOfDjango if source.language.name == "python" => {
                let [path, included, ..] = site.arguments.list.as_slice() else { continue };
                let Some(inner) = included.text.strip_prefix("include(") else { continue };
                let Some(path) = django_path(source, site, *path) else { continue };
                let below = format!("{}/{path}", prefix_at(&found, site));
                // `include(router.urls)`, or `*router.urls` in a list; what an inner `include` has is its own.
                let routers = inner.match_indices(".urls").filter_map(|(at, _)| {
                    let name = last_name(&inner[..at]);
                    let before = inner[..at - name.len()].trim_end();
                    (before.trim_start_matches(['(', '[']).is_empty() || before.ends_with('*')).then_some(name)
                });
                let is_router = |name: &&str| sites.iter().any(|site| site.name == "register" && last_name(site.receiver) == *name);
                found.extend(routers.filter(is_router).map(|name| Prefix::Mounted(name, below.clone())));
                found.push(Prefix::Inside(site.range(), path));
            }
            _ => {}
        }
    }
    found
}

/// A router of another file that is put below a path: `app.use("/api", users)`, `include_router(users.router, prefix="/x")`,
/// `path("shop/", include("shop.urls"))`, `.nest("/api", users::routes())`.
fn mount<'a>(source: &Source<'a>, site: &Site<'a>, prefixes: &[Prefix<'a>]) -> Option<Found> {
    let list = &site.arguments.list;
    let labelled = site.arguments.labelled(&["prefix", "url_prefix"]);
    let (path, router) = match site.role {
        Role::Mount if labelled.is_some() => (labelled, list.first()?),
        // `app.use(routes)`, `include_router(users.router)`: below the same path as what it is put into.
        Role::Mount if list.len() == 1 => {
            let is_whole = matches!(source.language.family, "ecma" | "python");
            let is_mount = is_whole && matches!(site.name, "use" | "include_router" | "register_blueprint");
            (None, list.first().filter(|_| is_mount)?)
        }
        Role::Mount => (Some(*list.first()?), list.last().filter(|_| list.len() > 1)?),
        Role::Prefix if site.name == "nest" => (Some(*list.first()?), list.get(1)?),
        Role::PathOfDjango if source.language.name == "python" => (Some(*list.first()?), list.get(1)?),
        _ => return None,
    };
    let is_django = site.role == Role::PathOfDjango;
    let below = match path {
        Some(path) => served_path(source, site, path, is_django)?,
        None => String::new(),
    };
    let above = match site.variable(source.text) {
        Some(variable) => of_variable(prefixes, variable, usize::MAX),
        None => prefix_at(prefixes, site),
    };
    let below = format!("{above}/{}", below.trim_start_matches('^'));
    let text = router.text.trim();
    let (owner, name) = if let Some((outer, inner)) = text.split_once('(').filter(|(outer, _)| is_name(outer)) {
        let inner = inner.trim_end_matches(')').trim();
        match (outer, value::literal(inner)) {
            ("include" | "require", Some(module)) => (None, module),
            ("include", None) if is_name(inner) => (None, inner.to_owned()),
            _ if is_django || !inner.is_empty() => return None,
            _ => match split_name(outer)? {
                Handler::Named(owner, name) => (owner, name),
                Handler::Inline => return None,
            },
        }
    } else {
        if is_django || !is_name(text) {
            return None;
        }
        match split_name(text)? {
            Handler::Named(owner, name) => (owner, name),
            Handler::Inline => return None,
        }
    };
    let name_of_mount = format!("{MOUNT}{}", normal_path(&below));
    Some(Found {
        kind: EdgeKind::Serve,
        name: name_of_mount,
        source: site.source,
        handler: Some((owner, name)),
        at: router.at,
    })
}

/// The bytes of the function of this file that an expression calls.
fn function_of(source: &Source<'_>, expression: &str) -> Option<Range<usize>> {
    let name = expression.split('(').next().filter(|name| is_name(name))?;
    let symbol = source.symbols.iter().find(|symbol| symbol.name == last_name(name) && symbol.has_body)?;
    Some(symbol.start_byte..symbol.end_byte)
}

fn of_variable(prefixes: &[Prefix<'_>], receiver: &str, at: usize) -> String {
    let name = last_name(receiver);
    let mounted = prefixes.iter().filter_map(|prefix| match prefix {
        Prefix::Mounted(variable, path) if *variable == name => Some(path.as_str()),
        _ => None,
    });
    let mut parts: Vec<&str> = mounted.collect();
    let made = prefixes.iter().filter_map(|prefix| match prefix {
        Prefix::Made(variable, path, from) if *variable == name && *from < at => Some((from, path.as_str())),
        _ => None,
    });
    // A name may be given again, in a function or block of its own.
    parts.extend(made.max_by_key(|(from, _)| **from).map(|(_, path)| path));
    parts.join("/")
}

/// The path of a route of Django, without the marks of a pattern.
fn django_path<'a>(source: &Source<'a>, site: &Site<'a>, argument: Argument<'a>) -> Option<String> {
    let text = value::literal(argument.text).or_else(|| site.text_of(source, argument))?;
    let text = text.trim_start_matches('^').trim_end_matches('$');
    Some(text.strip_suffix("/?").unwrap_or(text).to_owned())
}

/// What begins the path of a route at a byte, whose receiver is given.
fn prefix_at(prefixes: &[Prefix<'_>], site: &Site<'_>) -> String {
    let around = prefixes.iter().filter_map(|prefix| match prefix {
        Prefix::Inside(range, path) if range.contains(&site.at) && range.start != site.at => Some(path.as_str()),
        _ => None,
    });
    let mut parts: Vec<&str> = around.collect();
    let own = of_variable(prefixes, site.receiver, site.at);
    parts.push(&own);
    parts.join("/")
}

/// Routes by annotations and decorators: those of a method with those of its class.
fn decorated<'a>(source: &Source<'a>, sites: &[Site<'a>], prefixes: &[Prefix<'a>]) -> Vec<Found> {
    let mut found = Vec::new();
    let of = |symbol: u32| sites.iter().filter(move |site| site.decorated == Some(symbol));
    let mut symbols: Vec<u32> = sites.iter().filter_map(|site| site.decorated).collect();
    symbols.dedup();
    symbols.sort_unstable();
    symbols.dedup();
    for id in symbols {
        let symbol = &source.symbols[id as usize];
        if !symbol.kind.is_callable() {
            continue;
        }
        let class = symbol.container.filter(|&class| source.symbols[class as usize].kind.is_type());
        let class_paths = class.map_or_else(Vec::new, |class| {
            let paths = of(class).filter(|site| matches!(site.role, Role::Prefix | Role::Route));
            paths.flat_map(|site| paths_of(source, site, true)).collect::<Vec<_>>()
        });
        let has_class = class.is_some_and(|class| of(class).any(|site| matches!(site.role, Role::Prefix | Role::Route)));
        let (mut methods, mut paths) = (Vec::new(), Vec::new());
        for site in of(id) {
            let written = match site.role {
                Role::Verb(_) | Role::ServerVerb(_) | Role::Route => site,
                _ => continue,
            };
            let is_upper = written.name.starts_with(|c: char| c.is_ascii_uppercase());
            let own = paths_of(source, written, is_upper || has_class);
            // `patch("a.b")` of a mock, `@cache.get("x")`: no path, no route.
            if own.is_empty() && !(is_upper && has_class && written.arguments.list.is_empty()) && !written.arguments.list.is_empty()
            {
                continue;
            }
            match written.role {
                Role::Verb(method) | Role::ServerVerb(method) if is_upper || !own.is_empty() => methods.push(method),
                Role::Route => methods.extend(methods_of(written)),
                _ => continue,
            }
            let before = prefix_at(prefixes, written);
            paths.extend(own.into_iter().map(|(path, at)| (joined(&before, &named(source, &path, id, class)), at)));
        }
        if methods.is_empty() && paths.is_empty() {
            continue;
        }
        let at = source.lines.start(symbol.name_line) + symbol.name_column as usize;
        if paths.is_empty() {
            if !has_class {
                continue;
            }
            paths.push((String::new(), at));
        }
        if methods.is_empty() {
            methods.push(ANY_METHOD);
        }
        methods.sort_unstable();
        methods.dedup();
        let is_client = is_declared_client(source, class, id, sites);
        let class_paths = if class_paths.is_empty() { vec![(String::new(), at)] } else { class_paths };
        for (before, _) in &class_paths {
            for (path, at) in &paths {
                let path = joined(&named(source, before, id, class), path);
                for method in &methods {
                    let kind = if is_client { EdgeKind::Request } else { EdgeKind::Serve };
                    let name = format!("{method} {path}");
                    found.push(Found { kind, name, source: id, handler: None, at: *at });
                }
            }
        }
    }
    found
}

/// A path of ASP.NET with the names of class and method where it asks for them.
fn named(source: &Source<'_>, path: &str, method: u32, class: Option<u32>) -> String {
    if source.language.name != "csharp" {
        return path.to_owned();
    }
    let class = class.map_or("", |class| source.symbols[class as usize].name.trim_end_matches("Controller"));
    let method = &source.symbols[method as usize].name;
    let part = |part: &str| match part {
        "[controller]" => class.to_ascii_lowercase(),
        "[action]" => method.to_ascii_lowercase(),
        _ => part.to_owned(),
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// Whether a method with an annotation asks the endpoint: an interface of Retrofit, Feign or the like declares a client.
fn is_declared_client(source: &Source<'_>, class: Option<u32>, method: u32, sites: &[Site<'_>]) -> bool {
    let symbol = &source.symbols[method as usize];
    let is_upper = |site: &Site<'_>| {
        matches!(site.role, Role::Verb(_)) && site.name.chars().all(|c| c.is_ascii_uppercase()) && !site.arguments.list.is_empty()
    };
    if !symbol.has_body && sites.iter().any(|site| site.decorated == Some(method) && is_upper(site)) {
        return true;
    }
    let Some(class) = class.map(|class| &source.symbols[class as usize]) else { return false };
    if class.kind != Kind::Interface || symbol.has_body {
        return false;
    }
    let (from, to) = (source.lines.start(class.lead_line), source.lines.start(class.name_line + 1));
    let head = source.text.get(from..to).unwrap_or("");
    head.contains("Client") || head.contains("Exchange")
        || sites.iter().any(|site| site.decorated == Some(method) && site.name.ends_with("Exchange"))
}

/// The paths of an annotation, each with its byte.
fn paths_of<'a>(source: &Source<'a>, site: &Site<'a>, loose: bool) -> Vec<(String, usize)> {
    let argument = site.arguments.labelled(PATH_LABELS).or_else(|| site.arguments.first());
    let Some(argument) = argument else { return Vec::new() };
    let path = |element: Argument<'a>| {
        // `[controller]` of ASP.NET is kept until the name of the class is known.
        let written = value::literal(element.text).filter(|text| text.contains("[controller]") || text.contains("[action]"));
        let path = written.or_else(|| served_path(source, site, element, loose))?;
        Some((path, element.at))
    };
    // A field of an object: `@Controller({ path: 'users' })`.
    let inner = fields(argument).into_iter().find(|field| field.label == Some("path"));
    elements(inner.unwrap_or(argument)).into_iter().filter_map(path).collect()
}

/// The methods that an annotation or call names; every method if it names none.
fn methods_of(site: &Site<'_>) -> Vec<&'static str> {
    let named = site.arguments.labelled(METHOD_LABELS);
    named.map_or_else(Vec::new, |argument| methods_in(argument.text))
}

/// The methods that a text names: `["GET", "POST"]`, `RequestMethod.GET`, `http.MethodGet`.
fn methods_in(text: &str) -> Vec<&'static str> {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric());
    let names = parts.filter_map(|part| {
        let name = part.strip_prefix("Method").unwrap_or(part);
        method(&name.to_ascii_lowercase()).filter(|_| name.len() > 2 && name != "type")
    });
    names.collect()
}

/// A route or a request by the name of a method: `app.get("/x", f)`, `client.get("/x")`.
fn by_verb<'a>(
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
    let argument = site.arguments.labelled(PATH_LABELS).or_else(|| site.arguments.first())?;
    let text = site.text_of(source, argument)?;
    let is_url = text.contains("://") || text.starts_with(HOLE) && text[HOLE.len()..].starts_with('/');
    let is_own = matches!(last_name(site.receiver), "this" | "self");
    // A wrapper of the class: `this.get("/x")` of a client.
    let in_client = is_own && is_client(source.owner_of(site.source));
    let in_test = source.is_test() && (is_own || site.receiver.is_empty() || last_name(site.receiver) == "c");
    if is_server || !(asks || is_url || in_test || in_client) {
        return None;
    }
    let path = asked_path(&text, !asks || !text.contains('/'))?;
    Some(request(site, method, &path, argument.at))
}

/// Who handles a route.
enum Handler {
    /// A function that is written in place.
    Inline,
    /// The function of a name, behind a receiver.
    Named(Option<String>, String),
}

/// Whether the receiver of a call is a router that this file makes below a path.
fn is_made(prefixes: &[Prefix<'_>], site: &Site<'_>) -> bool {
    let name = last_name(site.receiver);
    prefixes.iter().any(|prefix| match prefix {
        Prefix::Made(variable, ..) | Prefix::Mounted(variable, _) => *variable == name,
        Prefix::Inside(..) => false,
    })
}

/// Who handles the route of a call: its last argument, its block, or what Rails and Phoenix name.
fn handler(source: &Source<'_>, site: &Site<'_>, is_made: bool) -> Option<Handler> {
    let list = &site.arguments.list;
    let language = source.language.name;
    if site.arguments.block.is_some() && matches!(language, "ruby" | "kotlin" | "swift" | "scala") {
        return Some(Handler::Inline);
    }
    if language == "ruby" {
        // `get "/x", to: "users#show"`, `get "/x" => "users#show"`
        let to = site.arguments.labelled(&["to"]).map(|to| to.text);
        let to = to.or_else(|| list.first()?.text.split_once("=>").map(|(_, to)| to.trim()))?;
        let (controller, action) = to.trim_matches(['"', '\'']).split_once('#')?;
        let controller: String = words(controller).map(|word| capitalized(&word)).collect();
        return Some(Handler::Named(Some(format!("{controller}Controller")), action.to_owned()));
    }
    if language == "elixir" {
        let [_, controller, action, ..] = list.as_slice() else { return None };
        let action = action.text.strip_prefix(':')?;
        return Some(Handler::Named(Some(controller.text.to_owned()), action.to_owned()));
    }
    let last = list.last().filter(|_| list.len() > 1 || site.receiver.ends_with(')'))?;
    if last.label.is_some_and(|label| !matches!(label, "handler" | "endpoint" | "view_func" | "use")) {
        return None;
    }
    let is_strict = matches!(language, "java" | "kotlin" | "csharp" | "rust" | "swift" | "scala");
    let found = handler_in(last.text, is_strict && !matches!(site.role, Role::ServerVerb(_) | Role::Route))?;
    // What follows the path of a request is its body.
    let is_known = match (&found, site.role) {
        (Handler::Named(owner, name), Role::Verb(_)) => {
            is_made || is_router(site.receiver) || source.may_be_function(last_name(owner.as_deref().unwrap_or(name)))
        }
        _ => true,
    };
    is_known.then_some(found)
}

/// The handler that an expression is: a function, or a name of one. Where `is_strict` says so, a name alone is none.
fn handler_in(text: &str, is_strict: bool) -> Option<Handler> {
    let text = text.trim();
    let begins = ["function", "async ", "func(", "func (", "fn(", "fn (", "lambda", "|", "move |", "static fn"];
    if begins.iter().any(|begin| text.starts_with(begin)) || is_arrow(text) {
        return Some(Handler::Inline);
    }
    // Laravel: `[UserController::class, 'show']`, `'UserController@show'`.
    if let Some((class, action)) = text.trim_matches(['[', ']', '\'', '"']).split_once("::class")
        && text.starts_with('[')
    {
        let action = action.trim_matches([',', ' ', '\'', '"']);
        return Some(Handler::Named(Some(class.trim().to_owned()), action.to_owned()));
    }
    if let Some((class, action)) = text.trim_matches(['\'', '"']).split_once('@')
        && text.starts_with(['\'', '"'])
    {
        return Some(Handler::Named(Some(class.to_owned()), action.to_owned()));
    }
    let name = text.trim_start_matches('&');
    if is_name(name) {
        let is_value = matches!(name, "true" | "false" | "nil" | "null" | "None" | "True" | "False" | "undefined");
        if is_value || is_strict && !name.contains("::") {
            return None;
        }
        return split_name(name);
    }
    // `asyncHandler(users.show)`, `http.HandlerFunc(s.show)`, `views.Detail.as_view()`
    let (outer, inner) = name.split_once('(')?;
    if !is_name(outer) || is_strict {
        return None;
    }
    let inner = inner.trim_end_matches(')').trim();
    if inner.is_empty() {
        let (class, _) = outer.rsplit_once('.').filter(|(_, method)| *method == "as_view")?;
        return split_name(class);
    }
    let last = inner.rsplit(',').next()?.trim();
    handler_in(last, false)
}

/// Whether a text is a function with an arrow: `(a) => b`, `ctx -> b`, `a => b`.
fn is_arrow(text: &str) -> bool {
    let arrow = text.find("=>").or_else(|| text.find("->"));
    let Some(before) = arrow.map(|at| text[..at].trim()) else { return false };
    before.starts_with(['(', '{']) || before.ends_with(')') || is_name(before)
}

fn split_name(name: &str) -> Option<Handler> {
    let at = name.rfind(['.', ':', '>']).map_or(0, |at| at + 1);
    let owner = name[..at].trim_end_matches(['.', ':', '>', '-']);
    let last = name.get(at..).filter(|last| !last.is_empty())?;
    Some(Handler::Named((!owner.is_empty()).then(|| owner.to_owned()), last.to_owned()))
}

/// Whether a text is a name, perhaps behind receivers: `a.b`, `A::b`, `$this->x`.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'))
        && text.replace("->", ".").chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | ':'))
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

/// The path of `route("/x")` in the receiver of a call.
fn route_in_front(site: &Site<'_>) -> Option<String> {
    let at = site.receiver.find("route(").or_else(|| site.receiver.find("Route("))?;
    let inner = site.receiver.get(at + "route(".len()..)?;
    let end = inner.find([')', ','])?;
    value::literal(&inner[..end]).filter(|path| path.starts_with('/'))
}

/// Routes of `route("/x", f)`, `HandleFunc("GET /x", f)`, and `route("/x", get(f).post(g))` of axum.
fn routes<'a>(source: &Source<'a>, site: &Site<'a>, prefixes: &[Prefix<'a>]) -> Vec<Found> {
    let list = &site.arguments.list;
    let Some(first) = site.arguments.labelled(PATH_LABELS).or_else(|| site.arguments.first()) else { return Vec::new() };
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
fn route_of_django<'a>(source: &Source<'a>, site: &Site<'a>, prefixes: &[Prefix<'a>]) -> Option<Found> {
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
fn registered<'a>(source: &Source<'a>, site: &Site<'a>, prefixes: &[Prefix<'a>]) -> Vec<Found> {
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

/// A request of `fetch(url, { method })`, `axios({ url, method })`.
fn fetched<'a>(source: &Source<'a>, site: &Site<'a>) -> Option<Found> {
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
    let path = asked_path(&text, true)?;
    Some(request(site, method, &path, url.at))
}

/// A request whose method is an argument: `request("GET", url)`, `http.NewRequest(http.MethodGet, url, nil)`.
fn requested<'a>(source: &Source<'a>, site: &Site<'a>) -> Option<Found> {
    let list = &site.arguments.list;
    if let Some(url) = list.first().copied().map(fields).unwrap_or_default().into_iter().find(|f| f.label == Some("url")) {
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
fn chained<'a>(source: &Source<'a>, site: &Site<'a>) -> Option<Found> {
    let first = site.arguments.first()?;
    let path = asked_path(&site.text_of(source, first)?, true)?;
    let (from, to) = (site.at.saturating_sub(CHAIN), (site.arguments.end + CHAIN).min(source.text.len()));
    let before = source.text.get(from..site.at).unwrap_or("");
    let before = before.rsplit(';').next().unwrap_or(before);
    let after = source.text.get(site.arguments.end..to).unwrap_or("").split(';').next().unwrap_or("");
    let called = |text: &str| {
        let mut names = text.split('.').filter_map(|part| part.split_once('(')).map(|(name, _)| name.trim().to_ascii_lowercase());
        names.find_map(|name| method(&name))
    };
    let method = called(after).or_else(|| called(before)).unwrap_or(ANY_METHOD);
    Some(request(site, method, &path, first.at))
}

//! What stands in front of the paths of routes: groups, nested routers, mounts. Must not know requests.

use std::ops::Range;

use sextant_format::endpoints::normal_path;
use sextant_format::kinds::EdgeKind;

use super::handlers::{Handler, is_name, split_name};
use super::paths::{django_path, served_path};
use crate::endpoints::call::fields;
use crate::endpoints::file::{Found, MOUNT, Source, UNKNOWN_PREFIX};
use crate::endpoints::site::Site;
use crate::endpoints::value::{self};
use crate::endpoints::words::{Role, last_name};

/// Names of arguments that begin the paths of a router.
const PREFIX_LABELS: &[&str] = &["prefix", "url_prefix", "path", "value"];

/// What begins the paths of some routes.
pub(super) enum Prefix<'a> {
    /// Those inside of some bytes.
    Inside(Range<usize>, String),
    /// Those of a variable, from the byte on where it is made.
    Made(&'a str, String, usize),
    /// Those of a variable that is put below a path, anywhere.
    Mounted(&'a str, String),
}

pub(super) fn prefixes<'a>(source: &Source<'a>, sites: &[Site<'a>]) -> Vec<Prefix<'a>> {
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
                let is_router =
                    |name: &&str| sites.iter().any(|site| site.name == "register" && last_name(site.receiver) == *name);
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
pub(super) fn mount<'a>(source: &Source<'a>, site: &Site<'a>, prefixes: &[Prefix<'a>]) -> Option<Found> {
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
        // `prefix=settings.API`: below a path that is not written here.
        Some(path) if path.label.is_some() && is_name(path.text) && site.text_of(source, path).is_none() => {
            UNKNOWN_PREFIX.to_owned()
        }
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
    let name_of_mount = match below.contains(UNKNOWN_PREFIX) {
        true => format!("{MOUNT}{UNKNOWN_PREFIX}"),
        false => format!("{MOUNT}{}", normal_path(&below)),
    };
    Some(Found {
        kind: EdgeKind::Serve,
        name: name_of_mount,
        source: site.source,
        handler: Some((owner, name)),
        at: list.first()?.at,
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

/// What begins the path of a route at a byte, whose receiver is given.
pub(super) fn prefix_at(prefixes: &[Prefix<'_>], site: &Site<'_>) -> String {
    let around = prefixes.iter().filter_map(|prefix| match prefix {
        Prefix::Inside(range, path) if range.contains(&site.at) && range.start != site.at => Some(path.as_str()),
        _ => None,
    });
    let mut parts: Vec<&str> = around.collect();
    let own = of_variable(prefixes, site.receiver, site.at);
    parts.push(&own);
    parts.join("/")
}

/// Whether the receiver of a call is a router that this file makes below a path.
pub(super) fn is_made(prefixes: &[Prefix<'_>], site: &Site<'_>) -> bool {
    let name = last_name(site.receiver);
    prefixes.iter().any(|prefix| match prefix {
        Prefix::Made(variable, ..) | Prefix::Mounted(variable, _) => *variable == name,
        Prefix::Inside(..) => false,
    })
}

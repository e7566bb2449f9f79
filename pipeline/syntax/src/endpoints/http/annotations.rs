//! Routes by annotations and decorators, and clients that are declared by them. Must not know calls.

use sextant_format::endpoints::ANY_METHOD;
use sextant_format::kinds::{EdgeKind, Kind};

use super::paths::{PATH_LABELS, joined, methods_of, served_path};
use super::prefixes::{Prefix, prefix_at};
use crate::endpoints::call::{Argument, elements, fields};
use crate::endpoints::file::{Found, Source};
use crate::endpoints::site::Site;
use crate::endpoints::value::{self};
use crate::endpoints::words::Role;

/// Routes by annotations and decorators: those of a method with those of its class.
pub(super) fn decorated<'a>(source: &Source<'a>, sites: &[Site<'a>], prefixes: &[Prefix<'a>]) -> Vec<Found> {
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
        let has_class =
            class.is_some_and(|class| of(class).any(|site| matches!(site.role, Role::Prefix | Role::Route)));
        let (mut methods, mut paths) = (Vec::new(), Vec::new());
        for site in of(id) {
            let written = match site.role {
                Role::Verb(_) | Role::ServerVerb(_) | Role::Route => site,
                _ => continue,
            };
            let is_upper = written.name.starts_with(|c: char| c.is_ascii_uppercase());
            let mut own = paths_of(source, written, is_upper || has_class);
            let path = written.arguments.labelled(PATH_LABELS).or_else(|| written.arguments.first());
            // `@router.get("")`: the path of the router itself.
            if let Some(path) =
                path.filter(|path| own.is_empty() && value::literal(path.text).is_some_and(|t| t.is_empty()))
            {
                own.push((String::new(), path.at));
            }
            // `patch("a.b")` of a mock, `@cache.get("x")`: no path, no route.
            if own.is_empty() && path.is_some() {
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
        matches!(site.role, Role::Verb(_))
            && site.name.chars().all(|c| c.is_ascii_uppercase())
            && !site.arguments.list.is_empty()
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
    head.contains("Client")
        || head.contains("Exchange")
        || sites.iter().any(|site| site.decorated == Some(method) && site.name.ends_with("Exchange"))
}

/// The paths of an annotation, each with its byte.
fn paths_of<'a>(source: &Source<'a>, site: &Site<'a>, loose: bool) -> Vec<(String, usize)> {
    let argument = site.arguments.labelled(PATH_LABELS).or_else(|| site.arguments.first());
    let Some(argument) = argument else { return Vec::new() };
    let path = |element: Argument<'a>| {
        // `[controller]` of ASP.NET is kept until the name of the class is known.
        let written =
            value::literal(element.text).filter(|text| text.contains("[controller]") || text.contains("[action]"));
        let path = written.or_else(|| served_path(source, site, element, loose))?;
        Some((path, element.at))
    };
    // A field of an object: `@Controller({ path: 'users' })`.
    let inner = fields(argument).into_iter().find(|field| field.label == Some("path"));
    elements(inner.unwrap_or(argument)).into_iter().filter_map(path).collect()
}

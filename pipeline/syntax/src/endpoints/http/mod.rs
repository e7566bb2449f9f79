//! Routes and requests of HTTP. A route is a path with who handles it: a decorated function, or a call whose last argument is
//! a function. A request is a path or URL that a client gets. What could be either is neither.

mod annotations;
mod files;
mod handlers;
mod paths;
mod prefixes;
mod requests;
mod routes;

use super::file::{Found, Source};
use super::site::Site;
use super::words::Role;

/// The routes that a file serves by its path alone.
pub(super) fn routes_of_file(source: &Source<'_>) -> Vec<Found> {
    files::routes(source)
}

/// The routes and requests of a file.
pub(super) fn endpoints<'a>(source: &Source<'a>, sites: &[Site<'a>]) -> Vec<Found> {
    let prefixes = prefixes::prefixes(source, sites);
    let mut found = annotations::decorated(source, sites, &prefixes);
    found.extend(sites.iter().filter_map(|site| prefixes::mount(source, site, &prefixes)));
    for site in sites.iter().filter(|site| site.decorated.is_none()) {
        match site.role {
            Role::Verb(method) => found.extend(routes::by_verb(source, site, method, &prefixes, false)),
            Role::ServerVerb(method) => found.extend(routes::by_verb(source, site, method, &prefixes, true)),
            // What has routes inside begins their paths.
            Role::Route
                if sites.iter().any(|inner| {
                    inner.at > site.at && site.range().contains(&inner.at) && source.language.name != "rust"
                }) => {}
            Role::Route => found.extend(routes::routes(source, site, &prefixes)),
            Role::PathOfDjango => found.extend(routes::route_of_django(source, site, &prefixes)),
            Role::Fetch => found.extend(requests::fetched(source, site)),
            Role::Request => found.extend(requests::requested(source, site)),
            Role::Uri => found.extend(requests::chained(source, site)),
            Role::Mount => found.extend(routes::registered(source, site, &prefixes)),
            Role::Prefix | Role::Publish | Role::Subscribe => {}
        }
    }
    found
}

//! Names of endpoints: where services meet, written the same by who serves and by who asks.
//!
//! | family | name | from |
//! |---|---|---|
//! | `http` | `GET /users/{}` | method, `*` if it is not known, and path; `{}` is a parameter, `{*}` the rest of the path |
//! | `grpc` | `Greeter/SayHello` | service and method, without package |
//! | `topic` | `topic orders` | topic, queue or subject of messages |
//!
//! An endpoint that a request leads to is an external symbol of the family, as far as the index does not define it.

/// The first feature version whose indexes have endpoints.
pub const SINCE_FEATURES: u32 = 19;

/// The family of HTTP routes.
pub const HTTP: &str = "http";
/// The family of methods of services in Protocol Buffers.
pub const GRPC: &str = "grpc";
/// The family of topics of messages.
pub const TOPIC: &str = "topic";

/// What begins the name of a topic.
pub const TOPIC_PREFIX: &str = "topic ";
/// A segment of a path that is a parameter.
pub const PARAMETER: &str = "{}";
/// The last segment of a path that stands for one or more segments.
pub const REST: &str = "{*}";
/// The method of a request or route, if it is not known.
pub const ANY_METHOD: &str = "*";

/// Whether a family is one of endpoints.
#[must_use]
pub fn is_family(family: &str) -> bool {
    matches!(family, HTTP | GRPC | TOPIC)
}

/// The family of an endpoint.
#[must_use]
pub fn family(name: &str) -> &'static str {
    if name.contains(" /") {
        HTTP
    } else if name.starts_with(TOPIC_PREFIX) {
        TOPIC
    } else {
        GRPC
    }
}

/// How well a request fits a served endpoint: the number of segments that both write. None if it does not fit. Of several
/// routes, that with most such segments is meant, as routers decide.
#[must_use]
pub fn fits(request: &str, served: &str) -> Option<usize> {
    if family(request) != HTTP || family(served) != HTTP {
        return (request == served).then_some(2);
    }
    let (request_method, request_path) = request.split_once(' ')?;
    let (served_method, served_path) = served.split_once(' ')?;
    if request_method != served_method && request_method != ANY_METHOD && served_method != ANY_METHOD {
        return None;
    }
    let (mut asked, mut offered) = (segments(request_path), segments(served_path));
    let mut same = 0;
    loop {
        match (asked.next(), offered.next()) {
            (None, None) => return Some(same),
            (Some(_), Some(REST)) => return Some(same),
            // Some frameworks do not tell cases apart, and nobody serves two routes that differ by nothing else.
            (Some(one), Some(other)) if one.eq_ignore_ascii_case(other) && one != PARAMETER => same += 1,
            (Some(_), Some(PARAMETER)) => {}
            _ => return None,
        }
    }
}

/// The number of segments of an endpoint that are no parameters: with none, its name says nothing.
#[must_use]
pub fn written_segments(name: &str) -> usize {
    match name.split_once(' ') {
        Some((_, path)) if family(name) == HTTP => segments(path).filter(|part| !part.contains('{')).count(),
        _ => 2,
    }
}

/// The endpoint that a person means by `GET /users/:id`, `/users/{id}` or `get /users/<id>`: with parameters as names of
/// endpoints have them, and every method if none is given. None if it is no path.
#[must_use]
pub fn from_query(text: &str) -> Option<String> {
    let text = text.trim();
    let (method, path) = match text.split_once(char::is_whitespace) {
        Some((method, path)) if method.chars().all(|c| c.is_ascii_alphabetic() || c == '*') => {
            (method.to_ascii_uppercase(), path.trim())
        }
        Some(_) => return None,
        None => (ANY_METHOD.to_owned(), text),
    };
    let is_path = path.starts_with('/') && path.len() > 1 && !path.contains(char::is_whitespace);
    is_path.then(|| format!("{method} {}", normal_path(path)))
}

/// A path with `{}` for each parameter, however it is written: `:id`, `{id}`, `<int:id>`, `[id]`, `(?P<id>...)`, `*`.
#[must_use]
pub fn normal_path(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut parts = segments(path).peekable();
    while let Some(part) = parts.next() {
        out.push('/');
        out.push_str(match part {
            _ if is_rest(part) && parts.peek().is_none() => REST,
            _ if is_parameter(part) => PARAMETER,
            _ => part,
        });
    }
    if out.is_empty() { "/".to_owned() } else { out }
}

fn is_rest(part: &str) -> bool {
    let inner = part.trim_matches(['{', '}', '<', '>', '[', ']', '?']);
    part == REST
        || matches!(part, "*" | "**")
        || part.starts_with('*')
        || part.starts_with("{*")
        || part.starts_with("[...")
        || inner.starts_with("path:") && part.starts_with(['<', '{'])
        || part.starts_with('{') && (part.ends_with("...}") || part.ends_with(":path}") || part.ends_with(":.*}"))
}

fn is_parameter(part: &str) -> bool {
    part.contains(['{', '<', '[', '(', '$', '*']) || part.contains(':') && part.starts_with([':', '@'])
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    // A slash inside of a parameter's pattern belongs to it.
    let mut depth = 0_i32;
    path.split(move |c| {
        match c {
            '{' | '<' | '(' => depth += 1,
            '}' | '>' | ')' => depth -= 1,
            _ => {}
        }
        c == '/' && depth <= 0
    })
    .filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_written_in_many_ways() {
        for (written, path) in [
            ("/users/:id", "/users/{}"),
            ("/users/{id:[0-9]+}/", "/users/{}"),
            ("/users/<int:id>/posts", "/users/{}/posts"),
            ("/users/[id]", "/users/{}"),
            ("/static/*", "/static/{*}"),
            ("/owners/*/pets", "/owners/{}/pets"),
            ("/files/{path:path}", "/files/{*}"),
            ("/files/<path:name>", "/files/{*}"),
            ("/files/{rest...}", "/files/{*}"),
            ("/^x/(?P<id>[^/]+)", "/^x/{}"),
            ("/", "/"),
        ] {
            assert_eq!(normal_path(written), path, "{written}");
        }
    }

    #[test]
    fn a_request_fits_the_routes_that_a_router_would_choose_among() {
        assert_eq!(fits("GET /users/me", "GET /users/{}"), Some(1));
        assert_eq!(fits("GET /users/me", "GET /users/me"), Some(2));
        assert_eq!(fits("GET /users/{}", "* /users/{}"), Some(1));
        assert_eq!(fits("* /users", "POST /users"), Some(1));
        assert_eq!(fits("GET /api/Orders", "GET /api/orders"), Some(2));
        assert_eq!(fits("GET /files/a/b", "GET /files/{*}"), Some(1));
        assert_eq!(fits("GET /users/{}", "GET /users/me"), None);
        assert_eq!(fits("GET /users", "POST /users"), None);
        assert_eq!(fits("GET /users/1/x", "GET /users/{}"), None);
        assert_eq!(fits("topic orders", "topic orders"), Some(2));
        assert_eq!(fits("Greeter/SayHello", "Greeter/SayHi"), None);
        assert_eq!(
            (written_segments("GET /a/{}/b"), written_segments("GET /{}"), written_segments("topic a")),
            (2, 0, 2)
        );
    }

    #[test]
    fn people_write_endpoints_as_they_know_them() {
        assert_eq!(from_query("get /users/:id").as_deref(), Some("GET /users/{}"));
        assert_eq!(from_query("/users/{id}").as_deref(), Some("* /users/{}"));
        assert_eq!(from_query("where is /users"), None);
        assert_eq!(from_query("run"), None);
    }
}

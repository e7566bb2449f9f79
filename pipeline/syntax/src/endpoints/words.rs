//! What the names of functions, annotations and receivers say about endpoints: conventions that frameworks share. Must not
//! know arguments.

/// What a function or annotation does with an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A method of HTTP: serves a path or asks it, as its receiver and arguments tell.
    Verb(&'static str),
    /// The same, of a server only: `MapGet`, `add_post`.
    ServerVerb(&'static str),
    /// Serves a path: `route`, `HandleFunc`.
    Route,
    /// Serves a path of Django, which begins without a slash.
    PathOfDjango,
    /// Begins the paths of what is inside, or of the value that it results in: `Group`, `scope`, `Blueprint`.
    Prefix,
    /// Puts a router below a path: `use`, `include_router`.
    Mount,
    /// Asks a URL: `fetch`.
    Fetch,
    /// Asks a URL by a method that is an argument: `request("GET", url)`.
    Request,
    /// A URL in a chain of calls that asks it: `uri`.
    Uri,
    /// Sends a message to a topic, where the receiver is one that sends.
    Publish,
    /// Gets the messages of a topic.
    Subscribe,
}

/// A method of HTTP by its lower-case name.
pub(super) fn method(word: &str) -> Option<&'static str> {
    Some(match word {
        "get" => "GET",
        "post" => "POST",
        "put" => "PUT",
        "delete" | "del" => "DELETE",
        "patch" => "PATCH",
        "head" => "HEAD",
        "options" => "OPTIONS",
        "any" | "all" => "*",
        _ => return None,
    })
}

/// The role of a function or annotation, by its name.
pub(super) fn role(name: &str) -> Option<Role> {
    if name.len() > 32 {
        return None;
    }
    let found = match name {
        "route" | "Route" | "api_route" | "RequestMapping" | "Path" | "HandleFunc" | "Handle" | "handle"
        | "handleFunc" | "add_url_rule" | "add_route" | "add_api_route" | "addRoute" | "websocket" => Role::Route,
        "path" | "re_path" | "url" => Role::PathOfDjango,
        "Group" | "group" | "MapGroup" | "basePath" | "APIRouter" | "Blueprint" | "Router" | "scope" | "namespace"
        | "prefix" | "nest" | "Controller" | "JsonController" | "RoutePrefix" => Role::Prefix,
        "use" | "include_router" | "register_blueprint" | "mount" | "Mount" | "include" | "register" => Role::Mount,
        "fetch" | "$fetch" | "useFetch" | "useSWR" | "urlopen" | "axios" | "ajax" | "got" | "ky" | "EventSource" => {
            Role::Fetch
        }
        "request"
        | "Request"
        | "NewRequest"
        | "NewRequestWithContext"
        | "newRequest"
        | "open"
        | "HttpRequestMessage"
        | "exchange" => Role::Request,
        "uri" => Role::Uri,
        "publish" | "Publish" | "produce" | "Produce" | "send" | "Send" | "basic_publish" | "basicPublish"
        | "PublishAsync" | "ProduceAsync" | "SendMessage" | "send_message" | "sendMessage" | "convertAndSend"
        | "sendToQueue" | "ProducerRecord" | "publishMessage" | "enqueue" | "lpush" => Role::Publish,
        "subscribe" | "Subscribe" | "QueueSubscribe" | "psubscribe" | "KafkaListener" | "RabbitListener"
        | "JmsListener" | "SqsListener" | "StreamListener" | "Incoming" | "basic_consume" | "basicConsume"
        | "consume" | "Consume" | "KafkaConsumer" | "AIOKafkaConsumer" | "EventPattern" | "MessagePattern"
        | "agent" => Role::Subscribe,
        _ => return verb(name),
    };
    Some(found)
}

/// The first words of such names.
const FIRST_WORDS: &[&str] =
    &["get", "post", "put", "delete", "del", "patch", "head", "options", "any", "all", "map", "add", "http"];

/// The role of a name that consists of one method of HTTP and words that say how it is called: `getForObject`, `MapGet`.
fn verb(name: &str) -> Option<Role> {
    let name = name.trim_start_matches(['_', '$']);
    // Most names of calls end here, without a copy.
    let bytes = name.as_bytes();
    let is_end = |at: usize| !bytes[at].is_ascii_alphabetic() || bytes[at].is_ascii_uppercase();
    let is_upper = bytes.iter().all(|byte| !byte.is_ascii_lowercase());
    let end = if is_upper { bytes.len() } else { (1..bytes.len()).find(|&at| is_end(at)).unwrap_or(bytes.len()) };
    if !FIRST_WORDS.iter().any(|word| name.get(..end).is_some_and(|first| first.eq_ignore_ascii_case(word))) {
        return None;
    }
    let (mut found, mut is_server) = (None, false);
    for word in words(name) {
        match word.as_str() {
            "map" | "add" | "http" if found.is_none() => is_server |= word != "http",
            "mapping" if found.is_some() => is_server = true,
            "exchange" | "async" | "json" | "for" | "object" | "entity" | "from" | "as" | "string" | "stream"
            | "bytes" | "byte" | "array" | "form" | "response" | "request" | "route" | "handler"
                if found.is_some() => {}
            word => {
                let method = method(word)?;
                if found.is_some() {
                    return None;
                }
                found = Some(method);
            }
        }
    }
    let method = found?;
    Some(if is_server { Role::ServerVerb(method) } else { Role::Verb(method) })
}

/// The words of a name in lower case, without a sigil.
pub(super) fn words(name: &str) -> impl Iterator<Item = String> + '_ {
    let bytes = name.as_bytes();
    let is_start = move |at: usize| {
        let upper = |n: usize| bytes.get(n).is_some_and(u8::is_ascii_uppercase);
        let lower = |n: usize| bytes.get(n).is_some_and(u8::is_ascii_lowercase);
        at == 0 || upper(at) && (!upper(at - 1) || lower(at + 1))
    };
    let mut start = 0;
    let mut parts = Vec::new();
    for at in 1..=bytes.len() {
        let separates = |n: usize| bytes.get(n).is_some_and(|byte| !byte.is_ascii_alphanumeric());
        if at == bytes.len() || is_start(at) || separates(at) || separates(at - 1) {
            parts.push((start, at));
            start = at;
        }
    }
    parts
        .into_iter()
        .filter_map(move |(from, to)| name.get(from..to))
        .filter(|word| word.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        .map(str::to_ascii_lowercase)
}

/// Whether a receiver asks servers: one of the words of its last name says so.
pub(super) fn is_client(receiver: &str) -> bool {
    let last = last_name(receiver);
    if matches!(last, "$" | "jQuery") {
        return true;
    }
    words(last).any(|word| {
        matches!(
            word.as_str(),
            "client"
                | "http"
                | "https"
                | "axios"
                | "request"
                | "requests"
                | "session"
                | "api"
                | "fetch"
                | "fetcher"
                | "ajax"
                | "rest"
                | "agent"
                | "superagent"
                | "supertest"
                | "got"
                | "ky"
                | "httpx"
                | "webclient"
                | "reqwest"
                | "faraday"
                | "httparty"
                | "conn"
                | "connection"
                | "mvc"
                | "restassured"
                | "req"
        )
    })
}

/// Whether a receiver that asks servers may as well be one: where a function follows the path, it is.
pub(super) fn may_serve(receiver: &str) -> bool {
    words(last_name(receiver)).all(|word| matches!(word.as_str(), "api" | "rest"))
}

/// Whether a receiver has routes, by convention: any name after a path is then its handler.
pub(super) fn is_router(receiver: &str) -> bool {
    let last = last_name(receiver);
    receiver.is_empty()
        || words(last).any(|word| {
            matches!(
                word.as_str(),
                "app"
                    | "application"
                    | "router"
                    | "routers"
                    | "routes"
                    | "route"
                    | "server"
                    | "mux"
                    | "group"
                    | "engine"
                    | "blueprint"
                    | "bp"
                    | "fastify"
                    | "hono"
                    | "web"
                    | "r"
                    | "e"
                    | "g"
            )
        })
}

/// Whether a receiver sends messages, or gets them.
pub(super) fn is_messenger(receiver: &str) -> bool {
    words(last_name(receiver)).any(|word| {
        matches!(
            word.as_str(),
            "producer"
                | "publisher"
                | "consumer"
                | "subscriber"
                | "kafka"
                | "rabbit"
                | "amqp"
                | "nats"
                | "nc"
                | "mqtt"
                | "pubsub"
                | "broker"
                | "queue"
                | "topic"
                | "template"
                | "channel"
                | "ch"
                | "sns"
                | "sqs"
                | "jms"
                | "js"
                | "jetstream"
                | "stream"
                | "redis"
                | "pulsar"
        )
    })
}

/// The last name of a receiver, without the arguments of a call: `client` of `self.client`, `request` of `request(app)`.
pub(super) fn last_name(receiver: &str) -> &str {
    let mut text = receiver.trim_end();
    while text.ends_with([')', ']', '>']) {
        let mut depth = 0;
        let open = text.char_indices().rev().find_map(|(at, c)| {
            match c {
                ')' | ']' | '>' => depth += 1,
                '(' | '[' | '<' => depth -= 1,
                _ => {}
            }
            (depth == 0).then_some(at)
        });
        let Some(open) = open else { break };
        text = text[..open].trim_end();
    }
    let text = text.trim_end_matches(['!', '?', ':']);
    let start = text.rfind(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '$')).map_or(0, |at| at + 1);
    text.get(start..).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_roles() {
        for (name, found) in [
            ("get", Some(Role::Verb("GET"))),
            ("GET", Some(Role::Verb("GET"))),
            ("_post", Some(Role::Verb("POST"))),
            ("GetMapping", Some(Role::ServerVerb("GET"))),
            ("HttpPost", Some(Role::Verb("POST"))),
            ("MapDelete", Some(Role::ServerVerb("DELETE"))),
            ("add_get", Some(Role::ServerVerb("GET"))),
            ("getForObject", Some(Role::Verb("GET"))),
            ("PostAsJsonAsync", Some(Role::Verb("POST"))),
            ("get_user", None),
            ("getPost", None),
            ("HandleFunc", Some(Role::Route)),
            ("patchwork", None),
            ("", None),
        ] {
            assert_eq!(role(name), found, "{name}");
        }
    }

    #[test]
    fn receivers_are_known_by_their_last_name() {
        assert_eq!(last_name("self.http_client"), "http_client");
        assert_eq!(last_name("request(app)"), "request");
        assert!(is_client("this.httpClient") && is_client("request(app)") && is_client("$"));
        assert!(!is_client("app") && !is_client("router") && !is_client("self.cache"));
        assert!(is_messenger("self.kafka_producer") && !is_messenger("socket"));
    }
}

//! Messages: functions that send to a topic, queue or subject, and those that get its messages. Must not know HTTP.

use sextant_format::endpoints::TOPIC_PREFIX;
use sextant_format::kinds::EdgeKind;

use super::call::{Argument, elements};
use super::file::Found;
use super::site::Site;
use super::value;
use super::words::{Role, is_messenger};

const LABELS: &[&str] =
    &["topic", "topics", "queue", "queues", "routing_key", "routingKey", "subject", "destination", "channel", "value"];
/// Names of annotations and types that are about messages, whatever their receiver.
const ALWAYS: &[&str] = &[
    "KafkaListener",
    "RabbitListener",
    "JmsListener",
    "SqsListener",
    "StreamListener",
    "Incoming",
    "KafkaConsumer",
    "AIOKafkaConsumer",
    "EventPattern",
    "MessagePattern",
    "ProducerRecord",
    "basic_publish",
    "basicPublish",
    "basic_consume",
    "basicConsume",
    "convertAndSend",
    "sendToQueue",
    "QueueSubscribe",
];
const MAX_TOPIC: usize = 120;

/// The topics that a file sends to, and whose messages it gets.
pub(super) fn endpoints(sites: &[Site<'_>]) -> Vec<Found> {
    let mut found = Vec::new();
    for site in sites {
        let kind = match site.role {
            Role::Publish => EdgeKind::Request,
            Role::Subscribe => EdgeKind::Serve,
            _ => continue,
        };
        if !ALWAYS.contains(&site.name) && !is_messenger(site.receiver) {
            continue;
        }

        let labelled = site.arguments.labelled(LABELS);
        let arguments: Vec<Argument<'_>> = match labelled {
            Some(argument) => vec![argument],
            // Of `basic_publish("exchange", "key", ...)` the second names the queue.
            None if site.name.starts_with("basic") && kind == EdgeKind::Request => {
                site.arguments.list.get(1).copied().into_iter().collect()
            }
            None => site.arguments.first().into_iter().collect(),
        };
        // `publish("low")` may be a message: where nothing says that a topic is first, it is written like one.
        let is_sure = kind == EdgeKind::Serve || labelled.is_some() || ALWAYS.contains(&site.name);
        for argument in arguments {
            for element in parts(argument) {
                let is_named = is_sure || site.name != "publish" || element.text.contains(['.', '/', '-', '_', ':']);
                if !is_named {
                    continue;
                }
                let Some(topic) = value::literal(element.text).filter(|topic| is_topic(topic)) else { continue };
                let handler = site.decorated.unwrap_or(site.source);
                found.push(Found {
                    kind,
                    name: format!("{TOPIC_PREFIX}{topic}"),
                    source: handler,
                    handler: None,
                    at: element.at,
                });
            }
        }
    }

    found
}

/// The parts of a list, or of an object of fields: `{ topic: "a" }`, `{ topics: ["a"] }`.
fn parts(argument: Argument<'_>) -> Vec<Argument<'_>> {
    let fields = super::call::fields(argument);
    match fields.iter().find(|field| field.label.is_some_and(|label| LABELS.contains(&label))) {
        Some(field) => elements(*field),
        None => elements(argument),
    }
}

/// Whether a text can be a topic: words of letters, digits and the usual separators, no wildcard.
fn is_topic(text: &str) -> bool {
    (2..=MAX_TOPIC).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | ':'))
        && text.chars().any(|c| c.is_ascii_alphabetic())
}

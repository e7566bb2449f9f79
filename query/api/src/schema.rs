//! The description of the requests: as JSON Schema, and as the page docs/json.md.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::requests::{REQUESTS, RequestInfo};

/// The JSON Schemas of requests and their answers, by name, as indented JSON.
#[must_use]
pub fn schemas_json(requests: &[&RequestInfo]) -> String {
    let one = |info: &&RequestInfo| {
        let schemas = json!({"about": info.about, "parameters": (info.parameters)(), "answer": (info.answer)()});
        (info.name.to_owned(), schemas)
    };
    let all: Map<String, Value> = requests.iter().map(one).collect();
    serde_json::to_string_pretty(&all).unwrap_or_default()
}

const HEAD: &str = "# JSON answers

This page is written by `sextant schema --markdown`; a test holds it to the program.

Every command takes `--format json` and writes one object on one line. The MCP server and the HTTP server take the
same parameters under the same names. `schema_version` is 1; it rises when a field changes or is removed. New fields
may be added at any time. Lines count from 1, columns count bytes from 0; confidences and associations are between 0
and 1. `symbol_id` and `chunk_id` are valid within one generation of one index.

With several indexes a search is one list whose results name their `index`; every other answer is
`{\"schema_version\": 1, \"indexes\": [{\"index\": NAME, \"answer\": ...}]}`.

Under an overlay (`--overlay`), every location whose file differs from the index has `\"edited\": true`.

When no definition has the name that was asked for, the answer is `{\"schema_version\": 1, \"name\": ..., \"suggestions\": [...], \"results\": []}`.
";

/// The page docs/json.md.
#[must_use]
pub fn markdown() -> String {
    let mut out = HEAD.to_owned();
    for info in REQUESTS {
        let _ = write!(out, "\n## {}\n\n{}\n\n", info.name, info.about);
        let parameters = (info.parameters)().to_value();
        if parameters.get("properties").and_then(Value::as_object).is_some_and(|all| !all.is_empty()) {
            let _ = writeln!(out, "| parameter | type | |\n|---|---|---|");
            fields(&mut out, &parameters, &parameters, "", true);
            out.push('\n');
        }
        let answer = (info.answer)().to_value();
        let _ = writeln!(out, "| answer | type | |\n|---|---|---|");
        fields(&mut out, &answer, &answer, "", false);
    }
    out
}

/// The fields of an object, and of what is in it.
fn fields(out: &mut String, root: &Value, object: &Value, prefix: &str, are_parameters: bool) {
    let required: Vec<&str> =
        object.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, field) in object.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let about = text(field.get("description")).or_else(|| text(inner(root, field).get("description")));
        let about = about.unwrap_or_default().replace('\n', " ").replace('|', "\\|");
        let default = field.get("default").filter(|default| are_parameters && !is_nothing(default));
        let default = default.map_or_else(String::new, |default| format!(", default {default}"));
        let must = if are_parameters && required.contains(&name.as_str()) { ", required" } else { "" };
        let _ = writeln!(out, "| `{prefix}{name}` | {}{must} | {about}{default} |", kind(root, field));
        let (within, is_list) = object_in(root, field);
        if let Some(within) = within {
            let prefix = format!("{prefix}{name}{}.", if is_list { "[]" } else { "" });
            fields(out, root, within, &prefix, are_parameters);
        }
    }
}

fn text(value: Option<&Value>) -> Option<&str> {
    value.and_then(Value::as_str)
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Bool(is) => !is,
        _ => false,
    }
}

/// What a schema refers to, or itself.
fn inner<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let place = text(schema.get("$ref")).and_then(|place| place.strip_prefix('#'));
    place.and_then(|place| root.pointer(place)).unwrap_or(schema)
}

/// The schema itself, or the one of its alternatives that is not null.
fn but_null<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let alternatives = schema.get("anyOf").and_then(Value::as_array).into_iter().flatten();
    let some = alternatives.into_iter().find(|other| text(other.get("type")) != Some("null"));
    inner(root, some.unwrap_or(schema))
}

/// The object that a field holds, or that its list holds.
fn object_in<'a>(root: &'a Value, field: &'a Value) -> (Option<&'a Value>, bool) {
    let mut schema = but_null(root, field);
    let mut is_list = false;
    while let Some(items) = schema.get("items") {
        schema = but_null(root, items);
        is_list = true;
    }
    (schema.get("properties").map(|_| schema), is_list)
}

fn kind(root: &Value, field: &Value) -> String {
    let schema = but_null(root, field);
    if let Some(list) = schema.get("oneOf").or_else(|| schema.get("enum")).and_then(Value::as_array) {
        let words = list.iter().filter_map(|one| text(one.get("const")).or_else(|| one.as_str()));
        return words.collect::<Vec<_>>().join(", ");
    }
    let is_nullable = field.get("anyOf").is_some();
    let mut words: Vec<&str> = match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => vec!["any"],
    };
    if is_nullable {
        words.push("null");
    }
    let listed = words.join(" or ");
    match schema.get("items") {
        Some(items) => format!("{listed} of {}", kind(root, items)),
        None => listed,
    }
}

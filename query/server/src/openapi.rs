//! The OpenAPI 3.1 description of the HTTP server, generated from the requests' schemas.

use serde_json::{Map, Value, json};

use sextant_api::requests::{REQUESTS, RequestInfo};

/// Returns the description.
pub(crate) fn document() -> Value {
    let mut paths = Map::new();
    let mut schemas = Map::new();
    for info in REQUESTS {
        let mut parameters = (info.parameters)().to_value();
        if let Some(properties) = parameters.get_mut("properties").and_then(Value::as_object_mut) {
            properties.insert("index".to_owned(), index_parameter());
        }
        let parameters = component(&mut schemas, &format!("{}_parameters", info.name), parameters);
        let answer = component(&mut schemas, &format!("{}_answer", info.name), (info.answer)().to_value());
        paths.insert(format!("/api/v1/{}", info.name), path(info, &parameters, &answer));
    }
    paths.insert(
        "/health".to_owned(),
        plain("health", "Reports that the server is running, and the current generation of each index"),
    );
    paths.insert("/metrics".to_owned(), plain("metrics", "Metrics in Prometheus' format"));
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Sextant",
            "description": "Answers questions about indexed source code.",
            "version": env!("CARGO_PKG_VERSION"),
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    })
}

/// Adds a schema and its definitions to the components, and returns a reference to it.
fn component(schemas: &mut Map<String, Value>, name: &str, mut schema: Value) -> Value {
    if let Some(object) = schema.as_object_mut() {
        object.remove("$schema");
        if let Some(Value::Object(inner)) = object.remove("$defs") {
            for (inner_name, mut definition) in inner {
                rewrite_references(&mut definition, name);
                schemas.insert(format!("{name}.{inner_name}"), definition);
            }
        }
    }
    rewrite_references(&mut schema, name);
    schemas.insert(name.to_owned(), schema);
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// Rewrites references to a schema's own definitions, which are components of the document now.
fn rewrite_references(value: &mut Value, name: &str) {
    match value {
        Value::Object(object) => {
            if let Some(Value::String(reference)) = object.get_mut("$ref")
                && let Some(definition) = reference.strip_prefix("#/$defs/")
            {
                *reference = format!("#/components/schemas/{name}.{definition}");
            }
            object.values_mut().for_each(|inner| rewrite_references(inner, name));
        }
        Value::Array(values) => values.iter_mut().for_each(|inner| rewrite_references(inner, name)),
        _ => {}
    }
}

fn path(info: &RequestInfo, parameters: &Value, answer: &Value) -> Value {
    let responses = json!({
        "200": {"description": "The answer, even if nothing was found", "content": {
            "application/json": {"schema": answer},
            "text/plain": {"schema": {"type": "string"}},
        }},
        "400": problem("A parameter is missing or invalid"),
        "401": problem("The bearer token is missing or wrong"),
        "413": problem("The request is too large"),
        "429": problem("The team has as many concurrent requests as it may"),
        "503": problem("Too many concurrent requests"),
        "504": problem("The request took too long"),
    });
    let schema = (info.parameters)();
    let required = |name: &str| {
        let required = schema.get("required").and_then(Value::as_array);
        required.is_some_and(|names| names.iter().any(|other| other == name))
    };
    let in_query: Vec<Value> = schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
        .chain([(&"index".to_owned(), &index_parameter())])
        .map(|(name, property)| {
            let description = property.get("description").cloned().unwrap_or_default();
            json!({"name": name, "in": "query", "required": required(name), "description": description,
                   "schema": query_parameter(property)})
        })
        .collect();
    json!({
        "get": {"operationId": format!("get_{}", info.name), "summary": info.about, "parameters": in_query,
                "responses": responses},
        "post": {"operationId": info.name, "summary": info.about,
                 "requestBody": {"required": true, "content": {"application/json": {"schema": parameters}}},
                 "responses": responses},
    })
}

/// The parameter that the server itself takes from every request.
fn index_parameter() -> Value {
    json!({
        "type": "array",
        "items": {"type": "string"},
        "description": "Ask only the indexes whose names match one of these globs",
    })
}

/// Returns the schema of a query parameter: the property's type, without references to definitions.
fn query_parameter(property: &Value) -> Value {
    let mut kept = Map::new();
    for name in ["type", "default", "minimum", "maximum", "items", "format"] {
        if let Some(value) = property.get(name) {
            kept.insert(name.to_owned(), value.clone());
        }
    }
    if kept.is_empty() {
        kept.insert("type".to_owned(), json!("string"));
    }
    Value::Object(kept)
}

fn problem(what: &str) -> Value {
    json!({"description": what, "content": {"application/json": {"schema": {
        "type": "object",
        "properties": {"error": {"type": "string"}, "hint": {"type": ["string", "null"]}},
        "required": ["error"],
    }}}})
}

fn plain(name: &str, about: &str) -> Value {
    json!({"get": {"operationId": name, "summary": about, "responses": {"200": {"description": about}}}})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reference_has_a_target() {
        fn references(value: &Value, found: &mut Vec<String>) {
            match value {
                Value::Object(object) => {
                    found.extend(object.get("$ref").and_then(Value::as_str).map(str::to_owned));
                    object.values().for_each(|inner| references(inner, found));
                }
                Value::Array(values) => values.iter().for_each(|inner| references(inner, found)),
                _ => {}
            }
        }
        let document = document();
        let mut found = Vec::new();
        references(&document, &mut found);
        assert!(found.len() > REQUESTS.len());
        for reference in found {
            let pointer = reference.strip_prefix('#').unwrap();
            assert!(document.pointer(pointer).is_some(), "{reference}");
        }
        assert!(document["paths"].as_object().unwrap().len() == REQUESTS.len() + 2);
    }
}

//! A model's answer to summaries. Models wrap JSON in prose and fences, cut it off, and forget items: every complete
//! object is used, wherever it stands, and what is missing is the caller's to ask again.

use serde_json::Value;

use crate::Summary;

/// Longest summary in bytes.
const MAX_SUMMARY_BYTES: usize = 2_000;
/// Longest keyword or purpose in bytes.
const MAX_WORD_BYTES: usize = 100;
/// Most keywords of a summary.
const MAX_KEYWORDS: usize = 24;

/// The summaries in an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answers {
    /// The summary of each of the chunks that were asked about, in order; none where the answer has no valid one.
    pub summaries: Vec<Option<Summary>>,
    /// Whether the answer was not the JSON that was asked for, so that objects had to be picked out of it.
    pub was_repaired: bool,
}

/// Reads the answer to a prompt about `count` chunks.
#[must_use]
pub fn parse(text: &str, count: usize) -> Answers {
    let body = without_reasoning(text).trim();
    let (objects, was_repaired) = match serde_json::from_str::<Value>(body) {
        Ok(value) => (objects_of(value), false),
        Err(_) => (scan_objects(body), true),
    };
    let mut summaries = vec![None; count];
    for object in objects {
        let id = match object.get("id") {
            Some(Value::Number(number)) => number.as_u64(),
            Some(Value::String(text)) => text.trim().parse().ok(),
            // Several objects without ids cannot be told apart.
            _ => (count == 1).then_some(1),
        };
        let slot = id.and_then(|id| usize::try_from(id).ok()?.checked_sub(1)).and_then(|at| summaries.get_mut(at));
        if let Some(slot @ None) = slot {
            *slot = summary(&object);
        }
    }
    Answers { summaries, was_repaired }
}

/// The text after the reasoning that some models write first.
fn without_reasoning(text: &str) -> &str {
    text.rsplit_once("</think>").map_or(text, |(_, answer)| answer)
}

/// The objects that may be summaries, in the shapes that models choose: one, a list, or a list in an object.
fn objects_of(value: Value) -> Vec<Value> {
    match value {
        Value::Array(values) => values.into_iter().filter(Value::is_object).collect(),
        Value::Object(object) if !object.contains_key("summary") => {
            let lists = object.into_iter().filter_map(|(_, value)| match value {
                Value::Array(values) => Some(values),
                other => other.is_object().then(|| vec![other]),
            });
            lists.flatten().filter(Value::is_object).collect()
        }
        value => vec![value],
    }
}

/// Finds every complete object with a summary. An object that contains others and is cut off is searched inside.
fn scan_objects(text: &str) -> Vec<Value> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = text[at..].find('{') {
        let start = at + next;
        let mut stream = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        match stream.next() {
            Some(Ok(value)) => {
                at = start + stream.byte_offset().max(1);
                found.extend(objects_of(value));
            }
            _ => at = start + 1,
        }
    }
    found
}

fn summary(object: &Value) -> Option<Summary> {
    let text = |name: &str, max: usize| object.get(name).and_then(Value::as_str).map(|text| clean(text, max));
    let summary = text("summary", MAX_SUMMARY_BYTES).filter(|text| text.chars().any(char::is_alphabetic))?;
    let keywords: Vec<String> = match object.get("keywords") {
        Some(Value::Array(words)) => {
            words.iter().filter_map(Value::as_str).map(|word| clean(word, MAX_WORD_BYTES)).collect()
        }
        Some(Value::String(words)) => words.split(',').map(|word| clean(word, MAX_WORD_BYTES)).collect(),
        _ => Vec::new(),
    };
    let mut kept: Vec<String> = Vec::new();
    for word in keywords {
        // The column joins keywords by commas.
        let word = word.replace(',', " ");
        if !word.is_empty() && !kept.contains(&word) && kept.len() < MAX_KEYWORDS {
            kept.push(word);
        }
    }
    Some(Summary { summary, keywords: kept, purpose: text("purpose", MAX_WORD_BYTES).unwrap_or_default() })
}

/// One line without control characters, of at most `max_bytes`, cut after a sentence or a word.
fn clean(text: &str, max_bytes: usize) -> String {
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| word.chars().filter(|c| !c.is_control() && !is_invisible(*c)).collect::<String>())
        .filter(|word| !word.is_empty())
        .collect();
    let line = words.join(" ");
    if line.len() <= max_bytes {
        return line;
    }
    let head = &line[..line.floor_char_boundary(max_bytes)];
    let end = head.rfind(". ").map(|at| at + 1).or_else(|| head.rfind(' ')).unwrap_or(head.len());
    head[..end].to_owned()
}

/// Whether a character changes how others are shown: marks of direction, and characters without width.
const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, count: usize) -> (Vec<Option<String>>, bool) {
        let answers = parse(text, count);
        (answers.summaries.into_iter().map(|one| one.map(|one| one.summary)).collect(), answers.was_repaired)
    }

    fn some(texts: &[&str]) -> Vec<Option<String>> {
        texts.iter().map(|text| (!text.is_empty()).then(|| (*text).to_owned())).collect()
    }

    #[test]
    fn answers_in_the_form_that_was_asked_for_are_read() {
        let one = r#"{"summary": "Adds.", "keywords": ["sum", "sum", " plus, add "], "purpose": "arithmetic"}"#;
        let expected = Summary {
            summary: "Adds.".to_owned(),
            keywords: vec!["sum".to_owned(), "plus  add".to_owned()],
            purpose: "arithmetic".to_owned(),
        };
        assert_eq!(parse(one, 1), Answers { summaries: vec![Some(expected)], was_repaired: false });
        let two = r#"{"items": [{"id": 2, "summary": "Two"}, {"id": "1", "summary": "One", "keywords": "a, b"}]}"#;
        assert_eq!(found(two, 2), (some(&["One", "Two"]), false));
        assert_eq!(found(r#"[{"id": 1, "summary": "One"}]"#, 2), (some(&["One", ""]), false));
    }

    #[test]
    fn objects_are_picked_out_of_prose_fences_and_cut_json() {
        let fenced = "Here you are:\n```json\n{\"summary\": \"Adds {x}.\"}\n```\nAnything else?";
        assert_eq!(found(fenced, 1), (some(&["Adds {x}."]), true));
        let cut = r#"{"items": [{"id": 1, "summary": "One"}, {"id": 2, "summary": "Tw"#;
        assert_eq!(found(cut, 2), (some(&["One", ""]), true));
        let reasoning = "<think>{\"summary\": \"no\"}</think>{\"summary\": \"Yes.\"}";
        assert_eq!(found(reasoning, 1), (some(&["Yes."]), false));
    }

    #[test]
    fn what_is_no_answer_is_none() {
        for text in
            ["", "I cannot help with that.", "{}", "{\"summary\": 3}", "{\"summary\": \" .\"}", "[[[[[[", "null"]
        {
            assert_eq!(found(text, 1).0, some(&[""]), "{text}");
        }
        // Ids that were not asked about, and objects without ids among several, are not guessed at.
        assert_eq!(found(r#"{"items": [{"id": 9, "summary": "x"}, {"summary": "y"}]}"#, 2).0, some(&["", ""]));
    }

    #[test]
    fn text_from_outside_is_one_short_line_without_control_characters() {
        let hostile = serde_json::json!({"summary": format!("A\u{1b}[2J b\u{202e}\nc. {}", "long ".repeat(900))});
        let (summaries, _) = found(&hostile.to_string(), 1);
        let summary = summaries[0].as_ref().unwrap();
        assert!(summary.starts_with("A[2J b c.") && summary.len() <= 2_000, "{summary}");
        let many: Vec<String> = (0..100).map(|n| format!("word {n}")).collect();
        let answers = parse(&serde_json::json!({"summary": "x", "keywords": many}).to_string(), 1);
        assert_eq!(answers.summaries[0].as_ref().unwrap().keywords.len(), 24);
    }

    #[test]
    fn deeply_nested_or_endless_text_is_read_in_reasonable_time() {
        assert_eq!(found(&"{\"a\":".repeat(5_000), 1).0, some(&[""]));
        assert_eq!(found(&"{".repeat(100_000), 1).0, some(&[""]));
    }
}

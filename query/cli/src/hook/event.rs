//! What an agent reports after it used one of its own tools, turned into what was looked for and what was found. Must not
//! know an index.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

/// A pattern with more names looks for text rather than for a symbol, and none of them is looked up.
const MAX_NAMES: usize = 4;
/// Shorter names are parts of expressions.
const MIN_NAME: usize = 3;
/// Bytes of the tool's output that are looked at.
const MAX_OUTPUT: usize = 256 << 10;

/// A report, as Claude Code (PostToolUse) and Gemini CLI (AfterTool) send it.
#[derive(Deserialize)]
pub(super) struct Event {
    /// The event's name, repeated in the answer.
    #[serde(rename = "hook_event_name", default)]
    pub(super) name: String,
    /// The agent's working folder.
    #[serde(default)]
    pub(super) cwd: PathBuf,
    #[serde(default)]
    tool_name: String,
    #[serde(default)]
    tool_input: Value,
    #[serde(default)]
    tool_response: Value,
}

/// What a tool was asked.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// Names in the pattern of a search.
    pub(super) names: Vec<String>,
    /// Lines that a search found.
    pub(super) places: Vec<(PathBuf, u32)>,
    /// A file that was read, with its first and last line.
    pub(super) read: Option<(PathBuf, u32, u32)>,
}

impl Event {
    /// Returns what the tool was asked; nothing for tools that neither search nor read.
    pub(super) fn asked(&self) -> Asked {
        let text = |names: &[&str]| names.iter().find_map(|name| self.tool_input.get(name)?.as_str());
        let number = |names: &[&str]| {
            let value = names.iter().find_map(|name| self.tool_input.get(name)?.as_u64());
            value.and_then(|value| u32::try_from(value).ok())
        };
        match self.tool_name.as_str() {
            "Grep" | "grep_search" | "search_file_content" => {
                let only_file = text(&["path", "dir_path"]).map(Path::new);
                self.search(text(&["pattern"]).unwrap_or_default(), only_file)
            }
            "Read" | "read_file" => match text(&["file_path", "absolute_path"]) {
                Some(path) => {
                    let first = number(&["start_line", "offset"]).unwrap_or(1).max(1);
                    let last = number(&["limit"]).map(|lines| first.saturating_add(lines.saturating_sub(1)));
                    let last = number(&["end_line"]).or(last).unwrap_or(u32::MAX);
                    Asked { read: Some((PathBuf::from(path), first, last)), ..Asked::default() }
                }
                None => Asked::default(),
            },
            "Bash" | "run_shell_command" => self.shell(text(&["command"]).unwrap_or_default()),
            _ => Asked::default(),
        }
    }

    fn search(&self, pattern: &str, only_file: Option<&Path>) -> Asked {
        Asked { names: names_of(pattern), places: places(&self.output(), only_file), read: None }
    }

    /// A command line that is one search or prints one file. Pipes may follow, nothing may come before.
    fn shell(&self, command: &str) -> Asked {
        let Some(words) = shlex::split(command) else { return Asked::default() };
        let words: Vec<&str> =
            words.iter().map(String::as_str).take_while(|word| !matches!(*word, "|" | "&&" | ";" | "||")).collect();
        let is_option = |word: &&&str| word.starts_with('-');
        let arguments: Vec<&str> = words.iter().skip(1).filter(|word| !is_option(word)).copied().collect();
        match (words.as_slice(), arguments.as_slice()) {
            (["git", "grep", ..], [_, pattern, ..])
            | (["rg" | "grep" | "egrep" | "fgrep" | "ag", ..], [pattern, ..]) => {
                let files = arguments.iter().rev().take(1).map(Path::new);
                let only_file = files.filter(|_| arguments.len() == 2).find(|file| self.cwd.join(file).is_file());
                self.search(pattern, only_file)
            }
            (["sed", "-n", range, path], _) => match line_range(range) {
                Some((first, last)) => Asked { read: Some((PathBuf::from(path), first, last)), ..Asked::default() },
                None => Asked::default(),
            },
            (["cat" | "head" | "nl" | "bat", ..], [path]) => {
                let last = u32::try_from(self.output().lines().count()).unwrap_or(u32::MAX).max(1);
                Asked { read: Some((PathBuf::from(path), 1, last)), ..Asked::default() }
            }
            _ => Asked::default(),
        }
    }

    /// All texts of the tool's answer.
    fn output(&self) -> String {
        fn collect(value: &Value, out: &mut String) {
            match value {
                Value::String(text) if out.len() < MAX_OUTPUT => {
                    out.push_str(&text[..text.floor_char_boundary(MAX_OUTPUT)]);
                    out.push('\n');
                }
                Value::Array(values) => values.iter().for_each(|value| collect(value, out)),
                Value::Object(values) => values.values().for_each(|value| collect(value, out)),
                _ => {}
            }
        }
        let mut out = String::new();
        collect(&self.tool_response, &mut out);
        out
    }
}

/// The names in a regular expression, without its escapes; none if there are many.
fn names_of(pattern: &str) -> Vec<String> {
    let mut plain = String::with_capacity(pattern.len());
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        if c == '\\' {
            // `\b`, `\s`, `\w` and the like are no letters of a name; `\.` and `\(` end one too.
            chars.next();
            plain.push(' ');
        } else {
            plain.push(c);
        }
    }
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut names: Vec<String> = Vec::new();
    for name in plain.split(|c| !is_part(c)) {
        let is_name = name.len() >= MIN_NAME && !name.starts_with(|c: char| c.is_ascii_digit());
        if is_name && !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    if names.len() > MAX_NAMES { Vec::new() } else { names }
}

/// The places that the output of a search names: `path:line:text`, `line:text` in one file, or `File: path` followed by
/// `Lline: text`.
fn places(output: &str, only_file: Option<&Path>) -> Vec<(PathBuf, u32)> {
    let mut file = only_file.map(Path::to_owned);
    let mut places = Vec::new();
    for line in output.lines() {
        if let Some(path) = line.strip_prefix("File: ") {
            file = Some(PathBuf::from(path.trim()));
            continue;
        }
        let Some((first, rest)) = line.split_once(':') else { continue };
        let own = first.trim().strip_prefix('L').unwrap_or(first).parse().ok();
        let place = match (own, rest.split_once([':', '-'])) {
            (Some(number), _) => file.clone().map(|file| (file, number)),
            (None, Some((number, _))) => number.parse().ok().map(|number| (PathBuf::from(first), number)),
            (None, None) => None,
        };
        places.extend(place);
    }
    places
}

/// `12,40p` or `12p`.
fn line_range(text: &str) -> Option<(u32, u32)> {
    let text = text.strip_suffix('p')?;
    let (first, last) = text.split_once(',').unwrap_or((text, text));
    Some((first.parse().ok()?, last.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn asked(tool: &str, input: &Value, response: &Value) -> Asked {
        let event = json!({"hook_event_name": "PostToolUse", "cwd": "/c", "tool_name": tool, "tool_input": input, "tool_response": response});
        Event::deserialize(event).unwrap().asked()
    }

    #[test]
    fn searches_give_names_and_places() {
        let names = ["acquire", "Pool"].map(String::from).to_vec();
        let response =
            json!({"mode": "content", "content": "src/a.py:12:x = acquire()\nsrc/a.py-13-y\nsrc/b.py:7:  acquire"});
        let found = asked("Grep", &json!({"pattern": r"\bacquire\(.*Pool"}), &response);
        let places = vec![(PathBuf::from("src/a.py"), 12), (PathBuf::from("src/b.py"), 7)];
        assert_eq!(found, Asked { names: names.clone(), places: places.clone(), read: None });
        let shell = asked(
            "Bash",
            &json!({"command": "rg -n 'acquire.*Pool' src | head"}),
            &json!({"stdout": "src/a.py:12:x\nsrc/b.py:7:y"}),
        );
        assert_eq!(shell, Asked { names, places, read: None });
        let gemini = asked(
            "grep_search",
            &json!({"pattern": "acquire"}),
            &json!({"llmContent": "Found 1 match\n---\nFile: src/a.py\nL12: x = acquire()"}),
        );
        assert_eq!(gemini.places, [(PathBuf::from("src/a.py"), 12)]);
        assert_eq!(
            asked("Grep", &json!({"pattern": "one|two|three|four|five"}), &json!(null)).names,
            Vec::<String>::new()
        );
    }

    #[test]
    fn reads_give_a_range() {
        let read = |tool: &str, input: Value| asked(tool, &input, &json!("a\nb")).read;
        let path = || PathBuf::from("/c/a.py");
        assert_eq!(read("Read", json!({"file_path": "/c/a.py"})), Some((path(), 1, u32::MAX)));
        assert_eq!(read("Read", json!({"file_path": "/c/a.py", "offset": 10, "limit": 5})), Some((path(), 10, 14)));
        assert_eq!(read("Bash", json!({"command": "sed -n '3,9p' /c/a.py"})), Some((path(), 3, 9)));
        assert_eq!(read("Bash", json!({"command": "cat /c/a.py"})), Some((path(), 1, 2)));
        assert_eq!(read("Bash", json!({"command": "rm -rf /c"})), None);
        assert_eq!(read("Write", json!({"file_path": "/c/a.py"})), None);
    }

    #[test]
    fn strange_events_ask_nothing() {
        for (input, response) in [
            (json!(null), json!(null)),
            (json!([1]), json!({"a": [1, {"b": "c:d:e"}]})),
            (json!({"pattern": 3}), json!("x:99999999999:y")),
        ] {
            for tool in ["Grep", "Read", "Bash", "?"] {
                assert_eq!(asked(tool, &input, &response), Asked::default(), "{tool} {input}");
            }
        }
    }
}

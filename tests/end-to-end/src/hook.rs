//! `sextant hook` as agents call it.

use serde_json::{Value, json};

use crate::harness::Dir;

const PROJECT: &str = "
//- /pool.py
class Pool:
    def acquire(self):
        return self.grow()

    def grow(self):
        return 1
//- /app.py
from pool import Pool


def run():
    pool = Pool()
    return pool.acquire()
";

/// Returns what the hook adds; empty if nothing.
fn added(dir: &Dir, tool: &str, input: &Value, response: &Value) -> String {
    let report = json!({
        "hook_event_name": "PostToolUse",
        "cwd": dir.path("src"),
        "tool_name": tool,
        "tool_input": input,
        "tool_response": response,
    });
    let output = dir.cmd(&["hook", "--index", "index"]).stdin(&report.to_string()).run().code(0);
    if output.stdout.is_empty() {
        return String::new();
    }
    let answer: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "PostToolUse");
    answer["hookSpecificOutput"]["additionalContext"].as_str().unwrap().to_owned()
}

#[test]
fn the_agents_own_results_are_enriched() {
    let dir = Dir::indexed(PROJECT);
    let found = json!({"content": "pool.py:3:        return self.grow()\napp.py:6:    return pool.acquire()"});
    let text = added(&dir, "Grep", &json!({"pattern": r"\bacquire\("}), &found);
    assert!(text.contains("method Pool.acquire is defined at pool.py:2-3, 1 caller"), "{text}");
    assert!(text.contains("pool.py:3 in Pool.acquire (2-3), called by run app.py:4"), "{text}");
    assert!(text.contains("app.py:6 in run (4-6)") && text.len() <= 1100, "{text}");
    let read = json!({"file_path": dir.path("src/pool.py")});
    let text = added(&dir, "Read", &read, &json!("..."));
    assert!(text.contains("Pool.acquire (2-3) is called by run app.py:4") && !text.contains("grow"), "{text}");
    let shell = json!({"command": "sed -n '1,3p' pool.py"});
    assert!(added(&dir, "Bash", &shell, &json!({"stdout": "..."})).contains("Pool.acquire"));
}

#[test]
fn nothing_is_said_of_what_the_index_does_not_know() {
    let dir = Dir::indexed(PROJECT);
    assert_eq!(added(&dir, "Grep", &json!({"pattern": "nowhere_at_all"}), &json!("")), "");
    assert_eq!(added(&dir, "Write", &json!({"file_path": "pool.py"}), &json!("")), "");
    assert_eq!(added(&dir, "Bash", &json!({"command": "rm -rf build"}), &json!("")), "");
    // Lines of a file that differs from the index would be those of another text.
    dir.write("src/pool.py", "# changed\n");
    let found = json!({"content": "pool.py:3:        return self.grow()"});
    assert_eq!(added(&dir, "Grep", &json!({"pattern": "x"}), &found), "");
    assert_eq!(added(&dir, "Read", &json!({"file_path": dir.path("src/pool.py")}), &json!("")), "");
    // Code 2 would stop the agent.
    let hook = |index: &str, text: &str| dir.cmd(&["hook", "--index", index]).stdin(text).run().code(1);
    assert!(
        hook("gone", "{\"tool_name\": \"Grep\", \"tool_input\": {\"pattern\": \"acquire\"}}").stderr.contains("gone")
    );
    assert!(hook("index", "not JSON").stderr.contains("report"));
}

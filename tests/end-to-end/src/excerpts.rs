//! Which lines `show` prints, names that leave something out, lines of `grep` that are shared, and keys of a question.

use serde_json::{Value, json};

use crate::harness::Dir;
use crate::program::Output;

const SHIP: &str = "
//- /src/ship/Sender.java
package ship;

public class Sender extends Port {
    public static final String RETRY_KEY = \"ship.retry.after.ms\";
    private static final int RETRY_DEFAULT = 1500;
    private static final Map<String, Integer> TABLE = Map.of(
        RETRY_KEY, RETRY_DEFAULT);

    static class Queue {
        int drain(Crate crate) {
            int sum = 0;
            sum += crate.size();
            sum += 2;
            sum += 3;
            sum += 4;
            sum += 5;
            sum += 6;
            if (sum > 100) {
                throw new IllegalStateException(\"overloaded\");
            }
            sum += 7;
            sum += 8;
            sum += 9;
            return sum;
        }

        int drain(Barrel barrel) {
            return barrel.size();
        }
    }

    int wait(Config config) {
        return config.read(RETRY_KEY);
    }
}
//- /src/ship/Port.java
package ship;

public class Port {
    void dock(int place) {
        System.out.println(place);
    }
}
//- /src/ship/Crate.java
package ship;

public class Crate {
    int size() {
        return 1;
    }
}
//- /src/store/Crate.java
package store;

public class Crate {
    int weight() {
        return 2;
    }
}
//- /src/ring.py
class Bell:
    def ring(self):
        return 1


class Tower:
    Bell = Bell
";

fn ask(dir: &Dir, args: &[&str]) -> Output {
    dir.cmd(&[&[args[0], "--index", "index", "--format", "json"], &args[1..]].concat()).run()
}

fn text(dir: &Dir, args: &[&str]) -> Output {
    dir.cmd(&[&[args[0], "--index", "index"], &args[1..]].concat()).run()
}

/// The results of an answer: first line, last line and the name of the symbol.
fn lines(answer: &Value) -> Vec<(u64, u64, Option<&str>)> {
    let of = |result: &Value, name: &str| result[name].as_u64().unwrap_or_default();
    let results = answer["results"].as_array().into_iter().flatten();
    results
        .map(|result| (of(result, "start_line"), of(result, "end_line"), result["symbol"]["qualified_name"].as_str()))
        .collect()
}

#[test]
fn the_lines_that_fit_best_of_a_long_function_are_named() {
    let topics = [
        ("harbour", ["crane", "berth", "tide"]),
        ("orchard", ["cider", "barrel", "prune"]),
        ("railway", ["signal", "coach", "siding"]),
        ("kitchen", ["ladle", "whisk", "oven"]),
    ];
    let block = |(topic, words): &(&str, [&str; 3])| {
        let line =
            |n: usize| format!("        state.{}_{topic} += {}_of({topic}, {n})\n", words[n % 3], words[n / 3 % 3]);
        format!("    for {topic} in state.{topic}_list:\n") + &(0..28).map(line).collect::<String>()
    };
    let big: String = topics.iter().map(block).collect();
    let small = "def prune_cider_barrel(orchard):\n    barrel = orchard.cider_barrel\n    return barrel\n";
    let dir = Dir::indexed(&format!("//- /src/big.py\ndef run(state):\n{big}//- /src/small.py\n{small}"));
    let question = "where is the cider barrel of an orchard pruned";
    let found = ask(&dir, &["explore", question, "--max-tokens", "200"]).code(0).json();
    let listed = &found["not_shown"][0];
    assert_eq!(listed["qualified_name"], "run", "{found}");
    assert_eq!(listed["best_lines"], json!({"start_line": 31, "end_line": 59}), "{found}");
    let printed = text(&dir, &["explore", question, "--max-tokens", "200"]).code(0).stdout;
    assert!(printed.contains("function run  best 31-59"), "{printed}");
}

#[test]
fn a_link_with_an_anchor_is_shown() {
    let dir = Dir::indexed("//- /src/guide.md\n# Guide\n\n## First steps\n\nOne.\n\n## What's new?\n\nTwo.\n");
    let shown = |link: &str| ask(&dir, &["show", link]).code(0).json();
    assert_eq!(lines(&shown("guide.md#first-steps")), [(3, 5, Some("Guide > First steps"))]);
    assert_eq!(lines(&shown("guide.md#whats-new")), [(7, 9, Some("Guide > What's new?"))]);
    ask(&dir, &["show", "guide.md#second-steps"]).code(1);
    ask(&dir, &["show", "#first-steps"]).code(1);
}

#[test]
fn only_lines_near_a_pattern_are_shown() {
    let dir = Dir::indexed(SHIP);
    let shown = ask(&dir, &["show", "Queue.drain", "--near", "OVERLOADED|nothing", "-C", "1"]).code(0).json();
    // In upper case the pattern is taken as written; where nothing fits, all is shown.
    assert_eq!(lines(&shown), [(10, 25, Some("Sender.Queue.drain")), (27, 29, Some("Sender.Queue.drain"))]);
    text(&dir, &["show", "Queue.drain", "--near", "OVERLOADED"])
        .code(0)
        .says(&["no line of Queue.drain fits --near; it is whole"]);
    let shown = ask(&dir, &["show", "Queue.drain(Crate)", "--near", "overloaded", "-C", "1"]).code(0).json();
    assert_eq!(lines(&shown), [(10, 10, Some("Sender.Queue.drain")), (18, 20, None)]);
    assert_eq!(shown["results"][1]["within"], "Sender.Queue.drain");
    ask(&dir, &["show", "Queue.drain", "--near", "("]).code(2);
}

#[test]
fn overlapping_lines_are_printed_once_and_say_where_a_function_ends() {
    let dir = Dir::indexed(SHIP);
    let shown = ask(&dir, &["show", "Sender.java:12-14", "14-16", "17", "30"]).code(0).json();
    assert_eq!(lines(&shown), [(12, 17, None), (30, 30, None)]);
    let texts = shown["results"][0]["text"].as_str().unwrap();
    assert_eq!((texts.lines().count(), texts.matches("sum += 3").count()), (6, 1), "{texts}");
    assert_eq!(shown["results"][0]["goes_on"], json!({"qualified_name": "Sender.Queue.drain", "end_line": 25}));
    assert_eq!(shown["results"][1].get("goes_on"), None);
    let printed = text(&dir, &["show", "Sender.java:12-14"]).code(0).stdout;
    assert!(printed.contains("in Sender.Queue.drain  (to 25)"), "{printed}");
    let printed = text(&dir, &["show", "Sender.java:24-33"]).code(0).stdout;
    // Functions begin after the one that ends among the lines.
    assert!(printed.contains("Sender.java:24-33  (ends in Sender.wait, to 34)"), "{printed}");
    let connected = |lines: &str| text(&dir, &["show", lines, "--with", "callees"]).code(0);
    let printed = connected("Sender.java:12-14").stdout;
    assert!(printed.contains("calls Crate.size"), "{printed}");
    connected("Sender.java:24-34").says(&["--with is of one function", "Sender.wait"]);
}

#[test]
fn an_unknown_member_is_answered_with_those_of_its_owner() {
    let dir = Dir::indexed(SHIP);
    text(&dir, &["show", "Sender.waiting"]).code(1).says(&["similar: Sender.wait"]);
}

#[test]
fn grep_leaves_out_what_is_excluded_and_names_what_is_around() {
    let dir = Dir::indexed(
        "//- /src/limit.go\npackage limit\n\nconst (\n\t// The needle.\n\tNeedle = 1\n)\n\nfunc Of() int { return Needle }\n\
         //- /src/limit_test.go\npackage limit\n\nfunc TestOf(t *testing.T) { _ = Needle }\n",
    );
    let of = |args: &[&str]| text(&dir, &[&["grep", "Needle"], args].concat()).code(0).stdout;
    assert!(of(&[]).contains("limit_test.go") && of(&[]).contains("in Needle"), "{}", of(&[]));
    for without in [&["--without-tests"][..], &["--path", "!*_test.go"], &["src", "!limit_test.go"]] {
        let found = of(without);
        assert!(!found.contains("limit_test.go") && found.contains("func Of"), "{found}");
    }
}

#[test]
fn an_index_that_is_a_word_of_the_query_is_said_to_be() {
    let dir = Dir::empty();
    let failed = dir.cmd(&["search", "--", "retry", "--index", "elsewhere"]).run().code(2);
    failed.says(&["no index at", "'--index' is a word of the query"]);
}

#[test]
fn names_may_leave_something_out() {
    let dir = Dir::indexed(SHIP);
    let names = |name: &str| -> Vec<String> {
        let found = ask(&dir, &["definition", name]).code(0).json();
        let name = |one: &Value| format!("{}:{}", one["qualified_name"].as_str().unwrap(), one["start_line"]);
        found["results"].as_array().unwrap().iter().map(name).collect()
    };
    // A type between, a member of the base, and types of parameters.
    assert_eq!(names("Sender.drain"), ["Sender.Queue.drain:10", "Sender.Queue.drain:27"]);
    assert_eq!(names("Sender.dock"), ["Port.dock:4"]);
    assert_eq!(names("Queue.drain(Barrel)"), ["Sender.Queue.drain:27"]);
    assert_eq!(names("drain(Crate crate)"), ["Sender.Queue.drain:10"]);
    // A class comes before a field of its name in the same file.
    let shown = ask(&dir, &["show", "ring.py:Bell"]).code(0).json();
    assert_eq!(lines(&shown), [(1, 3, Some("Bell"))]);
}

#[test]
fn of_files_with_one_name_that_near_the_others_is_meant() {
    let dir = Dir::indexed(SHIP);
    let shown = text(&dir, &["show", "Crate.java:3-4", "src/ship/Port.java:3"]).code(0);
    assert!(shown.stdout.starts_with("src/ship/Crate.java:3-4"), "{}", shown.stdout);
    shown.says(&["'Crate.java' is read as src/ship/Crate.java; also: src/store/Crate.java"]);
    let alone = ask(&dir, &["show", "Crate.java:3-4"]).code(0).json();
    assert_eq!(alone["ambiguous"][0]["files"].as_array().unwrap().len(), 2);
}

#[test]
fn alternatives_share_the_lines_of_an_answer() {
    let dir = Dir::indexed(SHIP);
    let found = ask(&dir, &["grep", "sum \\+=|throw new", "-n", "3"]).code(0).json();
    let lines = found["results"][0]["lines"].as_array().unwrap();
    assert!(lines.iter().any(|line| line["text"].as_str().unwrap().contains("throw new")), "{found}");
    assert_eq!((lines.len(), &found["lines"]), (3, &json!(10)));
}

#[test]
fn calls_and_matches_come_with_lines_around_them() {
    let dir = Dir::indexed(SHIP);
    let called = ask(&dir, &["callers", "Crate.size", "--context", "1"]).code(0).json();
    let numbers = |of: &Value| -> Vec<u64> {
        of["context"].as_array().into_iter().flatten().filter_map(|line| line["line"].as_u64()).collect()
    };
    assert_eq!(numbers(&called["results"][0]), [11, 12, 13], "{called}");
    assert_eq!(called["results"][0]["context"][1]["text"], "            sum += crate.size();");
    let printed = text(&dir, &["callers", "Crate.size", "-C", "0"]).code(0).stdout;
    assert!(printed.contains("\n      12  sum += crate.size();\n"), "{printed}");
    let found = ask(&dir, &["grep", "overloaded|sum > 100", "-C", "1"]).code(0).json();
    assert_eq!(numbers(&found["results"][0]), [17, 20], "{found}");
    let after = ask(&dir, &["grep", "overloaded", "-A", "2"]).code(0).json();
    let before = ask(&dir, &["grep", "overloaded", "-C", "2", "-A", "0"]).code(0).json();
    assert_eq!(numbers(&after["results"][0]), [20, 21], "{after}");
    assert_eq!(numbers(&before["results"][0]), [17, 18], "{before}");
    let printed = text(&dir, &["grep", "sum = 0|overloaded", "-C", "1"]).code(0).stdout;
    assert!(printed.contains("12              sum += crate.size();\n\n18  "), "{printed}");
}

#[test]
fn few_calls_and_matches_come_with_what_says_when_they_are_reached() {
    let dir = Dir::indexed(
        "
//- /pump.py
LIMIT = 9


def fill(tank):
    tank.level = 1


def run(tanks):
    fill(tanks[0])
    for tank in tanks:
        if tank.is_open:
            fill(tank)
        else:
            tank.close()
    return LIMIT


def rest():
    pass


def stop(tank):
    tank.level = 0
    tank.name = ''
    tank.valve = None
    tank.pipes = []
    tank.owner = None
    tank.leak = False
    return tank
",
    );
    let expected = "function fill  1 listed, by scope
  pump.py:8  function run
       9  fill(tanks[0])
      10  for tank in tanks:
      11      if tank.is_open:
      12          fill(tank)
";
    let called = text(&dir, &["callers", "fill"]).code(0);
    assert!(called.stdout.contains(expected), "{}", called.stdout);
    let called = ask(&dir, &["callers", "fill"]).code(0).json();
    assert_eq!(called["results"][0]["context"][2]["text"], "        if tank.is_open:", "{called}");
    let several = text(&dir, &["callers", "fill", "LIMIT"]).code(0);
    several.says(&["no call was found of LIMIT, but other uses: 'references' lists them"]);
    let found = text(&dir, &["grep", "close\\("]).code(0);
    let expected = "
 in run
10      for tank in tanks:
11          if tank.is_open:
13          else:
14              tank.close()";
    assert!(found.stdout.contains(expected), "{}", found.stdout);
    // Without the white space that all lines share; JSON has them as they are.
    let shown = text(&dir, &["show", "pump.py:11-12"]).code(0);
    assert!(shown.stdout.contains("\n11  if tank.is_open:\n12      fill(tank)\n"), "{}", shown.stdout);
    let shown = ask(&dir, &["show", "pump.py:11-12"]).code(0).json();
    assert!(shown["results"][0]["text"].as_str().unwrap().starts_with("        if"), "{shown}");
    // Each part of lines that were named has the name of the symbol in which it begins.
    let near = ask(&dir, &["show", "pump.py:5-30", "--near", "level|leak"]).code(0).json();
    let within: Vec<&Value> = near["results"].as_array().unwrap().iter().map(|part| &part["within"]).collect();
    assert_eq!(within, [&json!("fill"), &Value::Null], "{near}");
}

#[test]
fn a_key_of_a_question_comes_with_its_uses_and_its_default() {
    let dir = Dir::indexed(SHIP);
    let explored = ask(&dir, &["explore", "what is the default of ship.retry.after.ms when sending"]).code(0).json();
    let key = &explored["keys"][0];
    assert_eq!(key["qualified_name"], "Sender.RETRY_KEY", "{explored}");
    let texts: Vec<&str> = key["uses"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
    assert!(texts.iter().any(|text| text.contains("RETRY_KEY, RETRY_DEFAULT")), "{texts:?}");
    assert!(texts.iter().any(|text| text.ends_with("RETRY_DEFAULT = 1500;")), "{texts:?}");
    assert!(texts.iter().any(|text| text.contains("config.read(RETRY_KEY)")), "{texts:?}");
    let printed = text(&dir, &["explore", "what is the default of ship.retry.after.ms"]).code(0).stdout;
    assert!(printed.contains("values asked for, with uses\n  ship/Sender.java:4  "), "{printed}");
}

#[test]
fn a_short_value_is_printed_whole_and_a_table_by_its_first_line() {
    let dir = Dir::indexed(
        "
//- /src/gate.py
WORDS = (
    'open',
    'shut',
)
TABLE = {
    'a': 1,
    'b': 2,
    'c': 3,
    'd': 4,
    'e': 5,
}


def is_word(text):
    return text in WORDS or text in TABLE
",
    );
    let shown = ask(&dir, &["show", "is_word", "--with", "constants"]).code(0).json();
    let constants = shown["results"][0]["constants"].as_array().unwrap();
    let texts: Vec<&str> = constants.iter().map(|one| one["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["WORDS = ( 'open', 'shut', )", "TABLE = {"]);
    let printed = text(&dir, &["show", "is_word"]).code(0).stdout;
    assert!(printed.contains("WORDS = ( 'open', 'shut', )") && !printed.contains("TABLE = {"), "{printed}");
}

#[test]
fn values_come_with_a_question_that_names_them_in_words_and_with_a_function_that_uses_them() {
    let dir = Dir::indexed(SHIP);
    let explored = ask(&dir, &["explore", "what is the retry default when a crate is sent"]).code(0).json();
    let key = &explored["keys"][0];
    assert_eq!(key["qualified_name"], "Sender.RETRY_DEFAULT", "{explored}");
    assert_eq!(key["text"], "private static final int RETRY_DEFAULT = 1500;", "{explored}");
    assert!(key["uses"].to_string().contains("RETRY_KEY, RETRY_DEFAULT"), "{explored}");
    // Words that are no neighbours name nothing.
    let explored = ask(&dir, &["explore", "is there a default for when to retry a crate"]).code(0).json();
    assert_eq!(explored["keys"], json!([]), "{explored}");
    let shown = text(&dir, &["show", "Sender.wait"]).code(0).stdout;
    assert!(shown.contains("4  public static final String RETRY_KEY = \"ship.retry.after.ms\";"), "{shown}");
    let shown = text(&dir, &["show", "Sender.wait", "--with", "callees"]).code(0).stdout;
    assert!(!shown.contains("RETRY_KEY ="), "{shown}");
    let drained = ask(&dir, &["show", "Queue.drain(Barrel)"]).code(0).json();
    assert!(!drained.to_string().contains("\"constants\""), "{drained}");
}

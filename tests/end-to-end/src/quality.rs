//! The quality suite: questions about the fixtures of every language, whose metrics must not fall. Also tests `eval`
//! itself.

use std::path::Path;

use serde_json::Value;

use crate::harness::Dir;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().and_then(Path::parent).unwrap()
}

#[test]
fn no_language_regresses() {
    let dir = Dir::empty();
    let languages = root().join("pipeline/syntax/languages");
    let corpus = languages.to_str().unwrap();
    // The history is that of this repository, which grows.
    dir.build(&[corpus, "--include", "*/fixtures/**", "--no-history"]).code(0);
    let mut files: Vec<String> = fs_err::read_dir(root().join("tests/quality"))
        .unwrap()
        .map(|entry| entry.unwrap().path().to_str().unwrap().to_owned())
        .filter(|path| path.ends_with(".json"))
        .collect();
    files.sort_unstable();
    assert!(files.len() >= 25, "{files:?}");
    let mut args = vec!["eval", "--format", "json", "--fixtures"];
    args.extend(files.iter().map(String::as_str));
    let output = dir.cmd(&args).run();
    let report: Value =
        serde_json::from_str(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", output.all()));
    let suites = report["suites"].as_array().unwrap();
    assert_eq!(suites.len(), files.len());
    for suite in suites {
        assert_eq!(suite["failed_thresholds"], Value::Array(Vec::new()), "{}: {:#}", suite["file"], suite["misses"]);
        assert!(suite["needles"].is_number() && suite["ndcg10"].is_number(), "{suite:#}");
    }
    assert_eq!((output.code, &report["passed"]), (Some(0), &Value::Bool(true)));
}

const PROJECT: &str = "
//- /pool.py
class Pool:
    def acquire(self):
        \"\"\"Takes a connection out of the pool.\"\"\"
        return self.grow()

    def grow(self):
        return 1
";

#[test]
fn thresholds_decide_the_exit_code() {
    let dir = Dir::indexed(PROJECT);
    let tests = |thresholds: &str| {
        format!(
            "{{\"schema_version\": 1,
              \"needles\": [{{\"query\": \"Pool.grow\", \"path\": \"pool.py\", \"symbol\": \"Pool.grow\"}},
                           {{\"query\": \"grow\", \"path\": \"other.py\"}}],
              \"rankings\": [{{\"query\": \"take a connection\", \"relevant\": [{{\"path\": \"pool.py\"}}]}}],
              \"expansions\": [{{\"query\": \"Pool\", \"expects\": [\"Pool.acquire\", \"Pool.grow\"]}}],
              \"thresholds\": {thresholds}}}"
        )
    };
    let eval = |text: &str| {
        dir.write("tests.json", text);
        dir.cmd(&["eval", "--fixtures", "tests.json", "--misses"]).run()
    };
    let good =
        eval(&tests("{\"needles\": 0.5, \"ndcg10\": 1.0, \"mrr\": 1.0, \"recall10\": 1.0, \"expansions\": 1.0}"))
            .code(0);
    assert!(good.stdout.contains("needle 'grow'") && good.stdout.contains("other.py"), "{}", good.all());
    let bad = eval(&tests("{\"needles\": 1.0}")).code(1);
    assert!(bad.stdout.contains("tests.json: needles is 0.500, wanted 1.000"), "{}", bad.all());
    eval(&tests("{\"p99_ms\": 0.0}")).code(1);
    eval("{").failed(&["tests.json"]);
    eval("{\"schema_version\": 2}").failed(&["tests.json", "schema_version 2"]);
    eval(&tests("{\"needels\": 1.0}")).failed(&["needels"]);
    dir.cmd(&["eval", "--fixtures", "gone.json"]).run().failed(&["gone.json"]);
}

#[test]
fn an_index_asks_about_itself() {
    let dir = Dir::polyglot();
    let eval = |args: &[&str]| dir.cmd(&[&["eval", "--index", "index", "--format", "json"], args].concat()).run();
    let report = eval(&[]).code(0).json();
    let suite = &report["suites"][0];
    assert_eq!(suite["file"], "built-in");
    assert!(suite["queries"].as_u64().unwrap() > 20, "{suite:#}");
    assert!(suite["needles"].as_f64().unwrap() > 0.9, "{suite:#}");
    let again = eval(&[]).code(0).json();
    assert_eq!((&suite["needles"], &suite["misses"]), (&again["suites"][0]["needles"], &again["suites"][0]["misses"]));
    eval(&["--require", "needles=0.9"]).code(0);
    eval(&["--require", "needles=1.5"]).code(1);
    eval(&["--require", "needels=1"]).failed(&["needels", "recall10"]);
    eval(&["--require", "needles=x"]).failed(&["not a number"]);
}

#[test]
fn a_plain_list_of_cases_is_read() {
    let dir = Dir::indexed(PROJECT);
    let case = |kind: &str, query: &str, expected: &str, top: u32| {
        format!(
            "{{\"id\": \"1\", \"type\": \"{kind}\", \"query\": \"{query}\", \"expectedSymbols\": {expected}, \"topK\": {top}}}"
        )
    };
    let cases = [
        case("needle", "Pool.grow", "[\"nothing\", \"grow\"]", 1),
        case("needle", "Pool.grow", "[\"shrink\"]", 5),
        case("ranking", "take a connection", "[\"Pool.acquire\"]", 10),
        case("expansion", "Pool", "[\"acquire\", \"grow\"]", 10),
    ];
    for text in [format!("[{}]", cases.join(",")), format!("{{\"tests\": [{}]}}", cases.join(","))] {
        dir.write("cases.json", text);
        let report = dir.cmd(&["eval", "--fixtures", "cases.json", "--format", "json"]).run().code(0).json();
        let suite = &report["suites"][0];
        assert_eq!(
            (&suite["needles"], &suite["ndcg10"], &suite["expansions"]),
            (&0.5.into(), &1.0.into(), &1.0.into())
        );
    }
    dir.write("cases.json", "[{\"type\": \"haystack\", \"query\": \"x\", \"expectedSymbols\": []}]");
    dir.cmd(&["eval", "--fixtures", "cases.json"]).run().failed(&["cases.json", "haystack"]);
}

#[test]
fn settings_come_from_the_checkout_then_the_user_and_flags_win() {
    let dir = Dir::indexed(PROJECT);
    dir.write("sextant.toml", "[search]\nlimit = 1\nstrategy = 'hybrid'\n[weights]\nstem = 0.5\n");
    let ask = |args: &[&str]| -> Value {
        let output =
            dir.cmd(&[&["search", "--format", "json"], args, &["--", "connection pool"]].concat()).run().code(0);
        serde_json::from_str(&output.stdout).unwrap()
    };
    let found = ask(&[]);
    assert_eq!((found["strategy"].as_str(), found["class"].as_str()), (Some("hybrid"), Some("natural")));
    assert_eq!(found["results"].as_array().unwrap().len(), 1);
    assert_eq!(found["available"], serde_json::json!(["text", "vectors", "symbols", "graph"]));
    let found = ask(&["--strategy", "rrf", "--no-graph", "--no-vectors", "-n", "5"]);
    assert_eq!(
        (found["strategy"].as_str(), &found["available"]),
        (Some("rrf"), &serde_json::json!(["text", "symbols"]))
    );
    let staged = ask(&["--strategy", "staged"]);
    assert_eq!(staged["available"], serde_json::json!(["vectors", "symbols", "graph"]));

    let config = dir.cmd(&["config", "--format", "json"]).run().code(0);
    let config: Value = serde_json::from_str(&config.stdout).unwrap();
    let setting = |name: &str| {
        let all = config["settings"].as_array().unwrap();
        all.iter().find(|setting| setting["name"] == name).unwrap_or_else(|| panic!("{name} in {config:#}")).clone()
    };
    assert!(setting("search.limit")["origin"].as_str().unwrap().ends_with("sextant.toml"));
    assert_eq!(setting("weights.stem")["value"], 0.5);
    assert_eq!(setting("search.mode")["origin"], "default");
    let text = dir.cmd(&["config"]).run().code(0);
    assert!(text.stdout.contains("search.limit") && text.stdout.contains("= 1  # "), "{}", text.stdout);

    dir.write("sextant.toml", "[search]\nlimits = 1\n");
    dir.cmd(&["search", "--", "pool"]).run().failed(&["sextant.toml", "limits"]);
}

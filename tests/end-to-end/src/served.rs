//! Servers of many: a collection whose members are fetched when they are asked, and teams that may ask some of them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::collection::{commit, merge, plan, repository, shard};
use crate::harness::Dir;
use crate::serve::Http;

const PAYMENTS: &str = "Authorization: Bearer payments-0123456789\r\n";
const OPERATORS: &str = "Authorization: Bearer operators-0123456789\r\n";

const TEAMS: &str = r#"
[[team]]
name = "payments"
token = "payments-0123456789"
indexes = ["pay/*"]

[[team]]
name = "operators"
token = "operators-0123456789"
indexes = ["*"]
metrics = true
"#;

/// Publishes a collection of three repositories. One uses what another defines, under the name of its package.
fn publish(dir: &Dir) {
    repository(dir, "ledger", "book");
    dir.write("ledger/pyproject.toml", "[project]\nname = \"ledger\"\n");
    dir.write(
        "ledger/ledger/__init__.py",
        "def settle(account):\n    \"\"\"Settles the balance of an account.\"\"\"\n",
    );
    commit(dir, "ledger");
    repository(dir, "gateway", "route");
    dir.write("gateway/main.py", "import ledger\n\ndef pay(account):\n    ledger.settle(account)\n");
    commit(dir, "gateway");
    repository(dir, "secret", "hide");
    dir.write("secret/keys.py", "def rotate_keys():\n    return 'a secret rotation of keys'\n");
    commit(dir, "secret");
    update(dir);
}

/// Publishes the repositories as they are now.
fn update(dir: &Dir) {
    let source = |name: &str, path: &str| format!("{name}={}", dir.path(path).display());
    let sources = [("pay/ledger", "ledger"), ("pay/gateway", "gateway"), ("ops/secret", "secret")];
    plan(dir, &sources.map(|(name, path)| source(name, path)), &[]);
    shard(dir, 0, "work").code(0);
    merge(dir, &[]).code(0);
}

fn ask(http: &Http, path: &str, headers: &str) -> Value {
    let (status, body) = http.get(path, headers);
    assert_eq!(status, 200, "{path} {body}");
    serde_json::from_str(&body).unwrap()
}

/// The value of a metric.
fn metric(http: &Http, name: &str, headers: &str) -> f64 {
    let (_, text) = http.get("/metrics", headers);
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    line.unwrap_or_else(|| panic!("{name} is not in {text}"))
}

#[test]
fn members_of_a_collection_are_fetched_when_they_are_asked() {
    let dir = Dir::empty();
    publish(&dir);
    let listed: Value = serde_json::from_slice(&fs_err::read(dir.path("all/collection.json")).unwrap()).unwrap();
    assert_eq!(listed["members"][0]["languages"][0], "python");
    let http = Http::serve(&dir, &["--collection", "all", "--cache", "cache", "--refresh", "1", "--max-indexes", "2"]);
    let fetches = || metric(&http, "sextant_collection_fetches_total", "");
    assert_eq!((fetches(), metric(&http, "sextant_collection_members", "")), (0.0, 3.0));
    // A name is asked of those that have it, a name that nobody has of none.
    let found = ask(&http, "/api/v1/definition?name=rotate_keys", "");
    assert_eq!(found["results"][0]["path"], "keys.py");
    assert_eq!(found["coverage"]["asked"], json!(["ops/secret"]));
    assert_eq!((&found["coverage"]["indexes"], fetches()), (&3.into(), 1.0));
    let nothing = ask(&http, "/api/v1/definition?name=nobody_has_this", "");
    assert_eq!((&nothing["results"], fetches()), (&json!([]), 1.0), "{nothing}");
    // Users in another member come with the definition.
    let callers = ask(&http, "/api/v1/callers?names=settle", "");
    assert_eq!(callers["coverage"]["asked"], json!(["pay/ledger", "pay/gateway"]), "{callers}");
    assert!(callers.to_string().contains("main.py") && fetches() == 3.0, "{callers}");
    // A question is asked of those whose words fit best, and the others are named.
    let explored = ask(&http, "/api/v1/explore?query=where+is+the+balance+of+an+account+settled", "");
    assert_eq!(explored["coverage"]["asked"][0], "pay/ledger", "{explored}");
    assert_eq!(explored["coverage"]["not_asked"].as_array().unwrap().len(), 1);
    assert_eq!(explored["coverage"]["not_asked_are_less_likely"], true);
    // A request may name its members.
    let chosen = ask(&http, "/api/v1/search?query=account&index=pay%2Fg*", "");
    assert_eq!(chosen["coverage"]["asked"], json!(["pay/gateway"]));
    assert_eq!(http.get("/api/v1/search?query=account&index=nobody", "").0, 400);
    let of_file = ask(&http, "/api/v1/outline?file=keys.py", "");
    assert_eq!(of_file["coverage"]["asked"], json!(["ops/secret"]));
    // Keys of definitions and chunks, as answers print them, lead to their member.
    let key = found["results"][0]["key"].as_str().unwrap().to_owned();
    for name in [key.as_str(), "secret/keys.py:rotate_keys~1", "secret/keys.py@0", "keys.py:1"] {
        let shown = ask(&http, &format!("/api/v1/show?names={}", name.replace('/', "%2F")), "");
        assert_eq!(shown["coverage"]["asked"], json!(["ops/secret"]), "{name} {shown}");
    }
    // What is published next is answered without a restart, also by open indexes.
    dir.write("secret/keys.py", "def rotate_all_keys():\n    return 1\n");
    commit(&dir, "secret");
    update(&dir);
    let started = Instant::now();
    while ask(&http, "/api/v1/definition?name=rotate_all_keys", "")["results"] == json!([]) {
        assert!(started.elapsed() < Duration::from_secs(30), "the new list is not seen");
        std::thread::sleep(Duration::from_millis(100));
    }
    let gone = ask(&http, "/api/v1/definition?name=rotate_keys", "");
    assert_eq!(gone["coverage"]["asked"], json!([]), "{gone}");
    // A second server needs a folder of its own; the next one finds what was fetched.
    let second = dir.cmd(&["serve", "--collection", "all", "--cache", "cache", "--listen", "127.0.0.1:0"]).run();
    second.failed(&["is used by another server", "--cache"]);
    drop(http);
    let http = Http::serve(&dir, &["--collection", "all", "--cache", "cache"]);
    assert_eq!(ask(&http, "/api/v1/definition?name=rotate_all_keys", "")["results"][0]["path"], "keys.py");
    assert_eq!(metric(&http, "sextant_collection_fetches_total", ""), 0.0);
    let state = ask(&http, "/health", "");
    let open: Vec<&Value> = state["indexes"].as_array().unwrap().iter().map(|index| &index["open"]).collect();
    assert_eq!(open, [true, false, false]);
}

#[test]
fn a_served_collection_keeps_its_budgets_and_survives_damage() {
    let dir = Dir::empty();
    publish(&dir);
    // Each index is larger than both budgets: only the last one that was asked stays.
    let http =
        Http::serve(&dir, &["--collection", "all", "--cache", "cache", "--max-disk", "1000", "--max-open", "1000"]);
    for (name, path) in [("rotate_keys", "keys.py"), ("pay", "main.py"), ("rotate_keys", "keys.py")] {
        let found = ask(&http, &format!("/api/v1/definition?name={name}"), "");
        assert_eq!(found["results"][0]["path"], path);
        assert_eq!(fs_err::read_dir(dir.path("cache/indexes")).unwrap().count(), 1);
    }
    let of = |name: &str| metric(&http, &format!("sextant_collection_{name}"), "");
    assert_eq!((of("fetches_total"), of("removed_total"), of("open")), (3.0, 2.0, 1.0));
    drop(http);
    // A pack that is gone: the others answer, and the answer says what is missing.
    let packs = fs_err::read_dir(dir.path("all/packs")).unwrap().next().unwrap().unwrap().path();
    fs_err::remove_file(packs.join("pay=2Fgateway.sxt")).unwrap();
    fs_err::write(packs.join("ops=2Fsecret.words"), "damaged").unwrap();
    fs_err::remove_dir_all(dir.path("cache")).unwrap();
    let http = Http::serve(&dir, &["--collection", "all", "--cache", "cache"]);
    let callers = ask(&http, "/api/v1/callers?names=settle", "");
    assert_eq!(callers["coverage"]["failed"][0]["index"], "pay/gateway", "{callers}");
    // A member whose vocabulary is damaged is asked about everything.
    assert_eq!(callers["coverage"]["asked"], json!(["pay/ledger", "ops/secret"]), "{callers}");
    let (status, body) = http.get("/api/v1/definition?name=pay&index=pay%2Fgateway", "");
    assert!(status == 500 && body.contains("pay/gateway cannot be asked"), "{status} {body}");
    dir.cmd(&["serve", "--collection", "work", "--cache", "c"]).run().failed(&["is no collection"]);
}

#[test]
fn a_team_sees_nothing_of_the_indexes_of_others() {
    let dir = Dir::empty();
    publish(&dir);
    dir.write("teams.toml", TEAMS);
    let served = ["--collection", "all", "--cache", "cache", "--teams", "teams.toml", "--access-log", "log"];
    let http = Http::serve(&dir, &served);
    // The other team has its index open.
    assert!(ask(&http, "/api/v1/definition?name=rotate_keys", OPERATORS).to_string().contains("keys.py"));
    let secrets = ["secret", "keys.py", "rotate_keys", "hide"];
    let calls = [
        "definition?name=rotate_keys",
        "search?query=rotation+of+keys",
        "search?query=hide0&index=ops%2Fsecret",
        "search?query=hide0&index=*",
        "search?query=keys&repo=secret",
        "explore?query=how+are+keys+rotated",
        "grep?pattern=rotation",
        "symbols?query=rotate",
        "references?names=rotate_keys&min_confidence=0&mentions=true",
        "show?names=secret%2Fkeys.py",
        "outline?file=keys.py",
        "map?",
        "stats?",
    ];
    for call in calls {
        let (_, body) = http.get(&format!("/api/v1/{call}"), PAYMENTS);
        // What was asked may be repeated.
        let asked = call.replace("%2F", "/");
        let shown = secrets.iter().find(|secret| !asked.contains(**secret) && body.contains(**secret));
        assert!(shown.is_none(), "{call}: {shown:?} {body}");
    }
    assert_eq!(ask(&http, "/api/v1/definition?name=rotate_keys", PAYMENTS)["coverage"]["indexes"], 2);
    // Neither do the state of the server and its metrics, nor MCP.
    assert_eq!(ask(&http, "/health", "")["indexes"], json!([]));
    let names = |headers: &str| ask(&http, "/health", headers)["indexes"].as_array().unwrap().len();
    assert_eq!((names(PAYMENTS), names(OPERATORS)), (2, 3));
    assert_eq!((http.get("/metrics", "").0, http.get("/metrics", PAYMENTS).0), (401, 401));
    assert_eq!(metric(&http, "sextant_team_requests_total{team=\"operators\",status=\"200\"}", OPERATORS), 1.0);
    for wrong in ["", "Authorization: Bearer payments\r\n", "Authorization: payments-0123456789\r\n"] {
        assert_eq!(http.get("/api/v1/stats", wrong).0, 401, "{wrong}");
    }
    let mcp = |headers: &str, call: &Value| {
        let body = call.to_string();
        let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n";
        let accept = "Accept: application/json, text/event-stream\r\n";
        http.raw(format!("{head}{accept}{headers}Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes())
    };
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    assert_eq!(mcp("", &hello).0, 401);
    assert_eq!(mcp(PAYMENTS, &hello).0, 200);
    // The log says who asked which command, and not what.
    drop(http);
    let log = fs_err::read_to_string(dir.path("log")).unwrap();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["team"], &lines[0]["call"]), (&json!("operators"), &json!("definition")));
    assert_eq!((&lines[0]["client"], &lines[0]["protocol"]), (&json!("127.0.0.1"), &json!("http")));
    assert!(lines.len() > calls.len() && !log.contains("keys"), "{log}");
}

#[test]
fn teams_also_divide_indexes_that_are_here() {
    let dir = Dir::indexed("//- /a.py\ndef first():\n    return 1\n");
    dir.write("other/b.py", "def second():\n    return first()\n");
    dir.index_cmd(&["build", "other", "-o", "OTHER"]).run().code(0);
    dir.write("teams.toml", TEAMS.replace("pay/*", "OTHER"));
    let http = Http::serve(&dir, &["--index", "index", "--index", "OTHER", "--teams", "teams.toml"]);
    assert_eq!(ask(&http, "/api/v1/definition?name=second", PAYMENTS)["results"][0]["path"], "b.py");
    assert_eq!(ask(&http, "/api/v1/definition?name=first", PAYMENTS)["results"], json!([]));
    assert_eq!(
        ask(&http, "/api/v1/definition?name=first", OPERATORS)["indexes"][0]["answer"]["results"][0]["path"],
        "a.py"
    );
    let of_stats = |headers: &str| ask(&http, "/api/v1/stats", headers);
    assert!(of_stats(OPERATORS)["indexes"].as_array().unwrap().len() == 2 && of_stats(PAYMENTS)["indexes"].is_null());
    dir.write("bad.toml", TEAMS.replace("operators-0123456789", "short"));
    let bad = dir.cmd(&["serve", "--index", "index", "--teams", "bad.toml"]).run();
    bad.failed(&["bad.toml", "less than 16 characters"]);
}

//! Endpoints: who serves and who asks them, within an index and between indexes that do not know of each other.

use serde_json::Value;

use crate::calls::matches_schema;
use crate::collection::{merge, plan, shard};
use crate::harness::Dir;
use crate::serve::Http;

const USERS: &str = "
//- /main.go
package main

import \"net/http\"

type Server struct{ mux *http.ServeMux }

func (s *Server) routes() {
	s.mux.HandleFunc(\"GET /api/users/{id}\", s.showUser)
	s.mux.HandleFunc(\"POST /api/users\", s.createUser)
}

func (s *Server) showUser(w http.ResponseWriter, r *http.Request) {}

func (s *Server) createUser(w http.ResponseWriter, r *http.Request) { store() }

func store() {}
";

const WEB: &str = "
//- /client.ts
const base = process.env.USERS;

export async function loadUser(id: string) {
  const found = await fetch(`${base}/api/users/${id}`);
  return found.json();
}

export async function addUser(user: User) {
  return axios.post<User>('/api/users', user);
}

export function page() {
  return addUser(null);
}

export function lost() {
  return fetch('/api/nobody/has');
}

export function order(id: number) {
  return fetch('/api/orders/' + id);
}
";

const SHOP: &str = "
//- /shop/__init__.py
//- /shop/app.py
from fastapi import FastAPI
from .routes import orders

app = FastAPI()
app.include_router(orders.router, prefix=\"/api/orders\")
//- /shop/routes/__init__.py
//- /shop/routes/orders.py
from fastapi import APIRouter

router = APIRouter()


@router.get(\"/{order_id}\")
def read_order(order_id: int):
    return order_id
//- /tests/test_orders.py
def test_order(client):
    client.get(\"/api/orders/1\")
";

fn repositories() -> Dir {
    let dir = Dir::empty();
    for (name, fixture) in [("users", USERS), ("web", WEB), ("shop", SHOP)] {
        dir.tree(name, fixture);
    }
    dir
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).collect()
}

#[test]
fn one_index_joins_what_its_repositories_serve_and_ask() {
    let dir = repositories();
    dir.index_cmd(&["build", "users", "web", "shop", "-o", "index", "--model", "none"]).run().code(0);
    let listed = dir.cmd(&["endpoints", "--index", "index"]).run().code(0);
    assert_eq!(
        lines(&listed.stdout),
        [
            "GET /api/nobody/has  nothing here serves it",
            "asked at web/client.ts:17  lost",
            "GET /api/orders/{}",
            "shop/shop/routes/orders.py:6  read_order",
            "asked at web/client.ts:21  order",
            "asked at shop/tests/test_orders.py:2  test_order",
            "POST /api/users",
            "users/main.go:14  Server.createUser",
            "asked at web/client.ts:9  addUser",
            "GET /api/users/{}",
            "users/main.go:12  Server.showUser",
            "asked at web/client.ts:4  loadUser",
        ]
    );
    // An endpoint is a name, however its parameters are written.
    for name in ["GET /api/users/:id", "/api/users/{id}", "get /api/users/<id>"] {
        let callers = dir.cmd(&["callers", name, "--index", "index"]).run().code(0);
        let expected = "function loadUser  request, dependency 0.80\n      4  const found = await fetch(";
        assert!(callers.stdout.contains(expected), "{}", callers.all());
    }
    let uses = dir.cmd(&["callers", "GET /api/nobody/has", "--index", "index"]).run().code(0);
    assert!(uses.stdout.contains("function lost"), "{}", uses.all());
    let path = dir.cmd(&["path", "page", "store", "--index", "index"]).run().code(0);
    assert!(path.stdout.contains("request, dependency"), "{}", path.all());
    let tests = dir.cmd(&["affected", "read_order", "--index", "index"]).run().code(0);
    assert!(tests.stdout.contains("test_order"), "{}", tests.all());
    let unserved = dir.cmd(&["endpoints", "--unserved", "--index", "index", "--format", "json"]).run().code(0).json();
    let schemas = dir.cmd(&["schema", "endpoints"]).run().code(0).json();
    let schema = &schemas["endpoints"]["answer"];
    matches_schema(schema, schema, &unserved, "endpoints");
    let unserved = unserved["endpoints"].as_array().unwrap();
    assert_eq!(unserved.iter().map(|one| &one["name"]).collect::<Vec<_>>(), ["GET /api/nobody/has"]);
    let filtered = |args: &[&str]| {
        let answer = dir.cmd(&[&["endpoints", "--index", "index", "--format", "json"], args].concat()).run().json();
        answer["endpoints"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(filtered(&["/users"]), 2);
    assert_eq!(filtered(&["POST /api/users"]), 1);
    assert_eq!(filtered(&["--path", "orders.py"]), 1);
    assert_eq!(filtered(&["-n", "3"]), 3);
    let none = dir.cmd(&["endpoints", "/nothing/like/it", "--index", "index"]).run().code(1);
    assert!(none.stderr.contains("no endpoint"), "{}", none.all());
}

#[test]
fn indexes_that_were_built_apart_are_joined_when_they_are_asked() {
    let dir = repositories();
    for name in ["users", "web", "shop"] {
        dir.index_cmd(&["build", name, "-o", &format!("i/{name}"), "--model", "none"]).run().code(0);
    }
    let ask = |args: &[&str]| -> Value {
        let indexes = ["--index", "i/users", "--index", "i/web", "--index", "i/shop", "--format", "json"];
        dir.cmd(&[args, &indexes].concat()).run().code(0).json()
    };
    let of = |answer: &Value, index: &str| {
        let answers = answer["indexes"].as_array().unwrap();
        answers.iter().find(|one| one["index"] == index).map(|one| one["answer"].clone()).unwrap_or_default()
    };
    let names = |answer: &Value, list: &str, field: &str| -> Vec<String> {
        let results = answer[list].as_array().into_iter().flatten();
        results.map(|result| result[field].as_str().unwrap().to_owned()).collect()
    };
    let callers = ask(&["callers", "showUser"]);
    assert_eq!(names(&of(&callers, "web"), "results", "name"), ["loadUser"], "{callers}");
    let impact = ask(&["impact", "createUser"]);
    assert_eq!(names(&of(&impact, "web"), "results", "name"), ["addUser", "page"], "{impact}");
    let callees = ask(&["callees", "order"]);
    assert_eq!(names(&of(&callees, "web"), "results", "name"), ["read_order"], "{callees}");
    let path = ask(&["path", "page", "store"]);
    assert_eq!(names(&of(&path, "web"), "steps", "name"), ["page", "addUser", "createUser", "store"], "{path}");
    let listed = ask(&["endpoints"]);
    assert_eq!(names(&of(&listed, "users"), "endpoints", "name"), ["POST /api/users", "GET /api/users/{}"], "{listed}");
    assert_eq!(of(&listed, "users")["endpoints"][0]["requests"][0]["symbol"], "addUser", "{listed}");
    assert_eq!(names(&of(&listed, "web"), "endpoints", "name"), ["GET /api/nobody/has"], "{listed}");
}

#[test]
fn an_edited_route_gives_the_index_of_a_full_build() {
    let dir = repositories();
    let build = |output: &str| {
        dir.index_cmd(&["build", "users", "web", "shop", "-o", output, "--model", "none"]).run().code(0);
        let stats = dir.cmd(&["stats", "--index", output, "--format", "json"]).run().code(0).json();
        stats["content_id"].as_str().unwrap().to_owned()
    };
    let edits = [
        ("shop/shop/app.py", "/api/orders", "/api/things"),
        ("users/main.go", "POST /api/users", "POST /api/people"),
        ("shop/shop/routes/orders.py", "def read_order", "def read_thing"),
        ("web/client.ts", "/api/orders/", "/api/things/"),
    ];
    let mut ids = vec![build("index")];
    for (number, (path, from, to)) in edits.into_iter().enumerate() {
        let text = fs_err::read_to_string(dir.path(path)).unwrap();
        assert!(text.contains(from), "{path}");
        dir.write(path, text.replacen(from, to, 1));
        let id = build("index");
        assert_eq!(id, build(&format!("full{number}")), "after the edit of {path}");
        ids.push(id);
    }
    ids.dedup();
    assert_eq!(ids.len(), edits.len() + 1);
    let callers = dir.cmd(&["callers", "read_thing", "--index", "index"]).run().code(0);
    assert!(callers.stdout.contains("function order  request"), "{}", callers.all());
}

#[test]
fn members_of_a_collection_are_asked_for_what_they_ask_of_others() {
    let dir = repositories();
    let sources: Vec<String> =
        ["users", "web", "shop"].iter().map(|name| dir.path(name).display().to_string()).collect();
    let planned = plan(&dir, &sources, &[]);
    for number in 0..planned["shards"].as_array().unwrap().len() {
        shard(&dir, number, "work").code(0);
    }
    merge(&dir, &[]).code(0);
    dir.cmd(&["pull", "all", "-o", "mine"]).run().code(0);
    let ask = |args: &[&str]| dir.cmd(&[args, &["--index", "mine", "--format", "json"]].concat()).run().code(0).json();
    // `web` has no name like it, and asks the endpoint.
    let callers = ask(&["callers", "showUser"]);
    assert!(callers.to_string().contains("loadUser"), "{callers}");
    let callees = ask(&["callees", "loadUser"]);
    assert!(callees.to_string().contains("showUser"), "{callees}");
    let named = ask(&["callers", "GET /api/users/{id}"]);
    assert!(named.to_string().contains("loadUser"), "{named}");
    let listed = ask(&["endpoints", "/api/users"]);
    assert!(listed.to_string().contains("addUser"), "{listed}");
    // A server over the folder chooses as the command line does.
    let server = Http::serve(&dir, &["--index", "mine", "--max-indexes", "1"]);
    let get = |path: &str| -> Value {
        let (status, body) = server.get(path, "");
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    };
    let callers = get("/api/v1/callers?names=showUser");
    assert!(callers.to_string().contains("loadUser"), "{callers}");
    let asked = |answer: &Value| answer["coverage"]["asked"].as_array().unwrap().len();
    let defined = get("/api/v1/definition?name=read_order");
    assert_eq!((asked(&defined), &defined["coverage"]["asked"][0]), (1, &"shop".into()), "{defined}");
    let searched = get("/api/v1/search?query=read+order");
    assert_eq!((asked(&searched), searched["coverage"]["not_asked"].as_array().unwrap().len()), (1, 2), "{searched}");
    assert_eq!(asked(&get("/api/v1/stats")), 3);
    let chosen = get("/api/v1/search?query=read+order&index=web");
    assert_eq!(chosen["coverage"]["asked"][0], "web", "{chosen}");
}

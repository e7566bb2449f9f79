//! Small projects, and edges that must be among theirs.

mod bash;
mod bindings;
mod closures;
mod collections;
mod constructors;
mod dependencies;
mod elixir;
mod endpoints;
mod expected_types;
mod exports;
mod includes;
mod languages;
mod lua;
mod members;
mod modules;
mod open_types;
mod overloads;
mod pairs;
mod php;
mod python;
mod readers;
mod receivers;
mod rust;
mod written_values;

use std::fmt::Write;

use sextant_format::ids::SymbolId;
use sextant_format::kinds::{EdgeKind, Tier};
use sextant_syntax::chunk::LineIndex;
use sextant_syntax::extract::Extractor;
use sextant_syntax::language;

use crate::{FileContext, SymbolTable};

/// The edges of some projects, one per line as `source -kind-> target (tier)`, without unresolved imports. `!` marks
/// external targets, `?` unresolved ones. In the fixture each file has a header `//- path`; one with `@` before
/// the path begins another repository.
fn edges(fixture: &str) -> String {
    let (mut table, qualified) = table_of(fixture);
    let mut out = String::new();
    let name = |id: SymbolId| {
        let name = &qualified[id.index()];
        name.split_once(':').filter(|(path, name)| path == name).map_or(name.clone(), |(path, _)| path.to_owned())
    };
    let mut rows = Vec::new();
    let externals = table.resolve(2, || false, None, &mut rows).unwrap().externals;
    for edge in rows.iter().filter(|edge| edge.kind != EdgeKind::Import || edge.tier != Tier::Unresolved) {
        let external = edge.external_id.map(|id| format!("!{}", externals[id as usize].name));
        let target = edge.target_id.map(name).or(external).unwrap_or_else(|| format!("?{}", edge.target_name));
        let _ = writeln!(out, "{} -{}-> {target} ({})", name(edge.source_id), edge.kind, edge.tier);
    }
    out
}

/// The files of a fixture, and the qualified name of each symbol.
fn table_of(fixture: &str) -> (SymbolTable, Vec<String>) {
    let mut table = SymbolTable::default();
    let mut extractor = Extractor::new();
    let mut qualified = Vec::new();
    let mut repo = 0;
    for file in fixture.split("//- ").skip(1) {
        let (path, text) = file.split_once('\n').unwrap();
        let path = path.strip_prefix('@').map_or(path, |path| {
            repo += 1;
            path
        });
        let project = sextant_syntax::project::parse_project_config(path, text);
        if let Some(project) = project {
            table.add_project(repo, path, path.contains("test"), project);
        }
        // `go.mod` is a project file without a language.
        let Some(found) = language::detect(path.rsplit('/').next().unwrap(), text) else { continue };
        let extraction = extractor.extract(found, path, &LineIndex::new(text));
        let first = u32::try_from(qualified.len()).unwrap();
        qualified.extend(extraction.symbols.iter().map(|symbol| format!("{path}:{}", symbol.qualified_name)));
        let scope = FileContext { repo, path, language: found.name, is_test: path.contains("test") };
        table.add_file(
            scope,
            SymbolId::new(first),
            &extraction.symbols,
            &extraction.references,
            &extraction.type_facts,
        );
    }
    (table, qualified)
}

fn assert_has(edges: &str, expected: &[&str]) {
    for edge in expected {
        assert!(edges.lines().any(|line| line == *edge), "missing: {edge}\nin:\n{edges}");
    }
}

fn assert_lacks(edges: &str, unexpected: &[&str]) {
    for edge in unexpected {
        assert!(!edges.contains(edge), "unexpected: {edge}\nin:\n{edges}");
    }
}

#[test]
fn python_imports_self_and_unresolved_names() {
    let edges = edges(
        "//- app/store.py
class Store:
    def load(self):
        return self.decode()
    def decode(self):
        return helper()
def helper():
    pass
//- app/views.py
from app.store import Store, helper as h
from . import store
def show():
    s = Store()
    h()
    store.helper()
    print(s)
# helper() in a comment
TEXT = 'helper()'
",
    );
    assert_has(
        &edges,
        &[
            "app/store.py:Store.load -call-> app/store.py:Store.decode (scope)",
            "app/store.py:Store.decode -call-> app/store.py:helper (scope)",
            "app/views.py -import-> app/store.py:Store (import)",
            "app/views.py:show -call-> app/store.py:Store (import)",
            "app/views.py:show -call-> app/store.py:helper (import)",
            "app/views.py:show -call-> !print (external)",
        ],
    );
    assert_eq!(edges.matches("-call-> app/store.py:helper").count(), 3, "comments and strings call nothing:\n{edges}");
}

#[test]
fn go_packages_and_receivers() {
    let edges = edges(
        "//- pkg/scrape/loop.go
package scrape
type scrapeLoop struct{}
func (sl *scrapeLoop) run() { sl.stop(); newLoop() }
func (sl *scrapeLoop) stop() {}
//- pkg/scrape/make.go
package scrape
func newLoop() *scrapeLoop { return &scrapeLoop{} }
//- cmd/main.go
package main
import \"example.org/x/pkg/scrape\"
func main() { scrape.Start() }
//- pkg/scrape/start.go
package scrape
func Start() {}
",
    );
    assert_has(
        &edges,
        &[
            "pkg/scrape/loop.go:scrapeLoop.run -call-> pkg/scrape/make.go:newLoop (package)",
            "cmd/main.go:main -call-> pkg/scrape/start.go:Start (import)",
        ],
    );
}

#[test]
fn rust_paths_and_types() {
    let edges = edges(
        "//- src/lib.rs
pub mod store;
use crate::store::Store;
pub fn open() -> Store { let s = Store::new(); store::close(&s); s }
//- src/store.rs
pub struct Store;
impl Store { pub fn new() -> Self { Self::check(); Store } fn check() {} }
pub fn close(_: &Store) {}
",
    );
    assert_has(
        &edges,
        &[
            "src/lib.rs -import-> src/store.rs (import)",
            "src/lib.rs:open -call-> src/store.rs:Store::new (import)",
            "src/lib.rs:open -call-> src/store.rs:close (import)",
            "src/store.rs:Store::new -call-> src/store.rs:Store::check (scope)",
        ],
    );
}

#[test]
fn typescript_modules_and_ambiguity() {
    let edges = edges(
        "//- src/a.ts
export function open() {}
//- src/b.ts
export function open() {}
//- src/c.ts
import { open } from './b';
import * as a from './a';
export function go() { open(); a.open(); }
//- src/d.ts
export function lost() { open(); }
",
    );
    assert_has(
        &edges,
        &[
            "src/c.ts:go -call-> src/b.ts:open (import)",
            "src/c.ts:go -call-> src/a.ts:open (import)",
            "src/d.ts:lost -call-> src/a.ts:open (ambiguous)",
            "src/d.ts:lost -call-> src/b.ts:open (ambiguous)",
        ],
    );
}

#[test]
fn what_a_call_returns_is_not_the_module_that_was_called() {
    let edges = edges(
        "//- src/api.ts
export function parse(text: string) { return unknown(text); }
export function success() {}
//- src/api.py
def parse(text): return unknown(text)
def success(): pass
//- src/use.ts
import * as api from './api';
export function go() { api.parse('a').success(); api.parse('a').items[0].success(); }
export function known() { api.success(); }
//- src/use.py
import api
def go(): api.parse('a').success()
def known(): api.success()
",
    );
    for language in ["ts", "py"] {
        let own = edges.lines().filter(|line| line.starts_with(&format!("src/use.{language}")));
        let facts: Vec<&str> = own.filter(|line| line.contains("success (import)")).collect();
        assert_eq!(facts, [format!("src/use.{language}:known -call-> src/api.{language}:success (import)")], "{edges}");
    }
}

#[test]
fn c_definitions_are_preferred_to_declarations() {
    let edges = edges(
        "//- include/x.h
int x_open(const char *path);
//- src/x.c
#include \"x.h\"
int x_open(const char *path) { return 0; }
//- src/main.c
#include \"x.h\"
int main(void) { return x_open(\"a\"); }
",
    );
    assert_has(&edges, &["src/main.c -import-> include/x.h (import)"]);
    let calls: Vec<&str> = edges.lines().filter(|line| line.contains("main.c:main -call->")).collect();
    assert_eq!(calls, ["src/main.c:main -call-> src/x.c:x_open (import)"], "{edges}");
}

#[test]
fn references_do_not_cross_language_families() {
    let edges = edges(
        "//- a.py
def compute():
    pass
//- b.go
package b
func main() { compute() }
",
    );
    assert_has(&edges, &["b.go:main -call-> !compute (external)"]);
}

#[test]
fn local_bindings_shadow_outer_definitions() {
    let edges = edges(
        "//- app.py
def handler(): pass
def first(handler):
    return handler()
def second():
    for handler in ():
        handler()
def third():
    def handler(): pass
    return handler()
def fourth():
    return handler()
//- web.ts
export function open() {}
export function a({ open }: Options) { open(); }
export function b(list: string[]) { return list.map(open => open()); }
export function c() { open(); }
//- main.go
package main
func run() {}
func a(run func()) { run() }
func b() { run() }
",
    );
    let calls: Vec<&str> = edges.lines().filter(|line| line.contains("-call-> ") && !line.contains("-> ?")).collect();
    assert_eq!(
        calls,
        [
            "app.py:third -call-> app.py:third.handler (scope)",
            "app.py:fourth -call-> app.py:handler (scope)",
            "web.ts:c -call-> web.ts:open (scope)",
            "main.go:b -call-> main.go:run (scope)",
        ]
    );
}

#[test]
fn an_unqualified_name_is_neither_member_nor_test() {
    let edges = edges(
        "//- src/a.ts
export const table = { lookup() {} };
export class Store { read() {} size = 1; }
export function run() { lookup(); read(); size; map(); }
//- src/a.test.ts
describe('map', () => { it('works', () => { map(); }); });
//- src/app.py
class Store:
    def load(self):
        return load()
",
    );
    for wrong in ["-> src/a.ts:table.lookup", "-> src/a.ts:Store.", "-> src/a.test.ts:map", "-> src/app.py:Store.load"]
    {
        assert!(!edges.contains(wrong), "{wrong} in:\n{edges}");
    }
}

#[test]
fn reexports_are_followed_to_the_definition() {
    let edges = edges(
        "//- pkg/__init__.py
from .client import Client, make as build
from .extra import *
//- pkg/client.py
from . import Client as Again
class Client: pass
def make(): pass
//- pkg/extra.py
def helper(): pass
//- app.py
import pkg
from pkg import Client, build, helper
def run():
    Client()
    build()
    helper()
    pkg.build()
//- web/index.ts
export { open as start } from './door';
export * from './window';
export * from './index';
//- web/door.ts
export function open() {}
//- web/window.ts
export function look() {}
//- web/app.ts
import { start, look } from './index';
import * as all from './index';
export function go() { start(); look(); all.look(); }
class Base { open() {} }
class Door extends Base { open() { super.open(); } }
",
    );
    assert_has(
        &edges,
        &[
            "app.py:run -call-> pkg/client.py:Client (import)",
            "app.py:run -call-> pkg/client.py:make (import)",
            "app.py:run -call-> pkg/extra.py:helper (import)",
            "web/app.ts:go -call-> web/door.ts:open (import)",
            "web/app.ts:go -call-> web/window.ts:look (import)",
            "web/app.ts:Door.open -call-> web/app.ts:Base.open (receiver)",
        ],
    );
    assert_eq!(edges.matches("app.py:run -call-> pkg/client.py:make (import)").count(), 2, "{edges}");
    assert_eq!(edges.matches("web/app.ts:go -call-> web/window.ts:look (import)").count(), 2, "{edges}");
}

#[test]
fn python_receivers_have_their_declared_types() {
    let edges = edges(
        "//- app/client.py
from .base import Base
import typing
class Response:
    def json(self): ...
    def close(self): ...
class Client(Base):
    def __init__(self, transport: 'Transport' = None):
        self.transport = transport or Transport()
    def get(self) -> Response:
        self.transport.send()
        self.shared()
        return self.transport.send()
class Transport:
    def send(self): ...
    def close(self): ...
def make(): return Client()
//- app/base.py
class Base:
    def shared(self): ...
//- app/use.py
import os
from .client import Client, make
def f(c: typing.Optional[Client], x):
    c.get().json()
    with make() as d:
        d.shared()
    r = make().get()
    r.close()
    os.close()
    x.close()
    'a'.close()
",
    );
    assert_has(
        &edges,
        &[
            "app/client.py:Client.get -call-> app/client.py:Transport.send (receiver)",
            "app/client.py:Client.get -call-> app/base.py:Base.shared (receiver)",
            "app/use.py:f -call-> app/client.py:Client.get (receiver)",
            "app/use.py:f -call-> app/client.py:Response.json (receiver)",
            "app/use.py:f -call-> app/base.py:Base.shared (receiver)",
            "app/use.py:f -call-> app/client.py:Response.close (receiver)",
            "app/use.py:f -call-> app/client.py:Transport.close (ambiguous)",
        ],
    );
    // `os` and strings have a `close` of their own.
    assert_has(&edges, &["app/use.py:f -call-> !os.close (external)", "app/use.py:f -call-> ?close (unresolved)"]);
}

#[test]
fn candidates_of_one_language_are_not_those_of_another() {
    // As many definitions as make a name common. A Java method has another name space than a field, a Kotlin function has not.
    let mut fixture = String::new();
    for n in 0..40 {
        let _ = writeln!(fixture, "//- other{n}.py\ndef next(): pass");
    }
    fixture.push_str("//- src/A.java\nclass A { int next; }\n");
    let kotlin = "//- src/c.kt\nfun go(x: Any) { unknown(x).next() }\n";
    let java = "//- src/B.java\nclass B { void go() { unknown().next(); } }\n";
    let of_kotlin =
        |edges: &str| edges.lines().filter(|edge| edge.starts_with("src/c.kt")).map(str::to_owned).collect::<Vec<_>>();
    let alone = of_kotlin(&edges(&format!("{fixture}{kotlin}")));
    // Whichever worker takes the file, one has resolved the same name in Java before.
    let many: String = (0..20).map(|n| java.replace("B.java", &format!("b{n}.java"))).collect();
    let after = of_kotlin(&edges(&format!("{fixture}{many}{kotlin}")));
    assert_eq!(alone, after);
}

#[test]
fn cyclic_types_terminate() {
    // Cyclic, deep and undefined types: each must be given up quickly.
    let mut nested = String::from("//- Deep.java\n");
    for n in 0..3_000 {
        nested.push_str(&format!("class C{n} extends D{n} {{ "));
    }
    nested.push_str("class Z extends Nowhere { void f() { g.h(); } }");
    nested.push_str(&" }".repeat(3_000));
    let circles = "//- Builder.java
class Builder extends Base { static class Base extends Other { void f() { x.y(); this.y(); } } }
class T extends O { static class X extends Unknown { void f() { m.n(); } } }
class O extends T.X {}
//- a.py
class A(B): ...
class B(A): ...
x = y
y = x or z() or x
def f(): return f().f()
def g(a):
    a.b = g(a).b
    x.run(); y.run(); f().run(); A().run()
class R:
    def run(self): ...
";
    for fixture in [nested.as_str(), circles] {
        assert!(!edges(fixture).is_empty());
    }
}

#[test]
fn methods_override_the_nearest_base() {
    let found = edges(
        "//- a.py
class Top:
    def run(self): ...
    def stop(self): ...
class Middle(Top):
    def run(self): ...
class Low(Middle):
    def run(self): ...
    def stop(self): ...
    def other(self): ...
//- A.java
interface Shape { int area(int scale); int area(); }
class Square implements Shape { public int area() { return 1; } public int area(int scale) { return scale; } }
//- a.cpp
struct Base { virtual void f(); };
struct Sub : Base { void f() override; };
void Sub::f() {}
",
    );
    assert_has(
        &found,
        &[
            "a.py:Middle.run -override-> a.py:Top.run (receiver)",
            "a.py:Low.run -override-> a.py:Middle.run (receiver)",
            "a.py:Low.stop -override-> a.py:Top.stop (receiver)",
            "a.cpp:Sub::f -override-> a.cpp:Base::f (receiver)",
        ],
    );
    assert_eq!(found.matches("-override->").count(), 6, "{found}");
}

#[test]
fn definitions_link_to_their_declarations() {
    let found = edges(
        "//- store.h
int load(int id);
static int other(void);
//- store.c
#include \"store.h\"
int load(int id) { return id; }
//- elsewhere.c
int load(int id) { return 1; }
//- m.mli
val size : int -> int
//- m.ml
let size x = x
//- a.ts
export function pick(a: string): string;
export function pick(a: number): number;
export function pick(a: any): any { return a; }
",
    );
    assert_has(&found, &["store.c:load -define-> store.h:load (import)", "m.ml:size -define-> m.mli:size (import)"]);
    assert_eq!(found.matches("-define-> a.ts:pick (scope)").count(), 2, "{found}");
    assert_eq!(found.matches("-define->").count(), 4, "{found}");
}

#[test]
fn tests_are_linked_to_what_they_are_named_after() {
    let found = edges(
        "//- store.py
class Store:
    def load(self): ...
    def save(self): ...
def parse(): ...
def parse_header(): ...
def helper(): ...
//- tests/test_store.py
from store import Store, parse, parse_header, helper
def test_parse_header_twice():
    parse(); parse_header(); helper()
def test_round_trip():
    s = Store()
    s.save()
    helper()
def test_nothing():
    return 1
//- lib.rs
pub fn double(x: u32) -> u32 { x }
#[test]
fn doubles() { assert_eq!(double(1), 2); }
",
    );
    assert_has(
        &found,
        &[
            "tests/test_store.py:test_parse_header_twice -test-> store.py:parse_header (unique)",
            "tests/test_store.py:test_round_trip -test-> store.py:Store.save (unique)",
            "lib.rs:doubles -test-> lib.rs:double (unique)",
        ],
    );
    assert!(!found.contains("test_nothing -test->") && !found.contains("twice -test-> store.py:parse "), "{found}");
}

/// The cache of candidates tells apart what a name is used for: a base class is never a constant, but a type may be one.
#[test]
fn cached_candidates_depend_on_the_kind_of_use() {
    let mut fixture = String::new();
    for n in 0..40 {
        let _ = writeln!(fixture, "//- src/other{n}.ts\nexport const Shape = {n};");
    }
    let _ = writeln!(fixture, "//- src/a.ts\nconst Shape = 1;\nclass A extends Shape {{}}\nfunction f(x: Shape) {{}}");
    assert_has(&edges(&fixture), &["src/a.ts:f -type-> src/a.ts:Shape (scope)"]);
}

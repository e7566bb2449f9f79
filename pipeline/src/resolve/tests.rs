use std::fmt::Write;

use sextant_formats::tables::EdgeRow;

use super::*;
use sextant_syntax::chunk::Lines;
use sextant_syntax::extract::Extractor;
use sextant_syntax::language;

/// Files as `//- path` headers followed by their text; the edges as
/// `source -kind-> target (tier)`, one a line, without the imports that were not found; `!` is external, `?` unknown.
fn edges(fixture: &str) -> String {
    let mut table = SymbolTable::default();
    let mut extractor = Extractor::new();
    let mut qualified = Vec::new();
    for file in fixture.split("//- ").skip(1) {
        let (path, text) = file.split_once('\n').unwrap();
        let found = language::detect(path.rsplit('/').next().unwrap(), text).unwrap();
        let extraction = extractor.extract(found, path, &Lines::new(text));
        let first = u32::try_from(qualified.len()).unwrap();
        qualified.extend(extraction.symbols.iter().map(|symbol| format!("{path}:{}", symbol.qualified_name)));
        let scope = FileScope { repo: 0, path, language: found.name, is_test: path.contains("test") };
        table.add_file(scope, first, &extraction.symbols, &extraction.references, &extraction.hints);
        if let Some(project) = sextant_syntax::project::project(path, text) {
            table.add_project(0, path, project);
        }
    }
    let mut out = String::new();
    let name = |id: u32| {
        let name = &qualified[id as usize];
        name.split_once(':').filter(|(path, name)| path == name).map_or(name.clone(), |(path, _)| path.to_owned())
    };
    let mut rows = Vec::new();
    let externals = table.resolve(
        2,
        || false,
        |edge: EdgeRow| {
            rows.push(edge);
            Ok(())
        },
    );
    let externals = externals.unwrap();
    for edge in rows.iter().filter(|edge| edge.kind != EdgeKind::Import || edge.tier != Tier::Unresolved) {
        let external = edge.external_id.map(|id| format!("!{}", externals[id as usize].name));
        let target = edge.target_id.map(name).or(external).unwrap_or_else(|| format!("?{}", edge.target_name));
        let _ = writeln!(out, "{} -{}-> {target} ({})", name(edge.source_id), edge.kind, edge.tier);
    }
    out
}

fn assert_has(edges: &str, expected: &[&str]) {
    for edge in expected {
        assert!(edges.lines().any(|line| line == *edge), "missing: {edge}\nin:\n{edges}");
    }
}

#[test]
fn python_imports_self_and_the_unknown() {
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
fn c_declarations_give_way_to_definitions() {
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
    assert_eq!(calls, ["src/main.c:main -call-> src/x.c:x_open (unique)"], "{edges}");
}

#[test]
fn nothing_crosses_languages() {
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
fn what_a_function_binds_hides_what_is_farther_out() {
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
fn a_bare_name_is_no_member_and_no_test() {
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
fn what_a_module_hands_on_is_found_where_it_is_defined() {
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
fn python_receivers_have_the_types_that_are_said() {
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
    // `os` has its own, and so has a text.
    assert_has(&edges, &["app/use.py:f -call-> !os.close (external)", "app/use.py:f -call-> ?close (unresolved)"]);
}

#[test]
fn python_absolute_names_begin_outside_of_packages() {
    let edges = edges(
        "//- src/web/__init__.py
from .app import App
//- src/web/app.py
class App: ...
//- src/web/json.py
def loads(): ...
//- tests/apps/__init__.py
//- tests/apps/web.py
class App: ...
//- tests/test_web.py
import web
import json
def test():
    web.App()
    json.loads()
",
    );
    assert_has(
        &edges,
        &[
            "tests/test_web.py:test -call-> src/web/app.py:App (import)",
            "tests/test_web.py:test -call-> !json.loads (external)",
        ],
    );
}

#[test]
fn typescript_modules_by_their_projects_names() {
    let edges = edges(
        "//- packages/core/package.json
{ \"name\": \"@x/core\", \"exports\": { \".\": \"./dist/index.js\" } }
//- packages/core/src/index.ts
export * from './store';
import * as inner from './inner';
export { inner };
export default function boot(): void {}
function hidden() {}
export { hidden as shown };
//- packages/core/src/store.ts
export class Store { constructor(private log: Log) {} put(): Store { this.log.write(); return this; } }
export interface Log { write(): void }
//- packages/core/src/inner.ts
export const deep = () => new Store();
//- tsconfig.json
{ \"compilerOptions\": { \"paths\": { \"~lib/*\": [\"lib/*.ts\"], } } }
//- lib/help.ts
export function help() {}
//- app/main.ts
import start, { Store, inner, shown } from '@x/core';
import { help } from '~lib/help';
import { map } from 'elsewhere';
export async function main(s: Promise<Store>) {
  start(); help(); inner.deep(); map(); shown();
  (await s).put().put();
}
//- app/old.js
const lib = require('./lib');
function go() { lib(); new lib(); }
//- app/lib.js
module.exports = build;
function build() {}
function map() {}
",
    );
    assert_has(
        &edges,
        &[
            "app/main.ts -import-> packages/core/src/store.ts:Store (import)",
            "app/main.ts:main -call-> packages/core/src/index.ts:boot (import)",
            "app/main.ts:main -call-> lib/help.ts:help (import)",
            "app/main.ts:main -call-> packages/core/src/inner.ts:deep (import)",
            "app/main.ts:main -call-> packages/core/src/store.ts:Store.put (receiver)",
            "app/main.ts:main -call-> !elsewhere.map (external)",
            "app/main.ts:main -call-> packages/core/src/index.ts:hidden (import)",
            "packages/core/src/store.ts:Store.put -call-> packages/core/src/store.ts:Log.write (receiver)",
            "app/old.js:go -call-> app/lib.js:build (import)",
            "app/old.js:go -instantiate-> app/lib.js:build (import)",
        ],
    );
}

#[test]
fn types_that_lead_back_to_themselves_end() {
    // Each of these is wrong or odd, and none of them may cost more than a look.
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
fn methods_override_those_of_the_nearest_base() {
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
fn definitions_know_their_declarations() {
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
fn tests_test_what_they_are_named_after() {
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

#[test]
fn rust_modules_by_path_crates_of_the_workspace_and_what_is_handed_on() {
    let edges = edges(
        "//- one/Cargo.toml
[package]
name = \"first-one\"
//- one/src/lib.rs
mod index;
pub mod shape;
pub use index::{open as start, Store};
//- one/src/index.rs
mod inner;
pub use self::inner::Store;
pub fn open() { super::shape::draw(); crate::shape::draw(); }
//- one/src/index/inner.rs
pub struct Store;
impl Store { pub fn read(&self) {} }
//- one/src/shape/mod.rs
pub fn draw() {}
//- one/tests/it.rs
use first_one::{start, Store};
fn works() { start(); let s: Store = make(); s.read(); serde::open(); }
//- two/Cargo.toml
[package]
name = \"two\"
//- two/src/main.rs
use serde::Store;
fn main() { first_one::start(); }
//- two/src/other.rs
pub struct Store;
pub fn open() {}
",
    );
    assert_has(
        &edges,
        &[
            "one/src/lib.rs -import-> one/src/index.rs:open (import)",
            "one/src/lib.rs -import-> one/src/index/inner.rs:Store (import)",
            "one/src/index.rs:open -call-> one/src/shape/mod.rs:draw (import)",
            "one/tests/it.rs:works -call-> one/src/index.rs:open (import)",
            "one/tests/it.rs:works -type-> one/src/index/inner.rs:Store (import)",
            "one/tests/it.rs:works -call-> one/src/index/inner.rs:Store::read (receiver)",
            "two/src/main.rs:main -call-> one/src/index.rs:open (import)",
        ],
    );
    assert_has(
        &edges,
        &[
            "two/src/main.rs -import-> !serde::Store (external)",
            "one/tests/it.rs:works -call-> !serde::open (external)",
        ],
    );
}

#[test]
fn what_a_type_implements_outside_of_its_text_is_the_types() {
    let edges = edges(
        "//- src/a.rs
use crate::shape::Shape;
pub struct Disc<T>(T);
impl<T> Shape for Disc<T> { fn area(&self) -> f32 { self.twice() } }
impl Shape for Vec<u8> { fn area(&self) -> f32 { 0.0 } }
//- src/shape.rs
pub trait Shape { fn area(&self) -> f32; fn twice(&self) -> f32 { 2.0 } }
//- Sources/a.swift
protocol Saving {}
struct User { func save() {} }
extension User: Saving { func go() { self.save() } }
func work(u: User) { u.go() }
",
    );
    assert_has(
        &edges,
        &[
            "src/a.rs:Disc -implement-> src/shape.rs:Shape (import)",
            "src/a.rs -implement-> src/shape.rs:Shape (import)",
            "src/a.rs:Disc::area -override-> src/shape.rs:Shape::area (receiver)",
            "src/a.rs:Disc::area -call-> src/shape.rs:Shape::twice (receiver)",
            "Sources/a.swift:User -implement-> Sources/a.swift:Saving (scope)",
            "Sources/a.swift:User.go -call-> Sources/a.swift:User.save (scope)",
            "Sources/a.swift:work -call-> Sources/a.swift:User.go (receiver)",
        ],
    );
}

#[test]
fn extensions_with_names_add_members() {
    let edges = edges(
        "//- lib/user.dart
class User { void load() {} }
class Post { void save() {} }
//- lib/saving.dart
import 'user.dart';
extension Saving on User { void save() { load(); } }
void work(User user) { user.save(); }
",
    );
    assert_has(&edges, &["lib/saving.dart:work -call-> lib/saving.dart:Saving.save (receiver)"]);
}

#[test]
fn namespaces_are_where_the_text_says() {
    let edges = edges(
        "//- src/Models/User.php
<?php
namespace App\\Models;
use App\\Http\\Client;
use App\\Http\\{Request as R};
class User extends Model { function f(R $r) { new Client(); \\App\\Http\\Client::make(); $r->send(); } }
//- src/Models/Model.php
<?php
namespace App\\Models;
class Model {}
//- lib/http.php
<?php
namespace App\\Http;
class Client { static function make() {} }
class Request { function send() {} }
//- other/Model.php
<?php
namespace Other;
class Model {}
class Client { static function make() {} }
//- A/User.cs
using App.Http;
using C = App.Http.Client;
namespace App.Models { class User : Model { void F() { var c = new Request(); C.Make(); } } }
//- B/Model.cs
namespace App.Models;
class Model {}
//- B/Http.cs
namespace App.Http;
class Client { static void Make() {} }
class Request {}
//- Z/Other.cs
namespace Other;
class Model {}
class Request {}
class Client { static void Make() {} }
//- lib/user.ex
defmodule App.User do
  alias App.Repo
  import App.Query
  def load(id), do: Repo.get(from(id))
  def all(), do: App.Repo.get(1)
end
//- lib/repo.ex
defmodule App.Repo do
  def get(id), do: id
end
//- lib/query.ex
defmodule App.Query do
  def from(id), do: id
end
//- lib/other.ex
defmodule Other.Repo do
  def get(id), do: id
  def from(id), do: id
end
//- lib/app/base.rb
class Base
  def self.make; end
end
//- lib/app/main.rb
require_relative 'base'
Base.make
//- lib/z/base.rb
class Base
  def self.make; end
end
",
    );
    assert_has(
        &edges,
        &[
            "src/Models/User.php:App\\Models\\User -inherit-> src/Models/Model.php:App\\Models\\Model (package)",
            "src/Models/User.php:App\\Models\\User\\f -instantiate-> lib/http.php:App\\Http\\Client (import)",
            "src/Models/User.php:App\\Models\\User\\f -type-> lib/http.php:App\\Http\\Request (import)",
            "src/Models/User.php:App\\Models\\User\\f -call-> lib/http.php:App\\Http\\Client\\make (import)",
            "src/Models/User.php:App\\Models\\User\\f -call-> lib/http.php:App\\Http\\Request\\send (receiver)",
            "A/User.cs:App.Models.User -inherit-> B/Model.cs:App.Models.Model (package)",
            "A/User.cs:App.Models.User.F -instantiate-> B/Http.cs:App.Http.Request (import)",
            "A/User.cs:App.Models.User.F -call-> B/Http.cs:App.Http.Client.Make (import)",
            "lib/user.ex:App.User.load/1 -call-> lib/repo.ex:App.Repo.get/1 (import)",
            "lib/user.ex:App.User.load/1 -call-> lib/query.ex:App.Query.from/1 (import)",
            "lib/user.ex:App.User.all/0 -call-> lib/repo.ex:App.Repo.get/1 (import)",
            "lib/app/main.rb -import-> lib/app/base.rb (import)",
            "lib/app/main.rb -call-> lib/app/base.rb:Base::make (import)",
        ],
    );
}

#[test]
fn what_comes_from_elsewhere_has_a_name() {
    let edges = edges(
        "//- app.py
import os
import numpy as np
from json import loads as read
from .gone import lost
def main(path):
    np.linalg.norm(read(len(path)))
    os.path.join(path).strip()
    lost()
    path()
def strip(): ...
//- src/lib.rs
use serde::Serialize;
pub fn f() { std::mem::swap(); serde_json::to_string(); println!(); crate::gone::f(); x.unwrap(); }
//- web/a.ts
import fs, { read } from 'node:fs';
import { own } from './gone';
export function f() { read(); fs.stat(); own(); new Map(); }
//- Main.java
import java.util.List;
class Main { List<String> f() { return List.of(); } }
",
    );
    assert_has(
        &edges,
        &[
            "app.py -import-> !os (external)",
            "app.py -import-> !json.loads (external)",
            "app.py:main -call-> !json.loads (external)",
            "app.py:main -call-> !numpy.linalg.norm (external)",
            "app.py:main -call-> !os.path.join (external)",
            "app.py:main -call-> !len (external)",
            "app.py:main -call-> ?lost (unresolved)",
            "src/lib.rs -import-> !serde::Serialize (external)",
            "src/lib.rs:f -call-> !std::mem::swap (external)",
            "src/lib.rs:f -call-> !serde_json::to_string (external)",
            "web/a.ts:f -call-> !node:fs.read (external)",
            "web/a.ts:f -call-> !node:fs.stat (external)",
            "web/a.ts:f -call-> ?own (unresolved)",
            "web/a.ts:f -instantiate-> !Map (external)",
            "Main.java:Main.f -type-> !java.util.List (external)",
            "Main.java:Main.f -call-> !java.util.List.of (external)",
        ],
    );
    for wrong in ["-> !path", "-> app.py:strip", "!crate", "!gone", "!./gone", "unwrap (external)"] {
        assert!(!edges.contains(wrong), "{wrong} in:\n{edges}");
    }
}

#[test]
fn packages_need_no_file_of_their_names() {
    let edges = edges(
        "//- core/src/main/scala/app/http/package.scala
package app.http
class Request { def send() = 1 }
class Response
object Helpers { def help() = 2 }
//- core/src/main/scala/other/Request.scala
package other
class Request { def send() = 1 }
class Response
object Helpers { def help() = 2 }
//- core/src/main/scala/app/Main.scala
package app
import app.http.{Request, Response => Reply}
class Main { def run(r: Reply) = { new Request(); elsewhere.gone.Thing() } }
//- core/src/main/kotlin/app/util/Extra.kt
package app.util
fun trim(text: String) = text
//- core/src/main/kotlin/other/Extra.kt
package other
fun trim(text: String) = text
//- core/src/main/kotlin/app/Start.kt
package app
import app.util.trim
fun start() { trim(\"x\") }
//- Sources/Core/Deep/Store.swift
public struct Store { public func read() {} }
//- Sources/Core/Open.swift
func open() { Store().read() }
//- Sources/Other/Store.swift
public struct Store { public func read() {} }
//- Tests/CoreTests/StoreTests.swift
import Core
func check() { let s = Store(); s.read() }
",
    );
    assert_has(
        &edges,
        &[
            "core/src/main/scala/app/Main.scala:Main.run -instantiate-> core/src/main/scala/app/http/package.scala:Request (import)",
            "core/src/main/scala/app/Main.scala:Main.run -type-> core/src/main/scala/app/http/package.scala:Response (import)",
            "core/src/main/kotlin/app/Start.kt:start -call-> core/src/main/kotlin/app/util/Extra.kt:trim (import)",
            "Sources/Core/Open.swift:open -instantiate-> Sources/Core/Deep/Store.swift:Store (package)",
            "Tests/CoreTests/StoreTests.swift:check -instantiate-> Sources/Core/Deep/Store.swift:Store (import)",
            "Tests/CoreTests/StoreTests.swift:check -call-> Sources/Core/Deep/Store.swift:Store.read (receiver)",
        ],
    );
}

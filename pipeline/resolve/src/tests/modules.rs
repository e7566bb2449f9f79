//! Names of modules, crates, packages and namespaces, inside and outside of the repository.

use super::{assert_has, assert_lacks, edges};

#[test]
fn rust_modules_workspace_crates_and_reexports() {
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
fn out_of_line_impls_belong_to_their_type() {
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
fn named_extensions_add_members() {
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
fn namespaces_come_from_declarations_not_paths() {
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
fn external_symbols_have_full_names() {
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
fn members_of_types_from_elsewhere_have_full_names() {
    let edges = edges(
        "//- app.py
from kit import Store, open_store
class Own(Store):
    def use(self): self.missing()
def run(store: Store, unknown, count: int):
    store.read().more()
    Store().close()
    open_store().read()
    unknown.read()
//- main.go
package main
import \"example.com/kit\"
type app struct { store *kit.Store }
func (a *app) run(s kit.Store) { s.Read(); a.store.Close(); kit.Open().Read() }
//- web/a.ts
import { Store } from '@x/kit'
export class Page {
  constructor(private store: Store) {}
  show(other: Store.Inner) { this.store.read(); other.close(); new Store().flush() }
}
//- src/lib.rs
use kit::Store;
fn run(store: &Store) { store.read(); }
//- Main.java
import com.kit.Store;
class Main {
  int run(Store store, Store.Inner inner) { inner.close(); return store.read(); }
}
",
    );
    assert_has(
        &edges,
        &[
            "app.py:run -call-> !kit.Store.read (external)",
            "app.py:run -call-> !kit.Store.close (external)",
            "main.go:app.run -call-> !example.com/kit.Store.Read (external)",
            "main.go:app.run -call-> !example.com/kit.Store.Close (external)",
            "web/a.ts:Page.show -call-> !@x/kit.Store.read (external)",
            "web/a.ts:Page.show -call-> !@x/kit.Store.Inner.close (external)",
            "web/a.ts:Page.show -call-> !@x/kit.Store.flush (external)",
            "src/lib.rs:run -call-> !kit::Store::read (external)",
            "Main.java:Main.run -call-> !com.kit.Store.read (external)",
            "Main.java:Main.run -call-> !com.kit.Store.Inner.close (external)",
        ],
    );
    // What a method or a function returns is not known, and neither is a parameter without a type.
    assert_lacks(&edges, &["more (external)", "open_store.read", "Open.Read", "unknown.read", "missing (external)"]);
}

#[test]
fn repositories_publish_what_others_import() {
    let (mut table, _) = super::table_of(
        "//- pyproject.toml
//- src/kit/__init__.py
a = 1
//- src/kit/inner/__init__.py
b = 1
//- go.mod
module example.com/kit
//- sub/go.mod
module example.com/kit/sub
//- web/package.json
{\"name\": \"@x/kit\", \"exports\": {\".\": \"./dist/index.js\", \"./part\": \"./dist/part.js\", \"./all/*\": \"./dist/all/*.js\"}}
//- web/src/index.ts
export const a = 1
//- web/src/part.ts
export const b = 1
//- web/src/all/one.ts
export const c = 1
//- web/test/package.json
{\"name\": \"only-for-tests\"}
//- core/Cargo.toml
[package]
name = \"my-kit\"
//- core/src/lib.rs
pub fn a() {}
//- jvm/src/main/java/com/kit/Store.java
package com.kit;
class Store {}
",
    );
    let packages = table.resolve(1, || false, None, &mut Vec::new()).unwrap().packages;
    let packages: Vec<String> =
        packages.iter().map(|(_, package)| format!("{} {} {}", package.family, package.name, package.path)).collect();
    let expected = [
        "ecma @x/kit web/src/index.ts",
        "ecma @x/kit/all/* web/src/all/*",
        "ecma @x/kit/part web/src/part.ts",
        "go example.com/kit ",
        "go example.com/kit/sub sub",
        "java  jvm/src/main/java",
        "python kit src/kit/__init__.py",
        "rust my_kit core/src/lib.rs",
    ];
    assert_eq!(packages, expected);
}

#[test]
fn packages_resolve_without_a_file_of_their_name() {
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

#[test]
fn python_absolute_imports_start_at_source_roots() {
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
fn typescript_modules_resolve_through_tsconfig_and_packages() {
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
fn kotlin_and_scala_types_by_their_full_names() {
    let edges = edges(
        "//- src/org/kit/core/Types.kt
package org.kit.core
class Door {
    fun go() {}
}
//- src/org/kit/other/Types.kt
package org.kit.other
class Door {
    fun go() {}
}
//- src/org/kit/use/Use.kt
package org.kit.use
fun use(door: org.kit.core.Door) {
    door.go()
}
//- core/src/kit/core/Types.scala
package kit.core
trait Types {
  trait Writer
}
//- core/src/kit/plain/Types.scala
package kit.plain
trait Types {
  trait Writer
}
//- app/src/kit/app/Json.scala
package kit.app
trait Json extends kit.core.Types {
  def write(w: Writer): Unit = ()
}
",
    );
    assert_has(
        &edges,
        &[
            "src/org/kit/use/Use.kt:use -type-> src/org/kit/core/Types.kt:Door (import)",
            "src/org/kit/use/Use.kt:use -call-> src/org/kit/core/Types.kt:Door.go (receiver)",
            "app/src/kit/app/Json.scala:Json -inherit-> core/src/kit/core/Types.scala:Types (import)",
            "app/src/kit/app/Json.scala:Json.write -type-> core/src/kit/core/Types.scala:Types.Writer (receiver)",
        ],
    );
}

//! References from one repository of an index to another, which owns the module.

use super::{assert_has, assert_lacks, edges};

#[test]
fn python_packages_belong_to_the_project_next_to_them() {
    let edges = edges(
        "//- app/pyproject.toml
[project]
name = \"app\"
//- app/app/__init__.py
//- app/app/main.py
import fetch
from fetch.session import Session
from fetch import missing, open_it
from copies import thing
def run():
    s = Session()
    s.get()
    open_it()
    fetch.session.Session()
    missing()
    thing()
//- @setup.py
//- src/fetch/__init__.py
from .session import open_session as open_it
//- src/fetch/session.py
class Session:
    def get(self):
        return 1
def open_session():
    return Session()
//- tests/fetch/__init__.py
def open_it(): pass
//- @pyproject.toml
[project]
name = \"copies\"
//- copies/__init__.py
def thing(): pass
//- @setup.py
//- copies/__init__.py
def thing(): pass
//- vendored/fetch/__init__.py
def open_it(): pass
",
    );
    assert_has(
        &edges,
        &[
            "app/app/main.py -import-> src/fetch/session.py:Session (dependency)",
            "app/app/main.py:run -call-> src/fetch/session.py:Session (dependency)",
            "app/app/main.py:run -call-> src/fetch/session.py:Session.get (dependency)",
            "app/app/main.py:run -call-> src/fetch/session.py:open_session (dependency)",
            "app/app/main.py:run -call-> !fetch.missing (external)",
            "app/app/main.py:run -call-> !copies.thing (external)",
        ],
    );
    assert_lacks(&edges, &["main.py:run -call-> copies/", "vendored"]);
}

#[test]
fn packages_and_crates_are_those_that_the_manifest_depends_on() {
    let edges = edges(
        "//- web/package.json
{ \"name\": \"web\", \"dependencies\": { \"@kit/core\": \"1\" } }
//- web/src/a.ts
import { draw } from '@kit/core';
import { other } from '@kit/extra';
export function go() { draw(); other(); }
//- tool/Cargo.toml
[package]
name = \"tool\"
[dependencies]
fast-map = \"1\"
short = { package = \"long-name\", version = \"1\" }
//- tool/src/main.rs
use fast_map::Map;
use unlisted::thing;
fn main() { let m = Map::new(); m.put(); short::cut(); thing(); }
//- @core/package.json
{ \"name\": \"@kit/core\", \"main\": \"dist/index.js\" }
//- core/src/index.ts
export { draw } from './draw';
//- core/src/draw.ts
export function draw() {}
//- extra/package.json
{ \"name\": \"@kit/extra\" }
//- extra/src/index.ts
export function other() {}
//- @map/Cargo.toml
[package]
name = \"fast-map\"
//- map/src/lib.rs
mod imp;
pub use imp::Map;
//- map/src/imp.rs
pub struct Map;
impl Map { pub fn new() -> Self { Map } pub fn put(&self) {} }
//- long/Cargo.toml
[package]
name = \"long-name\"
//- long/src/lib.rs
pub fn cut() {}
//- unlisted/Cargo.toml
[package]
name = \"unlisted\"
//- unlisted/src/lib.rs
pub fn thing() {}
",
    );
    assert_has(
        &edges,
        &[
            "web/src/a.ts:go -call-> core/src/draw.ts:draw (dependency)",
            "tool/src/main.rs -import-> map/src/imp.rs:Map (dependency)",
            "tool/src/main.rs:main -call-> map/src/imp.rs:Map::new (dependency)",
            "tool/src/main.rs:main -call-> map/src/imp.rs:Map::put (dependency)",
            "tool/src/main.rs:main -call-> long/src/lib.rs:cut (dependency)",
        ],
    );
    assert_lacks(&edges, &["-> extra/", "-> unlisted/"]);
}

#[test]
fn modules_packages_namespaces_and_headers_of_another_repository() {
    let edges = edges(
        "//- go.mod
module example.org/app
//- main.go
package main
import \"example.org/kit/store\"
func main() { s := store.Open(); s.Close() }
//- src/main/java/org/app/Main.java
package org.app;
import org.kit.Store;
class Main { void run() { Store store = new Store(); store.close(); } }
//- lib/app.ex
defmodule App do
  alias Kit.Store
  def run, do: Store.open()
end
//- src/App.hs
module App where
import Data.Kit (openKit)
run = openKit 1
//- App.cs
using Kit.Events;
namespace App { class Main { void Run() { var sink = new Sink(); sink.Emit(); } } }
//- App.php
<?php
namespace App;
use Kit\\Table;
class Main { function run() { $table = new Table(); $table->render(); } }
//- app.c
#include <kit/store.h>
int run(void) { struct store s; return kit_open(&s, KIT_FLAG); }
//- app.cpp
#include <kit/inner.hpp>
int go() { return helper() + std::min(1, 2); }
//- Sources/App/main.swift
import KitStore
func run() { openStore() }
//- @go.mod
module example.org/kit
//- store/store.go
package store
type Store struct{}
func Open() *Store { return nil }
func (s *Store) Close() {}
//- src/main/java/org/kit/Store.java
package org.kit;
public class Store { public void close() {} }
//- src/test/java/org/kit/Store.java
package org.kit;
public class Store {}
//- lib/kit.ex
defmodule Kit.Store do
  def open, do: 1
end
//- kit/src/Data/Kit.hs
module Data.Kit where
openKit n = n
//- kit/src/Test/Data/Kit.hs
module Test.Data.Kit where
openKit n = n
//- Sink.cs
namespace Kit.Events { public class Sink { public void Emit() {} } }
//- Table.php
<?php
namespace Kit;
class Table { function render() {} }
//- include/kit/store.h
#define KIT_FLAG 1
struct store { int a; };
int kit_open(struct store *s, int flags);
//- include/kit/inner.hpp
namespace std { struct hash {}; }
namespace kit { inline int helper() { return 1; } }
//- Sources/KitStore/store.swift
public func openStore() {}
",
    );
    assert_has(
        &edges,
        &[
            "main.go:main -call-> store/store.go:Open (dependency)",
            "main.go:main -call-> store/store.go:Store.Close (dependency)",
            "src/main/java/org/app/Main.java:Main.run -instantiate-> src/main/java/org/kit/Store.java:Store \
             (dependency)",
            "src/main/java/org/app/Main.java:Main.run -call-> src/main/java/org/kit/Store.java:Store.close \
             (dependency)",
            "lib/app.ex:App.run/0 -call-> lib/kit.ex:Kit.Store.open/0 (dependency)",
            "src/App.hs:run -call-> kit/src/Data/Kit.hs:openKit (dependency)",
            "App.cs:App.Main.Run -call-> Sink.cs:Kit.Events.Sink.Emit (dependency)",
            "App.php:App\\Main\\run -call-> Table.php:Kit\\Table\\render (dependency)",
            "app.c:run -call-> include/kit/store.h:kit_open (dependency)",
            "app.c:run -type-> include/kit/store.h:store (dependency)",
            "app.c:run -reference-> include/kit/store.h:KIT_FLAG (dependency)",
            "app.cpp -import-> include/kit/inner.hpp (dependency)",
            "Sources/App/main.swift:run -call-> Sources/KitStore/store.swift:openStore (dependency)",
        ],
    );
    assert_lacks(&edges, &["inner.hpp:kit", "inner.hpp:std"]);
}

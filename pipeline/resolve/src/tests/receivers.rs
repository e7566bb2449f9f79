//! Names such as `self`, `super` and `base`: keywords in some languages, ordinary names in others.

use super::{assert_has, assert_lacks, edges};

#[test]
fn python_imports_win_over_keywords_of_other_languages() {
    let edges = edges(
        "//- app/base.py
def helper(): pass
//- app/parent.py
def helper(): pass
//- app/static.py
def helper(): pass
//- app/this.py
def helper(): pass
//- app/use.py
from app import base, parent, this
import app.static as static
class Top:
    def helper(self): ...
class Store(Top):
    def helper(self): ...
    def load(self):
        base.helper()
        parent.helper()
        static.helper()
        this.helper()
def run():
    base.helper()
",
    );
    assert_has(
        &edges,
        &[
            "app/use.py:Store.load -call-> app/base.py:helper (import)",
            "app/use.py:Store.load -call-> app/parent.py:helper (import)",
            "app/use.py:Store.load -call-> app/static.py:helper (import)",
            "app/use.py:Store.load -call-> app/this.py:helper (import)",
            "app/use.py:run -call-> app/base.py:helper (import)",
        ],
    );
}

#[test]
fn python_receivers_are_conventions() {
    let edges = edges(
        "//- app/cls.py
def load(): pass
//- app/use.py
from app import cls
class Store:
    def load(self): ...
    def imported(self):
        cls.load()
//- a.py
from typing import Self
class Top:
    def load(self): ...
class Other:
    def load(self): ...
class Store(Top):
    def load(self): ...
    def again(self) -> Self: ...
    def run(self):
        self.load()
    def run_typed(self):
        self.again().load()
    def up(self):
        super().load()
    @classmethod
    def make(cls):
        cls.load()
    def swap(self):
        cls = Other
        cls.load()
    def rebind(self):
        self = Other()
        self.load()
    def kind(self):
        cls = type(self)
        cls.load()
    def parent_of(self, parent):
        self.parent.load()
",
    );
    assert_has(
        &edges,
        &[
            "app/use.py:Store.imported -call-> app/cls.py:load (import)",
            "a.py:Store.run -call-> a.py:Store.load (scope)",
            "a.py:Store.run_typed -call-> a.py:Store.load (scope)",
            "a.py:Store.up -call-> a.py:Top.load (receiver)",
            "a.py:Store.make -call-> a.py:Store.load (scope)",
            "a.py:Store.swap -call-> a.py:Other.load (scope)",
            "a.py:Store.rebind -call-> a.py:Other.load (receiver)",
            "a.py:Store.kind -call-> a.py:Store.load (scope)",
        ],
    );
    assert!(!edges.contains("parent_of -call-> a.py:Top.load (receiver)"), "a member is no keyword:\n{edges}");
}

#[test]
fn ecmascript_has_this_and_super_only() {
    let edges = edges(
        "//- src/base.ts
export function helper() {}
//- src/parent.ts
export function helper() {}
//- src/cls.ts
export function helper() {}
//- src/a.ts
import * as base from './base';
import * as parent from './parent';
import * as cls from './cls';
export class Top { helper() {} }
export class Store extends Top {
  helper() {}
  imported() { base.helper(); parent.helper(); cls.helper(); }
  up() { super.helper(); }
  own() { this.helper(); }
  kept() { const self = this; self.helper(); }
}
//- page.html
<script>
class Page { show() { this.draw(); } draw() {} }
class Other { draw() {} }
</script>
",
    );
    assert_has(
        &edges,
        &[
            "src/a.ts:Store.imported -call-> src/base.ts:helper (import)",
            "src/a.ts:Store.imported -call-> src/parent.ts:helper (import)",
            "src/a.ts:Store.imported -call-> src/cls.ts:helper (import)",
            "src/a.ts:Store.up -call-> src/a.ts:Top.helper (receiver)",
            "src/a.ts:Store.own -call-> src/a.ts:Store.helper (scope)",
            "src/a.ts:Store.kept -call-> src/a.ts:Store.helper (scope)",
            "page.html:Page.show -call-> page.html:Page.draw (scope)",
        ],
    );
}

#[test]
fn go_has_no_receiver_keywords() {
    let edges = edges(
        "//- pkg/base/base.go
package base
func Helper() {}
//- pkg/parent/parent.go
package parent
func Helper() {}
//- pkg/static/static.go
package static
func Helper() {}
//- store/store.go
package store
import (
	\"example.org/x/pkg/base\"
	\"example.org/x/pkg/parent\"
	\"example.org/x/pkg/static\"
)
type Other struct{}
func (o *Other) Load() {}
type Store struct{}
func (this *Store) Helper() {}
func (this *Store) Load() {}
func (this *Store) Run(self *Other) { base.Helper(); parent.Helper(); static.Helper(); this.Helper(); self.Load() }
",
    );
    assert_has(
        &edges,
        &[
            "store/store.go:Store.Run -call-> pkg/base/base.go:Helper (import)",
            "store/store.go:Store.Run -call-> pkg/parent/parent.go:Helper (import)",
            "store/store.go:Store.Run -call-> pkg/static/static.go:Helper (import)",
            "store/store.go:Store.Run -call-> store/store.go:Store.Helper (scope)",
            "store/store.go:Store.Run -call-> store/store.go:Other.Load (receiver)",
        ],
    );
}

#[test]
fn php_has_keywords_before_two_colons_only() {
    let edges = edges(
        "//- a.php
<?php
class Top { function load() {} static function make() {} }
class Other { function load() {} function next(): Other {} }
class Store extends Top {
  function load() {}
  static function make() {}
  function variables(Other $parent, Other $static, Other $self) { $parent->load(); $static->load(); $self->load(); }
  function above() { parent::load(); }
  function own() { self::make(); }
  function late() { static::make(); }
  function object() { $this->load(); }
}
",
    );
    assert_has(
        &edges,
        &[
            "a.php:Store\\above -call-> a.php:Top\\load (receiver)",
            "a.php:Store\\own -call-> a.php:Store\\make (scope)",
            "a.php:Store\\late -call-> a.php:Store\\make (scope)",
            "a.php:Store\\object -call-> a.php:Store\\load (scope)",
        ],
    );
    assert_eq!(edges.matches("variables -call-> a.php:Other\\load (receiver)").count(), 3, "{edges}");
}

/// A class below another, whose methods call `load` of themselves, of their base, and of parameters.
/// `calls` are the numbers of the calls to `Store.load`, `Top.load` and `Other.load`.
fn assert_loads(fixture: &str, file: &str, separator: &str, calls: [usize; 3]) {
    let edges = edges(fixture);
    let found = ["Store", "Top", "Other"].map(|owner| {
        let target = format!("-call-> {file}:{owner}{separator}load (");
        edges.lines().filter(|line| line.contains(&target) && !line.contains("ambiguous")).count()
    });
    assert_eq!(found, calls, "{edges}");
}

#[test]
fn csharp_has_this_and_base() {
    assert_loads(
        "//- A.cs
class Top { public void load() {} }
class Other { public void load() {} }
class Store : Top {
  public void load() {}
  void Run(Other parent, Other self, Other super) { this.load(); base.load(); parent.load(); self.load(); super.load(); }
}
",
        "A.cs",
        ".",
        [1, 1, 3],
    );
}

#[test]
fn java_has_this_and_super() {
    assert_loads(
        "//- A.java
class Top { void load() {} }
class Other { void load() {} }
class Store extends Top {
  void load() {}
  void run(Other base, Other parent, Other self) { this.load(); super.load(); base.load(); parent.load(); self.load(); }
  class Inner { void load() {} void run() { Store.this.load(); } }
}
",
        "A.java",
        ".",
        [2, 1, 3],
    );
}

#[test]
fn kotlin_has_this_and_super() {
    assert_loads(
        "//- a.kt
package app
open class Top {
  open fun load() {}
}
class Other {
  fun load() {}
}
class Store : Top() {
  override fun load() {}
  fun run(base: Other, parent: Other, self: Other) {
    this.load()
    super.load()
    base.load()
    parent.load()
    self.load()
  }
}
",
        "a.kt",
        ".",
        [1, 1, 3],
    );
}

#[test]
fn scala_has_this_and_super() {
    assert_loads(
        "//- a.scala
class Top { def load() = 1 }
class Other { def load() = 1 }
class Store extends Top {
  override def load() = 2
  def run(base: Other, parent: Other, self: Other) = { this.load(); super.load(); base.load(); parent.load(); self.load() }
}
",
        "a.scala",
        ".",
        [1, 1, 3],
    );
}

#[test]
fn swift_has_self_and_super() {
    assert_loads(
        "//- a.swift
class Top { func load() {} }
class Other { func load() {} }
class Store: Top {
  override func load() {}
  func run(base: Other, parent: Other, this: Other) { self.load(); super.load(); base.load(); parent.load(); this.load() }
  static func make() { Self.load() }
}
",
        "a.swift",
        ".",
        [2, 1, 3],
    );
}

#[test]
fn dart_has_this_and_super() {
    assert_loads(
        "//- a.dart
class Top { void load() {} }
class Other { void load() {} }
class Store extends Top {
  void load() {}
  void run(Other base, Other parent, Other self) { this.load(); super.load(); base.load(); parent.load(); self.load(); }
}
",
        "a.dart",
        ".",
        [1, 1, 3],
    );
}

#[test]
fn cpp_has_this() {
    assert_loads(
        "//- a.cpp
class Top { public: void load() {} };
class Other { public: void load() {} };
class Store : public Top {
  void load() {}
  void run(Other base, Other *parent, Other &self, Other super) {
    this->load(); base.load(); parent->load(); self.load(); super.load();
  }
};
",
        "a.cpp",
        "::",
        [1, 0, 4],
    );
}

#[test]
fn ruby_has_self_and_super() {
    assert_loads(
        "//- a.rb
class Top
  def load; end
end
class Other
  def load; end
end
class Store < Top
  def load; end
  def own
    self.load
  end
  def other
    parent = Other.new 1
    parent.load
    base = Other.new 1
    base.load
    this = Other.new 1
    this.load
  end
end
",
        "a.rb",
        "::",
        [1, 0, 3],
    );
}

#[test]
fn rust_has_self_and_paths() {
    let edges = edges(
        "//- Cargo.toml
[package]
name = \"x\"
//- src/lib.rs
mod store;
pub fn helper() {}
pub fn make() {}
//- src/store.rs
pub struct Other;
impl Other { pub fn load(&self) {} }
pub struct Store;
impl Store {
    pub fn load(&self) {}
    pub fn make() {}
    pub fn own(&self) { self.load(); }
    pub fn new() { Self::make(); }
    pub fn values(&self, base: &Other, parent: &Other, this: &Other) { base.load(); parent.load(); this.load(); }
    pub fn above(&self) { super::make(); }
    pub fn whole(&self) { crate::make(); }
    pub fn here(&self) { self::helper(); }
}
pub fn helper() {}
mod inner {
    pub fn helper() {}
    pub fn above() { super::helper(); }
    pub fn here() { self::helper(); }
    pub fn far() { super::super::helper(); }
}
",
    );
    assert_has(
        &edges,
        &[
            "src/store.rs:Store::own -call-> src/store.rs:Store::load (scope)",
            "src/store.rs:Store::new -call-> src/store.rs:Store::make (scope)",
            "src/store.rs:Store::above -call-> src/lib.rs:make (import)",
            "src/store.rs:Store::whole -call-> src/lib.rs:make (import)",
            "src/store.rs:Store::here -call-> src/store.rs:helper (scope)",
            "src/store.rs:inner::above -call-> src/store.rs:helper (scope)",
            "src/store.rs:inner::here -call-> src/store.rs:inner::helper (scope)",
            "src/store.rs:inner::far -call-> src/lib.rs:helper (import)",
        ],
    );
    assert_eq!(edges.matches("Store::values -call-> src/store.rs:Other::load (receiver)").count(), 3, "{edges}");
}

#[test]
fn elixir_has_the_module_around() {
    let edges = edges(
        "//- lib/a.ex
defmodule App.A do
  def load(id), do: id
  def run(id), do: __MODULE__.load(id)
end
//- lib/b.ex
defmodule App.B do
  def load(id), do: id
end
",
    );
    assert_has(&edges, &["lib/a.ex:App.A.run/1 -call-> lib/a.ex:App.A.load/1 (scope)"]);
}

#[test]
fn lua_and_zig_have_self_by_convention() {
    let edges = edges(
        "//- base.lua
local M = {}
function M.helper() end
return M
//- store.lua
local base = require('base')
local Store = {}
Store.__index = Store
function Store:load() end
function Store:helper() end
function Store:run() self:load() end
function Store:imported() base.helper() end
//- other.lua
local Other = {}
Other.__index = Other
function Other:load() end
//- base.zig
pub fn helper() void {}
//- store.zig
const base = @import(\"base.zig\");
pub const Store = struct {
    pub fn load(self: *Store) void { _ = self; }
    pub fn helper(self: *Store) void { _ = self; }
    pub fn run(self: *Store) void { self.load(); }
    pub fn imported(self: *Store) void { base.helper(); }
};
pub const Other = struct {
    pub fn load(self: *Other) void { _ = self; }
};
",
    );
    assert_has(
        &edges,
        &[
            "store.lua:Store.run -call-> store.lua:Store.load (scope)",
            "store.lua:Store.imported -call-> base.lua:M.helper (receiver)",
            "store.zig:Store.run -call-> store.zig:Store.load (scope)",
            "store.zig:Store.imported -call-> base.zig:helper (import)",
        ],
    );
}

#[test]
fn ruby_instance_variables_and_reopened_modules() {
    let edges = edges(
        "//- lib/tool.rb
module Tool
  VERSION = 1
end
//- lib/tool/base.rb
module Tool
  class Base
    def initialize(site)
      @site = site
      @site = site.other
    end
  end
end
//- lib/tool/page.rb
module Tool
  class Page < Base
    def render
      @body, @head = 1, 2
      @site
    end
    def body
      @body
    end
  end
end
//- lib/use.rb
def use
  Tool::Page.new
  @site
end
",
    );
    assert_has(
        &edges,
        &[
            "lib/tool/base.rb:Tool::Base::initialize -reference-> lib/tool/base.rb:Tool::Base::@site (scope)",
            "lib/tool/page.rb:Tool::Page::render -reference-> lib/tool/base.rb:Tool::Base::@site (receiver)",
            "lib/tool/page.rb:Tool::Page::body -reference-> lib/tool/page.rb:Tool::Page::@body (scope)",
            "lib/use.rb:use -type-> lib/tool.rb:Tool (unique)",
        ],
    );
    assert_lacks(&edges, &["lib/use.rb:use -reference-> "]);
}

#[test]
fn what_a_method_returns_that_an_import_binds() {
    let edges = edges(
        "//- a/Holder.java
package a;
public class Holder {
  public static Progress progress() { return null; }
  public static Progress progress(int of) { return null; }
  static class Other { static Stranger made() { return null; } }
}
//- a/Progress.java
package a;
public interface Progress { void done(); Progress next(); }
//- a/Stranger.java
package a;
public class Stranger { void done() {} Progress next() { return null; } }
//- b/User.java
package b;
import static a.Holder.progress;
public class User {
  void one() { progress().done(); }
  void two() { progress(1).next().done(); }
}
",
    );
    assert_has(
        &edges,
        &[
            "b/User.java:User.one -call-> a/Progress.java:Progress.done (receiver)",
            "b/User.java:User.two -call-> a/Progress.java:Progress.done (receiver)",
            "b/User.java:User.two -call-> a/Progress.java:Progress.next (receiver)",
        ],
    );
}

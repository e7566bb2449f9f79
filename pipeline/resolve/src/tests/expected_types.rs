//! Members by types that are not written where they are used: parts of tuples, types that a name is compared with or that
//! a place expects, associated types, classes as arguments, objects of types without a name. Every member is in two
//! types, so that its name alone says nothing.

use super::{assert_has, assert_lacks, edges};

#[test]
fn swift_places_expect_types() {
    let edges = edges(
        "//- Sources/A/Lib.swift
enum Side { case left, right }
enum Turn { case left, right }
struct Options { static let all = Options(); static func only(_ side: Side) -> Options { return Options() } }
struct Others { static let all = Others(); static func only(_ turn: Turn) -> Others { return Others() } }
func go(to side: Side, _ options: Options) {}
enum Failure { case turned(reason: Turn) }
class Car { init(first side: Side) {} ; var side: Side = .left }
//- Sources/A/Main.swift
func declared() { let a: Side = .left }
func listed() { let a: [Turn] = [.left] }
func argument() { go(to: .right, .all) }
func nested() { go(to: .left, .only(.right)) }
func constructed() { let car = Car(first: .right) }
func compared(a: Turn) -> Bool { return a == .left }
func chosen(a: Turn) { switch a { case .right: go(to: .left, .all) } }
func returned() -> Turn { return .left }
func assigned(car: Car) { car.side = .right }
func narrowed(a: Any) { if a is Car { print(a.side) } }
func thrown() throws { throw Failure.turned(reason: .right) }
protocol Parsed { }
extension Parsed { static func parse(_ words: [String]) throws -> Self { fatalError() } }
struct Plan: Parsed { var path: Int }
struct Other: Parsed { var path: Int }
extension URL { static let prefix = 1 }
extension URI { static let prefix = 1 }
func parsed() throws { let plan = try Plan.parse([]); print(plan.path) }
func check<A>(_ type: A.Type, _ words: [String], closure: (A) throws -> Void) {}
func checked() { check(Other.self, []) { other in print(other.path) } }
func extended() { print(URL.prefix) }
func unknown() { somewhere.go(.left) }
",
    );
    assert_has(
        &edges,
        &[
            "Sources/A/Main.swift:declared -reference-> Sources/A/Lib.swift:Side.left (import)",
            "Sources/A/Main.swift:listed -reference-> Sources/A/Lib.swift:Turn.left (import)",
            "Sources/A/Main.swift:argument -reference-> Sources/A/Lib.swift:Side.right (receiver)",
            "Sources/A/Main.swift:argument -reference-> Sources/A/Lib.swift:Options.all (receiver)",
            "Sources/A/Main.swift:nested -call-> Sources/A/Lib.swift:Options.only (receiver)",
            "Sources/A/Main.swift:constructed -reference-> Sources/A/Lib.swift:Side.right (receiver)",
            "Sources/A/Main.swift:compared -reference-> Sources/A/Lib.swift:Turn.left (receiver)",
            "Sources/A/Main.swift:chosen -reference-> Sources/A/Lib.swift:Turn.right (receiver)",
            "Sources/A/Main.swift:returned -reference-> Sources/A/Lib.swift:Turn.left (receiver)",
            "Sources/A/Main.swift:assigned -reference-> Sources/A/Lib.swift:Side.right (receiver)",
            "Sources/A/Main.swift:thrown -reference-> Sources/A/Lib.swift:Turn.right (receiver)",
            "Sources/A/Main.swift:parsed -reference-> Sources/A/Main.swift:Plan.path (receiver)",
            "Sources/A/Main.swift:checked -reference-> Sources/A/Main.swift:Other.path (receiver)",
            "Sources/A/Main.swift:extended -reference-> Sources/A/Main.swift:URL.prefix (receiver)",
            "Sources/A/Main.swift:narrowed -reference-> Sources/A/Lib.swift:Car.side (receiver)",
        ],
    );
    assert_lacks(&edges, &["Sources/A/Main.swift:unknown -reference-> Sources/A/Lib.swift:Side.left"]);
}

#[test]
fn swift_locals_have_the_types_of_their_constructors() {
    let edges = edges(
        "//- Sources/A/Lib.swift
class Stack { let parts: [Int]; init(first: Int, parts: [Int]) { self.parts = parts } }
class Other { let parts: [Int] = [] }
//- Tests/ATests/Main.swift
import Testing
struct Cases {
  @Test func make() {
    let stack = Stack(first: 1, parts: [2])
    #expect(stack.parts.count == 1)
  }
}
",
    );
    assert_has(&edges, &["Tests/ATests/Main.swift:Cases.make -reference-> Sources/A/Lib.swift:Stack.parts (receiver)"]);
}

#[test]
fn elixir_structs_specifications_and_used_modules() {
    let edges = edges(
        "//- lib/job.ex
defmodule App.Job do
  @type state :: atom()
  @type t :: %__MODULE__{state: state()}
  defstruct [:state, done?: false]
  @spec make(integer()) :: t()
  def make(id), do: build(id)
  @spec finish(t()) :: t()
  def finish(job), do: job.state
end
//- lib/other.ex
defmodule App.Other do
  defstruct [:state, done?: false]
  def finish(other), do: other
end
//- lib/repo.ex
defmodule App.Repo do
  defmacro __using__(_opts) do
    quote do
      def insert(row), do: row
    end
  end
  def insert_all(row), do: row
end
//- lib/my.ex
defmodule App.My do
  use App.Repo
end
//- lib/main.ex
defmodule App.Main do
  alias App.Job
  alias App.My
  def pattern(%App.Other{} = it), do: it.done?
  def result(id) do
    it = Job.make(id)
    it.done?
  end
  def piped(id) do
    it = id |> Job.make() |> Job.finish()
    it.state
  end
  def used(row), do: My.insert(row)
  def full(id), do: App.Job.finish(id)
  import App.Job
  def imported(id), do: finish(id)
  def unknown(it), do: it.done?
end
",
    );
    assert_has(
        &edges,
        &[
            "lib/job.ex:App.Job.finish/1 -reference-> lib/job.ex:App.Job.state (scope)",
            "lib/main.ex:App.Main.pattern/1 -reference-> lib/other.ex:App.Other.done? (receiver)",
            "lib/main.ex:App.Main.result/1 -reference-> lib/job.ex:App.Job.done? (receiver)",
            "lib/main.ex:App.Main.piped/1 -reference-> lib/job.ex:App.Job.state (receiver)",
            "lib/main.ex:App.Main.used/1 -call-> lib/repo.ex:App.Repo.insert/1 (import)",
            "lib/main.ex:App.Main.imported/1 -call-> lib/job.ex:App.Job.finish/1 (import)",
            "lib/main.ex:App.Main.full/1 -call-> lib/job.ex:App.Job.finish/1 (import)",
        ],
    );
    assert_lacks(&edges, &["App.Main.unknown/1 -reference->"]);
}

#[test]
fn kotlin_narrowed_names_classes_and_objects() {
    let edges = edges(
        "//- src/Lib.kt
package app
open class Door { fun open() {} }
class Car : Door() { fun open() {}; val wheel: Int = 1 }
class Bike { val wheel: Int = 2; fun open() {} }
fun <T> make(type: Class<T>): T = throw Exception()
fun <T> each(type: Class<T>, block: (T) -> Unit) {}
abstract class Task { fun done() {} }
abstract class Work { fun done() {} }
fun String.shout() {}
//- src/Main.kt
package app
fun narrowed(a: Any) { if (a is Car && !a.wheel.isZero()) {} }
fun chosen(a: Any) { when (a) { is Bike -> a.wheel } }
fun made() { make(Bike::class.java).open() }
fun passed() { each(Car::class.java) { it.wheel } }
fun anonymous() = object : Work() { fun run() { done() } }
fun literal() { \"a\".shout() }
",
    );
    assert_has(
        &edges,
        &[
            "src/Main.kt:narrowed -reference-> src/Lib.kt:Car.wheel (receiver)",
            "src/Main.kt:chosen -reference-> src/Lib.kt:Bike.wheel (receiver)",
            "src/Main.kt:made -call-> src/Lib.kt:Bike.open (receiver)",
            "src/Main.kt:passed -reference-> src/Lib.kt:Car.wheel (receiver)",
            "src/Main.kt:anonymous.run -call-> src/Lib.kt:Work.done (receiver)",
            "src/Main.kt:literal -call-> src/Lib.kt:String.shout (receiver)",
        ],
    );
}

#[test]
fn rust_tuples_associated_types_and_traits_in_scope() {
    let edges = edges(
        "//- Cargo.toml
[package]
name = \"a\"
//- src/lib.rs
pub struct Door;
impl Door { pub fn open(&self) {} pub fn inner(&self) {} }
pub struct Gate;
impl Gate { pub fn open(&self) {} }
pub struct Doors;
impl Iterator for Doors { type Item = Door; fn next(&mut self) -> Option<Door> { None } }
pub struct Opening;
impl std::future::IntoFuture for Opening { type Output = Gate; }
#[derive(Debug)]
pub struct Held(pub Gate, Door);
impl std::ops::Deref for Held { type Target = Door; }
impl Held { pub fn inner(&self) { self.0.open() } }
pub fn both() -> (Door, Gate) { todo!() }
pub fn gate() -> Gate { Gate }
macro_rules! handler {
    ($name:ident, GET) => { handler!(/* doc */ $name, GET); };
    ($(#[$m:meta])* $name:ident, $method:ident) => { pub fn $name() {} };
}
handler!(get, GET);
pub const PUT: u8 = 1;
handler!(put, PUT);
pub struct Router;
impl Router { handler!(post, POST); }
pub struct Mail;
impl Mail { pub fn post(&self) {} }
pub trait Shout { fn shout(&self); fn len(&self); }
impl<T> Shout for T { fn shout(&self) {} fn len(&self) {} }
//- src/main.rs
use a::{both, gate, get, Door, Doors, Gate, Held, Opening, Router, Shout};
fn unpacked() { let (a, mut b) = both(); b.open(); }
fn parts() { both().0.open() }
fn looped(all: Doors) { for one in all { one.open() } }
async fn awaited(it: Opening) { it.await.open() }
fn dereferenced(held: Held) { held.open() }
fn shadowed() { let gate = gate(); gate.open() }
fn derived(held: Option<Held>) { held.unwrap().inner() }
fn extended(all: Vec<u8>) { all.shout() }
fn named(it: Router) { get(); it.post() }
fn standard(all: Vec<u8>) { all.len() }
",
    );
    assert_has(
        &edges,
        &[
            "src/lib.rs:Held::inner -call-> src/lib.rs:Gate::open (receiver)",
            "src/main.rs:unpacked -call-> src/lib.rs:Gate::open (receiver)",
            "src/main.rs:parts -call-> src/lib.rs:Door::open (receiver)",
            "src/main.rs:looped -call-> src/lib.rs:Door::open (receiver)",
            "src/main.rs:awaited -call-> src/lib.rs:Gate::open (receiver)",
            "src/main.rs:dereferenced -call-> src/lib.rs:Door::open (receiver)",
            "src/main.rs:derived -call-> src/lib.rs:Held::inner (receiver)",
            "src/main.rs:shadowed -call-> src/lib.rs:Gate::open (receiver)",
            "src/main.rs:named -call-> src/lib.rs:get (import)",
            "src/lib.rs:put -reference-> src/lib.rs:PUT (scope)",
            "src/main.rs:named -call-> src/lib.rs:Router::post (receiver)",
            "src/main.rs:extended -call-> src/lib.rs:T::shout (unique)",
        ],
    );
    assert_lacks(
        &edges,
        &[
            "src/main.rs:standard -call-> src/lib.rs:T::len (unique)",
            "src/main.rs:standard -call-> src/lib.rs:T::len (receiver)",
        ],
    );
}

#[test]
fn scala_imports_of_all_members_of_objects_and_values() {
    let edges = edges(
        "//- parsing/Parser.scala
package parsing
class Step[A] {
  def action(f: A => A): Step[A] = this
}
abstract class Builder[C] {
  def step[A](name: String): Step[A] = new Step[A]
  def success: Int = 1
}
object Parser {
  def builder[C]: Builder[C] = new Builder[C] {}
}
object Texts {
  def decode(s: String): String = s
}
object Shapes {
  sealed trait Shape
  case class Block(n: Int) extends Shapes.Shape
}
//- values/Arr.scala
package values
case class Arr(items: List[Int])
//- other/Arr.scala
package other
case class Arr(items: List[Int])
//- app/Main.scala
package app
import parsing.Parser
import parsing.Shapes
import parsing.Texts._
class Main {
  def built(): Int = {
    val builder = Parser.builder[Int]
    import builder._
    step[Int](\"a\").action(x => x)
    success
  }
  def decoded(): String = decode(\"x\")
  def named(): values.Arr = values.Arr(Nil)
  def matched(s: Shapes.Shape): Int = s match {
    case Shapes.Block(n) => n
  }
}
",
    );
    assert_has(
        &edges,
        &[
            "app/Main.scala:Main.built -call-> parsing/Parser.scala:Builder.step (receiver)",
            "app/Main.scala:Main.built -call-> parsing/Parser.scala:Step.action (receiver)",
            "app/Main.scala:Main.built -reference-> parsing/Parser.scala:Builder.success (receiver)",
            "app/Main.scala -import-> parsing/Parser.scala:Texts (import)",
            "app/Main.scala:Main.decoded -call-> parsing/Parser.scala:Texts.decode (receiver)",
            "app/Main.scala:Main.named -instantiate-> values/Arr.scala:Arr (import)",
            "app/Main.scala:Main.matched -reference-> parsing/Parser.scala:Shapes (import)",
        ],
    );
    assert_lacks(&edges, &["other/Arr.scala", "builder.* (external)"]);
}

#[test]
fn scala_full_names_and_members_of_imported_values() {
    let edges = edges(
        "//- src/api/Api.scala
package api
object default { def read(a: String) = 1 }
object other { def read(a: String) = 2 }
class Builder { def head(a: String) = 1; def step(): Typed.Step = new Typed.Step }
class Foot { def head(a: String) = 1; class Step { def up() = 1 } }
class Typed[A] { def head2(a: A) = 1 }
object Typed { def make[A](): Typed[A] = new Typed[A]; class Step { def up() = 1 } }
class Other { def head2(a: String) = 1 }
object Builder { def make(): Builder = new Builder }
//- src/main/Main.scala
package main
import api.{Builder, Typed}
object Main {
  def full() = api.default.read(\"a\")
  def typed() = { val it = api.Typed.make[Int](); it.head2(1) }
  def nested(step: Typed.Step) = step.up()
  def imported() = { val it = api.Builder.make(); import it._; head(\"b\"); step().up() }
  def anonymous() = new Builder { step().up() }
  def elsewhere() = head(\"c\")
}
",
    );
    assert_has(
        &edges,
        &[
            "src/main/Main.scala:Main.full -call-> src/api/Api.scala:default.read (import)",
            "src/main/Main.scala:Main.typed -call-> src/api/Api.scala:Typed.head2 (receiver)",
            "src/main/Main.scala:Main.nested -call-> src/api/Api.scala:Typed.Step.up (receiver)",
            "src/main/Main.scala:Main.imported -call-> src/api/Api.scala:Typed.Step.up (receiver)",
            "src/main/Main.scala:Main.anonymous -call-> src/api/Api.scala:Typed.Step.up (receiver)",
            "src/main/Main.scala:Main.imported -call-> src/api/Api.scala:Builder.head (receiver)",
        ],
    );
    assert_lacks(&edges, &["Main.elsewhere -call-> src/api/Api.scala:Builder.head (receiver)"]);
}

#[test]
fn ruby_variables_have_the_names_of_their_types() {
    let edges = edges(
        "//- lib/page.rb
module App
  class Page
    def write; end
  end
  class SitePage
    def write; end
  end
end
//- lib/main.rb
def named(page) page.write end
def member; @site_page.write end
def other(leaf) leaf.write end
//- test/helper.rb
module Minitest
  module Assertions
    def assert_page(page); end
  end
end
module Other
  def assert_page(page); end
end
//- test/page_test.rb
class PageTest < Minitest::Test
  def test_it; assert_page(1); end
end
",
    );
    assert_has(
        &edges,
        &[
            "lib/main.rb:named -call-> lib/page.rb:App::Page::write (unique)",
            "test/page_test.rb:PageTest::test_it -call-> test/helper.rb:Minitest::Assertions::assert_page (receiver)",
            "lib/main.rb:member -call-> lib/page.rb:App::SitePage::write (unique)",
        ],
    );
    assert_lacks(&edges, &["lib/main.rb:other -call-> lib/page.rb:App::Page::write (unique)"]);
}

#[test]
fn a_test_narrows_where_it_holds() {
    let edges = edges(
        "//- src/Main.kt
class A { fun go() {} }
class B { fun go() {}; fun stop() {} }
class C { fun go() {}; fun stop() {} }
fun inside() { val x = next(); if (x is A) { x.go() } }
fun after() {
  val x = next()
  if (x is A) return
  x.go()
}
fun refused() {
  val x = next()
  if (x !is A) return
  x.go()
}
fun branches() {
  val x = next()
  when (x) {
    is A -> x.go()
    is B -> {
      x.stop()
      x.go()
    }
  }
}
//- main.py
class A:
    def go(self): ...
class B:
    def go(self): ...
def inside(x):
    if isinstance(x, A) and x.ready:
        x.go()
def after(x):
    if isinstance(x, A):
        return
    x.go()
def refused(x):
    if not isinstance(x, A):
        return
    x.go()
def asserted(x):
    assert isinstance(x, A)
    x.go()
//- Main.java
class A { void go() {} }
class B { void go() {} }
class Main {
  void inside(Object x) { if (x instanceof A) ((Runnable) x).run(); else return; }
  void after(Object x) {
    if (x instanceof A) { return; }
    x.go();
  }
  void refused(Object x) {
    if (!(x instanceof A)) return;
    x.go();
  }
}
",
    );
    assert_has(
        &edges,
        &[
            "src/Main.kt:inside -call-> src/Main.kt:A.go (receiver)",
            "src/Main.kt:refused -call-> src/Main.kt:A.go (receiver)",
            "src/Main.kt:branches -call-> src/Main.kt:A.go (receiver)",
            "src/Main.kt:branches -call-> src/Main.kt:B.go (receiver)",
            "src/Main.kt:branches -call-> src/Main.kt:B.stop (receiver)",
            "main.py:inside -call-> main.py:A.go (receiver)",
            "main.py:refused -call-> main.py:A.go (receiver)",
            "main.py:asserted -call-> main.py:A.go (receiver)",
            "Main.java:Main.refused -call-> Main.java:A.go (receiver)",
        ],
    );
    assert_lacks(&edges, &["after -call-> src/Main.kt:A.go (receiver)", "after -call-> main.py:A.go (receiver)"]);
    assert_lacks(&edges, &["after -call-> Main.java:A.go (receiver)"]);
}

#[test]
fn functions_outside_return_the_type_that_they_are_asked_for() {
    let edges = edges(
        "//- Main.cs
class Store { public void Open() {} public void Add() {} }
class Other { public void Open() {} public void Add() {} }
class Main {
  void Asked(IServiceProvider provider) {
    var store = provider.GetRequiredService<Store>();
    store.Open();
  }
  void Made(IServiceProvider provider) {
    var store = ActivatorUtilities.CreateInstance<Store>(provider);
    store.Open();
  }
  void Collected() {
    var stores = new List<Store>();
    stores.Add();
    foreach (var store in stores) { store.Open(); }
  }
}
//- src/main.ts
export class Store { open() {} }
export class Other { open() {} }
export function asked(container: Container) { container.get<Store>('a').open(); }
export class Kept {
  static files = new Store({
    save() { return 'a long text that explains nothing'; },
  });
}
export function kept() { Kept.files.open(); }
",
    );
    assert_has(
        &edges,
        &[
            "Main.cs:Main.Asked -call-> Main.cs:Store.Open (receiver)",
            "Main.cs:Main.Made -call-> Main.cs:Store.Open (receiver)",
            "Main.cs:Main.Collected -call-> Main.cs:Store.Open (receiver)",
            "src/main.ts:asked -call-> src/main.ts:Store.open (receiver)",
            "src/main.ts:kept -call-> src/main.ts:Store.open (receiver)",
        ],
    );
    assert_lacks(&edges, &["Collected -call-> Main.cs:Store.Add (receiver)"]);
}

#[test]
fn functions_that_are_assigned_to_members_may_run_there() {
    let edges = edges(
        "//- Player.cs
class Player {
  public event EventHandler Stopped;
  public Action Done;
  void Stop() { Stopped?.Invoke(this, null); }
  void End() { Done.Invoke(); }
}
class Watcher {
  Watcher(Player player) { player.Stopped += OnStopped; player.Done = this.OnDone; }
  void OnStopped(object sender, EventArgs e) {}
  void OnDone() {}
}
//- src/socket.ts
export interface Options { onOpen: () => void }
export class Socket { onClose: () => void; close() { this.onClose(); } }
export class User {
  constructor(socket: Socket, options: Options) {
    socket.onClose = this.closed.bind(this);
    options.onOpen = opened;
  }
  closed() {}
}
function opened() {}
",
    );
    assert_has(
        &edges,
        &[
            "Player.cs:Watcher.OnStopped -override-> Player.cs:Player.Stopped (receiver)",
            "Player.cs:Watcher.OnDone -override-> Player.cs:Player.Done (receiver)",
            "Player.cs:Player.Stop -call-> Player.cs:Player.Stopped (scope)",
            "Player.cs:Player.End -call-> Player.cs:Player.Done (scope)",
            "src/socket.ts:User.closed -override-> src/socket.ts:Socket.onClose (receiver)",
            "src/socket.ts:opened -override-> src/socket.ts:Options.onOpen (receiver)",
        ],
    );
}

//! Parameters of functions that are passed to a call. Every method called on them is in two types, so that its name alone
//! says nothing.

use super::{assert_has, assert_lacks, edges};

#[test]
fn typescript_callbacks_and_call_signatures() {
    let edges = edges(
        "//- app.ts
export class Context { json() { return 1 } }
export class Other { json() { return 2 } }
export type Next = () => void
export type Handler<E> = (c: Context, next: Next) => Response
export interface Register<E> {
  <P extends string>(path: P, handler: Handler<E>): App
  (handler: Handler<E>): App
}
export class App {
  get!: Register<string>
  use(path: string, handler: (c: Context) => void): this { return this }
  pick(choose: ({ other }: Bag) => void) {}
}
export interface Bag { other: Other }
//- main.ts
import { App } from './app'
const app = new App()
export function run() {
  app.get('/a', (c) => c.json())
}
export function use() {
  app.use('/a', async c => { c.json() })
}
export function pick() {
  app.pick(({ other }) => { other.json() })
}
export function unknown() {
  elsewhere.on((c) => c.json())
}
",
    );
    assert_has(
        &edges,
        &[
            "main.ts:run -call-> app.ts:Context.json (receiver)",
            "main.ts:use -call-> app.ts:Context.json (receiver)",
            "main.ts:pick -call-> app.ts:Other.json (receiver)",
        ],
    );
    assert_lacks(&edges, &["main.ts:unknown -call-> app.ts:Context.json (receiver)"]);
}

#[test]
fn rust_closures_by_bounds() {
    let edges = edges(
        "//- Cargo.toml
[package]
name = \"a\"
//- src/lib.rs
pub struct Door;
impl Door { pub fn open(&self) {} }
pub struct Lid;
impl Lid { pub fn open(&self) {} }
pub struct House;
impl House {
    pub fn each(&self, f: impl Fn(&Door)) {}
    pub fn all<F>(&self, first: u8, f: F) where F: FnMut(u8, &mut Lid) -> bool {}
    pub fn one<F: FnOnce(Door)>(self, f: F) {}
    pub fn boxed(&self, f: Box<dyn Fn(Lid)>) {}
}
pub fn each(house: House) { house.each(|x| x.open()); }
pub fn all(house: House) { house.all(1, |n, x| x.open()); }
pub fn one(house: House) { house.one(|x| x.open()); }
",
    );
    assert_has(
        &edges,
        &[
            "src/lib.rs:each -call-> src/lib.rs:Door::open (receiver)",
            "src/lib.rs:all -call-> src/lib.rs:Lid::open (receiver)",
            "src/lib.rs:one -call-> src/lib.rs:Door::open (receiver)",
        ],
    );
}

#[test]
fn csharp_and_java_functions() {
    let edges = edges(
        "//- A.cs
namespace A;
public class Door { public void Open() {} public string Name { get; } }
public class Lid { public void Open() {} public string Name { get; } }
public class House {
  public void Each(Action<Door> action) {}
  public void Pick(int n, Func<string, Lid, bool> choose) {}
  public void With(Visitor visit) {}
}
public delegate void Visitor(Lid lid);
public class Use {
  public void Each(House house) { house.Each(x => x.Open()); }
  public void Pick(House house) { house.Pick(1, (n, x) => { x.Open(); return true; }); }
  public void All(System.Collections.Generic.List<Door> doors) { doors.Where(d => d.Open()); }
}
//- b/B.java
package b;
import java.util.function.Consumer;
public class B {
  void each(Consumer<Door> action) {}
  void visit(int n, Visitor visitor) {}
  void useEach() { each(x -> x.open()); }
  void useVisit() { visit(1, (n, x) -> x.open()); }
}
class Door { void open() {} }
class Lid { void open() {} }
interface Visitor { void go(int n, Lid lid); }
",
    );
    assert_has(
        &edges,
        &[
            "A.cs:A.Use.Each -call-> A.cs:A.Door.Open (receiver)",
            "A.cs:A.Use.Pick -call-> A.cs:A.Lid.Open (receiver)",
            "A.cs:A.Use.All -call-> A.cs:A.Door.Open (receiver)",
            "b/B.java:B.useEach -call-> b/B.java:Door.open (receiver)",
            "b/B.java:B.useVisit -call-> b/B.java:Lid.open (receiver)",
        ],
    );
}

#[test]
fn kotlin_swift_and_scala_functions() {
    let edges = edges(
        "//- a/A.kt
package a
class Door {
    fun go() {}
}
class Lid {
    fun go() {}
}
class House {
  fun each(n: Int = 1, action: (Door) -> Unit) {}
  fun pick(action: (Int, Lid) -> Boolean) {}
}
fun each(house: House) {
    house.each { x -> x.go() }
}
fun one(house: House) {
    house.each(2) { it.go() }
}
fun pick(house: House) {
    house.pick({ n, x -> x.go() })
}
fun all(doors: List<Lid>) {
    doors.forEach { it.go() }
}
fun let(door: Door?) {
    door?.let { it.go() }
}
//- Sources/B/B.swift
class Door { func go() {} }
class Lid { func go() {} }
class House {
  func each(_ n: Int, action: (Door) -> Void) {}
  func pick(with action: @escaping (Int, Lid) -> Bool) {}
}
func each(house: House) { house.each(1) { x in x.go() } }
func one(house: House) { house.each(2) { $0.go() } }
func pick(house: House) { house.pick(with: { n, x in x.go() }) }
func all(lids: [Lid]) { lids.forEach { $0.go() } }
//- c/C.scala
package c
class Door { def go(): Unit = () }
class Lid { def go(): Unit = () }
class House {
  def each(action: Door => Unit): Unit = ()
  def pick(n: Int)(action: (Int, Lid) => Boolean): Unit = ()
}
object Use {
  def each(house: House) = { house.each(x => x.go()) }
  def all(lids: List[Lid]) = { lids.foreach(x => x.go()) }
}
",
    );
    assert_has(
        &edges,
        &[
            "a/A.kt:each -call-> a/A.kt:Door.go (receiver)",
            "a/A.kt:one -call-> a/A.kt:Door.go (receiver)",
            "a/A.kt:pick -call-> a/A.kt:Lid.go (receiver)",
            "a/A.kt:all -call-> a/A.kt:Lid.go (receiver)",
            "a/A.kt:let -call-> a/A.kt:Door.go (receiver)",
            "Sources/B/B.swift:each -call-> Sources/B/B.swift:Door.go (receiver)",
            "Sources/B/B.swift:one -call-> Sources/B/B.swift:Door.go (receiver)",
            "Sources/B/B.swift:pick -call-> Sources/B/B.swift:Lid.go (receiver)",
            "Sources/B/B.swift:all -call-> Sources/B/B.swift:Lid.go (receiver)",
            "c/C.scala:Use.each -call-> c/C.scala:Door.go (receiver)",
            "c/C.scala:Use.all -call-> c/C.scala:Lid.go (receiver)",
        ],
    );
}

#[test]
fn kotlin_receivers_and_type_arguments() {
    let edges = edges(
        "//- a/A.kt
package a
class Module {
    fun single(n: Int) {}
}
class Other {
    fun single(n: Int) {}
    fun go() {}
}
class Door {
    fun go() {}
}
fun module(build: Module.() -> Unit) {}
class Scope {
    fun <T> get(): T = made()
}
fun use() {
    module { single(1) }
}
fun configure(other: Other) {
    other.apply { single(2) }
}
fun argument(scope: Scope) {
    scope.get<Door>().go()
    val other = scope.get<Other>()
    other.go()
}
fun none() {
    single(3)
}
",
    );
    assert_has(
        &edges,
        &[
            "a/A.kt:use -call-> a/A.kt:Module.single (receiver)",
            "a/A.kt:configure -call-> a/A.kt:Other.single (receiver)",
            "a/A.kt:argument -call-> a/A.kt:Door.go (receiver)",
            "a/A.kt:argument -call-> a/A.kt:Other.go (receiver)",
        ],
    );
    assert_lacks(&edges, &["a/A.kt:none -call-> a/A.kt:Module.single (receiver)"]);
}

#[test]
fn what_constructors_pass_and_this_among_parameters() {
    let edges = edges(
        "//- src/lib.ts
export class Sub<T> { next(v: T) {} }
export class Other<T> { next(v: T) {} }
export class Ob<T> {
  constructor(subscribe?: (this: Ob<T>, subscriber: Sub<T>) => void) {}
  each(f: (this: Ob<T>, s: Sub<T>) => void) {}
}
export class Child<T> extends Ob<T> {}
//- src/main.ts
import { Ob, Child } from './lib';
export function made() { return new Ob<number>((subscriber) => { subscriber.next(1); }); }
export function inherited() { return new Child((s) => s.next(1)); }
export function called(o: Ob<number>) { o.each((s) => s.next(2)); }
//- src/app/Pool.java
package app;
class Job { void stop() {} }
class Task { void stop() {} }
interface Step { void run(Job job); }
class Pool { Pool(String name, Step step) {} }
//- src/app/Main.java
package app;
class Main {
  Pool make() { return new Pool(\"a\", job -> job.stop()); }
}
",
    );
    assert_has(
        &edges,
        &[
            "src/main.ts:made -call-> src/lib.ts:Sub.next (receiver)",
            "src/main.ts:inherited -call-> src/lib.ts:Sub.next (receiver)",
            "src/main.ts:called -call-> src/lib.ts:Sub.next (receiver)",
            "src/app/Main.java:Main.make -call-> src/app/Pool.java:Job.stop (receiver)",
        ],
    );
}

#[test]
fn functions_of_a_function_that_is_called_at_once_are_in_scope() {
    let edges = edges(
        "//- src/selection.ts
export const isSelected = (function () {
  const check = (element: string) => element.length > 0;
  function report(element: string) { return check(element); }
  check.cache = () => report('a');
  return check;
})();
export const table = {
  make() { return 1; },
  build: function () { return make(); },
};
export function outside() { return check('b'); }
",
    );
    assert_has(
        &edges,
        &[
            "src/selection.ts:isSelected.report -call-> src/selection.ts:isSelected.check (scope)",
            "src/selection.ts:isSelected -reference-> src/selection.ts:isSelected.check (scope)",
        ],
    );
    assert_lacks(
        &edges,
        &["build -call-> src/selection.ts:table.make", "outside -call-> src/selection.ts:isSelected.check (scope)"],
    );
}

//! Pairs of maps, parts of what a pattern takes apart, functions that return their argument, classes as arguments, types
//! without a name. Every member is in two types, so that no name alone tells.

use super::{assert_has, assert_lacks, edges};

#[test]
fn the_value_of_a_pair_has_its_type() {
    let edges = edges(
        "//- a.java
import java.util.Objects;
class Dog { void bark() {} }
class Cat { void bark() {} }
class Use {
  java.util.Map<String, Dog> dogs;
  void loop() { for (var e : dogs.entrySet()) { e.getValue().bark(); } }
  void each() { dogs.forEach((k, v) -> v.bark()); }
  void computed() { dogs.computeIfPresent(\"a\", (k, v) -> { v.bark(); return v; }); }
  void checked() { Objects.requireNonNull(dogs.get(\"a\")).bark(); }
  void found() { dogs.values().stream().filter(d -> true).findFirst().get().bark(); }
}
//- a.kt
class Dog { fun bark() {} }
class Cat { fun bark() {} }
data class Two(val dog: Dog, val cat: Cat)
fun loop(dogs: Map<String, Dog>) { for ((k, v) in dogs) { v.bark() } }
fun single(dogs: Map<String, Dog>) { dogs.forEach { it.value.bark() } }
fun parts(dogs: Map<String, Dog>) { dogs.forEach { (k, v) -> v.bark() } }
fun numbered(list: List<Dog>) { list.withIndex().forEach { (i, d) -> d.bark() } }
fun grouped(list: List<Dog>) { list.groupBy { it.toString() }.values.first().first().bark() }
fun apart(two: Two) { val (dog, cat) = two; cat.bark() }
//- a.rs
pub struct Dog; pub struct Cat;
impl Dog { pub fn bark(&self) {} }
impl Cat { pub fn bark(&self) {} }
pub enum Pet { D(Dog), C(Cat) }
pub fn looped(dogs: std::collections::HashMap<String, Dog>) { for (_, v) in &dogs { v.bark(); } }
pub fn tuples(pairs: Vec<(Dog, Cat)>) { for (d, c) in pairs.iter() { c.bark(); } }
pub fn closure(pairs: Vec<(Dog, Cat)>) { pairs.iter().for_each(|(d, c)| d.bark()); }
pub fn folded(list: Vec<Dog>) { list.iter().fold(0, |acc, d| { d.bark(); acc }); }
pub fn variant(pet: Pet) { match pet { Pet::C(c) => c.bark(), Pet::D(_) => {} } }
pub fn items() -> impl Iterator<Item = Dog> { std::iter::empty() }
pub fn made() { for d in items() { d.bark(); } }
//- a.py
class Dog:
    def bark(self): pass
class Cat:
    def bark(self): pass
def pairs(pairs: list[tuple[Dog, Cat]]):
    for a, b in pairs:
        b.bark()
def ordered(xs: list[Dog]):
    sorted(xs)[0].bark()
//- a.cs
class Dog { public void Bark() {} }
class Cat { public void Bark() {} }
class Use {
  System.Collections.Generic.Dictionary<string, Dog> dogs;
  void Loop() { foreach (var kv in dogs) { kv.Value.Bark(); } }
  void Found() { if (dogs.TryGetValue(\"a\", out var x)) x.Bark(); }
}
",
    );
    assert_has(
        &edges,
        &[
            "a.java:Use.loop -call-> a.java:Dog.bark (receiver)",
            "a.java:Use.each -call-> a.java:Dog.bark (receiver)",
            "a.java:Use.computed -call-> a.java:Dog.bark (receiver)",
            "a.java:Use.checked -call-> a.java:Dog.bark (receiver)",
            "a.java:Use.found -call-> a.java:Dog.bark (receiver)",
            "a.kt:loop -call-> a.kt:Dog.bark (receiver)",
            "a.kt:single -call-> a.kt:Dog.bark (receiver)",
            "a.kt:parts -call-> a.kt:Dog.bark (receiver)",
            "a.kt:numbered -call-> a.kt:Dog.bark (receiver)",
            "a.kt:grouped -call-> a.kt:Dog.bark (receiver)",
            "a.kt:apart -call-> a.kt:Cat.bark (receiver)",
            "a.rs:looped -call-> a.rs:Dog::bark (receiver)",
            "a.rs:tuples -call-> a.rs:Cat::bark (receiver)",
            "a.rs:closure -call-> a.rs:Dog::bark (receiver)",
            "a.rs:folded -call-> a.rs:Dog::bark (receiver)",
            "a.rs:variant -call-> a.rs:Cat::bark (receiver)",
            "a.rs:made -call-> a.rs:Dog::bark (receiver)",
            "a.py:pairs -call-> a.py:Cat.bark (receiver)",
            "a.py:ordered -call-> a.py:Dog.bark (receiver)",
            "a.cs:Use.Loop -call-> a.cs:Dog.Bark (receiver)",
            "a.cs:Use.Found -call-> a.cs:Dog.Bark (receiver)",
        ],
    );
    assert_lacks(&edges, &["(ambiguous)"]);
}

#[test]
fn classes_as_arguments_and_types_without_a_name() {
    let edges = edges(
        "//- a.ts
export class Dog { bark() {} }
export class Cat { bark() {} }
type Ctor<T> = new () => T;
export class Repo<E> { one(): E { return null as any; } }
export class Source { repo<Entity>(target: Ctor<Entity>): Repo<Entity> { return null as any; } }
export function relation<T>(type: () => Ctor<T>, inverse?: (o: T) => any) {}
export function same<T>(x: T): T { return x; }
export function made(source: Source) { source.repo(Dog).one().bark(); }
export function related() { relation(() => Cat, (c) => c.bark()); }
export function options(o: { dog: Dog; cat?: Cat }) { o.cat?.bark(); }
export function run(o: { onDog: (d: Dog) => void }) {}
export function called() { run({ onDog: (d) => d.bark() }); }
const fns = { cat() { return new Cat(); } };
export function written() { fns.cat().bark(); }
export function identity() { same(Dog).bark(); }
//- b.mjs
export const speak = (d) => d;
export const api = { speak() {} };
//- c.mjs
import { api } from './b.mjs';
export function use() { api.speak(); }
",
    );
    assert_has(
        &edges,
        &[
            "a.ts:made -call-> a.ts:Dog.bark (receiver)",
            "a.ts:related -call-> a.ts:Cat.bark (receiver)",
            "a.ts:options -call-> a.ts:Cat.bark (receiver)",
            "a.ts:called.onDog -call-> a.ts:Dog.bark (receiver)",
            "a.ts:written -call-> a.ts:Cat.bark (receiver)",
            "c.mjs:use -call-> b.mjs:api.speak (receiver)",
        ],
    );
    // What takes any value and returns it gives the class itself.
    assert_lacks(&edges, &["a.ts:identity -call-> a.ts:Dog.bark (receiver)", "c.mjs:use -call-> b.mjs:speak"]);
}

#[test]
fn constants_of_included_modules_and_of_format_strings() {
    let edges = edges(
        "//- const.rb
module Puma
  module Const
    LIMIT = 1
  end
end
//- use.rb
module Puma
  module Response
    include Puma::Const
    def go
      x = LIMIT
    end
  end
end
//- f.rs
const PREFIX: &str = \"a\";
fn go() -> String { format!(\"{PREFIX}b {{PREFIX}} {}\", 1) }
",
    );
    assert_has(
        &edges,
        &[
            "use.rb:Puma::Response::go -reference-> const.rb:Puma::Const::LIMIT (receiver)",
            "f.rs:go -reference-> f.rs:PREFIX (scope)",
        ],
    );
    assert_eq!(edges.matches("f.rs:go -reference-> f.rs:PREFIX").count(), 1);
}

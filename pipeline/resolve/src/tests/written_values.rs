//! Values that are written in an expression: results of functions that a call gets, elements of literals, conditional
//! values, bounds of type parameters. Every member is in two types, so that no name alone tells.

use super::{assert_has, assert_lacks, edges};

#[test]
fn the_result_of_a_passed_function_is_that_of_its_expression() {
    let edges = edges(
        "//- a.kt
class Dog { fun friend(): Cat = Cat(); fun speak() {}; fun pups(): List<Cat> = listOf() }
class Cat { fun speak() {} }
fun mapped(list: List<Dog>) { list.map { it.friend() }.forEach { it.speak() } }
fun flat(list: List<Dog>) { list.flatMap { it.pups() }.forEach { it.speak() } }
fun unknown(list: List<Dog>) { list.forEach { it.speak() }; other().forEach { it.speak() } }
//- a.ts
export class Dog { friend(): Cat { return new Cat(); } speak() {} }
export class Cat { speak() {} }
export function mapped(list: Dog[]) { list.map((d) => d.friend()).forEach((c) => c.speak()); }
export function awaited(p: Promise<Dog>) { p.then((d) => d.speak()); }
//- a.rs
pub struct Dog; pub struct Cat;
impl Dog { pub fn friend(&self) -> Cat { Cat } pub fn speak(&self) {} }
impl Cat { pub fn speak(&self) {} }
pub fn mapped(list: Vec<Dog>) { list.iter().map(|d| d.friend()).for_each(|c| { c.speak(); }); }
//- a.scala
class Dog { def friend(): Cat = new Cat; def speak(): Int = 1 }
class Cat { def speak(): Int = 2 }
object Use { def mapped(list: List[Dog]) = list.map(_.friend()).foreach(_.speak()) }
",
    );
    assert_has(
        &edges,
        &[
            "a.kt:mapped -call-> a.kt:Dog.friend (receiver)",
            "a.kt:mapped -call-> a.kt:Cat.speak (receiver)",
            "a.kt:flat -call-> a.kt:Cat.speak (receiver)",
            "a.kt:unknown -call-> a.kt:Dog.speak (receiver)",
            "a.ts:mapped -call-> a.ts:Cat.speak (receiver)",
            "a.ts:awaited -call-> a.ts:Dog.speak (receiver)",
            "a.rs:mapped -call-> a.rs:Cat::speak (receiver)",
            "a.scala:Use.mapped -call-> a.scala:Dog.friend (receiver)",
            "a.scala:Use.mapped -call-> a.scala:Cat.speak (receiver)",
        ],
    );
    assert_lacks(&edges, &["a.kt:mapped -call-> a.kt:Dog.speak", "a.ts:mapped -call-> a.ts:Dog.speak"]);
    // What a call passes that is not known is not what another one passes under the same name.
    assert_eq!(edges.matches("a.kt:unknown -call-> a.kt:Dog.speak (receiver)").count(), 1);
}

#[test]
fn literals_conditional_values_and_names_that_are_keywords_elsewhere() {
    let edges = edges(
        "//- a.py
class Dog:
    def speak(self): pass
class Cat:
    def speak(self): pass
def loop():
    for dog in [Dog(), Dog()]:
        dog.speak()
def made(names):
    cats = [Cat() for name in names]
    cats[0].speak()
def either():
    for one in [Dog(), Cat()]:
        one.speak()
//- a.ts
export class Dog { speak() {} }
export class Cat { speak() {} }
export function chosen(flag: boolean) { const pet = flag ? new Dog() : null; pet.speak(); }
//- a.c
struct dog { int legs; };
struct cat { int legs; };
int walk(struct dog *loop) { return loop->legs; }
//- a.go
package a
type Dog struct{ Legs int }
type Cat struct{ Legs int }
func Walk(fn Cat) int { return fn.Legs }
",
    );
    assert_has(
        &edges,
        &[
            "a.py:loop -call-> a.py:Dog.speak (receiver)",
            "a.py:made -call-> a.py:Cat.speak (receiver)",
            "a.ts:chosen -call-> a.ts:Dog.speak (receiver)",
            "a.c:walk -reference-> a.c:dog::legs (receiver)",
            "a.go:Walk -reference-> a.go:Cat.Legs (receiver)",
        ],
    );
    assert_lacks(&edges, &["a.py:either -call-> a.py:Dog.speak (receiver)"]);
}

#[test]
fn type_parameters_have_the_members_of_their_bounds() {
    let edges = edges(
        "//- A.java
class Dog { void speak() {} }
class Cat { void speak() {} }
class Use { <T extends Dog> void bound(T t) { t.speak(); } }
//- a.ts
export class Dog { speak() {} }
export class Cat { speak() {} }
export function bound<T extends Dog>(t: T) { t.speak(); }
//- a.cs
class Dog { public void Speak() {} }
class Cat { public void Speak() {} }
class Use { void Bound<T>(T t) where T : Dog { t.Speak(); } }
//- a.kt
open class Dog { fun speak() {} }
class Cat { fun speak() {} }
fun <T : Dog> bound(t: T) { t.speak() }
",
    );
    assert_has(
        &edges,
        &[
            "A.java:Use.bound -call-> A.java:Dog.speak (receiver)",
            "a.ts:bound -call-> a.ts:Dog.speak (receiver)",
            "a.cs:Use.Bound -call-> a.cs:Dog.Speak (receiver)",
            "a.kt:bound -call-> a.kt:Dog.speak (receiver)",
        ],
    );
}

#[test]
fn static_imports_extensions_and_embedded_fields() {
    let edges = edges(
        "//- x/A.java
package x;
import static x.Texts.that;
import static x.Maps.that;
class A {
  void a(java.util.Map<String, String> m) { that(m).one(); }
  void b(Object unknown) { that(unknown.hashCode()); }
}
//- x/Texts.java
package x;
class Texts { static Texts that(String s) { return null; } void two() {} }
//- x/Maps.java
package x;
class Maps { static Maps that(java.util.Map<?, ?> m) { return null; } void one() {} }
//- a.cs
using static N.Limits;
namespace N {
  public static class Limits { public const int PerDay = 3; }
  public class Dog {}
  public static class DogHelp { public static int Legs(this Dog dog) => 4; }
  public class Use { int Limit() => PerDay; int Count(Dog dog) => dog.Legs(); }
}
//- go.mod
module example.com/m
//- version/version.go
package version
type Base struct{ N int }
type Outer struct{ *Base }
func Make() Outer { return version() }
func version() Outer { return Outer{} }
//- app/app.go
package app
import \"example.com/m/version\"
func Use() int { return version.Make().Base.N }
",
    );
    assert_has(
        &edges,
        &[
            "x/A.java:A.a -call-> x/Maps.java:Maps.that (import)",
            "x/A.java:A.a -call-> x/Maps.java:Maps.one (receiver)",
            "a.cs:N.Use.Limit -reference-> a.cs:N.Limits.PerDay (receiver)",
            "a.cs:N.Use.Count -call-> a.cs:N.DogHelp.Legs (receiver)",
            "app/app.go:Use -call-> version/version.go:Make (import)",
            "app/app.go:Use -reference-> version/version.go:Outer.Base (receiver)",
            "app/app.go:Use -reference-> version/version.go:Base.N (receiver)",
        ],
    );
    assert_lacks(
        &edges,
        &[
            "x/A.java:A.b -call-> x/Texts.java:Texts.that (import)",
            "x/A.java:A.b -call-> x/Maps.java:Maps.that (import)",
        ],
    );
}

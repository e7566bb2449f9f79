//! Variables of one name in different blocks, lambdas and declarations of one function. Every method is in two types, so that
//! its name alone says nothing.

use super::{assert_has, assert_lacks, edges};

#[test]
fn rust_declares_a_name_again() {
    let edges = edges(
        "//- src/lib.rs
pub struct Dog;
pub struct Cat;
impl Dog {
    pub fn speak(&self) {}
    pub fn friend(&self) -> Cat { Cat }
}
impl Cat {
    pub fn speak(&self) {}
    pub fn friend(&self) -> Dog { Dog }
}
pub fn loops(ds: Vec<Dog>, cs: Vec<Cat>) {
    for x in ds { x.speak(); }
    for x in cs { x.friend(); }
}
pub fn shadows(d: Dog) {
    let d = d.friend();
    d.speak();
}
pub fn others() -> Vec<Cat> { Vec::new() }
pub fn lends(d: Dog) {
    for d in others() { d.friend(); }
    d.speak();
}
",
    );
    assert_has(
        &edges,
        &[
            "src/lib.rs:loops -call-> src/lib.rs:Dog::speak (receiver)",
            "src/lib.rs:loops -call-> src/lib.rs:Cat::friend (receiver)",
            "src/lib.rs:shadows -call-> src/lib.rs:Dog::friend (receiver)",
            "src/lib.rs:shadows -call-> src/lib.rs:Cat::speak (receiver)",
            "src/lib.rs:lends -call-> src/lib.rs:Dog::speak (receiver)",
            "src/lib.rs:lends -call-> src/lib.rs:Cat::friend (receiver)",
        ],
    );
    assert_lacks(
        &edges,
        &[
            "src/lib.rs:loops -call-> src/lib.rs:Cat::speak (receiver)",
            "src/lib.rs:loops -call-> src/lib.rs:Dog::friend",
            "src/lib.rs:shadows -call-> src/lib.rs:Dog::speak",
            "src/lib.rs:shadows -call-> src/lib.rs:Cat::friend",
            "src/lib.rs:lends -call-> src/lib.rs:Cat::speak",
            "src/lib.rs:lends -call-> src/lib.rs:Dog::friend",
        ],
    );
}

#[test]
fn python_assigns_one_variable_of_the_function() {
    let edges = edges(
        "//- a.py
class Dog:
    def speak(self): pass
    def tag(self): pass
class Cat:
    def speak(self): pass
    def tag(self): pass
def again():
    x = Dog()
    x.speak()
    x = Cat()
    x.tag()
def either(flag):
    if flag:
        x = Dog()
    else:
        x = Cat()
    x.speak()
",
    );
    assert_has(
        &edges,
        &[
            "a.py:again -call-> a.py:Dog.speak (receiver)",
            "a.py:again -call-> a.py:Cat.tag (receiver)",
            "a.py:either -call-> a.py:Dog.speak (ambiguous)",
            "a.py:either -call-> a.py:Cat.speak (ambiguous)",
        ],
    );
    assert_lacks(&edges, &["a.py:again -call-> a.py:Cat.speak", "a.py:again -call-> a.py:Dog.tag"]);
}

#[test]
fn lambdas_and_loops_have_variables_of_their_own() {
    let edges = edges(
        "//- A.java
class Dog { void speak() {} void run() {} }
class Cat { void speak() {} void run() {} }
class A {
  void loops(java.util.List<Dog> ds, java.util.List<Cat> cs) {
    for (Dog x : ds) x.speak();
    for (Cat x : cs) { x.run(); }
  }
}
//- a.ts
export class Dog { speak() {} run() {} }
export class Cat { speak() {} run() {} }
export function lambdas(ds: Dog[], cs: Cat[]) {
  ds.forEach((x) => x.speak())
  cs.forEach((x) => x.run())
  elsewhere((x) => x.speak())
}
",
    );
    assert_has(
        &edges,
        &[
            "A.java:A.loops -call-> A.java:Dog.speak (receiver)",
            "A.java:A.loops -call-> A.java:Cat.run (receiver)",
            "a.ts:lambdas -call-> a.ts:Dog.speak (receiver)",
            "a.ts:lambdas -call-> a.ts:Cat.run (receiver)",
        ],
    );
    assert_lacks(
        &edges,
        &[
            "A.java:A.loops -call-> A.java:Cat.speak",
            "A.java:A.loops -call-> A.java:Dog.run",
            "a.ts:lambdas -call-> a.ts:Cat.speak (receiver)",
            "a.ts:lambdas -call-> a.ts:Dog.run",
        ],
    );
}

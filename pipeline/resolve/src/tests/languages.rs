//! What single languages need: imports from elsewhere, names in blocks, modules and types of one name.

use super::{assert_has, assert_lacks, edges};

#[test]
fn what_an_import_takes_from_elsewhere_is_not_here() {
    let edges = edges(
        "//- a/cases/Test.kt
package cases
class Test
object Names { class Inner }
//- b/test/SomeTest.kt
package b
import org.junit.jupiter.api.Test
import generated.Names.Inner
class SomeTest {
    @Test fun works(inner: Inner) { Test() }
}
",
    );
    assert_lacks(&edges, &["a/cases/Test.kt:Test ("]);
    // The import may name the type around it by another package.
    assert_has(&edges, &["b/test/SomeTest.kt:SomeTest.works -type-> a/cases/Test.kt:Names.Inner (ambiguous)"]);
}

#[test]
fn kotlin_has_constructors_on_the_next_line_and_functions_that_return_their_object() {
    let edges = edges(
        "//- src/a/Box.kt
package a
class Box
private constructor(val size: Int) {
    class Builder
    internal constructor(val name: String) {
        fun build(): Box = Box(1)
        fun twice() = apply { build() }
    }
    companion object { fun builder(): Builder = Builder(\"a\") }
}
fun make() { Box.builder().twice().build() }
",
    );
    assert_has(
        &edges,
        &[
            "src/a/Box.kt:make -call-> src/a/Box.kt:Box.Builder.twice (receiver)",
            "src/a/Box.kt:make -call-> src/a/Box.kt:Box.Builder.build (receiver)",
        ],
    );
}

#[test]
fn a_module_of_haskell_is_no_type() {
    let edges = edges(
        "//- src/A/FromJSON.hs
module A.FromJSON (FromJSON) where
import A.Class (FromJSON)
//- src/A/Class.hs
module A.Class where
class FromJSON a where
  parse :: a
//- src/Main.hs
module Main where
import A.FromJSON (FromJSON)
use :: FromJSON a => a -> Int
use _ = 1
",
    );
    assert_lacks(&edges, &["-type-> src/A/FromJSON.hs:A.FromJSON ("]);
    assert_has(&edges, &["src/Main.hs:use -type-> src/A/Class.hs:FromJSON (import)"]);
}

#[test]
fn a_module_of_elixir_needs_its_path_and_structs_have_keys() {
    let edges = edges(
        "//- lib/process.ex
defmodule App.Process do
  defstruct [:pid, :label]
  @type label :: atom
  @monitor 1
end
//- lib/use.ex
defmodule App.Use do
  alias App.Process, as: P
  def run(pid, other) do
    Process.monitor(pid)
    other.label
    %P{label: pid}
  end
end
",
    );
    assert_lacks(
        &edges,
        &[
            "lib/use.ex:App.Use.run/2 -reference-> lib/process.ex:App.Process (unique)",
            "lib/process.ex:App.Process.monitor (",
            "-reference-> lib/process.ex:App.Process.label (unique)",
        ],
    );
    assert_has(&edges, &["lib/use.ex:App.Use.run/2 -reference-> lib/process.ex:App.Process.label (import)"]);
}

#[test]
fn a_block_of_ruby_calls_what_only_one_module_defines() {
    let edges = edges(
        "//- lib/dsl.rb
module Dsl
  def requires_field(name); end
  def rewind; end
end
class Machine
  def start; end
end
//- lib/use.rb
class Use
  Api.build do
    requires_field :a
    rewind
  end
end
//- spec/use_spec.rb
describe Use do
  let(:worker) { Machine.new }
  it \"runs\" do
    worker.start
  end
end
",
    );
    assert_has(
        &edges,
        &[
            "lib/use.rb:Use -call-> lib/dsl.rb:Dsl::requires_field (unique)",
            "spec/use_spec.rb:Use::runs -reference-> spec/use_spec.rb:Use::worker (scope)",
        ],
    );
    assert_lacks(&edges, &["lib/use.rb:Use -call-> lib/dsl.rb:Dsl::rewind (unique)"]);
}

#[test]
fn scala_has_fields_of_parameters_self_types_and_companions_of_traits() {
    let edges = edges(
        "//- a.scala
package a
class Proxy { def open(): Int = 1 }
class Controller(proxy: Proxy) { def run(): Int = proxy.open() }
trait Balancer { def size: Int = 1 }
trait Band { self: Balancer => def load: Int = size }
trait Stack
object Stack { val empty = 1 }
//- b.scala
package b
import a.Stack
object Use { def all: Int = Stack.empty }
class Own extends Stack
",
    );
    assert_has(
        &edges,
        &[
            "a.scala:Controller.run -reference-> a.scala:Controller.proxy (scope)",
            "a.scala:Controller.run -call-> a.scala:Proxy.open (receiver)",
            "a.scala:Band.load -reference-> a.scala:Balancer.size (receiver)",
        ],
    );
}

#[test]
fn a_ruby_class_gets_the_class_methods_of_what_it_includes() {
    let edges = edges(
        "//- lib/job.rb
module Work
  module Job
    def self.included(base)
      base.extend(ClassMethods)
    end

    module ClassMethods
      def perform_later(item)
      end

      def name
      end
    end

    def name
    end
  end

  class Setter
    def perform_later(item)
    end
  end
end
//- lib/other.rb
module Work
  module Other
    module ClassMethods
      def label
      end
    end
  end

  module Base
    def label
    end
  end
end
//- lib/use.rb
require_relative 'job'

class Mail
  include Work::Job
  include Work::Base
end

def of_base
  Mail.label
end

def run
  Mail.perform_later(1)
end

def of_class
  Mail.name
end

def of_object
  mail = Mail.new
  mail.name
end
",
    );
    assert_has(
        &edges,
        &[
            "lib/use.rb:run -call-> lib/job.rb:Work::Job::ClassMethods::perform_later (import)",
            "lib/use.rb:of_base -call-> lib/other.rb:Work::Base::label (import)",
            "lib/use.rb:of_class -call-> lib/job.rb:Work::Job::ClassMethods::name (import)",
            "lib/use.rb:of_object -call-> lib/job.rb:Work::Job::name (receiver)",
        ],
    );
    assert_lacks(&edges, &["lib/use.rb:run -call-> lib/job.rb:Work::Setter"]);
}

#[test]
fn a_ruby_module_has_what_it_extends_wherever_it_is_opened() {
    let edges = edges(
        "//- lib/shop.rb
module Shop
  def self.close
  end
end
//- lib/shop/rules.rb
module Shop
  module Rules
    def define(name)
    end
  end

  extend Rules
end
//- lib/other.rb
class Other
  def define(name)
  end
end
//- spec/use_spec.rb
def run
  Shop.define(:a)
end
",
    );
    assert_has(&edges, &["spec/use_spec.rb:run -call-> lib/shop/rules.rb:Shop::Rules::define (import)"]);
}

#[test]
fn a_ruby_class_includes_no_constant_of_another_module() {
    let edges = edges(
        "//- lib/many.rb
module Shop
  class Many
    class Enumerable
      def clone_all
      end
    end
  end
end
//- lib/list.rb
module Shop
  class List
    include Enumerable

    def copy
      clone_all
    end
  end
end
",
    );
    assert_lacks(
        &edges,
        &["lib/list.rb:Shop::List::copy -call-> lib/many.rb:Shop::Many::Enumerable::clone_all (receiver)"],
    );
    assert_lacks(
        &edges,
        &["lib/list.rb:Shop::List::copy -call-> lib/many.rb:Shop::Many::Enumerable::clone_all (scope)"],
    );
}

#[test]
fn ruby_tests_share_what_a_group_sets_up() {
    let edges = edges(
        "//- lib/zoo.rb
module Zoo
  class Dog
    def speak
    end
  end
end
//- lib/zoo/cat.rb
module Zoo
  class Cat
    def speak
    end
  end
end
//- lib/a.rb
module Zoo
  class Cat
    def cage
    end
  end
end
//- spec/zoo_spec.rb
describe Zoo::Dog do
  before do
    @dog = Zoo::Dog.new
  end

  let(:cat) { Zoo::Cat.new }
  let(:breed) { Class.new(Zoo::Dog) }

  describe 'inside' do
    it 'has a breed' do
      breed.new.speak
    end

    it 'has a dog' do
      @dog.speak
    end

    it 'has a cat' do
      cat.speak
    end
  end

  describe 'outside' do
    before { @bird = 1 }
    it('flies') { @bird.to_s }
  end

  describe 'above' do
    before { @bird = 2 }
    it('sings') { @bird.to_s }
  end
end
",
    );
    assert_has(
        &edges,
        &[
            "spec/zoo_spec.rb:Zoo::Dog::inside::has a dog -call-> lib/zoo.rb:Zoo::Dog::speak (receiver)",
            "spec/zoo_spec.rb:Zoo::Dog::inside::has a dog -reference-> spec/zoo_spec.rb:Zoo::Dog::@dog (scope)",
            "spec/zoo_spec.rb:Zoo::Dog::inside::has a cat -call-> lib/zoo/cat.rb:Zoo::Cat::speak (receiver)",
            "spec/zoo_spec.rb:Zoo::Dog::inside::has a breed -call-> lib/zoo.rb:Zoo::Dog::speak (receiver)",
            "spec/zoo_spec.rb:Zoo::Dog::outside::flies -reference-> spec/zoo_spec.rb:Zoo::Dog::outside::@bird (scope)",
            "spec/zoo_spec.rb:Zoo::Dog::above::sings -reference-> spec/zoo_spec.rb:Zoo::Dog::above::@bird (scope)",
            // Two files open the class.
            "spec/zoo_spec.rb:Zoo::Dog::cat -instantiate-> lib/zoo/cat.rb:Zoo::Cat (import)",
        ],
    );
}

#[test]
fn ruby_objects_are_made_by_new() {
    let edges = edges(
        "//- a.rb
module Zoo
  class Dog
    attr_reader :cat
    def initialize(n)
      @cat = Cat.new
    end
    def speak; end
  end
  class Pup < Dog
  end
  class Cat
    def speak; end
    def cat; end
  end
end
def made
  dog = Zoo::Pup.new(1)
  dog.speak
end
def chained
  Zoo::Dog.new.speak
end
def read
  Zoo::Dog.new(1).cat.speak
end
//- spec/a_spec.rb
describe Zoo::Dog do
  before do
    @beast = Zoo::Cat.new
  end
  it \"speaks\" do
    @beast.speak
  end
  it \"is described\" do
    described_class.new(1).speak
  end
end
",
    );
    assert_has(
        &edges,
        &[
            "a.rb:made -call-> a.rb:Zoo::Dog::speak (receiver)",
            "a.rb:chained -call-> a.rb:Zoo::Dog::speak (receiver)",
            "a.rb:read -call-> a.rb:Zoo::Cat::speak (receiver)",
            "spec/a_spec.rb:Zoo::Dog::speaks -call-> a.rb:Zoo::Cat::speak (receiver)",
            "spec/a_spec.rb:Zoo::Dog::is described -call-> a.rb:Zoo::Dog::speak (receiver)",
        ],
    );
    assert_lacks(&edges, &["a.rb:made -call-> a.rb:Zoo::Cat::speak", "a.rb:chained -call-> a.rb:Zoo::Cat::speak"]);
}

#[test]
fn loops_and_tests_of_types_in_dart_scala_and_swift() {
    let edges = edges(
        "//- a.dart
class Dog { void speak() {} }
class Cat { void speak() {} }
void loops(List<Dog> list) { for (final d in list) { d.speak(); } }
void tests(Object o) { if (o is Cat) { o.speak(); } }
void lambdas(List<Cat> list) { list.map((d) => d.speak()); }
//- a.scala
package zoo
class Dog { def speak(): Int = 1 }
class Cat { def speak(): Int = 2 }
object Use {
  def loops(list: List[Dog]) = { for (d <- list) d.speak() }
  def blocks(list: List[Cat]) = { list.map { d => d.speak() } }
  def heads(list: List[Cat]) = { list.head.speak() }
}
//- a.swift
class Dog { func speak() {} }
class Cat { func speak() {} }
func loops(list: [Dog]) { for d in list { d.speak() } }
func firsts(list: [Cat]) { list.first?.speak() }
",
    );
    assert_has(
        &edges,
        &[
            "a.dart:loops -call-> a.dart:Dog.speak (receiver)",
            "a.dart:tests -call-> a.dart:Cat.speak (receiver)",
            "a.dart:lambdas -call-> a.dart:Cat.speak (receiver)",
            "a.scala:Use.loops -call-> a.scala:Dog.speak (receiver)",
            "a.scala:Use.blocks -call-> a.scala:Cat.speak (receiver)",
            "a.scala:Use.heads -call-> a.scala:Cat.speak (receiver)",
            "a.swift:loops -call-> a.swift:Dog.speak (receiver)",
            "a.swift:firsts -call-> a.swift:Cat.speak (receiver)",
        ],
    );
}

#[test]
fn types_of_namespaces_components_of_records_and_values_that_are_not_null() {
    let edges = edges(
        "//- zoo.h
namespace zoo {
struct Dog { void speak() {} };
struct Cat { void speak() {} };
}
//- use.cpp
#include \"zoo.h\"
void local() { zoo::Dog dog; dog.speak(); }
void given(zoo::Cat& cat) { cat.speak(); }
struct Pup : public zoo::Dog { void bark() { speak(); } };
//- A.java
record Rec(Dog dog, String label) {}
class Dog { void speak() {} String label() { return null; } }
class Cat { void speak() {} }
class A {
  void reads(Rec rec) { rec.dog().speak(); }
}
//- a.kt
class Hen { fun speak() {} }
class Owl { fun speak() {} }
fun sure(x: Hen?) { x!!.speak() }
fun cast(o: Any) { val d = o as? Owl ?: return; d.speak() }
",
    );
    assert_has(
        &edges,
        &[
            "use.cpp:local -call-> zoo.h:zoo::Dog::speak (receiver)",
            "use.cpp:given -call-> zoo.h:zoo::Cat::speak (receiver)",
            "use.cpp:Pup::bark -call-> zoo.h:zoo::Dog::speak (receiver)",
            "A.java:A.reads -call-> A.java:Dog.speak (receiver)",
            "a.kt:sure -call-> a.kt:Hen.speak (receiver)",
            "a.kt:cast -call-> a.kt:Owl.speak (receiver)",
        ],
    );
    assert_lacks(&edges, &["use.cpp:Pup::bark -call-> zoo.h:zoo::Cat::speak"]);
}

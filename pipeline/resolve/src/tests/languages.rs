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

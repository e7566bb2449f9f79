//! Types whose members are names of the scope around them, types that are opened several times, and declarations of
//! other platforms' definitions.

use super::{assert_has, assert_lacks, edges};

#[test]
fn haskell_names_come_from_imported_modules() {
    let edges = edges(
        "//- src/Data/Shape.hs
module Data.Shape where
data Shape = Circle | Square
data Box = Box { boxWidth :: Int }
area :: Shape -> Int
area s = 1
//- src/Data/All.hs
module Data.All (module Data.Shape) where
import Data.Shape
//- src/Other.hs
module Other where
area :: Int -> Int
area s = 2
//- src/Main.hs
module Main where
import Data.All
run :: Box -> Int
run box = area Circle + boxWidth box
",
    );
    assert_has(
        &edges,
        &[
            "src/Main.hs:run -call-> src/Data/Shape.hs:area (import)",
            "src/Main.hs:run -reference-> src/Data/Shape.hs:Shape.Circle (import)",
            "src/Main.hs:run -call-> src/Data/Shape.hs:Box.boxWidth (import)",
        ],
    );
    assert_lacks(&edges, &["src/Main.hs:run -call-> src/Other.hs:area"]);
}

#[test]
fn partial_classes_share_their_members() {
    let edges = edges(
        "//- A.cs
namespace App;
partial class Pool { int Size { get; } }
//- B.cs
namespace App;
partial class Pool { int Twice() => Size * 2; }
//- C.cs
namespace Other;
class Pool { int Size { get; } }
",
    );
    assert_has(&edges, &["B.cs:App.Pool.Twice -reference-> A.cs:App.Pool.Size (receiver)"]);
    assert_lacks(&edges, &["-reference-> C.cs:"]);
}

#[test]
fn a_class_is_opened_by_a_path_whose_beginning_is_elsewhere() {
    let edges = edges(
        "//- test/helper.rb
class Minitest::Test
  def check_all; end
end
//- test/store_test.rb
require_relative 'helper'
class StoreTest < Minitest::Test
  def test_it
    check_all
  end
end
",
    );
    assert_has(
        &edges,
        &["test/store_test.rb:StoreTest::test_it -call-> test/helper.rb:Minitest::Test::check_all (receiver)"],
    );
}

#[test]
fn an_expected_class_stands_for_those_of_the_platforms() {
    let edges = edges(
        "//- src/commonMain/kotlin/io/Path.kt
package io
expect class Path {
  fun size(): Int
}
//- src/jvmMain/kotlin/io/Path.kt
package io
actual class Path {
  actual fun size(): Int = 1
}
//- src/nativeMain/kotlin/io/Path.kt
package io
actual class Path {
  actual fun size(): Int = 2
}
//- src/commonMain/kotlin/io/Use.kt
package io
fun use(path: Path): Int = path.size()
",
    );
    assert_has(
        &edges,
        &["src/commonMain/kotlin/io/Use.kt:use -call-> src/commonMain/kotlin/io/Path.kt:Path.size (receiver)"],
    );
}

#[test]
fn a_nested_module_is_named_below_its_alias() {
    let edges = edges(
        "//- lib/gen.ex
defmodule Tasks.Gen do
  def run(a), do: a
end
//- lib/gen/auth.ex
defmodule Tasks.Gen.Auth do
  def run(a), do: a
end
//- lib/main.ex
defmodule Main do
  alias Tasks.Gen
  def go(a), do: Gen.Auth.run(a)
end
",
    );
    assert_has(&edges, &["lib/main.ex:Main.go/1 -call-> lib/gen/auth.ex:Tasks.Gen.Auth.run/1 (import)"]);
    assert_lacks(&edges, &["-call-> lib/gen.ex:Tasks.Gen.run/1"]);
}

//! Functions that are known by the number of their parameters, and modules by their paths.

use super::{assert_has, assert_lacks, edges};

#[test]
fn functions_are_known_by_their_number_of_parameters() {
    let edges = edges(
        "//- lib/router.ex
defmodule Web.Router do
  def route(path, handler, options, do: inside), do: {path, handler, options, inside}
  def route(path, handler, do: inside), do: {path, handler, inside}
  def route(path, handler), do: {path, handler}
  def open(%{} = path, options \\\\ []), do: {path, options}
  def none(), do: nil
  def only(a, b), do: {a, b}
end
//- lib/main.ex
defmodule Web.Main do
  alias Web.Router
  def two, do: Router.route(\"/\", H)
  def three do
    Router.route \"/\", H do
      1
    end
  end
  def four do
    Router.route \"/\", H, only: [:a] do
      1
    end
  end
  def piped, do: \"/\" |> Router.route(H)
  def captured, do: &Router.route/3
  def defaults, do: Router.open(%{})
  def missing, do: Router.open()
  import Web.Router
  def imported, do: only(1, 2)
  defmodule Inside do
    def only(a), do: a
  end
  def other, do: Router.none(1)
end
",
    );
    assert_has(
        &edges,
        &[
            "lib/main.ex:Web.Main.two/0 -call-> lib/router.ex:Web.Router.route/2 (import)",
            "lib/main.ex:Web.Main.three/0 -call-> lib/router.ex:Web.Router.route/3 (import)",
            "lib/main.ex:Web.Main.four/0 -call-> lib/router.ex:Web.Router.route/4 (import)",
            "lib/main.ex:Web.Main.piped/0 -call-> lib/router.ex:Web.Router.route/2 (import)",
            "lib/main.ex:Web.Main.captured/0 -reference-> lib/router.ex:Web.Router.route/3 (import)",
            "lib/main.ex:Web.Main.imported/0 -call-> lib/router.ex:Web.Router.only/2 (import)",
            "lib/main.ex:Web.Main.defaults/0 -call-> lib/router.ex:Web.Router.open/2 (import)",
        ],
    );
    assert_has(
        &edges,
        &[
            "lib/main.ex:Web.Main.missing/0 -call-> ?open (unresolved)",
            "lib/main.ex:Web.Main.other/0 -call-> ?none (unresolved)",
        ],
    );
}

#[test]
fn modules_are_known_by_their_paths() {
    let edges = edges(
        "//- test/a_test.exs
defmodule ATest do
  defmodule Endpoint do
    use Other.Endpoint
  end
  defmodule App.Worker do
    def hello, do: 1
  end
  def own, do: Endpoint.call(1, 2)
  def unknown(it), do: it.call(1, 2)
  def last, do: Worker.hello()
  def path, do: App.Worker.hello()
end
//- test/b_test.exs
defmodule BTest do
  defmodule Endpoint do
    def call(a, _b), do: a
  end
end
",
    );
    assert_has(&edges, &["test/a_test.exs:ATest.path/0 -call-> test/a_test.exs:ATest.App.Worker.hello/0 (scope)"]);
    // Without an alias, `Worker` is another module.
    assert_lacks(&edges, &["own/0 -call-> test/b_test.exs", "last/0 -reference-> test/a_test.exs"]);
    assert_has(&edges, &["test/a_test.exs:ATest.unknown/1 -call-> test/b_test.exs:BTest.Endpoint.call/2 (ambiguous)"]);
}

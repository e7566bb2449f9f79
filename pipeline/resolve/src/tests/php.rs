//! Names whose full names the imports and the namespace of the file say.

use super::{assert_has, assert_lacks, edges};

#[test]
fn written_names_mean_full_names() {
    let edges = edges(
        "//- src/Node/Expr.php
<?php
namespace Tree\\Node;
class Expr {}
//- src/Node/Expr/Error.php
<?php
namespace Tree\\Node\\Expr;
class Error { public static function make(): Error {} public function run() {} }
//- src/Error.php
<?php
namespace Tree;
class Error { public function run() {} }
//- src/functions.php
<?php
namespace Tree\\Util;
function json_encode($x) {}
function help() {}
//- src/Main.php
<?php
namespace Tree;
use Tree\\Node\\Expr;
use function Tree\\Util\\help;
class Main {
    public function nested() { $e = new Expr\\Error(1); $e->run(); }
    public function own() { $e = new Error(1); $e->run(); }
    public function path() { Expr\\Error::make()->run(); }
    public function typed(Expr\\Error $e): Expr { $e->run(); }
    public function full() { return new \\Tree\\Error(); }
    public function relative() { return new namespace\\Error(); }
    public function missing() { return new \\Error(); }
    public function built_in() { return json_encode(1); }
    public function imported() { return help(); }
    public function by_path() { return Util\\json_encode(1); }
}
//- src/Sub/Other.php
<?php
namespace Tree\\Sub;
class Other { public function unknown() { return new Error(); } }
",
    );
    assert_has(
        &edges,
        &[
            "src/Main.php:Tree -import-> src/Node/Expr.php:Tree\\Node\\Expr (import)",
            "src/Main.php:Tree -import-> src/functions.php:Tree\\Util\\help (import)",
            "src/Main.php:Tree\\Main\\nested -instantiate-> src/Node/Expr/Error.php:Tree\\Node\\Expr\\Error (import)",
            "src/Main.php:Tree\\Main\\nested -call-> src/Node/Expr/Error.php:Tree\\Node\\Expr\\Error\\run (receiver)",
            "src/Main.php:Tree\\Main\\own -instantiate-> src/Error.php:Tree\\Error (package)",
            "src/Main.php:Tree\\Main\\own -call-> src/Error.php:Tree\\Error\\run (receiver)",
            "src/Main.php:Tree\\Main\\path -call-> src/Node/Expr/Error.php:Tree\\Node\\Expr\\Error\\make (import)",
            "src/Main.php:Tree\\Main\\path -call-> src/Node/Expr/Error.php:Tree\\Node\\Expr\\Error\\run (receiver)",
            "src/Main.php:Tree\\Main\\typed -call-> src/Node/Expr/Error.php:Tree\\Node\\Expr\\Error\\run (receiver)",
            "src/Main.php:Tree\\Main\\typed -type-> src/Node/Expr.php:Tree\\Node\\Expr (import)",
            "src/Main.php:Tree\\Main\\full -instantiate-> src/Error.php:Tree\\Error (import)",
            "src/Main.php:Tree\\Main\\relative -instantiate-> src/Error.php:Tree\\Error (package)",
            "src/Main.php:Tree\\Main\\missing -instantiate-> !Error (external)",
            "src/Main.php:Tree\\Main\\built_in -call-> !json_encode (external)",
            "src/Main.php:Tree\\Main\\imported -call-> src/functions.php:Tree\\Util\\help (import)",
            "src/Main.php:Tree\\Main\\by_path -call-> src/functions.php:Tree\\Util\\json_encode (package)",
            "src/Sub/Other.php:Tree\\Sub\\Other\\unknown -instantiate-> ?Error (unresolved)",
        ],
    );
}

#[test]
fn a_class_without_a_name_has_members_of_its_own() {
    let edges = edges(
        "//- src/Outer.php
<?php
class Outer {
    private $kept;
    public function make() {
        return new class { private $kept; public function get() { return $this->kept; } };
    }
    public function own() { return $this->kept; }
}
",
    );
    assert_has(
        &edges,
        &[
            "src/Outer.php:Outer\\class\\get -reference-> src/Outer.php:Outer\\class\\kept (scope)",
            "src/Outer.php:Outer\\own -reference-> src/Outer.php:Outer\\kept (scope)",
        ],
    );
    assert_lacks(&edges, &["get -reference-> src/Outer.php:Outer\\kept"]);
}

#[test]
fn documentation_declares_types_where_the_text_does_not() {
    let edges = edges(
        "//- src/Item.php
<?php
namespace Shop;
class Item { public $price; public function sell() {} }
class Other { public $price; public function sell() {} }
//- src/Store.php
<?php
namespace Shop;
/** @property Item $first */
class Store {
    /** @var Item[] */
    private array $items = [];
    /** @param Item|null $item */
    public function parameter($item) { $item->sell(); }
    /** @param Other $item */
    public function written(Item $item) { $item->sell(); }
    /** @return \\Shop\\Item the best */
    public function best() { return null; }
    public function result() { $this->best()->sell(); }
    public function loop() { foreach ($this->items as $key => $one) { $one->sell(); } }
    public function variable() {
        /** @var Item $it */
        $it = make();
        $it->sell();
    }
    public function member() { $this->first->sell(); }
}
",
    );
    let sold_by =
        |method: &str| format!("src/Store.php:Shop\\Store\\{method} -call-> src/Item.php:Shop\\Item\\sell (receiver)");
    for method in ["parameter", "written", "result", "loop", "variable", "member"] {
        assert_has(&edges, &[sold_by(method).as_str()]);
    }
    assert_lacks(&edges, &["Shop\\Other\\sell"]);
}

#[test]
fn a_file_of_several_namespaces_is_searched_by_names() {
    let edges = edges(
        "//- src/two.php
<?php
namespace A { class One { public function go() { return new Two(); } } class Two {} }
namespace B { class Three { public function go() { return new \\A\\One(); } } }
",
    );
    assert_has(
        &edges,
        &[
            "src/two.php:A\\One\\go -instantiate-> src/two.php:A\\Two (scope)",
            "src/two.php:B\\Three\\go -instantiate-> src/two.php:A\\One (import)",
        ],
    );
}

#[test]
fn what_the_repository_defines_often_is_not_external() {
    let mut fixture = String::new();
    for n in 0..8 {
        fixture += &format!("//- tests/fixture{n}.php\n<?php\nclass Foo {{}}\n");
    }
    fixture += "//- src/use.php\n<?php\nfunction go() { return new Foo(); }\n";
    fixture += "//- src/own.php\n<?php\nnamespace App;\nfunction own() { return new Absent(); }\n";
    let edges = edges(&fixture);
    assert_has(
        &edges,
        &[
            "src/use.php:go -instantiate-> ?Foo (unresolved)",
            "src/own.php:App\\own -instantiate-> ?Absent (unresolved)",
        ],
    );
}

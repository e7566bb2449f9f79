//! Answers that are cut: what comes first, and what is said of the rest. Calls by dispatch, and what `explore` makes of them.

use std::fmt::Write as _;

use crate::harness::Dir;

const SHOP: &str = "
//- /src/Price.java
package shop;

public interface Price {
    /** The price of an order after discounts. */
    long discountedPrice(Order order);
}
//- /src/Seasonal.java
package shop;

public class Seasonal implements Price {
    @Override
    public long discountedPrice(Order order) {
        long total = 0;
        for (Item item : order.items()) {
            long cents = item.cents();
            if (item.isWinter()) {
                cents = cents / 2;
            }
            total += cents;
        }
        return total;
    }
}
//- /src/Checkout.java
package shop;

public class Checkout {
    private final Price price;

    public Checkout(Price price) {
        this.price = price;
    }

    public long pay(Order order) {
        return price.discountedPrice(order);
    }
}
//- /src/Settings.java
package shop;

public class Settings {
    public static final String KEY = \"shop.winter.factor\";

    public String load(Properties all) {
        String found = all.get(KEY);
        if (found == null) {
            return \"2\";
        }
        return found;
    }
}
//- /test/CheckoutTest.java
package shop;

public class CheckoutTest {
    @Test
    public void pays() {
        Price price = new Seasonal();
        price.discountedPrice(null);
    }
}
";

fn text(dir: &Dir, args: &[&str]) -> String {
    dir.cmd(&[&[args[0], "--index", "index"], &args[1..]].concat()).run().code(0).stdout
}

#[test]
fn a_method_may_be_called_through_what_it_implements() {
    let dir = Dir::indexed(SHOP);
    let ask = |args: &[&str]| dir.cmd(&[args, &["--index", "index", "--format", "json"]].concat()).run().code(0).json();
    let callers = ask(&["callers", "Seasonal.discountedPrice"]);
    assert_eq!(callers["results"].as_array().unwrap().len(), 0, "{callers}");
    assert_eq!(callers["through"][0]["qualified_name"], "Price.discountedPrice", "{callers}");
    assert_eq!(callers["possible"][0]["qualified_name"], "Checkout.pay", "{callers}");
    assert_eq!(callers["possible"][0]["via"], callers["through"][0]["key"]);
    let printed = text(&dir, &["callers", "Seasonal.discountedPrice"]);
    assert!(printed.contains("may be called through src/Price.java:5"), "{printed}");
    // What calls the interface's method is known to.
    let known = ask(&["callers", "Price.discountedPrice"]);
    assert_eq!(known["results"].as_array().unwrap().len(), 2, "{known}");
    assert!(known["possible"].is_null(), "{known}");
    let callees = ask(&["callees", "Checkout.pay"]);
    assert_eq!(callees["results"][0]["qualified_name"], "Price.discountedPrice", "{callees}");
    assert_eq!(callees["possible"][0]["qualified_name"], "Seasonal.discountedPrice", "{callees}");
    // An answer to a question says the same.
    let explored = text(&dir, &["explore", "--", "price of an order after discounts for winter items"]);
    assert!(explored.contains("may be called by Checkout.pay"), "{explored}");
}

#[test]
fn a_path_leads_through_what_is_overridden() {
    let dir = Dir::indexed(SHOP);
    let path = text(&dir, &["path", "Checkout.pay", "Seasonal.discountedPrice"]);
    let lines: Vec<&str> = path.lines().map(str::trim).collect();
    assert_eq!(lines.len(), 5, "{path}");
    assert!(lines[1].starts_with("call, ") && lines[3].starts_with("overridden by, "), "{path}");
    let back = dir.cmd(&["path", "Seasonal.discountedPrice", "Checkout.pay", "--index", "index"]).run().code(1);
    assert!(back.stderr.contains("there is one in the other direction: path Checkout.pay Seasonal"), "{}", back.stderr);
    let guesses = ["path", "Seasonal", "Checkout.pay", "--min-confidence", "0", "--index", "index"];
    assert!(!dir.cmd(&guesses).run().code(1).stderr.contains("--min-confidence 0"));
}

#[test]
fn possible_calls_stand_below_what_was_asked() {
    let dir = Dir::indexed(SHOP);
    let both = dir.cmd(&["callers", "Settings.load", "Seasonal.discountedPrice", "--index", "index"]).run().code(0);
    let at = |text: &str| both.stdout.find(text).unwrap_or_else(|| panic!("{text}: {}", both.stdout));
    assert!(at("Settings.load") < at("Seasonal.discountedPrice"));
    assert!(at("Seasonal.discountedPrice") < at("may be called through"));
    assert!(both.stderr.contains("nothing found for Settings.load") && !both.stderr.contains("for Settings.load, "));
}

#[test]
fn a_name_that_nothing_defines_is_looked_for_in_the_text() {
    let dir = Dir::indexed(
        "//- /src/lib.rs\nstrange! {\n    Tier { Receiver = 1 }\n}\n\npub fn f() -> Tier {\n    Tier::Receiver\n}\n",
    );
    for command in ["references", "callers"] {
        let found = dir.cmd(&[command, "Tier::Receiver", "--index", "index"]).run().code(1);
        assert!(found.stdout.contains("Tier::Receiver") && found.stdout.contains("src/lib.rs"), "{}", found.stdout);
        assert!(found.stderr.contains("no definition is called 'Tier::Receiver'"), "{}", found.stderr);
    }
    let elsewhere = ["references", "Tier::Receiver", "--path", "other", "--index", "index"];
    assert_eq!(dir.cmd(&elsewhere).run().code(1).stdout, "");
    let nowhere = dir.cmd(&["references", "nowhere_at_all", "--index", "index"]).run().code(1);
    assert_eq!(nowhere.stdout, "");
}

#[test]
fn options_after_the_dashes_are_words_and_said_to_be() {
    let dir = Dir::indexed(SHOP);
    let found = dir.cmd(&["search", "--index", "index", "--", "discounted price", "--path", "src"]).run();
    assert!(found.stderr.contains("'--path' is a word of the query"), "{}", found.stderr);
    let found = dir.cmd(&["search", "--index", "index", "--", "discounted price", "--winter"]).run();
    assert!(!found.stderr.contains("is a word of the query"), "{}", found.stderr);
}

#[test]
fn callers_and_uses_are_narrowed_by_paths() {
    let dir = Dir::indexed(SHOP);
    let of = |args: &[&str]| text(&dir, &[&["callers", "Price.discountedPrice"], args].concat());
    assert!(of(&[]).contains("CheckoutTest.pays"));
    let tests = of(&["--path", "test"]);
    assert!(tests.contains("CheckoutTest.pays") && !tests.contains("Checkout.pay "), "{tests}");
    let uses = text(&dir, &["references", "Price.discountedPrice", "--path", "*Test.java"]);
    assert!(uses.contains("test/CheckoutTest.java") && !uses.contains("src/Checkout.java"), "{uses}");
    dir.cmd(&["callers", "Price.discountedPrice", "--index", "index", "--path", "none"]).run().code(1);
    dir.cmd(&["callers", "Price.discountedPrice", "--index", "index", "--path", "a["]).run().code(2);
}

#[test]
fn explore_finds_a_literal_and_the_methods_behind_an_interface() {
    let dir = Dir::indexed(SHOP);
    let explored = text(&dir, &["explore", "--", "what is shop.winter.factor for"]);
    assert!(explored.contains("shop.winter.factor"), "{explored}");
    let explored = text(&dir, &["explore", "--", "discounted price of an order"]);
    assert!(explored.contains("cents = cents / 2"), "{explored}");
}

#[test]
fn an_outline_leaves_out_what_matters_least() {
    let dir = Dir::empty();
    let mut big = "class Big:\n".to_owned();
    for n in 0..80 {
        let _ = write!(big, "    field_{n}: int = {n}\n\n    def method_{n}(self):\n        return {n}\n\n");
    }
    dir.write("src/big.py", big + "\n\ndef last():\n    return 1\n");
    dir.build(&["src"]).code(0);
    let printed = text(&dir, &["outline", "big.py"]);
    assert_eq!(printed.lines().filter(|line| line.contains("method_")).count(), 80, "{printed}");
    assert!(printed.contains("class Big") && printed.contains("and 62 in it") && printed.contains("last"), "{printed}");
    let few = dir.cmd(&["outline", "big.py", "--limit", "2", "--index", "index"]).run().code(0);
    assert!(few.stdout.contains("and 160 in it") && few.stdout.contains("last"), "{}", few.stdout);
    assert!(few.stderr.contains("160 more symbols"), "{}", few.stderr);
    let all = text(&dir, &["outline", "big.py", "--limit", "1000"]);
    assert!(!all.contains("in it"), "{all}");
}

#[test]
fn show_keeps_whole_what_fits_and_names_the_rest() {
    let dir = Dir::empty();
    for name in ["one", "two", "three"] {
        let lines: String = (0..60).map(|n| format!("    {name}_{n} = {n}\n")).collect();
        dir.write(&format!("src/{name}.py"), format!("def {name}():\n{lines}    return 1\n"));
    }
    dir.write("src/small.py", "def small():\n    return 1\n");
    dir.build(&["src"]).code(0);
    let shown =
        dir.cmd(&["show", "one", "two", "three", "small", "--max-tokens", "700", "--index", "index"]).run().code(0);
    assert!(shown.stdout.contains("one_59") && shown.stdout.contains("def small"), "{}", shown.stdout);
    // The second one is cut, the third one is left out: half of each would show nothing of any.
    assert!(shown.stdout.contains("two_3") && !shown.stdout.contains("two_59"), "{}", shown.stdout);
    assert!(!shown.stdout.contains("three_0"), "{}", shown.stdout);
    assert!(shown.stderr.contains("three.py:1-62"), "{}", shown.stderr);
}

#[test]
fn grep_shows_some_of_each_file_and_counts_the_rest() {
    let dir = Dir::empty();
    for file in 0..30 {
        let lines: String = (0..20).map(|n| format!("    needle_{n}_{file} = {n}\n")).collect();
        dir.write(&format!("src/f{file:02}.py"), format!("def f{file}():\n{lines}    return 1\n"));
    }
    dir.build(&["src"]).code(0);
    let found = dir.cmd(&["grep", "needle", "--index", "index"]).run().code(0);
    let of_first: usize = found.stdout.split("f01.py").next().unwrap().matches("needle_").count();
    assert!((3..=4).contains(&of_first), "{}", found.stdout);
    assert_eq!(found.stdout.matches("needle_").count(), 50);
    assert!(found.stdout.contains("and 17 lines more"), "{}", found.stdout);
    assert!(found.stdout.contains("also in f16.py (20 lines), "), "{}", found.stdout);
    assert!(found.stdout.contains("and 2 more files"), "{}", found.stdout);
    assert!(found.stderr.contains("showing 50 of 600 lines in 30 files"), "{}", found.stderr);
    let json = dir.cmd(&["grep", "needle", "--index", "index", "--format", "json"]).run().code(0).json();
    assert_eq!((json["lines"].as_u64(), json["more_files"][0]["lines"].as_u64()), (Some(600), Some(20)), "{json}");
    let of_two = dir.cmd(&["grep", "needle_1_", "f01.py", "f02.py", "--index", "index"]).run().code(0);
    assert_eq!(of_two.stdout.matches("needle_").count(), 2, "{}", of_two.stdout);
    // A lot of lines in one file are shown as before.
    let one = dir.cmd(&["grep", "needle", "--path", "f03.py", "--index", "index"]).run().code(0);
    assert_eq!(one.stdout.matches("needle_").count(), 20);
}

#[test]
fn grep_lists_files_with_the_same_matches_in_one_line() {
    let dir = Dir::empty();
    dir.write("src/app.py", "LABEL = 'arrow_label'\n");
    for name in ["cs", "da", "de", "en", "fr", "ja"] {
        dir.write(&format!("src/locales/{name}.json"), format!("{{\n  \"arrow_label\": \"{name}\"\n}}\n"));
    }
    dir.build(&["src"]).code(0);
    let found = dir.cmd(&["grep", "arrow_label", "--index", "index"]).run().code(0);
    assert_eq!(found.stdout.matches("arrow_label").count(), 3, "{}", found.stdout);
    let alike = "the same in 4 more files of locales: de.json:2, en.json:2, fr.json:2, ja.json:2\n";
    assert!(found.stdout.contains(alike), "{}", found.stdout);
}

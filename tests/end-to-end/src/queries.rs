//! Queries as people type them: names in every spelling, and texts that are hardly queries.

use crate::harness::{Dir, POLYGLOT};
use crate::search::answer;

/// Writes enough code for term frequencies to matter: many types with methods of the same names.
fn crowd(dir: &Dir) {
    for n in 0..30 {
        let text = format!(
            "class Worker{n}:\n    def run(self):\n        return self.close()\n\n    def close(self):\n        return {n}\n\n    def push(self, item):\n        return item\n\n\ndef start{n}():\n    return Worker{n}().run()\n"
        );
        dir.write(&format!("src/crowd/worker{n}.py"), text);
    }
}

#[test]
fn an_owner_and_a_name_find_the_member_first() {
    let dir = Dir::with(POLYGLOT);
    crowd(&dir);
    dir.build(&["src"]).code(0);
    let mut wrong = Vec::new();
    for (owner, method, qualified) in [
        ("scrapeLoop", "run", "scrapeLoop.run"),
        ("Session", "close", "Session.close"),
        ("Stack", "push", "Stack::push"),
        ("Cart", "add", "Cart.add"),
        ("Router", "register", "Router.register"),
        ("Store", "lookup", "Store.lookup"),
        ("Engine", "start", "motor::Engine::start"),
        ("Worker7", "run", "Worker7.run"),
    ] {
        for join in [".", "::", "#", " "] {
            let query = format!("{owner}{join}{method}");
            let response = answer(&dir.search(&["-n", "3", "--", &query]));
            let found: Vec<_> =
                response.results.iter().map(|hit| hit.qualified_name.as_deref().unwrap_or("")).collect();
            if found.first() != Some(&qualified) {
                wrong.push(format!("{query}: {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_name_finds_its_definition_first() {
    let dir = Dir::with(POLYGLOT);
    crowd(&dir);
    dir.build(&["src"]).code(0);
    for name in ["Session", "NewLoop", "ring_next", "makeRouter", "Handler", "Worker12", "start3"] {
        let response = answer(&dir.search(&["--", name]));
        assert_eq!(response.results[0].name.as_deref(), Some(name), "{name}");
    }
}

#[test]
fn a_path_finds_its_file_first() {
    let dir = Dir::with(POLYGLOT);
    crowd(&dir);
    dir.build(&["src"]).code(0);
    for path in ["java/Cart.java", "crowd/worker17.py", "docs/guide.md"] {
        let response = answer(&dir.search(&["--", path]));
        assert_eq!(response.results.first().map(|hit| hit.path.as_str()), Some(path), "{path}");
    }
}

#[test]
fn no_query_is_an_error() {
    let dir = Dir::polyglot();
    let (long, many) = ("x".repeat(100_000), "word ".repeat(20_000));
    let deep = "a.".repeat(10_000);
    let odd = [
        "",
        " ",
        "\"",
        "\"\"",
        "'",
        "--",
        "-",
        "(((",
        ")))",
        "[",
        "{}",
        "\\",
        "/",
        "//",
        ".",
        "..",
        "::",
        "#",
        "*",
        "?",
        "~",
        "^",
        "!",
        "@",
        "%s%n",
        "$HOME",
        "`id`",
        "AND OR NOT",
        "AND",
        "OR session",
        "+session -close",
        "a:b^2~",
        "content:session",
        "[a TO b]",
        "session~2",
        "se*on",
        "\u{1f600}",
        "\u{1f468}\u{200d}\u{1f469}",
        "gr\u{f6}\u{df}e",
        "\u{6a21}\u{578b}",
        "\u{202e}abc",
        "e\u{301}",
        "\n",
        "\t\r\n",
        "\u{1b}[31m",
        "\u{0}1".trim_start_matches('\u{0}'),
        "a\u{feff}b",
        "9999999999999999999999",
        "1.5e400",
        "NaN",
        "src/",
        "../../etc/passwd",
        "File \"x.py\", line 3, in y",
        "fn(a: &T) -> U<V>",
        "\u{130}stanbul",
        "K\u{212a}",
        &long,
        &many,
        &deep,
    ];
    for (n, query) in odd.into_iter().enumerate() {
        let shown: String = query.chars().take(40).collect();
        for mode in ["fusion", ["text", "vector", "structural"][n % 3]] {
            let output = dir.search(&["--mode", mode, "--", query]);
            assert!(matches!(output.code, Some(0 | 1)), "{mode} {shown:?}: {:?} {}", output.code, output.stderr);
            assert_eq!(answer(&output).query, query);
        }
        let text = dir.cmd(&["search", "--index", "index", "--explain", "--", query]).run();
        assert!(matches!(text.code, Some(0 | 1)), "{shown:?}: {}", text.all());
    }
}

#[test]
fn several_words_are_one_query() {
    let dir = Dir::polyglot();
    let joined = answer(&dir.search(&["--", "where does the session end"]));
    let apart = answer(&dir.search(&["--", "where", "does", "the", "session", "end"]));
    assert_eq!(joined.query, apart.query);
    let ids =
        |response: &crate::search::Response| response.results.iter().map(|hit| hit.key.clone()).collect::<Vec<_>>();
    assert_eq!(ids(&joined), ids(&apart));
}

#[test]
fn a_mistyped_word_is_corrected() {
    let dir = Dir::polyglot();
    let response = answer(&dir.search(&["--", "where are connecitons of a sessoin freed"]));
    let corrections: Vec<(&str, &str)> =
        response.corrections.iter().map(|r| (r.original.as_str(), r.corrected.as_str())).collect();
    assert_eq!(corrections, [("connecitons", "connections"), ("sessoin", "session")]);
    // A word that the encoder knows is not corrected, even if it is similar to a word of the index. Neither is a name.
    for query in ["the season of harvesting apples", "sessoin"] {
        assert!(answer(&dir.search(&["--", query])).corrections.is_empty(), "{query}");
    }
}

//! Hierarchy: the owners of symbols, in qualified names, containers and chunks.

use std::fmt::Write;

use sextant_format::kinds::Kind;

use crate::harness::{Dir, POLYGLOT};
use crate::tables::Tables;

#[test]
fn qualified_names_carry_their_owners_in_every_language() {
    let dir = Dir::polyglot();
    let tables = Tables::open(&dir.index());
    for (path, language, names) in [
        (
            "rust/stack.rs",
            "rust",
            &["struct Stack", "method Stack::push", "method Stack::pop", "method Stack::fmt", "function inner::helper"]
                [..],
        ),
        (
            "go/scrape.go",
            "go",
            &["struct scrapeLoop", "method scrapeLoop.run", "method scrapeLoop.scrapeOnce", "function NewLoop"],
        ),
        (
            "python/session.py",
            "python",
            &[
                "class Session",
                "method Session.close",
                "class Session.Pool",
                "method Session.Pool.acquire",
                "function connect",
            ],
        ),
        (
            "java/Cart.java",
            "java",
            &["class Cart", "constructor Cart.Cart", "method Cart.add", "method Cart.Line.amount"],
        ),
        (
            "typescript/router.ts",
            "typescript",
            &[
                "class Router",
                "method Router.register",
                "interface Handler",
                "method Handler.handle",
                "function makeRouter",
            ],
        ),
        ("tsx/button.tsx", "tsx", &["interface Props", "class Panel", "method Panel.render", "function Button"]),
        ("javascript/store.js", "javascript", &["class Store", "method Store.lookup", "function makeStore"]),
        (
            "cpp/engine.cpp",
            "cpp",
            &["class motor::Engine", "method motor::Engine::start", "method motor::Engine::speed", "function idle"],
        ),
        ("c/ring.c", "c", &["struct ring", "function ring_next"]),
        ("docs/guide.md", "markdown", &["section Guide", "section Guide > Install", "section Guide > Use"]),
        ("notes.txt", "text", &[]),
    ] {
        let file = tables.files.iter().find(|file| file.path == path).unwrap();
        assert_eq!(file.language, language, "{path}");
        let found = tables.names(path);
        for name in names {
            assert!(found.iter().any(|found| found == name), "no {name} in {path}: {found:#?}");
        }
    }
}

#[test]
fn a_methods_parent_is_its_type() {
    let dir = Dir::polyglot();
    let tables = Tables::open(&dir.index());
    for (path, method, owner) in [
        ("rust/stack.rs", "Stack::push", "Stack"),
        ("go/scrape.go", "scrapeLoop.run", "scrapeLoop"),
        ("python/session.py", "Session.close", "Session"),
        ("python/session.py", "Session.Pool.acquire", "Session.Pool"),
        ("java/Cart.java", "Cart.add", "Cart"),
        ("typescript/router.ts", "Router.register", "Router"),
        ("javascript/store.js", "Store.lookup", "Store"),
        ("cpp/engine.cpp", "motor::Engine::speed", "motor::Engine"),
    ] {
        let owner_symbol = tables.symbol(path, owner);
        assert_eq!(tables.symbol(path, method).container_id, Some(owner_symbol.symbol_id), "{method}");
        assert_eq!(tables.chunk_of(path, method).parent_id, Some(tables.chunk_of(path, owner).chunk_id), "{method}");
    }
    // The chunk of a class does not contain the text of its methods.
    let class = tables.chunk_of("python/session.py", "Session");
    assert!(class.content.contains("Talks to one server") && !class.content.contains("Ends the session"));
    assert_eq!(tables.chunk_of("python/session.py", "connect").parent_id, None);
}

#[test]
fn documentation_and_signatures_belong_to_their_symbols() {
    let dir = Dir::polyglot();
    let tables = Tables::open(&dir.index());
    for (path, name, doc) in [
        ("rust/stack.rs", "Stack::push", "Puts an item on top."),
        ("go/scrape.go", "scrapeLoop.run", "run scrapes until it is stopped."),
        ("python/session.py", "Session.close", "Ends the session and frees its connections."),
        ("java/Cart.java", "Cart.add", "Adds a price."),
    ] {
        assert_eq!(tables.symbol(path, name).doc.as_deref(), Some(doc));
    }
    let signature = tables.symbol("rust/stack.rs", "Stack::push").signature.as_deref();
    assert_eq!(signature, Some("pub fn push(&mut self, item: T)"));
}

#[test]
fn chunks_of_the_first_level_cover_every_line_with_text_once() {
    let dir = Dir::polyglot();
    let tables = Tables::open(&dir.index());
    for (file, (path, text)) in tables.files.iter().zip(sorted(POLYGLOT)) {
        assert_eq!(file.path, path);
        let mut expected: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let chunks = tables.chunks.iter().filter(|chunk| chunk.file_id == file.file_id && chunk.level == 1);
        let mut found: Vec<&str> =
            chunks.flat_map(|chunk| chunk.content.lines()).filter(|line| !line.trim().is_empty()).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{path}");
    }
}

fn sorted(fixture: &str) -> Vec<(&str, &str)> {
    let mut files = crate::harness::files(fixture);
    files.sort_unstable();
    files
}

#[test]
fn a_large_function_is_divided_into_blocks() {
    let mut large = "def large(items):\n    total = 0\n".to_owned();
    for n in 0..15 {
        let _ = write!(
            large,
            "    for item in items:\n        a{n} = item\n        b{n} = item\n        c{n} = item\n        total += {n}\n        total += 1\n    x{n} = 1\n"
        );
    }
    large += "    if total > 10:\n        a = 1\n        b = 1\n        c = 1\n        d = 1\n        e = 1\n";
    large += "    try:\n        a = 1\n        b = 1\n        c = 1\n        d = 1\n    except ValueError:\n        pass\n    return total\n";
    assert!(large.lines().count() > 100);
    let dir = Dir::empty();
    dir.write("src/large.py", large);
    dir.write(
        "src/small.py",
        "def small(items):\n    for item in items:\n        a = 1\n        b = 1\n        c = 1\n        d = 1\n",
    );
    dir.build(&["src"]).code(0);
    let tables = Tables::open(&dir.index());
    let function = tables.chunk_of("large.py", "large");
    let blocks: Vec<_> = tables.chunks.iter().filter(|chunk| chunk.level == 2).collect();
    assert!(
        blocks.iter().all(|block| block.parent_id == Some(function.chunk_id) && block.symbol_id == function.symbol_id)
    );
    let count = |kind| blocks.iter().filter(|block| block.kind == kind).count();
    assert_eq!((count(Kind::Loop), count(Kind::Conditional), count(Kind::Try)), (15, 1, 1));
    // The large function has a vector, and so have blocks that mean something by themselves.
    let vectors = tables.generation.vectors().unwrap().unwrap();
    let levels = |level| (0..vectors.rows()).filter(|&row| vectors.level(row) == level).count();
    assert_eq!((levels(1), levels(2)), (1, 16));
}

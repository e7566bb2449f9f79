//! Test: our matcher finds the same matches as tree-sitter's cursor, on every fixture of every language.

use std::collections::BTreeSet;
use std::path::Path;

use streaming_iterator::StreamingIterator;
use tree_sitter::{Parser, Query, QueryCursor};

use sextant_tree_query::{CompiledQuery, FlatTree};

use crate::language::{self, Language};

/// Languages with patterns that tree-sitter cannot compile: a field on the outermost node.
const FIELD_OUTERMOST: &[&str] = &["csharp", "haskell"];

/// Matches in a comparable form: the pattern, and the names and bytes of its captures.
type MatchSet = BTreeSet<(usize, Vec<(String, usize, usize)>)>;

fn query_text(language: &Language) -> String {
    let queries = &language.queries;
    [queries.symbols, queries.references, queries.blocks, queries.embedded].concat().join("\n")
}

fn ours(patterns: &CompiledQuery, tree: &tree_sitter::Tree, text: &str) -> MatchSet {
    let mut nodes = FlatTree::default();
    nodes.load(tree);
    let mut out = MatchSet::new();
    patterns.matches(&nodes, text, |found| {
        let mut captures: Vec<_> = found
            .captures
            .iter()
            .map(|&(capture, node)| {
                let range = nodes.range(node);
                (patterns.capture_names()[usize::from(capture)].clone(), range.start, range.end)
            })
            .collect();
        captures.sort();
        out.insert((found.pattern, captures));
    });
    out
}

fn theirs(query: &Query, tree: &tree_sitter::Tree, text: &str) -> MatchSet {
    let mut out = MatchSet::new();
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(query, tree.root_node(), text.as_bytes());
    while let Some(found) = matches.next() {
        if !ancestor_predicates_hold(query, found) {
            continue;
        }
        let mut captures: Vec<_> = found
            .captures()
            .iter()
            .map(|capture| {
                let name = query.capture_names()[capture.index as usize].to_owned();
                (name, capture.node.start_byte(), capture.node.end_byte())
            })
            .collect();
        captures.sort();
        out.insert((found.pattern_index, captures));
    }
    out
}

/// Evaluates `#has-ancestor?` and `#has-parent?`, which tree-sitter leaves to its callers.
fn ancestor_predicates_hold(query: &Query, found: &tree_sitter::QueryMatch<'_, '_>) -> bool {
    use tree_sitter::QueryPredicateArg::{Capture, String};
    query.general_predicates(found.pattern_index).iter().all(|predicate| {
        let Some(Capture(capture)) = predicate.args.first() else { return true };
        let kinds: Vec<&str> =
            predicate.args.iter().filter_map(|arg| if let String(text) = arg { Some(&**text) } else { None }).collect();
        let holds = |node: tree_sitter::Node<'_>| {
            let mut ancestor = node.parent();
            while let Some(parent) = ancestor {
                if kinds.contains(&parent.kind()) {
                    return true;
                }
                ancestor = if predicate.operator.contains("parent") { None } else { parent.parent() };
            }
            false
        };
        let positive = !predicate.operator.starts_with("not-");
        found.captures().iter().filter(|c| c.index == *capture).all(|c| holds(c.node) == positive)
    })
}

/// Removes matches whose captures are a subset of another match of the same pattern: tree-sitter drops most of them.
fn without_subsumed(found: MatchSet) -> MatchSet {
    let by_pattern: Vec<_> = found.iter().cloned().collect();
    let is_subsumed = |(pattern, captures): &(usize, Vec<(String, usize, usize)>)| {
        by_pattern.iter().any(|(other, more)| {
            other == pattern && more.len() > captures.len() && captures.iter().all(|capture| more.contains(capture))
        })
    };
    found.into_iter().filter(|found| !is_subsumed(found)).collect()
}

#[test]
fn matches_equal_those_of_tree_sitter() {
    let mut differences = String::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("languages");
    let mut compared = 0;
    for language in &language::LANGUAGES {
        let text = query_text(language);
        let grammar = (language.grammar)();
        let patterns = CompiledQuery::new(&grammar, &text).unwrap_or_else(|error| panic!("{}: {error}", language.name));
        let query = match Query::new(&grammar, &text) {
            Ok(query) => query,
            // Only our compiler accepts a field on the outermost node.
            Err(_) if FIELD_OUTERMOST.contains(&language.name) => continue,
            Err(error) => panic!("{}: {error}", language.name),
        };
        for name in std::iter::once(&language.name).chain(language.query_folders) {
            let Ok(entries) = fs_err::read_dir(folder.join(name).join("fixtures")) else { continue };
            for entry in entries {
                let path = entry.unwrap().path();
                let text = fs_err::read_to_string(&path).unwrap();
                let mut parser = Parser::new();
                parser.set_language(&grammar).unwrap();
                let tree = parser.parse(&text, None).unwrap();
                let ours = without_subsumed(ours(&patterns, &tree, &text));
                let theirs = without_subsumed(theirs(&query, &tree, &text));
                compared += theirs.len();
                for (side, set) in
                    [("only ours", ours.difference(&theirs)), ("only tree-sitter's", theirs.difference(&ours))]
                {
                    for (pattern, captures) in set.take(5) {
                        let captures: Vec<_> = captures
                            .iter()
                            .map(|(n, a, b)| format!("{n}={:?}", &text[*a..*b.min(&(a + 40).min(text.len()))]))
                            .collect();
                        differences +=
                            &format!("{}: {side}: {pattern}: {captures:?}\n", path.file_name().unwrap().display());
                    }
                }
            }
        }
    }
    assert!(compared > 5_000, "only {compared} matches were compared");
    assert!(differences.is_empty(), "{differences}");
}

#[test]
fn an_invalid_query_is_rejected_with_its_line() {
    let grammar = tree_sitter_rust::LANGUAGE.into();
    for (text, expected) in [
        ("(function_item", "unexpected end of text in a pattern, in line 1"),
        ("\n(gadget)", "unknown node kind gadget, in line 2"),
        ("(function_item gadget: (_))", "unknown field gadget, in line 1"),
        ("((identifier) @a (#matches? @a \"x\"))", "unknown predicate #matches?, in line 1"),
        ("((identifier) @a (#match? @a \"(\"))", "regex parse error"),
        ("(identifier)?", "the outermost part must occur at least once, in line 1"),
        ("\"gadget\"", "unknown anonymous node \"gadget\", in line 1"),
        ("}", "unexpected '}', in line 1"),
    ] {
        let error = CompiledQuery::new(&grammar, text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
}

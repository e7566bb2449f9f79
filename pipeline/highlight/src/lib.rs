//! Classes of highlighting for the text of one file: keywords, strings, types and so on, by the grammar of its language
//! and the queries that come with the grammar. This crate must not know indexes, or what a class looks like.
//!
//! ```
//! use sextant_highlight::Highlighter;
//!
//! let spans = Highlighter::new().spans("rust", "fn main() {}\n");
//! let found: Vec<_> = spans.iter().map(|span| (span.line, span.start, span.end, span.class)).collect();
//! assert_eq!(found, [(1, 0, 2, "keyword"), (1, 3, 7, "function")]);
//! ```

mod classes;
mod lines;

use std::cell::OnceCell;

use sextant_syntax::language::{LANGUAGES, Language, by_alias, by_name};
use tree_sitter_highlight::{HighlightConfiguration, Highlighter as Engine};

pub use lines::Span;

/// Colours texts. It keeps the compiled queries of every language that it has met: compiling them takes up to a second.
pub struct Highlighter {
    engine: Engine,
    queries: CompiledQueries,
}

/// The queries of each language, in the order of the table. None where a language has none.
struct CompiledQueries(Vec<OnceCell<Option<HighlightConfiguration>>>);

impl Default for Highlighter {
    fn default() -> Self {
        let queries = CompiledQueries(LANGUAGES.iter().map(|_| OnceCell::new()).collect());
        Self { engine: Engine::new(), queries }
    }
}

impl Highlighter {
    /// Returns a highlighter that knows no language yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the spans of a text in the order of its lines. They do not overlap, and none is longer than a line; what no
    /// span covers has no class of its own. A text in a language without a grammar has no spans.
    pub fn spans(&mut self, language: &str, text: &str) -> Vec<Span> {
        let Self { engine, queries } = self;
        let Some(main) = by_name(language).and_then(|language| queries.of(language)) else { return Vec::new() };
        let embedded = |name: &str| by_alias(name).and_then(|language| queries.of(language));
        match engine.highlight(main, text.as_bytes(), None, None, embedded) {
            Ok(events) => lines::spans(text, events),
            Err(_) => Vec::new(),
        }
    }
}

impl CompiledQueries {
    fn of(&self, language: &'static Language) -> Option<&HighlightConfiguration> {
        let position = LANGUAGES.iter().position(|known| known.name == language.name)?;
        self.0.get(position)?.get_or_init(|| compile(language)).as_ref()
    }
}

fn compile(language: &'static Language) -> Option<HighlightConfiguration> {
    let texts = &language.highlights;
    let [highlights, injections, locals] =
        [texts.highlights, texts.injections, texts.locals].map(|texts| texts.join("\n"));
    if highlights.is_empty() {
        return None;
    }
    let grammar = (language.grammar)();
    let mut configuration =
        HighlightConfiguration::new(grammar, language.name, &highlights, &injections, &locals).ok()?;
    configuration.configure(&classes::NAMES.map(|(name, _)| name));
    Some(configuration)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of each span, with its class.
    fn coloured<'t>(language: &str, text: &'t str) -> Vec<(&'t str, &'static str)> {
        let lines: Vec<&str> = text.split('\n').collect();
        let text_of = |span: &Span| &lines[span.line as usize - 1][span.start as usize..span.end as usize];
        Highlighter::new().spans(language, text).iter().map(|span| (text_of(span), span.class)).collect()
    }

    #[test]
    fn every_language_has_queries_that_fit_its_grammar() {
        for language in &LANGUAGES {
            assert!(compile(language).is_some(), "{}", language.name);
        }
    }

    #[test]
    fn texts_of_all_languages_have_classes() {
        for (language, text, wanted) in [
            ("bash", "if true; then echo \"a\"; fi # b\n", ("\"a\"", "string")),
            ("c", "static int f(void) { return 1; }\n", ("f", "function")),
            ("cpp", "class A { public: int f(); };\n", ("class", "keyword")),
            ("csharp", "class A { string b = \"c\"; }\n", ("\"c\"", "string")),
            ("go", "package a\nfunc f() string { return \"b\" }\n", ("\"b\"", "string")),
            ("hcl", "resource \"a\" \"b\" { c = 1 }\n", ("1", "number")),
            ("java", "class A { void f() { g(\"b\"); } }\n", ("\"b\"", "string")),
            ("javascript", "function f() { return `a ${b}`; } // c\n", ("// c", "comment")),
            ("julia", "function f(a::Int) return 1 end\n", ("Int", "type")),
            ("kotlin", "fun f(): String { return \"a\" }\n", ("fun", "keyword")),
            ("php", "<?php function f() { return 1; }\n", ("function", "keyword")),
            ("python", "def f():\n    return 'a' # b\n", ("def", "keyword")),
            ("ruby", "def f\n  'a'\nend\n", ("def", "keyword")),
            ("swift", "func f() -> String { \"a\" }\n", ("func", "keyword")),
            ("tsx", "const a: Props = <div className=\"b\">c</div>;\n", ("Props", "type")),
            ("typescript", "interface A { b: string }\n", ("interface", "keyword")),
            ("yaml", "a: 'b' # c\n", ("# c", "comment")),
            ("zig", "const a = \"b\";\n", ("const", "keyword")),
        ] {
            let found = coloured(language, text);
            assert!(found.contains(&wanted), "{language}: {found:?}");
        }
    }

    #[test]
    fn a_class_ends_with_each_line_and_counts_bytes() {
        assert_eq!(coloured("python", "é = '''a\nb'''\n"), [("'''a", "string"), ("b'''", "string")]);
        let spans = Highlighter::new().spans("python", "é = 1\r\n");
        assert_eq!(spans, [Span { line: 1, start: 5, end: 6, class: "number" }]);
    }

    #[test]
    fn documents_colour_the_languages_in_them() {
        let found = coloured("html", "<script>let a = 'b';</script>\n");
        assert!(found.contains(&("'b'", "string")) && found.contains(&("script", "tag")), "{found:?}");
        let found = coloured("markdown", "# A\n\n```rust\nfn b() {}\n```\n");
        assert!(found.contains(&("fn", "keyword")), "{found:?}");
    }

    #[test]
    fn what_has_no_grammar_has_no_spans() {
        assert_eq!(coloured("text", "fn a() {}\n"), []);
        assert_eq!(coloured("no such language", "fn a() {}\n"), []);
    }

    #[test]
    fn damaged_texts_are_coloured_as_far_as_they_are_understood() {
        for text in ["", "fn", "fn f( {{{ \"", "\u{0}\u{202e}fn a() {}", &"(".repeat(10_000)] {
            let spans = Highlighter::new().spans("rust", text);
            assert!(spans.iter().all(|span| span.start < span.end && text.is_char_boundary(span.start as usize)));
        }
    }
}

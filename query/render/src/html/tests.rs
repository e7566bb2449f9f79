use sextant_api::location::Location;
use sextant_api::responses::{Connections, Definition, Excerpt, Span};

use super::*;

const HOSTILE: &str = "</pre><script>alert(1)</script>\u{202e}\" onload='x'";

fn definition() -> Definition {
    Definition {
        key: format!("r/a.rs:{HOSTILE}"),
        name: HOSTILE.to_owned(),
        qualified_name: HOSTILE.to_owned(),
        kind: "function",
        location: Location {
            repo: "r".to_owned(),
            path: HOSTILE.to_owned(),
            start_line: 3,
            end_line: 4,
            edited: false,
        },
        signature: Some(HOSTILE.to_owned()),
        is_test: false,
        live: false,
        line_now: None,
    }
}

#[test]
fn hostile_texts_stay_texts() {
    let definition = definition();
    let span = |start, end| Span(3, start, end, "string".to_owned());
    let excerpt = Excerpt {
        location: definition.location.clone(),
        language: "rust".to_owned(),
        symbol: None,
        within: None,
        goes_on: None,
        text: format!("a {HOSTILE}\nlet é = 1;"),
        // The last does not fit the text.
        spans: vec![span(2, 8), span(9, 11), Span(4, 4, 6, "variable".to_owned()), Span(4, 5, 99, "number".to_owned())],
        connections: Connections::default(),
    };
    let parts =
        SymbolParts { definition: &definition, hover: None, source: Some(&excerpt), callers: None, callees: None };
    let page = symbol_page(parts, HOSTILE, &|_| None);
    assert!(!page.contains("<script") && !page.contains('\u{202e}') && !page.contains("' onload"), "{page}");
    assert!(page.contains("<span class=\"h-string\">&lt;/pre&gt;</span>"), "{page}");
    assert!(page.contains("<span class=\"h-variable\">é</span> = 1;"), "{page}");
    assert!(page.contains("script-src") || page.contains("default-src 'none'"));
}

#[test]
fn symbols_with_pages_are_links() {
    let definition = definition();
    let page = map_page("Map", &[], &[&definition], "index", &|key| key.starts_with("r/").then(|| "a.html".to_owned()));
    assert!(page.contains("<a class=\"symbol\" href=\"a.html\">"), "{page}");
    assert!(!page.contains("<script"), "{page}");
}

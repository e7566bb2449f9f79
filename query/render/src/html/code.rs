//! Source with classes of highlighting.

use maud::{Markup, html};
use sextant_api::responses::{Excerpt, Span};

use super::page::text;

/// The lines of an excerpt. Each has an address: `#L12`.
pub(super) fn code(excerpt: &Excerpt) -> Markup {
    let first = excerpt.location.start_line;
    let digits = excerpt.location.end_line.to_string().len();
    let mut spans = excerpt.spans.as_slice();
    html! {
        div class="code" data-digits=(digits) tabindex="0" role="region" aria-label="Source" {
            @for (number, line) in (first..).zip(excerpt.text.split('\n')) {
                @let (of_line, rest) = spans.split_at(spans.partition_point(|span| span.0 <= number));
                @let () = spans = rest;
                div class="line" id=(format!("L{number}")) {
                    a class="number" href=(format!("#L{number}")) { (number) }
                    span class="mark" {}
                    span class="text" { (runs(line, of_line)) }
                }
            }
        }
    }
}

/// A line, divided where its classes change. Spans that do not fit the line are left out.
fn runs(line: &str, spans: &[Span]) -> Markup {
    let line = line.strip_suffix('\r').unwrap_or(line);
    let mut parts: Vec<(&str, Option<&str>)> = Vec::new();
    let mut at = 0;
    for Span(_, start, end, class) in spans {
        let (start, end) = (*start as usize, *end as usize);
        if let (Some(before), Some(inside)) = (line.get(at..start), line.get(start..end)) {
            parts.extend([(before, None), (inside, Some(class.as_str()))]);
            at = end;
        }
    }
    parts.push((line.get(at..).unwrap_or_default(), None));
    html! {
        @for (part, class) in parts.into_iter().filter(|(part, _)| !part.is_empty()) {
            @match class {
                Some(class) => span class=(format!("h-{class}")) { (text(part)) },
                None => (text(part)),
            }
        }
    }
}

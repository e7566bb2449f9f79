//! Responses as text for people and models.
//!
//! Only the methods of [`Locations`] write locations: with the repository if there are several, as a link if the terminal
//! supports links, and with a mark if the file has local edits.

mod graph;
mod links;
mod names;
mod overview;
mod search;
mod source;
mod stats;

use std::path::Path;

use anstyle::{AnsiColor, Style};
use sextant_api::location::{FileLocation, Location};
use sextant_api::responses::{Body, Response};

const PATH: Style = AnsiColor::Magenta.on_default();
const NAME: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const MATCH: Style = AnsiColor::Red.on_default().bold();

/// The mark after the location of a file with local edits.
const EDITED: &str = "(edited)";
/// Longer signatures are cut, in bytes.
const MAX_SIGNATURE_BYTES: usize = 200;

/// Renders responses as text.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextRenderer<'a> {
    /// The folder whose files are linked (OSC 8); none if the terminal does not support links.
    pub links: Option<&'a Path>,
}

/// How locations are written in one response.
#[derive(Clone, Copy)]
struct Locations<'a> {
    one_repo: bool,
    links: Option<&'a Path>,
}

impl TextRenderer<'_> {
    /// Returns a response as text that ends with a line break, or an empty string.
    #[must_use]
    pub fn render(&self, response: &Response) -> String {
        let locations = Locations { one_repo: response.one_repo, links: self.links };
        response.bodies.iter().map(|body| locations.body(body)).collect()
    }
}

impl Locations<'_> {
    fn body(&self, body: &Body) -> String {
        match body {
            Body::Search(answer) => self.search(answer),
            Body::Explore(answer) => self.explore(answer),
            Body::Definitions(answer) => self.definitions(&answer.results),
            Body::References(answer) => self.references(answer),
            Body::Symbols(answer) => self.definitions(&answer.results),
            Body::Hovers(answer) => self.hovers(answer),
            Body::Reach(answer) => self.reach(answer),
            Body::Path(answer) => self.path(answer),
            Body::Related(answer) => self.related(answer),
            Body::Outline(answer) => self.outline(answer),
            Body::Show(answer) => self.show(answer),
            Body::Grep(answer) => self.grep(answer),
            Body::Context(answer) => self.context(answer),
            Body::Map(answer) => self.map(answer),
            Body::Stats(answer) => stats::stats(answer),
            Body::NotFound(_) => String::new(),
        }
    }

    /// `path:line`.
    fn start(&self, location: &Location) -> String {
        self.styled(&location.repo, &location.path, &format!(":{}", location.start_line), location.edited)
    }

    /// `path:line-line`.
    fn range(&self, location: &Location) -> String {
        let lines = format!(":{}-{}", location.start_line, location.end_line);
        self.styled(&location.repo, &location.path, &lines, location.edited)
    }

    /// `path`.
    fn file(&self, file: &FileLocation) -> String {
        self.styled(&file.repo, &file.path, "", file.edited)
    }

    /// `path:line` without colour or link, for lists within a line.
    fn plain(&self, location: &Location) -> String {
        format!("{}:{}", self.name(&location.repo, &location.path), location.start_line)
    }

    fn name(&self, repo: &str, path: &str) -> String {
        if self.one_repo { path.to_owned() } else { format!("{repo}/{path}") }
    }

    fn styled(&self, repo: &str, path: &str, lines: &str, is_edited: bool) -> String {
        let name = self.name(repo, path);
        let text = format!("{PATH}{name}{lines}{PATH:#}");
        let text = match self.links.and_then(|folder| links::file_url(&name, folder)) {
            Some(url) => format!("\u{1b}]8;;{url}\u{1b}\\{text}\u{1b}]8;;\u{1b}\\"),
            None => text,
        };
        if is_edited { format!("{text} {FAINT}{EDITED}{FAINT:#}") } else { text }
    }
}

/// Returns a signature, cut if it is long.
fn signature(text: &str) -> std::borrow::Cow<'_, str> {
    if text.len() <= MAX_SIGNATURE_BYTES {
        return text.into();
    }
    format!("{} ...", text[..text.floor_char_boundary(MAX_SIGNATURE_BYTES)].trim_end()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(path: &str, edited: bool) -> Location {
        Location { repo: "r".to_owned(), path: path.to_owned(), start_line: 1, end_line: 3, edited }
    }

    #[test]
    fn locations_of_edited_files_are_marked() {
        let locations = Locations { one_repo: true, links: None };
        let plain = |text: String| anstream::adapter::strip_str(&text).to_string();
        assert_eq!(plain(locations.range(&location("src/a.rs", true))), "src/a.rs:1-3 (edited)");
        assert_eq!(plain(locations.start(&location("src/a.rs", false))), "src/a.rs:1");
        let locations = Locations { one_repo: false, links: None };
        assert_eq!(plain(locations.start(&location("src/a.rs", false))), "r/src/a.rs:1");
    }

    #[test]
    fn files_that_exist_are_linked() {
        let dir = tempfile::tempdir().unwrap();
        fs_err::create_dir(dir.path().join("src")).unwrap();
        fs_err::write(dir.path().join("src/a b.rs"), "").unwrap();
        for one_repo in [true, false] {
            let locations = Locations { one_repo, links: Some(dir.path()) };
            let linked = locations.start(&location("src/a b.rs", false));
            assert!(linked.starts_with("\u{1b}]8;;file:///") && linked.contains("/src/a%20b.rs\u{1b}\\"), "{linked}");
            let plain = Locations { one_repo, links: None }.start(&location("src/a b.rs", false));
            // The link adds no visible text.
            let strip = |text: &str| anstream::adapter::strip_str(text).to_string();
            assert_eq!(strip(&linked), strip(&plain));
            assert!(!locations.start(&location("none.rs", false)).contains("]8;;"));
        }
    }
}

//! Locations as text: with the repository if there are several, as a link if the terminal supports links, and with a mark
//! if the file has local edits. No other module writes locations.

use std::path::Path;

use sextant_api::location::{FileLocation, Location};
use sextant_api::responses::Neighbour;
use sextant_search::overview::short_path;

use super::links;
use crate::style::{FAINT, PATH};

/// The mark after the location of a file with local edits.
const EDITED: &str = "(edited)";

/// How locations are written in one response.
#[derive(Clone, Copy)]
pub(super) struct Locations<'a> {
    pub(super) one_repo: bool,
    pub(super) links: Option<&'a Path>,
}

impl Locations<'_> {
    /// `path:line`.
    pub(super) fn start(&self, location: &Location) -> String {
        self.styled(&location.repo, &location.path, &format!(":{}", location.start_line), location.edited)
    }

    /// `path:line-line`.
    pub(super) fn range(&self, location: &Location) -> String {
        let lines = format!(":{}-{}", location.start_line, location.end_line);
        self.styled(&location.repo, &location.path, &lines, location.edited)
    }

    /// `path:line-line`, without the path if the location before is in the same file.
    pub(super) fn next_range(&self, previous: Option<&Location>, location: &Location) -> String {
        if previous.is_some_and(|previous| previous.repo == location.repo && previous.path == location.path) {
            return format!("{PATH}{}-{}{PATH:#}", location.start_line, location.end_line);
        }
        self.range(location)
    }

    /// `path`.
    pub(super) fn file(&self, file: &FileLocation) -> String {
        self.styled(&file.repo, &file.path, "", file.edited)
    }

    /// `path:line` without colour or link, for lists within a line.
    pub(super) fn plain(&self, location: &Location) -> String {
        format!("{}:{}", self.name(&location.repo, &location.path), location.start_line)
    }

    pub(super) fn name(&self, repo: &str, path: &str) -> String {
        if self.one_repo { path.to_owned() } else { format!("{repo}/{path}") }
    }

    pub(super) fn styled(&self, repo: &str, path: &str, lines: &str, is_edited: bool) -> String {
        let name = self.name(repo, path);
        let text = format!("{PATH}{name}{lines}{PATH:#}");
        let text = match self.links.and_then(|folder| links::file_url(&name, folder)) {
            Some(url) => format!("\u{1b}]8;;{url}\u{1b}\\{text}\u{1b}]8;;\u{1b}\\"),
            None => text,
        };
        if is_edited { format!("{text} {FAINT}{EDITED}{FAINT:#}") } else { text }
    }
}

/// `file:line` for lists within a line, where the name in front tells where it is.
pub(super) fn brief(location: &Location) -> String {
    format!("{}:{}", short_path(&location.path), location.start_line)
}

/// The line of a caller's call, else of a neighbour's definition.
pub(super) fn neighbour(neighbour: &Neighbour) -> String {
    let location = &neighbour.location;
    format!("{}:{}", short_path(&location.path), neighbour.edge_line.unwrap_or(location.start_line))
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

//! The sources of a plan: folders and git repositories.

use std::path::Path;

use anyhow::bail;

/// A source as it is written: `[NAME=]FROM[#REFERENCE]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// The member's name in the collection, such as `team/server`, or `team/server@1.x` for another state of it; by
    /// default the last part of `from`.
    pub(crate) name: String,
    /// A folder, or what git accepts as a remote.
    pub(crate) from: String,
    /// A branch, a tag or a commit; none for what is checked out, or the default branch.
    pub(crate) reference: Option<String>,
}

impl Source {
    /// Parses a source.
    ///
    /// # Errors
    /// The name is not usable, or there is none.
    pub(crate) fn parse(text: &str) -> anyhow::Result<Self> {
        let is_name = |name: &str| {
            let is_part = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.starts_with('-');
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
            let is_path = |name: &str| name.chars().all(is_plain) && name.split('/').all(is_part);
            // What follows an '@' is a state of the repository before it.
            name.split_once('@').map_or_else(|| is_path(name), |(name, state)| is_path(name) && is_path(state))
        };
        let (name, rest) = match text.split_once('=') {
            // The query of a URL may contain a `=`.
            Some((name, rest)) if !name.contains(':') => (Some(name), rest),
            _ => (None, text),
        };
        let (from, reference) = match rest.rsplit_once('#') {
            // A folder's name may contain a `#`.
            Some((from, reference)) if !reference.is_empty() && !Path::new(rest).is_dir() => (from, Some(reference)),
            _ => (rest, None),
        };
        if reference.is_some_and(|reference| reference.starts_with('-')) || from.starts_with('-') || from.is_empty() {
            bail!("'{text}' is no source; write [NAME=]FOLDER or [NAME=]URL, with #REFERENCE if need be");
        }
        let last = || {
            let path = if is_url(from) { None } else { fs_err::canonicalize(from).ok() };
            let last = path.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
            let text = from.trim_end_matches('/');
            last.unwrap_or_else(|| text.rsplit(['/', ':']).next().unwrap_or(text).trim_end_matches(".git").to_owned())
        };
        let name = name.map_or_else(last, str::to_owned);
        if !is_name(&name) {
            bail!(
                "'{name}' cannot be a member's name; write NAME={from}, with letters, digits and -_./ only, or NAME@STATE={from}"
            );
        }
        Ok(Self { name, from: from.to_owned(), reference: reference.map(str::to_owned) })
    }

    /// Parses a file with one source on each line; `#` begins a comment at the start of a line.
    ///
    /// # Errors
    /// The file cannot be read, or a line is no source.
    pub(crate) fn parse_list(path: &Path) -> anyhow::Result<Vec<Self>> {
        let text = fs_err::read_to_string(path)?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        lines.map(Self::parse).collect()
    }
}

/// Whether a source is a URL, or git's short form of one (`git@host:path`).
pub(crate) fn is_url(from: &str) -> bool {
    let host = from.split_once(':').map(|(host, _)| host);
    from.contains("://") || host.is_some_and(|host| host.contains('@') && !host.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_named_and_point_to_a_state() {
        let parsed = |text: &str| {
            let Source { name, from, reference } = Source::parse(text).unwrap();
            (name, from, reference)
        };
        let source = |name: &str, from: &str, reference: Option<&str>| {
            (name.to_owned(), from.to_owned(), reference.map(str::to_owned))
        };
        let url = "https://example.org/team/server.git";
        assert_eq!(parsed(url), source("server", url, None));
        assert_eq!(parsed(&format!("team/server={url}#v2")), source("team/server", url, Some("v2")));
        assert_eq!(parsed(&format!("team/server@1.x={url}#v2")), source("team/server@1.x", url, Some("v2")));
        assert_eq!(parsed("git@example.org:team/ui.git"), source("ui", "git@example.org:team/ui.git", None));
        let here = fs_err::canonicalize(".").unwrap();
        assert_eq!(parsed(".").0, here.file_name().unwrap().to_string_lossy());
        for bad in [
            "",
            "a=",
            "../x=y",
            "a//b=y",
            "x y=z",
            "a@=u",
            "@a=u",
            "a@b@c=u",
            "a@../b=u",
            "https://example.org/x?a=b",
            "--upload-pack=evil",
            "a=u#-x",
        ] {
            assert!(Source::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_list_has_comments_and_names_its_bad_line() {
        let dir = tempfile::tempdir().unwrap();
        let list = dir.path().join("sources");
        fs_err::write(&list, "# ours\n\na=https://example.org/a\n  b=https://example.org/b#main  \n").unwrap();
        let names: Vec<String> = Source::parse_list(&list).unwrap().into_iter().map(|source| source.name).collect();
        assert_eq!(names, ["a", "b"]);
        fs_err::write(&list, "..=x\n").unwrap();
        assert!(Source::parse_list(&list).unwrap_err().to_string().contains("'..'"));
    }
}

//! What a request is about, for those who must choose among many indexes before they open one.

/// What a request is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A question or another text: the indexes with its words.
    Text(String),
    /// Names of symbols or files: the indexes that have or use one of them.
    Names(Vec<String>),
    /// The beginning or another part of a name.
    PartOfName(String),
    /// A pattern that the source of an index may match: the indexes with its words are the likeliest.
    Pattern(String),
    /// Paths of files, or a diff of them: the indexes that have one of them.
    Files(Vec<String>),
    /// The endpoints that indexes serve and ask.
    Endpoints,
    /// Whole indexes.
    Everything,
}

impl Subject {
    /// The files of a diff in git's format.
    pub(super) fn of_diff(diff: &str) -> Self {
        let path = |line: &str| {
            let path = line.strip_prefix("--- ").or_else(|| line.strip_prefix("+++ "))?.trim_end();
            path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).map(str::to_owned)
        };
        let mut files: Vec<String> = diff.lines().filter_map(path).collect();
        files.dedup();
        Self::Files(files)
    }
}

#[cfg(test)]
mod tests {
    use super::Subject;

    #[test]
    fn a_diff_is_about_its_files() {
        let diff = "diff --git a/x.rs b/x.rs\n--- a/x.rs\n+++ b/x.rs\n@@ -1 +1 @@\n--- /dev/null\n+++ b/y z.rs\n";
        assert_eq!(Subject::of_diff(diff), Subject::Files(vec!["x.rs".to_owned(), "y z.rs".to_owned()]));
    }
}

//! Reads the bytes of a file, or returns the reason why it is skipped. Also recognises test code by its path.

use std::io::Read;

use sextant_format::kinds::SkipReason;

use sextant_syntax::text::Skip;

use crate::model::Source;

/// Reads a file of at most `max_bytes` bytes.
///
/// # Errors
/// The file is larger or cannot be read; the error is the reason for skipping it.
pub fn read(source: &Source, max_bytes: u64) -> Result<Vec<u8>, Skip> {
    let unreadable = |error: &std::io::Error| Skip::new(SkipReason::Unreadable, error.kind().to_string());
    let file = fs_err::File::open(&source.absolute).map_err(|error| unreadable(&error))?;
    let size = file.metadata().map_err(|error| unreadable(&error))?.len();
    let too_large = || Skip::new(SkipReason::TooLarge, format!("more than {max_bytes} bytes"));
    if size > max_bytes {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
    // A file may grow while it is read, and some special files have no size at all.
    file.take(max_bytes + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > max_bytes {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Names of folders that contain tests by the conventions of the languages' communities.
const TEST_FOLDERS: &[&str] =
    &["test", "tests", "__tests__", "spec", "specs", "testing", "testdata", "test_data", "e2e", "unittests"];

/// Extensions of languages whose communities do not call tests specifications: `PodSpec.java` and `server_spec.py` are none.
const WITHOUT_SPECS: &[&str] = &["c", "cc", "cpp", "cs", "go", "h", "hpp", "java", "py", "rs"];

/// Whether a path is certainly test code, by the name of a folder or of the file.
#[must_use]
pub fn is_test_path(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let mut name_words = name.split('.').skip(1);
    folders.split('/').any(|folder| TEST_FOLDERS.contains(&folder.to_ascii_lowercase().as_str()))
        || name_words.any(|word| word == "test" || word == "spec")
        || ["_test", "_tests", "Test", "Tests"].iter().any(|end| stem.ends_with(end))
        || ["_spec", "Spec"].iter().any(|end| stem.ends_with(end))
            && !WITHOUT_SPECS
                .iter()
                .any(|extension| name.strip_suffix(extension).is_some_and(|rest| rest.ends_with('.')))
}

/// Whether a path may be test code: `test_functions.sh` contains tests or helper functions. The definitions in the file
/// decide.
pub fn may_be_test_path(path: &str) -> bool {
    path.rsplit('/').next().is_some_and(|name| name.starts_with("test_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_paths() {
        for path in [
            "tests/a.rs",
            "src/__tests__/x.ts",
            "a/x_test.go",
            "a/x.spec.ts",
            "a/FooTest.java",
            "a/x_spec.rb",
            "a/FooSpec.scala",
        ] {
            assert!(is_test_path(path), "{path}");
        }
        for path in [
            "src/attest.rs",
            "src/contest/x.py",
            "latest.js",
            "src/testimony.rs",
            "net/server_spec.py",
            "a/PodSpec.java",
        ] {
            assert!(!is_test_path(path), "{path}");
        }
    }
}

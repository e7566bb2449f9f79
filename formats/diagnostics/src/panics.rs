//! Panics as values.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::{Mutex, PoisonError};

thread_local! {
    /// Where this thread panicked last.
    static HERE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Where any thread panicked last: a panic may be met by the thread that joins the one it happened on.
static ANYWHERE: Mutex<Option<String>> = Mutex::new(None);

/// A panic: its message, and the place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panic {
    /// The message.
    pub message: String,
    /// `file:line:column`; none without [`install_panic_hook`].
    pub location: Option<String>,
}

impl fmt::Display for Panic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.location {
            Some(location) => write!(f, "{}, at {location}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Panic {}

impl Panic {
    /// The panic of a payload that `catch_unwind` or `join` returned.
    #[must_use]
    pub fn from_payload(payload: &(dyn Any + Send)) -> Self {
        let message = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "a panic without a message".to_owned());
        let location = HERE
            .with_borrow_mut(Option::take)
            .or_else(|| ANYWHERE.lock().unwrap_or_else(PoisonError::into_inner).clone());
        Self { message, location }
    }
}

/// From now on a panic prints nothing: its place is kept for [`catch`] and [`Panic::from_payload`].
pub fn install_panic_hook() {
    std::panic::set_hook(Box::new(record));
}

fn record(info: &PanicHookInfo<'_>) {
    let location = info
        .location()
        .map(|place| format!("{}:{}:{}", without_folders_of_machine(place.file()), place.line(), place.column()));
    HERE.set(location.clone());
    *ANYWHERE.lock().unwrap_or_else(PoisonError::into_inner) = location;
}

/// A source file's path from its crate on: the same text on every machine.
fn without_folders_of_machine(file: &str) -> &str {
    let below = |folder: &str| file.split_once(folder).and_then(|(_, rest)| Some(rest.split_once('/')?.1));
    below("/registry/src/").or_else(|| below("/rustc/")).unwrap_or(file)
}

/// Runs some work; its panic becomes an error.
///
/// # Errors
/// The work panicked.
pub fn catch<T>(work: impl FnOnce() -> T) -> Result<T, Panic> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| Panic::from_payload(payload.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_says_where() {
        install_panic_hook();
        let panic = catch(|| panic!("row {}", 3)).unwrap_err();
        let line = line!() - 1;
        assert_eq!(panic.message, "row 3");
        let location = panic.location.unwrap();
        assert!(location.contains("panics.rs:") && location.contains(&format!(":{line}:")), "{location}");
        assert_eq!(catch(|| 7), Ok(7));
    }

    #[test]
    fn places_name_no_folder_of_a_machine() {
        for (file, expected) in [
            (
                "/home/me/.cargo/registry/src/index.crates.io-1949cf8c/tantivy-0.27.0/src/lib.rs",
                "tantivy-0.27.0/src/lib.rs",
            ),
            ("/rustc/59807616/library/core/src/option.rs", "library/core/src/option.rs"),
            ("formats/format/src/lib.rs", "formats/format/src/lib.rs"),
        ] {
            assert_eq!(without_folders_of_machine(file), expected);
        }
    }

    #[test]
    fn a_joined_thread_says_where() {
        install_panic_hook();
        let joined = std::thread::scope(|scope| {
            let worker = scope.spawn(|| panic!("in the worker"));
            worker.join().map_err(|payload| Panic::from_payload(payload.as_ref()))
        });
        let panic = joined.unwrap_err();
        assert_eq!(panic.message, "in the worker");
        assert!(panic.location.is_some());
    }
}

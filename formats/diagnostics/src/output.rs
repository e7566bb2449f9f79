//! What programs write: errors to standard error, and results to standard output, of which a failure is kept until the
//! program ends.

use std::error::Error;
use std::io;
use std::sync::{Mutex, PoisonError};

use crate::terminal::sanitise;

/// Why results could not be written.
static FAILURE: Mutex<Option<String>> = Mutex::new(None);

/// Keeps the failure of a write to standard output for [`write_failure`]. A reader that stops reading, such as `head`, is no
/// failure.
pub fn keep_write_failure(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        FAILURE.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error.to_string());
    }
}

/// Why results could not be written, if that happened: a program must not end as if it had written them.
#[must_use]
pub fn write_failure() -> Option<String> {
    FAILURE.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The lines that report an error with its causes and a hint. Control characters of the texts are escaped.
#[must_use]
pub fn report(error: &str, mut cause: Option<&dyn Error>, hint: Option<&str>) -> String {
    let mut out = format!("error: {}\n", sanitise(error));
    while let Some(inner) = cause {
        let text = inner.to_string();
        // A transparent error has the same message as its source.
        if text != error {
            out.push_str(&format!("  cause: {}\n", sanitise(&text)));
        }
        cause = inner.source();
    }
    if let Some(hint) = hint {
        out.push_str(&format!("\nhint: {}\n", sanitise(hint)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_have_causes_and_no_control_characters() {
        let cause = io::Error::other("disk\u{1b}[2J");
        let shown = report("no index", Some(&cause), Some("build one"));
        assert_eq!(shown, "error: no index\n  cause: disk\\u001b[2J\n\nhint: build one\n");
    }

    #[test]
    fn a_reader_that_stops_is_no_failure() {
        keep_write_failure(Err(io::Error::from(io::ErrorKind::BrokenPipe)));
        assert_eq!(write_failure(), None);
        keep_write_failure(Err(io::Error::other("full")));
        keep_write_failure(Err(io::Error::other("later")));
        assert_eq!(write_failure().as_deref(), Some("full"));
    }
}

//! Handles Ctrl-C: the first asks the build to stop and clean up, the second ends the process.

use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// The exit code of an interrupted program by shell convention: 128 + SIGINT.
pub const EXIT_INTERRUPTED: i32 = 130;

/// Installs the handler; SIGTERM counts as Ctrl-C.
///
/// # Errors
/// The system refuses the handler, or one is installed already.
pub fn install() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::SeqCst) {
            #[expect(clippy::exit, reason = "the second Ctrl-C ends the process at once")]
            std::process::exit(EXIT_INTERRUPTED);
        }
        #[expect(clippy::print_stderr, reason = "the handler has no access to the progress bar")]
        {
            eprintln!("\nstopping, the index stays as it was; press Ctrl-C again to stop at once");
        }
    })
}

/// The build was stopped by Ctrl-C; nothing was published.
#[derive(Debug, thiserror::Error)]
#[error("stopped before the index was published")]
pub(crate) struct Interrupted;

/// Ends what runs if Ctrl-C was pressed.
///
/// # Errors
/// It was.
pub(crate) fn check() -> Result<(), Interrupted> {
    if requested() { Err(Interrupted) } else { Ok(()) }
}

/// Whether Ctrl-C was pressed.
#[must_use]
pub fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

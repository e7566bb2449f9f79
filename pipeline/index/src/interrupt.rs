//! Two-step Ctrl-C: the first asks the build to stop and clean up, the second ends the process.

use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// The exit code of an interrupted program, as shells know it.
pub const EXIT_INTERRUPTED: i32 = 130;

/// Installs the handler; SIGTERM counts as Ctrl-C.
pub fn install() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::SeqCst) {
            #[expect(clippy::exit, reason = "the second Ctrl-C means now")]
            std::process::exit(EXIT_INTERRUPTED);
        }
        #[expect(clippy::print_stderr, reason = "the one message that cannot wait for its turn")]
        {
            eprintln!("\nstopping, the index stays as it was; press Ctrl-C again to stop at once");
        }
    })
}

/// Whether a stop was asked for.
#[must_use]
pub fn requested() -> bool {
    REQUESTED.load(Ordering::SeqCst)
}

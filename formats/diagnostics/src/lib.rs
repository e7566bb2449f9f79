//! Diagnostics of both programs: panics become errors that name their place in the source
//! ([`catch`], [`Panic`]), log messages go to standard error (`log`, with the feature `subscriber`), and what programs print
//! cannot control a terminal ([`sanitise`], [`report`]).
//!
//! ```
//! sextant_diagnostics::install_panic_hook();
//! let panic = sextant_diagnostics::catch(|| panic!("no such row")).unwrap_err();
//! assert_eq!(panic.message, "no such row");
//! assert!(panic.to_string().starts_with("no such row, at "));
//! ```
//!
//! This crate must not know what the programs do.

#[cfg(feature = "subscriber")]
mod log;
mod output;
mod panics;
mod terminal;

#[cfg(feature = "subscriber")]
pub use log::start_logging;
pub use output::{keep_write_failure, report, write_failure};
pub use panics::{Panic, catch, install_panic_hook};
pub use terminal::sanitise;

//! Diagnostics of both programs: panics become errors that name their place in the source
//! ([`catch`], [`Panic`]), and log messages go to standard error (`log`, with the feature `subscriber`).
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
mod panics;

#[cfg(feature = "subscriber")]
pub use log::start_logging;
pub use panics::{Panic, catch, install_panic_hook};

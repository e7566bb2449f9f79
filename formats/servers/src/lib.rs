//! Starts language servers and asks them: places in files in, places and texts out.
//!
//! A server is started when it is first needed, reused, restarted after a crash, left alone after repeated failures, and
//! ended with this process. It is not trusted: every wait has a deadline, every size a bound. Servers run with settings
//! that execute no code of the checkout where they have such settings; the programs are looked up in `PATH`, never in the
//! checkout.
//!
//! Must not know indexes.

mod breaker;
mod error;
pub mod operations;
mod pool;
mod server;
mod session;

pub use error::{Error, Failure, Result};
pub use pool::{Pool, ServerFor};
pub use server::{Readiness, ServerSpec, ServerTable};
pub use session::{Phase, Session};

//! Asks running language servers about the symbols of an index: their references, callers and descriptions in the
//! checkout as it is now.
//!
//! A server is started when it is first needed, reused, restarted after a crash, left alone after repeated failures, and
//! ended with this process. It is not trusted: every wait has a deadline, every size a bound, and what it says is kept
//! only where it points into the checkout. Servers run with settings that execute no code of the checkout where they have
//! such settings; the programs are looked up in `PATH`, never in the checkout.
//!
//! [`session`] speaks the protocol and knows no index; [`bridge`] knows both sides.

mod breaker;
mod bridge;
mod cache;
mod error;
mod operations;
mod pool;
mod server;
mod session;

pub use bridge::LiveServers;
pub use error::{Error, Failure, Result};
pub use server::{Readiness, ServerSpec, ServerTable};
pub use session::Phase;

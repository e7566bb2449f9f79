//! The MCP and HTTP servers. Both send the requests of [`sextant_api`] to the generation that an index's `CURRENT` names.
//! When `CURRENT` changes, new requests are answered from the new generation, and those in progress finish with the old
//! one.
//!
//! This crate must not know what a request means or how it is answered.

mod access;
mod access_log;
mod answers;
mod error;
mod http;
mod install;
mod live;
mod mcp;
mod metrics;
mod openapi;
mod page;
mod watch;

pub use access::{Access, Teams};
pub use answers::{Answers, Chosen, no_index};
pub use error::{Error, Result};
pub use http::{Http, serve, serve_when_ready};
pub use install::{CLIENTS, Client, ServedIndexes, install, install_hook};
pub use live::Live;
pub use mcp::serve_stdio;
pub use page::style_sheet;
pub use watch::{Waker, Watcher};

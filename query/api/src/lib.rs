//! What can be asked of indexes and what is answered: one set of requests ([`requests`]) with one name, one set of
//! parameters and one response ([`responses`]) each.
//!
//! The command line, the MCP server and the HTTP server send these requests and know nothing of what is behind them. The
//! documentation of a parameter is its help on the command line and its description in the schemas. A response is data
//! until it is printed: this crate must not know how.
//!
//! ```no_run
//! use sextant_api::config::Config;
//! use sextant_api::requests::{Definition, Request};
//! use sextant_api::IndexSet;
//!
//! let indexes = IndexSet::open(&["index"], Config::default())?;
//! let request: Definition = serde_json::from_str(r#"{"name": "Session.close"}"#).expect("valid parameters");
//! let response = request.run(&indexes)?;
//! println!("{}", serde_json::to_string(&response.bodies).expect("plain data"));
//! # Ok::<(), sextant_api::Error>(())
//! ```

pub mod config;
mod error;
mod index_set;
pub mod location;
pub mod overlay;
pub mod requests;
pub mod responses;
mod schema;

pub use error::{Error, Result};
pub use index_set::{IndexSet, NamedIndex};
pub use schema::{markdown, schemas_json};

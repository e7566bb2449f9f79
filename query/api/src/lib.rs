//! The requests that indexes answer ([`requests`]) and their responses ([`responses`]). Each request has one name, one
//! set of parameters and one response type.
//!
//! The command line, the MCP server and the HTTP server all send these requests. The documentation of a parameter is its
//! help text on the command line and its description in the schemas. A response is data: this crate must not know how it
//! is printed.
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
pub mod date;
mod error;
mod freshness;
mod highlight;
mod index_set;
mod indexer;
mod links;
pub mod location;
pub mod overlay;
pub mod requests;
pub mod responses;
mod schema;
mod text_form;

pub use error::{Error, Result};
pub use index_set::{IndexSet, NamedIndex};
pub use schema::{markdown, schemas_json};

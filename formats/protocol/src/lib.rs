//! Columns and URIs of the Language Server Protocol, for its client and its server alike.
//!
//! Must not know messages of the protocol, or indexes.

mod column;
mod uri;

pub use column::{Encoding, identifier};
pub use uri::{canonical, path_of_uri, uri_of_path};

//! Where packs lie: a folder, a web server, an object store. The only crate that reaches outside.
//!
//! [`Object`] is one thing that can be read in parts, [`Bucket`] a location where things are put and listed. Both are
//! asked from ordinary code: what waits for the network waits in here. This crate must not know what the bytes mean.

mod bucket;
mod error;
mod location;
mod object;

pub use bucket::{Bucket, ObjectInfo, ObjectVersion, PutCondition};
pub use error::{Error, Result};
pub use location::is_remote;
pub use object::Object;

//! Where packs lie: a folder, a web server, an object store. The only crate that reaches outside.
//!
//! [`Object`] is one thing that can be read in parts, [`Bucket`] a place where things are put and listed. Both are
//! asked from ordinary code: what waits for the network waits in here. This crate must not know what the bytes mean.

mod bucket;
mod error;
mod object;
mod place;

pub use bucket::{Bucket, Condition, Listed, Version};
pub use error::{Error, Result};
pub use object::Object;
pub use place::is_remote;

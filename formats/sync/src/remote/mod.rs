//! Locations of packs: folders, web servers and object stores. The only module that opens outgoing connections.
//!
//! [`Object`] can be read in ranges, [`Bucket`] can be written and listed. Their callers are synchronous code; waiting
//! for the network stays inside this module. It must not know the meaning of the bytes.

mod bucket;
mod error;
mod location;
mod object;

pub use bucket::{Bucket, ObjectInfo, ObjectVersion, PutCondition};
pub use error::{Error, Result};
pub use location::{client_builder, error_chain, is_remote};
pub use object::Object;

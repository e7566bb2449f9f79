//! The LanceDB table `vectors`: the published, open form of the vectors. It is written from a spool ([`spool`]),
//! compared with the matrix ([`verify`]) and searched ([`search`]).
//!
//! The only crate that links LanceDB. It must not know where vectors come from, nor how hits are ranked.

mod error;
pub mod search;
pub mod spool;
pub mod verify;
mod write;

pub use error::{Error, Result};
pub use write::write_table;

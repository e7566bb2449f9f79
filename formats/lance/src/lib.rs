//! The LanceDB table `vectors`, which gives other programs access to the vectors. It is written from a spool
//! ([`spool`]), compared with the int8 matrix ([`verify`]) and searched ([`search`]).
//!
//! This is the only crate that links LanceDB. It must not know where vectors come from, nor how hits are ranked.

mod error;
mod renumber;
mod rows;
pub mod search;
pub mod spool;
pub mod verify;
mod write;

pub use error::{Error, Result};
pub use renumber::renumber_table;
pub use write::{can_append, link_table, write_table};

//! Which language servers there are: the built-in table, and what the user changes in it. Data only: nothing is started
//! here.

mod table;

pub use table::{Readiness, ServerSpec, ServerTable};

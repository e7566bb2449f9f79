//! What language servers say about symbols of an index: the questions as a trait ([`LanguageServers`]), and their answers
//! beside those of the index ([`Confirmation`]).
//!
//! Must not know how servers are started and asked.

mod confirm;
mod node;
mod servers;

pub use confirm::{Confirmation, LiveCallers, LiveDefinitions, LiveUses, NameQuery};
pub(crate) use node::nodes;
pub use node::{Node, Position};
pub use servers::{Asked, LanguageServers, LivePlace, LiveRelations, ServerReport};

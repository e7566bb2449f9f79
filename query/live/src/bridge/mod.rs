//! Symbols of an index to places of the checkout, and what servers say about them back to symbols.

mod ask;
mod files;
mod servers;
mod symbols;

pub use servers::LiveServers;

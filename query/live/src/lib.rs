//! Asks running language servers about the symbols of an index: their references, callers, definitions and descriptions
//! in the checkout as it is now. Symbols become places of the checkout, and what servers say about them becomes symbols
//! again. What a server says is kept only where it points into the checkout.
//!
//! The servers themselves are `sextant-servers`.

mod ask;
mod cache;
mod files;
mod servers;
mod symbols;

pub use servers::LiveServers;

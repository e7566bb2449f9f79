//! A language server that answers from an index: any editor gets definitions, references, hovers, symbols and calls of a
//! code base at once, without analysing anything.
//!
//! Positions of open documents are mapped to the lines that were indexed, so answers stay right while a file is edited;
//! an edited line itself is unknown until the index or its overlay is brought up to date. Answers come from edges that
//! are at least as sure as the default of the other commands: there are no guesses by name.
//!
//! This crate must not know how an index is built or replaced; its caller provides the current one.

mod document;
mod error;
mod handlers;
mod server;
mod workspace;

pub use error::{Error, Result};
pub use server::serve_stdio;

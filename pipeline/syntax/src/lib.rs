//! The bytes of one file into symbols, references and chunks.
//!
//! [`Analyzer::analyze`] is the way through: [`text`] makes characters of the bytes, [`language`] says what
//! they are written in, [`extract`] finds definitions, uses and blocks with the language's queries, and
//! [`chunk`] divides the lines. Nothing here knows other files, vectors, or where results are kept.

pub mod analyze;
pub mod check;
pub mod chunk;
pub mod dump;
pub mod extract;
pub mod language;
pub mod model;
pub mod project;
pub mod record;
pub mod text;

pub use analyze::{Analysis, Analyzer};

//! Analyses one file: bytes in, symbols, references and chunks out.
//!
//! [`Analyzer::analyze`] runs all stages. [`text`] decodes the bytes, [`language`] detects the language,
//! [`extract`] finds definitions, uses and blocks with the language's queries, and [`chunk`] divides the
//! lines. This crate must not know other files, vectors or storage.
//!
//! ```
//! use sextant_syntax::Analyzer;
//! use sextant_syntax::chunk::Limits;
//!
//! let text = "pub struct Stack;\n\nimpl Stack {\n    pub fn push(&mut self, value: u8) {}\n}\n";
//! let analysis = Analyzer::new()
//!     .analyze("src/stack.rs", text.into(), &Limits::STANDARD)
//!     .expect("the text is neither binary nor minified");
//! assert_eq!(analysis.language_name(), "rust");
//!
//! for symbol in &analysis.symbols {
//!     println!("{}: {} {}", symbol.start_line, symbol.kind, symbol.qualified_name);
//! }
//! let names: Vec<_> = analysis.symbols.iter().map(|symbol| symbol.qualified_name.as_str()).collect();
//! assert_eq!(names, ["src/stack.rs", "Stack", "Stack::push"]);
//! ```

pub mod analyze;
pub mod check;
pub mod chunk;
pub mod dump;
pub mod endpoints;
pub mod extract;
pub mod language;
pub mod learn;
pub mod macros;
pub mod model;
mod path;
pub mod project;
pub mod record;
pub mod text;

pub use analyze::{Analysis, Analyzer};

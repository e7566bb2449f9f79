//! Resolves references to definitions: turns the symbols and references of all files into edges with a confidence.
//!
//! Resolution runs once, when the symbol table is complete. Rules are tried from the most certain to the least
//! ([`Tier`](sextant_format::kinds::Tier)). A reference that several definitions fit becomes one ambiguous edge for
//! each of them; a reference that none fits is external or unresolved. This crate knows no grammar: everything that
//! differs between languages comes from the language's row.
//!
//! ```
//! use sextant_format::ids::SymbolId;
//! use sextant_resolve::{Error, FileContext, SymbolTable};
//! use sextant_syntax::chunk::LineIndex;
//! use sextant_syntax::extract::Extractor;
//! use sextant_syntax::language;
//!
//! let text = "def area(): return side() ** 2\ndef side(): return 3\n";
//! let python = language::by_name("python").unwrap();
//! let file = Extractor::new().extract(python, "shape.py", &LineIndex::new(text));
//! let mut table = SymbolTable::default();
//! let context = FileContext { repo: 0, path: "shape.py", language: python.name, is_test: false };
//! table.add_file(context, SymbolId::new(0), &file.symbols, &file.references, &file.type_facts);
//! let mut edges = Vec::new();
//! table.resolve(1, || false, None, &mut edges)?;
//! assert_eq!(edges[0].target_name, "side");
//! # Ok::<_, Error>(())
//! ```

// Layers: a module uses only modules of the lines above its own.
//
//     error  fingerprint  confidence  target_class  qualifier  module_path
//     interner  reads
//     served
//     resolution  scip  type_facts  projects  model
//     namespaces  value  scip_uses
//     answers
//     cache  table
//     symbol_lookup  modules
//     imports
//     view (the resolver's data and what it knows of one file)
//     lookups (what other files answer, recorded)
//     exports
//     typing (names, types, members, receivers and what is outside call each other through the resolver)
//     external
//     derived  unqualified  qualified  constructors
//     resolver and endpoints (each handler is resolved as a name)  interface
//     readers
//     run
//     doubts

mod answers;
mod cache;
mod candidates;
mod classes;
mod compatible;
mod confidence;
mod constructors;
mod derived;
mod doubts;
mod endpoints;
mod error;
mod exports;
mod external;
mod fingerprint;
mod imports;
mod included_files;
mod includes;
mod interface;
mod interner;
mod lexical;
mod lookups;
mod model;
mod module_path;
mod modules;
mod name_rules;
mod namespaces;
mod packed;
mod parameters;
mod projects;
mod qualified;
mod qualifier;
mod raw_reference;
mod readers;
mod reads;
mod resolution;
mod resolver;
mod run;
pub mod scip;
mod scip_uses;
mod served;
mod stored;
mod stored_readers;
mod symbol_lookup;
mod table;
mod target_class;
#[cfg(test)]
mod tests;
mod type_facts;
mod typing;
mod unqualified;
mod value;
mod view;

pub use doubts::{Doubt, SymbolPath};
pub use error::{Error, Result};
pub use model::TableSizes;
pub use readers::{EarlierEdges, Interfaces};
pub use run::{EdgeSink, ResolvedEdges};
pub use stored::{StoredFile, StoredFiles, StoredSymbols, StoredTable};
pub use stored_readers::{Readers, ResolvedReaders};
pub use table::{FileContext, SymbolTable};

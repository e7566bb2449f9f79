//! Answers as web pages without script: what `sextant export` writes. Texts of an index may come from anybody; they reach a
//! page escaped, and the page forbids scripts. The style sheets are those of the web page.

mod code;
mod map;
mod page;
mod symbol;
#[cfg(test)]
mod tests;

pub use map::map_page;
pub use page::{Links, STYLE_SHEETS};
pub use symbol::{SymbolParts, symbol_page};

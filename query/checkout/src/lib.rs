//! The files of an index where they are on this machine: which folder is a checkout of which repository, where the lines
//! of the index are in a file's text of now, and columns in the units of the Language Server Protocol.
//!
//! Must not know the protocol's messages, and writes nothing.

mod column;
mod current_text;
mod line_map;
mod roots;

pub use column::{Encoding, identifier};
pub use current_text::CurrentText;
pub use line_map::LineMap;
pub use roots::{Root, find_roots, path_of_uri, uri_of_path};

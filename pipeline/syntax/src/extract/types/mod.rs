//! Reduces types and values, as written, to what is needed to look up their members.
//!
//! An **access path** is the origin of a value: names, members, calls and subscripts without arguments,
//! `a.b().c[]`; `[*]` stands for the elements over which a loop runs. It may begin with a declared type, `<A>`. A **type**
//! is a path, `a.B`, or `()T` for a callable that returns a `T`; what is known of its elements follows in brackets,
//! `List[A]`, after a colon if they have keys, `Map[:A]`. Both may be alternatives, separated by `|`. The empty text means unknown,
//! and [`BUILT_IN`] a literal or type of the language itself. This module knows syntax that languages
//! share, and no particular language.

mod access_path;
mod alternatives;
mod arguments;
mod notation;

pub use access_path::access_path;
pub use alternatives::type_alternatives;
pub(super) use arguments::argument_count;
pub use arguments::arity_range;
pub use notation::{BUILT_IN, Elements, split_alternatives, split_elements};

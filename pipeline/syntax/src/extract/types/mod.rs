//! Reduces types and values, as written, to what is needed to look up their members.
//!
//! An **access path** is the origin of a value: names, members, calls and subscripts without arguments, `a.b().c[]`.
//! It may begin with a declared type, `<A>`, or with a literal of elements of a path, `[A()]`, after a colon if they have
//! keys, `[:A()]`. Further steps:
//!
//! | step | what it stands for |
//! |---|---|
//! | `[*]` | the elements over which a loop runs |
//! | `[with]` | what a context manager gives |
//! | `.0` | the part at a place, of a tuple, a pair or a list |
//! | `{<A>}` | what is called has the type argument A; `{<:A>}` if A is the last of several, `{<^A>}` if the class A is an argument |
//! | `{>.b()}` | the function that the call gets calls `b` of its argument |
//! | `{@a}` | the call returns what a method of `a` would |
//! | `{1.0}` | what the call passes to its second argument, a function, as the first one; `{1}` what it expects there |
//!
//! A **type** is a path, `a.B`, or `(A,B)T` for a function, with `this=C` among its parameters if a C is its `this`. What is
//! known of its elements follows in brackets, `List[A]`, after a colon if they have keys, `Map[:A]`. A tuple is `#(A,b=B)`,
//! and its parts are the members `0`, `1` and, by name, `b`.
//!
//! Both may be alternatives, separated by `|`. The empty text means unknown, and [`BUILT_IN`] a literal or type of the
//! language itself. This module knows syntax that languages share, and no particular language.

mod access_path;
mod alternatives;
mod argument_shape;
mod arguments;
mod notation;
mod parameters;
mod type_arguments;
mod written_values;

pub use access_path::{PathNotation, access_path, access_path_with};
pub(super) use alternatives::signature_type;
pub use alternatives::type_alternatives;
pub use argument_shape::NULL;
pub(super) use argument_shape::argument_shape;
pub(super) use arguments::argument_count;
pub use notation::{
    BINDING_MARK, BUILT_IN, CLASS_MARK, ENTERED, Elements, PART_MARK, RECEIVER_MARK, UNKNOWN_ELEMENT,
    split_alternatives, split_elements, split_function, split_tuple, tuple_part,
};
pub(super) use notation::{commas_outside_of_brackets, split_identifier, split_label, split_top_level};
pub use parameters::{Parameter, arity_range, parameters, type_parameters};
pub(super) use type_arguments::type_argument;

//! What an expression may evaluate to, by names and types alone.

use sextant_format::ids::FileId;
use sextant_format::ids::SymbolId;
use std::rc::Rc;

use smallvec::SmallVec;

use crate::resolution::SymbolIds;

/// How many definitions deep an evaluation follows names, types and calls.
pub(crate) const MAX_DEPTH: u32 = 24;
/// Values kept of one expression. With more, a member could be anything.
pub(crate) const MAX_VALUES: usize = 8;

/// A value that an expression may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// An object of this type, or the object that this constant is.
    Instance(SymbolId),
    /// A type, module or namespace itself.
    Type(SymbolId),
    /// The members that this type inherits.
    Super(SymbolId),
    /// A function.
    Callable(SymbolId),
    /// A function by its type: the file and scope in which the type's text is read, and the text.
    Returns(FileId, SymbolId, Rc<str>),
    /// A tuple by its type: the file and scope in which the type's text is read, and the text.
    Tuple(FileId, SymbolId, Rc<str>),
    /// A function or type that is called with a type argument.
    Applied(SymbolId, Elements),
    /// A collection, by its elements.
    Elements(Elements),
    /// The last type argument of a type of the repository, of which another value is an object.
    Argument(Elements),
    /// The files of a module.
    Module(Rc<[FileId]>),
    /// Something that the repository does not define, and of which no name is known.
    External,
    /// An object of a type of the language itself, by the type's name.
    BuiltIn(Rc<str>),
    /// A definition, or an object of a type, outside of the repository.
    Outside(Outside),
}

/// Something outside of the repository, by the name under which it is imported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outside {
    /// The module, as the import names it.
    pub(crate) module: Rc<str>,
    /// The full name, with the module: of the definition, or of the object's type.
    pub(crate) name: Rc<str>,
    /// Whether it is an object of the type, instead of what has the name.
    pub(crate) is_instance: bool,
}

impl Value {
    /// Whether the repository does not define it.
    pub(crate) const fn is_external(&self) -> bool {
        matches!(self, Self::External | Self::BuiltIn(_) | Self::Outside(_))
    }
}

/// What is known of a collection's elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Elements {
    /// The file and the scope in which the text is read.
    pub(crate) file: FileId,
    pub(crate) scope: SymbolId,
    /// The alternatives of their type.
    pub(crate) types: Rc<str>,
    /// Whether they have keys, so that a loop runs over more than them.
    pub(crate) is_by_key: bool,
}

/// The result of looking up a member.
pub(crate) enum MemberLookup {
    /// Definitions of the member.
    Definitions(SymbolIds),
    /// The receiver's type is known and has no such member.
    Missing,
    /// The receiver's type is defined outside of the repository.
    External,
    /// The receiver's type is unknown.
    Unknown,
}

/// The values of an expression, as the cache stores them.
pub(crate) type CachedValues = Rc<[Value]>;

/// The values that an expression may have, usually one. Empty means unknown.
pub(crate) type PossibleValues = SmallVec<[Value; 1]>;

/// The bases that a type names.
#[derive(Clone, Debug)]
pub(crate) struct BaseTypes {
    pub(crate) types: Rc<[SymbolId]>,
    /// Whether one of them is defined outside of the repository.
    pub(crate) has_external_base: bool,
}

impl BaseTypes {
    /// Used while the bases are being looked up.
    pub(crate) fn unknown() -> Self {
        Self { types: Rc::from([]), has_external_base: true }
    }
}

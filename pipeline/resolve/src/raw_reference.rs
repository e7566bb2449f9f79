//! A reference in the form that resolution needs.

use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;

use crate::interner::NameId;

/// A reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RawReference {
    /// The innermost symbol around it.
    pub(crate) source: SymbolId,
    pub(crate) name: NameId,
    /// The receiver or module as written.
    pub(crate) owner: Option<NameId>,
    /// The local name of an import.
    pub(crate) alias: Option<NameId>,
    pub(crate) line: u32,
    pub(crate) column: u32,
    pub(crate) kind: EdgeKind,
    /// Whether a parameter or local variable has the name.
    pub(crate) is_local: bool,
    /// Whether `::` joins owner and name.
    pub(crate) is_path_qualified: bool,
    pub(crate) argument_count: Option<u8>,
    /// The shapes of its arguments.
    pub(crate) arguments: Option<NameId>,
}

/// How a name after a receiver is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MemberForm {
    /// It follows a path, or nothing is known of its use.
    Any,
    /// It is a member of a value, and called.
    Called,
    /// It is a member of a value, and not called.
    Read,
}

impl RawReference {
    /// How the name is used, if it follows a receiver.
    pub(crate) fn member_form(&self) -> MemberForm {
        match self.kind {
            _ if self.owner.is_none() || self.is_path_qualified => MemberForm::Any,
            EdgeKind::Call => MemberForm::Called,
            EdgeKind::Reference => MemberForm::Read,
            _ => MemberForm::Any,
        }
    }
}

//! Relations of a traversal: which kinds of edges it follows.

use sextant_format::kinds::EdgeKind;

/// Which edges a traversal follows, and in which direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Symbols that call, instantiate or decorate with a symbol or ask its endpoint, and those that use a function as a value.
    Callers,
    /// Symbols that a symbol calls, instantiates, is decorated with or asks by their endpoints.
    Callees,
    /// Symbols that use a symbol or one of its members in any way.
    Impact,
}

impl Relation {
    /// Whether edges of a kind are followed.
    #[must_use]
    pub const fn follows(self, kind: EdgeKind) -> bool {
        match self {
            Self::Callers | Self::Callees => {
                matches!(kind, EdgeKind::Call | EdgeKind::Instantiate | EdgeKind::Decorate | EdgeKind::Request)
            }
            Self::Impact => !matches!(kind, EdgeKind::Contains),
        }
    }
}

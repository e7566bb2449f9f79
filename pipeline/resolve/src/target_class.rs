//! Which kinds of symbols a use of a kind can mean.

use sextant_format::kinds::{EdgeKind, Kind};

/// Kinds of uses that can mean the same kinds of symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TargetClass {
    Callable,
    Instantiable,
    Type,
    Anything,
    Nothing,
}

impl TargetClass {
    pub(super) const fn for_edge(kind: EdgeKind) -> Self {
        match kind {
            EdgeKind::Call | EdgeKind::Decorate => Self::Callable,
            EdgeKind::Instantiate => Self::Instantiable,
            EdgeKind::Inherit | EdgeKind::Implement | EdgeKind::Type => Self::Type,
            EdgeKind::Import | EdgeKind::Reference => Self::Anything,
            EdgeKind::Contains | EdgeKind::Override | EdgeKind::Define | EdgeKind::Test => Self::Nothing,
        }
    }
}

/// Whether a use of a kind can mean a symbol of a kind. A test is run, never used: its name is a text.
pub(super) const fn can_target(edge: EdgeKind, symbol: Kind) -> bool {
    match TargetClass::for_edge(edge) {
        _ if matches!(symbol, Kind::Test) => false,
        TargetClass::Callable => {
            symbol.is_callable()
                || symbol.is_type()
                || matches!(symbol, Kind::Variable | Kind::Constant | Kind::Field | Kind::Property | Kind::EnumMember)
        }
        TargetClass::Instantiable => symbol.is_type() || matches!(symbol, Kind::EnumMember | Kind::Function),
        TargetClass::Type => symbol.is_type() || matches!(symbol, Kind::Module),
        TargetClass::Anything => !matches!(symbol, Kind::Section | Kind::File),
        TargetClass::Nothing => false,
    }
}

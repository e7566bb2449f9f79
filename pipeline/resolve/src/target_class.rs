//! Which kinds of symbols a reference of a kind can refer to.

use sextant_format::kinds::{EdgeKind, Kind};

/// Kinds of references, grouped by the kinds of symbols that they can refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TargetClass {
    Callable,
    Instantiable,
    Type,
    Implementable,
    Anything,
    Nothing,
}

impl TargetClass {
    pub(crate) const fn for_edge(kind: EdgeKind) -> Self {
        match kind {
            EdgeKind::Call | EdgeKind::Decorate => Self::Callable,
            EdgeKind::Instantiate => Self::Instantiable,
            EdgeKind::Inherit | EdgeKind::Type => Self::Type,
            EdgeKind::Implement => Self::Implementable,
            EdgeKind::Import | EdgeKind::Reference => Self::Anything,
            EdgeKind::Contains
            | EdgeKind::Override
            | EdgeKind::Define
            | EdgeKind::Test
            | EdgeKind::Serve
            | EdgeKind::Request => Self::Nothing,
        }
    }
}

/// Whether a reference of a kind can refer to a symbol of a kind. Nothing refers to a test: its name is a string.
pub(crate) const fn can_target(edge: EdgeKind, symbol: Kind) -> bool {
    match TargetClass::for_edge(edge) {
        _ if matches!(symbol, Kind::Test) => false,
        TargetClass::Callable => {
            symbol.is_callable()
                || symbol.is_type()
                || matches!(symbol, Kind::Variable | Kind::Constant | Kind::Field | Kind::Property | Kind::EnumMember)
        }
        TargetClass::Instantiable => symbol.is_type() || matches!(symbol, Kind::EnumMember | Kind::Function),
        TargetClass::Type => symbol.is_type() || matches!(symbol, Kind::Module),
        TargetClass::Implementable => {
            matches!(symbol, Kind::Interface | Kind::Trait | Kind::Class | Kind::Type | Kind::Module)
        }
        TargetClass::Anything => !matches!(symbol, Kind::Section | Kind::File),
        TargetClass::Nothing => false,
    }
}

//! Which kinds of symbols a use of a kind can mean.

use sextant_format::kinds::{EdgeKind, Kind};

/// Kinds of uses that can mean the same kinds of symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fits {
    Callable,
    Instance,
    Type,
    Anything,
    Nothing,
}

impl Fits {
    pub(super) const fn of(kind: EdgeKind) -> Self {
        match kind {
            EdgeKind::Call | EdgeKind::Decorate => Self::Callable,
            EdgeKind::Instantiate => Self::Instance,
            EdgeKind::Inherit | EdgeKind::Implement | EdgeKind::Type => Self::Type,
            EdgeKind::Import | EdgeKind::Reference => Self::Anything,
            EdgeKind::Contains | EdgeKind::Override | EdgeKind::Define | EdgeKind::Test => Self::Nothing,
        }
    }
}

/// Whether a use of a kind can mean a symbol of a kind. A test is run, never used: its name is a text.
pub(super) const fn fits(edge: EdgeKind, symbol: Kind) -> bool {
    match Fits::of(edge) {
        _ if matches!(symbol, Kind::Test) => false,
        Fits::Callable => {
            symbol.is_callable()
                || symbol.is_type()
                || matches!(symbol, Kind::Variable | Kind::Constant | Kind::Field | Kind::Property | Kind::EnumMember)
        }
        Fits::Instance => symbol.is_type() || matches!(symbol, Kind::EnumMember | Kind::Function),
        Fits::Type => symbol.is_type() || matches!(symbol, Kind::Module),
        Fits::Anything => !matches!(symbol, Kind::Section | Kind::File),
        Fits::Nothing => false,
    }
}

//! Classes of symbols, by which a question about a name says what it is about.

use serde::{Deserialize, Serialize};
use sextant_format::kinds::{EdgeKind, Kind};

use crate::raw_reference::MemberForm;
use crate::target_class::TargetClass;

/// A set of classes. Every kind of symbol is of one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct Classes(u8);

impl Classes {
    pub(crate) const NONE: Self = Self(0);
    /// Types.
    pub(crate) const TYPE: Self = Self(1);
    /// Modules.
    pub(crate) const MODULE: Self = Self(1 << 1);
    /// What is called, but macros.
    pub(crate) const FUNCTION: Self = Self(1 << 2);
    /// Macros.
    pub(crate) const MACRO: Self = Self(1 << 3);
    /// Fields and properties.
    pub(crate) const FIELD: Self = Self(1 << 4);
    /// Variables, constants and members of enums.
    pub(crate) const VALUE: Self = Self(1 << 5);
    /// Namespaces and everything else.
    pub(crate) const OTHER: Self = Self(1 << 6);
    /// Functions, methods and macros.
    pub(crate) const CALLABLE: Self = Self::FUNCTION.or(Self::MACRO);
    /// What types have: everything but namespaces.
    pub(crate) const MEMBERS: Self = Self(Self::ALL.0 & !Self::OTHER.0);
    /// What can be meant where a type is expected and none is known.
    pub(crate) const STAND_FOR_TYPES: Self = Self::MACRO.or(Self::FUNCTION).or(Self::VALUE);
    const ALL: Self = Self((1 << 7) - 1);

    /// The class of a kind.
    pub(crate) const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Module => Self::MODULE,
            Kind::Macro => Self::MACRO,
            Kind::Field | Kind::Property => Self::FIELD,
            Kind::Variable | Kind::Constant | Kind::EnumMember => Self::VALUE,
            _ if kind.is_type() => Self::TYPE,
            _ if kind.is_callable() => Self::FUNCTION,
            _ => Self::OTHER,
        }
    }

    /// The classes of what a reference of a kind can refer to.
    pub(crate) const fn targets_of(kind: EdgeKind) -> Self {
        match TargetClass::for_edge(kind) {
            TargetClass::Callable => Self::TYPE.or(Self::FUNCTION).or(Self::MACRO).or(Self::FIELD).or(Self::VALUE),
            TargetClass::Instantiable => Self::TYPE.or(Self::FUNCTION).or(Self::VALUE),
            TargetClass::Type | TargetClass::Implementable => Self::TYPE.or(Self::MODULE),
            TargetClass::Anything => Self::ALL,
            TargetClass::Nothing => Self::NONE,
        }
    }

    /// The classes without those that a form of use rules out, where methods and fields have separate names.
    pub(crate) const fn in_form(self, form: MemberForm) -> Self {
        match form {
            MemberForm::Any => self,
            MemberForm::Called => Self(self.0 & !Self::FIELD.0),
            MemberForm::Read => Self(self.0 & !(Self::FUNCTION.0 | Self::MACRO.0)),
        }
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the class of a kind is one of them.
    pub(crate) const fn contain(self, kind: Kind) -> bool {
        self.0 & Self::of(kind).0 != 0
    }

    pub(crate) const fn bits(self) -> u8 {
        self.0
    }

    /// All sets that contain one of these classes.
    pub(crate) fn supersets(self) -> impl Iterator<Item = Self> {
        (1..=Self::ALL.0).map(Self).filter(move |set| set.0 & self.0 != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target_class::can_target;

    /// All kinds.
    fn kinds() -> impl Iterator<Item = Kind> {
        (0..=u8::MAX).filter_map(Kind::from_code)
    }

    #[test]
    fn what_can_be_referred_to_is_of_a_class_that_is_asked_for() {
        assert_eq!(kinds().count(), 32);
        for edge in (0..=u8::MAX).filter_map(EdgeKind::from_code) {
            let asked = Classes::targets_of(edge);
            for kind in kinds().filter(|&kind| can_target(edge, kind)) {
                assert!(asked.contain(kind), "{edge} {kind}");
            }
        }
    }

    #[test]
    fn a_set_is_asked_for_by_each_set_that_shares_a_class() {
        assert_eq!(Classes::TYPE.supersets().count(), 64);
        assert!(Classes::FIELD.supersets().all(|set| set.bits() & Classes::FIELD.bits() != 0));
    }
}

//! The references of a file in few bytes, from when it is added until it is resolved. Must not know what they mean.

use serde::{Deserialize, Serialize};
use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;

use crate::interner::NameId;
use crate::raw_reference::RawReference;

/// The references of a file, in order.
pub(crate) struct PackedReferences {
    bytes: Box<[u8]>,
    count: usize,
}

/// A reference as it differs from the one before. Numbers take as many bytes as they need.
#[derive(Serialize, Deserialize)]
struct Packed {
    /// What is added to the source before.
    source: i32,
    name: NameId,
    owner: MaybeName,
    alias: MaybeName,
    /// What is added to the line before.
    line: i32,
    column: u32,
    kind: EdgeKind,
    /// Bits of [`IS_LOCAL`] and others.
    flags: u8,
    argument_count: u8,
    arguments: MaybeName,
}

const IS_LOCAL: u8 = 1;
const IS_PATH_QUALIFIED: u8 = 2;
const HAS_ARGUMENT_COUNT: u8 = 4;

/// One more than the number of a name, or 0.
#[derive(Serialize, Deserialize)]
struct MaybeName(u32);

impl From<Option<NameId>> for MaybeName {
    fn from(name: Option<NameId>) -> Self {
        Self(name.map_or(0, NameId::get))
    }
}

impl From<MaybeName> for Option<NameId> {
    fn from(MaybeName(name): MaybeName) -> Self {
        Some(NameId::new(name.checked_sub(1)? as usize))
    }
}

/// Where the reference before is.
#[derive(Default)]
struct Last {
    source: u32,
    line: u32,
}

impl PackedReferences {
    pub(crate) fn new(references: &[RawReference]) -> Self {
        let (mut bytes, mut last) = (Vec::new(), Last::default());
        let flag = |is_set: bool, bit: u8| if is_set { bit } else { 0 };
        let difference = |from: &mut u32, to: u32| to.wrapping_sub(std::mem::replace(from, to)).cast_signed();
        for reference in references {
            let packed = Packed {
                source: difference(&mut last.source, reference.source.get()),
                name: reference.name,
                owner: reference.owner.into(),
                alias: reference.alias.into(),
                line: difference(&mut last.line, reference.line),
                column: reference.column,
                kind: reference.kind,
                flags: flag(reference.is_local, IS_LOCAL)
                    | flag(reference.is_path_qualified, IS_PATH_QUALIFIED)
                    | flag(reference.argument_count.is_some(), HAS_ARGUMENT_COUNT),
                argument_count: reference.argument_count.unwrap_or_default(),
                arguments: reference.arguments.into(),
            };
            // Writing to memory does not fail.
            bytes = postcard::to_extend(&packed, bytes).unwrap_or_default();
        }
        Self { bytes: bytes.into(), count: references.len() }
    }

    /// The references as they were.
    pub(crate) fn unpack(&self) -> Vec<RawReference> {
        let (mut rest, mut last) = (&*self.bytes, Last::default());
        let sum = |last: &mut u32, difference: i32| {
            *last = last.wrapping_add_signed(difference);
            *last
        };
        let mut references = Vec::with_capacity(self.count);
        while let Ok((packed, after)) = postcard::take_from_bytes::<Packed>(rest) {
            rest = after;
            references.push(RawReference {
                source: SymbolId::new(sum(&mut last.source, packed.source)),
                name: packed.name,
                owner: packed.owner.into(),
                alias: packed.alias.into(),
                line: sum(&mut last.line, packed.line),
                column: packed.column,
                kind: packed.kind,
                is_local: packed.flags & IS_LOCAL != 0,
                is_path_qualified: packed.flags & IS_PATH_QUALIFIED != 0,
                argument_count: (packed.flags & HAS_ARGUMENT_COUNT != 0).then_some(packed.argument_count),
                arguments: packed.arguments.into(),
            });
        }
        references
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name() -> impl Strategy<Value = NameId> {
        prop_oneof![0_usize..300, 0_usize..4_000_000_000].prop_map(NameId::new)
    }

    prop_compose! {
        fn reference()(
            (source, line, column) in (any::<u32>(), any::<u32>(), any::<u32>()),
            (name, owner, alias, arguments) in
                (name(), prop::option::of(name()), prop::option::of(name()), prop::option::of(name())),
            kind in 0_usize..EdgeKind::ALL.len(),
            (is_local, is_path_qualified) in any::<(bool, bool)>(),
            argument_count in any::<Option<u8>>(),
        ) -> RawReference {
            let source = SymbolId::new(source);
            let kind = EdgeKind::ALL[kind];
            RawReference {
                source, name, owner, alias, line, column, kind, is_local, is_path_qualified, argument_count, arguments,
            }
        }
    }

    proptest! {
        #[test]
        fn references_come_back(references in prop::collection::vec(reference(), 0..40)) {
            prop_assert_eq!(PackedReferences::new(&references).unpack(), references);
        }
    }
}

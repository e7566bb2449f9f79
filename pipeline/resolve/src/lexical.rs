//! Constants of Ruby: what a name means by the modules around its use, in whatever files these are opened. Must not know
//! the types of values.

use sextant_format::ids::SymbolId;
use sextant_format::kinds::{EdgeKind, Kind, Tier};
use smallvec::SmallVec;

use crate::interner::NameId;
use crate::raw_reference::RawReference;
use crate::resolution::SymbolIds;
use crate::view::Resolver;

impl Resolver<'_, '_> {
    /// Whether a reference is a constant, which is found by the modules around it.
    pub(crate) fn is_lexical_constant(&self, reference: &RawReference) -> bool {
        let is_use = matches!(
            reference.kind,
            EdgeKind::Type | EdgeKind::Inherit | EdgeKind::Implement | EdgeKind::Instantiate | EdgeKind::Reference
        );
        is_use && self.is_constant_name(reference.name)
    }

    /// Whether a name is that of a constant, which is found by the modules around its use.
    pub(crate) fn is_constant_name(&self, name: NameId) -> bool {
        self.is_ruby() && self.names().text(name).starts_with(char::is_uppercase)
    }

    /// The one of some definitions of a constant that its name alone means in a symbol: that of the innermost module or
    /// class around it which has one, else the outermost one, unless the standard library has that, too.
    pub(crate) fn lexical_constant(&self, scope: SymbolId, all: &[SymbolId]) -> Option<(Tier, SymbolId)> {
        let is_scope = |id: SymbolId| self.symbol(id).kind.is_type() || self.symbol(id).kind == Kind::Module;
        let one_of = |found: &SymbolIds| self.only_definition(found);
        let around = std::iter::successors(Some(scope), |&id| self.symbol(id).container).filter(|&id| is_scope(id));
        let mut mixed_in = SmallVec::<[NameId; 8]>::new();
        for outer in around {
            let of_bases = self.bases_of(outer, 0).0;
            let of_all = std::iter::once(outer).chain(of_bases).flat_map(|id| self.written_bases(id));
            mixed_in.extend(of_all.map(|&(_, name)| name));
            let is_inside = |id: &SymbolId| {
                let symbol = self.symbol(*id);
                match symbol.container {
                    Some(container) if is_scope(container) => self.is_same_type(container, outer),
                    _ => symbol.owner == Some(self.symbol(outer).name),
                }
            };
            let inside: SymbolIds = all.iter().copied().filter(is_inside).collect();
            if !inside.is_empty() {
                return one_of(&inside).map(|found| (Tier::Scope, found));
            }
        }
        // Those of modules that a class or one of its bases includes.
        let is_mixed_in = |id: &SymbolId| self.symbol(*id).owner.is_some_and(|owner| mixed_in.contains(&owner));
        if let Some(found) = one_of(&all.iter().copied().filter(is_mixed_in).collect()) {
            return Some((Tier::Unique, found));
        }
        let is_outermost = |id: &SymbolId| {
            let symbol = self.symbol(*id);
            let is_in_file = symbol.container.is_some_and(|container| self.symbol(container).kind == Kind::File);
            is_in_file && symbol.owner.is_none()
        };
        let found = one_of(&all.iter().copied().filter(is_outermost).collect())?;
        let name = self.names().text(self.symbol(found).name);
        let is_standard = self.language()?.standard_members.binary_search(&name).is_ok();
        let is_here = self.symbol(found).file == self.file;
        (is_here || !is_standard).then_some((Tier::Unique, found))
    }
}

//! Calls of other constructors: `super(...)` is one of the base, `this(...)` one of the same type. Like `new`, they lead to the
//! type.

use sextant_format::ids::SymbolId;
use sextant_format::kinds::{EdgeKind, Kind, Tier};
use sextant_syntax::language::ReceiverKeyword;

use crate::confidence;
use crate::raw_reference::RawReference;
use crate::resolution::Resolution;
use crate::view::Resolver;

impl Resolver<'_, '_> {
    /// The keyword that a reference calls, if the language reserves it.
    pub(crate) fn called_keyword(&self, reference: &RawReference) -> Option<ReceiverKeyword> {
        if reference.kind != EdgeKind::Call || reference.owner.is_some() {
            return None;
        }
        let language = self.language()?;
        let name = self.names().text(reference.name);
        let keyword = language.receiver_keyword(name).filter(|_| !language.conventional_names.contains(&name))?;
        matches!(keyword, ReceiverKeyword::Instance | ReceiverKeyword::Super).then_some(keyword)
    }

    /// The type whose constructor a keyword calls.
    pub(crate) fn resolve_called_keyword(&self, reference: &RawReference, keyword: ReceiverKeyword) -> Resolution {
        let Some(own) = self.enclosing_type(reference.source) else { return Resolution::unresolved() };
        let target = match keyword {
            ReceiverKeyword::Super => self.base_class(own),
            _ => Some((Tier::Scope, confidence::SCOPE, own)),
        };
        target.map_or_else(Resolution::unresolved, |(tier, confidence, id)| Resolution::single(tier, confidence, id))
    }

    /// The class that a class extends; there is at most one in languages with such keywords.
    fn base_class(&self, of: SymbolId) -> Option<(Tier, f32, SymbolId)> {
        let (bases, _) = self.bases_of(of, 0);
        let is_class = |id: &SymbolId| !matches!(self.symbol(*id).kind, Kind::Interface | Kind::Trait);
        bases.into_iter().find(is_class).map(|base| (Tier::Receiver, confidence::RECEIVER, base))
    }
}

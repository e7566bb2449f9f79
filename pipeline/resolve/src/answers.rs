//! What a language server answered about references that rules alone do not resolve.
//!
//! Must not know how servers are asked.

use rustc_hash::FxHashMap;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::Tier;

use crate::confidence;
use crate::model::{RawReference, SymbolInfo};
use crate::resolution::Resolution;
use crate::target_class::can_target;

/// A place of the text: file, line from 1, column in bytes from 0.
pub(crate) type Place = (FileId, u32, u32);

/// The answers, by the places of the references. `None` stands for something outside of the index.
#[derive(Default)]
pub(crate) struct ServerAnswers {
    pub(crate) targets: FxHashMap<Place, Option<SymbolId>>,
}

impl ServerAnswers {
    /// The resolution of a reference by its answer; `None` if there is no answer, or it cannot be right.
    pub(crate) fn resolution(
        &self,
        symbols: &[SymbolInfo],
        file: FileId,
        reference: &RawReference,
    ) -> Option<Resolution> {
        match *self.targets.get(&(file, reference.line, reference.column))? {
            None => Some(Resolution::unresolved()),
            Some(target) => can_target(reference.kind, symbols[target.index()].kind)
                .then(|| Resolution::single(Tier::Server, confidence::SERVER, target)),
        }
    }
}

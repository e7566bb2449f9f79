//! What a language server answered about references that rules alone do not resolve.
//!
//! Must not know how servers are asked.

use rustc_hash::FxHashMap;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::Tier;

use crate::confidence;
use crate::model::SymbolInfo;
use crate::raw_reference::RawReference;
use crate::resolution::{Resolution, SymbolIds};
use crate::target_class::can_target;

/// A place of the text: file, line from 1, column in bytes from 0.
pub(crate) type Place = (FileId, u32, u32);

/// The answers, by the places of the references. No target stands for something outside of the index.
#[derive(Default)]
pub(crate) struct ServerAnswers {
    pub(crate) targets: FxHashMap<Place, SymbolIds>,
}

impl ServerAnswers {
    /// The resolution of a reference by its answer; `None` if there is no answer, or it cannot be right.
    pub(crate) fn resolution(
        &self,
        symbols: &[SymbolInfo],
        file: FileId,
        reference: &RawReference,
    ) -> Option<Resolution> {
        let targets = self.targets.get(&(file, reference.line, reference.column))?;
        if targets.is_empty() {
            return Some(Resolution::unresolved());
        }
        let is_possible = |id: &&SymbolId| can_target(reference.kind, symbols[id.index()].kind);
        let targets: SymbolIds = targets.iter().filter(is_possible).copied().collect();
        (!targets.is_empty()).then_some(Resolution { tier: Tier::Server, confidence: confidence::SERVER, targets })
    }
}

//! Qualified names of namespaces, modules and types into files, where a language says them in the text and not by
//! the path.

use rustc_hash::FxHashMap;
use sextant_format::names::segments;

use super::MAX_FILES;
use crate::table::FileInfo;
use sextant_syntax::model::Symbol;

/// Where namespaces, and what stands directly in them, are defined.
#[derive(Default)]
pub(crate) struct Namespaces {
    /// By repository, family and qualified name, its parts joined by a dot.
    files: FxHashMap<(u32, &'static str, String), Vec<u32>>,
}

impl Namespaces {
    /// Adds what a file defines. Namespaces that hold something are added too where `includes_parents`.
    pub(crate) fn add(
        &mut self,
        repo: u32,
        family: &'static str,
        includes_parents: bool,
        file: u32,
        symbols: &[Symbol],
    ) {
        for symbol in symbols.iter().skip(1).filter(|symbol| is_outermost(symbol, symbols)) {
            let parts = segments(&symbol.qualified_name);
            let shortest = if includes_parents { parts.len().saturating_sub(1).max(1) } else { parts.len() };
            for end in shortest..=parts.len() {
                let files = self.files.entry((repo, family, parts[..end].join("."))).or_default();
                if files.last() != Some(&file) && files.len() < MAX_FILES {
                    files.push(file);
                }
            }
        }
    }

    /// The files that a name in an import means.
    pub(super) fn files(&self, from: &FileInfo, name: &str) -> Vec<u32> {
        let name = segments(name.trim_start_matches(['\\', ':', '.'])).join(".");
        self.files.get(&(from.repo, from.family, name)).cloned().unwrap_or_default()
    }
}

/// The namespace of the first definition that stands in one, its parts joined by a dot.
pub(crate) fn namespace_of(symbols: &[Symbol]) -> Option<String> {
    let is_inside = |symbol: &&Symbol| !symbol.kind.is_transparent() && is_outermost(symbol, symbols);
    let first = symbols.iter().skip(1).find(is_inside)?;
    let parts = segments(&first.qualified_name);
    (parts.len() > 1).then(|| parts[..parts.len() - 1].join("."))
}

/// Whether a symbol stands in namespaces and modules only.
fn is_outermost(symbol: &Symbol, symbols: &[Symbol]) -> bool {
    let around = symbol.container.map(|id| &symbols[id as usize]);
    (symbol.kind.is_type() || symbol.kind.is_callable() || symbol.kind.is_transparent())
        && around.is_none_or(|around| around.kind.is_transparent())
}

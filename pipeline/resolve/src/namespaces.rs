//! From qualified names of namespaces, modules and types to files, for languages that declare them in the text instead
//! of deriving them from paths.

use rustc_hash::FxHashMap;
use sextant_format::ids::FileId;
use sextant_format::names::segments;

use sextant_syntax::model::Symbol;

use crate::model::FileInfo;
use crate::module_path::MAX_MODULE_FILES;

/// The files that define each namespace and its direct members.
#[derive(Default)]
pub(crate) struct Namespaces {
    /// By repository, family and qualified name, its segments joined by a dot.
    files: FxHashMap<(u32, &'static str, String), Vec<FileId>>,
}

impl Namespaces {
    /// Adds the definitions of a file, with `includes_parents` also the namespaces that contain them.
    pub(crate) fn add(
        &mut self,
        repo: u32,
        family: &'static str,
        includes_parents: bool,
        file: FileId,
        symbols: &[Symbol],
    ) {
        for symbol in symbols.iter().skip(1).filter(|symbol| is_outermost(symbol, symbols)) {
            let parts = segments(&symbol.qualified_name);
            let shortest = if includes_parents { parts.len().saturating_sub(1).max(1) } else { parts.len() };
            for end in shortest..=parts.len() {
                let files = self.files.entry((repo, family, parts[..end].join("."))).or_default();
                if files.last() != Some(&file) && files.len() < MAX_MODULE_FILES {
                    files.push(file);
                }
            }
        }
    }

    /// The files that define a qualified name, as an import in `from` writes it.
    pub(crate) fn files(&self, from: &FileInfo, name: &str) -> Vec<FileId> {
        let name = segments(name.trim_start_matches(['\\', ':', '.'])).join(".");
        self.files.get(&(from.repo, from.family, name)).cloned().unwrap_or_default()
    }
}

/// The namespace of the first definition that is in one, its segments joined by a dot.
pub(crate) fn namespace_of(symbols: &[Symbol]) -> Option<String> {
    let is_inside = |symbol: &&Symbol| !symbol.kind.is_transparent() && is_outermost(symbol, symbols);
    let first = symbols.iter().skip(1).find(is_inside)?;
    let parts = segments(&first.qualified_name);
    (parts.len() > 1).then(|| parts[..parts.len() - 1].join("."))
}

/// Whether a symbol's containers are all namespaces and modules.
fn is_outermost(symbol: &Symbol, symbols: &[Symbol]) -> bool {
    let container = symbol.container.map(|id| &symbols[id as usize]);
    (symbol.kind.is_type() || symbol.kind.is_callable() || symbol.kind.is_transparent())
        && container.is_none_or(|container| container.kind.is_transparent())
}

//! External symbols: definitions outside of the repository, by their full names as far as imports and the path in front
//! of the name show them.
//!
//! A name that may refer to a definition of the repository is never external.

use std::cmp::Reverse;

use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use sextant_format::endpoints;
use sextant_format::ids::SymbolId;
use sextant_format::keys::{ShortHash, external_key};
use sextant_format::kinds::EdgeKind;
use sextant_format::tables::ExternalRow;

use crate::classes::Classes;
use crate::confidence;
use crate::model::ExternalUses;
use crate::raw_reference::RawReference;
use crate::value::Outside;
use crate::view::Resolver;

/// Longer texts are no names.
const MAX_NAME_BYTES: usize = 200;

/// An external symbol.
#[derive(Clone, Debug)]
pub(crate) struct ExternalSymbol {
    family: &'static str,
    /// The module as the import names it; none for built-in names.
    module: Option<String>,
    /// The full name, with the module.
    name: String,
    /// Why the reference is taken to be external.
    pub(crate) evidence: Evidence,
}

/// Why a reference is taken to be external.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Evidence {
    /// An import or a written path leads out of the repository.
    Import,
    /// The receiver is an object of a type outside of the repository.
    Receiver,
    /// The repository defines nothing of this name.
    Name,
    /// A request names an endpoint by a single word.
    OneWord,
    /// A test asks an endpoint: mostly of what it has made itself.
    Nothing,
}

impl Evidence {
    /// The probability that the symbol is right.
    pub(crate) const fn confidence(self) -> f32 {
        match self {
            Self::Import => confidence::IMPORT,
            Self::Receiver => confidence::RECEIVER,
            Self::Name => confidence::UNIQUE,
            Self::OneWord => confidence::SHORT_ENDPOINT,
            Self::Nothing => confidence::AMBIGUOUS,
        }
    }
}

impl ExternalSymbol {
    /// An endpoint.
    pub(crate) fn endpoint(name: &str, evidence: Evidence) -> Self {
        Self { family: endpoints::family(name), module: None, name: name.to_owned(), evidence }
    }
}

/// All external symbols. Ids count from 0 in the order of first use. The module of a symbol is the first in alphabetical
/// order of those through which files reach it.
#[derive(Default)]
pub(crate) struct ExternalSymbols {
    ids: FxHashMap<(&'static str, String), u32>,
    rows: Vec<ExternalRow>,
    keys: Vec<ShortHash>,
    /// The texts of modules.
    modules: IndexSet<String>,
    /// The uses in the file that is being recorded.
    uses: Vec<ExternalUses>,
    /// The symbols of that file with their places in `uses`.
    places: FxHashMap<u32, usize>,
}

/// What uses refer to, once every file is recorded.
#[derive(Debug, Default)]
pub(crate) struct RecordedExternals {
    /// The keys of all external symbols.
    pub(crate) keys: Vec<ShortHash>,
    pub(crate) modules: Vec<String>,
}

impl ExternalSymbols {
    /// Counts a use of a symbol in the current file and returns the symbol's id and key.
    pub(crate) fn record_use(&mut self, external: ExternalSymbol) -> (u32, ShortHash) {
        self.record(external, 1)
    }

    fn record(&mut self, external: ExternalSymbol, uses: u32) -> (u32, ShortHash) {
        let ExternalSymbol { family, module, name, .. } = external;
        let next = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        let id = *self.ids.entry((family, name)).or_insert_with_key(|(_, name)| {
            self.keys.push(external_key(family, name));
            self.rows.push(ExternalRow {
                external_id: next,
                name: name.clone(),
                module: module.clone(),
                family: family.to_owned(),
                uses: 0,
            });
            next
        });
        let row = &mut self.rows[id as usize];
        row.uses = row.uses.saturating_add(uses);
        if is_before(module.as_deref(), row.module.as_deref()) {
            row.module.clone_from(&module);
        }
        let number = module.as_ref().map(|module| {
            let known = self.modules.get_index_of(module.as_str());
            let at = known.unwrap_or_else(|| self.modules.insert_full(module.clone()).0);
            u32::try_from(at).unwrap_or(u32::MAX)
        });
        match self.places.get(&id) {
            Some(&at) => {
                let known = &mut self.uses[at];
                known.uses = known.uses.saturating_add(uses);
                let recorded = known.module.and_then(|number| self.modules.get_index(number as usize));
                if is_before(module.as_deref(), recorded.map(String::as_str)) {
                    known.module = number;
                }
            }
            None => {
                self.places.insert(id, self.uses.len());
                self.uses.push(ExternalUses { symbol: id, module: number, uses });
            }
        }
        (id, self.keys[id as usize])
    }

    /// Records what a file used in an earlier build, each symbol with its module and the number of uses.
    pub(crate) fn record_kept(&mut self, family: &'static str, uses: &[(&ExternalRow, Option<&str>, u32)]) {
        for &(row, module, uses) in uses {
            let family = if endpoints::is_family(&row.family) { endpoints::family(&row.name) } else { family };
            let (module, name, evidence) = (module.map(str::to_owned), row.name.clone(), Evidence::Import);
            self.record(ExternalSymbol { family, module, name, evidence }, uses);
        }
    }

    /// Ends the current file; returns what it uses.
    pub(crate) fn end_file(&mut self) -> Vec<ExternalUses> {
        self.places.clear();
        std::mem::take(&mut self.uses)
    }

    /// The rows of all external symbols, and what uses refer to.
    pub(crate) fn finish(self) -> (Vec<ExternalRow>, RecordedExternals) {
        (self.rows, RecordedExternals { keys: self.keys, modules: self.modules.into_iter().collect() })
    }
}

/// Whether a module comes before another; none comes last.
fn is_before(one: Option<&str>, other: Option<&str>) -> bool {
    (Reverse(one.is_some()), one) < (Reverse(other.is_some()), other)
}

impl Resolver<'_, '_> {
    /// The external symbol of a reference for which no definition was found.
    pub(crate) fn external_target(&self, reference: &RawReference) -> Option<ExternalSymbol> {
        let language = self.table.files[self.file.index()].language?;
        if reference.is_local || language.is_data {
            return None;
        }
        let external = |module: Option<&str>, name: String, evidence| {
            let is_name = !name.is_empty() && name.len() <= MAX_NAME_BYTES;
            is_name.then(|| ExternalSymbol {
                family: language.family,
                module: module.map(str::to_owned),
                name,
                evidence,
            })
        };
        let name = self.names().text(reference.name);
        if reference.kind == EdgeKind::Import {
            let import = self.imports.import_of(reference).filter(|_| !self.imports_members(reference))?;
            let (module, name) = self.external_path(import, language.separator)?;
            return external(Some(module), name, Evidence::Import);
        }
        if let Some(found) = self.external_full_name(reference) {
            let (full, is_certain) = found?;
            let module = full.rsplit_once(language.separator).map(|(module, _)| module.to_owned());
            let evidence = if is_certain { Evidence::Import } else { Evidence::Name };
            return external(module.as_deref(), full, evidence);
        }
        let has_no_definition = || self.has_no_compatible_definition(reference.name, reference.kind);
        if reference.owner.is_none() {
            let imported = self.imports_of_name(reference.name, reference.source);
            if let Some(import) = imported.first() {
                let (module, name) = self.external_path(import, language.separator)?;
                return external(Some(module), name, Evidence::Import);
            }
            return has_no_definition().then(|| external(None, name.to_owned(), Evidence::Name)).flatten();
        }
        let owner = self.names().text_or_empty(reference.owner);
        let (imported, end) = self.imports.longest_import_prefix(owner);
        if let Some(import) = imported.first() {
            let rest = owner[end..].trim_start_matches(['.', ':', '\\']);
            let is_path = rest.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | ':' | '\\'));
            let (module, path) = self.external_path(import, language.separator).filter(|_| is_path)?;
            let full = [path.as_str(), rest, name].into_iter().filter(|part| !part.is_empty());
            return external(Some(module), full.collect::<Vec<_>>().join(language.separator), Evidence::Import);
        }
        if let Some(Outside { module, name: of_type, .. }) = self.outside_receiver(reference) {
            return external(Some(&module), [&*of_type, name].join(language.separator), Evidence::Receiver);
        }
        self.resolves_externally(reference).then(|| {
            let module = owner.split("::").next();
            external(module, format!("{owner}::{name}"), Evidence::Import)
        })?
    }

    /// Whether the path in front of a name begins outside of the repository: `std::mem::swap`.
    pub(crate) fn resolves_externally(&self, reference: &RawReference) -> bool {
        let owner = self.names().text_or_empty(reference.owner);
        let first = owner.split("::").next().unwrap_or(owner);
        let is_local_root = self
            .language()
            .is_some_and(|language| language.path_roots.contains(&first) || language.receiver_keyword(first).is_some());
        let is_module = reference.is_path_qualified
            && first.starts_with(|c: char| c.is_lowercase())
            && owner.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
            && !is_local_root;
        if !is_module || !self.imports.for_receiver(owner).is_empty() || !self.module_files(self.file, owner).is_empty()
        {
            return false;
        }
        // The path may begin with a namespace, module or type of the repository.
        let classes = Classes::TYPE.or(Classes::MODULE).or(Classes::OTHER);
        let is_defined_here = |&id: &SymbolId| {
            let symbol = self.symbol(id);
            (symbol.kind.is_transparent() || symbol.kind.is_type()) && self.share_linkage_group(symbol.file, self.file)
        };
        !self.named(self.name(first), classes).iter().any(is_defined_here)
    }
}

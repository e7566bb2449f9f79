//! External symbols: definitions outside of the repository, by their full names as far as imports and the path in front
//! of the name show them.
//!
//! A name that may refer to a definition of the repository is never external.

use std::cmp::Reverse;

use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::keys::{ShortHash, external_key};
use sextant_format::kinds::EdgeKind;
use sextant_format::tables::ExternalRow;

use crate::confidence;
use crate::model::RawReference;
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
}

impl Evidence {
    /// The probability that the symbol is right.
    pub(crate) const fn confidence(self) -> f32 {
        match self {
            Self::Import => confidence::IMPORT,
            Self::Receiver => confidence::RECEIVER,
            Self::Name => confidence::UNIQUE,
        }
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
    /// For each file and symbol that it uses: the file, the symbol, and the number of its module.
    uses: Vec<(FileId, u32, Option<u32>)>,
    /// The file whose uses are being recorded, and its symbols with their places in `uses`.
    current: (FileId, FxHashMap<u32, usize>),
    /// The ids of symbols by those that they had in an earlier build.
    kept_ids: Vec<Option<u32>>,
}

/// A file that reaches an external symbol through another module than that of its row: the symbol's key, and the module.
pub(crate) type OtherModule = (FileId, ShortHash, Option<String>);

impl ExternalSymbols {
    /// Counts a use of a symbol in a file and returns the symbol's id and key. Files come in order.
    pub(crate) fn record_use(&mut self, file: FileId, external: ExternalSymbol) -> (u32, ShortHash) {
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
        row.uses += 1;
        if is_before(module.as_deref(), row.module.as_deref()) {
            row.module.clone_from(&module);
        }
        if self.current.0 != file {
            self.current = (file, FxHashMap::default());
        }
        let number = module.as_ref().map(|module| {
            let known = self.modules.get_index_of(module.as_str());
            let at = known.unwrap_or_else(|| self.modules.insert_full(module.clone()).0);
            u32::try_from(at).unwrap_or(u32::MAX)
        });
        match self.current.1.get(&id) {
            Some(&at) => {
                let recorded = self.uses[at].2.and_then(|number| self.modules.get_index(number as usize));
                if is_before(module.as_deref(), recorded.map(String::as_str)) {
                    self.uses[at].2 = number;
                }
            }
            None => {
                self.current.1.insert(id, self.uses.len());
                self.uses.push((file, id, number));
            }
        }
        (id, self.keys[id as usize])
    }

    /// The rows, and which files reach a symbol through another module, in the order of the files.
    pub(crate) fn into_rows(self) -> (Vec<ExternalRow>, Vec<OtherModule>) {
        let Self { rows, keys, modules, uses, .. } = self;
        let others = uses.into_iter().filter_map(|(file, id, number)| {
            let module = number.and_then(|number| modules.get_index(number as usize));
            let is_other = rows[id as usize].module.as_ref() != module;
            is_other.then(|| (file, keys[id as usize], module.cloned()))
        });
        let others = others.collect();
        (rows, others)
    }
}

/// Whether a module comes before another; none comes last.
fn is_before(one: Option<&str>, other: Option<&str>) -> bool {
    (Reverse(one.is_some()), one) < (Reverse(other.is_some()), other)
}

impl ExternalSymbols {
    /// Counts a use that an earlier build found, of a symbol given by its row there, and returns the symbol's id. `modules`
    /// are those through which the file reaches symbols whose rows have another one.
    pub(crate) fn record_kept(
        &mut self,
        file: FileId,
        family: &'static str,
        before: &ExternalRow,
        modules: &[(ShortHash, Option<String>)],
    ) -> u32 {
        let at = before.external_id as usize;
        if modules.is_empty()
            && let Some(Some(id)) = self.kept_ids.get(at).copied()
            && self.current.0 == file
            && self.current.1.contains_key(&id)
        {
            self.rows[id as usize].uses += 1;
            return id;
        }
        let key = (!modules.is_empty()).then(|| external_key(family, &before.name));
        let other = modules.iter().find(|(other, _)| Some(*other) == key);
        let module = other.map_or_else(|| before.module.clone(), |(_, module)| module.clone());
        let evidence = Evidence::Import;
        let (id, _) = self.record_use(file, ExternalSymbol { family, module, name: before.name.clone(), evidence });
        if self.kept_ids.len() <= at {
            self.kept_ids.resize(at + 1, None);
        }
        self.kept_ids[at] = Some(id);
        id
    }
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
            let import = self.imports.import_of(reference)?;
            let (module, name) = self.external_path(import, language.separator)?;
            return external(Some(module), name, Evidence::Import);
        }
        let has_no_definition = || self.compatible_definitions(reference.name, reference.kind).is_empty();
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
        let is_defined_here = |&id: &SymbolId| {
            let symbol = self.symbol(id);
            (symbol.kind.is_transparent() || symbol.kind.is_type()) && self.share_linkage_group(symbol.file, self.file)
        };
        !self.named(self.name(first)).iter().any(is_defined_here)
    }
}

//! The symbol table as one build stores it for the next, which then need not read the outlines of unchanged files.
//!
//! Numbers of names count within the stored table, and symbols within their file, so a file can be added at any place, and
//! is decoded by itself. Must not know how files are resolved, nor how bytes are stored.

use std::io::{Error, Write};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::keys::SymbolNames;
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_records::{Numbering, RecordReader, Records, RecordsWriter};
use sextant_syntax::language::ModuleSystem;
use sextant_syntax::project::ProjectConfig;
use sextant_syntax::record::are_acyclic;

use crate::interner::{NameId, NameInterner};
use crate::model::{EarlierTable, SymbolInfo};
use crate::parameters::InternedParameter;
use crate::raw_reference::RawReference;
use crate::table::{AddedFile, FileContext, SymbolTable};
use crate::type_facts::InternedTypeFact;

/// The symbol table of an earlier build, file by file.
#[derive(Debug, Default)]
pub struct StoredTable {
    records: Records,
}

/// Reads its files on one thread.
pub struct StoredFiles<'t>(RecordReader<'t>);

/// The blobs of a base or an update: the names that it adds, one after the other, and the length of each in bytes.
const NAMES: usize = 0;
const LENGTHS: usize = 1;

/// What resolution needs of a file that did not change.
#[derive(Debug, Serialize, Deserialize)]
pub struct StoredFile {
    /// Its number in the stored table.
    #[serde(skip)]
    number: usize,
    is_module: bool,
    symbols: Vec<StoredSymbol>,
    /// The parameters of all its symbols.
    parameters: Vec<StoredParameter>,
    type_facts: Vec<StoredFact>,
    /// Its imports, the types that its types extend or implement, and the endpoints that it serves.
    links: Vec<StoredLink>,
    project: Option<ProjectConfig>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredSymbol {
    name: u32,
    /// One more than the number of the symbol around it, or 0.
    container: u32,
    /// One more than the number of the name, or 0.
    owner: u32,
    kind: Kind,
    has_body: bool,
    is_exported: bool,
    line: u32,
    column: u32,
    arity: (u8, u8),
    /// The number of its parameters.
    parameters: u32,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredParameter {
    label: u32,
    written: u32,
    is_rest: bool,
    is_optional: bool,
    is_receiver: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredFact {
    symbol: u32,
    /// One more than the number of the name, or 0.
    name: u32,
    scope: u32,
    text: u32,
    is_declared: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredLink {
    source: u32,
    name: u32,
    owner: Option<u32>,
    alias: Option<u32>,
    line: u32,
    column: u32,
    kind: EdgeKind,
    is_local: bool,
    is_path_qualified: bool,
    argument_count: Option<u8>,
    arguments: Option<u32>,
}

impl StoredTable {
    /// Whether a file, by its number, can be added without its outline.
    #[must_use]
    pub fn has(&self, number: usize) -> bool {
        self.records.has(number)
    }

    /// Reads files on one thread.
    #[must_use]
    pub const fn files(&self) -> StoredFiles<'_> {
        StoredFiles(self.records.reader())
    }

    /// The number of files.
    #[must_use]
    pub const fn file_count(&self) -> usize {
        self.records.file_count()
    }
}

impl StoredFiles<'_> {
    /// A file, by its number. `None` if it is not stored, or damaged.
    pub fn read(&mut self, number: usize) -> Option<StoredFile> {
        let file: StoredFile = postcard::from_bytes(self.0.read(number)?).ok()?;
        Some(StoredFile { number, ..file })
    }
}

/// The numbers of names in a stored table.
struct StoredNames(Numbering);

impl StoredNames {
    fn number(&mut self, name: NameId) -> u32 {
        self.0.number(name.index())
    }

    fn number_or_zero(&mut self, name: Option<NameId>) -> u32 {
        name.map_or(0, |name| self.number(name) + 1)
    }
}

impl SymbolTable {
    /// Whether what the next build needs is an update of what the earlier build stored.
    #[must_use]
    pub fn is_update(&self) -> bool {
        self.earlier.origins.has_most(self.files.iter().map(|file| file.stored))
    }

    /// Writes what the next build needs of this table, whose type facts are sorted: an update, or all of it.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn store(&self, out: impl Write) -> std::io::Result<()> {
        let earlier = Some(&self.earlier).filter(|_| self.is_update());
        let base = earlier.map_or(0, |earlier| earlier.base_names);
        let mut names = StoredNames(Numbering::new(base, self.names.len()));
        let mut writer = RecordsWriter::new(out, earlier.map(|earlier| &earlier.origins));
        let mut encoded = Vec::new();
        for (at, info) in self.files.iter().enumerate() {
            if writer.share(info.stored) {
                continue;
            }
            encoded.clear();
            if let Some(file) = self.stored_file(FileId::at(at), &mut names) {
                encoded = postcard::to_extend(&file, encoded).map_err(Error::other)?;
            }
            writer.push(&encoded)?;
        }
        let texts = || names.0.order().iter().map(|&at| self.names.text(NameId::new(at)));
        writer.blob(|out| texts().try_for_each(|text| out.write_all(text.as_bytes())))?;
        let length = |text: &str| u32::try_from(text.len()).map_err(Error::other);
        let lengths = texts().map(length).collect::<std::io::Result<Vec<u32>>>()?;
        writer.blob(|out| postcard::to_io(&lengths, out).map(drop).map_err(Error::other))?;
        writer.finish()
    }

    /// Whether the next build can add a file without its outline: not if what its namespaces contain is needed too.
    pub(crate) fn is_stored(&self, file: FileId) -> bool {
        let rule = self.files[file.index()].language.map(|language| language.modules);
        !matches!(rule, Some(ModuleSystem::Namespaces | ModuleSystem::QualifiedNames))
    }

    /// A file as it is stored, if it is.
    fn stored_file(&self, file: FileId, names: &mut StoredNames) -> Option<StoredFile> {
        if !self.is_stored(file) {
            return None;
        }
        let info = &self.files[file.index()];
        let (first, end) = (info.first_symbol, self.end_of(file));
        let local = |id: SymbolId| id.rows_after(first).unwrap_or(u32::MAX);
        let mut parameters = Vec::new();
        let mut symbols = Vec::with_capacity(end.index() - first.index());
        for id in SymbolId::range(first..end) {
            let symbol = &self.symbols[id.index()];
            let of_symbol = self.parameters.of(id);
            parameters.extend(of_symbol.iter().map(|parameter| StoredParameter {
                label: names.number(parameter.label),
                written: names.number(parameter.written),
                is_rest: parameter.is_rest,
                is_optional: parameter.is_optional,
                is_receiver: parameter.is_receiver,
            }));
            symbols.push(StoredSymbol {
                name: names.number(symbol.name),
                container: symbol.container.map_or(0, |container| local(container).saturating_add(1)),
                owner: names.number_or_zero(symbol.owner),
                kind: symbol.kind,
                has_body: symbol.has_body,
                is_exported: symbol.is_exported,
                line: symbol.line,
                column: symbol.column,
                arity: symbol.arity,
                parameters: u32::try_from(of_symbol.len()).unwrap_or(u32::MAX),
            });
        }
        let facts = self.type_facts.of_symbols(first, end).iter();
        let type_facts = facts.map(|fact| StoredFact {
            symbol: local(fact.symbol),
            name: names.number_or_zero(fact.name),
            scope: local(fact.scope),
            text: names.number(fact.text),
            is_declared: fact.is_declared,
        });
        let type_facts = type_facts.collect();
        let links = info.links.iter().map(|link| StoredLink {
            source: local(link.source),
            name: names.number(link.name),
            owner: link.owner.map(|name| names.number(name)),
            alias: link.alias.map(|name| names.number(name)),
            line: link.line,
            column: link.column,
            kind: link.kind,
            is_local: link.is_local,
            is_path_qualified: link.is_path_qualified,
            argument_count: link.argument_count,
            arguments: link.arguments.map(|name| names.number(name)),
        });
        let links = links.collect();
        let project = self.projects.of_file(info.repo, &info.path).cloned();
        let number = file.index();
        Some(StoredFile { number, is_module: info.is_module, symbols, parameters, type_facts, links, project })
    }

    /// Begins with the names of the stored table of an earlier build, whose files can be added then.
    pub fn begin_with(&mut self, earlier: &mut StoredSymbols) {
        self.names = std::mem::take(&mut earlier.names);
        self.earlier = EarlierTable {
            names: self.names.len(),
            base_names: earlier.base_names,
            origins: earlier.table.records.origins().clone(),
        };
    }

    /// Adds a file that is the same as in the earlier build with whose names the table began; `content` was the fingerprint
    /// of its content. Returns the number of its symbols; none, and nothing is added, if it is damaged.
    pub fn add_stored(
        &mut self,
        scope: FileContext<'_>,
        first_symbol: SymbolId,
        stored: &StoredFile,
        content: u64,
    ) -> Option<usize> {
        let count = self.earlier.names;
        self.add_stored_with(scope, first_symbol, stored, content, |_, number| {
            let index = number as usize;
            (index < count).then(|| NameId::new(index))
        })
    }

    /// Adds a file of the stored table with whose names another table began.
    pub(crate) fn add_stored_of(
        &mut self,
        other: &Self,
        scope: FileContext<'_>,
        stored: &StoredFile,
        content: u64,
    ) -> Option<usize> {
        let first_symbol = SymbolId::at(self.symbols.len());
        self.add_stored_with(scope, first_symbol, stored, content, |names, number| {
            let index = number as usize;
            (index < other.earlier.names).then(|| names.intern(other.names.text(NameId::new(index))))
        })
    }

    /// Adds a stored file; `name` is the id of a name by its number in the stored table, none if there is none.
    fn add_stored_with(
        &mut self,
        scope: FileContext<'_>,
        first_symbol: SymbolId,
        stored: &StoredFile,
        content: u64,
        name: impl Fn(&mut NameInterner, u32) -> Option<NameId>,
    ) -> Option<usize> {
        let names = &mut self.names;
        let mut name = |number: u32| name(names, number);
        let count = u32::try_from(stored.symbols.len()).ok()?;
        let symbol_at = |number: u32| (number < count).then(|| first_symbol.plus(number));
        let file = FileId::at(self.files.len());
        let mut rest = stored.parameters.as_slice();
        let (mut symbols, mut parameters) = (Vec::with_capacity(stored.symbols.len()), Vec::new());
        for symbol in &stored.symbols {
            let (own, others) = rest.split_at_checked(symbol.parameters as usize)?;
            rest = others;
            let own = own.iter().map(|parameter| {
                Some(InternedParameter {
                    label: name(parameter.label)?,
                    written: name(parameter.written)?,
                    is_rest: parameter.is_rest,
                    is_optional: parameter.is_optional,
                    is_receiver: parameter.is_receiver,
                })
            });
            parameters.extend(own.collect::<Option<Vec<_>>>()?);
            let container = symbol.container.checked_sub(1).map_or(Some(None), |at| symbol_at(at).map(Some))?;
            symbols.push(SymbolInfo {
                name: name(symbol.name)?,
                container,
                owner: optional(&mut name, symbol.owner.checked_sub(1))?,
                file,
                kind: symbol.kind,
                has_body: symbol.has_body,
                is_exported: symbol.is_exported,
                line: symbol.line,
                column: symbol.column,
                arity: symbol.arity,
            });
        }
        let type_facts = stored.type_facts.iter().map(|fact| {
            Some(InternedTypeFact {
                symbol: symbol_at(fact.symbol)?,
                name: optional(&mut name, fact.name.checked_sub(1))?,
                scope: symbol_at(fact.scope)?,
                text: name(fact.text)?,
                is_declared: fact.is_declared,
            })
        });
        let type_facts = type_facts.collect::<Option<Vec<_>>>()?;
        let links = stored.links.iter().map(|link| {
            Some(RawReference {
                source: symbol_at(link.source)?,
                name: name(link.name)?,
                owner: optional(&mut name, link.owner)?,
                alias: optional(&mut name, link.alias)?,
                line: link.line,
                column: link.column,
                kind: link.kind,
                is_local: link.is_local,
                is_path_qualified: link.is_path_qualified,
                argument_count: link.argument_count,
                arguments: optional(&mut name, link.arguments)?,
            })
        });
        let references = links.collect::<Option<Box<[RawReference]>>>()?;
        let container = |n: usize| stored.symbols[n].container.checked_sub(1);
        // Cyclic containers would be followed for ever.
        if symbols.is_empty() || !are_acyclic(symbols.len(), container) {
            return None;
        }
        let counts = stored.symbols.iter().map(|symbol| symbol.parameters);
        self.parameters.extend(counts, parameters);
        self.symbols.extend(symbols);
        let first_fact = self.type_facts.all().len();
        self.type_facts.extend(type_facts);
        if let Some(project) = &stored.project {
            self.add_project(scope.repo, scope.path, scope.is_test, project.clone());
        }
        let content = Some(content);
        self.end_file(
            scope,
            first_symbol,
            AddedFile { references, is_module: stored.is_module, first_fact, content, ..AddedFile::default() },
        );
        if let Some(file) = self.files.last_mut() {
            file.stored = Some(stored.number);
        }
        Some(stored.symbols.len())
    }

    /// The containers of the symbols from one on, counted from that one.
    pub fn containers_from(&self, first: SymbolId) -> impl ExactSizeIterator<Item = Option<u32>> {
        let symbols = &self.symbols[first.index().min(self.symbols.len())..];
        symbols.iter().map(move |symbol| symbol.container.and_then(|container| container.rows_after(first)))
    }
}

impl SymbolNames for SymbolTable {
    fn name_of(&self, symbol: SymbolId) -> &str {
        self.symbols.get(symbol.index()).map_or("", |symbol| self.names.text(symbol.name))
    }
}

/// The id of a name that may be missing; none if it should not be.
fn optional(name: &mut impl FnMut(u32) -> Option<NameId>, number: Option<u32>) -> Option<Option<NameId>> {
    number.map_or(Some(None), |number| name(number).map(Some))
}

/// A stored table from which files are added to another one.
#[derive(Default)]
pub struct StoredSymbols {
    table: Arc<StoredTable>,
    /// Its names, until another table begins with them.
    names: NameInterner,
    /// The number of those that the base has.
    base_names: usize,
    /// The files that were taken.
    taken: Vec<bool>,
}

impl StoredSymbols {
    /// Opens what [`SymbolTable::store`] wrote.
    ///
    /// # Errors
    /// It is damaged.
    pub fn open(records: Records) -> std::io::Result<Self> {
        let mut base_names = None;
        let (mut text, mut lengths) = (Vec::new(), Vec::new());
        for (more, of_more) in records.blobs(NAMES)?.into_iter().zip(records.blobs(LENGTHS)?) {
            if text.is_empty() {
                text = more;
            } else {
                text.extend(more);
            }
            lengths.extend(postcard::from_bytes::<Vec<u32>>(&of_more).map_err(|_| records.damage())?);
            base_names.get_or_insert(lengths.len());
        }
        let text = String::from_utf8(text).ok();
        let names = text.and_then(|text| NameInterner::from_texts(text, &lengths)).ok_or_else(|| records.damage())?;
        let table = StoredTable { records };
        let taken = vec![false; table.file_count()];
        Ok(Self { taken, table: Arc::new(table), names, base_names: base_names.unwrap_or_default() })
    }

    /// The table, from which files can be read on any thread.
    #[must_use]
    pub fn table(&self) -> Arc<StoredTable> {
        Arc::clone(&self.table)
    }

    /// Whether a file, by its number, is stored and was not taken yet.
    #[must_use]
    pub fn has(&self, number: usize) -> bool {
        self.table.has(number) && self.taken.get(number) == Some(&false)
    }

    /// Says that a file, by its number, is added.
    pub fn take(&mut self, number: usize) {
        if let Some(taken) = self.taken.get_mut(number) {
            *taken = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use sextant_syntax::Analyzer;
    use sextant_syntax::chunk::Limits;

    use super::*;

    #[test]
    fn a_file_whose_containers_form_a_circle_is_damaged() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("symbols");
        let text = b"class A:\n    def f(self):\n        pass\n".to_vec();
        let analysis = Analyzer::new().analyze("a.py", text, &Limits::STANDARD).unwrap();
        let scope = || FileContext { repo: 0, path: "a.py", language: "python", is_test: false };
        let mut table = SymbolTable::default();
        table.add_file(scope(), SymbolId::at(0), &analysis.symbols, &analysis.references, &analysis.type_facts);
        table.store(fs_err::File::create(&path).unwrap()).unwrap();
        let mut symbols = StoredSymbols::open(Records::open(&path, None).unwrap()).unwrap();
        let stored = symbols.table();
        let mut again = SymbolTable::default();
        again.begin_with(&mut symbols);
        let mut file = stored.files().read(0).unwrap();
        // Numbers of containers are one more than the symbols they mean.
        assert_eq!(file.symbols.iter().take(3).map(|symbol| symbol.container).collect::<Vec<_>>(), [0, 1, 2]);
        for (container, is_whole) in [(3, false), (2, false), (99, false), (0, false), (1, true)] {
            file.symbols[1].container = container;
            let added = again.add_stored(scope(), SymbolId::at(0), &file, 0);
            assert_eq!(added.is_some(), is_whole, "{container}");
        }
    }
}

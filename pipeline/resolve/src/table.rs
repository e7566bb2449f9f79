//! What resolution must know of all files at once, in a compact form.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_format::names::segments;

use sextant_syntax::extract::arity_range;
use sextant_syntax::project::ProjectConfig;

use super::interner::{NO_NAME, NameInterner};
use super::modules::{Namespaces, namespace_of, swift_module};
use super::projects::Projects;
use super::scip_uses::ScipUses;
use super::type_facts::TypeFactTable;
use crate::scip::Occurrence;
use sextant_syntax::language::{self, Language, ModuleSystem};
use sextant_syntax::model::{Reference, Symbol, TypeFact};

/// No symbol.
pub(super) const NO_SYMBOL: u32 = u32::MAX;

/// Where a file stands.
pub struct FileContext<'a> {
    /// Number of its repository.
    pub repo: u32,
    /// Its path.
    pub path: &'a str,
    /// Its language's name.
    pub language: &'static str,
    /// Whether it is test code.
    pub is_test: bool,
}

/// A definition.
pub(super) struct SymbolInfo {
    pub(super) name: u32,
    pub(super) container: u32,
    /// The name of the owner: the container's, or where that is the file what the qualified name says.
    pub(super) owner: u32,
    pub(super) file: u32,
    pub(super) kind: Kind,
    pub(super) has_body: bool,
    /// Line and column of its name.
    pub(super) line: u32,
    pub(super) column: u32,
    /// How many arguments it takes, at least and at most.
    pub(super) arity: (u8, u8),
}

/// A use.
pub(super) struct RawReference {
    pub(super) source: u32,
    pub(super) name: u32,
    pub(super) owner: u32,
    pub(super) alias: u32,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) kind: EdgeKind,
    pub(super) is_local: bool,
    pub(super) is_path_qualified: bool,
    pub(super) argument_count: Option<u8>,
}

impl RawReference {
    /// Whether it says what a type implements outside of the type's text: its owner is then the type.
    pub(super) fn is_out_of_line_impl(&self, table: &SymbolTable) -> bool {
        self.kind == EdgeKind::Implement && self.owner != NO_NAME && !table.symbols[self.source as usize].kind.is_type()
    }
}

/// A file.
pub(super) struct FileInfo {
    pub(super) repo: u32,
    pub(super) path: String,
    pub(super) language: Option<&'static Language>,
    pub(super) family: &'static str,
    /// Number of its repository and language family: definitions in one file can be meant in another where it is the
    /// same.
    pub(super) linkage_group: u32,
    /// Number of its folder or namespace; the same folder of two repositories has two numbers.
    pub(super) folder: u32,
    /// What the file is called as a module: its stem, or its folder where the stem says "this folder".
    pub(super) module_name: String,
    pub(super) is_test: bool,
    /// Whether it exports something, or imports: its other names are its own.
    pub(super) is_module: bool,
    pub(super) first_symbol: u32,
    /// The number of the first of its references among all.
    pub(super) first_reference: u32,
    pub(super) references: Box<[RawReference]>,
}

impl FileInfo {
    /// The segments of its path as a module.
    pub(super) fn module_segments(&self) -> Vec<&str> {
        super::modules::module_segments(&self.path, self.language)
    }
}

/// Everything that was defined and used.
#[derive(Default)]
pub struct SymbolTable {
    pub(super) names: NameInterner,
    pub(super) symbols: Vec<SymbolInfo>,
    pub(super) files: Vec<FileInfo>,
    pub(super) type_facts: TypeFactTable,
    pub(super) projects: Projects,
    pub(super) scip_uses: ScipUses,
    pub(super) namespaces: Namespaces,
    folders: FxHashMap<(u32, String), u32>,
    linkage_groups: FxHashMap<(u32, &'static str), u32>,
}

impl SymbolTable {
    /// Adds a file; files come in the order of their ids, so the lists' lengths are the next ids.
    pub fn add_file(
        &mut self,
        scope: FileContext<'_>,
        first_symbol: u32,
        symbols: &[Symbol],
        references: &[Reference],
        hints: &[TypeFact],
    ) {
        let file = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
        for symbol in symbols {
            let owner = match symbol.container {
                Some(0) => {
                    let segments = segments(&symbol.qualified_name);
                    segments.len().checked_sub(2).map(|at| segments[at])
                }
                Some(id) => Some(symbols[id as usize].name.as_str()),
                None => None,
            };
            self.symbols.push(SymbolInfo {
                owner: owner.map_or(NO_NAME, |owner| self.names.intern(owner)),
                name: self.names.intern(&symbol.name),
                container: symbol.container.map_or(NO_SYMBOL, |id| first_symbol + id),
                file,
                kind: symbol.kind,
                has_body: symbol.has_body,
                line: symbol.name_line,
                column: symbol.name_column,
                arity: arity(symbol),
            });
        }
        let is_module = symbols.iter().skip(1).any(|symbol| symbol.exported)
            || references.iter().any(|reference| reference.kind == EdgeKind::Import);
        let mut intern = |text: Option<&str>| text.map_or(NO_NAME, |text| self.names.intern(text));
        let references: Box<[RawReference]> = references
            .iter()
            .map(|reference| RawReference {
                source: first_symbol + reference.source,
                name: intern(Some(&reference.name)),
                owner: intern(reference.qualifier.as_deref()),
                alias: intern(reference.alias.as_deref()),
                line: reference.line,
                column: reference.column,
                kind: reference.kind,
                is_local: reference.is_local,
                is_path_qualified: reference.is_path_qualified,
                argument_count: reference.argument_count,
            })
            .collect();
        let end = |file: &FileInfo| file.first_reference + file.references.len() as u32;
        let first_reference = self.files.last().map_or(0, end);
        for hint in hints {
            self.type_facts.add(first_symbol, hint, |text| self.names.intern(text));
        }
        let language = language::by_name(scope.language);
        let (folder, _) = scope.path.rsplit_once('/').unwrap_or(("", scope.path));
        let rule = language.map(|language| language.modules);
        let mut package = match rule {
            Some(ModuleSystem::Java) => package_folder(folder).to_owned(),
            Some(ModuleSystem::Swift) => swift_module(scope.path).to_owned(),
            _ => folder.to_owned(),
        };
        if let (Some(ModuleSystem::Namespaces | ModuleSystem::QualifiedNames), Some(language)) = (rule, language) {
            // Files of one namespace are a package, wherever they lie.
            package = namespace_of(symbols).map_or(package, |namespace| format!("\0{namespace}"));
            self.namespaces.add(scope.repo, language.family, language.folder_is_package, file, symbols);
        }
        let next = u32::try_from(self.folders.len()).unwrap_or(u32::MAX);
        let folder = *self.folders.entry((scope.repo, package)).or_insert(next);
        let family = language.map_or("", |language| language.family);
        let next = u32::try_from(self.linkage_groups.len()).unwrap_or(u32::MAX);
        let linkage_group = *self.linkage_groups.entry((scope.repo, family)).or_insert(next);
        self.files.push(FileInfo {
            repo: scope.repo,
            path: scope.path.to_owned(),
            language,
            family,
            linkage_group,
            folder,
            module_name: super::modules::module_segments(scope.path, language)
                .last()
                .map_or_else(String::new, |s| (*s).to_owned()),
            is_test: scope.is_test,
            is_module,
            first_symbol,
            first_reference,
            references,
        });
    }

    /// Whether definitions in one file can be meant in another: of one repository and language family.
    pub(super) fn share_linkage_group(&self, file: u32, other: u32) -> bool {
        self.files[file as usize].linkage_group == self.files[other as usize].linkage_group
    }

    /// Adds what a compiler says of the file that was added last.
    pub fn add_scip(&mut self, file: u32, first_symbol: u32, symbols: &[Symbol], occurrences: &[Occurrence]) {
        self.scip_uses.add(file, first_symbol, symbols, occurrences);
    }

    /// Adds what a file says of the modules of its project.
    pub fn add_project(&mut self, repo: u32, path: &str, project: ProjectConfig) {
        self.projects.add(repo, path, project);
    }
}

/// Folders of sources by language, below `src/main` and `src/test`: a package is spread over them.
const SOURCE_ROOTS: &[&str] = &["java", "kotlin", "scala", "groovy"];

/// The part of a folder that is the package, where the folder shows where it begins.
fn package_folder(folder: &str) -> &str {
    let mut from = 0;
    let parts: Vec<&str> = folder.split('/').collect();
    for (n, part) in parts.iter().enumerate() {
        from += part.len() + 1;
        if n >= 2 && parts[n - 2] == "src" && SOURCE_ROOTS.contains(part) {
            return folder.get(from..).unwrap_or("");
        }
    }
    folder
}

/// How many arguments a symbol takes, at least and at most; any number where its signature does not say.
fn arity(symbol: &Symbol) -> (u8, u8) {
    let parsed = symbol.signature.as_deref().filter(|_| symbol.kind.is_callable()).and_then(arity_range);
    let clamp = |count: usize| u8::try_from(count).unwrap_or(u8::MAX);
    parsed.map_or((0, u8::MAX), |(min, max)| (clamp(min), clamp(max)))
}

/// Look-ups over the complete table.
pub(super) struct SymbolLookup {
    /// Symbols by name, as compressed rows.
    starts: Vec<u32>,
    symbols: Vec<u32>,
    /// The same rows, each in the order of the owners' names, then of the ids.
    by_owner: Vec<u32>,
    /// The first symbol of each file, and one past the last of all.
    files: Vec<u32>,
    /// The names of types that extensions with a name of their own add to.
    extended: FxHashSet<u32>,
    /// What a type inherits from or implements, as (what stands before the name, name).
    bases: FxHashMap<u32, Vec<(u32, u32)>>,
    /// The types that implement something outside of their text, by the number of the reference that says so.
    implementors: FxHashMap<u32, u32>,
}

impl SymbolLookup {
    pub(super) fn new(table: &SymbolTable) -> Self {
        let mut starts = vec![0_u32; table.names.len() + 1];
        for symbol in &table.symbols {
            starts[symbol.name as usize + 1] += 1;
        }
        for n in 1..starts.len() {
            starts[n] += starts[n - 1];
        }
        let mut next = starts.clone();
        let mut symbols = vec![0; table.symbols.len()];
        for (id, symbol) in table.symbols.iter().enumerate() {
            let slot = &mut next[symbol.name as usize];
            symbols[*slot as usize] = u32::try_from(id).unwrap_or(u32::MAX);
            *slot += 1;
        }
        let mut by_owner = symbols.clone();
        for row in starts.windows(2) {
            let row = &mut by_owner[row[0] as usize..row[1] as usize];
            row.sort_unstable_by_key(|&id| (table.symbols[id as usize].owner, id));
        }
        let end = u32::try_from(table.symbols.len()).unwrap_or(u32::MAX);
        let files = table.files.iter().map(|file| file.first_symbol).chain([end]).collect();
        let (bases, implementors, extended) = (FxHashMap::default(), FxHashMap::default(), extended_type_names(table));
        let mut index = Self { starts, symbols, by_owner, files, extended, bases, implementors };
        let all = table.files.iter().flat_map(|file| (file.first_reference..).zip(&file.references));
        for (number, reference) in all {
            if !matches!(reference.kind, EdgeKind::Inherit | EdgeKind::Implement) {
                continue;
            }
            let (mut source, mut path) = (reference.source, reference.owner);
            if reference.is_out_of_line_impl(table) {
                let Some(implementor) = index.implementor(table, reference) else { continue };
                index.implementors.insert(number, implementor);
                (source, path) = (implementor, NO_NAME);
            }
            index.bases.entry(source).or_default().push((path, reference.name));
        }
        index
    }

    /// The type that the owner of a reference names: of its file, else the only one of its language here.
    fn implementor(&self, table: &SymbolTable, reference: &RawReference) -> Option<u32> {
        let owner = super::imports::last_segment(table.names.text(reference.owner).trim_start_matches('&'));
        let here = table.symbols.get(reference.source as usize)?.file;
        let file = |id: u32| table.symbols[id as usize].file;
        let named = self.named(table.names.find(owner)?).iter().copied();
        let mut named: super::SymbolIds = named
            .filter(|&id| table.symbols[id as usize].kind.is_type() && table.share_linkage_group(file(id), here))
            .collect();
        super::retain_preferred(&mut named, |id| file(id) == here);
        super::retain_preferred(&mut named, |id| {
            table.files[file(id) as usize].folder == table.files[here as usize].folder
        });
        match named.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// The type outside of whose text a reference says what it implements.
    pub(super) fn implementor_of(&self, reference: u32) -> Option<u32> {
        self.implementors.get(&reference).copied()
    }

    /// The symbols of a name, in the order of their ids.
    pub(super) fn named(&self, name: u32) -> &[u32] {
        &self.symbols[self.row(name)]
    }

    /// The symbols of a name that a file defines, in the order of their ids.
    pub(super) fn named_in(&self, name: u32, file: u32) -> &[u32] {
        self.in_file(self.named(name), file)
    }

    /// Of some symbols in the order of their ids those that a file defines.
    pub(super) fn in_file<'a>(&self, symbols: &'a [u32], file: u32) -> &'a [u32] {
        let file = file as usize;
        let (Some(&first), Some(&end)) = (self.files.get(file), self.files.get(file + 1)) else { return &[] };
        let from = symbols.partition_point(|&id| id < first);
        &symbols[from..from + symbols[from..].partition_point(|&id| id < end)]
    }

    /// The symbols of a name whose owner has a name, in the order of their ids.
    pub(super) fn members_named(&self, table: &SymbolTable, name: u32, owner: u32) -> &[u32] {
        let row = &self.by_owner[self.row(name)];
        let owner_of = |id: u32| table.symbols[id as usize].owner;
        let from = row.partition_point(|&id| owner_of(id) < owner);
        &row[from..from + row[from..].partition_point(|&id| owner_of(id) == owner)]
    }

    /// Whether an extension with a name of its own adds to a type of this name.
    pub(super) fn is_extended(&self, name: u32) -> bool {
        self.extended.contains(&name)
    }

    fn row(&self, name: u32) -> Range<usize> {
        let name = name as usize;
        match (self.starts.get(name), self.starts.get(name + 1)) {
            (Some(&start), Some(&end)) => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// What a type inherits from or implements, as (what stands before the name, name).
    pub(super) fn bases(&self, symbol: u32) -> &[(u32, u32)] {
        self.bases.get(&symbol).map_or(&[], Vec::as_slice)
    }
}

/// The names of types that extensions with a name of their own add to: what is written of a type symbol itself.
fn extended_type_names(table: &SymbolTable) -> FxHashSet<u32> {
    let of_types =
        table.type_facts.all().iter().filter(|fact| {
            fact.is_declared && fact.name == NO_NAME && table.symbols[fact.symbol as usize].kind.is_type()
        });
    of_types.filter_map(|fact| table.names.find(super::imports::last_segment(table.names.text(fact.text)))).collect()
}

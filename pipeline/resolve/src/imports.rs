//! The imports of each file: the names that they bind, and the files that they lead to.

use crate::interner::NameId;
use sextant_format::ids::{FileId, SymbolId};
use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_format::manifest::Package;
use sextant_syntax::language::ModuleSystem;
use smallvec::SmallVec;

use crate::fingerprint;
use crate::model::SymbolInfo;
use crate::module_path::{bound_name, path_root};
use crate::modules::Modules;
use crate::qualifier::last_segment;
use crate::raw_reference::RawReference;
use crate::table::SymbolTable;

/// An import of one name or module.
pub(crate) struct Import {
    /// The imported name; for a whole module the name that it binds.
    pub(crate) name: Option<NameId>,
    /// The module as written.
    pub(crate) module: NameId,
    /// The module's files; empty for modules outside of the index.
    pub(crate) files: Vec<FileId>,
    /// Whether the module is outside of the repository.
    pub(crate) is_outside: bool,
    /// Whether the module itself is imported instead of one of its names.
    pub(crate) is_namespace_import: bool,
    /// The symbol that contains it: the file, a module or a function.
    pub(crate) scope: SymbolId,
    /// Whether the name is that of a module, and so of no definition in its files.
    pub(crate) is_module: bool,
    /// Whether the module's default export is imported.
    pub(crate) is_default: bool,
}

/// The imports of a file.
pub(crate) struct FileImports<'a> {
    table: &'a SymbolTable,
    file: FileId,
    imports: Vec<Import>,
    /// Imports by the local name that they bind, and by the imported name.
    by_local: FxHashMap<NameId, Vec<usize>>,
    /// Imports by line, column and name of their reference.
    by_position: FxHashMap<(u32, u32, NameId), usize>,
    /// Files imported by a glob.
    glob_files: Vec<FileId>,
    /// For each of them, the last segment of the path, if it may be a type.
    glob_owners: Vec<Option<NameId>>,
    /// First segments of the paths of modules that are imported as a whole.
    module_path_roots: FxHashSet<NameId>,
    /// Modules inside of the file that import all names of the one around them: `use super::*`.
    open_modules: FxHashSet<SymbolId>,
}

/// The imports of all files, each computed when it is first needed.
pub(crate) struct AllImports<'a> {
    table: &'a SymbolTable,
    modules: Modules<'a>,
    files: Vec<OnceLock<FileImports<'a>>>,
}

impl<'a> AllImports<'a> {
    pub(crate) fn new(table: &'a SymbolTable) -> Self {
        let files = table.files.iter().map(|_| OnceLock::new()).collect();
        Self { table, modules: Modules::new(&table.files, &table.names, &table.projects, &table.namespaces), files }
    }

    /// What repositories publish, by the number of the repository.
    pub(crate) fn published(&self) -> Vec<(u32, Package)> {
        self.modules.published()
    }

    /// Whether code in a file may use full paths without an import.
    pub(crate) fn has_full_paths(&self, file: FileId) -> bool {
        let rule = self.table.files[file.index()].language.map(|language| language.modules);
        matches!(rule, Some(ModuleSystem::Namespaces | ModuleSystem::QualifiedNames | ModuleSystem::Rust))
    }

    /// The files of a module or type by its full path, in languages where code may use full paths without an import.
    pub(crate) fn module_files(&self, file: FileId, name: &str) -> Vec<FileId> {
        if self.has_full_paths(file) { self.modules.find(file, name) } else { Vec::new() }
    }

    /// The files that define a full name, in languages whose rules say which full name a written name means.
    pub(crate) fn defining_files(&self, file: FileId, full_name: &str) -> Vec<FileId> {
        self.table.namespaces.defining_files(&self.table.files[file.index()], full_name)
    }

    /// The files that may define a type by its full name, in languages of packages that are folders.
    pub(crate) fn packaged_type_files(&self, file: FileId, full_name: &str) -> Vec<FileId> {
        let is_packaged = self.table.files[file.index()].language.is_some_and(|l| l.modules == ModuleSystem::Java);
        if is_packaged { self.modules.find(file, full_name) } else { Vec::new() }
    }

    /// The file of the Rust module that a path names in a file: a crate of the repository, or a module in one.
    pub(crate) fn rust_module(&self, file: FileId, path: &str) -> Option<FileId> {
        let is_rust = self.table.files[file.index()].language.is_some_and(|l| l.modules == ModuleSystem::Rust);
        is_rust.then(|| self.modules.rust_whole_module(file, path)).flatten()
    }

    pub(crate) fn imports_of(&self, file: FileId) -> &FileImports<'a> {
        self.files[file.index()]
            .get_or_init(|| FileImports::new(self.table, &self.modules, file, &self.table.files[file.index()].links))
    }
}

impl<'a> FileImports<'a> {
    pub(crate) fn new(
        table: &'a SymbolTable,
        modules: &Modules<'_>,
        file: FileId,
        references: &[RawReference],
    ) -> Self {
        let mut all = Self {
            table,
            file,
            imports: Vec::new(),
            by_local: FxHashMap::default(),
            by_position: FxHashMap::default(),
            glob_files: Vec::new(),
            glob_owners: Vec::new(),
            module_path_roots: FxHashSet::default(),
            open_modules: FxHashSet::default(),
        };
        let Some(language) = table.files[file.index()].language else { return all };
        let mut known: FxHashMap<(Option<NameId>, NameId, usize), ImportedFiles> = FxHashMap::default();
        for reference in references.iter().filter(|reference| reference.kind == EdgeKind::Import) {
            let name_text = table.names.text(reference.name);
            let owner = table.names.text_or_empty(reference.owner);
            let levels =
                if language.modules == ModuleSystem::Rust { modules_around(table, reference.source) } else { 0 };
            let opens_module = levels > 0 && (owner, name_text) == ("super", "*");
            if opens_module {
                all.open_modules.extend(enclosing_module(table, reference.source));
            }
            let (files, is_module) = known
                .entry((reference.owner, reference.name, levels))
                .or_insert_with(|| {
                    let from_file = path_from_file(owner, levels);
                    imported_files(table, modules, language.modules, file, reference, &from_file)
                })
                .clone();
            let is_namespace_import = reference.owner.is_none() || is_module;
            let is_glob = match language.modules {
                ModuleSystem::Include | ModuleSystem::Swift => true,
                ModuleSystem::Namespaces | ModuleSystem::Haskell => is_namespace_import && reference.alias.is_none(),
                _ => name_text == "*" || name_text.ends_with(".*"),
            };
            if is_glob && !opens_module {
                let owner = reference.owner.filter(|_| language.modules == ModuleSystem::Rust);
                let owner = owner.and_then(|owner| table.names.find(last_segment(table.names.text(owner))));
                all.glob_owners.extend(files.iter().map(|_| owner));
                all.glob_files.extend(&files);
            }
            all.module_path_roots.extend(path_root(name_text).and_then(|root| table.names.find(root)));
            let name = table.names.find(bound_name(name_text, language.modules));
            let local = reference.alias.or(name);
            let is_rust_module = is_module && language.modules == ModuleSystem::Rust;
            let exporter = is_rust_module
                .then(|| exporter_of_item(table, modules, file, &path_from_file(owner, levels), reference.name))
                .flatten();
            // Extraction marks default imports by an alias that equals the name.
            let is_ecma = language.modules == ModuleSystem::EcmaScript;
            let is_default = is_ecma && !is_namespace_import && reference.alias == Some(reference.name);
            let is_outside = !files.iter().any(|&there| table.share_repository(file, there));
            let import = Import {
                name,
                module: reference.owner.unwrap_or(reference.name),
                files,
                is_outside,
                is_namespace_import,
                scope: reference.source,
                is_module,
                is_default,
            };
            let item = exporter.map(|exporter| {
                let (files, is_outside) = (vec![exporter], !table.share_repository(file, exporter));
                Import { files, is_module: false, is_namespace_import: false, is_outside, ..import }
            });
            all.push(import, reference, local);
            // The reference itself leads to the item.
            if let Some(item) = item {
                all.push(item, reference, local);
            }
        }
        all
    }

    /// Adds what a reference imports, under the names by which code may use it.
    fn push(&mut self, import: Import, reference: &RawReference, local: Option<NameId>) {
        let at = self.imports.len();
        self.by_position.insert((reference.line, reference.column, reference.name), at);
        for key in local.into_iter().chain([reference.name]) {
            let same = self.by_local.entry(key).or_default();
            if !same.contains(&at) {
                same.push(at);
            }
        }
        self.imports.push(import);
    }

    /// The import that a reference of kind `import` stands for.
    pub(crate) fn import_of(&self, reference: &RawReference) -> Option<&Import> {
        self.by_position.get(&(reference.line, reference.column, reference.name)).map(|&at| &self.imports[at])
    }

    /// Imports that bind a local name.
    pub(crate) fn binding(&self, name: NameId) -> SmallVec<[&Import; 4]> {
        self.by_local.get(&name).into_iter().flatten().map(|&at| &self.imports[at]).collect()
    }

    /// The imports that bind the longest prefix of a receiver or path: `a.b` of `a.b.c`, else `a`.
    pub(crate) fn for_receiver(&self, owner: &str) -> SmallVec<[&Import; 4]> {
        self.longest_import_prefix(owner).0
    }

    /// The same, and the length of the prefix in bytes.
    pub(crate) fn longest_import_prefix(&self, owner: &str) -> (SmallVec<[&Import; 4]>, usize) {
        let mut end = owner.len();
        loop {
            let found = self.table.names.find(&owner[..end]).map_or_else(SmallVec::new, |name| self.binding(name));
            if !found.is_empty() {
                return (modules_first(found), end);
            }
            let Some(cut) = owner[..end].rfind(['.', ':']) else { return (SmallVec::new(), 0) };
            end = owner[..cut].trim_end_matches([':', '.']).len();
        }
    }

    /// Whether a module inside of the file imports all names of the one around it.
    pub(crate) fn is_open(&self, module: SymbolId) -> bool {
        self.open_modules.contains(&module)
    }

    /// Whether the path of a module that is imported as a whole begins with this name.
    pub(crate) fn is_module_path_root(&self, name: NameId) -> bool {
        self.module_path_roots.contains(&name)
    }

    /// Whether a glob import of a file brings a member of this owner into scope: a type's members only if the path ends
    /// with the type. Only Rust has such paths.
    pub(crate) fn glob_includes(&self, file: FileId, owner: Option<NameId>) -> bool {
        let globs = self.glob_files.iter().zip(&self.glob_owners);
        globs.into_iter().any(|(&from, path_end)| from == file && owner.is_some() && *path_end == owner)
    }

    /// The fingerprint of everything that other files, or the file itself, can see of these imports. Equal fingerprints
    /// lead to equal answers, also if files have other numbers.
    pub(crate) fn state(&self) -> u64 {
        let names = &self.table.names;
        let file_state = |&file: &FileId| self.table.files[file.index()].state.attributes;
        let files = |files: &[FileId]| files.iter().map(file_state).fold(files.len() as u64, fingerprint::mix);
        let here = &self.table.files[self.file.index()];
        let imports = here.links.iter().filter(|reference| reference.kind == EdgeKind::Import);
        let mut state = fingerprint::of([files(&self.glob_files), self.imports.len() as u64]);
        for (import, reference) in self.imports.iter().zip(imports) {
            let flags = [import.is_outside, import.is_namespace_import, import.is_module, import.is_default];
            let flags = flags.into_iter().fold(0, |all, flag| all << 1 | u64::from(flag));
            let scope = import.scope.rows_after(here.first_symbol).unwrap_or(u32::MAX);
            let (alias, name) = (names.fingerprint_or_none(reference.alias), names.fingerprint(reference.name));
            let (bound, module) = (names.fingerprint_or_none(import.name), names.fingerprint(import.module));
            state = fingerprint::mix(
                state,
                fingerprint::of([name, alias, bound, module, files(&import.files), flags, scope.into()]),
            );
        }
        let roots = self.glob_owners.iter().map(|&owner| names.fingerprint_or_none(owner));
        roots.fold(state, fingerprint::mix)
    }

    /// The imports of all names in a symbol that lead to no file, with their paths.
    pub(crate) fn globs_without_files(&self, scope: SymbolId) -> impl Iterator<Item = (&Import, &str)> {
        let open = self.imports.iter().filter(move |import| import.scope == scope && import.files.is_empty());
        open.filter_map(|import| Some((import, self.glob_path(import)?)))
    }

    /// The path of which an import imports all names.
    pub(crate) fn glob_path(&self, import: &Import) -> Option<&str> {
        self.table.names.text(import.module).strip_suffix(".*")
    }

    /// Files whose top-level names are all in scope.
    pub(crate) fn glob_files(&self) -> &[FileId] {
        &self.glob_files
    }
}

/// Of imports of one name, the modules, if there are some: only they have names inside of them.
fn modules_first(mut imports: SmallVec<[&Import; 4]>) -> SmallVec<[&Import; 4]> {
    if imports.iter().any(|import| import.is_module) {
        imports.retain(|import| import.is_module);
    }
    imports
}

/// How many modules of its own file are around a symbol.
fn modules_around(table: &SymbolTable, scope: SymbolId) -> usize {
    scopes(table, scope).filter(|&id| table.symbols[id.index()].kind == Kind::Module).count()
}

/// The innermost module of its own file around a symbol, or the symbol itself.
fn enclosing_module(table: &SymbolTable, scope: SymbolId) -> Option<SymbolId> {
    scopes(table, scope).find(|&id| table.symbols[id.index()].kind == Kind::Module)
}

fn scopes(table: &SymbolTable, scope: SymbolId) -> impl Iterator<Item = SymbolId> + '_ {
    std::iter::successors(Some(scope), |&id| table.symbols[id.index()].container)
}

/// A path in a module inside of so many others of its file, as the module of the file would write it: `super::a` in
/// `mod tests` is `self::a`.
fn path_from_file(path: &str, levels: usize) -> Cow<'_, str> {
    let steps = path.split("::").take_while(|step| *step == "super").count();
    if levels == 0 || steps == 0 && path != "self" && !path.starts_with("self::") {
        return Cow::Borrowed(path);
    }
    let above = steps.saturating_sub(levels);
    let inside = path.split("::").skip_while(|step| matches!(*step, "super" | "self"));
    let begin = if above == 0 { "self" } else { "super" };
    let steps = std::iter::repeat_n(begin, above.max(1));
    Cow::Owned(steps.chain(inside).collect::<Vec<_>>().join("::"))
}

/// The files of an import's module, and whether the name is that of a module.
type ImportedFiles = (Vec<FileId>, bool);

/// Finds what an import leads to. `owner` is its path as the file's own module would write it.
fn imported_files(
    table: &SymbolTable,
    modules: &Modules<'_>,
    rule: ModuleSystem,
    file: FileId,
    reference: &RawReference,
    owner: &str,
) -> ImportedFiles {
    let name = table.names.text(reference.name);
    if reference.owner.is_none() || rule == ModuleSystem::Rust && owner.ends_with(".rs") {
        return (modules.find(file, name), matches!(rule, ModuleSystem::Rust | ModuleSystem::Go));
    }
    if rule == ModuleSystem::Java && name == "*" {
        let package = modules.find(file, &format!("{owner}.*"));
        // `import static a.Type.*`
        let files = if package.is_empty() { modules.find(file, owner) } else { package };
        return (files, false);
    }
    if rule == ModuleSystem::Rust
        && let Some(module) = modules.rust_whole_module(file, &format!("{owner}::{name}"))
    {
        return (vec![module], true);
    }
    // The imported name may itself be a module: `from a import b`, `use a::b`.
    if rule == ModuleSystem::Rust && name == "*" && defines_type(table, file, owner) {
        return (vec![file], false);
    }
    let inner = match rule {
        ModuleSystem::Python if owner.ends_with('.') => modules.find(file, &format!("{owner}{name}")),
        ModuleSystem::Python => modules.find(file, &format!("{owner}.{name}")),
        ModuleSystem::Rust => modules.find(file, &format!("{owner}::{name}")),
        ModuleSystem::Namespaces | ModuleSystem::QualifiedNames => modules.find(file, &format!("{owner}.{name}")),
        _ => Vec::new(),
    };
    if matches!(rule, ModuleSystem::Namespaces | ModuleSystem::QualifiedNames) && !inner.is_empty() {
        return (inner, false);
    }
    let mut files = modules.find(file, owner);
    files.extend(inner.into_iter().filter(|file| !files.contains(file)).collect::<Vec<_>>());
    (files, false)
}

/// The file that exports a function or macro with the name of an imported Rust module, so that the import binds both: `mod
/// a; pub use a::a;` or `mod a; pub fn a() {}`.
fn exporter_of_item(
    table: &SymbolTable,
    modules: &Modules<'_>,
    file: FileId,
    owner: &str,
    name: NameId,
) -> Option<FileId> {
    let around = modules.rust_whole_module(file, owner).filter(|around| *around != file)?;
    let is_item = |symbol: &SymbolInfo| {
        let kind = symbol.kind;
        symbol.name == name && symbol.owner.is_none() && (kind.is_callable() || kind == Kind::Macro)
    };
    let is_defined = || table.symbols_of(around).any(|id| is_item(&table.symbols[id.index()]));
    (modules.rust_exports_item(around, table.names.text(name)) || is_defined()).then_some(around)
}

/// Whether a file defines a type whose members an import of all names brings into scope: `use Direction::*`.
fn defines_type(table: &SymbolTable, file: FileId, name: &str) -> bool {
    let Some(name) = table.names.find(name) else { return false };
    let mut symbols = table.symbols_of(file).map(|id| &table.symbols[id.index()]);
    symbols.any(|symbol| symbol.name == name && symbol.kind == Kind::Enum)
}

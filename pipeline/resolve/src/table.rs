//! The symbol table of all files, filled file by file before resolution.

use rustc_hash::FxHashMap;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_format::names::segments;
use sextant_syntax::extract::{Parameter, arity_range, parameters, type_parameters};
use sextant_syntax::language::{self, ModuleSystem};
use sextant_syntax::model::{Reference, Symbol, TypeFact};
use sextant_syntax::project::ProjectConfig;
use sextant_syntax::record::{Outline, is_link};

use crate::answers::ServerAnswers;
use crate::fingerprint;
use crate::interner::NameInterner;
use crate::model::{EarlierTable, FileInfo, FileState, Place, SymbolInfo, TableSizes};
use crate::module_path::{bound_name, module_segments, package_folder, path_root, swift_module};
use crate::namespaces::{Namespaces, is_in_namespace, namespace_of, only_namespace};
use crate::packed::PackedReferences;
use crate::parameters::ParameterTable;
use crate::projects::Projects;
use crate::raw_reference::RawReference;
use crate::scip::Occurrence;
use crate::scip_uses::ScipUses;
use crate::type_facts::TypeFactTable;

/// Room is made for one more row for so many of an earlier build.
const RESERVE_ONE_MORE_IN: usize = 32;

/// The properties of a file that its text does not show.
pub struct FileContext<'a> {
    /// The number of its repository.
    pub repo: u32,
    /// Its path in the repository.
    pub path: &'a str,
    /// The name of its language.
    pub language: &'static str,
    /// Whether it is test code.
    pub is_test: bool,
}

/// What is added of a file.
struct FileFacts<'a> {
    symbols: &'a [Symbol],
    references: &'a [Reference],
    type_facts: &'a [TypeFact],
    /// The fingerprint of the content, if references are missing.
    content: Option<u64>,
}

/// What is known of a file once its symbols and type facts are added.
#[derive(Default)]
pub(crate) struct AddedFile {
    /// Its references; only the links if `content` is given.
    pub(crate) references: Box<[RawReference]>,
    /// Whether it exports or imports anything.
    pub(crate) is_module: bool,
    /// The number of type facts before its own.
    pub(crate) first_fact: usize,
    /// The fingerprint of the content, if references are missing.
    pub(crate) content: Option<u64>,
    /// The fingerprint of its namespaces.
    pub(crate) namespaces: u64,
    /// The only namespace that it declares.
    pub(crate) namespace: Option<String>,
    /// Its package, if not its folder.
    pub(crate) package: Option<String>,
}

/// The symbols, references and type facts of all files.
#[derive(Default)]
pub struct SymbolTable {
    pub(crate) names: NameInterner,
    /// The earlier build with whose names it began.
    pub(crate) earlier: EarlierTable,
    pub(crate) symbols: Vec<SymbolInfo>,
    pub(crate) files: Vec<FileInfo>,
    pub(crate) type_facts: TypeFactTable,
    pub(crate) parameters: ParameterTable,
    pub(crate) projects: Projects,
    pub(crate) scip_uses: ScipUses,
    pub(crate) answers: ServerAnswers,
    pub(crate) namespaces: Namespaces,
    /// The fingerprint of all project files.
    pub(crate) project_state: u64,
    folders: FxHashMap<(u32, String), u32>,
    linkage_groups: FxHashMap<(u32, &'static str), u32>,
}

impl SymbolTable {
    /// Makes room for about as much as an earlier build had, where there is memory: of a damaged index, it may be anything.
    pub fn reserve(&mut self, earlier: TableSizes) {
        let TableSizes { symbols, type_facts, parameters } = earlier;
        let room = |size: u32| size as usize + size as usize / RESERVE_ONE_MORE_IN;
        drop(self.symbols.try_reserve(room(symbols)));
        self.type_facts.reserve(room(type_facts));
        self.parameters.reserve(room(symbols), room(parameters));
    }

    pub(crate) fn sizes(&self) -> TableSizes {
        let size = |rows: usize| u32::try_from(rows).unwrap_or(u32::MAX);
        TableSizes {
            symbols: size(self.symbols.len()),
            type_facts: size(self.type_facts.all().len()),
            parameters: size(self.parameters.len()),
        }
    }

    /// Adds a file. Files must come in the order of their ids; `first_symbol` is the number of symbols before it.
    pub fn add_file(
        &mut self,
        scope: FileContext<'_>,
        first_symbol: SymbolId,
        symbols: &[Symbol],
        references: &[Reference],
        type_facts: &[TypeFact],
    ) {
        self.add(scope, first_symbol, FileFacts { symbols, references, type_facts, content: None });
    }

    /// Adds a file that is the same as in an earlier build, where `content` was the fingerprint of its content. Of its
    /// references, only imports and bases are needed.
    pub fn add_outline(&mut self, scope: FileContext<'_>, first_symbol: SymbolId, outline: &Outline, content: u64) {
        let Outline { symbols, links, type_facts, .. } = outline;
        self.add(scope, first_symbol, FileFacts { symbols, references: links, type_facts, content: Some(content) });
    }

    fn add(&mut self, scope: FileContext<'_>, first_symbol: SymbolId, facts: FileFacts<'_>) {
        let FileFacts { symbols, references, type_facts, content } = facts;
        let file = FileId::at(self.files.len());
        let language = language::by_name(scope.language);
        let is_linked = language.is_some_and(|language| language.links_definitions);
        let stub_endings = language.map_or(&[][..], |language| language.stub_endings);
        let is_stub = stub_endings.iter().any(|ending| scope.path.ends_with(ending));
        let has_types = language.is_some_and(|language| !language.queries.types.is_empty());
        for symbol in symbols {
            let owner = match symbol.container {
                Some(0) => {
                    let segments = segments(&symbol.qualified_name);
                    segments.len().checked_sub(2).map(|at| segments[at])
                }
                Some(id) => {
                    let container = &symbols[id as usize];
                    // A member that is defined in a namespace, outside of its type.
                    let inner = symbol.qualified_name.strip_prefix(&container.qualified_name);
                    let outside = inner.filter(|_| container.kind.is_transparent()).map(segments);
                    let owner = outside.and_then(|segments| segments.len().checked_sub(2).map(|at| segments[at]));
                    owner.or(Some(container.name.as_str()))
                }
                None => None,
            };
            // What follows the name of a template's specialization are arguments.
            let has_parameters = has_types && !(is_linked && symbol.kind.is_type());
            let parameters = if has_parameters { parameters_of(symbol) } else { Vec::new() };
            self.parameters.add(&parameters, |text| self.names.intern(text));
            self.symbols.push(SymbolInfo {
                owner: owner.map(|owner| self.names.intern(owner)),
                name: self.names.intern(&symbol.name),
                container: symbol.container.map(|id| first_symbol.plus(id)),
                file,
                kind: symbol.kind,
                has_body: symbol.has_body && !is_stub,
                is_exported: symbol.exported,
                line: symbol.name_line,
                column: symbol.name_column,
                arity: arity(symbol),
            });
        }
        let is_module = symbols.iter().skip(1).any(|symbol| symbol.exported)
            || references.iter().any(|reference| reference.kind == EdgeKind::Import);
        let references = self.raw_references(first_symbol, references);
        let first_fact = self.type_facts.all().len();
        for fact in type_facts {
            self.type_facts.add(first_symbol, fact, |text| self.names.intern(text));
        }
        let mut added = AddedFile { references, is_module, first_fact, content, ..AddedFile::default() };
        let rule = language.map(|language| language.modules);
        if let (Some(ModuleSystem::Namespaces | ModuleSystem::QualifiedNames), Some(language)) = (rule, language) {
            // Files of one namespace are a package, in whatever folder.
            let namespace = namespace_of(symbols);
            // By full names, only what is in no type or function is looked up.
            let has_full_names = rule == Some(ModuleSystem::QualifiedNames);
            let is_looked_up = |symbol: &&Symbol| !has_full_names || is_in_namespace(symbol, symbols);
            added.namespaces = symbols.iter().filter(is_looked_up).fold(
                fingerprint::of_text(namespace.as_deref().unwrap_or("")),
                |state, symbol| {
                    let name = fingerprint::of_text(&symbol.qualified_name);
                    let container = symbol.container.map_or(0, |id| u64::from(id) + 1);
                    fingerprint::mix(state, fingerprint::of([name, symbol.kind.code().into(), container]))
                },
            );
            let includes_parents = language.folder_is_package;
            self.namespaces.add(scope.repo, language.family, includes_parents, file, namespace.as_deref(), symbols);
            if has_full_names {
                self.namespaces.add_definitions(scope.repo, language.family, file, symbols);
                added.namespace = only_namespace(symbols);
            }
            added.package = namespace.map(|namespace| format!("\0{namespace}"));
        }
        self.end_file(scope, first_symbol, added);
    }

    /// Adds a file whose symbols and type facts have been added.
    pub(crate) fn end_file(&mut self, scope: FileContext<'_>, first_symbol: SymbolId, added: AddedFile) {
        let AddedFile { references, is_module, first_fact, content, namespaces, namespace, package } = added;
        let language = language::by_name(scope.language);
        let rule = language.map(|language| language.modules);
        for import in references.iter().filter(|reference| reference.kind == EdgeKind::Import) {
            // Names that only an import binds: whether they are known must not depend on other files.
            let text = self.names.text(import.name).to_owned();
            rule.map(|rule| self.names.intern(bound_name(&text, rule)));
            path_root(&text).map(|root| self.names.intern(root));
        }
        let end = |file: &FileInfo| file.first_link + file.links.len() as u32;
        let first_link = self.files.last().map_or(0, end);
        let (folder, _) = scope.path.rsplit_once('/').unwrap_or(("", scope.path));
        let package = package.unwrap_or_else(|| match rule {
            Some(ModuleSystem::Java) => package_folder(folder).to_owned(),
            Some(ModuleSystem::Swift) => swift_module(scope.path).to_owned(),
            _ => folder.to_owned(),
        });
        let repo = u64::from(scope.repo);
        let package_state = fingerprint::of_text(&package);
        let next = u32::try_from(self.folders.len()).unwrap_or(u32::MAX);
        let folder = *self.folders.entry((scope.repo, package)).or_insert(next);
        let family = language.map_or("", |language| language.family);
        let next = u32::try_from(self.linkage_groups.len()).unwrap_or(u32::MAX);
        let linkage_group = *self.linkage_groups.entry((scope.repo, family)).or_insert(next);
        let key = fingerprint::of([repo, fingerprint::of_text(scope.path)]);
        let flags = u64::from(scope.is_test) << 1 | u64::from(is_module);
        let language_state = fingerprint::of_text(scope.language);
        let module_name = module_segments(scope.path, language).last().map_or_else(String::new, |s| (*s).to_owned());
        let package_key = fingerprint::of([repo, package_state]);
        let group = fingerprint::of([repo, fingerprint::of_text(family)]);
        let place = Place { key, group, folder: package_key, module: fingerprint::of_text(&module_name) };
        let state = FileState {
            place,
            attributes: fingerprint::of([key, language_state, package_state, flags]),
            content: content.unwrap_or_else(|| self.content_state(first_symbol, &references, first_fact)),
            namespaces,
        };
        let (links, references) = match content {
            Some(_) => (references, None),
            None => {
                let links = references.iter().filter(|reference| is_link(reference.kind)).cloned().collect();
                (links, Some(PackedReferences::new(&references)))
            }
        };
        self.files.push(FileInfo {
            repo: scope.repo,
            path: scope.path.to_owned(),
            language,
            family,
            linkage_group,
            folder,
            namespace,
            module_name,
            is_test: scope.is_test,
            is_module,
            first_symbol,
            first_link,
            links,
            references,
            state,
            stored: None,
        });
    }

    fn raw_references(&mut self, first_symbol: SymbolId, references: &[Reference]) -> Box<[RawReference]> {
        let mut intern = |text: &str| self.names.intern(text);
        let raw = references.iter().map(|reference| RawReference {
            source: first_symbol.plus(reference.source),
            name: intern(&reference.name),
            owner: reference.qualifier.as_deref().map(&mut intern),
            alias: reference.alias.as_deref().map(&mut intern),
            line: reference.line,
            column: reference.column,
            kind: reference.kind,
            is_local: reference.is_local,
            is_path_qualified: reference.is_path_qualified,
            argument_count: reference.argument_count,
            arguments: reference.arguments.as_deref().map(&mut intern),
        });
        raw.collect()
    }

    /// Adds the references of files that are not complete.
    pub(crate) fn complete(&mut self, files: impl Iterator<Item = (FileId, Vec<Reference>)>) {
        for (file, references) in files {
            let raw = self.raw_references(self.files[file.index()].first_symbol, &references);
            self.files[file.index()].references = Some(PackedReferences::new(&raw));
        }
    }

    /// The fingerprint of the symbols, references and type facts of the file that is being added.
    fn content_state(&self, first: SymbolId, references: &[RawReference], first_fact: usize) -> u64 {
        let names = &self.names;
        let local = |id: SymbolId| u64::from(id.rows_after(first).unwrap_or(u32::MAX));
        let optional = |id: Option<SymbolId>| id.map_or(u64::MAX, local);
        let place = |line: u32, column: u32| u64::from(line) << 32 | u64::from(column);
        let mut state = 0;
        for symbol in &self.symbols[first.index()..] {
            let flags =
                u64::from(symbol.kind.code()) << 8 | u64::from(symbol.has_body) << 1 | u64::from(symbol.is_exported);
            let arity = u64::from(symbol.arity.0) << 8 | u64::from(symbol.arity.1);
            let (name, owner) = (names.fingerprint(symbol.name), names.fingerprint_or_none(symbol.owner));
            let values = [name, owner, optional(symbol.container), flags, arity, place(symbol.line, symbol.column)];
            state = fingerprint::mix(state, fingerprint::of(values));
        }
        for id in SymbolId::range(first..SymbolId::at(self.symbols.len())) {
            state = fingerprint::mix(state, self.parameters_state(id));
        }
        for reference in references {
            let flags = u64::from(reference.kind.code()) << 8
                | u64::from(reference.is_local) << 1
                | u64::from(reference.is_path_qualified);
            let count = reference.argument_count.map_or(u64::MAX, u64::from);
            let (owner, alias) =
                (names.fingerprint_or_none(reference.owner), names.fingerprint_or_none(reference.alias));
            let values = [
                local(reference.source),
                names.fingerprint(reference.name),
                owner,
                alias,
                flags,
                count,
                names.fingerprint_or_none(reference.arguments),
                place(reference.line, reference.column),
            ];
            state = fingerprint::mix(state, fingerprint::of(values));
        }
        for fact in &self.type_facts.all()[first_fact..] {
            let (name, text) = (names.fingerprint_or_none(fact.name), names.fingerprint(fact.text));
            let values = [local(fact.symbol), name, local(fact.scope), text, u64::from(fact.is_declared)];
            state = fingerprint::mix(state, fingerprint::of(values));
        }
        state
    }

    /// The fingerprint of a function's parameters.
    pub(crate) fn parameters_state(&self, id: SymbolId) -> u64 {
        self.parameters.of(id).iter().fold(0, |state, parameter| {
            let flags = u64::from(parameter.is_rest) << 2
                | u64::from(parameter.is_optional) << 1
                | u64::from(parameter.is_receiver);
            let (label, written) = (self.names.fingerprint(parameter.label), self.names.fingerprint(parameter.written));
            fingerprint::mix(state, fingerprint::of([label, written, flags]))
        })
    }

    /// Whether references in one file can resolve to definitions in another: same repository and language family.
    pub(crate) fn share_linkage_group(&self, file: FileId, other: FileId) -> bool {
        self.files[file.index()].linkage_group == self.files[other.index()].linkage_group
    }

    /// Whether two files are of one repository.
    pub(crate) fn share_repository(&self, file: FileId, other: FileId) -> bool {
        self.files[file.index()].repo == self.files[other.index()].repo
    }

    /// Adds the SCIP occurrences of the file that was added last.
    pub fn add_scip(&mut self, file: FileId, first_symbol: SymbolId, symbols: &[Symbol], occurrences: &[Occurrence]) {
        self.scip_uses.add(file, first_symbol, symbols, occurrences);
    }

    /// Adds the settings of a project file, such as `package.json`.
    pub fn add_project(&mut self, repo: u32, path: &str, is_test: bool, project: ProjectConfig) {
        let text = fingerprint::of_text(&format!("{project:?}"));
        let state = fingerprint::of([repo.into(), fingerprint::of_text(path), is_test.into(), text]);
        // The order of the files does not count.
        self.project_state = self.project_state.wrapping_add(state);
        self.projects.add(repo, path, is_test, project);
    }
}

/// The fewest and most arguments that a symbol accepts; any number where its signature shows no parameters.
fn arity(symbol: &Symbol) -> (u8, u8) {
    let named = symbol.qualified_name.rsplit_once('/').and_then(|(_, count)| count.parse::<u8>().ok());
    if let Some(count) = named {
        // The name has the number of parameters. Some of them may have a default value.
        let defaults = symbol.signature.as_deref().map_or(0, |signature| signature.matches("\\\\").count());
        return (count.saturating_sub(u8::try_from(defaults).unwrap_or(u8::MAX)), count);
    }
    let parsed = symbol.signature.as_deref().filter(|_| symbol.kind.is_callable());
    let parsed = parsed.and_then(|signature| arity_range(signature, &symbol.name));
    let clamp = |count: usize| u8::try_from(count).unwrap_or(u8::MAX);
    parsed.map_or((0, u8::MAX), |(min, max)| (clamp(min), clamp(max)))
}

/// The parameters of a function, or the type parameters of a type; none where its signature shows none.
fn parameters_of(symbol: &Symbol) -> Vec<Parameter<'_>> {
    let Some(signature) = symbol.signature.as_deref() else { return Vec::new() };
    if symbol.kind.is_type() {
        return type_parameters(signature, &symbol.name);
    }
    let has_values = symbol.kind == Kind::EnumMember && signature.contains('(');
    let signature = Some(signature).filter(|_| symbol.kind.is_callable() || has_values);
    signature.and_then(|signature| parameters(signature, &symbol.name)).unwrap_or_default()
}

//! Answers that combine several kinds of results.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_drawing::Drawing;
use sextant_search::similarity::{Boundary, FileName};
use sextant_search::{DirtyFiles, history, navigate, overview};

use super::communities::Communities;
use super::vectors::Part as FilePart;
use super::{Definition, SCHEMA_VERSION};
use crate::date::date_time;
use crate::location::{FileLocation, Location};
use crate::text_form::{Detail, DrawFormat};

/// The answer of `context`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ContextAnswer {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The file; null if the index has no file of that path.
    pub file: Option<Context>,
    /// The level of detail of the text form.
    #[serde(skip)]
    pub detail: Detail,
}

/// A file with its imports, symbols and calls.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Context {
    /// The file.
    #[serde(flatten)]
    pub file: FileLocation,
    /// The language.
    pub language: String,
    /// The number of its lines.
    pub lines: u32,
    /// The paths of the files that it imports.
    pub imports: Vec<String>,
    /// The paths of the files that import it.
    pub imported_by: Vec<String>,
    /// Its symbols, in source order.
    pub symbols: Vec<ContextSymbol>,
    /// The number of its references with a known target.
    pub resolved: usize,
    /// The number of its references with several candidates.
    pub ambiguous: usize,
    /// The number of its references to external symbols.
    pub external: usize,
    /// The number of its references without a known target.
    pub unresolved: usize,
    /// What the git history says of it; absent if the index has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<FileHistory>,
    /// Its parts by subject, as `vectors boundaries` finds them; absent if there is one part or no encoder, and in brief.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<FilePart>,
}

/// What the git history of an index says of a file. It has the newest commits of a repository only.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FileHistory {
    /// The number of commits that changed it.
    pub count: usize,
    /// When the oldest commit was made that the index has of the repository, as a date and time in UTC.
    pub since: String,
    /// The newest commits that changed it, newest first.
    pub commits: Vec<Commit>,
    /// The files that changed together with it in two or more commits, the most frequent first.
    pub changes_with: Vec<ChangesWith>,
}

/// A commit.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Commit {
    /// Its hash.
    pub commit: String,
    /// When it was made, as a date and time in UTC.
    pub date: String,
    /// The name of its author.
    pub author: String,
    /// The first paragraph of its message.
    pub subject: String,
    /// The number of files of the index that it changed.
    pub files: usize,
}

/// A file that changed together with another.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ChangesWith {
    /// The file.
    #[serde(flatten)]
    pub file: FileLocation,
    /// The number of commits that changed both.
    pub commits: usize,
}

impl FileHistory {
    fn new(found: history::FileHistory, repo: &str, dirty_files: &DirtyFiles) -> Self {
        let commit = |(commit, files): (history::Commit, usize)| Commit {
            commit: commit.id,
            date: date_time(commit.time),
            author: commit.author,
            subject: commit.subject,
            files,
        };
        let changes_with = |(path, commits): (String, usize)| ChangesWith {
            file: FileLocation::new(dirty_files, repo, &path),
            commits,
        };
        Self {
            count: found.count,
            since: date_time(found.since),
            commits: found.commits.into_iter().map(commit).collect(),
            changes_with: found.together.into_iter().map(changes_with).collect(),
        }
    }
}

/// A symbol of a file.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ContextSymbol {
    /// The symbol.
    #[serde(flatten)]
    pub definition: Definition,
    /// The number of symbols of the file that enclose it.
    pub depth: u32,
    /// The symbols that it calls, 20 at most.
    pub calls: Vec<Neighbour>,
    /// Whether it calls more.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_more_calls: bool,
    /// The symbols that call it, 20 at most.
    pub callers: Vec<Neighbour>,
    /// Whether more call it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_more_callers: bool,
    /// Names that it uses and that are external or not resolved, as written.
    pub unresolved_names: Vec<String>,
}

/// A caller or callee.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Neighbour {
    /// Its key: it names this symbol in every command, and stays the same as long as its file has it.
    pub key: String,
    /// Its name with its owners.
    pub qualified_name: String,
    /// Its kind.
    pub kind: &'static str,
    /// Its location.
    #[serde(flatten)]
    pub location: Location,
    /// The number of calls between it and the symbol in question.
    pub depth: u32,
    /// The key of the symbol at the other end of the last call.
    pub via: String,
    /// The kind of the last edge.
    pub edge: &'static str,
    /// How the reference behind the last edge was resolved.
    pub resolution: &'static str,
    /// The product of the confidences of the calls between the two, 0 to 1.
    pub confidence: f32,
    /// For callers, where it was looked up: the first line of the call, from 1, in the file of this symbol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge_line: Option<u32>,
}

/// The answer of `map`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MapAnswer {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The modules, the one with the most symbols first.
    pub modules: Vec<Module>,
    /// The dependencies between modules, the strongest first.
    pub connections: Vec<Connection>,
    /// The symbols that the most files use.
    pub important: Vec<Export>,
    /// Communities, if they are asked for; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub communities: Option<Communities>,
    /// With `draw`: the modules in layers. Absent without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawing: Option<Drawing>,
    /// What the text form is.
    #[serde(skip)]
    pub draw: DrawFormat,
}

/// A module: a folder of files.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Module {
    /// The repository's name.
    pub repo: String,
    /// The folder; `.` for the repository's root.
    pub path: String,
    /// The number of its files.
    pub files: u64,
    /// The number of their lines.
    pub lines: u64,
    /// The number of symbols that they define.
    pub symbols: u64,
    /// Its languages, the most frequent first.
    pub languages: Vec<LanguageCount>,
    /// Whether most of its files are tests.
    pub is_test: bool,
    /// Its symbols that other modules use, the most used first.
    pub exports: Vec<Export>,
}

/// A language with its number of files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LanguageCount {
    /// The language.
    pub language: String,
    /// The number of files.
    pub files: u64,
}

/// A symbol that other files use.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Export {
    /// The symbol.
    #[serde(flatten)]
    pub definition: Definition,
    /// The number of other files that use it.
    pub used_by: u64,
}

/// A dependency between two modules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Connection {
    /// The folder of the module that uses the other.
    pub from: String,
    /// The folder of the module that is used.
    pub to: String,
    /// The number of pairs of symbols of which one uses the other.
    pub uses: u64,
    /// The position of the using module in [`MapAnswer::modules`].
    pub from_module: usize,
    /// The position of the used module in [`MapAnswer::modules`].
    pub to_module: usize,
}

impl Neighbour {
    pub(crate) fn list(reached: Vec<navigate::ReachedSymbol>, dirty_files: &DirtyFiles) -> Vec<Self> {
        let neighbour = |reached: navigate::ReachedSymbol| {
            let definition = reached.definition;
            let navigate::Definition { repo, path, start_line, end_line, .. } = &definition;
            Self {
                location: Location::new(dirty_files, repo, path, *start_line, *end_line),
                key: definition.key,
                qualified_name: definition.qualified_name,
                kind: definition.kind.as_str(),
                depth: reached.depth,
                via: reached.via_key,
                edge: reached.kind.as_str(),
                resolution: reached.resolution.as_str(),
                confidence: reached.confidence,
                edge_line: reached.lines.first().copied(),
            }
        };
        reached.into_iter().map(neighbour).collect()
    }
}

impl ContextAnswer {
    pub(crate) fn new(context: Option<navigate::Context>, detail: Detail, dirty_files: &DirtyFiles) -> Self {
        let symbol = |symbol: navigate::ContextSymbol| ContextSymbol {
            definition: Definition::new(symbol.definition, dirty_files),
            depth: symbol.depth,
            calls: Neighbour::list(symbol.calls, dirty_files),
            has_more_calls: symbol.has_more_calls,
            callers: Neighbour::list(symbol.callers, dirty_files),
            has_more_callers: symbol.has_more_callers,
            unresolved_names: symbol.unresolved_names,
        };
        let file = context.map(|context| Context {
            file: FileLocation::new(dirty_files, &context.repo, &context.path),
            language: context.language,
            lines: context.lines,
            imports: context.imports,
            imported_by: context.imported_by,
            symbols: context.symbols.into_iter().map(symbol).collect(),
            resolved: context.resolved,
            ambiguous: context.ambiguous,
            external: context.external,
            unresolved: context.unresolved,
            history: context.history.map(|found| FileHistory::new(found, &context.repo, dirty_files)),
            parts: Vec::new(),
        });
        Self { schema_version: SCHEMA_VERSION, command: "context", file, detail }
    }

    /// Adds the parts of the file.
    pub(crate) fn with_parts(mut self, parts: Vec<Boundary>, dirty_files: &DirtyFiles) -> Self {
        if let Some(file) = &mut self.file {
            let name = FileName { repo: file.file.repo.clone(), path: file.file.path.clone() };
            file.parts = FilePart::list(&name, parts, dirty_files);
        }
        self
    }
}

impl Export {
    fn list(exports: Vec<overview::Export>, dirty_files: &DirtyFiles) -> Vec<Self> {
        let export = |export: overview::Export| Self {
            definition: Definition::new(export.definition, dirty_files),
            used_by: export.used_by,
        };
        exports.into_iter().map(export).collect()
    }
}

impl MapAnswer {
    pub(crate) fn new(
        map: overview::Map,
        related: Option<(overview::Communities, Vec<overview::Coupling>)>,
        dirty_files: &DirtyFiles,
    ) -> Self {
        let communities = related.map(|(found, couplings)| Communities::new(found, couplings, &map.modules));
        let name = |n: usize| map.modules.get(n).map_or_else(String::new, |module| module.path.clone());
        let connection = |connection: &overview::Connection| Connection {
            from: name(connection.from),
            to: name(connection.to),
            uses: connection.uses,
            from_module: connection.from,
            to_module: connection.to,
        };
        let connections = map.connections.iter().map(connection).collect();
        let module = |module: overview::Module| Module {
            repo: module.repo,
            path: module.path,
            files: module.files,
            lines: module.lines,
            symbols: module.symbols,
            languages: module
                .languages
                .into_iter()
                .map(|(language, files)| LanguageCount { language, files })
                .collect(),
            is_test: module.is_test,
            exports: Export::list(module.exports, dirty_files),
        };
        Self {
            schema_version: SCHEMA_VERSION,
            command: "map",
            modules: map.modules.into_iter().map(module).collect(),
            connections,
            important: Export::list(map.important, dirty_files),
            communities,
            drawing: None,
            draw: DrawFormat::Text,
        }
    }
}

/// Bytes of a module's lines besides its folder and the names in them.
const MODULE_BYTES: usize = 80;
/// Bytes of a list item besides its name: a count and a separator.
const NAME_BYTES: usize = 10;
/// Bytes of a line of the most used symbols besides its names.
const IMPORTANT_BYTES: usize = 30;

impl MapAnswer {
    /// Estimates the size of the map's text form in tokens; rather too high than too low.
    pub(crate) fn text_tokens(&self) -> usize {
        let name = |module: &Module| module.repo.len() + module.path.len();
        let modules = self.modules.iter().map(|module| {
            let exports = module.exports.iter().map(|e| e.definition.qualified_name.len() + NAME_BYTES);
            name(module) + MODULE_BYTES + exports.sum::<usize>()
        });
        let connections = self
            .connections
            .iter()
            .map(|connection| self.modules.get(connection.to_module).map_or(0, name) + NAME_BYTES);
        let important = self.important.iter().map(|export| {
            let Definition { qualified_name, location, kind, .. } = &export.definition;
            qualified_name.len() + location.repo.len() + location.path.len() + kind.len() + IMPORTANT_BYTES
        });
        let bytes = modules.sum::<usize>() + connections.sum::<usize>() + important.sum::<usize>();
        bytes.div_ceil(overview::TOKEN_BYTES)
    }
}

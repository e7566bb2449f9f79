//! Answers that put others together.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_search::{Edited, navigate, overview};

use super::{Definition, PathStep, SCHEMA_VERSION};
use crate::location::{FileLocation, Location};
use crate::requests::{Detail, MapFormat};

/// A file with its surroundings.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ContextAnswer {
    /// 1.
    pub schema_version: u32,
    /// The request.
    pub command: &'static str,
    /// The file; null where the index has no file of that path.
    pub file: Option<Context>,
    /// How much the reader wants to see.
    #[serde(skip)]
    pub detail: Detail,
}

/// A file with what it calls and what calls it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Context {
    /// The file.
    #[serde(flatten)]
    pub file: FileLocation,
    /// The language.
    pub language: String,
    /// Its lines.
    pub lines: u32,
    /// The files that it imports.
    pub imports: Vec<String>,
    /// The files that import it.
    pub imported_by: Vec<String>,
    /// Its symbols in the order of the text.
    pub symbols: Vec<ContextSymbol>,
    /// Uses in it whose target is known.
    pub resolved: usize,
    /// Uses in it that have several candidates.
    pub ambiguous: usize,
    /// Uses in it of what is defined outside of the index.
    pub external: usize,
    /// Uses in it whose target was not found.
    pub unresolved: usize,
}

/// A symbol of the file.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ContextSymbol {
    /// The symbol.
    #[serde(flatten)]
    pub definition: Definition,
    /// Owners around it within the file.
    pub depth: u32,
    /// What it calls.
    pub calls: Vec<Neighbour>,
    /// What calls it.
    pub callers: Vec<Neighbour>,
    /// What it uses that is not in the index, as it is written.
    pub unresolved_names: Vec<String>,
}

/// A symbol that calls or is called.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Neighbour {
    /// The symbol.
    pub symbol_id: u32,
    /// Its owners and name.
    pub qualified_name: String,
    /// What it is.
    pub kind: &'static str,
    /// Where it is.
    #[serde(flatten)]
    pub location: Location,
    /// Calls from the symbol in question.
    pub depth: u32,
    /// The symbol that the last call joins it to.
    pub via: u32,
    /// How likely the path is right, 0 to 1.
    pub confidence: f32,
}

/// Where to begin with a question.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Explore {
    /// 1.
    pub schema_version: u32,
    /// The request.
    pub command: &'static str,
    /// The question.
    pub query: String,
    /// The entry points, best first.
    pub entries: Vec<Entry>,
    /// Paths along calls between entry points.
    pub paths: Vec<Vec<PathStep>>,
    /// The relevant files, the most important first.
    pub files: Vec<RelevantFile>,
    /// What could not take part.
    pub degraded: Vec<String>,
    /// How many tokens the text may take.
    #[serde(skip)]
    pub max_tokens: usize,
}

/// An entry point.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Entry {
    /// Where it is.
    #[serde(flatten)]
    pub location: Location,
    /// What it is.
    pub kind: &'static str,
    /// The symbol's owners and name.
    pub qualified_name: Option<String>,
    /// The chunk, for `show`.
    pub chunk_id: u32,
    /// Its score; only the order means something.
    pub score: f32,
    /// Its source, as much as fits; null where the budget was spent.
    pub source: Option<String>,
    /// The source's first line.
    pub source_line: u32,
    /// Lines that did not fit.
    pub omitted_lines: usize,
    /// What calls it.
    pub callers: Vec<Neighbour>,
    /// What it calls.
    pub callees: Vec<Neighbour>,
}

/// A relevant file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RelevantFile {
    /// The file.
    #[serde(flatten)]
    pub file: FileLocation,
    /// What of it was found, by name.
    pub symbols: Vec<String>,
}

/// What is indexed, by modules.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MapAnswer {
    /// 1.
    pub schema_version: u32,
    /// The request.
    pub command: &'static str,
    /// The modules, the one with the most symbols first.
    pub modules: Vec<Module>,
    /// How they use each other, the strongest first.
    pub connections: Vec<Connection>,
    /// The most important symbols of all.
    pub important: Vec<Export>,
    /// What the reader wants it drawn as.
    #[serde(skip)]
    pub format: MapFormat,
}

/// A module.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Module {
    /// The repository.
    pub repo: String,
    /// The folder; `.` for the repository's root.
    pub path: String,
    /// Its files.
    pub files: u64,
    /// Their lines.
    pub lines: u64,
    /// What they define.
    pub symbols: u64,
    /// Files by language, the most frequent first.
    pub languages: Vec<LanguageCount>,
    /// Whether most of its files are tests.
    pub is_test: bool,
    /// What others use of it, the most used first.
    pub exports: Vec<Export>,
}

/// A language and its files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LanguageCount {
    /// The language.
    pub language: String,
    /// Files.
    pub files: u64,
}

/// A symbol that others use.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Export {
    /// The symbol.
    #[serde(flatten)]
    pub definition: Definition,
    /// Files that use it, besides its own.
    pub used_by: u64,
}

/// How one module uses another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Connection {
    /// The module that uses, by its folder.
    pub from: String,
    /// The module that is used, by its folder.
    pub to: String,
    /// Pairs of symbols of which one uses the other.
    pub uses: u64,
    /// The number of the module that uses, in [`MapAnswer::modules`].
    #[serde(skip)]
    pub from_module: usize,
    /// The number of the module that is used.
    #[serde(skip)]
    pub to_module: usize,
}

impl Neighbour {
    fn list(reached: Vec<navigate::ReachedSymbol>, edited: &Edited) -> Vec<Self> {
        let neighbour = |reached: navigate::ReachedSymbol| {
            let of = reached.definition;
            Self {
                symbol_id: of.symbol_id,
                location: Location::new(edited, &of.repo, &of.path, of.start_line, of.end_line),
                qualified_name: of.qualified_name,
                kind: of.kind.as_str(),
                depth: reached.depth,
                via: reached.via,
                confidence: reached.confidence,
            }
        };
        reached.into_iter().map(neighbour).collect()
    }
}

impl ContextAnswer {
    pub(crate) fn new(context: Option<navigate::Context>, detail: Detail, edited: &Edited) -> Self {
        let symbol = |of: navigate::ContextSymbol| ContextSymbol {
            definition: Definition::new(of.definition, edited),
            depth: of.depth,
            calls: Neighbour::list(of.calls, edited),
            callers: Neighbour::list(of.callers, edited),
            unresolved_names: of.unresolved_names,
        };
        let file = context.map(|context| Context {
            file: FileLocation::new(edited, &context.repo, &context.path),
            language: context.language,
            lines: context.lines,
            imports: context.imports,
            imported_by: context.imported_by,
            symbols: context.symbols.into_iter().map(symbol).collect(),
            resolved: context.resolved,
            ambiguous: context.ambiguous,
            external: context.external,
            unresolved: context.unresolved,
        });
        Self { schema_version: SCHEMA_VERSION, command: "context", file, detail }
    }
}

impl Explore {
    pub(crate) fn new(explore: overview::Explore, max_tokens: usize, edited: &Edited) -> Self {
        let entry = |of: overview::EntryPoint| Entry {
            location: Location::new(edited, &of.repo, &of.path, of.start_line, of.end_line),
            kind: of.kind.as_str(),
            qualified_name: of.qualified_name,
            chunk_id: of.chunk_id,
            score: of.score,
            source: of.source,
            source_line: of.source_line,
            omitted_lines: of.omitted_lines,
            callers: Neighbour::list(of.callers, edited),
            callees: Neighbour::list(of.callees, edited),
        };
        let file = |of: overview::RelevantFile| RelevantFile {
            file: FileLocation::new(edited, &of.repo, &of.path),
            symbols: of.symbols,
        };
        Self {
            schema_version: SCHEMA_VERSION,
            command: "explore",
            query: explore.query,
            entries: explore.entries.into_iter().map(entry).collect(),
            paths: explore.paths.into_iter().map(|path| PathStep::list(path, edited)).collect(),
            files: explore.files.into_iter().map(file).collect(),
            degraded: explore.degraded,
            max_tokens,
        }
    }
}

impl Export {
    fn list(exports: Vec<overview::Export>, edited: &Edited) -> Vec<Self> {
        let export =
            |of: overview::Export| Self { definition: Definition::new(of.definition, edited), used_by: of.used_by };
        exports.into_iter().map(export).collect()
    }
}

impl MapAnswer {
    pub(crate) fn new(map: overview::Map, format: MapFormat, edited: &Edited) -> Self {
        let name = |n: usize| map.modules.get(n).map_or_else(String::new, |module| module.path.clone());
        let connection = |of: &overview::Connection| Connection {
            from: name(of.from),
            to: name(of.to),
            uses: of.uses,
            from_module: of.from,
            to_module: of.to,
        };
        let connections = map.connections.iter().map(connection).collect();
        let module = |of: overview::Module| Module {
            repo: of.repo,
            path: of.path,
            files: of.files,
            lines: of.lines,
            symbols: of.symbols,
            languages: of.languages.into_iter().map(|(language, files)| LanguageCount { language, files }).collect(),
            is_test: of.is_test,
            exports: Export::list(of.exports, edited),
        };
        Self {
            schema_version: SCHEMA_VERSION,
            command: "map",
            modules: map.modules.into_iter().map(module).collect(),
            connections,
            important: Export::list(map.important, edited),
            format,
        }
    }
}

/// Bytes that a module's line takes besides its folder, and those that follow from it.
const MODULE_BYTES: usize = 80;
/// Bytes that a name in a list takes besides itself: the number of files that use it, and what separates names.
const NAME_BYTES: usize = 10;
/// Bytes of a line of the most used symbols besides names.
const IMPORTANT_BYTES: usize = 30;

impl MapAnswer {
    /// About how many tokens the map takes as text, and rather too many than too few.
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

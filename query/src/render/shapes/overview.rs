//! What the calls give that put others together.

use schemars::JsonSchema;
use serde::Serialize;

use super::graph::{Definition, PathStep, definition, steps};
use super::{SCHEMA_VERSION, line};
use crate::navigate::{self, Reached};
use crate::overview;

/// A file with its surroundings.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ContextAnswer<'a> {
    /// 1.
    schema_version: u32,
    /// The call.
    command: &'static str,
    /// The file; null where there is none of that path.
    file: Option<Context<'a>>,
}

/// A file with what it calls and what calls it.
#[derive(Serialize, JsonSchema)]
struct Context<'a> {
    /// The repository.
    repo: &'a str,
    /// Path relative to the repository's root.
    path: &'a str,
    /// The language.
    language: &'a str,
    /// Its lines.
    lines: u32,
    /// The files that it imports.
    imports: &'a [String],
    /// The files that import it.
    imported_by: &'a [String],
    /// Its symbols in the order of the text.
    symbols: Vec<InContext<'a>>,
    /// Uses in it whose target is known.
    resolved: usize,
    /// Uses in it that have several candidates.
    ambiguous: usize,
    /// Uses in it of what is defined outside of the index.
    external: usize,
    /// Uses in it whose target was not found.
    unresolved: usize,
}

/// A symbol of the file.
#[derive(Serialize, JsonSchema)]
struct InContext<'a> {
    #[serde(flatten)]
    definition: Definition<'a>,
    /// Owners around it within the file.
    depth: u32,
    /// What it calls.
    calls: Vec<Neighbour<'a>>,
    /// What calls it.
    callers: Vec<Neighbour<'a>>,
    /// What it uses that is not in the index, as it is written.
    not_resolved: &'a [String],
}

/// A symbol that calls or is called.
#[derive(Serialize, JsonSchema)]
struct Neighbour<'a> {
    /// The symbol.
    symbol_id: u32,
    /// Its owners and name.
    qualified_name: &'a str,
    /// What it is.
    kind: &'static str,
    /// The repository.
    repo: &'a str,
    /// Path relative to the repository's root.
    path: &'a str,
    /// Its first line, from 1.
    start_line: u32,
    /// Calls from the symbol in question.
    depth: u32,
    /// The symbol that the last call joins it to.
    via: u32,
    /// How likely the way is right, 0 to 1.
    confidence: f32,
}

/// Where to begin with a question.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Explore<'a> {
    /// 1.
    schema_version: u32,
    /// The call.
    command: &'static str,
    /// The question.
    query: &'a str,
    /// The entry points, best first.
    entries: Vec<Entry<'a>>,
    /// Ways along calls between entry points.
    ways: Vec<Vec<PathStep<'a>>>,
    /// The files that matter, the most important first.
    files: Vec<Matters<'a>>,
    /// What could not take part.
    degraded: &'a [String],
}

/// An entry point.
#[derive(Serialize, JsonSchema)]
struct Entry<'a> {
    /// The repository.
    repo: &'a str,
    /// Path relative to the repository's root.
    path: &'a str,
    /// First line, from 1.
    start_line: u32,
    /// Last line, inclusive.
    end_line: u32,
    /// What it is.
    kind: &'static str,
    /// The symbol's owners and name.
    qualified_name: Option<&'a str>,
    /// The chunk, for `show`.
    chunk_id: u32,
    /// Its score; only the order means something.
    score: f32,
    /// Its source, as much as fits; null where the budget was spent.
    source: Option<&'a str>,
    /// The source's first line.
    source_line: u32,
    /// Lines that did not fit.
    lines_left: usize,
    /// What calls it.
    callers: Vec<Neighbour<'a>>,
    /// What it calls.
    callees: Vec<Neighbour<'a>>,
}

/// A file that matters.
#[derive(Serialize, JsonSchema)]
struct Matters<'a> {
    /// The repository.
    repo: &'a str,
    /// Path relative to the repository's root.
    path: &'a str,
    /// What of it was found, by name.
    symbols: &'a [String],
}

/// What is indexed, by modules.
#[derive(Serialize, JsonSchema)]
pub(crate) struct MapAnswer<'a> {
    /// 1.
    schema_version: u32,
    /// The call.
    command: &'static str,
    /// The modules, the one with the most symbols first.
    modules: Vec<Module<'a>>,
    /// How they use each other, the strongest first.
    connections: Vec<Connection<'a>>,
    /// The most important symbols of all.
    important: Vec<Export<'a>>,
}

/// A module.
#[derive(Serialize, JsonSchema)]
struct Module<'a> {
    /// The repository.
    repo: &'a str,
    /// The folder; `.` for the repository's root.
    path: &'a str,
    /// Its files.
    files: u64,
    /// Their lines.
    lines: u64,
    /// What they define.
    symbols: u64,
    /// Files by language, the most frequent first.
    languages: Vec<Count<'a>>,
    /// Whether most of its files are tests.
    is_test: bool,
    /// What others use of it, the most used first.
    exports: Vec<Export<'a>>,
}

/// A language and its files.
#[derive(Serialize, JsonSchema)]
struct Count<'a> {
    /// The language.
    language: &'a str,
    /// Files.
    files: u64,
}

/// A symbol that others use.
#[derive(Serialize, JsonSchema)]
struct Export<'a> {
    #[serde(flatten)]
    definition: Definition<'a>,
    /// Files that use it, besides its own.
    used_by: u64,
}

/// How one module uses another.
#[derive(Serialize, JsonSchema)]
struct Connection<'a> {
    /// The module that uses, by its folder.
    from: &'a str,
    /// The module that is used, by its folder.
    to: &'a str,
    /// Pairs of symbols of which one uses the other.
    uses: u64,
}

fn neighbour(reached: &Reached) -> Neighbour<'_> {
    let of = &reached.definition;
    Neighbour {
        symbol_id: of.symbol_id,
        qualified_name: &of.qualified_name,
        kind: of.kind.as_str(),
        repo: &of.repo,
        path: &of.path,
        start_line: of.start_line,
        depth: reached.depth,
        via: reached.via,
        confidence: reached.confidence,
    }
}

/// A file with its surroundings on one line.
pub(crate) fn context_json(context: Option<&navigate::Context>) -> String {
    fn symbol(of: &navigate::InContext) -> InContext<'_> {
        let navigate::InContext { definition: symbol, depth, calls, callers, not_resolved } = of;
        InContext {
            definition: definition(symbol),
            depth: *depth,
            calls: calls.iter().map(neighbour).collect(),
            callers: callers.iter().map(neighbour).collect(),
            not_resolved,
        }
    }
    let file = context.map(|context| Context {
        repo: &context.repo,
        path: &context.path,
        language: &context.language,
        lines: context.lines,
        imports: &context.imports,
        imported_by: &context.imported_by,
        symbols: context.symbols.iter().map(symbol).collect(),
        resolved: context.resolved,
        ambiguous: context.ambiguous,
        external: context.external,
        unresolved: context.unresolved,
    });
    line(&ContextAnswer { schema_version: SCHEMA_VERSION, command: "context", file })
}

/// Where to begin with a question, on one line.
pub(crate) fn explore_json(explore: &overview::Explore) -> String {
    line(&Explore {
        schema_version: SCHEMA_VERSION,
        command: "explore",
        query: &explore.query,
        entries: explore.entries.iter().map(entry_of).collect(),
        ways: explore.ways.iter().map(|way| steps(way)).collect(),
        files: explore.files.iter().map(matters).collect(),
        degraded: &explore.degraded,
    })
}

fn entry_of(of: &overview::Entry) -> Entry<'_> {
    Entry {
        repo: &of.repo,
        path: &of.path,
        start_line: of.start_line,
        end_line: of.end_line,
        kind: of.kind.as_str(),
        qualified_name: of.qualified_name.as_deref(),
        chunk_id: of.chunk_id,
        score: of.score,
        source: of.source.as_deref(),
        source_line: of.source_line,
        lines_left: of.lines_left,
        callers: of.callers.iter().map(neighbour).collect(),
        callees: of.callees.iter().map(neighbour).collect(),
    }
}

fn matters(of: &overview::Matters) -> Matters<'_> {
    Matters { repo: &of.repo, path: &of.path, symbols: &of.symbols }
}

fn export(of: &overview::Export) -> Export<'_> {
    Export { definition: definition(&of.definition), used_by: of.used_by }
}

/// What is indexed on one line.
pub(crate) fn map_json(map: &overview::Map) -> String {
    fn module(of: &overview::Module) -> Module<'_> {
        let overview::Module { repo, path, files, lines, symbols, languages, is_test, exports } = of;
        Module {
            repo,
            path,
            files: *files,
            lines: *lines,
            symbols: *symbols,
            languages: languages.iter().map(|(language, files)| Count { language, files: *files }).collect(),
            is_test: *is_test,
            exports: exports.iter().map(export).collect(),
        }
    }
    let name = |n: usize| map.modules.get(n).map_or("", |module| module.path.as_str());
    let connection = |of: &overview::Connection| Connection { from: name(of.from), to: name(of.to), uses: of.uses };
    line(&MapAnswer {
        schema_version: SCHEMA_VERSION,
        command: "map",
        modules: map.modules.iter().map(module).collect(),
        connections: map.connections.iter().map(connection).collect(),
        important: map.important.iter().map(export).collect(),
    })
}

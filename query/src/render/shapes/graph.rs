//! What the calls give that look up names and ask the graph.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_formats::tables::ExternalRow;

use super::{SCHEMA_VERSION, line};
use crate::navigate::{self, Named, Reached, Related, Step};

/// What a name means.
#[derive(Clone, Copy)]
pub(crate) struct Meant<'a> {
    /// What the index defines.
    pub(crate) definitions: &'a [navigate::Definition],
    /// What it only uses.
    pub(crate) externals: &'a [ExternalRow],
}

/// A definition with its place.
#[derive(Serialize, JsonSchema)]
pub(super) struct Definition<'a> {
    /// The symbol.
    symbol_id: u32,
    /// Its name.
    name: &'a str,
    /// Its owners and name.
    qualified_name: &'a str,
    /// What it is.
    kind: &'static str,
    /// The repository.
    repo: &'a str,
    /// Path relative to the repository's root.
    path: &'a str,
    /// First line, from 1.
    start_line: u32,
    /// Last line, inclusive.
    end_line: u32,
    /// The text before the body, on one line.
    signature: Option<&'a str>,
    /// Whether it is test code.
    is_test: bool,
}

/// The definitions of a name.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Definitions<'a> {
    /// 1.
    schema_version: u32,
    /// The call.
    command: &'a str,
    /// How like the name they are: exact, other_kind, prefix or fuzzy.
    likeness: &'static str,
    /// The definitions, the likeliest first.
    results: Vec<Definition<'a>>,
    /// Whether there are more.
    truncated: bool,
}

/// Symbols by the beginning of their names.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Symbols<'a> {
    /// 1.
    schema_version: u32,
    /// The call.
    command: &'a str,
    /// The symbols, the likeliest first.
    results: Vec<Definition<'a>>,
    /// Whether there are more.
    truncated: bool,
}

/// What belongs to symbols.
#[derive(Serialize, JsonSchema)]
pub(crate) struct RelatedAnswer<'a> {
    /// 1.
    schema_version: u32,
    /// The call.
    command: &'a str,
    /// What the name means.
    definitions: Vec<Definition<'a>>,
    /// What belongs to it, the strongest first.
    results: Vec<RelatedOne<'a>>,
}

/// A symbol that belongs to others.
#[derive(Serialize, JsonSchema)]
struct RelatedOne<'a> {
    #[serde(flatten)]
    definition: Definition<'a>,
    /// How strongly, 0 to 1.
    association: f32,
    /// The symbol before it on the strongest way from what was asked for.
    via: u32,
    /// The strongest edge between the two.
    edge: &'static str,
    /// Whether that edge leads from `via` here.
    is_from_via: bool,
}

/// What was reached from symbols.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Reach<'a> {
    /// 1.
    schema_version: u32,
    /// The call.
    command: &'a str,
    /// What the name means in the index.
    definitions: Vec<Definition<'a>>,
    /// What it means outside of the index, where nothing in it has the name.
    externals: Vec<External<'a>>,
    /// What was reached, nearest first, then the surest.
    results: Vec<ReachedOne<'a>>,
    /// Whether there is more.
    truncated: bool,
}

/// Something that is used and not defined in the index.
#[derive(Serialize, JsonSchema)]
struct External<'a> {
    /// Its number.
    external_id: u32,
    /// Its full name.
    name: &'a str,
    /// The module as imports name it.
    module: Option<&'a str>,
    /// The language or family of languages that uses it.
    family: &'a str,
    /// How often it is used.
    uses: u32,
}

/// A symbol that was reached.
#[derive(Serialize, JsonSchema)]
struct ReachedOne<'a> {
    #[serde(flatten)]
    definition: Definition<'a>,
    /// Edges from the start.
    depth: u32,
    /// The symbol that the last edge joins it to, one nearer to the start.
    via: u32,
    /// What that edge is.
    edge: &'static str,
    /// How that edge was found.
    tier: &'static str,
    /// The product of the confidences along the way, 0 to 1.
    confidence: f32,
}

/// A way along calls.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Path<'a> {
    /// 1.
    schema_version: u32,
    /// The call.
    command: &'a str,
    /// The symbols from first to last; empty where there is no way.
    steps: Vec<PathStep<'a>>,
}

/// A step of a way.
#[derive(Serialize, JsonSchema)]
pub(super) struct PathStep<'a> {
    #[serde(flatten)]
    definition: Definition<'a>,
    /// The edge from the symbol before; null for the first.
    edge: Option<&'static str>,
    /// How that edge was found.
    tier: Option<&'static str>,
    /// How likely it is right, 0 to 1.
    confidence: Option<f32>,
}

/// Where symbols are used.
#[derive(Serialize, JsonSchema)]
pub(crate) struct References<'a> {
    /// 1.
    schema_version: u32,
    /// The call.
    command: &'a str,
    /// The uses by definition.
    results: Vec<OfDefinition<'a>>,
    /// Whether there are more definitions or uses.
    truncated: bool,
}

/// The uses of a definition.
#[derive(Serialize, JsonSchema)]
struct OfDefinition<'a> {
    /// The definition.
    definition: Definition<'a>,
    /// How many uses there are, also those that are not given.
    total: usize,
    /// The uses, by file, then by line.
    uses: Vec<Use<'a>>,
}

/// A use.
#[derive(Serialize, JsonSchema)]
struct Use<'a> {
    /// The repository.
    repo: &'a str,
    /// Path relative to the repository's root.
    path: &'a str,
    /// Its line, from 1.
    line: u32,
    /// Its column in bytes, from 0.
    column: u32,
    /// The line's text.
    text: &'a str,
    /// What the use is: call, import, type, inherit and so on.
    kind: &'static str,
    /// The symbol that holds it, by its qualified name.
    inside: &'a str,
    /// That symbol.
    inside_id: u32,
    /// How the target was found.
    tier: &'static str,
    /// How likely it is right, 0 to 1.
    confidence: f32,
    /// Whether it is in test code.
    is_test: bool,
}

/// What there is to know of symbols.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Hovers<'a> {
    /// 1.
    schema_version: u32,
    /// The call.
    command: &'a str,
    /// The symbols, the likeliest first.
    results: Vec<HoverOne<'a>>,
    /// Whether there are more.
    truncated: bool,
}

/// What there is to know of a symbol.
#[derive(Serialize, JsonSchema)]
struct HoverOne<'a> {
    #[serde(flatten)]
    definition: Definition<'a>,
    /// The language.
    language: &'a str,
    /// Its documentation, without comment marks.
    doc: Option<&'a str>,
    /// The symbol around it, by its qualified name.
    container: Option<&'a str>,
    /// Whether it can be seen from outside its file or package.
    exported: bool,
    /// Symbols that call it.
    callers: usize,
    /// Symbols that it calls.
    callees: usize,
    /// Symbols that use it in any way.
    users: usize,
    /// What it owns.
    members: Vec<Definition<'a>>,
}

/// A name that nothing has.
#[derive(Serialize)]
struct Nothing<'a> {
    schema_version: u32,
    name: &'a str,
    suggestions: &'a [String],
    results: [u8; 0],
}

pub(super) fn definition(definition: &navigate::Definition) -> Definition<'_> {
    Definition {
        symbol_id: definition.symbol_id,
        name: &definition.name,
        qualified_name: &definition.qualified_name,
        kind: definition.kind.as_str(),
        repo: &definition.repo,
        path: &definition.path,
        start_line: definition.start_line,
        end_line: definition.end_line,
        signature: definition.signature.as_deref(),
        is_test: definition.is_test,
    }
}

/// What was asked for and what was reached, on one line.
pub(crate) fn reach_json(command: &str, meant: Meant<'_>, reached: &[Reached], truncated: bool) -> String {
    let results = reached.iter().map(|found| ReachedOne {
        definition: definition(&found.definition),
        depth: found.depth,
        via: found.via,
        edge: found.kind.as_str(),
        tier: found.tier.as_str(),
        confidence: found.confidence,
    });
    let externals = meant.externals.iter().map(|row| External {
        external_id: row.external_id,
        name: &row.name,
        module: row.module.as_deref(),
        family: &row.family,
        uses: row.uses,
    });
    line(&Reach {
        schema_version: SCHEMA_VERSION,
        command,
        definitions: meant.definitions.iter().map(definition).collect(),
        externals: externals.collect(),
        results: results.collect(),
        truncated,
    })
}

pub(super) fn steps(steps: &[Step]) -> Vec<PathStep<'_>> {
    fn step(step: &Step) -> PathStep<'_> {
        let Step { definition: of, edge } = step;
        PathStep {
            definition: definition(of),
            edge: edge.map(|(kind, ..)| kind.as_str()),
            tier: edge.map(|(_, tier, _)| tier.as_str()),
            confidence: edge.map(|(.., confidence)| confidence),
        }
    }
    steps.iter().map(step).collect()
}

/// A way on one line.
pub(crate) fn path_json(way: &[Step]) -> String {
    line(&Path { schema_version: SCHEMA_VERSION, command: "path", steps: steps(way) })
}

/// The definitions of a name on one line.
pub(crate) fn definitions_json(named: &Named, truncated: bool) -> String {
    let results = named.definitions.iter().map(definition).collect();
    let likeness = named.likeness.as_str();
    line(&Definitions { schema_version: SCHEMA_VERSION, command: "definition", likeness, results, truncated })
}

/// Symbols on one line.
pub(crate) fn symbols_json(found: &[navigate::Definition], truncated: bool) -> String {
    let results = found.iter().map(definition).collect();
    line(&Symbols { schema_version: SCHEMA_VERSION, command: "symbols", results, truncated })
}

/// What belongs to something on one line.
pub(crate) fn related_json(start: &[navigate::Definition], related: &[Related]) -> String {
    let results = related.iter().map(|found| RelatedOne {
        definition: definition(&found.definition),
        association: found.association,
        via: found.via,
        edge: found.edge.0.as_str(),
        is_from_via: found.edge.1,
    });
    line(&RelatedAnswer {
        schema_version: SCHEMA_VERSION,
        command: "related",
        definitions: start.iter().map(definition).collect(),
        results: results.collect(),
    })
}

/// Uses on one line.
pub(crate) fn references_json(references: &[navigate::References], truncated: bool) -> String {
    fn of_use(found: &navigate::Reference) -> Use<'_> {
        let navigate::Reference { source, kind, line, column, text, tier, confidence } = found;
        Use {
            repo: &source.repo,
            path: &source.path,
            line: *line,
            column: *column,
            text,
            kind: kind.as_str(),
            inside: &source.qualified_name,
            inside_id: source.symbol_id,
            tier: tier.as_str(),
            confidence: *confidence,
            is_test: source.is_test,
        }
    }
    let results = references.iter().map(|of| OfDefinition {
        definition: definition(&of.definition),
        total: of.total,
        uses: of.uses.iter().map(of_use).collect(),
    });
    line(&References { schema_version: SCHEMA_VERSION, command: "references", results: results.collect(), truncated })
}

/// What there is to know of symbols on one line.
pub(crate) fn hover_json(hovers: &[navigate::Hover], truncated: bool) -> String {
    let results = hovers.iter().map(|hover| HoverOne {
        definition: definition(&hover.definition),
        language: &hover.language,
        doc: hover.doc.as_deref(),
        container: hover.container.as_deref(),
        exported: hover.exported,
        callers: hover.callers,
        callees: hover.callees,
        users: hover.users,
        members: hover.members.iter().map(definition).collect(),
    });
    line(&Hovers { schema_version: SCHEMA_VERSION, command: "hover", results: results.collect(), truncated })
}

/// That nothing has a name, and what is like it, on one line.
pub(crate) fn nothing_json(name: &str, suggestions: &[String]) -> String {
    line(&Nothing { schema_version: SCHEMA_VERSION, name, suggestions, results: [] })
}

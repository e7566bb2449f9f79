//! Answers of the graph.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_format::tables::ExternalRow;
use sextant_search::{Edited, navigate};

use super::{Definition, SCHEMA_VERSION};

/// What was reached from symbols.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReachAnswer {
    /// 1.
    pub schema_version: u32,
    /// The request.
    pub command: &'static str,
    /// The definitions of the index that the name resolves to.
    pub definitions: Vec<Definition>,
    /// The external symbols that it resolves to, where the index defines nothing of that name.
    pub externals: Vec<External>,
    /// What was reached, nearest first, then the surest.
    pub results: Vec<ReachedSymbol>,
    /// Whether there is more.
    pub truncated: bool,
}

/// Something that is used and not defined in the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct External {
    /// Its number.
    pub external_id: u32,
    /// Its full name.
    pub name: String,
    /// The module as imports name it.
    pub module: Option<String>,
    /// The language or family of languages that uses it.
    pub family: String,
    /// How often it is used.
    pub uses: u32,
}

/// A symbol that was reached.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReachedSymbol {
    /// The symbol.
    #[serde(flatten)]
    pub definition: Definition,
    /// Edges from the start.
    pub depth: u32,
    /// The symbol that the last edge joins it to, one nearer to the start.
    pub via: u32,
    /// What that edge is.
    pub edge: &'static str,
    /// How that edge was resolved.
    pub resolution: &'static str,
    /// The product of the confidences along the path, 0 to 1.
    pub confidence: f32,
}

/// A path along calls.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PathAnswer {
    /// 1.
    pub schema_version: u32,
    /// The request.
    pub command: &'static str,
    /// The symbols from first to last; empty where there is no path.
    pub steps: Vec<PathStep>,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PathStep {
    /// The symbol.
    #[serde(flatten)]
    pub definition: Definition,
    /// The edge from the symbol before; null for the first.
    pub edge: Option<&'static str>,
    /// How that edge was resolved.
    pub resolution: Option<&'static str>,
    /// How likely it is right, 0 to 1.
    pub confidence: Option<f32>,
}

impl ReachAnswer {
    pub(crate) fn new(
        command: &'static str,
        definitions: Vec<navigate::Definition>,
        externals: Vec<ExternalRow>,
        reached: Vec<navigate::ReachedSymbol>,
        truncated: bool,
        edited: &Edited,
    ) -> Self {
        let results = reached.into_iter().map(|found| ReachedSymbol {
            depth: found.depth,
            via: found.via,
            edge: found.kind.as_str(),
            resolution: found.resolution.as_str(),
            confidence: found.confidence,
            definition: Definition::new(found.definition, edited),
        });
        let externals = externals.into_iter().map(|row| External {
            external_id: row.external_id,
            name: row.name,
            module: row.module,
            family: row.family,
            uses: row.uses,
        });
        Self {
            schema_version: SCHEMA_VERSION,
            command,
            definitions: Definition::list(definitions, edited),
            externals: externals.collect(),
            results: results.collect(),
            truncated,
        }
    }
}

impl PathStep {
    pub(crate) fn list(steps: Vec<navigate::Step>, edited: &Edited) -> Vec<Self> {
        let step = |step: navigate::Step| Self {
            edge: step.edge.map(|(kind, ..)| kind.as_str()),
            resolution: step.edge.map(|(_, tier, _)| tier.as_str()),
            confidence: step.edge.map(|(.., confidence)| confidence),
            definition: Definition::new(step.definition, edited),
        };
        steps.into_iter().map(step).collect()
    }
}

impl PathAnswer {
    pub(crate) fn new(steps: Vec<navigate::Step>, edited: &Edited) -> Self {
        Self { schema_version: SCHEMA_VERSION, command: "path", steps: PathStep::list(steps, edited) }
    }
}

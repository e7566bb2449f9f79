//! Answers of requests that traverse the graph.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_drawing::Drawing;
use sextant_format::tables::ExternalRow;
use sextant_search::live::LiveCallers;
use sextant_search::similarity::NearFile;
use sextant_search::{DirtyFiles, navigate};

use super::{Definition, External, LivePlace, LiveReport, Mentions, NotFound, SCHEMA_VERSION, ScoredFile, SourceLine};
use crate::text_form::DrawFormat;

/// Symbols reached from a start.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReachAnswer {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The definitions that the name resolves to: the start.
    pub definitions: Vec<Definition>,
    /// The external symbols that the name resolves to, if no definition in the index has it, and those that another index
    /// defines by it.
    pub externals: Vec<External>,
    /// The reached symbols, by depth, then by descending confidence.
    pub results: Vec<ReachedSymbol>,
    /// Direct `callers` and `callees`: methods through which calls may lead. For callers those that the definitions override
    /// or implement; for callees those that are called and that others override or implement. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub through: Vec<Through>,
    /// What may call the definitions, or what they may call, by dispatch: which method runs depends on the receiver. `via` is
    /// the key of a method of `through`. Absent if there is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub possible: Vec<ReachedSymbol>,
    /// Whether there are more results than listed.
    pub truncated: bool,
    /// With `draw`: the symbols in layers. Absent without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawing: Option<Drawing>,
    /// What the text form is.
    #[serde(skip)]
    pub draw: DrawFormat,
    /// Whether the context of each result is what says when its edge is reached.
    #[serde(skip)]
    pub has_conditions: bool,
    /// Names of several that nothing has. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_found: Vec<NotFound>,
    /// `callers`: lines that contain the name of a function that was asked for, and that no edge explains: direct calls
    /// that the index may have missed. Absent if there are none, or if the name is in too many places to be examined.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mentions: Vec<Mentions>,
    /// `affected`: test files whose vectors are near to those of the changed files, and in which the graph found no test:
    /// guesses. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub near_tests: Vec<ScoredFile>,
    /// `callers` with `live`: direct callers that only a language server names. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub live_only: Vec<LivePlace>,
    /// With `live`: how language servers were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live: Option<LiveReport>,
}

/// A method through which calls may lead.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Through {
    /// The method.
    #[serde(flatten)]
    pub definition: Definition,
    /// The key of the definition that overrides or implements it, or that calls it.
    pub of: String,
}

/// A reached symbol.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReachedSymbol {
    /// The symbol.
    #[serde(flatten)]
    pub definition: Definition,
    /// The number of edges from the start.
    pub depth: u32,
    /// The key of the symbol at the other end of the last edge, one step nearer to the start.
    pub via: String,
    /// The kind of the last edge.
    pub edge: &'static str,
    /// How the reference behind the last edge was resolved.
    pub resolution: &'static str,
    /// The product of the confidences of the path's edges, 0 to 1.
    pub confidence: f32,
    /// The lines on which the last edge is written, from 1, in the file of its source: for `callers` and `impact` the file
    /// of this symbol, for `callees` that of `via`. Absent where an edge has no line of its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edge_lines: Vec<u32>,
    /// With `context`: these lines with those around them. Without it, if `callers` lists at most 20 symbols: the first two,
    /// with the lines that begin the blocks and branches in which they are. Else absent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<SourceLine>,
}

/// A path along calls.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PathAnswer {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The symbols from first to last; empty if there is no path.
    pub steps: Vec<PathStep>,
    /// With `draw`: the path from top to bottom. Absent without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawing: Option<Drawing>,
    /// What the text form is.
    #[serde(skip)]
    pub draw: DrawFormat,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PathStep {
    /// The symbol.
    #[serde(flatten)]
    pub definition: Definition,
    /// The kind of the edge from the previous symbol; null for the first symbol.
    pub edge: Option<&'static str>,
    /// How the reference behind that edge was resolved; null for the first symbol.
    pub resolution: Option<&'static str>,
    /// The confidence of that edge, 0 to 1; null for the first symbol.
    pub confidence: Option<f32>,
}

impl ReachedSymbol {
    pub(crate) fn list(reached: Vec<navigate::ReachedSymbol>, dirty_files: &DirtyFiles) -> Vec<Self> {
        let symbol = |symbol: navigate::ReachedSymbol| Self {
            depth: symbol.depth,
            via: symbol.via_key,
            edge: symbol.kind.as_str(),
            resolution: symbol.resolution.as_str(),
            confidence: symbol.confidence,
            edge_lines: symbol.lines,
            context: SourceLine::list(symbol.context),
            definition: Definition::new(symbol.definition, dirty_files),
        };
        reached.into_iter().map(symbol).collect()
    }
}

impl ReachAnswer {
    pub(crate) fn new(
        command: &'static str,
        definitions: Vec<navigate::Definition>,
        externals: Vec<ExternalRow>,
        reached: Vec<navigate::ReachedSymbol>,
        truncated: bool,
        dirty_files: &DirtyFiles,
    ) -> Self {
        let externals = externals.into_iter().map(External::from);
        Self {
            schema_version: SCHEMA_VERSION,
            command,
            definitions: Definition::list(definitions, dirty_files),
            externals: externals.collect(),
            results: ReachedSymbol::list(reached, dirty_files),
            through: Vec::new(),
            possible: Vec::new(),
            truncated,
            drawing: None,
            draw: DrawFormat::Text,
            has_conditions: false,
            not_found: Vec::new(),
            mentions: Vec::new(),
            near_tests: Vec::new(),
            live_only: Vec::new(),
            live: None,
        }
    }

    /// Adds what is reached through definitions of other indexes: the external symbols that they are, with their keys, and
    /// the symbols.
    pub(crate) fn add_linked(
        &mut self,
        externals: Vec<(ExternalRow, String)>,
        reached: Vec<navigate::ReachedSymbol>,
        limit: usize,
        dirty_files: &DirtyFiles,
    ) {
        self.externals.extend(externals.into_iter().map(|(row, key)| External::linked(row, key)));
        self.results.extend(ReachedSymbol::list(reached, dirty_files));
        self.results.sort_by_key(|reached| reached.depth);
        self.truncated |= self.results.len() > limit;
        self.results.truncate(limit);
    }

    /// Adds what dispatch may reach.
    pub(crate) fn add_dispatch(&mut self, of: String, dispatch: navigate::Dispatch, dirty_files: &DirtyFiles) {
        let possible = ReachedSymbol::list(dispatch.reached, dirty_files);
        let through = Definition::list(dispatch.through, dirty_files).into_iter();
        let through = through.filter(|through| possible.iter().any(|possible| possible.via == through.key));
        self.through.extend(through.map(|definition| Through { definition, of: of.clone() }));
        let is_new = |one: &ReachedSymbol| {
            !self.possible.iter().any(|known| known.definition.key == one.definition.key && known.via == one.via)
        };
        let new: Vec<ReachedSymbol> = possible.into_iter().filter(is_new).collect();
        self.possible.extend(new);
    }

    /// Adds what language servers say about the callers.
    pub(crate) fn add_live(&mut self, live: LiveCallers, dirty_files: &DirtyFiles) {
        for (reached, confirmed) in self.results.iter_mut().zip(live.confirmed) {
            reached.definition.live = confirmed;
        }
        self.live_only = LivePlace::of_symbols(live.only_live, dirty_files);
    }

    /// Adds test files that are near to what changed.
    pub(crate) fn with_near_tests(mut self, near: Vec<NearFile>, dirty_files: &DirtyFiles) -> Self {
        self.near_tests = near.into_iter().map(|near| ScoredFile::new(near, dirty_files)).collect();
        self
    }
}

impl PathStep {
    pub(crate) fn list(steps: Vec<navigate::Step>, dirty_files: &DirtyFiles) -> Vec<Self> {
        let step = |step: navigate::Step| Self {
            edge: step.edge.map(|(kind, ..)| kind.as_str()),
            resolution: step.edge.map(|(_, resolution, _)| resolution.as_str()),
            confidence: step.edge.map(|(.., confidence)| confidence),
            definition: Definition::new(step.definition, dirty_files),
        };
        steps.into_iter().map(step).collect()
    }
}

impl PathAnswer {
    pub(crate) fn new(steps: Vec<navigate::Step>, dirty_files: &DirtyFiles) -> Self {
        let steps = PathStep::list(steps, dirty_files);
        Self { schema_version: SCHEMA_VERSION, command: "path", steps, drawing: None, draw: DrawFormat::Text }
    }
}

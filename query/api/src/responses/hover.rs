//! Descriptions of symbols.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_search::{DirtyFiles, navigate};

use super::SCHEMA_VERSION;
use super::live::LiveReport;
use super::names::Definition;
use super::search::ChunkSummary;

/// Descriptions of symbols.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Hovers {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The symbols, the most likely first.
    pub results: Vec<Hover>,
    /// Whether there are more results than listed.
    pub truncated: bool,
    /// With `live`: how language servers were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live: Option<LiveReport>,
}

/// The description of a symbol.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Hover {
    /// The symbol.
    #[serde(flatten)]
    pub definition: Definition,
    /// The language.
    pub language: String,
    /// Its documentation, without comment markers.
    pub doc: Option<String>,
    /// Summary by a language model; absent if the index was not enriched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary: Option<ChunkSummary>,
    /// The qualified name of the symbol that contains it.
    pub container: Option<String>,
    /// Whether it is visible outside its file or package.
    pub exported: bool,
    /// The number of symbols that call it.
    pub callers: usize,
    /// The number of symbols that it calls.
    pub callees: usize,
    /// The number of symbols that use it in any way.
    pub users: usize,
    /// The types of the index that its signature names.
    pub types: Vec<Definition>,
    /// Its members.
    pub members: Vec<Definition>,
    /// The types that extend or implement it, the nearest first, of these tests last.
    pub subtypes: Vec<Definition>,
    /// Whether there are more of these. Absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub more_subtypes: bool,
    /// With `live`: what a language server tells about it. Absent if none answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live_text: Option<String>,
}

impl Hovers {
    pub(crate) fn new(hovers: Vec<navigate::Hover>, truncated: bool, dirty_files: &DirtyFiles) -> Self {
        let results = hovers.into_iter().map(|hover| Hover {
            definition: Definition::new(hover.definition, dirty_files),
            language: hover.language,
            doc: hover.doc,
            summary: hover.summary.map(ChunkSummary::from),
            container: hover.container,
            exported: hover.exported,
            callers: hover.callers,
            callees: hover.callees,
            users: hover.users,
            types: Definition::list(hover.types, dirty_files),
            members: Definition::list(hover.members, dirty_files),
            subtypes: Definition::list(hover.subtypes, dirty_files),
            more_subtypes: hover.more_subtypes,
            live_text: None,
        });
        Self { schema_version: SCHEMA_VERSION, command: "hover", results: results.collect(), truncated, live: None }
    }

    /// Adds what language servers tell about each symbol.
    pub(crate) fn add_live(&mut self, texts: Vec<Option<String>>) {
        for (hover, text) in self.results.iter_mut().zip(texts) {
            hover.definition.live = text.is_some();
            hover.live_text = text;
        }
    }
}

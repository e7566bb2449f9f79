//! Answers about names.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_format::names;
use sextant_format::tables::ExternalRow;
use sextant_search::live::{LiveDefinitions, LiveUses};
use sextant_search::{DirtyFiles, navigate};

use super::SCHEMA_VERSION;
use super::live::{LivePlace, LiveReport};
use crate::location::Location;

/// A definition with its location.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Definition {
    /// Its key: it names this symbol in every command, and stays the same as long as its file has it.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Its name with its owners.
    pub qualified_name: String,
    /// Its kind.
    pub kind: &'static str,
    /// Its location.
    #[serde(flatten)]
    pub location: Location,
    /// The source text before the body, on one line.
    pub signature: Option<String>,
    /// Whether it is test code.
    pub is_test: bool,
    /// With `live`: a language server names it, too. Absent if none does, or none was asked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub live: bool,
    /// With `live`: its line in the checkout, if that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_now: Option<u32>,
}

/// The definitions of a name.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Definitions {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// How the names match: exact; other_kind, if none is of the requested kind; prefix; part; or fuzzy.
    pub match_kind: &'static str,
    /// The definitions, the most likely first.
    pub results: Vec<FoundDefinition>,
    /// Whether there are more results than listed.
    pub truncated: bool,
    /// With `live`: definitions of exactly this name that only a language server names. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub live_only: Vec<LivePlace>,
    /// With `live`: how language servers were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live: Option<LiveReport>,
}

/// A definition of a name.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FoundDefinition {
    /// The symbol.
    #[serde(flatten)]
    pub definition: Definition,
    /// The qualified name of the symbol that contains it.
    pub container: Option<String>,
    /// How well the name fits, 0 to 1: 1 less the letters that differ (Levenshtein distance), as a share of the longer
    /// name's. 1 is the name as it was asked for.
    pub score: f32,
}

/// Symbols whose names match a text.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Symbols {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The symbols, the most likely first.
    pub results: Vec<Definition>,
    /// Whether there are more results than listed.
    pub truncated: bool,
}

/// Symbols that are closely connected to a start.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RelatedAnswer {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The definitions that the name resolves to: the start.
    pub definitions: Vec<Definition>,
    /// The symbols, by descending association.
    pub results: Vec<Related>,
}

/// A symbol that is closely connected to the start.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Related {
    /// The symbol.
    #[serde(flatten)]
    pub definition: Definition,
    /// The strength of the connection, 0 to 1.
    pub association: f32,
    /// The key of the previous symbol on the strongest path from the start.
    pub via: String,
    /// The kind of the strongest edge between the two.
    pub edge: &'static str,
    /// Whether that edge points from `via` to this symbol.
    pub is_from_via: bool,
}

/// Uses of symbols.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReferencesAnswer {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The name of the request.
    pub command: &'static str,
    /// The definitions, each with its uses.
    pub results: Vec<ReferencesOf>,
    /// The external symbols that have the name, each with its uses, if no definition in the index has it, and those that
    /// another index defines by it.
    pub externals: Vec<ExternalUses>,
    /// Lines that contain the name although no edge explains them; `null` if only uses of one kind were requested, or
    /// the name is too common to be examined.
    pub mentions: Option<Mentions>,
    /// The same for the further ones of several names. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more_mentions: Vec<Mentions>,
    /// Names of several that nothing has. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_found: Vec<NotFound>,
    /// Whether there are more definitions or uses than listed.
    pub truncated: bool,
    /// With `live`: how language servers were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live: Option<LiveReport>,
}

/// Lines of code outside of comments that contain a name as a whole word, are no definition of it, and have no edge for
/// it: uses that were not resolved, or other things of the same name.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Mentions {
    /// The name.
    pub name: String,
    /// The number of lines.
    pub total: usize,
    /// Lines, if they were requested; of `callers` the first eight. Those of tests come last.
    pub lines: Vec<Mention>,
}

/// A line that contains a name.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Mention {
    /// The location of the line.
    #[serde(flatten)]
    pub location: Location,
    /// The line's text.
    pub text: String,
}

/// The uses of a definition.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReferencesOf {
    /// The definition.
    pub definition: Definition,
    /// The number of uses, including those not listed.
    pub total: usize,
    /// The uses, ordered by file and line.
    pub uses: Vec<Reference>,
    /// Of an interface or trait: the types that implement it, the nearest first, whether or not they name it. Absent if none
    /// is known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub subtypes: Vec<Definition>,
    /// Whether there are more of these. Absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub more_subtypes: bool,
    /// With `live`: uses that only a language server names. Absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub live_only: Vec<LivePlace>,
}

/// An external symbol: used, but not defined in the index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct External {
    /// Its fully qualified name as far as it is known.
    pub name: String,
    /// The module, as imports name it; null if unknown.
    pub module: Option<String>,
    /// The language, or family of languages, that uses it.
    pub family: String,
    /// The number of references to it.
    pub uses: u32,
    /// The key of its definition in another index. Absent if no index that was asked defines it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition: Option<String>,
}

/// The uses of an external symbol.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ExternalUses {
    /// The symbol.
    pub external: External,
    /// The number of uses, including those not listed.
    pub total: usize,
    /// The uses, ordered by file and line.
    pub uses: Vec<Reference>,
}

/// A numbered line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SourceLine {
    /// Its number, from 1.
    pub line: u32,
    /// Its text.
    pub text: String,
}

impl SourceLine {
    pub(crate) fn list(lines: Vec<(u32, String)>) -> Vec<Self> {
        lines.into_iter().map(|(line, text)| Self { line, text }).collect()
    }
}

/// A use.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Reference {
    /// The location of its line.
    #[serde(flatten)]
    pub location: Location,
    /// Its column: the offset in bytes, from 0.
    pub column: u32,
    /// The line's text.
    pub text: String,
    /// The lines around it and itself, without blank ones; empty if `context` was not requested.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub context: Vec<SourceLine>,
    /// The kind of use: call, import, type, inherit and so on.
    pub kind: &'static str,
    /// The qualified name of the innermost symbol that contains it.
    pub container: String,
    /// The key of that symbol.
    pub container_key: String,
    /// The kind of that symbol; `file` for a use outside all other symbols.
    pub container_kind: &'static str,
    /// How the reference was resolved.
    pub resolution: &'static str,
    /// The probability that the resolution is right, 0 to 1.
    pub confidence: f32,
    /// Whether it is in test code.
    pub is_test: bool,
    /// With `live`: a language server names it, too. Absent if none does, or none was asked.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub live: bool,
    /// With `live`: its line in the checkout, if that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_now: Option<u32>,
}

/// The answer for a name that no definition has.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct NotFound {
    /// Version of this answer's schema: 1.
    pub schema_version: u32,
    /// The requested name.
    pub name: String,
    /// Similar names.
    pub suggestions: Vec<String>,
    /// `references` and `callers`: lines of code that contain the name all the same. Absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mentions: Option<Mentions>,
    /// Always empty.
    pub results: [u8; 0],
}

impl Definition {
    /// Converts a definition; `dirty_files` decides whether its location is marked as edited.
    #[must_use]
    pub fn new(definition: navigate::Definition, dirty_files: &DirtyFiles) -> Self {
        let navigate::Definition { repo, path, start_line, end_line, .. } = &definition;
        Self {
            location: Location::new(dirty_files, repo, path, *start_line, *end_line),
            key: definition.key,
            name: definition.name,
            qualified_name: definition.qualified_name,
            kind: definition.kind.as_str(),
            signature: definition.signature,
            is_test: definition.is_test,
            live: false,
            line_now: None,
        }
    }

    /// Marks it as named by a language server, at a line of the checkout.
    fn mark(&mut self, line_now: u32) {
        self.live = true;
        self.line_now = Some(line_now).filter(|&line| line != self.location.start_line);
    }

    /// Converts several definitions.
    #[must_use]
    pub fn list(definitions: Vec<navigate::Definition>, dirty_files: &DirtyFiles) -> Vec<Self> {
        definitions.into_iter().map(|definition| Self::new(definition, dirty_files)).collect()
    }
}

impl Definitions {
    /// Whether all it has are names that are like the one that was asked for, or of another kind.
    pub(crate) fn is_similar(&self) -> bool {
        !self.results.is_empty() && self.match_kind != navigate::MatchKind::Exact.as_str()
    }

    /// Whether all it has are names in another case than the one that was asked for.
    pub(crate) fn is_other_case(&self) -> bool {
        !self.results.is_empty() && self.results.iter().all(|found| found.score < 1.0)
    }

    /// `containers` are those of the definitions.
    pub(crate) fn new(
        name: &str,
        matches: navigate::NameMatches,
        containers: Vec<Option<String>>,
        truncated: bool,
        dirty_files: &DirtyFiles,
    ) -> Self {
        let asked = names::segments(name.rsplit(':').next().unwrap_or(name)).last().copied().unwrap_or(name);
        let results = matches.definitions.into_iter().zip(containers).map(|(definition, container)| FoundDefinition {
            score: strsim::normalized_levenshtein(asked, &definition.name) as f32,
            container,
            definition: Definition::new(definition, dirty_files),
        });
        Self {
            schema_version: SCHEMA_VERSION,
            command: "definition",
            match_kind: matches.match_kind.as_str(),
            results: results.collect(),
            truncated,
            live_only: Vec::new(),
            live: None,
        }
    }

    /// Adds what language servers say.
    pub(crate) fn add_live(&mut self, live: LiveDefinitions, dirty_files: &DirtyFiles) {
        for (found, line) in self.results.iter_mut().zip(live.confirmed) {
            if let Some(line) = line {
                found.definition.mark(line);
            }
        }
        self.live_only = LivePlace::list(live.only_live, dirty_files);
    }
}

impl Symbols {
    pub(crate) fn new(definitions: Vec<navigate::Definition>, truncated: bool, dirty_files: &DirtyFiles) -> Self {
        let results = Definition::list(definitions, dirty_files);
        Self { schema_version: SCHEMA_VERSION, command: "symbols", results, truncated }
    }
}

impl RelatedAnswer {
    pub(crate) fn new(
        definitions: Vec<navigate::Definition>,
        related: Vec<navigate::Related>,
        dirty_files: &DirtyFiles,
    ) -> Self {
        let results = related.into_iter().map(|symbol| Related {
            association: symbol.association,
            via: symbol.via_key,
            edge: symbol.edge.0.as_str(),
            is_from_via: symbol.edge.1,
            definition: Definition::new(symbol.definition, dirty_files),
        });
        Self {
            schema_version: SCHEMA_VERSION,
            command: "related",
            results: results.collect(),
            definitions: Definition::list(definitions, dirty_files),
        }
    }
}

impl Mentions {
    pub(crate) fn new(name: String, mentions: navigate::Mentions, dirty_files: &DirtyFiles) -> Self {
        let lines = mentions.lines.into_iter().map(|mention| Mention {
            location: Location::new(dirty_files, &mention.repo, &mention.path, mention.line, mention.line),
            text: mention.text,
        });
        Self { name, total: mentions.total, lines: lines.collect() }
    }
}

impl From<ExternalRow> for External {
    fn from(row: ExternalRow) -> Self {
        let ExternalRow { name, module, family, uses, .. } = row;
        Self { name, module, family, uses, definition: None }
    }
}

impl External {
    /// An external symbol whose definition has a key in another index.
    pub(crate) fn linked(row: ExternalRow, definition: String) -> Self {
        Self { definition: Some(definition), ..Self::from(row) }
    }
}

impl Reference {
    fn new(reference: navigate::Reference, dirty_files: &DirtyFiles) -> Self {
        let navigate::Reference { source, kind, line, column, text, context, resolution, confidence } = reference;
        Self {
            location: Location::new(dirty_files, &source.repo, &source.path, line, line),
            column,
            text,
            context: SourceLine::list(context),
            kind: kind.as_str(),
            container: source.qualified_name,
            container_key: source.key,
            container_kind: source.kind.as_str(),
            resolution: resolution.as_str(),
            confidence,
            is_test: source.is_test,
            live: false,
            line_now: None,
        }
    }
}

impl Default for ReferencesAnswer {
    fn default() -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            command: "references",
            results: Vec::new(),
            externals: Vec::new(),
            mentions: None,
            more_mentions: Vec::new(),
            not_found: Vec::new(),
            truncated: false,
            live: None,
        }
    }
}

impl ReferencesAnswer {
    /// Adds definitions with their uses.
    pub(crate) fn add(&mut self, references: Vec<navigate::References>, dirty_files: &DirtyFiles) {
        for group in references {
            self.truncated |= group.total > group.uses.len();
            self.results.push(ReferencesOf {
                definition: Definition::new(group.definition, dirty_files),
                total: group.total,
                uses: group.uses.into_iter().map(|reference| Reference::new(reference, dirty_files)).collect(),
                subtypes: Definition::list(group.subtypes, dirty_files),
                more_subtypes: group.more_subtypes,
                live_only: Vec::new(),
            });
        }
    }

    /// Adds external symbols with their uses.
    pub(crate) fn add_externals(&mut self, externals: Vec<navigate::ExternalReferences>, dirty_files: &DirtyFiles) {
        for group in externals {
            self.truncated |= group.total > group.uses.len();
            self.externals.push(ExternalUses {
                external: External::from(group.external),
                total: group.total,
                uses: group.uses.into_iter().map(|reference| Reference::new(reference, dirty_files)).collect(),
            });
        }
    }

    /// Adds the uses of definitions of other indexes, whose keys are given in the order of the uses.
    pub(crate) fn add_linked(
        &mut self,
        externals: Vec<navigate::ExternalReferences>,
        keys: Vec<String>,
        dirty_files: &DirtyFiles,
    ) {
        let first = self.externals.len();
        self.add_externals(externals, dirty_files);
        for (group, key) in self.externals[first..].iter_mut().zip(keys) {
            group.external.definition = Some(key);
        }
    }

    /// Adds the lines that mention a name.
    pub(crate) fn add_mentions(&mut self, name: String, mentions: navigate::Mentions, dirty_files: &DirtyFiles) {
        let mentions = Mentions::new(name, mentions, dirty_files);
        match &self.mentions {
            None => self.mentions = Some(mentions),
            Some(known) if known.name == mentions.name => {}
            Some(_) => self.more_mentions.push(mentions),
        }
    }

    /// Adds what language servers say about the uses of each definition.
    pub(crate) fn add_live(&mut self, live: Vec<LiveUses>, dirty_files: &DirtyFiles) {
        for (group, live) in self.results.iter_mut().zip(live) {
            for (reference, line) in group.uses.iter_mut().zip(live.confirmed) {
                if let Some(line) = line {
                    reference.live = true;
                    reference.line_now = Some(line).filter(|&line| line != reference.location.start_line);
                }
            }
            group.live_only = LivePlace::list(live.only_live, dirty_files);
        }
    }
}

impl NotFound {
    pub(crate) fn new(name: &str, suggestions: Vec<String>) -> Self {
        Self { schema_version: SCHEMA_VERSION, name: name.to_owned(), suggestions, mentions: None, results: [] }
    }

    /// Adds lines that contain the name.
    pub(crate) fn with_mentions(self, mentions: Option<navigate::Mentions>, dirty_files: &DirtyFiles) -> Self {
        let name = self.name.clone();
        let mentions = mentions.filter(|mentions| mentions.total > 0);
        Self { mentions: mentions.map(|mentions| Mentions::new(name, mentions, dirty_files)), ..self }
    }
}

//! Answers about names.

use schemars::JsonSchema;
use serde::Serialize;
use sextant_search::{Edited, navigate};

use super::SCHEMA_VERSION;
use crate::location::Location;

/// A definition with its location.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Definition {
    /// The symbol.
    pub symbol_id: u32,
    /// Its name.
    pub name: String,
    /// Its owners and name.
    pub qualified_name: String,
    /// What it is.
    pub kind: &'static str,
    /// Where it is.
    #[serde(flatten)]
    pub location: Location,
    /// The text before the body, on one line.
    pub signature: Option<String>,
    /// Whether it is test code.
    pub is_test: bool,
}

/// The definitions of a name.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Definitions {
    /// 1.
    pub schema_version: u32,
    /// The request.
    pub command: &'static str,
    /// How the names match: exact, other_kind, prefix or fuzzy.
    pub match_kind: &'static str,
    /// The definitions, the likeliest first.
    pub results: Vec<Definition>,
    /// Whether there are more.
    pub truncated: bool,
}

/// Symbols by the beginning of their names.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Symbols {
    /// 1.
    pub schema_version: u32,
    /// The request.
    pub command: &'static str,
    /// The symbols, the likeliest first.
    pub results: Vec<Definition>,
    /// Whether there are more.
    pub truncated: bool,
}

/// What belongs to symbols.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct RelatedAnswer {
    /// 1.
    pub schema_version: u32,
    /// The request.
    pub command: &'static str,
    /// The definitions that the name resolves to.
    pub definitions: Vec<Definition>,
    /// What belongs to them, the strongest first.
    pub results: Vec<Related>,
}

/// A symbol that belongs to others.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Related {
    /// The symbol.
    #[serde(flatten)]
    pub definition: Definition,
    /// How strongly, 0 to 1.
    pub association: f32,
    /// The symbol before it on the strongest path from the one that was named.
    pub via: u32,
    /// The strongest edge between the two.
    pub edge: &'static str,
    /// Whether that edge leads from `via` here.
    pub is_from_via: bool,
}

/// Where symbols are used.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReferencesAnswer {
    /// 1.
    pub schema_version: u32,
    /// The request.
    pub command: &'static str,
    /// The uses by definition.
    pub results: Vec<ReferencesOf>,
    /// Whether there are more definitions or uses.
    pub truncated: bool,
}

/// The uses of a definition.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReferencesOf {
    /// The definition.
    pub definition: Definition,
    /// How many uses there are, those included that are not listed.
    pub total: usize,
    /// The uses, by file, then by line.
    pub uses: Vec<Reference>,
}

/// A use.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Reference {
    /// Its line.
    #[serde(flatten)]
    pub location: Location,
    /// Its column in bytes, from 0.
    pub column: u32,
    /// The line's text.
    pub text: String,
    /// What the use is: call, import, type, inherit and so on.
    pub kind: &'static str,
    /// The symbol that holds it, by its qualified name.
    pub container: String,
    /// That symbol.
    pub container_id: u32,
    /// What that symbol is; `file` for a use outside of all others.
    pub container_kind: &'static str,
    /// How the reference was resolved.
    pub resolution: &'static str,
    /// How likely it is right, 0 to 1.
    pub confidence: f32,
    /// Whether it is in test code.
    pub is_test: bool,
}

/// What is known of symbols.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Hovers {
    /// 1.
    pub schema_version: u32,
    /// The request.
    pub command: &'static str,
    /// The symbols, the likeliest first.
    pub results: Vec<Hover>,
    /// Whether there are more.
    pub truncated: bool,
}

/// What is known of a symbol.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Hover {
    /// The symbol.
    #[serde(flatten)]
    pub definition: Definition,
    /// The language.
    pub language: String,
    /// Its documentation, without comment marks.
    pub doc: Option<String>,
    /// The symbol around it, by its qualified name.
    pub container: Option<String>,
    /// Whether it can be seen from outside its file or package.
    pub exported: bool,
    /// Symbols that call it.
    pub callers: usize,
    /// Symbols that it calls.
    pub callees: usize,
    /// Symbols that use it in any way.
    pub users: usize,
    /// What it owns.
    pub members: Vec<Definition>,
}

/// A name that nothing has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct NotFound {
    /// 1.
    pub schema_version: u32,
    /// The name.
    pub name: String,
    /// Names like it.
    pub suggestions: Vec<String>,
    /// Nothing.
    pub results: [u8; 0],
}

impl Definition {
    /// The answer's form of a definition.
    #[must_use]
    pub fn new(definition: navigate::Definition, edited: &Edited) -> Self {
        let navigate::Definition { repo, path, start_line, end_line, .. } = &definition;
        Self {
            location: Location::new(edited, repo, path, *start_line, *end_line),
            symbol_id: definition.symbol_id,
            name: definition.name,
            qualified_name: definition.qualified_name,
            kind: definition.kind.as_str(),
            signature: definition.signature,
            is_test: definition.is_test,
        }
    }

    /// The answer's form of several.
    #[must_use]
    pub fn list(definitions: Vec<navigate::Definition>, edited: &Edited) -> Vec<Self> {
        definitions.into_iter().map(|definition| Self::new(definition, edited)).collect()
    }
}

impl Definitions {
    pub(crate) fn new(named: navigate::NameMatches, truncated: bool, edited: &Edited) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            command: "definition",
            match_kind: named.match_kind.as_str(),
            results: Definition::list(named.definitions, edited),
            truncated,
        }
    }
}

impl Symbols {
    pub(crate) fn new(definitions: Vec<navigate::Definition>, truncated: bool, edited: &Edited) -> Self {
        let results = Definition::list(definitions, edited);
        Self { schema_version: SCHEMA_VERSION, command: "symbols", results, truncated }
    }
}

impl RelatedAnswer {
    pub(crate) fn new(
        definitions: Vec<navigate::Definition>,
        related: Vec<navigate::Related>,
        edited: &Edited,
    ) -> Self {
        let results = related.into_iter().map(|found| Related {
            association: found.association,
            via: found.via,
            edge: found.edge.0.as_str(),
            is_from_via: found.edge.1,
            definition: Definition::new(found.definition, edited),
        });
        Self {
            schema_version: SCHEMA_VERSION,
            command: "related",
            results: results.collect(),
            definitions: Definition::list(definitions, edited),
        }
    }
}

impl ReferencesAnswer {
    pub(crate) fn new(references: Vec<navigate::References>, truncated: bool, edited: &Edited) -> Self {
        let reference = |found: navigate::Reference| {
            let navigate::Reference { source, kind, line, column, text, resolution, confidence } = found;
            Reference {
                location: Location::new(edited, &source.repo, &source.path, line, line),
                column,
                text,
                kind: kind.as_str(),
                container: source.qualified_name,
                container_id: source.symbol_id,
                container_kind: source.kind.as_str(),
                resolution: resolution.as_str(),
                confidence,
                is_test: source.is_test,
            }
        };
        let results = references.into_iter().map(|of| ReferencesOf {
            definition: Definition::new(of.definition, edited),
            total: of.total,
            uses: of.uses.into_iter().map(reference).collect(),
        });
        Self { schema_version: SCHEMA_VERSION, command: "references", results: results.collect(), truncated }
    }
}

impl Hovers {
    pub(crate) fn new(hovers: Vec<navigate::Hover>, truncated: bool, edited: &Edited) -> Self {
        let results = hovers.into_iter().map(|hover| Hover {
            definition: Definition::new(hover.definition, edited),
            language: hover.language,
            doc: hover.doc,
            container: hover.container,
            exported: hover.exported,
            callers: hover.callers,
            callees: hover.callees,
            users: hover.users,
            members: Definition::list(hover.members, edited),
        });
        Self { schema_version: SCHEMA_VERSION, command: "hover", results: results.collect(), truncated }
    }
}

impl NotFound {
    pub(crate) fn new(name: &str, suggestions: Vec<String>) -> Self {
        Self { schema_version: SCHEMA_VERSION, name: name.to_owned(), suggestions, results: [] }
    }
}

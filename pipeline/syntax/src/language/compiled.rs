//! A language's queries, compiled once per process into one query with its captures resolved to
//! roles. Unknown captures and kinds are errors here, and a test compiles every language.

use std::str::FromStr;

use super::{Language, Queries};
use crate::extract::Mask;
use regex::Regex;
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_tree_query::{CompiledQuery, QueryError};

/// What a capture means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureRole {
    /// The extent of a definition.
    Symbol(Kind),
    /// The extent of a use.
    Reference(EdgeKind),
    /// A logic block.
    Block(Kind),
    /// A name, perhaps with a path in front.
    Name,
    /// A name that is taken as it stands.
    Verbatim,
    /// An owner or receiver.
    Owner,
    /// An extent that prefixes names inside.
    Scope,
    /// Documentation.
    Doc,
    /// A node before a symbol that belongs to it.
    Attribute,
    /// Visible from outside.
    Exported,
    /// The local name of an import.
    Alias,
    /// What follows a signature.
    Body,
    /// The parameters; their number belongs to the name.
    Arity,
    /// A piece of another language.
    Embedded,
    /// The name of that language.
    EmbeddedLanguage,
    /// A name that a parameter, a variable or the like binds inside a function.
    LocalBinding,
    /// A name whose type is said.
    TypedName,
    /// A name that is bound to the member of that name.
    Destructured,
    /// A member of the type around whose type is said.
    AssignedMember,
    /// A written type.
    Type,
    /// The value that a name has.
    Value,
    /// What a function returns.
    ReturnedValue,
    /// What the whole file is where another loads it.
    ModuleExports,
    /// What the file exports without a name.
    DefaultExport,
    /// Used by predicates only.
    PredicateOnly,
}

/// Why queries do not compile.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The text is no query of this grammar.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A capture is not in the vocabulary.
    #[error("unknown capture @{0}; docs/captures.md lists what there is")]
    Capture(String),
    /// A pattern of the row is no regular expression.
    #[error(transparent)]
    Regex(#[from] regex::Error),
    /// A `#set!` is not in the vocabulary.
    #[error("unknown setting '{0}'; docs/captures.md lists what there is")]
    Setting(String),
}

/// The compiled queries of a language.
#[derive(Debug)]
pub struct CompiledLanguage {
    /// All patterns in one list, so that a tree is walked once.
    pub patterns: CompiledQuery,
    roles: Vec<CaptureRole>,
    settings: Vec<PatternSettings>,
    fields: [Option<u16>; 4],
    parameters: Vec<bool>,
    comments: Vec<bool>,
    /// What is blanked before the parse.
    pub masks: Vec<Mask>,
    /// How lines that define something look, where the language says so itself.
    pub definition_patterns: Vec<(Kind, Regex)>,
    /// How what stands before a brace looks that opens something with a name.
    pub scope_patterns: Vec<(Kind, Regex)>,
}

/// Fields that mean the same in all grammars that have them.
#[derive(Clone, Copy, Debug)]
pub enum GrammarField {
    /// `body`
    Body,
    /// `value`
    Value,
    /// `right`
    Right,
    /// `definition`
    Definition,
}

/// What `#set!` says in a pattern.
#[derive(Clone, Debug, Default)]
pub struct PatternSettings {
    /// `embedded`: the language of the piece.
    pub embedded: Option<String>,
    /// `arity`: the number of parameters, where no node has them.
    pub arity: Option<u32>,
    /// `owner`: an owner that the language does not write.
    pub owner: Option<String>,
}

impl CompiledLanguage {
    /// Compiles the query texts for a language's grammar, and the patterns of its row.
    pub fn new(language: &Language, queries: &Queries) -> Result<Self, CompileError> {
        let grammar = &(language.grammar)();
        let masks =
            language.masks.iter().map(|&(pattern, quote, retry)| Ok(Mask { pattern: regex(pattern)?, quote, retry }));
        let kind_pattern = |&(kind, pattern): &(&str, &str)| match Kind::from_str(kind) {
            Ok(kind) if kind.is_symbol() => Ok((kind, regex(pattern)?)),
            _ => Err(CompileError::Capture(kind.to_owned())),
        };
        let mut source = String::new();
        for text in queries.all().into_iter().flatten() {
            source.push_str(text);
            source.push('\n');
        }
        let patterns = CompiledQuery::new(grammar, &source)?;
        let roles = patterns.capture_names().iter().map(|name| role(name)).collect::<Result<_, _>>()?;
        let settings = patterns.directives().iter().map(|set| parse_settings(set)).collect::<Result<_, _>>()?;
        let field = |name: &str| grammar.field_id_for_name(name).map(std::num::NonZeroU16::get);
        let kinds = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        let is_comment = |kind: u16| grammar.node_kind_for_id(kind).is_some_and(|name| name.contains("comment"));
        Ok(Self {
            patterns,
            roles,
            settings,
            fields: [field("body"), field("value"), field("right"), field("definition")],
            masks: masks.collect::<Result<_, CompileError>>()?,
            definition_patterns: language
                .definition_patterns
                .iter()
                .map(kind_pattern)
                .collect::<Result<_, CompileError>>()?,
            scope_patterns: language.scope_patterns.iter().map(kind_pattern).collect::<Result<_, CompileError>>()?,
            comments: (0..kinds).map(is_comment).collect(),
            parameters: (0..kinds).map(|kind| grammar.node_kind_is_named(kind) && !is_comment(kind)).collect(),
        })
    }

    /// The number of a field in this grammar.
    #[must_use]
    pub fn field(&self, field: GrammarField) -> Option<u16> {
        self.fields[field as usize]
    }

    /// Whether nodes of this kind are comments.
    #[must_use]
    pub fn is_comment(&self, kind: u16) -> bool {
        self.comments.get(usize::from(kind)).copied().unwrap_or(false)
    }

    /// Whether a node of this kind counts as a parameter: named, and no comment.
    #[must_use]
    pub fn is_parameter(&self, kind: u16) -> bool {
        self.parameters.get(usize::from(kind)).copied().unwrap_or(false)
    }

    /// What a capture means.
    #[must_use]
    pub fn role(&self, capture: u16) -> CaptureRole {
        self.roles[usize::from(capture)]
    }

    /// What a pattern sets.
    #[must_use]
    pub fn settings(&self, pattern: usize) -> &PatternSettings {
        &self.settings[pattern]
    }
}

fn regex(pattern: &str) -> Result<Regex, regex::Error> {
    regex::RegexBuilder::new(pattern).case_insensitive(true).multi_line(true).build()
}

fn parse_settings(set: &[(String, String)]) -> Result<PatternSettings, CompileError> {
    let mut settings = PatternSettings::default();
    for (key, value) in set {
        match (key.as_str(), value.parse()) {
            ("embedded", _) => settings.embedded = Some(value.clone()),
            ("owner", _) => settings.owner = Some(value.clone()),
            ("arity", Ok(arity)) => settings.arity = Some(arity),
            _ => return Err(CompileError::Setting(format!("{key} {value}"))),
        }
    }
    Ok(settings)
}

fn role(name: &str) -> Result<CaptureRole, CompileError> {
    let unknown = || CompileError::Capture(name.to_owned());
    if name.starts_with('_') {
        return Ok(CaptureRole::PredicateOnly);
    }
    if let Some((what, kind)) = name.split_once('.') {
        return match what {
            "embedded" if kind == "language" => Ok(CaptureRole::EmbeddedLanguage),
            "symbol" => match Kind::from_str(kind) {
                Ok(kind) if kind.is_symbol() => Ok(CaptureRole::Symbol(kind)),
                _ => Err(unknown()),
            },
            "block" => match Kind::from_str(kind) {
                Ok(kind) if kind.is_block() => Ok(CaptureRole::Block(kind)),
                _ => Err(unknown()),
            },
            "ref" => match EdgeKind::from_str(kind) {
                Ok(kind) if kind.is_use() => Ok(CaptureRole::Reference(kind)),
                _ => Err(unknown()),
            },
            _ => Err(unknown()),
        };
    }
    match name {
        "name" => Ok(CaptureRole::Name),
        "verbatim" => Ok(CaptureRole::Verbatim),
        "body" => Ok(CaptureRole::Body),
        "arity" => Ok(CaptureRole::Arity),
        "embedded" => Ok(CaptureRole::Embedded),
        "owner" => Ok(CaptureRole::Owner),
        "scope" => Ok(CaptureRole::Scope),
        "doc" => Ok(CaptureRole::Doc),
        "attribute" => Ok(CaptureRole::Attribute),
        "exported" => Ok(CaptureRole::Exported),
        "local" => Ok(CaptureRole::LocalBinding),
        "typed" => Ok(CaptureRole::TypedName),
        "destructured" => Ok(CaptureRole::Destructured),
        "member" => Ok(CaptureRole::AssignedMember),
        "type" => Ok(CaptureRole::Type),
        "value" => Ok(CaptureRole::Value),
        "returns" => Ok(CaptureRole::ReturnedValue),
        "module_exports" => Ok(CaptureRole::ModuleExports),
        "default_export" => Ok(CaptureRole::DefaultExport),
        "alias" => Ok(CaptureRole::Alias),
        _ => Err(unknown()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_captures_are_refused() {
        let rust = crate::language::by_name("rust").unwrap();
        let compile = |text: &'static str| {
            CompiledLanguage::new(rust, &Queries { symbols: Box::leak(Box::new([text])), ..Queries::NONE })
        };
        assert!(compile("(function_item name: (_) @name) @symbol.function").is_ok());
        assert!(matches!(compile("(function_item) @symbol.gadget"), Err(CompileError::Capture(_))));
        assert!(matches!(compile("(function_item) @block.function"), Err(CompileError::Capture(_))));
        assert!(matches!(compile("(function_item) @naem"), Err(CompileError::Capture(_))));
        assert!(matches!(compile("(function_itm) @name"), Err(CompileError::Query(_))));
    }
}

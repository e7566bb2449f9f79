//! Compiles a language's queries, once per process, into one query whose captures are resolved to
//! roles. Unknown captures and kinds are errors; a test compiles every language.

use std::str::FromStr;

use super::mask::{Mask, Replacement};
use super::queries::Queries;
use regex::Regex;
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_tree_query::{CompiledQuery, QueryError};

/// What the arguments of a macro are taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MacroCode {
    /// Definitions between braces: `cfg_rt! { pub struct A; }`.
    Items,
    /// Expressions or statements: `println!("{}", a.b())`, `select! { a = b() => c() }`.
    Expressions,
    /// Arguments of which one may name a definition: `handler!(get, GET);`.
    Named,
    /// A macro's own definition, by which its invocations may define something.
    Rules,
}

/// What a node is in a call, or in a function that is passed to one. Grammars name these nodes alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallNode {
    /// A block after the arguments, which is one of them in some languages.
    Block,
    /// The call of a function.
    Call,
    /// The arguments between parentheses.
    List,
    /// What follows the name of a called function: a list, functions, or both.
    Suffix,
    /// One argument, possibly with a label.
    Argument,
    /// A function without a name, or a reference to one.
    Function,
    /// Type arguments.
    TypeArguments,
    /// The parameters of a function without a name.
    Parameters,
    /// Its only parameter.
    Parameter,
    /// What takes a value apart.
    Pattern,
    /// A name in a pattern that is the name of a member, too.
    PatternField,
    /// A member of an object that is written, with its name.
    Entry,
}

/// What a node is for the names that are bound in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScopeNode {
    /// A block, or a statement whose head binds names for it.
    Block,
    /// A function without a name.
    Lambda,
    /// A comprehension, which uses names before it binds them.
    Comprehension,
    /// What assigns a value to a variable.
    Assignment,
    /// What declares a variable.
    Declaration,
}

impl ScopeNode {
    /// The meaning of a node's kind. Where blocks have parameters, they are lambdas.
    fn of_kind(name: &str, blocks_have_parameters: bool) -> Option<Self> {
        let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
        if has(&["parameter", "argument", "type", "specifier", "capture"]) {
            return None;
        }
        if has(&["comprehension", "generator_expression"]) {
            return Some(Self::Comprehension);
        }
        let is_block = name == "block" || name.ends_with("_block");
        if has(&[
            "lambda",
            "closure",
            "arrow_function",
            "function_expression",
            "anonymous_function",
            "anonymous_method",
            "func_literal",
            "function_literal",
        ]) || is_block && blocks_have_parameters
        {
            return Some(Self::Lambda);
        }
        let is_of_block = is_block
            || matches!(name, "statements" | "then" | "else" | "when" | "for" | "compound_statement" | "rescue")
            || ["for_", "foreach_", "while_", "if_", "switch_", "using_statement"]
                .iter()
                .any(|start| name.starts_with(start))
            || has(&[
                "enhanced_for",
                "match_arm",
                "when_entry",
                "case_clause",
                "_case",
                "catch_clause",
                "except_clause",
            ])
            || matches!(
                name,
                "control_structure_body" | "try_with_resources_statement" | "elif_clause" | "else_clause"
            );
        if is_of_block {
            return Some(Self::Block);
        }
        if has(&["function", "method", "constructor", "class", "interface", "struct", "enum"]) {
            return None;
        }
        if has(&["declaration", "declarator", "let_"]) {
            return Some(Self::Declaration);
        }
        name.contains("assignment").then_some(Self::Assignment)
    }
}

impl CallNode {
    fn of_kind(name: &str) -> Option<Self> {
        Some(match name {
            "argument_list" | "arguments" | "value_arguments" => Self::List,
            "call_suffix" => Self::Suffix,
            "argument" | "value_argument" => Self::Argument,
            "do_block" => Self::Block,
            "type_arguments" | "type_argument_list" | "template_argument_list" => Self::TypeArguments,
            "lambda_expression"
            | "lambda_literal"
            | "annotated_lambda"
            | "method_reference"
            | "callable_reference"
            | "anonymous_function"
            | "anonymous_method_expression"
            | "arrow_function"
            | "function_expression"
            | "closure_expression"
            | "func_literal" => Self::Function,
            "call_expression"
            | "invocation_expression"
            | "method_invocation"
            | "new_expression"
            | "object_creation_expression" => Self::Call,
            "formal_parameters"
            | "formal_parameter_list"
            | "parameter_list"
            | "lambda_parameters"
            | "closure_parameters"
            | "inferred_parameters"
            | "bindings"
            | "lambda_function_type_parameters" => Self::Parameters,
            "implicit_parameter" => Self::Parameter,
            "shorthand_property_identifier_pattern" => Self::PatternField,
            "reference_pattern" | "mut_pattern" => return None,
            "pair" => Self::Entry,
            "multi_variable_declaration" => Self::Pattern,
            _ if name.ends_with("_pattern") => Self::Pattern,
            _ => return None,
        })
    }
}

/// The role of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptureRole {
    /// The extent of a definition.
    Symbol(Kind),
    /// The extent of a use.
    Reference(EdgeKind),
    /// A logic block.
    Block(Kind),
    /// A name, possibly qualified.
    Name,
    /// A name that is used verbatim.
    Verbatim,
    /// An owner or receiver.
    Owner,
    /// An extent whose name qualifies the names inside it.
    Scope,
    /// Documentation.
    Doc,
    /// A node directly before a symbol that belongs to it.
    Attribute,
    /// Marks a symbol as visible outside its file or package.
    Exported,
    /// The local name of an import.
    Alias,
    /// The part after the signature.
    Body,
    /// The parameters, whose number becomes part of the qualified name.
    Arity,
    /// Text in an embedded language.
    Embedded,
    /// The name of the embedded language.
    EmbeddedLanguage,
    /// The arguments of a macro, which are only tokens in the tree, but code in the text.
    Code(MacroCode),
    /// A name bound inside a function, by a parameter, a variable or the like.
    LocalBinding,
    /// The name of a type that a function binds, by a type parameter.
    LocalType,
    /// A name with a declared type or a value.
    TypedName,
    /// A name bound to the member of the same name, by destructuring.
    Destructured,
    /// A name bound to the part of a type at its place, by destructuring.
    DestructuredPart,
    /// A member of the enclosing type that is declared only by assignment.
    AssignedMember,
    /// A declared type.
    Type,
    /// The value of a name.
    Value,
    /// What a name runs over: its values are the elements.
    Iterated,
    /// A context manager: the value of the name is what it gives.
    Entered,
    /// What a name has an entry of: its value is one by index or key.
    Subscripted,
    /// What a name has a part of, by its place in the pattern.
    Unpacked,
    /// What a loop runs over whose elements a pattern takes apart: the value of the name is a part of them, by its place.
    IteratedParts,
    /// The type of a member that has a number instead of a name.
    PositionalMember,
    /// A name that an expression compares with a type.
    Narrowed,
    /// The members of an object of a type without a name.
    ObjectBody,
    /// An expression that begins with a member of the type which its place expects.
    Expected,
    /// An expression that the enclosing function returns.
    ReturnedValue,
    /// The value of the module as a whole (`module.exports = f`).
    ModuleExports,
    /// The unnamed export of the module (`export default f`).
    DefaultExport,
    /// How objects of the enclosing type are called.
    CallSignature,
    /// A function that is passed to a call, and has a `this` of its own.
    LambdaReceiver,
    /// Used by predicates only.
    PredicateOnly,
}

/// An error in a language's queries or patterns.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The text is not a query of this grammar.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A capture or kind is not in the vocabulary.
    #[error("unknown capture @{0}; docs/captures.md lists all of them")]
    Capture(String),
    /// A pattern of the row is not a regular expression.
    #[error(transparent)]
    Regex(#[from] regex::Error),
    /// A `#set!` key is not in the vocabulary, or its value is invalid.
    #[error("unknown setting '{0}'; docs/captures.md lists all of them")]
    Setting(String),
}

/// The compiled queries of a language.
#[derive(Debug)]
pub struct CompiledLanguage {
    /// All patterns in one query, so that a tree is walked once.
    pub patterns: CompiledQuery,
    roles: Vec<CaptureRole>,
    settings: Vec<PatternSettings>,
    fields: [Option<u16>; 5],
    parameters: Vec<bool>,
    comments: Vec<bool>,
    arguments: Vec<Option<CallNode>>,
    /// What nodes of each kind are for the names in them.
    scopes: Vec<Option<ScopeNode>>,
    /// The masks that blank text before the parse.
    pub masks: Vec<Mask>,
    /// The row's patterns of lines that define a symbol; general patterns are used if there are none.
    pub definition_patterns: Vec<(Kind, Regex)>,
    /// Patterns of the text before the opening brace of a named scope.
    pub scope_patterns: Vec<(Kind, Regex)>,
}

/// The fields of a language's row that are patterns, not yet compiled.
pub(super) struct RowPatterns {
    pub(super) masks: &'static [(&'static str, Replacement, bool)],
    pub(super) definition_patterns: &'static [(&'static str, &'static str)],
    pub(super) scope_patterns: &'static [(&'static str, &'static str)],
}

/// Grammar fields that have the same meaning in every grammar.
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
    /// `condition`
    Condition,
}

/// The `#set!` directives of a pattern.
#[derive(Clone, Debug, Default)]
pub struct PatternSettings {
    /// `embedded`: the embedded language.
    pub embedded: Option<String>,
    /// `arity`: the number of parameters, if no node contains them.
    pub arity: Option<u32>,
    /// `owner`: an owner that is implicit in the language.
    pub owner: Option<String>,
    /// `typed`: a name that a call binds without writing it.
    pub typed: Option<String>,
}

impl CompiledLanguage {
    /// Compiles queries for a grammar, and the patterns of a row.
    pub(super) fn compile(
        grammar: &tree_sitter::Language,
        queries: &Queries,
        row: &RowPatterns,
    ) -> Result<Self, CompileError> {
        let masks = row
            .masks
            .iter()
            .map(|&(pattern, replacement, retry)| Ok(Mask { pattern: regex(pattern)?, replacement, retry }));
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
        let blocks_have_parameters = grammar.id_for_node_kind("block_parameters", true) != 0;
        let is_comment = |kind: u16| grammar.node_kind_for_id(kind).is_some_and(|name| name.contains("comment"));
        Ok(Self {
            patterns,
            roles,
            settings,
            fields: ["body", "value", "right", "definition", "condition"].map(field),
            masks: masks.collect::<Result<_, CompileError>>()?,
            definition_patterns: row
                .definition_patterns
                .iter()
                .map(kind_pattern)
                .collect::<Result<_, CompileError>>()?,
            scope_patterns: row.scope_patterns.iter().map(kind_pattern).collect::<Result<_, CompileError>>()?,
            comments: (0..kinds).map(is_comment).collect(),
            arguments: (0..kinds).map(|kind| grammar.node_kind_for_id(kind).and_then(CallNode::of_kind)).collect(),
            scopes: (0..kinds)
                .map(|kind| {
                    let name = grammar.node_kind_for_id(kind).filter(|_| grammar.node_kind_is_named(kind))?;
                    ScopeNode::of_kind(name, blocks_have_parameters)
                })
                .collect(),
            parameters: (0..kinds).map(|kind| grammar.node_kind_is_named(kind) && !is_comment(kind)).collect(),
        })
    }

    /// The field's id in this grammar, if it has the field.
    #[must_use]
    pub fn field(&self, field: GrammarField) -> Option<u16> {
        self.fields[field as usize]
    }

    /// Whether nodes of this kind are comments.
    #[must_use]
    pub fn is_comment(&self, kind: u16) -> bool {
        self.comments.get(usize::from(kind)).copied().unwrap_or(false)
    }

    /// Whether a node of this kind counts as a parameter: it is named and not a comment.
    #[must_use]
    pub fn is_parameter(&self, kind: u16) -> bool {
        self.parameters.get(usize::from(kind)).copied().unwrap_or(false)
    }

    /// What nodes of this kind are in a call, if anything.
    #[must_use]
    pub fn call_node(&self, kind: u16) -> Option<CallNode> {
        self.arguments.get(usize::from(kind)).copied().flatten()
    }

    /// What nodes of this kind are for the names that are bound in them, if anything.
    #[must_use]
    pub fn scope_node(&self, kind: u16) -> Option<ScopeNode> {
        self.scopes.get(usize::from(kind)).copied().flatten()
    }

    /// The role of a capture.
    #[must_use]
    pub fn role(&self, capture: u16) -> CaptureRole {
        self.roles[usize::from(capture)]
    }

    /// The settings of a pattern.
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
            ("typed", _) => settings.typed = Some(value.clone()),
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
    if let Some((group, kind)) = name.split_once('.') {
        return match group {
            "embedded" if kind == "language" => Ok(CaptureRole::EmbeddedLanguage),
            "code" if kind == "items" => Ok(CaptureRole::Code(MacroCode::Items)),
            "code" if kind == "named" => Ok(CaptureRole::Code(MacroCode::Named)),
            "code" if kind == "rules" => Ok(CaptureRole::Code(MacroCode::Rules)),
            "code" if kind == "expressions" => Ok(CaptureRole::Code(MacroCode::Expressions)),
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
        "local_type" => Ok(CaptureRole::LocalType),
        "typed" => Ok(CaptureRole::TypedName),
        "destructured" => Ok(CaptureRole::Destructured),
        "destructured_part" => Ok(CaptureRole::DestructuredPart),
        "member" => Ok(CaptureRole::AssignedMember),
        "type" => Ok(CaptureRole::Type),
        "value" => Ok(CaptureRole::Value),
        "iterated" => Ok(CaptureRole::Iterated),
        "entered" => Ok(CaptureRole::Entered),
        "subscripted" => Ok(CaptureRole::Subscripted),
        "unpacked" => Ok(CaptureRole::Unpacked),
        "iterated_parts" => Ok(CaptureRole::IteratedParts),
        "positional" => Ok(CaptureRole::PositionalMember),
        "narrowed" => Ok(CaptureRole::Narrowed),
        "object_body" => Ok(CaptureRole::ObjectBody),
        "expected" => Ok(CaptureRole::Expected),
        "returns" => Ok(CaptureRole::ReturnedValue),
        "module_exports" => Ok(CaptureRole::ModuleExports),
        "lambda_receiver" => Ok(CaptureRole::LambdaReceiver),
        "call_signature" => Ok(CaptureRole::CallSignature),
        "default_export" => Ok(CaptureRole::DefaultExport),
        "alias" => Ok(CaptureRole::Alias),
        _ => Err(unknown()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_captures_are_rejected() {
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

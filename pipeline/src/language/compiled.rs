//! A language's queries, compiled once per process into one query with its captures resolved to
//! roles. Unknown captures and kinds are errors here, and a test compiles every language.

use std::str::FromStr;

use sextant_formats::kinds::{EdgeKind, Kind};
use tree_sitter::Query;

use super::Queries;

/// What a capture means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The extent of a definition.
    Symbol(Kind),
    /// The extent of a use.
    Reference(EdgeKind),
    /// A logic block.
    Block(Kind),
    /// A name.
    Name,
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
    /// Used by predicates only.
    Private,
}

/// Which of the three query files a pattern stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// `symbols.scm`
    Symbols,
    /// `references.scm`
    References,
    /// `blocks.scm`
    Blocks,
}

/// Why queries do not compile.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// tree-sitter does not accept the text.
    #[error(transparent)]
    Query(#[from] tree_sitter::QueryError),
    /// A capture is not in the vocabulary.
    #[error("unknown capture @{0}; docs/captures.md lists what there is")]
    Capture(String),
}

/// The compiled queries of a language.
#[derive(Debug)]
pub struct Compiled {
    /// All patterns in one query, so that a tree is walked once.
    pub query: Query,
    roles: Vec<Role>,
    groups: Vec<Group>,
}

impl Compiled {
    /// Compiles the query texts for a grammar.
    pub fn new(grammar: &tree_sitter::Language, queries: &Queries) -> Result<Self, CompileError> {
        let mut source = String::new();
        let mut borders = Vec::new();
        for (group, texts) in [
            (Group::Symbols, queries.symbols),
            (Group::References, queries.references),
            (Group::Blocks, queries.blocks),
        ] {
            for text in texts {
                source.push_str(text);
                source.push('\n');
            }
            borders.push((source.len(), group));
        }
        let query = Query::new(grammar, &source)?;
        let roles = query.capture_names().iter().map(|name| role(name)).collect::<Result<_, _>>()?;
        let groups = (0..query.pattern_count())
            .map(|pattern| {
                let start = query.start_byte_for_pattern(pattern);
                borders.iter().find(|(end, _)| start < *end).map_or(Group::Blocks, |(_, group)| *group)
            })
            .collect();
        Ok(Self { query, roles, groups })
    }

    /// What a capture means.
    #[must_use]
    pub fn role(&self, capture: u32) -> Role {
        self.roles[capture as usize]
    }

    /// Which file a pattern stands in.
    #[must_use]
    pub fn group(&self, pattern: usize) -> Group {
        self.groups[pattern]
    }
}

fn role(name: &str) -> Result<Role, CompileError> {
    let unknown = || CompileError::Capture(name.to_owned());
    if name.starts_with('_') {
        return Ok(Role::Private);
    }
    if let Some((what, kind)) = name.split_once('.') {
        return match what {
            "symbol" => match Kind::from_str(kind) {
                Ok(kind) if kind.is_symbol() => Ok(Role::Symbol(kind)),
                _ => Err(unknown()),
            },
            "block" => match Kind::from_str(kind) {
                Ok(kind) if kind.is_block() => Ok(Role::Block(kind)),
                _ => Err(unknown()),
            },
            "ref" => EdgeKind::from_str(kind).map(Role::Reference).map_err(|_| unknown()),
            _ => Err(unknown()),
        };
    }
    match name {
        "name" => Ok(Role::Name),
        "owner" => Ok(Role::Owner),
        "scope" => Ok(Role::Scope),
        "doc" => Ok(Role::Doc),
        "attribute" => Ok(Role::Attribute),
        "exported" => Ok(Role::Exported),
        "alias" => Ok(Role::Alias),
        _ => Err(unknown()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_captures_are_refused() {
        let grammar = tree_sitter_rust::LANGUAGE.into();
        let with = |text: &'static str| {
            Compiled::new(&grammar, &Queries { symbols: Box::leak(Box::new([text])), references: &[], blocks: &[] })
        };
        assert!(with("(function_item name: (_) @name) @symbol.function").is_ok());
        assert!(matches!(with("(function_item) @symbol.gadget"), Err(CompileError::Capture(_))));
        assert!(matches!(with("(function_item) @block.function"), Err(CompileError::Capture(_))));
        assert!(matches!(with("(function_item) @naem"), Err(CompileError::Capture(_))));
        assert!(matches!(with("(function_itm) @name"), Err(CompileError::Query(_))));
    }
}

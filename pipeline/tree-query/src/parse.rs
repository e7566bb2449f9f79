//! Parses the text of a query. Names of kinds, fields and captures are not resolved yet.

use super::error::QueryError;

/// How often a part may occur: exactly once, `?`, `*`, `+`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quantifier {
    One,
    Optional,
    Any,
    Some,
}

/// One part of a pattern.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) line: usize,
    pub(crate) field: Option<String>,
    pub(crate) item: Item,
    pub(crate) quantifier: Quantifier,
    pub(crate) captures: Vec<String>,
    /// Preceded by `.`: no named node may lie between this part and the previous one.
    pub(crate) anchored: bool,
}

/// The content of a part.
#[derive(Debug)]
pub(crate) enum Item {
    /// `(kind ...)`; `_` for any named kind.
    Node { kind: String, parts: Vec<Part>, negated_fields: Vec<String>, ends_anchored: bool },
    /// `"text"`
    Anonymous(String),
    /// `_`
    Any,
    /// `[...]`
    Choice(Vec<Part>),
    /// `(... ...)`
    Group { parts: Vec<Part>, ends_anchored: bool },
}

/// An argument of a predicate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    Capture(String),
    Text(String),
}

/// `(#name ...)`
#[derive(Debug)]
pub(crate) struct Predicate {
    pub(crate) line: usize,
    pub(crate) name: String,
    pub(crate) arguments: Vec<Argument>,
}

/// A pattern with its predicates.
#[derive(Debug)]
pub(crate) struct ParsedPattern {
    pub(crate) part: Part,
    pub(crate) predicates: Vec<Predicate>,
}

/// Parses all patterns of a query text.
///
/// # Errors
/// The text is not a query.
pub(crate) fn parse_patterns(text: &str) -> Result<Vec<ParsedPattern>, QueryError> {
    let mut parser = QueryParser { text, at: 0, line: 1, predicates: Vec::new() };
    let mut patterns = Vec::new();
    loop {
        parser.skip_space();
        if parser.peek().is_none() {
            return Ok(patterns);
        }
        let part = parser.part(false)?;
        patterns.push(ParsedPattern { part, predicates: std::mem::take(&mut parser.predicates) });
    }
}

struct QueryParser<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    /// Predicates of the current pattern, collected at any depth.
    predicates: Vec<Predicate>,
}

/// The parts between two brackets.
struct List {
    parts: Vec<Part>,
    negated_fields: Vec<String>,
    ends_anchored: bool,
}

impl QueryParser<'_> {
    fn error<T>(&self, message: impl Into<String>) -> Result<T, QueryError> {
        Err(QueryError { message: message.into(), line: self.line })
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn bump(&mut self) {
        if let Some(c) = self.peek() {
            self.at += c.len_utf8();
            self.line += usize::from(c == '\n');
        }
    }

    fn skip_space(&mut self) {
        while let Some(c) = self.peek() {
            if c == ';' {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.bump();
                }
            } else if c.is_whitespace() {
                self.bump();
            } else {
                return;
            }
        }
    }

    /// A predicate's name: `eq?`, `not-match?`, `set!`.
    fn predicate_name(&mut self) -> String {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '?' | '!')) {
            self.bump();
        }
        self.text[start..self.at].to_owned()
    }

    /// The name of a kind or a field, without `?`, `!` or `.`.
    fn name(&mut self) -> String {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_alphanumeric() || c == '_') {
            self.bump();
        }
        self.text[start..self.at].to_owned()
    }

    fn capture(&mut self) -> String {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-')) {
            self.bump();
        }
        self.text[start..self.at].to_owned()
    }

    fn string(&mut self) -> Result<String, QueryError> {
        let mut out = String::new();
        self.bump();
        while let Some(c) = self.peek() {
            self.bump();
            match c {
                '"' => return Ok(out),
                '\\' => {
                    let escaped = self.peek();
                    self.bump();
                    match escaped {
                        Some('n') => out.push('\n'),
                        Some('t') => out.push('\t'),
                        Some('r') => out.push('\r'),
                        Some('0') => out.push('\0'),
                        Some(c) => out.push(c),
                        None => break,
                    }
                }
                c => out.push(c),
            }
        }
        self.error("unterminated string")
    }

    /// Whether a name with a colon follows.
    fn is_at_field(&self) -> bool {
        let rest = &self.text[self.at..];
        let name = rest.len() - rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_').len();
        name > 0 && rest[name..].starts_with(':')
    }

    fn part(&mut self, anchored: bool) -> Result<Part, QueryError> {
        self.skip_space();
        let line = self.line;
        let mut field = None;
        if self.is_at_field() {
            field = Some(self.name());
            self.bump();
            self.skip_space();
        }
        let item = match self.peek() {
            Some('(') => self.parenthesis()?,
            Some('[') => {
                self.bump();
                Item::Choice(self.list(']')?.parts)
            }
            Some('"') => Item::Anonymous(self.string()?),
            Some('_') => {
                self.bump();
                Item::Any
            }
            Some(c) => return self.error(format!("unexpected '{c}'")),
            None => return self.error("unexpected end of text in a pattern"),
        };
        let mut part = Part { line, field, item, quantifier: Quantifier::One, captures: Vec::new(), anchored };
        loop {
            self.skip_space();
            match self.peek() {
                Some('@') => {
                    self.bump();
                    part.captures.push(self.capture());
                }
                Some(c @ ('?' | '*' | '+')) => {
                    self.bump();
                    part.quantifier = match c {
                        '?' => Quantifier::Optional,
                        '*' => Quantifier::Any,
                        _ => Quantifier::Some,
                    };
                }
                _ => return Ok(part),
            }
        }
    }

    fn parenthesis(&mut self) -> Result<Item, QueryError> {
        self.bump();
        self.skip_space();
        let is_kind = self.peek().is_some_and(|c| c.is_alphabetic() || c == '_') && !self.is_at_field();
        if !is_kind {
            let list = self.list(')')?;
            if !list.negated_fields.is_empty() {
                return self.error("a group cannot negate a field");
            }
            return Ok(Item::Group { parts: list.parts, ends_anchored: list.ends_anchored });
        }
        let kind = self.name();
        if self.peek() == Some('/') {
            return self.error(
                "(supertype/kind) is not supported: use the field, as in `type: (identifier) @name`, or the \
                 ancestors, as in (#not-has-ancestor? @name pattern)",
            );
        }
        let list = self.list(')')?;
        Ok(Item::Node {
            kind,
            parts: list.parts,
            negated_fields: list.negated_fields,
            ends_anchored: list.ends_anchored,
        })
    }

    fn list(&mut self, close: char) -> Result<List, QueryError> {
        let mut list = List { parts: Vec::new(), negated_fields: Vec::new(), ends_anchored: false };
        let mut anchored = false;
        loop {
            self.skip_space();
            match self.peek() {
                Some(c) if c == close => {
                    self.bump();
                    list.ends_anchored = anchored;
                    return Ok(list);
                }
                Some('.') => {
                    self.bump();
                    anchored = true;
                }
                Some('!') => {
                    self.bump();
                    let field = self.name();
                    list.negated_fields.push(field);
                }
                Some('(') if self.is_at_predicate() => self.predicate()?,
                Some(_) => {
                    list.parts.push(self.part(anchored)?);
                    anchored = false;
                }
                None => return self.error("unexpected end of text in a pattern"),
            }
        }
    }

    fn is_at_predicate(&self) -> bool {
        self.text[self.at + 1..].trim_start().starts_with('#')
    }

    fn predicate(&mut self) -> Result<(), QueryError> {
        self.bump();
        self.skip_space();
        self.bump();
        let line = self.line;
        let name = self.predicate_name();
        let mut arguments = Vec::new();
        loop {
            self.skip_space();
            match self.peek() {
                Some(')') => {
                    self.bump();
                    self.predicates.push(Predicate { line, name, arguments });
                    return Ok(());
                }
                Some('@') => {
                    self.bump();
                    arguments.push(Argument::Capture(self.capture()));
                }
                Some('"') => arguments.push(Argument::Text(self.string()?)),
                Some(_) => {
                    let start = self.at;
                    while self.peek().is_some_and(|c| !c.is_whitespace() && c != ')') {
                        self.bump();
                    }
                    arguments.push(Argument::Text(self.text[start..self.at].to_owned()));
                }
                None => return self.error("unexpected end of text in a predicate"),
            }
        }
    }
}

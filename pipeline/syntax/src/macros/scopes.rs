//! In which kind of scope a token stands, without a parse. Must not know macros.

use super::tokens::{Token, TokenKind};

/// The kind of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// The file, a namespace or `extern "C"`.
    File,
    /// A struct, a union or a class.
    Type,
    /// A body, an initializer or an enum.
    Code,
}

/// Follows braces and conditionals, token by token.
#[derive(Default)]
pub(crate) struct ScopeTracker {
    stack: Vec<Scope>,
    /// The name of the last type that a brace opened, as a token.
    opened_type: Option<usize>,
    /// The stack at each open `#if`.
    at_conditionals: Vec<Vec<Scope>>,
    parentheses: usize,
    /// The first token of the statement.
    statement: usize,
}

/// Words that may stand before the use of a macro that defines something.
const STORAGE: &[&str] = &["static", "extern", "const", "inline", "volatile", "__extension__", "constexpr", "virtual"];

/// Nested deeper than this, no code is.
const MAX_DEPTH: usize = 1_000;

impl ScopeTracker {
    /// The scope of the next token.
    pub(crate) fn scope(&self) -> Scope {
        self.stack.last().copied().unwrap_or(Scope::File)
    }

    /// Whether the next token stands between parentheses.
    const fn is_in_parentheses(&self) -> bool {
        self.parentheses > 0
    }

    /// Whether the token at `at` begins a definition: at most words of which `is_specifier` holds precede it in its
    /// statement, or the use of a macro that ended with its line.
    pub(crate) fn begins_definition(
        &self,
        text: &str,
        tokens: &[Token],
        at: usize,
        is_specifier: impl Fn(&str) -> bool,
    ) -> bool {
        let begins_line = || {
            let line = text[..tokens[at].start].rsplit('\n').next().unwrap_or("");
            line.trim_start().is_empty()
        };
        let is_specifier = |word: &str| STORAGE.contains(&word) || is_specifier(word);
        self.scope() != Scope::Code
            && !self.is_in_parentheses()
            && tokens.get(at + 1).is_some_and(|next| next.text(text) == "(")
            && (tokens[self.statement.min(at)..at].iter().all(|before| is_specifier(before.text(text)))
                || at > 0 && tokens[at - 1].text(text) == ")" && begins_line())
    }

    /// The token of the name of the type around the next token; `None` outside of types and after a type inside.
    pub(crate) fn type_name(&self) -> Option<usize> {
        self.opened_type.filter(|_| self.scope() == Scope::Type)
    }

    /// Whether the token at `at` may stand for members of a type: it has its line for itself.
    pub(crate) fn stands_for_members(&self, text: &str, tokens: &[Token], at: usize) -> bool {
        if self.scope() != Scope::Type || self.is_in_parentheses() {
            return false;
        }
        let Token { start, end, .. } = tokens[at];
        let before = text[..start].rsplit('\n').next().unwrap_or("");
        let after = text[end..].split('\n').next().unwrap_or("").trim();
        before.trim_start().is_empty()
            && (after.is_empty() || after == ";" || after.starts_with("/*") || after.starts_with("//"))
    }

    /// Says that what follows token `at` is a new statement: a macro's use may end without a semicolon.
    pub(crate) const fn begin_statement(&mut self, at: usize) {
        self.statement = at;
    }

    /// Goes past the token at `at`.
    pub(crate) fn step(&mut self, text: &str, tokens: &[Token], at: usize) {
        let token = tokens[at];
        if matches!(token.kind, TokenKind::Identifier | TokenKind::Number | TokenKind::Literal) {
            return;
        }
        match (token.kind, token.text(text)) {
            (TokenKind::Directive, directive) => {
                self.follow(directive);
                // A conditional may split a statement.
                if self.statement == at {
                    self.statement = at + 1;
                }
            }
            (_, "(") => self.parentheses += 1,
            (_, ")") => self.parentheses = self.parentheses.saturating_sub(1),
            (_, "{") => {
                let scope = self.opened(text, &tokens[self.statement.min(at)..at]);
                if scope == Scope::Type {
                    self.opened_type = type_name(text, tokens, self.statement.min(at)..at);
                }
                if self.stack.len() < MAX_DEPTH {
                    self.stack.push(scope);
                }
                (self.statement, self.parentheses) = (at + 1, 0);
            }
            (_, "}") => {
                if self.scope() == Scope::Type {
                    self.opened_type = None;
                }
                // In the first column, whatever is open ends but namespaces.
                let begins_line = token.start == 0 || text.as_bytes().get(token.start - 1) == Some(&b'\n');
                match self.stack.iter().position(|&scope| scope != Scope::File).filter(|_| begins_line) {
                    Some(outermost) => self.stack.truncate(outermost),
                    None => drop(self.stack.pop()),
                }
                (self.statement, self.parentheses) = (at + 1, 0);
            }
            (_, ";") if self.parentheses == 0 => self.statement = at + 1,
            (_, ":") if self.scope() == Scope::Type && at == self.statement + 1 => self.statement = at + 1,
            _ => {}
        }
    }

    /// The alternatives of a conditional begin in the same scope.
    fn follow(&mut self, directive: &str) {
        let word = directive.trim_start_matches(['#', ' ', '\t']);
        if word.starts_with("if") {
            if self.at_conditionals.len() < MAX_DEPTH {
                self.at_conditionals.push(self.stack.clone());
            }
        } else if word.starts_with("el") {
            if let Some(stack) = self.at_conditionals.last() {
                self.stack.clone_from(stack);
            }
        } else if word.starts_with("endif") {
            self.at_conditionals.pop();
        }
    }

    /// The scope that a brace after these tokens of its statement opens.
    fn opened(&self, text: &str, statement: &[Token]) -> Scope {
        if self.parentheses > 0 || self.scope() == Scope::Code {
            return Scope::Code;
        }
        // A macro may stand before the head without a semicolon.
        let is_head = |token: &Token| matches!(token.text(text), "class" | "struct" | "union" | "namespace" | "extern");
        let Some(start) = statement.iter().rposition(is_head) else { return Scope::Code };
        let words = || statement[start..].iter().map(|token| token.text(text));
        let is_linkage = statement.len() == start + 2 && statement[start + 1].kind == TokenKind::Literal;
        match statement[start].text(text) {
            "namespace" => Scope::File,
            "extern" if is_linkage => Scope::File,
            "extern" => Scope::Code,
            _ if start > 0 && statement[start - 1].text(text) == "enum" => Scope::Code,
            _ if words().any(|word| matches!(word, "(" | ")" | "=")) => Scope::Code,
            _ => Scope::Type,
        }
    }
}

/// The token of a template's name in its head: `template <class T> class Name : Base`.
fn type_name(text: &str, tokens: &[Token], head: std::ops::Range<usize>) -> Option<usize> {
    let word = |at: usize| tokens[at].text(text);
    let mut at = head.clone().rfind(|&at| word(at) == "template")?;
    let mut depth = 0_usize;
    loop {
        at += 1;
        match (at < head.end).then(|| word(at))? {
            "<" => depth += 1,
            ">" => depth = depth.saturating_sub(1),
            "class" | "struct" if depth == 0 => break,
            _ => {}
        }
    }
    let names = (at + 1..head.end).take_while(|&at| tokens[at].kind == TokenKind::Identifier && word(at) != "final");
    names.last()
}

//! Rewrites the uses of macros in a text, so that a grammar without a preprocessor reads what the compiler reads.
//!
//! An attribute is blanked. A use that defines something is replaced by a definition of the same length: a function's
//! head with the parameters that are written in the use, or a variable, whose kind is corrected later. Names stay where
//! they are written.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use sextant_format::digest::Digest;
use sextant_format::kinds::{EdgeKind, Kind};

use super::{
    AppliedMacros, DefinedName, HiddenUse, MacroDefinition, MacroRole, MacroTable, NamePiece, Scope, ScopeTracker,
    Token, TokenKind, arguments, tokenize,
};

/// A declaration's type where the macro names none.
const FILLER_TYPE: &[u8] = b"int";

impl MacroTable {
    /// Rewrites the uses of this table's macros in the text of a file.
    #[must_use]
    pub fn apply(&self, path: &str, text: &str) -> AppliedMacros {
        if self.is_empty() {
            return AppliedMacros::default();
        }
        let tokens = tokenize(text, true);
        let mut rewriter = Rewriter {
            text,
            tokens: &tokens,
            bytes: text.as_bytes().to_vec(),
            applied: AppliedMacros::default(),
            used: BTreeMap::new(),
            pointers: BTreeSet::new(),
            opened: Vec::new(),
        };
        let role_of = self.roles(path);
        let mut scopes = ScopeTracker::default();
        let mut at = 0;
        while at < tokens.len() {
            let token = tokens[at];
            if token.kind == TokenKind::Identifier
                && !self.pointers.is_empty()
                && let Some(_) = self.pointers.get(token.text(text))
            {
                rewriter.pointers.insert(token.text(text));
            }
            let role = (token.kind == TokenKind::Identifier).then(|| role_of(token.text(text))).flatten();
            let end = match role {
                Some(MacroRole::Attribute { takes_arguments, kept_argument }) => {
                    let is_code = scopes.scope() == Scope::Code;
                    rewriter.attribute(at, *takes_arguments, *kept_argument, is_code)
                }
                Some(MacroRole::Members(members)) if scopes.stands_for_members(text, &tokens, at) => {
                    rewriter.members(at, members)
                }
                Some(MacroRole::Members(_)) => None,
                Some(MacroRole::Opens(name)) => rewriter.open(at, name, scopes.scope()),
                Some(MacroRole::Closes) => rewriter.close(at),
                Some(MacroRole::Other) => {
                    rewriter.undefined(at, scopes.scope());
                    None
                }
                Some(MacroRole::Definitions(definitions)) => {
                    rewriter.definitions(at, definitions, &mut scopes, |word| {
                        matches!(role_of(word), Some(MacroRole::Attribute { .. }))
                    })
                }
                None => None,
            };
            if let (Some(_), Some(role)) = (end, role) {
                rewriter.used.entry(token.text(text)).or_insert(role);
            }
            // What was replaced opens and closes nothing.
            if let Some(end) = end {
                at = end;
            } else {
                scopes.step(text, &tokens, at);
                at += 1;
            }
        }
        // Types that only the expansions name.
        let types: Vec<&str> =
            rewriter.applied.defined.values().flatten().map(|name| name.type_text.as_str()).collect();
        let named = self.pointers.iter().map(String::as_str);
        rewriter.pointers.extend(named.filter(|name| types.iter().any(|text| text.contains(name))));
        rewriter.finish()
    }
}

struct Rewriter<'a> {
    text: &'a str,
    tokens: &'a [Token],
    bytes: Vec<u8>,
    applied: AppliedMacros,
    /// The macros that were rewritten.
    used: BTreeMap<&'a str, &'a MacroRole>,
    /// The class templates with an `operator->` that the text names.
    pointers: BTreeSet<&'a str>,
    /// For each scope that a macro opened: whether a namespace stands for it.
    opened: Vec<bool>,
}

impl<'a> Rewriter<'a> {
    fn finish(mut self) -> AppliedMacros {
        if self.used.is_empty() && self.pointers.is_empty() {
            return AppliedMacros::default();
        }
        let mut roles: Vec<String> = self.used.iter().map(|(name, role)| format!("{name} {role:?}")).collect();
        roles.extend(self.pointers.iter().map(|&name| format!("{name} Pointer")));
        self.applied.pointers = self.pointers.into_iter().map(str::to_owned).collect();
        self.applied.digest = Some(Digest::hash_bytes(roles.join("\n").as_bytes()));
        self.applied.uses.sort_by_key(|hidden| hidden.start);
        // Whole tokens are blanked, so the result is UTF-8.
        self.applied.text = String::from_utf8(self.bytes).ok();
        if self.applied.text.is_none() { AppliedMacros::default() } else { self.applied }
    }

    fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |token| token.text(self.text))
    }

    fn blank(&mut self, range: Range<usize>) {
        for byte in &mut self.bytes[range] {
            if !matches!(*byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }

    fn used_name(&mut self, at: usize, kind: EdgeKind) {
        let Token { start, end, .. } = self.tokens[at];
        self.applied.uses.push(HiddenUse { start, end, kind });
    }

    /// The names in a list of arguments, but those of members and the objects before them.
    fn used_arguments(&mut self, range: Range<usize>) {
        for at in range {
            let is_member = |word: &str| matches!(word, "." | "->" | "::");
            let before = if at > 0 { self.word(at - 1) } else { "" };
            let is_name = self.tokens[at].kind == TokenKind::Identifier && !is_keyword(self.word(at));
            if is_name && !is_member(self.word(at + 1)) && !is_member(before) {
                let kind = if self.word(at + 1) == "(" { EdgeKind::Call } else { EdgeKind::Reference };
                self.used_name(at, kind);
            }
        }
    }

    /// Replaces a macro that stands for members: `HANDLE_FIELDS` becomes `int LE_FIELDS;`, a member for them all.
    fn members(&mut self, at: usize, members: &[MacroDefinition]) -> Option<usize> {
        let Token { start, end, .. } = self.tokens[at];
        let written = start + FILLER_TYPE.len() + 1;
        let is_name = self.text.as_bytes().get(written).is_some_and(|byte| !byte.is_ascii_digit());
        if end < written + 2 || !is_name {
            return None;
        }
        self.bytes[start..written - 1].copy_from_slice(FILLER_TYPE);
        self.bytes[written - 1] = b' ';
        self.bytes[end - 1] = b';';
        let defined = members.iter().map(|member| DefinedName {
            name: self.substituted(&member.name, &[]),
            kind: member.kind,
            is_definition: member.is_definition,
            type_text: self.substituted(&member.type_text, &[]),
        });
        let defined: Vec<DefinedName> = defined.collect();
        self.applied.defined.insert(written, defined);
        self.used_name(at, EdgeKind::Reference);
        Some(at + 1)
    }

    /// Replaces a macro that opens a namespace: `BEGIN_NAMESPACE` becomes `namespace N    {`, if it is long enough.
    fn open(&mut self, at: usize, name: &str, scope: Scope) -> Option<usize> {
        const HEAD: &[u8] = b"namespace ";
        let Token { start, end, .. } = self.tokens[at];
        if scope != Scope::File {
            return None;
        }
        self.blank(start..end);
        let is_named = !name.is_empty() && end - start > HEAD.len() + 1;
        if is_named {
            let written = start + HEAD.len();
            self.bytes[start..written].copy_from_slice(HEAD);
            self.bytes[written..end - 1].copy_from_slice(&self.text.as_bytes()[written..end - 1]);
            self.bytes[end - 1] = b'{';
            let name = DefinedName {
                name: name.to_owned(),
                kind: Kind::Namespace,
                is_definition: true,
                type_text: String::new(),
            };
            self.applied.defined.insert(written, vec![name]);
        }
        self.opened.push(is_named);
        self.used_name(at, EdgeKind::Reference);
        Some(at + 1)
    }

    /// Replaces a macro that closes what another one opened.
    fn close(&mut self, at: usize) -> Option<usize> {
        let Token { start, end, .. } = self.tokens[at];
        self.blank(start..end);
        if self.opened.pop() == Some(true) {
            self.bytes[start] = b'}';
        }
        self.used_name(at, EdgeKind::Reference);
        Some(at + 1)
    }

    /// Notes that the arguments of a macro are not names of definitions.
    fn undefined(&mut self, at: usize, scope: Scope) {
        if scope != Scope::Code
            && let Some((found, _)) = arguments(self.text, self.tokens, at + 1)
        {
            let starts = found.into_iter().filter(|argument| !argument.is_empty());
            self.applied.undefined.extend(starts.map(|argument| self.tokens[argument.start].start));
            self.used.entry(self.word(at)).or_insert(&MacroRole::Other);
        }
    }

    /// Blanks an attribute. Returns the first token after it, or `None` if the name is not used as one here.
    fn attribute(&mut self, at: usize, takes_arguments: bool, kept: Option<usize>, is_code: bool) -> Option<usize> {
        let name = self.word(at);
        let (found, close) =
            if takes_arguments { arguments(self.text, self.tokens, at + 1)? } else { (Vec::new(), at) };
        let (before, after) = (if at > 0 { self.word(at - 1) } else { "" }, close + 1);
        let is_object = matches!(before, "." | "->" | "::" | "&" | "=" | "return" | "#" | "##");
        // A name in lower case may as well be that of a field: then it stands before another name only.
        let is_plain = !name.starts_with('_') && name.chars().any(char::is_lowercase);
        let is_before_name = self.tokens.get(after).is_some_and(|next| next.kind == TokenKind::Identifier);
        if is_object || is_plain && !takes_arguments && !is_before_name || kept.is_some() && is_code {
            return None;
        }
        match kept {
            Some(kept) => {
                let kept = found.get(kept)?.clone();
                let (first, last) = (self.tokens.get(kept.start)?.start, self.tokens.get(kept.end - 1)?.end);
                self.blank(self.tokens[at].start..first);
                self.blank(last..self.tokens[close].end);
            }
            None => {
                self.blank(self.tokens[at].start..self.tokens[close].end);
                if takes_arguments {
                    self.used_arguments(at + 2..close);
                }
            }
        }
        self.used_name(at, if takes_arguments { EdgeKind::Call } else { EdgeKind::Reference });
        Some(after)
    }

    /// Replaces a use that defines something. Returns the first token after it, or `None` if it defines nothing here.
    fn definitions(
        &mut self,
        at: usize,
        definitions: &[MacroDefinition],
        scopes: &mut ScopeTracker,
        is_specifier: impl Fn(&str) -> bool,
    ) -> Option<usize> {
        let is_member = match scopes.scope() {
            Scope::Code => return None,
            Scope::Type => true,
            Scope::File => false,
        };
        if !scopes.begins_definition(self.text, self.tokens, at, is_specifier) {
            return None;
        }
        let (found, close) = arguments(self.text, self.tokens, at + 1)?;
        let has_body = self.word(close + 1) == "{";
        let mut names: Vec<(DefinedName, usize, &MacroDefinition)> = definitions
            .iter()
            .filter(|definition| definition.is_member == is_member && definition.opens_body == has_body)
            .filter_map(|definition| {
                let (name, token) = self.name(&definition.name, &found)?;
                let (kind, is_definition) = (definition.kind, definition.is_definition);
                let type_text = self.substituted(&definition.type_text, &found);
                Some((DefinedName { name, kind, is_definition, type_text }, token, definition))
            })
            .collect();
        // The shortest name is what the reader looks for; the others serve the macro.
        names.sort_by_key(|(defined, ..)| defined.name.len());
        let &(_, name, definition) = names.first()?;
        let parts = Parts { at, name, close, arguments: &found };
        if has_body {
            self.function_head(&parts, definition)?;
            names.truncate(1);
        } else {
            self.variable(&parts)?;
            self.used_arguments_but(at + 2..close, name, definition.type_argument.and_then(|n| found.get(n)));
        }
        let defined = names.into_iter().map(|(defined, ..)| defined).collect();
        self.applied.defined.insert(self.tokens[name].start, defined);
        self.used_name(at, EdgeKind::Call);
        scopes.begin_statement(close + 1);
        Some(close + 1)
    }

    /// The names in a list of arguments, but the one that is defined.
    fn used_arguments_but(&mut self, range: Range<usize>, name: usize, type_argument: Option<&Range<usize>>) {
        for at in range.filter(|&at| at != name) {
            let is_type = type_argument.is_some_and(|argument| argument.contains(&at));
            if !is_type {
                self.used_arguments(at..at + 1);
            } else if self.tokens[at].kind == TokenKind::Identifier && !is_keyword(self.word(at)) {
                self.used_name(at, EdgeKind::Type);
            }
        }
    }

    /// A text with the arguments in it.
    fn substituted(&self, pieces: &[NamePiece], arguments: &[Range<usize>]) -> String {
        let mut text = String::new();
        for piece in pieces {
            match piece {
                NamePiece::Text(piece) => text.push_str(piece),
                NamePiece::Argument(number) => {
                    let tokens = arguments.get(*number).map(|argument| &self.tokens[argument.clone()]);
                    if let Some([first, .., last] | [first @ last]) = tokens {
                        text.push_str(self.text.get(first.start..last.end).unwrap_or(""));
                    }
                }
            }
        }
        text
    }

    /// The name of a definition, and the token of the argument at which it stands.
    fn name(&self, pieces: &[NamePiece], arguments: &[Range<usize>]) -> Option<(String, usize)> {
        let (mut name, mut token) = (String::new(), None);
        for piece in pieces {
            match piece {
                NamePiece::Text(text) => name.push_str(text),
                NamePiece::Argument(number) => {
                    let argument = arguments.get(*number)?;
                    let is_word = argument.len() == 1
                        && matches!(self.tokens[argument.start].kind, TokenKind::Identifier | TokenKind::Number);
                    let word = self.word(argument.start);
                    if !is_word || is_keyword(word) {
                        return None;
                    }
                    name.push_str(word);
                    if self.tokens[argument.start].kind == TokenKind::Identifier {
                        token = Some(argument.start);
                    }
                }
            }
        }
        token.map(|token| (name, token))
    }

    /// `M(name, int, a, b *, c) {` becomes `int name( int a, b * c) {`, and `M(name) {` stays.
    fn function_head(&mut self, parts: &Parts<'_>, definition: &MacroDefinition) -> Option<()> {
        let &Parts { at, name, close, .. } = parts;
        let (start, open, end) = (self.tokens[at].start, self.tokens[at + 1].start, self.tokens[close].start);
        let word = self.tokens[name];
        if name + 1 == close {
            self.blank(open + 1..word.start);
            return Some(());
        }
        if open - start < FILLER_TYPE.len() || word.start <= start + FILLER_TYPE.len() {
            return None;
        }
        let kept: Vec<(Range<usize>, Range<usize>)> = definition
            .parameters
            .iter()
            .map_while(|&(ty, name)| Some((parts.tokens(self, ty)?, parts.tokens(self, name)?)))
            .filter(|(ty, _)| ty.start > word.end)
            .collect();
        let original = self.text.as_bytes();
        self.blank(start..word.start);
        self.bytes[start..start + FILLER_TYPE.len()].copy_from_slice(FILLER_TYPE);
        self.blank(word.end..end);
        self.bytes[self.tokens[name + 1].start] = b'(';
        let mut parameters = kept.into_iter().peekable();
        while let Some((ty, name)) = parameters.next() {
            self.bytes[ty.clone()].copy_from_slice(&original[ty]);
            self.bytes[name.clone()].copy_from_slice(&original[name.clone()]);
            if let Some((next, _)) = parameters.peek()
                && let Some(comma) = original[name.end..next.start].iter().position(|&byte| byte == b',')
            {
                self.bytes[name.end + comma] = b',';
            }
        }
        Some(())
    }

    /// `M(type, name, x)` becomes `int   name`, with a semicolon if there is none.
    fn variable(&mut self, parts: &Parts<'_>) -> Option<()> {
        let &Parts { at, name, close, .. } = parts;
        let (start, end, word) = (self.tokens[at].start, self.tokens[close].end, self.tokens[name]);
        if word.start <= start + FILLER_TYPE.len() {
            return None;
        }
        self.blank(start..word.start);
        self.blank(word.end..end);
        self.bytes[start..start + FILLER_TYPE.len()].copy_from_slice(FILLER_TYPE);
        if !matches!(self.word(close + 1), ";" | "=") {
            self.bytes[end - 1] = b';';
        }
        Some(())
    }
}

/// A use: the tokens of its name, of the name that it defines and of its closing parenthesis, and its arguments.
struct Parts<'a> {
    at: usize,
    name: usize,
    close: usize,
    arguments: &'a [Range<usize>],
}

impl Parts<'_> {
    /// The bytes of an argument.
    fn tokens(&self, rewriter: &Rewriter<'_>, argument: usize) -> Option<Range<usize>> {
        let range = self.arguments.get(argument).filter(|range| !range.is_empty())?;
        Some(rewriter.tokens[range.start].start..rewriter.tokens[range.end - 1].end)
    }
}

/// Words that are no names.
fn is_keyword(word: &str) -> bool {
    const KEYWORDS: &[&str] = &[
        "auto",
        "bool",
        "break",
        "case",
        "char",
        "class",
        "const",
        "constexpr",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "false",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "namespace",
        "nullptr",
        "operator",
        "private",
        "protected",
        "public",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "template",
        "this",
        "true",
        "typedef",
        "typename",
        "union",
        "unsigned",
        "using",
        "virtual",
        "void",
        "volatile",
        "while",
    ];
    KEYWORDS.contains(&word)
}

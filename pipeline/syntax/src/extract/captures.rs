//! A tree into captures: runs the language's query and sorts what it captures by role. Must not know what becomes of the
//! captures.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::kinds::{EdgeKind, Kind};

use super::clean;
use super::parsed_source::ParsedSource;
use super::type_facts::{TypeCapture, TypeSubject, ValuePart};
use crate::language::{self, CaptureRole, Language, MacroCode};
use crate::macros::{DefinedName, HiddenUse};

/// The captures of a file, by role, in the order of the matches.
#[derive(Default)]
pub(super) struct RawCaptures {
    pub(super) definitions: Vec<DefinitionMatch>,
    pub(super) reference_matches: Vec<ReferenceMatch>,
    pub(super) blocks: Vec<(Kind, u32)>,
    /// Comments and attributes that may belong to the following symbol.
    pub(super) leading: Vec<LeadingNode>,
    /// Names that are exported apart from their definitions: `export { a }`.
    pub(super) exports: Vec<NameNode>,
    /// Names bound inside functions.
    pub(super) locals: Vec<u32>,
    /// Names of types bound inside functions.
    pub(super) local_types: Vec<u32>,
    /// Declared types and values of names.
    pub(super) typed: Vec<TypeCapture>,
    /// Text in embedded languages.
    pub(super) embedded: Vec<(u32, &'static Language)>,
    /// Arguments of macros.
    pub(super) code: Vec<(u32, MacroCode)>,
    /// What macros define at the names that start at these bytes.
    pub(super) defined: FxHashMap<usize, Vec<DefinedName>>,
    /// Class templates whose values have the members of their argument, too.
    pub(super) pointers: Vec<String>,
    /// Names that start at these bytes are arguments of macros that define nothing.
    pub(super) undefined: FxHashSet<usize>,
    /// Uses of names in text that is blank for the parser.
    pub(super) hidden_uses: Vec<HiddenUse>,
}

/// The node of a name, and whether its text is used verbatim.
#[derive(Clone, Copy)]
pub(super) struct NameNode {
    pub(super) node: u32,
    pub(super) verbatim: bool,
}

impl NameNode {
    /// The segments of the name.
    pub(super) fn segments(&self, source: &ParsedSource<'_>) -> Vec<String> {
        let text = source.text(self.node);
        if self.verbatim { vec![clean::one_line(clean::without_quotes(text))] } else { clean::name_segments(text) }
    }
}

/// A match with `@symbol` or `@scope`.
pub(super) struct DefinitionMatch {
    pub(super) pattern: usize,
    pub(super) kind: Option<Kind>,
    pub(super) extent: u32,
    pub(super) name: NameNode,
    pub(super) owner: Option<u32>,
    pub(super) implied_owner: Option<String>,
    pub(super) body: Option<u32>,
    pub(super) arity: Option<u32>,
    pub(super) is_scope: bool,
    pub(super) doc: Option<u32>,
    pub(super) exported: bool,
}

/// A match with `@ref`.
pub(super) struct ReferenceMatch {
    pub(super) pattern: usize,
    pub(super) kind: EdgeKind,
    pub(super) name: NameNode,
    pub(super) owner: Option<u32>,
    /// The expression whose place tells the type of which it is a member.
    pub(super) expected: Option<u32>,
    pub(super) alias: Option<u32>,
}

pub(super) struct LeadingNode {
    /// The bytes of the documentation, if it is any.
    pub(super) doc: Option<std::ops::Range<usize>>,
    pub(super) start_byte: usize,
    pub(super) start_line: u32,
    pub(super) end_line: u32,
}

/// Runs the language's query over the tree and sorts the captures by role.
pub(super) fn collect(source: &ParsedSource<'_>) -> RawCaptures {
    let mut raw = RawCaptures::default();
    collect_from(source, 0, &[], &mut raw);
    raw
}

/// Adds the captures of the trees from `root` on. Nodes inside of `ignored` subtrees, whose first nodes are in order, do
/// not count.
pub(super) fn collect_from(source: &ParsedSource<'_>, root: u32, ignored: &[Range<u32>], raw: &mut RawCaptures) {
    let compiled = source.compiled;
    let is_ignored = |node: u32| {
        let at = ignored.partition_point(|subtree| subtree.start <= node);
        at > 0 && ignored[at - 1].contains(&node)
    };
    compiled.patterns.matches_from(source.nodes, root, source.text, |found| {
        if found.captures.iter().any(|&(_, node)| is_ignored(node)) {
            return;
        }
        let (mut symbol, mut scope, mut name, mut owner, mut alias) = (None, None, None, None, None);
        let (mut doc, mut attribute, mut exported, mut reference) = (None, None, false, None);
        let (mut body, mut embedded, mut embedded_language) = (None, None, None);
        let (mut typed, mut declared_type, mut value, mut expected) = (None, None, None, None);
        let settings = compiled.settings(found.pattern);
        let mut arity = settings.arity;
        for &(capture, node) in found.captures {
            match compiled.role(capture) {
                CaptureRole::Symbol(kind) => symbol = Some((kind, node)),
                CaptureRole::Reference(kind) => reference = Some(kind),
                CaptureRole::Block(kind) => raw.blocks.push((kind, node)),
                CaptureRole::Name => name = Some(NameNode { node, verbatim: false }),
                CaptureRole::Verbatim => name = Some(NameNode { node, verbatim: true }),
                CaptureRole::Owner => owner = Some(node),
                CaptureRole::Scope => scope = Some(node),
                CaptureRole::Doc => doc = Some(node),
                CaptureRole::Attribute => attribute = Some(node),
                CaptureRole::Exported => exported = true,
                CaptureRole::Alias => alias = Some(node),
                CaptureRole::Body => body = Some(node),
                CaptureRole::Arity => arity = Some(source.parameter_count(node)),
                CaptureRole::Embedded => embedded = Some(node),
                CaptureRole::EmbeddedLanguage => embedded_language = Some(node),
                CaptureRole::Code(code) => raw.code.push((node, code)),
                CaptureRole::LocalBinding => raw.locals.push(node),
                CaptureRole::LocalType => raw.local_types.push(node),
                CaptureRole::TypedName => typed = Some(TypeSubject::Name(node)),
                CaptureRole::Destructured => typed = Some(TypeSubject::Destructured(node)),
                CaptureRole::DestructuredPart => typed = Some(TypeSubject::DestructuredPart(node)),
                CaptureRole::AssignedMember => typed = Some(TypeSubject::Member(node)),
                CaptureRole::ReturnedValue => typed = Some(TypeSubject::Returned(node)),
                CaptureRole::ModuleExports => typed = Some(TypeSubject::ModuleExports(node)),
                CaptureRole::DefaultExport => typed = Some(TypeSubject::DefaultExport(node)),
                CaptureRole::LambdaReceiver => typed = Some(TypeSubject::LambdaReceiver(node)),
                CaptureRole::CallSignature => typed = Some(TypeSubject::CallSignature(node)),
                CaptureRole::Type => declared_type = Some(node),
                CaptureRole::Value => value = Some((node, ValuePart::Whole)),
                CaptureRole::Iterated => value = Some((node, ValuePart::Elements)),
                CaptureRole::Entered => value = Some((node, ValuePart::Entered)),
                CaptureRole::Subscripted => value = Some((node, ValuePart::Entry)),
                CaptureRole::Expected => expected = Some(node),
                CaptureRole::Unpacked => value = Some((node, ValuePart::Place)),
                CaptureRole::IteratedParts => value = Some((node, ValuePart::PlaceInElements)),
                CaptureRole::PositionalMember => typed = Some(TypeSubject::Positional(node)),
                CaptureRole::Narrowed => typed = Some(TypeSubject::Narrowed(node)),
                CaptureRole::ObjectBody => typed = Some(TypeSubject::ObjectBody(node)),
                CaptureRole::PredicateOnly => {}
            }
        }
        raw.typed.extend(typed.map(|subject| TypeCapture {
            subject,
            pattern: Some(found.pattern),
            declared_type,
            value,
        }));
        let pattern = found.pattern;
        match (symbol, scope, reference, name) {
            (Some((kind, extent)), scope, _, Some(name)) => raw.definitions.push(DefinitionMatch {
                pattern,
                kind: Some(kind),
                extent,
                name,
                owner,
                implied_owner: settings.owner.clone(),
                body,
                arity,
                is_scope: scope.is_some(),
                doc,
                exported,
            }),
            (None, Some(extent), _, Some(name)) => raw.definitions.push(DefinitionMatch {
                pattern,
                kind: None,
                extent,
                name,
                owner,
                implied_owner: None,
                body,
                arity: None,
                is_scope: true,
                doc: None,
                exported: false,
            }),
            (None, None, Some(kind), Some(name)) => {
                raw.reference_matches.push(ReferenceMatch { pattern, kind, name, owner, expected, alias })
            }
            (None, None, None, Some(name)) if exported => raw.exports.push(name),
            _ => {}
        }
        if let Some(node) = embedded {
            let named = embedded_language.map(|node| source.text(node).trim());
            let inner_language = named.or(settings.embedded.as_deref()).and_then(language::by_alias);
            raw.embedded.extend(inner_language.map(|language| (node, language)));
        }
        if symbol.is_none()
            && let Some(extent) = attribute.or(doc)
        {
            raw.leading.push(leading(source, extent, doc));
        }
    });
}

fn leading(source: &ParsedSource<'_>, extent: u32, doc: Option<u32>) -> LeadingNode {
    let (start_line, end_line) = source.line_range(extent);
    let start_byte = source.nodes.range(extent).start;
    LeadingNode { doc: doc.map(|doc| source.nodes.range(doc)), start_byte, start_line, end_line }
}

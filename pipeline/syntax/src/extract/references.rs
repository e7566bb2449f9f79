//! Builds the references of a file from its uses.

use std::cmp::Reverse;

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::kinds::{EdgeKind, Kind};

use super::captures::{DefinitionMatch, ReferenceMatch};
use super::locals::{EnclosingSymbols, Locals};
use super::parsed_source::ParsedSource;
use super::{call_arguments, clean, closure_parameters, hooks};
use crate::language::{Language, ModuleSystem};
use crate::macros::HiddenUse;
use crate::model::{Reference, Symbol};

/// Adds the uses of names that the parser did not see, because a macro was replaced, in their places.
pub(super) fn add_hidden_uses(
    source: &ParsedSource<'_>,
    uses: &[HiddenUse],
    symbols: &[Symbol],
    references: &mut Vec<Reference>,
) {
    if uses.is_empty() {
        return;
    }
    let mut enclosing = EnclosingSymbols::new(symbols);
    references.extend(uses.iter().map(|hidden| {
        let (line, column) = source.lines.position(hidden.start);
        Reference {
            is_path_qualified: false,
            is_local: false,
            argument_count: None,
            arguments: None,
            source: enclosing.stack_at(hidden.start).last().copied().unwrap_or(0),
            kind: hidden.kind,
            name: source.text.get(hidden.start..hidden.end).unwrap_or("").to_owned(),
            qualifier: None,
            alias: None,
            line,
            column,
        }
    }));
    references.sort_by_key(|reference| (reference.line, reference.column));
    references.dedup_by_key(|reference| (reference.line, reference.column, reference.kind));
}

/// Builds the references in the order of the text: one for each name that is not a definition's.
pub(super) fn build_references(
    language: &Language,
    source: &ParsedSource<'_>,
    definitions: &[DefinitionMatch],
    mut reference_matches: Vec<ReferenceMatch>,
    symbols: &[Symbol],
    symbol_at: &FxHashMap<usize, u32>,
    locals: &Locals<'_>,
) -> Vec<Reference> {
    let range = |reference_match: &ReferenceMatch| source.nodes.range(reference_match.name.node);
    // Of several matches of a name, one that tells to what it is assigned tells most, and of `.a.b = name` it is `b`.
    let assigned = |found: &ReferenceMatch| {
        let member = found.alias.filter(|_| found.kind == EdgeKind::Reference);
        Reverse(member.map(|member| source.nodes.range(member).start))
    };
    reference_matches.sort_by_key(|found| (range(found).start, range(found).end, assigned(found), found.pattern));
    reference_matches.dedup_by_key(|reference_match| range(reference_match));
    let definition_names: FxHashSet<usize> = definitions
        .iter()
        .map(|definition| (definition, source.nodes.range(definition.name.node).start))
        // A field that is assigned again is a use.
        .filter(|(definition, start)| match definition.kind {
            Some(Kind::Field) => symbol_at.contains_key(start),
            kind => kind.is_some(),
        })
        .map(|(_, start)| start)
        .collect();
    let mut references = Vec::with_capacity(reference_matches.len());
    let mut enclosing = EnclosingSymbols::new(symbols);
    for reference_match in reference_matches {
        let at = range(&reference_match).start;
        let stack = enclosing.stack_at(at);
        let (mut line, mut column) = source.position(reference_match.name.node);
        let is_definition = definition_names.contains(&at);
        // An embedded field has the name of the type that is inherited, by the type around it.
        let is_embedded = is_definition && reference_match.kind == EdgeKind::Inherit;
        if is_definition && !is_embedded && reference_match.kind != EdgeKind::Import {
            continue;
        }
        let stack = if is_embedded { &stack[..stack.len().saturating_sub(1)] } else { stack };
        let capture = |node: u32| clean::unquote_import_path(source.text(node)).to_owned();
        let mut path = None;
        let name = if reference_match.kind == EdgeKind::Import {
            // An import tree may be long: it is truncated only after it was expanded.
            capture(reference_match.name.node)
        } else {
            let mut segments = reference_match.name.segments(source);
            let Some(name) = segments.pop().filter(|name| !name.is_empty()) else { continue };
            path = match language.modules {
                ModuleSystem::QualifiedNames => path_of_full_name(source.text(reference_match.name.node)),
                _ => Some(segments.join(language.separator)).filter(|path| language.dotted_names && !path.is_empty()),
            };
            if language.dotted_names && path.is_some() {
                // The whole name is one token, which stands for what its last segment names.
                let text = source.text(reference_match.name.node);
                let last = text.rfind(language.separator).map_or(0, |end| end + language.separator.len());
                (line, column) = source.lines.position(at + last);
            }
            name
        };
        let bindings = match reference_match.kind {
            EdgeKind::Import | EdgeKind::Inherit | EdgeKind::Implement => None,
            EdgeKind::Type => Some(&locals.types),
            _ => Some(&locals.values),
        };
        let is_method = language.separate_call_namespace && reference_match.kind == EdgeKind::Call;
        // The path of an import loses its quotes; the receiver of a call (a string, perhaps) keeps them.
        let is_alone = reference_match.owner.or(reference_match.expected).is_none();
        let is_local =
            is_alone && !is_method && bindings.is_some_and(|bindings| bindings.is_local_at(stack, &name, at));
        if is_local && matches!(reference_match.kind, EdgeKind::Reference | EdgeKind::Type) {
            continue;
        }
        let owner = |node: u32| match reference_match.kind {
            EdgeKind::Import => capture(node),
            _ => source.text(node).to_owned(),
        };
        let joined = reference_match.owner.and_then(|node| source.text.get(source.nodes.range(node).end..));
        let arguments = call_arguments::of_call(language, source, &reference_match);
        let reference = Reference {
            is_path_qualified: joined.is_some_and(|rest| rest.starts_with("::")),
            is_local,
            argument_count: arguments.count,
            arguments: arguments.shapes,
            source: stack.last().copied().unwrap_or(0),
            kind: reference_match.kind,
            name,
            qualifier: reference_match
                .owner
                .map(|node| clean::one_line(&owner(node)))
                .filter(|owner| !owner.is_empty())
                .or(path)
                .or_else(|| closure_parameters::expected_value(language, source, reference_match.expected?)),
            alias: reference_match.alias.map(capture),
            line,
            column,
        };
        let position = |offset: usize| source.lines.position(at + offset);
        hooks::expand(language.name, reference, position, &mut references);
    }
    references
}

/// The beginning of a full name up to its last separator, which is included: `A\B\` of `A\B\C`, and `\` of `\C`.
fn path_of_full_name(text: &str) -> Option<String> {
    Some(text[..=text.rfind('\\')?].to_owned())
}

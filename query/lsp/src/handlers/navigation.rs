//! Definition, implementation, references and hover.

use lsp_types::request::{GotoDeclarationParams, GotoImplementationParams};
use lsp_types::{Hover, HoverContents, HoverParams, Location, MarkupContent, MarkupKind, ReferenceParams};
use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;
use sextant_search::Navigator;

use super::locate::{definitions, locations, locations_of, named_at};
use super::markdown::{code_block, code_span, documentation};
use crate::Result;
use crate::workspace::{MIN_CONFIDENCE, Workspace};

/// Lines of documentation that a hover shows at most.
const MAX_DOC_LINES: usize = 40;

pub(super) fn definition(workspace: &mut Workspace, params: GotoDeclarationParams) -> Result<Option<Vec<Location>>> {
    let Some(named) = named_at(workspace, &params.text_document_position_params)? else { return Ok(None) };
    Ok(Some(locations_of(workspace, named.index, &named.symbols)?))
}

/// Subtypes of a type, overrides and implementations of a method.
pub(super) fn implementation(
    workspace: &mut Workspace,
    params: GotoImplementationParams,
) -> Result<Option<Vec<Location>>> {
    let Some(named) = named_at(workspace, &params.text_document_position_params)? else { return Ok(None) };
    let navigator = Navigator::new(workspace.index(named.index));
    let kinds = [EdgeKind::Inherit, EdgeKind::Implement, EdgeKind::Override, EdgeKind::Define];
    let mut found: Vec<SymbolId> = Vec::new();
    for &symbol in &named.symbols {
        found.extend(navigator.users_by(symbol, &kinds, MIN_CONFIDENCE)?);
    }
    found.sort_unstable();
    found.dedup();
    Ok(Some(locations_of(workspace, named.index, &found)?))
}

pub(super) fn references(workspace: &mut Workspace, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
    let Some(named) = named_at(workspace, &params.text_document_position)? else { return Ok(None) };
    let mut found = if params.context.include_declaration {
        locations_of(workspace, named.index, &named.symbols)?
    } else {
        Vec::new()
    };
    let uses = Navigator::new(workspace.index(named.index)).uses_of(&named.symbols, MIN_CONFIDENCE)?;
    found.extend(locations(workspace, named.index, &uses)?.into_iter().flatten());
    Ok(Some(found))
}

pub(super) fn hover(workspace: &mut Workspace, params: HoverParams) -> Result<Option<Hover>> {
    let Some(named) = named_at(workspace, &params.text_document_position_params)? else { return Ok(None) };
    let definitions = definitions(workspace, &named)?;
    let mut parts = Vec::new();
    for hover in Navigator::new(workspace.index(named.index)).hover(&definitions)? {
        let d = &hover.definition;
        let signature = d.signature.as_deref().unwrap_or(&d.qualified_name);
        let mut part = code_block(&hover.language, signature) + "\n";
        if let Some(doc) = hover.doc.as_deref().filter(|doc| !doc.trim().is_empty()) {
            part.push_str(&documentation(doc, MAX_DOC_LINES));
            part.push_str("\n\n");
        }
        let callers = match hover.callers {
            0 => String::new(),
            1 => ", 1 caller".to_owned(),
            n => format!(", {n} callers"),
        };
        let (name, place) = (code_span(&d.qualified_name), code_span(&format!("{}:{}", d.path, d.start_line)));
        part.push_str(&format!("{} {name} in {place}{callers}", d.kind.as_str()));
        parts.push(part);
    }
    let value = parts.join("\n\n---\n\n");
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Ok(Some(Hover { contents, range: Some(named.range) }))
}

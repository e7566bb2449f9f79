//! The symbols of a document and of the workspace.

use lsp_types::{
    DocumentSymbol, DocumentSymbolParams, Location, OneOf, Position, Range, SymbolKind, WorkspaceSymbol,
    WorkspaceSymbolParams,
};
use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::ids::SymbolId;
use sextant_format::kinds::Kind;
use sextant_format::tables::SymbolRow;
use sextant_search::{Filters, Navigator};

use super::locate::{lines_of, location_of};
use crate::Result;
use crate::workspace::{CurrentFile, Workspace, path_of};

/// Symbols of the workspace that one query returns.
const MAX_SYMBOLS: usize = 200;

pub(super) fn document_symbols(
    workspace: &mut Workspace,
    params: DocumentSymbolParams,
) -> Result<Option<Vec<DocumentSymbol>>> {
    let Some(path) = path_of(&params.text_document.uri) else { return Ok(None) };
    let Some(current) = workspace.file_at(&path)? else { return Ok(None) };
    let mut members: FxHashMap<Option<SymbolId>, Vec<&SymbolRow>> = FxHashMap::default();
    let symbols = workspace.symbols(&current.file)?;
    let own: FxHashSet<SymbolId> = symbols.iter().map(|symbol| symbol.symbol_id).collect();
    for symbol in &symbols {
        // The file itself is no symbol of the document.
        let owner = symbol.container_id.filter(|owner| own.contains(owner) && *owner != symbol.symbol_id);
        members.entry(owner).or_default().push(symbol);
    }
    Ok(Some(tree(workspace, &current, &mut members, None)))
}

/// The members of a symbol with theirs. Each list is used once, so even a damaged index makes no circle.
fn tree(
    workspace: &Workspace,
    current: &CurrentFile,
    members: &mut FxHashMap<Option<SymbolId>, Vec<&SymbolRow>>,
    owner: Option<SymbolId>,
) -> Vec<DocumentSymbol> {
    let mut symbols = Vec::new();
    for row in members.remove(&owner).unwrap_or_default() {
        let children = tree(workspace, current, members, Some(row.symbol_id));
        let Some(range) = lines_of(workspace, current, row.start_line, row.end_line) else { continue };
        #[expect(deprecated, reason = "the field cannot be left out")]
        symbols.push(DocumentSymbol {
            name: row.name.clone(),
            detail: row.signature.clone(),
            kind: symbol_kind(row.kind),
            tags: None,
            deprecated: None,
            range,
            selection_range: selection(workspace, current, row, range),
            children: (!children.is_empty()).then_some(children),
        });
    }
    symbols
}

/// The place of a symbol's name, within its lines.
pub(super) fn selection(workspace: &Workspace, current: &CurrentFile, row: &SymbolRow, lines: Range) -> Range {
    let name = current.text.line_now(row.name_line.saturating_sub(1)).map(|line| {
        let (text, start) = (current.text.line(line), usize::try_from(row.name_column).unwrap_or(usize::MAX));
        let column = |byte: usize| workspace.encoding.column(text, byte);
        Range::new(
            Position::new(line, column(start)),
            Position::new(line, column(start.saturating_add(row.name.len()))),
        )
    });
    name.filter(|name| lines.start <= name.start && name.end <= lines.end)
        .unwrap_or_else(|| Range::new(lines.start, lines.start))
}

pub(super) fn workspace_symbols(
    workspace: &mut Workspace,
    params: WorkspaceSymbolParams,
) -> Result<Option<Vec<WorkspaceSymbol>>> {
    let query = params.query.trim();
    if query.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let mut found = Vec::new();
    for index in 0..workspace.indexes.indexes.len() {
        let navigator = Navigator::new(workspace.index(index));
        let (definitions, _) = navigator.find_symbols(query, &Filters::default(), MAX_SYMBOLS)?;
        let mut ids: Vec<SymbolId> = definitions.iter().map(|d| d.symbol_id).collect();
        ids.sort_unstable();
        let rows: FxHashMap<SymbolId, SymbolRow> =
            navigator.symbol_rows(&ids)?.into_iter().map(|row| (row.symbol_id, row)).collect();
        // In the order of the search: exact names first.
        for definition in definitions {
            let Some(row) = rows.get(&definition.symbol_id) else { continue };
            let Some(location) = location_of(workspace, index, row)? else { continue };
            found.push(symbol(row, location));
        }
    }
    Ok(Some(found))
}

fn symbol(row: &SymbolRow, location: Location) -> WorkspaceSymbol {
    let owners = row.qualified_name.strip_suffix(row.name.as_str()).unwrap_or_default();
    let container = owners.trim_end_matches(['.', ':', '#', '/']);
    WorkspaceSymbol {
        name: row.name.clone(),
        kind: symbol_kind(row.kind),
        tags: None,
        container_name: (!container.is_empty()).then(|| container.to_owned()),
        location: OneOf::Left(location),
        data: None,
    }
}

/// The nearest kind of the protocol.
pub(super) const fn symbol_kind(kind: Kind) -> SymbolKind {
    match kind {
        Kind::File => SymbolKind::FILE,
        Kind::Module => SymbolKind::MODULE,
        Kind::Namespace => SymbolKind::NAMESPACE,
        Kind::Class | Kind::Type => SymbolKind::CLASS,
        Kind::Struct | Kind::Union => SymbolKind::STRUCT,
        Kind::Enum => SymbolKind::ENUM,
        Kind::Interface | Kind::Trait => SymbolKind::INTERFACE,
        Kind::Method => SymbolKind::METHOD,
        Kind::Constructor => SymbolKind::CONSTRUCTOR,
        Kind::Constant | Kind::Macro => SymbolKind::CONSTANT,
        Kind::Variable => SymbolKind::VARIABLE,
        Kind::Field => SymbolKind::FIELD,
        Kind::Property => SymbolKind::PROPERTY,
        Kind::Section => SymbolKind::STRING,
        Kind::Key | Kind::Element => SymbolKind::KEY,
        _ => SymbolKind::FUNCTION,
    }
}

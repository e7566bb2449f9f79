//! Hierarchies of calls and of types.

use std::collections::BTreeMap;

use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem, CallHierarchyOutgoingCall,
    CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, Range, TypeHierarchyItem, TypeHierarchyPrepareParams,
    TypeHierarchySubtypesParams, TypeHierarchySupertypesParams,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sextant_format::ids::SymbolId;
use sextant_format::kinds::EdgeKind;
use sextant_format::tables::{EdgeRow, SymbolRow};
use sextant_search::Navigator;

use super::locate::{lines_of, locations, named_at, uri_of};
use super::symbols::{selection, symbol_kind};
use crate::Result;
use crate::workspace::{MIN_CONFIDENCE, Workspace, uses};

/// What identifies a symbol between two requests. Ids hold for one content of an index.
#[derive(Serialize, Deserialize)]
struct Key {
    index: usize,
    content_id: String,
    symbol: SymbolId,
}

const CALLS: &[EdgeKind] = &[EdgeKind::Call, EdgeKind::Instantiate, EdgeKind::Decorate, EdgeKind::Request];
const SUPERTYPES: &[EdgeKind] = &[EdgeKind::Inherit, EdgeKind::Implement];

pub(super) fn prepare_calls(
    workspace: &mut Workspace,
    params: CallHierarchyPrepareParams,
) -> Result<Option<Vec<CallHierarchyItem>>> {
    let items =
        prepare(workspace, &params.text_document_position_params, |row| row.kind.is_callable() || row.kind.is_type())?;
    Ok(items.map(|items| items.into_iter().map(Item::call).collect()))
}

pub(super) fn incoming_calls(
    workspace: &mut Workspace,
    params: CallHierarchyIncomingCallsParams,
) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
    let Some((index, symbol)) = symbol_of(workspace, params.item.data) else { return Ok(None) };
    let mut uses = Navigator::new(workspace.index(index)).uses_of(&[symbol], MIN_CONFIDENCE)?;
    uses.retain(|edge| CALLS.contains(&edge.kind));
    let calls = grouped(workspace, index, &uses, |edge| Some(edge.source_id))?;
    let call = |(item, from_ranges): (Item, Vec<Range>)| CallHierarchyIncomingCall { from: item.call(), from_ranges };
    Ok(Some(calls.into_iter().map(call).collect()))
}

pub(super) fn outgoing_calls(
    workspace: &mut Workspace,
    params: CallHierarchyOutgoingCallsParams,
) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
    let Some((index, symbol)) = symbol_of(workspace, params.item.data) else { return Ok(None) };
    let rows = Navigator::new(workspace.index(index)).symbol_rows(&[symbol])?;
    let Some(row) = rows.first() else { return Ok(None) };
    let Some(current) = workspace.file(index, row.file_id)? else { return Ok(None) };
    let mut own = uses(workspace.index(index), &current.file)?;
    own.retain(|edge| edge.source_id == symbol && CALLS.contains(&edge.kind));
    let calls = grouped(workspace, index, &own, |edge| edge.target_id)?;
    let call = |(item, from_ranges): (Item, Vec<Range>)| CallHierarchyOutgoingCall { to: item.call(), from_ranges };
    Ok(Some(calls.into_iter().map(call).collect()))
}

pub(super) fn prepare_types(
    workspace: &mut Workspace,
    params: TypeHierarchyPrepareParams,
) -> Result<Option<Vec<TypeHierarchyItem>>> {
    let items = prepare(workspace, &params.text_document_position_params, |row| row.kind.is_type())?;
    Ok(items.map(|items| items.into_iter().map(Item::ty).collect()))
}

pub(super) fn supertypes(
    workspace: &mut Workspace,
    params: TypeHierarchySupertypesParams,
) -> Result<Option<Vec<TypeHierarchyItem>>> {
    let Some((index, symbol)) = symbol_of(workspace, params.item.data) else { return Ok(None) };
    let found = Navigator::new(workspace.index(index)).used_by(symbol, SUPERTYPES, MIN_CONFIDENCE)?;
    Ok(Some(items(workspace, index, &found)?.into_iter().map(Item::ty).collect()))
}

pub(super) fn subtypes(
    workspace: &mut Workspace,
    params: TypeHierarchySubtypesParams,
) -> Result<Option<Vec<TypeHierarchyItem>>> {
    let Some((index, symbol)) = symbol_of(workspace, params.item.data) else { return Ok(None) };
    let found = Navigator::new(workspace.index(index)).users_by(symbol, SUPERTYPES, MIN_CONFIDENCE)?;
    Ok(Some(items(workspace, index, &found)?.into_iter().map(Item::ty).collect()))
}

/// The symbols that the name at a place stands for, if they are of a kind.
fn prepare(
    workspace: &mut Workspace,
    place: &lsp_types::TextDocumentPositionParams,
    is_wanted: impl Fn(&SymbolRow) -> bool,
) -> Result<Option<Vec<Item>>> {
    let Some(named) = named_at(workspace, place)? else { return Ok(None) };
    let rows = Navigator::new(workspace.index(named.index)).symbol_rows(&named.symbols)?;
    let wanted: Vec<SymbolId> = rows.iter().filter(|row| is_wanted(row)).map(|row| row.symbol_id).collect();
    Ok(Some(items(workspace, named.index, &wanted)?).filter(|items| !items.is_empty()))
}

/// Uses by the symbol at their other end, with their places.
fn grouped(
    workspace: &mut Workspace,
    index: usize,
    uses: &[EdgeRow],
    other: impl Fn(&EdgeRow) -> Option<SymbolId>,
) -> Result<Vec<(Item, Vec<Range>)>> {
    let mut by_symbol: BTreeMap<SymbolId, Vec<Range>> = BTreeMap::new();
    for (edge, place) in uses.iter().zip(locations(workspace, index, uses)?) {
        if let (Some(symbol), Some(place)) = (other(edge), place) {
            by_symbol.entry(symbol).or_default().push(place.range);
        }
    }
    let ids: Vec<SymbolId> = by_symbol.keys().copied().collect();
    let mut found = Vec::new();
    for item in items(workspace, index, &ids)? {
        let mut ranges = by_symbol.remove(&item.symbol).unwrap_or_default();
        ranges.dedup();
        found.push((item, ranges));
    }
    Ok(found)
}

/// A symbol as an item of either hierarchy.
struct Item {
    symbol: SymbolId,
    name: String,
    kind: lsp_types::SymbolKind,
    detail: Option<String>,
    uri: lsp_types::Uri,
    range: Range,
    selection_range: Range,
    data: Option<Value>,
}

impl Item {
    fn call(self) -> CallHierarchyItem {
        let Self { name, kind, detail, uri, range, selection_range, data, .. } = self;
        CallHierarchyItem { name, kind, tags: None, detail, uri, range, selection_range, data }
    }

    fn ty(self) -> TypeHierarchyItem {
        let Self { name, kind, detail, uri, range, selection_range, data, .. } = self;
        TypeHierarchyItem { name, kind, tags: None, detail, uri, range, selection_range, data }
    }
}

/// The items of symbols, which are ascending; without those that have no place in a checkout.
fn items(workspace: &mut Workspace, index: usize, symbols: &[SymbolId]) -> Result<Vec<Item>> {
    let content_id = workspace.index(index).generation().manifest().content_id.clone();
    let mut found = Vec::new();
    for row in Navigator::new(workspace.index(index)).symbol_rows(symbols)? {
        let Some(current) = workspace.file(index, row.file_id)? else { continue };
        let Some(uri) = uri_of(&current) else { continue };
        let Some(range) = lines_of(workspace, &current, row.start_line, row.end_line) else { continue };
        let key = Key { index, content_id: content_id.clone(), symbol: row.symbol_id };
        found.push(Item {
            symbol: row.symbol_id,
            name: row.qualified_name.clone(),
            kind: symbol_kind(row.kind),
            detail: Some(format!("{}:{}", current.file.row.path, row.start_line)),
            uri,
            range,
            selection_range: selection(workspace, &current, &row, range),
            data: serde_json::to_value(key).ok(),
        });
    }
    Ok(found)
}

/// The symbol of an earlier answer; `None` if the index has other content now.
fn symbol_of(workspace: &Workspace, data: Option<Value>) -> Option<(usize, SymbolId)> {
    let key: Key = serde_json::from_value(data?).ok()?;
    let named = workspace.indexes.indexes.get(key.index)?;
    (named.index.generation().manifest().content_id == key.content_id).then_some((key.index, key.symbol))
}
